import Forms
import Templating

/// A page of the feed.
struct Feed: Sendable {
    let filter: EventFilter
    let days: [EventDay]
    /// The link to the next page, if there is one.
    let more: Link?
    let count: Int
    /// The total number, on the first page.
    var tally: Tally?
    /// Advice on the search.
    var advice = Advice()
    /// A link to events for all of the family's children, near them, this weekend, with enough places.
    var forUs: Link?
    /// The search that a member can save.
    var saving: SavedSearch.Offer?

    init(_ filter: EventFilter, _ found: [EventCard], today: Day) {
        self.filter = filter
        let page = Page(found, of: Event.pageSize, by: filter.position)
        let order = filter.order
        days =
            order == .soonest
            ? EventDay.grouped(page.items, today: today, from: filter.firstDay(from: today))
            : EventDay.list(page.items, by: order)
        count = page.items.count
        if filter.after == nil, page.isLast, filter.problems.isEmpty {
            tally = Tally(count: found.count, isExact: true)
        }
        more = page.more(at: filter.firstPage.link)
    }

    var isEmpty: Bool { count == 0 }

    /// The canonical address for search engines: an empty search isn't a page of its own.
    var found: Link { isEmpty ? filter.action : filter.found }

    /// The heading, made from the filters.
    var heading: Words {
        switch (filter.when, filter.city.isEmpty) {
        case (.weekend, _): "What can we do this weekend?"
        case (.today, _): "What can we do today?"
        case (_, false): "\(kind, as: "events") in \(filter.city, as: "city")"
        case (_, true) where filter.event == nil && filter.circle != nil:
            "\(kind, as: "events") near \(filter.around?.match?.name ?? "", as: "place")"
        default: kind
        }
    }

    /// The kind of events.
    private var kind: Words {
        switch filter.audience {
        case .kids?: "Kids’ events"
        case .everyone?: "Community events"
        case nil: "Events"
        }
    }
}
