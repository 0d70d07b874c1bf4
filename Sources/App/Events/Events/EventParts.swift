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
    var time: Words { EventTimes.words(from: start, to: end, until: endDay) }

    /// The day and the time.
    var when: Words { "\(day.fullName, as: "day"), \(time, as: "time")" }

    /// The time as of `now`: for an event that began on an earlier day, only the end.
    func time(at now: Instant) -> Words { remaining(at: now) ?? time }

    /// Day and time for a list.
    func moment(at now: Instant) -> Words {
        if let remaining = remaining(at: now) { return remaining }
        let today = today(at: now)
        switch day.number - today.number {
        case 0: return "Today, \(time, as: "time")"
        case 1: return "Tomorrow, \(time, as: "time")"
        default: return "\(day.year == today.year ? day.shortName : day.date, as: "day"), \(time, as: "time")"
        }
    }

    /// `until 6 PM today`, `until Sunday, March 28, 6 PM`, for an event of several days, from the second day on.
    func remaining(at now: Instant) -> Words? {
        guard let endDay, let end, now < endsAt else { return nil }
        let today = today(at: now)
        guard day < today else { return nil }
        return today == endDay
            ? "until \(end, as: "end") today" : "until \(endDay.name, as: "day"), \(end, as: "end")"
    }

    /// The current day in the venue's zone. The offset from UTC is that at the end if the end is nearer than the start.
    private func today(at now: Instant) -> Day {
        let (shown, moment) = endDay.flatMap { last in end.map { ((last, $0), endsAt) } } ?? ((day, start), startsAt)
        let ahead = Zone.utc.instant(shown.0, shown.1) - moment
        return Zone.utc.day(of: now + ahead)
    }
}

extension Schedule {
    /// The time in another zone; nil if it is the same there.
    func time(in zone: Zone) -> Words? {
        let (from, to) = (zone.local(startsAt), zone.local(endsAt))
        guard from.day != day || from.time != start else { return nil }
        let last = to.day > from.day.advanced(by: 1) || to.day > from.day && to.time > from.time ? to.day : nil
        let time = EventTimes.words(from: from.time, to: end == nil ? nil : to.time, until: end == nil ? nil : last)
        return from.day == day
            ? "\(time, as: "time") by your clock" : "\(from.day.name, as: "day"), \(time, as: "time") by your clock"
    }
}

/// The place of an event.
struct Venue: Sendable, Equatable {
    /// The place's name: `Willow field, north gate`; possibly empty.
    var name = ""
    var address: Address
    /// Its time zone, such as `America/Los_Angeles`.
    var zone: String
    /// The address for participating online; only participants see it.
    var onlineURL = ""
    /// Its position on the map.
    var coordinate: Coordinate?

    /// The zone of its times.
    var clock: Zone { Zone(stored: zone) }

    /// Whether it can be attended online.
    var isOnline: Bool { !onlineURL.isEmpty }

    /// Whether it can be attended in person: it has a street or town.
    var isInPerson: Bool { !address.city.isEmpty }

    /// Name and address on one line: `Willow field, 180 Park Ave, San Jose, CA 95113`.
    var line: String { name.isEmpty ? address.line : "\(name), \(address.line)" }
}

/// The conditions for attending an event.
struct Admission: Sendable, Equatable {
    /// The number of places; nil for no limit. For an event with sessions, the sum of theirs.
    var spots: Int?
    var ageFrom: Int?
    var ageTo: Int?
    var price: Money?
    /// Pay what you can: the price is a suggestion.
    var isPriceOpen = false
    /// Whether families can still register while it is taking place.
    var takesLate = false
    var covidSafe = false
    /// How families register if there are several dates.
    var booking = Series.Booking.each
    /// When families can register.
    var window = Window()
    /// Whether families choose sessions for each child.
    var hasSessions = false
}

/// The texts about an event.
struct EventDetails: Sendable, Equatable {
    /// Plain text.
    var description: String
    var tags: [String] = []
    /// What to bring.
    var bring = ""
    /// What to know about health and safety.
    var safety = ""
    var amenities: [Amenity] = []
    /// The language of title and description; nil if unknown.
    var language: WrittenLanguage?
    /// Title and description in another language.
    var other: WrittenText?
}
