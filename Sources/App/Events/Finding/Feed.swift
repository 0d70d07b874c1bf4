import Forms
import Templating

/// A page of the feed.
struct Feed: Sendable {
    let filter: EventFilter
    let list: CardList
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

    init(_ filter: EventFilter, _ found: FoundCards, today: Day) {
        self.filter = filter
        let page = Page(found.cards, of: Event.pageSize, by: filter.position)
        list = CardList(found: found, order: filter.order, today: today, first: filter.firstDay(from: today))
        count = page.items.count
        if filter.after == nil, page.isLast, filter.problems.isEmpty {
            tally = Tally(count: found.cards.count, isExact: true)
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

/// The cards of a page of the feed, by days if they are in order of time.
///
/// Its part of a page is kept under the number of what was found, so that it is put together once until the next write,
/// and not card by card for each reader.
struct CardList: Sendable {
    /// The cards of the page, and the one behind it, if there is one.
    let found: FoundCards
    let order: EventFilter.Sort
    let today: Day
    /// The first requested day.
    let first: Day

    var events: ArraySlice<EventCard> { found.cards.prefix(Event.pageSize) }

    var days: [EventDay] {
        order == .soonest
            ? EventDay.grouped(events, today: today, from: first) : EventDay.list(events, by: order)
    }

    /// What depends on the time, for each card.
    func phases(at now: Instant) -> [EventPhase] { events.map { $0.phase(at: now) } }

    /// The days with their cards, for a reader in a zone.
    func timed(_ phases: [EventPhase], in zone: Zone) -> [TimedDay] {
        var rest = phases[...]
        return days.map { day in
            TimedDay(
                key: day.key, heading: day.heading,
                cards: day.events.map { TimedCard(event: $0, phase: rest.removeFirst(), zone: zone) })
        }
    }

    /// Whether its part of a page may be kept: only if others get the same list, and nothing on it is a reader's own.
    var mayBeKept: Bool { found.number != nil && events.allSatisfy(\.isForEverybody) }
}
