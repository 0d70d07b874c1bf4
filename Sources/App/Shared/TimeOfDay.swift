/// A time of day, to the minute.
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

    /// The time some minutes later, or earlier if negative, and the number of days ahead.
    func moved(by minutes: Int) -> (time: TimeOfDay, days: Int) {
        let all = self.minutes + minutes
        let days = all >= 0 ? all / 1_440 : (all - 1_439) / 1_440
        return (TimeOfDay(checked: all - days * 1_440), days)
    }

    static let midnight = TimeOfDay(checked: 0)

    static func < (a: Self, b: Self) -> Bool { a.minutes < b.minutes }

    /// In the format of forms: `19:00`.
    var iso: String { "\(digits(minutes / 60, 2)):\(digits(minutes % 60, 2))" }
}
