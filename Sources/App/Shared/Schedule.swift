import Forms

/// When an event takes place: the day and times in the venue's zone, and the corresponding instants.
struct Schedule: Sendable, Equatable {
    var day: Day
    var start: TimeOfDay
    var end: TimeOfDay?
    /// The last day of an event of several days; nil if it ends on the first day, or in the following night.
    var endDay: Day?
    var startsAt: Instant
    /// The time when it is over: see `EventTimes`.
    var endsAt: Instant
    /// The name of the venue's zone, where that is known: it says which day it is there, also in the night before
    /// clocks change.
    var zone = ""

    /// The zone is compared with the venue.
    static func == (one: Schedule, other: Schedule) -> Bool {
        (one.day, one.start, one.end, one.endDay, one.startsAt, one.endsAt)
            == (other.day, other.start, other.end, other.endDay, other.startsAt, other.endsAt)
    }

    /// The day of a one-day event.
    var onlyDay: Day? { endDay == nil ? day : nil }

    /// The first to the last day.
    var days: ClosedRange<Day> { day...max(day, endDay ?? day) }

    /// Whether it ends on the next day.
    var endsNextDay: Bool { endDay == nil && end.map { $0 <= start } ?? false }

    /// The day under which it is listed, in a list from `first` on: an event that began earlier is listed on the first
    /// day.
    func listedDay(from first: Day) -> Day { endDay == nil ? day : max(day, first) }

    /// `10 AM to 12:30 PM`, or for several days `10 AM to Sunday, March 28, 6 PM`.
    var time: Words { EventTimes.words(from: start, to: end, until: endDay, of: day) }

    /// The same beside a short name of its day: `10 AM to Sun, Mar 28, 6 PM`.
    var shortTime: Words {
        EventTimes.words(from: start, to: end, until: endDay, of: day, named: { $0.shortName(since: $1) })
    }

    /// The day and the time.
    var when: Words { "\(day.fullName, as: "day"), \(time, as: "time")" }

    /// The time as of `now`: for an event that began on an earlier day, only the end.
    func time(at now: Instant) -> Words { remaining(at: now) ?? time }

    /// Day and time for a list.
    ///
    /// - Parameter reader: The reader's zone, if known: where clocks there show the same as at the venue, it says which
    ///   day it is there.
    private func moment(at now: Instant, in reader: Zone?) -> Words {
        if let remaining = remaining(at: now, for: reader) { return remaining }
        let today = today(at: now, for: reader)
        switch day.number - today.number {
        case 0: return "Today, \(time, as: "time")"
        case 1: return "Tomorrow, \(time, as: "time")"
        default: return "\(day.shortName(since: today), as: "day"), \(shortTime, as: "time")"
        }
    }

    func moment(at now: Instant) -> Words { moment(at: now, in: nil) }

    /// `until 6 PM today`, `until Sunday, March 28, 6 PM`, for an event of several days, from the second day on.
    func remaining(at now: Instant, for reader: Zone? = nil) -> Words? {
        guard let endDay, let end, now < endsAt else { return nil }
        let today = today(at: now, for: reader)
        guard day < today else { return nil }
        return today == endDay
            ? "until \(end, as: "end") today" : "until \(endDay.name(since: today), as: "day"), \(end, as: "end")"
    }

    /// The current day in the venue's zone. If that isn't known, it is that of a reader whose clock shows the same;
    /// otherwise the offset from UTC is that at the end if there is one, else at the start, which is an hour off if
    /// clocks change before.
    private func today(at now: Instant, for reader: Zone?) -> Day {
        if !zone.isEmpty, let zone = Zone(identifier: zone) { return zone.day(of: now) }
        if let reader, reader.local(startsAt) == (day, start) { return reader.day(of: now) }
        let (shown, moment) = endDay.flatMap { last in end.map { ((last, $0), endsAt) } } ?? ((day, start), startsAt)
        let ahead = Zone.utc.instant(shown.0, shown.1) - moment
        return Zone.utc.day(of: now + ahead)
    }
}

extension Schedule {
    /// The time in another zone; nil if it is the same there.
    func time(in zone: Zone) -> Words? {
        let from = zone.local(startsAt)
        guard from.day != day || from.time != start else { return nil }
        let to = zone.local(endsAt)
        let last = to.day > from.day.advanced(by: 1) || to.day > from.day && to.time > from.time ? to.day : nil
        let time = EventTimes.words(
            from: from.time, to: end == nil ? nil : to.time, until: end == nil ? nil : last, of: from.day)
        return from.day == day
            ? "\(time, as: "time") by your clock" : "\(from.day.name, as: "day"), \(time, as: "time") by your clock"
    }
}

extension Schedule {
    /// A time that is said of it, and in brackets the same by the reader's clock, if that shows another.
    func said(_ time: Words, for reader: Zone) -> Words {
        self.time(in: reader).map { "\(time, as: "time") (\($0, as: "mine"))" } ?? time
    }

    /// The day and the time, for a reader.
    func when(for reader: Zone) -> Words { said(when, for: reader) }

    /// Day and time for a reader's list.
    func moment(at now: Instant, for reader: Zone) -> Words { said(moment(at: now, in: reader), for: reader) }

    /// What lasts several days, on the first of them only.
    var firstDay: Schedule {
        guard endDay != nil, let end, end > start else { return self }
        var one = self
        one.endDay = nil
        one.endsAt = startsAt + .minutes(end.minutes - start.minutes)
        return one
    }

    /// The same local times, some days later.
    func moved(by days: Int, in zone: Zone) -> Schedule {
        let times = EventTimes(
            day.advanced(by: days), from: start, to: end, until: endDay?.advanced(by: days), in: zone)
        return Schedule(
            day: day.advanced(by: days), start: start, end: end, endDay: endDay?.advanced(by: days),
            startsAt: times.start, endsAt: times.end, zone: zone.identifier)
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

extension Schedule {
    /// How long before its begin and after its end it counts as taking place.
    static let margin = Duration.hours(1)

    /// Whether it begins within an hour, is taking place, or ended less than an hour ago.
    func isAround(at now: Instant) -> Bool {
        startsAt <= now + Self.margin && now < endsAt + Self.margin
    }
}

extension Day {
    /// Its name, with the year if that isn't the year of `first`.
    func name(since first: Day) -> Words { year == first.year ? name : fullName }

    /// The same in short.
    func shortName(since first: Day) -> Words { year == first.year ? shortName : date }
}
