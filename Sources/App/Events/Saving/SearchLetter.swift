import Forms

/// The weekly letter about a member's saved searches: new events, and registrations that open.
struct SearchLetter: Sendable {
    let reader: ID<Account>
    /// The end of the period covered by the previous letter.
    let since: Instant
    let dueAt: Instant
    /// Whether its reader wants it and can get it.
    let isSent: Bool
    /// The reader's unit and zone.
    let preferences: Preferences

    /// The most events listed per search; a link leads to the rest.
    static let mostEvents = 10
    /// The most events whose registration opens.
    static let mostOpening = 10
    /// The longest period covered: if there was no news for longer, a letter goes no further back.
    static let longest = Duration.days(28)
    /// Very recent announcements wait for the next letter, because a transaction that began then may not be committed
    /// yet.
    static let grace = Duration.minutes(5)

    /// How long a letter waits that couldn't be written.
    static let patience = Duration.hours(1)

    /// The time of the next letter: in a week, at the usual hour of collected letters.
    static func due(after now: Instant, in zone: Zone) -> Instant {
        zone.instant(zone.day(of: now).advanced(by: 7), Digest.hour)
    }
}

/// The news in a letter about saved searches.
struct SearchNews: Sendable, Equatable {
    /// New events for a search.
    struct Part: Sendable, Equatable {
        let search: ID<SavedSearch>
        let events: [ID<Event>]
        /// Whether there are more.
        let hasMore: Bool
    }

    var parts: [Part] = []
    /// Saved events whose registration opens before the next letter.
    var opening: [ID<Event>] = []

    var isEmpty: Bool { parts.isEmpty && opening.isEmpty }

    init(parts: [Part] = [], opening: [ID<Event>] = []) {
        self.parts = parts
        self.opening = opening
    }

    /// The format in a letter's row: `3:7,9+;5:12;:4` is two searches, the first with more than two events, and one
    /// event whose registration opens.
    var detail: String {
        func list(_ events: [ID<Event>]) -> String { events.map(\.description).joined(separator: ",") }
        var texts = parts.map { "\($0.search):\(list($0.events))\($0.hasMore ? "+" : "")" }
        if !opening.isEmpty { texts.append(":\(list(opening))") }
        return texts.joined(separator: ";")
    }

    init(detail: String) {
        for text in detail.split(separator: ";") {
            let sides = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { continue }
            let hasMore = sides[1].hasSuffix("+")
            let events = sides[1].split(separator: ",").compactMap { ID<Event>($0.filter { $0 != "+" }) }
            if let search = ID<SavedSearch>(String(sides[0])) {
                parts.append(Part(search: search, events: events, hasMore: hasMore))
            } else if sides[0].isEmpty {
                opening = events
            }
        }
    }

    /// The current news, without things that are no longer visible.
    struct Told: Sendable {
        /// A search with its new events, soonest first.
        struct Part: Sendable {
            let search: SavedSearch
            let words: Words
            let events: [Event]
            let hasMore: Bool
        }

        let parts: [Part]
        /// Each with the time from which its reader can register.
        let opening: [(event: Event, at: Instant)]

        var isEmpty: Bool { parts.isEmpty && opening.isEmpty }
    }
}
