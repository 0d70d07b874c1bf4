import Forms
import Templating

/// What the feed shows.
struct Feed: Sendable {
    let filter: EventFilter
    let days: [EventDay]
    /// The next page, when there is one.
    let more: Link?
    let count: Int
    /// How many there are in all, on the first page.
    var tally: Tally?
    /// What to do about it.
    var advice = Advice()
    /// What fits all children of the family that looks, near it, this weekend, with a place for each.
    var forUs: Link?
    /// What a member can save to look for again.
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

    /// What search engines know it by: a search that finds nothing is no page of its own.
    var found: Link { isEmpty ? filter.action : filter.found }

    /// What the page is called: by its filters, as a visitor would say it.
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

    /// What kind of events they are.
    private var kind: Words {
        switch filter.audience {
        case .kids?: "Kids’ events"
        case .everyone?: "Community events"
        case nil: "Events"
        }
    }
}
