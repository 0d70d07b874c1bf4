import Forms
import Templating

/// A member's saved filters for the list of events. Nobody else sees them.
struct SavedSearch: Sendable {
    let id: ID<SavedSearch>
    /// The filters as a query string.
    let query: String
    let savedAt: Instant

    /// The most per member.
    static let most = 20
    /// The longest query stored, which an index takes.
    static let mostBytes = 2_000

    /// The query for these filters; nil if they can't be parsed, or are too long.
    static func query(of filter: EventFilter) -> String? {
        guard filter.problems.isEmpty else { return nil }
        let query = String(filter.kept.link.string.from("?").dropFirst())
        return query.utf8.count <= mostBytes ? query : nil
    }

    /// The known filters in a sent form; nil if their days are over.
    static func query(typed: String, in country: String, on today: Day) -> String? {
        guard let body = try? FormBody(query: typed) else { return nil }
        let filter = EventFilter(body, country: country)
        return filter.isOver(on: today) ? nil : query(of: filter)
    }

    /// The filters, with a reader's unit of distances.
    ///
    /// - Parameter today: The current day, for displaying them; nil if only events are searched.
    func filter(in country: String, _ preferences: Preferences, on today: Day? = nil) -> EventFilter {
        var filter = EventFilter((try? FormBody(query: query)) ?? FormBody(), country: country)
        filter.preferences = preferences
        filter.today = today
        return filter
    }

    /// The link to its results, newest first; it doesn't contain the filters.
    var link: Link { .search(id) }

    /// A search that the list or map offers to save.
    struct Offer: Sendable {
        let query: String
        let isSaved: Bool
    }
}

extension EventFilter {
    /// The part that is saved: without the position, the order, and unparsable filters.
    var kept: EventFilter {
        with {
            ($0.sort, $0.event, $0.isMap) = (nil, nil, false)
            $0.unread = Unread()
            if $0.near.isEmpty { ($0.within, $0.unit, $0.around) = (nil, nil, nil) }
        }
    }

    /// Whether it is offered: its place is known and isn't an event's, which will be over one day, and its days aren't
    /// over.
    func canBeSaved(on today: Day) -> Bool {
        problems.isEmpty && event == nil && (near.isEmpty || circle != nil) && !isOver(on: today)
    }

    /// Whether its last day is over, so that nothing new will be found.
    func isOver(on today: Day) -> Bool { to.map { $0 < today } ?? false }

    /// A description, as in the list.
    var said: Words {
        let labels = parts.map(\.label)
        return labels.isEmpty ? "All events" : labels.listed()
    }

    /// A description for a letter, which doesn't mention children.
    var saidInLetter: Words {
        let plain = with {
            ($0.ages, $0.freePlaces) = ([], nil)
            if $0.audience == .kids { $0.audience = nil }
        }
        return plain.parts.isEmpty && !parts.isEmpty ? "Events" : plain.said
    }
}

/// `/searches`: a member's saved searches, and whether they get a letter about new events.
struct SavedSearchList: Sendable {
    /// A search with its filters.
    struct Line: Sendable {
        let search: SavedSearch
        let filter: EventFilter
        /// Whether its days are over.
        let isOver: Bool

        var entryID: String { "search-\(search.id)" }
    }

    let lines: [Line]
    /// Each with the entry to return to when it is removed.
    var rows: [(line: Line, next: String)] {
        zip(lines, lines.map(\.entryID).following).map { (line: $0, next: $1) }
    }

    /// Whether its reader wants the letter.
    let hasLetter: Bool
    /// Whether mail is expected to arrive.
    let arrives: Bool
}
