/// A day or time in iCalendar format (RFC 5545, sections 3.3.4 and 3.3.5).
enum CalendarTime: Sendable, Hashable {
    case day(Day)
    case utc(Instant)
    /// A local time whose zone is given elsewhere.
    case local(Day, TimeOfDay, second: Int)

    /// Parses `20261130`, `20261130T180000`, `20261130T180000Z`, and the same with hyphens and colons.
    init?(_ written: some StringProtocol) {
        guard written.utf8.count <= 40 else { return nil }
        let parts = written.uppercased().filter { !$0.isWhitespace }
            .split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let date = (parts.first ?? "").filter { $0 != "-" }
        guard date.isDigits, date.utf8.count == 8, let year = Int(date.prefix(4)),
            let month = Int(date.dropFirst(4).prefix(2)), let number = Int(date.suffix(2)),
            var day = Day(year: year, month: month, day: number)
        else { return nil }
        guard parts.count == 2 else {
            self = .day(day)
            return
        }
        var time = parts[1].filter { $0 != ":" }
        var ahead: Int?
        if time.hasSuffix("Z") {
            time.removeLast()
            ahead = 0
        } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            guard let offset = Self.offset(time[sign...]) else { return nil }
            time = String(time[..<sign])
            ahead = offset
        }
        // Fractions of a second don't matter.
        time = String(time.prefix { $0 != "." })
        guard time.isDigits, [4, 6].contains(time.utf8.count), let hour = Int(time.prefix(2)),
            let minute = Int(time.dropFirst(2).prefix(2)),
            let second = Int("0\(time.dropFirst(4))"), second <= 60
        else { return nil }
        if hour == 24, minute == 0, second == 0 { day = day.advanced(by: 1) }
        guard let clock = TimeOfDay(hour: hour == 24 && minute == 0 ? 0 : hour, minute: minute) else { return nil }
        let rest = min(second, 59)
        if let ahead {
            self = .utc(Zone.utc.instant(day, clock) + .seconds(rest - ahead))
        } else {
            self = .local(day, clock, second: rest)
        }
    }

    /// The offset from UTC in seconds: `-0800`, `+05:30` without its colon, `+01`.
    static func offset(_ text: some StringProtocol) -> Int? {
        let number = String(text.dropFirst().prefix(7)).filter { $0 != ":" }
        guard let sign = text.first, sign == "+" || sign == "-", number.isDigits,
            [2, 4, 6].contains(number.utf8.count), let hours = Int(number.prefix(2)),
            let minutes = Int("0\(number.dropFirst(2).prefix(2))"),
            let seconds = Int("0\(number.dropFirst(4))"), hours < 24, minutes < 60, seconds < 60
        else { return nil }
        let ahead = hours * 3_600 + minutes * 60 + seconds
        return sign == "-" ? -ahead : ahead
    }

    /// The instant in `zone`; for a day, its midnight.
    ///
    /// A time skipped in spring is moved forward by the skipped time; if a time occurs twice, the first is meant
    /// (section 3.3.5).
    func instant(in zone: Zone) -> Instant {
        switch self {
        case .day(let day): zone.instant(day, .midnight)
        case .utc(let instant): instant
        case .local(let day, let time, let second): zone.instant(day, time) + .seconds(second)
        }
    }

    /// The day in `zone`.
    func day(in zone: Zone) -> Day {
        switch self {
        case .day(let day), .local(let day, _, _): day
        case .utc(let instant): zone.day(of: instant)
        }
    }

    /// The day for an all-day entry: some programs write midnight in UTC for a day without a time.
    func wholeDay(in zone: Zone) -> Day {
        guard case .utc(let instant) = self else { return day(in: zone) }
        let (day, time) = Zone.utc.local(instant)
        return time == .midnight ? day : zone.day(of: instant)
    }
}

/// A duration (RFC 5545, section 3.3.6): days of any length, and a time.
struct CalendarLength: Sendable, Hashable {
    var days = 0
    var seconds = 0

    /// The longest duration accepted: ten years.
    static let mostDays = 3_660

    init(days: Int, seconds: Int) { (self.days, self.seconds) = (days, seconds) }

    /// Parses `PT1H30M`, `P1D`, `P2W`; nil if it is negative or longer than ten years.
    init?(_ text: String) {
        guard text.utf8.count <= 40 else { return nil }
        var rest = text.uppercased().filter { !$0.isWhitespace }[...]
        if rest.first == "+" { rest = rest.dropFirst() }
        guard rest.first == "P", rest.count > 1 else { return nil }
        rest = rest.dropFirst()
        var isTime = false
        while let first = rest.first {
            if first == "T" {
                isTime = true
                rest = rest.dropFirst()
                continue
            }
            let number = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(number.count)
            guard number.utf8.count <= 9, let count = Int(number), let unit = rest.first else { return nil }
            rest = rest.dropFirst()
            switch (unit, isTime) {
            case ("W", false): days += count * 7
            case ("D", false): days += count
            case ("H", true): seconds += count * 3_600
            case ("M", true): seconds += count * 60
            case ("S", true): seconds += count
            default: return nil
            }
        }
        guard days <= Self.mostDays, seconds <= Self.mostDays * 86_400 else { return nil }
    }
}
