import Hummingbird
import HummingbirdCore
import Templating

/// `/events.atom` and `/sitemap.xml`.
struct FeedController {
    let site: Site

    /// The upcoming events that match the filters in the address.
    func atom(_ context: PublicContext) throws -> Response {
        let query = EventFilter(context.query, country: site.settings.country)
        if let answer = context.visit.unreadable(query.problems) { return answer }
        let (filter, events) = try site.read(at: context.now) { tx in
            let filter = try query.known(in: tx)
            return (filter, try Event.found(by: filter, atMost: 50, in: site.settings.zone, in: tx))
        }
        let feed = Atom(
            title: filter.feedTitle(in: context.language, of: site.town), site: site.settings.publicURL,
            language: context.language, link: filter.atom.read(in: context.asked),
            page: filter.firstPage.link.read(in: context.asked),
            entries: events.map { Atom.Entry($0, for: context.language) },
            now: context.now)
        return context.document(feed.bytes, type: "application/atom+xml; charset=utf-8", isTranslated: true)
    }

    /// `/opportunities.atom`: the opportunities that match the filters in the address.
    func opportunities(_ context: PublicContext) throws -> Response {
        let query = OpportunityFilter(context.query, country: site.settings.country)
        if let answer = context.visit.unreadable(query.unread.problems) { return answer }
        let list = try site.read(at: context.now) { tx in try query.known(in: tx) }
        let feed = Atom(
            title: "\(list.heading.text(in: context.language)) · \(site.town.shortName)", site: site.settings.publicURL,
            language: context.language, link: list.filter.atom.read(in: context.asked),
            page: list.filter.link { _ in }.read(in: context.asked), entries: list.items.map { Atom.Entry($0) },
            now: context.now)
        return context.document(feed.bytes, type: "application/atom+xml; charset=utf-8", isTranslated: true)
    }

    func sitemap(_ context: PublicContext) throws -> Response {
        let languages = site.hasLanguages ? site.languages : []
        let pages = try site.read(at: context.now) { tx in try Sitemap.pages(languages: languages.count, in: tx) }
        let sitemap = Sitemap(site: site.settings.publicURL, pages: pages, languages: languages)
        return context.document(sitemap.bytes, type: "application/xml; charset=utf-8")
    }
}
