import Forms

/// Consecutive days with kind acts. A rest day is earned each Monday, up to two, and a missed day uses one
/// automatically. A beginner has one. Days of a pause neither count nor end the streak.
struct Streak: Equatable, Sendable {
    /// The days from the first to the last, including rest days.
    private(set) var length = 0
    private(set) var record = 0
    /// The rest days available.
    private(set) var rests = 0
    private(set) var first: Day?
    private(set) var last: Day?

    /// The most rest days available.
    static let mostRests = 2
    /// The longest pause, in days.
    static let longestPause = 30

    init() {}

    init(length: Int, record: Int, rests: Int, first: Day?, last: Day?) {
        (self.length, self.record, self.rests, self.first, self.last) = (length, record, rests, first, last)
    }

    /// The streak for these days with deeds.
    ///
    /// - Parameter days: In order, possibly with duplicates.
    init(of days: some Sequence<Day>, pauses: [ClosedRange<Day>] = []) {
        for day in days { add(day, pauses: pauses) }
    }

    /// Adds a day; does nothing if it isn't after the last one.
    mutating func add(_ day: Day, pauses: [ClosedRange<Day>] = []) {
        if let last, day <= last { return }
        guard let (rested, left) = bridged(to: day, pauses) else { return begin(on: day) }
        length += rested + 1
        rests = left
        last = day
        record = max(record, length)
    }

    private mutating func begin(on day: Day) {
        (length, rests, first, last) = (1, 1, day, day)
        record = max(record, length)
    }

    /// Whether days were missed before a day: only then do pauses matter.
    func hasGap(before day: Day) -> Bool { last.map { $0.advanced(by: 1) < day } ?? false }

    /// The streak as of a day: it has ended if more days were missed than rest days were available. The day itself may
    /// still be empty.
    func seen(on today: Day, pauses: [ClosedRange<Day>] = []) -> Streak {
        guard let last, today > last else { return self }
        guard let (rested, left) = bridged(to: today, pauses) else {
            return Streak(length: 0, record: record, rests: 0, first: nil, last: last)
        }
        return Streak(
            length: length + rested, record: max(record, length + rested), rests: left, first: first, last: last)
    }

    /// The rest days used for the missed days before `day`, and those left; nil if there aren't enough.
    private func bridged(to day: Day, _ pauses: [ClosedRange<Day>]) -> (rested: Int, left: Int)? {
        guard let last else { return nil }
        var (next, rested, left) = (last.advanced(by: 1), 0, rests)
        while true {
            if next.weekday == 0 { left = min(Self.mostRests, left + 1) }
            guard next < day else { return (rested, left) }
            if !pauses.contains(where: { $0.contains(next) }) {
                guard left > 0 else { return nil }
                left -= 1
                rested += 1
            }
            next = next.advanced(by: 1)
        }
    }

    /// The state of a day, for drawing.
    enum Mark: String, Sendable {
        case done, rest, open, empty

        var name: Words {
            switch self {
            case .done: Words("done")
            case .rest: "rest day"
            case .open: "still open"
            case .empty: Words("nothing")
            }
        }
    }

    /// The last two weeks up to `today`, for a streak as of that day.
    ///
    /// - Parameter days: The days with deeds.
    func marks(_ days: Set<Day>, on today: Day) -> [(day: Day, mark: Mark)] {
        (0..<14).map { today.advanced(by: $0 - 13) }.map { day in
            if days.contains(day) { return (day, .done) }
            if day == today { return (day, .open) }
            return (day, first.map { day > $0 } == true ? .rest : .empty)
        }
    }
}
