/// Writes iCalendar (RFC 5545): lines with CR LF line ends, folded if long, with escaped values.
struct ICalendar: Sendable {
    /// The most rows read for a calendar: the places of twelve children, each in two thousand upcoming events.
    static let mostRows = 25_000

    private(set) var bytes: [UInt8] = []

    /// Adds a property with a text value, which is escaped.
    mutating func add(_ property: StaticString, text: String) {
        add(property.description, Self.escape(text))
    }

    /// Adds a property with a list of texts.
    mutating func add(_ property: StaticString, list: [String]) {
        add(property.description, list.map(Self.escape).joined(separator: ","))
    }

    /// Adds a property, with parameters, whose value needs no escaping: a number, a time, a URL.
    mutating func add(_ property: String, _ value: String) { add(line: "\(property):\(value)") }

    /// Section 3.3.11: escapes separators and line ends.
    static func escape(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",":
                escaped += "\\"
                escaped.unicodeScalars.append(scalar)
            case "\n", "\u{2028}", "\u{2029}": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Section 3.1: at most 75 octets per line, including the space that starts a continuation; characters aren't
    /// split. Control characters are removed, so that a visitor's text can't begin a new line.
    private mutating func add(line: String) {
        var length = 0
        for scalar in line.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F || scalar == "\t" {
            let width = UTF8.width(scalar)
            if length + width > 75 {
                bytes += [13, 10, 32]
                length = 1
            }
            bytes += UTF8.encode(scalar)!
            length += width
        }
        bytes += [13, 10]
    }
}

// MARK: - Times

extension ICalendar {
    /// An instant in UTC: `20270327T170000Z`.
    static func utc(_ instant: Instant) -> String {
        stamp(instant.milliseconds.floorDivided(by: 1_000)) + "Z"
    }

    /// An instant in local time: `20270327T100000`.
    static func local(_ instant: Instant, in zone: Zone) -> String {
        stamp(instant.milliseconds.floorDivided(by: 1_000) + Int64(zone.offset(at: instant)))
    }

    fileprivate static func stamp(_ seconds: Int64) -> String {
        let number = seconds.floorDivided(by: 86_400)
        let time = Int(seconds - number * 86_400)
        let (year, month, day) = Day(number: Int(number)).components
        return digits(year, 4) + digits(month, 2) + digits(day, 2) + "T" + digits(time / 3_600, 2)
            + digits(time / 60 % 60, 2) + digits(time % 60, 2)
    }

    /// Section 3.3.14: `-0800`, with seconds if not zero.
    fileprivate static func offset(_ seconds: Int) -> String {
        let ahead = abs(seconds)
        let rest = ahead % 60 == 0 ? "" : digits(ahead % 60, 2)
        return (seconds < 0 ? "-" : "+") + digits(ahead / 3_600, 2) + digits(ahead / 60 % 60, 2) + rest
    }

    /// Adds the time zone component (section 3.6.5) for events that begin from `first` to `last`.
    ///
    /// Changes that follow a rule, such as the second Sunday of March, get the rule; others are listed separately,
    /// which programs without support for RDATE also understand.
    mutating func add(_ zone: Zone, from first: Instant, to last: Instant) {
        // From a year before the first event, so that there is a change before it; three more years show which changes
        // follow a rule.
        let begin = first - .days(366)
        let end = last + .days(3 * 366)
        let changes = zone.changes(after: begin, before: end)
        add("BEGIN", "VTIMEZONE")
        add("TZID", zone.identifier)
        if changes.first.map({ $0.at > first }) ?? true {
            let offset = zone.offset(at: first)
            add(Onset(local: 0, from: offset, to: offset, isDaylight: false), rule: nil)
        }
        var kinds: [[Onset]] = []
        for onset in changes.map(Onset.init) {
            if let index = kinds.firstIndex(where: { $0[0].isLike(onset) }) {
                kinds[index].append(onset)
            } else {
                kinds.append([onset])
            }
        }
        for onsets in kinds {
            if let rule = Onset.rule(of: onsets, from: begin, to: end) {
                add(onsets[0], rule: rule)
            } else {
                for onset in onsets { add(onset, rule: nil) }
            }
        }
        add("END", "VTIMEZONE")
    }

    private mutating func add(_ onset: Onset, rule: String?) {
        let kind = onset.isDaylight ? "DAYLIGHT" : "STANDARD"
        add("BEGIN", kind)
        add("DTSTART", Self.stamp(onset.local))
        if let rule { add("RRULE", rule) }
        add("TZOFFSETFROM", Self.offset(onset.from))
        add("TZOFFSETTO", Self.offset(onset.to))
        add("END", kind)
    }
}

/// A change of the offset in iCalendar's terms: by the local time before it.
private struct Onset {
    /// Seconds since 1970 in the unchanged local time.
    let local: Int64
    let from: Int
    let to: Int
    let isDaylight: Bool

    init(local: Int64, from: Int, to: Int, isDaylight: Bool) {
        self.local = local
        self.from = from
        self.to = to
        self.isDaylight = isDaylight
    }

    init(_ change: Zone.Change) {
        local = change.at.milliseconds.floorDivided(by: 1_000) + Int64(change.from)
        from = change.from
        to = change.to
        isDaylight = change.isDaylight
    }

    var day: Day { Day(number: Int(local.floorDivided(by: 86_400))) }
    private var time: Int64 { local - local.floorDivided(by: 86_400) * 86_400 }

    /// Whether both may follow one rule.
    func isLike(_ other: Onset) -> Bool {
        from == other.from && to == other.to && isDaylight == other.isDaylight && time == other.time
    }

    /// The rule that these follow in each year of the period: the second Sunday of March, the last of October.
    static func rule(of onsets: [Onset], from begin: Instant, to end: Instant) -> String? {
        let days = onsets.map(\.day)
        let first = days[0]
        let year = Day(number: Int(begin.milliseconds.floorDivided(by: 86_400_000))).year
        let years = year...Day(number: Int(end.milliseconds.floorDivided(by: 86_400_000))).year
        guard days.count >= years.count - 1, zip(days, days.dropFirst()).allSatisfy({ $1.year == $0.year + 1 }),
            days.allSatisfy({ $0.month == first.month && $0.weekday == first.weekday })
        else { return nil }
        let isLast = days.allSatisfy { $0.components.day + 7 > Day.length(of: $0.month, in: $0.year) }
        let places = Set(days.map { ($0.components.day + 6) / 7 })
        guard isLast || places.count == 1 else { return nil }
        let weekday = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][first.weekday]
        return "FREQ=YEARLY;BYMONTH=\(first.month);BYDAY=\(isLast ? "-1" : String(places.first!))\(weekday)"
    }
}
