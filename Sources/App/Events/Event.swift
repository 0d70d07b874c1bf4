import Forms
import Templating

/// A kids' event of a provider.
struct Event: Sendable {
    let id: ID<Event>
    var provider: Host
    var title: String
    /// Plain text. In lists only its beginning.
    var description: String
    /// The day and times a clock at the venue shows.
    var day: Day
    var start: TimeOfDay
    var end: TimeOfDay?
    var zone: String
    var startsAt: Instant
    var endsAt: Instant
    var address: Address
    var spots: Int
    var taken: Int
    var covidSafe: Bool
    var ageFrom: Int?
    var ageTo: Int?
    var price: Money?
    var tags: [String]
    var cancelledAt: Instant?
    var isHidden: Bool

    /// Who offers it.
    struct Host: Sendable {
        let id: ID<Provider>
        let username: String
        let organization: String
        let person: String
    }

    var placesLeft: Int { max(0, spots - taken) }
    var isFull: Bool { taken >= spots }
    var isCancelled: Bool { cancelledAt != nil }

    /// Whether few places are left: a fifth of them, and at least one.
    var isNearlyFull: Bool { !isFull && placesLeft * 5 <= max(spots, 5) }

    /// Whether the end is on the day after.
    var endsNextDay: Bool { end.map { $0 <= start } ?? false }

    func hasStarted(at now: Instant) -> Bool { startsAt <= now }

    /// Whether a child of these possible ages may come. In the birth month either age is enough.
    func fits(_ ages: ClosedRange<Int>) -> Bool {
        ages.contains { age in (ageFrom.map { age >= $0 } ?? true) && (ageTo.map { age <= $0 } ?? true) }
    }
}

// MARK: - In words

extension Event {
    /// `10:00 to 12:00`, `19:00`.
    var time: String { end.map { "\(start.name) to \($0.name)\(endsNextDay ? " the next day" : "")" } ?? start.name }

    /// `3 to 9 years`, `from 3 years`, `up to 9 years`; nil for all ages.
    var ages: Words? {
        switch (ageFrom, ageTo) {
        case (nil, nil): nil
        case (let from?, nil): Words("from {count} year", plural: "from {count} years", count: from)
        case (nil, let to?): Words("up to {count} year", plural: "up to {count} years", count: to)
        case (let from?, let to?) where from == to: Words("{count} year", plural: "{count} years", count: from)
        case (let from?, let to?): "\(from, as: "from") to \(to, as: "to") years"
        }
    }

    /// `3 to 9`, as a reason names it.
    var agesInShort: Words { ages ?? "all ages" }

    /// `Free`, `$8`; nil when nothing was said.
    var priceText: Words? { price.map { $0.isFree ? "Free" : Words(verbatim: $0.text) } }

    /// How much room there is, as a badge says it.
    var room: Words {
        isFull ? "Full" : Words("{count} place left", plural: "{count} places left", count: placesLeft)
    }

    /// The beginning of the description, in one line of at most 160 bytes, cut between words.
    var synopsis: String {
        let bytes = description.utf8
        guard let limit = bytes.index(bytes.startIndex, offsetBy: 160, limitedBy: bytes.endIndex) else {
            return Self.inOneLine(description[...])
        }
        let end = bytes[..<limit].lastIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") } ?? limit
        return Self.inOneLine(description[..<end]) + "…"
    }

    private static func inOneLine(_ text: Substring) -> String {
        String(decoding: text.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }

    /// The place in a list: `180 Park Ave, San Jose`.
    var place: String { "\(address.street), \(address.city)" }

    /// Where a map of the visitor's own choice shows the place.
    var directions: Link? {
        let query = (Link("/") / "").with("q", "\(address.line), \(Country.name(of: address.country))").string
        return Link(outside: "https://www.openstreetmap.org/search" + query.drop { $0 != "?" })
    }

    var link: Link { .event(id) }
}

extension Event {
    /// Which of a provider's events are listed.
    enum OwnList: String, Sendable, CaseIterable {
        case upcoming, expired, cancelled

        var name: Words {
            switch self {
            case .upcoming: "Coming up"
            case .expired: "Over"
            case .cancelled: "Cancelled"
            }
        }
    }
}

extension Link {
    static func event(_ id: ID<Event>) -> Link { Link("/events") / id }
}

/// The events of one day in a list.
struct EventDay: Sendable {
    let day: Day
    /// `Today`, `Tomorrow`, or the day's name.
    let heading: String
    var events: [Event]

    /// Groups a list that is in the order of time.
    static func grouped(_ events: [Event], today: Day) -> [EventDay] {
        var days: [EventDay] = []
        for event in events {
            if days.last?.day == event.day {
                days[days.count - 1].events.append(event)
            } else {
                days.append(EventDay(day: event.day, heading: heading(event.day, today), events: [event]))
            }
        }
        return days
    }

    static func heading(_ day: Day, _ today: Day) -> String {
        switch day.number - today.number {
        case 0: "Today, \(day.name)"
        case 1: "Tomorrow, \(day.name)"
        default: day.year == today.year ? day.name : day.fullName
        }
    }
}

/// Orders events by their start, ties by id, in one number: the row id of the full-text index.
///
/// 27 bits of minutes since 1970 reach to the year 2225; 36 bits of id to 68,719,476,735.
struct SearchKey: Sendable {
    let rawValue: Int64

    init(_ startsAt: Instant, _ id: ID<Event>) {
        rawValue = ((startsAt.milliseconds / 60_000) << 36) | (id.rawValue & ((1 << 36) - 1))
    }

    /// Below every event that starts at `instant` or later.
    init(before instant: Instant) { rawValue = ((instant.milliseconds + 59_999) / 60_000) << 36 }
}
