import Forms

/// The start and end of an event whose day and times are in the venue's zone.
///
/// Ends are compared as instants rather than local times: where clocks jump from 2:00 to 3:00, an event from 2:30 to
/// 3:00 would end before it begins.
struct EventTimes: Sendable, Equatable {
    let start: Instant
    /// When it is over; never before the start.
    let end: Instant
    /// Why these times aren't possible; nil if they are.
    let problem: Problem?

    /// An event without an end counts as over after this time. Only this code says so: an event's `ends_at` contains
    /// the end by this rule, and code that needs to know whether there is an end to show uses `end`.
    static let usual = Duration.hours(2)

    /// The longest event without a last day: an end that isn't after the start is on the next day, and when clocks are
    /// set back, by one hour or by two as at Troll station, that day is longer. So every current event began at most
    /// this long ago.
    ///
    /// Events of several days have a last day, and an index of their own: `event_long`.
    static let longest = Duration.hours(26)

    /// The most days of an event, including the first: an exhibition is on for months, and a camp for a whole summer.
    static let mostDays = 366

    /// The longest possible duration of an event of several days.
    static let longestOfDays = Duration.days(mostDays) + .hours(3)

    /// - Parameter lastDay: The day of the end, if it isn't the first day or the next.
    init(_ day: Day, from time: TimeOfDay, to end: TimeOfDay?, until lastDay: Day? = nil, in zone: Zone) {
        start = zone.instant(day, time)
        var problem = zone.gap(day, time).map { Problem(day: day, time: time, gap: $0, isOfEnd: false) }
        if let end {
            let last = lastDay ?? (end <= time ? day.advanced(by: 1) : day)
            let instant = zone.instant(last, end)
            self.end = max(start, instant)
            if problem == nil {
                if let gap = zone.gap(last, end) {
                    problem = Problem(day: last, time: end, gap: gap, isOfEnd: true)
                } else if instant <= start {
                    problem = Problem(day: last, time: end, gap: nil, isOfEnd: true)
                }
            }
        } else {
            self.end = start + Self.usual
        }
        self.problem = problem
    }

    /// `10 AM to 12:30 PM`, `19:00`, `10 PM to 1 AM the next day`, `10 AM to Sunday, March 28, 6 PM`.
    ///
    /// - Parameter first: The first of several days; the last day is named with its year if that is another.
    static func words(
        from start: TimeOfDay, to end: TimeOfDay?, until lastDay: Day? = nil, of first: Day? = nil,
        named name: (_ day: Day, _ first: Day) -> Words = { $0.name(since: $1) }
    ) -> Words {
        guard let end else { return start.name }
        if let lastDay {
            return "\(start, as: "start") to \(name(lastDay, first ?? lastDay), as: "day"), \(end, as: "end")"
        }
        return end > start
            ? "\(start, as: "start") to \(end, as: "end")" : "\(start, as: "start") to \(end, as: "end") the next day"
    }

    /// The problem with a time that doesn't exist on that day, or an end that isn't after the start.
    struct Problem: Error, Equatable {
        let day: Day
        let time: TimeOfDay
        let gap: Zone.Gap?
        /// Whether it is the end that has the problem.
        let isOfEnd: Bool

        var words: Words {
            guard let gap else { return "Choose an end after the start." }
            if gap.isWholeDay {
                return "There is no \(day.fullName, as: "day") in this time zone. Choose another day."
            }
            return """
                On \(day.shortName, as: "day") clocks jump from \(gap.from.name, as: "from") to \
                \(gap.to.name, as: "to"): there is no \(time.name, as: "time"). Choose another time.
                """
        }
    }
}
