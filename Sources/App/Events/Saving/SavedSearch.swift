import Forms
import Templating

/// What a member looks for again and again: the filters of a list of events. Nobody else sees it.
struct SavedSearch: Sendable {
    let id: ID<SavedSearch>
    /// The filters, as the links of the list write them.
    let query: String
    let savedAt: Instant

    /// The most that one member saves.
    static let most = 20
    /// The longest query that is kept.
    static let mostBytes = 4_000

    /// What stands for these filters; nil where they can't be read, or are too much to keep.
    static func query(of filter: EventFilter) -> String? {
        guard filter.problems.isEmpty else { return nil }
        let query = String(filter.kept.link.string.drop { $0 != "?" }.dropFirst())
        return query.utf8.count <= mostBytes ? query : nil
    }

    /// The filters that a form brings: those that the list knows, and nothing else; nil where their days are over.
    static func query(typed: String, in country: String, on today: Day) -> String? {
        guard let body = try? FormBody(query: typed) else { return nil }
        let filter = EventFilter(body, country: country)
        return filter.isOver(on: today) ? nil : query(of: filter)
    }

    /// The filters, for somebody who wants distances so.
    ///
    /// - Parameter today: The day on which they are said; nil where only events are looked for.
    func filter(in country: String, _ preferences: Preferences, on today: Day? = nil) -> EventFilter {
        var filter = EventFilter((try? FormBody(query: query)) ?? FormBody(), country: country)
        filter.preferences = preferences
        filter.today = today
        return filter
    }

    /// Leads to its results, the newest first, and says nothing of the filters.
    var link: Link { .search(id) }

    /// What the list of events, or the map, offers to save.
    struct Offer: Sendable {
        let query: String
        let isSaved: Bool
    }
}

extension EventFilter {
    /// What is saved of it: no place in the list, no order, and nothing that couldn't be read.
    var kept: EventFilter {
        with {
            ($0.sort, $0.event, $0.isMap) = (nil, nil, false)
            $0.unread = Unread()
            if $0.near.isEmpty { ($0.within, $0.unit, $0.around) = (nil, nil, nil) }
        }
    }

    /// Whether it is offered to be saved: where its place is known, and is no event that is over one day, and where
    /// its days aren't over.
    func canBeSaved(on today: Day) -> Bool {
        problems.isEmpty && event == nil && (near.isEmpty || circle != nil) && !isOver(on: today)
    }

    /// Whether the last day that it asks for is over: nothing new is found anymore.
    func isOver(on today: Day) -> Bool { to.map { $0 < today } ?? false }

    /// What is looked for, as the list says it.
    var said: Words {
        let labels = parts.map(\.label)
        return labels.isEmpty ? "All events" : labels.listed()
    }

    /// The same in a letter, which says nothing of children.
    var saidInLetter: Words {
        let plain = with {
            ($0.ages, $0.freePlaces) = ([], nil)
            if $0.audience == .kids { $0.audience = nil }
        }
        return plain.parts.isEmpty && !parts.isEmpty ? "Events" : plain.said
    }
}

/// `/searches`: what a member saved, and whether a letter tells what is new.
struct SavedSearchList: Sendable {
    /// One of them, and its filters.
    struct Line: Sendable {
        let search: SavedSearch
        let filter: EventFilter
        /// Whether its days are over.
        let isOver: Bool

        var entryID: String { "search-\(search.id)" }
    }

    let lines: [Line]
    /// Each with the entry to come back to when it is removed.
    var rows: [(line: Line, next: String)] {
        zip(lines, lines.map(\.entryID).following).map { (line: $0, next: $1) }
    }

    /// Whether its reader wants the letter.
    let hasLetter: Bool
    /// Whether it arrives, as far as anybody knows.
    let arrives: Bool
}
