import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// Events outside of the site: on the town's website, on a screen in a lobby, on paper.
struct ElsewhereController {
    let site: Site

    /// `/events/elsewhere`: the possibilities, and the HTML for another website.
    func index(_ context: PublicContext) -> Response {
        let filter = filter(context)
        let address = site.settings.publicURL + filter.elsewhere(at: .embeddedEvents).string
        let title = Feed(filter, FoundCards([]), today: context.townDay).heading.text(in: context.language)
        let line = Self.frame(address, called: title)
        return context.page(
            Templates.events.elsewhere.index(filter: filter, line: line, embedders: site.town.embedders))
    }

    /// `/embed/events`: the list inside a page of a website that an admin allowed.
    func embed(_ context: PublicContext) throws -> Response {
        let (filter, found) = try search(filter(context), atMost: Event.pageSize + 1, context)
        var response = context.page(
            Templates.events.elsewhere.embed(feed: Feed(filter, found, today: context.townDay)))
        let embedders = site.town.embedders
        if !embedders.isEmpty {
            response.headers[.contentSecurityPolicy] = Gate.policy(inFramesOf: embedders)
            response.headers[.crossOriginResourcePolicy] = "cross-origin"
        }
        return response.unlisted
    }

    /// `/screen`: the next events in large type; the browser loads the next sheet automatically.
    func screen(_ context: PublicContext) throws -> Response {
        let limit = Screen.sheetSize * Screen.mostSheets
        let (filter, found) = try search(filter(context), atMost: limit, context)
        let screen = Screen(
            found.cards, today: context.townDay, at: context.now, address: site.settings.publicURL + filter.link.string)
        return context.page(Templates.events.elsewhere.screen(filter: filter, screen: screen)).unlisted
    }

    /// `/booklet`: the chosen days, or four weeks, for printing.
    func booklet(_ context: PublicContext) throws -> Response {
        let asked = filter(context)
        let today = context.townDay
        var usual = asked
        if asked.when == nil, asked.from == nil, asked.to == nil {
            usual.to = today.advanced(by: Booklet.usualDays - 1)
        }
        var (filter, found) = try search(usual, atMost: Booklet.limit + 1, context)
        let first = filter.firstDay(from: today)
        let booklet = Booklet(
            found.cards, from: first, to: filter.to, all: asked.link, for: context.language,
            site: site.settings.publicURL)
        // The link to the list keeps the reader's filters.
        filter.to = asked.to
        return context.page(Templates.events.elsewhere.booklet(filter: filter, booklet: booklet)).unlisted
    }

    /// The HTML for another website's page.
    private static func frame(_ address: String, called title: String) -> String {
        func value(_ text: String) -> String {
            text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
        }
        return """
            <iframe src="\(value(address))" title="\(value(title))" width="100%" height="600" style="border:0"></iframe>
            """
    }

    /// The filters in the address; the visitor's own city isn't the default, and events are always sorted by time.
    private func filter(_ context: PublicContext) -> EventFilter {
        var filter = EventFilter(context.query, country: site.settings.country)
        filter.sort = .soonest
        filter.leavesOutCanceled = true
        return filter.firstPage
    }

    /// The matching events; none if a filter can't be parsed or names an unknown place.
    private func search(
        _ filter: EventFilter, atMost limit: Int, _ context: PublicContext
    ) throws -> (EventFilter, FoundCards) {
        try site.read(at: context.now) { tx in
            let filter = try filter.located(in: tx)
            guard filter.problems.isEmpty, !filter.isLost else { return (filter, FoundCards([])) }
            let found = try Event.search(filter, atMost: limit, in: site.settings.zone, in: tx)
            return (filter, found)
        }
    }
}
