import Forms

/// The one letter a week about all that a member saved to look for: what is new, and when registration opens.
struct SearchLetter: Sendable {
    let reader: ID<Account>
    /// Until when what was announced was told already.
    let since: Instant
    let dueAt: Instant
    /// Whether its reader wants it, and can get it.
    let isSent: Bool
    /// How its reader measures, and by whose clock they live.
    let preferences: Preferences

    /// The most events of one search that it names; a link leads to the rest.
    static let mostEvents = 10
    /// The most events whose registration opens.
    static let mostOpening = 10
    /// The longest that something counts as new: where nothing was to be told since, a letter looks no further back.
    static let longest = Duration.days(28)
    /// What was announced in the last minutes waits for the next letter: a transaction that began then may not be done.
    static let grace = Duration.minutes(5)

    /// When the next one comes: in a week, at the hour of all letters that gather something.
    static func due(after now: Instant, in zone: Zone) -> Instant {
        zone.instant(zone.day(of: now).advanced(by: 7), Digest.hour)
    }
}

/// What a letter about saved searches tells of.
struct SearchNews: Sendable, Equatable {
    /// What one search finds that is new.
    struct Part: Sendable, Equatable {
        let search: ID<SavedSearch>
        let events: [ID<Event>]
        /// Whether there are more than these.
        let hasMore: Bool
    }

    var parts: [Part] = []
    /// Events that the reader saved, and whose registration opens before the next letter.
    var opening: [ID<Event>] = []

    var isEmpty: Bool { parts.isEmpty && opening.isEmpty }

    init(parts: [Part] = [], opening: [ID<Event>] = []) {
        self.parts = parts
        self.opening = opening
    }

    /// As a letter keeps it: `3:7,9+;5:12;:4` are two searches, the first with more than two events, and one event of
    /// which registration opens.
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

    /// What it tells now: whatever isn't shown anymore is left out.
    struct Told: Sendable {
        /// One search, and what is new there, the soonest first.
        struct Part: Sendable {
            let search: SavedSearch
            let words: Words
            let events: [Event]
            let hasMore: Bool
        }

        let parts: [Part]
        /// Each with when its reader can register.
        let opening: [(event: Event, at: Instant)]

        var isEmpty: Bool { parts.isEmpty && opening.isEmpty }
    }
}
