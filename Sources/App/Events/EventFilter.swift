import Forms
import Templating

/// What somebody looks for: the filters of the feed, as they stand in its URL.
struct EventFilter: Sendable, Equatable {
    var words = ""
    var city = ""
    var from: Day?
    var to: Day?
    var when: When?
    var ages: [Int] = []
    var freePlaces: Int?
    var isFree = false
    var isCovidSafe = false
    var tags: [String] = []
    var after: Cursor?
    /// Whether the city is the family's own and nobody asked for it.
    var isOwnCity = false

    enum When: String, Sendable, CaseIterable {
        case today, weekend, week

        var name: Words {
            switch self {
            case .today: "Today"
            case .weekend: "This weekend"
            case .week: "Next 7 days"
            }
        }

        /// First and last day, seen on `today`.
        func days(from today: Day) -> (first: Day, last: Day) {
            switch self {
            case .today: (today, today)
            case .week: (today, today.advanced(by: 6))
            case .weekend:
                today.weekday == 6
                    ? (today, today)
                    : (today.advanced(by: max(0, 5 - today.weekday)), today.advanced(by: 6 - today.weekday))
            }
        }
    }

    /// The last event of the page before.
    struct Cursor: Sendable, Equatable {
        let startsAt: Instant
        let id: ID<Event>

        var text: String { "\(startsAt.milliseconds)-\(id)" }

        init(_ event: EventCard) {
            startsAt = event.startsAt
            id = event.id
        }

        init?(_ text: String) {
            let parts = text.split(separator: "-")
            guard parts.count == 2, parts[0].utf8.count <= 15, let start = Int64(parts[0]),
                let id = ID<Event>(String(parts[1]))
            else { return nil }
            startsAt = Instant(milliseconds: start)
            self.id = id
        }
    }

    init() {}

    /// Reads the query of a URL; what can't be read is left out.
    init(_ query: FormBody, monthFirst: Bool) {
        func text(_ name: String) -> String {
            guard let typed = query[name], !typed.isEmpty else { return "" }
            // By code points: a blank and a mark behind it are one character, and would vanish the next time.
            return typed.prefix(200).unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
                .map { String($0) }.joined(separator: " ")
        }
        words = text("q")
        city = text("city")
        from = Day(typed: text("from"), monthFirst: monthFirst)
        to = Day(typed: text("to"), monthFirst: monthFirst)
        when = When(rawValue: text("when"))
        ages = Array(Set(query.all("age").compactMap { Int($0) }.filter { (0...17).contains($0) })).sorted()
        freePlaces = Int(text("free_places")).flatMap { (1...100).contains($0) ? $0 : nil }
        isFree = text("price") == "free"
        isCovidSafe = text("covid_safe") == "1"
        tags = Array(query.all("tag").map { $0.lowercased() }.filter { !$0.isEmpty }.prefix(4))
        after = Cursor(text("after"))
    }

    /// Whether nothing is asked for.
    var isEmpty: Bool {
        var plain = EventFilter()
        plain.after = after
        plain.isOwnCity = isOwnCity
        return self == plain
    }

    /// First instant, and the one after the last, that are looked at.
    func bounds(in zone: Zone, now: Instant) -> (from: Instant, to: Instant?) {
        let today = zone.day(of: now)
        let days = when?.days(from: today)
        let first = [from, days?.first].compactMap(\.self).max()
        let last = [to, days?.last].compactMap(\.self).min()
        let start = first.map { zone.instant($0, .midnight) } ?? now
        // What begins at this very instant has begun.
        return (max(start, now + .milliseconds(1)), last.map { zone.instant($0.advanced(by: 1), .midnight) })
    }
}

// MARK: - Links

extension EventFilter {
    /// The feed with these filters.
    var link: Link {
        var items: [(name: String, value: String)] = []
        func add(_ name: String, _ value: String?) { if let value { items.append((name, value)) } }
        if !words.isEmpty { add("q", words) }
        if !city.isEmpty { add("city", city) }
        add("from", from?.iso)
        add("to", to?.iso)
        add("when", when?.rawValue)
        for age in ages { add("age", String(age)) }
        add("free_places", freePlaces.map { String($0) })
        if isFree { add("price", "free") }
        if isCovidSafe { add("covid_safe", "1") }
        for tag in tags { add("tag", tag) }
        // Without any filter, a parent's feed would begin with the own city again.
        if items.isEmpty { add("city", "") }
        add("after", after?.text)
        return Link("/events").with(items)
    }

    func with(_ change: (inout EventFilter) -> Void) -> EventFilter {
        var filter = self
        filter.after = nil
        change(&filter)
        return filter
    }

    func link(_ change: (inout EventFilter) -> Void) -> Link { with(change).link }

    /// A filter that is on, and the feed without it; or one that is off, and the feed with it.
    struct Chip: Sendable {
        let label: Words
        let link: Link
        let isOn: Bool
    }

    /// The filters that are on, each with a way to take it off.
    var chips: [Chip] {
        var chips: [Chip] = []
        func on(_ label: Words, _ change: (inout EventFilter) -> Void) {
            chips.append(Chip(label: label, link: link(change), isOn: true))
        }
        if !words.isEmpty { on("“\(words, as: "words")”") { $0.words = "" } }
        if !city.isEmpty { on(Words(verbatim: city)) { $0.city = "" } }
        if let when { on(when.name) { $0.when = nil } }
        if let from { on("from \(from.shortName, as: "day")") { $0.from = nil } }
        if let to { on("until \(to.shortName, as: "day")") { $0.to = nil } }
        for age in ages { on("for age \(age, as: "age")") { $0.ages.removeAll { $0 == age } } }
        if let freePlaces {
            on(Words("{count} place free", plural: "{count} places free", count: freePlaces)) { $0.freePlaces = nil }
        }
        if isFree { on("Free of charge") { $0.isFree = false } }
        if isCovidSafe { on("COVID-safe") { $0.isCovidSafe = false } }
        for tag in tags { on(Words(verbatim: tag)) { $0.tags.removeAll { $0 == tag } } }
        return chips
    }

    /// What a visitor may want next.
    var offers: [Chip] {
        var offers: [Chip] = []
        func off(_ label: Words, _ change: (inout EventFilter) -> Void) {
            offers.append(Chip(label: label, link: link(change), isOn: false))
        }
        if when == nil, from == nil, to == nil {
            for when in When.allCases { off(when.name) { $0.when = when } }
        }
        if freePlaces == nil { off("Places left") { $0.freePlaces = 1 } }
        if !isFree { off("Free of charge") { $0.isFree = true } }
        if !isCovidSafe { off("COVID-safe") { $0.isCovidSafe = true } }
        return offers
    }

    /// The feed without any filter.
    static let everything = EventFilter().link
    static let allAges = 0...17

    /// The feed for all towns, with the other filters as they are.
    var widened: Link { link { $0.city = "" } }
}
