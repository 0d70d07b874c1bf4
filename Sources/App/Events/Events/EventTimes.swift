import Forms

/// From when to when something takes place whose day and times a clock at the venue shows.
///
/// Ends are compared as moments, not as times on the clock: where clocks jump from 2:00 to 3:00, what begins at 2:30
/// and ends at 3:00 would end before it begins.
struct EventTimes: Sendable, Equatable {
    let start: Instant
    /// When it is over; never before the start.
    let end: Instant
    /// Why it can't take place so; nil where it can.
    let problem: Problem?

    /// Without an end something is over after this time. This is the one place that says so: `ends_at` of an event
    /// holds the end by this rule, and code that asks whether there is an end to show reads `end`.
    static let usual = Duration.hours(2)

    /// Nothing lasts longer: an end not after the start is the next day's, and where clocks go back, by an hour or by
    /// two as on Troll station, the day is as much longer. What is on now began at most this long ago.
    ///
    /// What lasts several days says so with its last day, and has an index of its own: `event_long`.
    static let longest = Duration.hours(26)

    /// How many days something lasts at most, the first among them.
    static let mostDays = 31

    /// Nothing that lasts several days began longer ago.
    static let longestOfDays = Duration.days(mostDays) + .hours(3)

    /// - Parameter lastDay: The day of the end, where it isn't the first or the one after it.
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

    /// `10 AM to 12:30 PM`, `19:00`, `10 PM to 1 AM the next day`.
    static func words(from start: TimeOfDay, to end: TimeOfDay?, until lastDay: Day? = nil) -> Words {
        guard let end else { return start.name }
        if let lastDay { return "\(start, as: "start") to \(lastDay.name, as: "day"), \(end, as: "end")" }
        return end > start
            ? "\(start, as: "start") to \(end, as: "end")" : "\(start, as: "start") to \(end, as: "end") the next day"
    }

    /// A time that no clock at the venue shows on that day, or an end that isn't after the start.
    struct Problem: Error, Equatable {
        let day: Day
        let time: TimeOfDay
        let gap: Zone.Gap?
        /// Whether it is about the end, and not about the start.
        let isOfEnd: Bool

        var words: Words {
            guard let gap else { return "Let it end after it starts." }
            if gap.isWholeDay {
                return "There is no \(day.fullName, as: "day") in this time zone. Choose another day."
            }
            return """
                On \(day.shortName, as: "day") clocks jump from \(gap.from.name, as: "from") to \
                \(gap.to.name, as: "to"): \(time.name, as: "time") doesn’t come. Choose another time.
                """
        }
    }
}

extension Schedule {
    /// The same times of day so many days later, by the clock at the venue.
    func moved(by days: Int, in zone: Zone) -> Schedule {
        let times = EventTimes(
            day.advanced(by: days), from: start, to: end, until: endDay?.advanced(by: days), in: zone)
        return Schedule(
            day: day.advanced(by: days), start: start, end: end, endDay: endDay?.advanced(by: days),
            startsAt: times.start, endsAt: times.end)
    }

    /// Whether clocks at both show the same: the moments may differ where the zones do.
    func isSame(byClockAs other: Schedule) -> Bool {
        (day, start, end, endDay) == (other.day, other.start, other.end, other.endDay)
    }

    /// What lasts several days, at the same time on each of them, day by day; anything else as it is.
    func eachDay(in zone: Zone) -> [Schedule] {
        guard let last = endDay, let end, end > start, last > day else { return [self] }
        var one = self
        one.endDay = nil
        return (0...last.number - day.number).map { one.moved(by: $0, in: zone) }
    }
}

extension Event {
    /// The same event on another day, at the same time of day there.
    func on(_ day: Day) -> Event {
        let days = day.number - schedule.day.number
        let zone = venue.clock
        var event = self
        event.schedule = schedule.moved(by: days, in: zone)
        event.admission.window = window(on: day)
        event.programme = programme?.map { activity in
            var activity = activity
            activity.content.schedule = activity.content.schedule.moved(by: days, in: zone)
            return activity
        }
        return event
    }

    /// Takes over what happens there. At an event for children these are sessions: their places are the event's, and
    /// each can be chosen until it begins.
    mutating func take(programme: [Activity]) {
        self.programme = programme.sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
        guard audience == .kids, !programme.isEmpty else { return }
        admission.hasSessions = true
        admission.takesLate = true
        admission.spots = programme.compactMap(\.spots).reduce(0, +)
    }

    /// When families register for the same event on another day: dates that belong together close together.
    func window(on day: Day) -> Window {
        guard booking != .together else { return admission.window }
        return admission.window.moved(by: day.number - schedule.day.number, in: venue.clock)
    }

    /// Goes by the clock of another zone, at the same times of day: the event, what happens there, and when families
    /// register.
    mutating func move(to zone: Zone) {
        admission.window = admission.window.moved(from: venue.clock, to: zone)
        schedule = schedule.moved(by: 0, in: zone)
        programme = programme?.map { $0.moved(to: zone) }
        venue.zone = zone.identifier
    }

    /// Takes over when another is, to the moment: the site's time zone may have been set anew since.
    mutating func takeTimes(of other: Event) {
        schedule = other.schedule
        venue.zone = other.venue.zone
    }
}
