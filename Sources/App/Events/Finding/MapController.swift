import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/events/map`, `/places` and `/outlines`: maps and places.
struct MapController {
    let site: Site

    func index(_ context: PublicContext) throws -> Response {
        var filter = EventFilter(context, country: site.settings.country)
        filter.isMap = true
        let asked = filter
        let page = try site.read(at: context.now) { tx in
            var page = try MapPage(
                asked.located(for: context.visit.visitor, in: tx), in: site.settings.zone,
                outlines: site.outlines, tx: tx)
            page.saving = try SavedSearch.Offer(page.filter, to: context.visit.visitor, on: context.townDay, in: tx)
            return page
        }
        return context.page(Templates.events.map(page: page))
    }

    /// Places that match what was typed so far: a page with links to nearby events, or JSON for a script.
    func places(_ context: PublicContext) throws -> Response {
        let typed = String((context.query["q"] ?? "").prefix(100))
        let matches = try site.read { db in
            try Gazetteer.matches(typed, country: site.settings.country, in: db)
        }
        let response =
            context.visit.wantsJSON
            ? context.document(["items": .array(matches.map { .string($0.label) })])
            : context.page(
                Templates.places.index(
                    typed: typed, matches: matches, forNeeds: context.query["for"] == "needs"))
        return response.varyingByAccept
    }

    /// `/outlines/{release}/{latitude}/{longitude}`: the outlines for a map of a town until the reader moves it. The
    /// complete files (`Public/map`) are larger than the rest of the page.
    func outlines(_ context: PublicContext) throws -> Response {
        guard let latitude = Int(try context.word("latitude")), let longitude = Int(try context.word("longitude")),
            let part = Surroundings(latitude: latitude, longitude: longitude)
        else { throw Refusal.notFound }
        var response = context.document(try site.outlines.cut(to: part), type: "application/json")
        response.headers[.cacheControl] = "no-cache"
        if try context.word("release") == site.assets.digest { response.headers.keepForGood() }
        return response
    }
}

extension Gazetteer.Match {
    /// The events near it.
    var link: Link { Link.events.with("near", label) }
}
