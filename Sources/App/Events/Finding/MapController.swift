import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/events/map` and `/places`: where things are.
struct MapController {
    let site: Site

    func index(_ context: PublicContext) throws -> Response {
        var filter = EventFilter(context, country: site.settings.country)
        filter.isMap = true
        let asked = filter
        let page = try site.read { db in
            try MapPage(
                asked.located(for: context.visit.visitor, in: db), in: site.settings.zone, now: context.now,
                outlines: site.outlines, db: db)
        }
        return context.page(Templates.events.map(page: page))
    }

    /// The places that fit what was typed so far: a page with links to what is on near them, or JSON where a script
    /// asks.
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
}

extension Gazetteer.Match {
    /// The events around it.
    var link: Link { Link.events.with("near", label) }
}
