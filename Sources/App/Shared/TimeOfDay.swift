/// A time on the clock, to the minute.
struct TimeOfDay: Hashable, Comparable, Sendable {
    /// Minutes since midnight, 0 to 1439.
    let minutes: Int

    init?(minutes: Int) {
        guard (0..<1_440).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    init?(hour: Int, minute: Int) {
        guard (0..<24).contains(hour), (0..<60).contains(minute) else { return nil }
        minutes = hour * 60 + minute
    }

    private init(checked minutes: Int) { self.minutes = minutes }

    /// So many minutes later or, below zero, earlier; and how many days that is ahead.
    func moved(by minutes: Int) -> (time: TimeOfDay, days: Int) {
        let all = self.minutes + minutes
        let days = all >= 0 ? all / 1_440 : (all - 1_439) / 1_440
        return (TimeOfDay(checked: all - days * 1_440), days)
    }

    static let midnight = TimeOfDay(checked: 0)

    static func < (a: Self, b: Self) -> Bool { a.minutes < b.minutes }

    /// As forms write it: `19:00`.
    var iso: String { "\(digits(minutes / 60, 2)):\(digits(minutes % 60, 2))" }

    /// Reads a time as people type it: `19:00`, `7pm`, `7:30 pm`, `7.30`, `1900`, `noon`.
    init?(typed: String) {
        var text = typed.lowercased().filter { !$0.isWhitespace }
        if text == "noon" { text = "12:00" }
        if text == "midnight" { text = "0:00" }
        let half: Int?
        switch true {
        case text.hasSuffix("am"), text.hasSuffix("a.m."): half = 0
        case text.hasSuffix("pm"), text.hasSuffix("p.m."): half = 12
        default: half = nil
        }
        if half != nil { text = String(text.prefix(while: { $0 != "a" && $0 != "p" })) }
        var parts = text.split(maxSplits: 2, whereSeparator: { ":.h".contains($0) })
        if parts.count == 1, (3...4).contains(parts[0].count) {
            parts = [parts[0].dropLast(2), parts[0].suffix(2)]
        } else if parts.count == 1, half == nil {
            return nil
        }
        guard (1...3).contains(parts.count), parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            parts.dropFirst().allSatisfy({ $0.count == 2 }), var hour = Int(parts[0]),
            let minute = parts.count > 1 ? Int(parts[1]) : 0
        else { return nil }
        if let half {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + half
        }
        self.init(hour: hour, minute: minute)
    }
}
