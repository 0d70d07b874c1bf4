import Forms

/// When an event is: the day and times a clock at the venue shows, and the moments these are.
struct Schedule: Sendable, Equatable {
    var day: Day
    var start: TimeOfDay
    var end: TimeOfDay?
    /// The last day of what lasts several; nil where it ends on the first, or in the night after it.
    var endDay: Day?
    var startsAt: Instant
    /// When it is over: see `EventTimes`.
    var endsAt: Instant

    /// The day of what doesn't take several.
    var onlyDay: Day? { endDay == nil ? day : nil }

    /// From the first day to the last.
    var days: ClosedRange<Day> { day...max(day, endDay ?? day) }

    /// Whether the end is on the day after.
    var endsNextDay: Bool { endDay == nil && end.map { $0 <= start } ?? false }

    /// The day whose list it stands on, among what is to come from `first` on: what has lasted since before that
    /// stands on the first.
    func listedDay(from first: Day) -> Day { endDay == nil ? day : max(day, first) }

    /// `10 AM to 12:30 PM`, and of several days `10 AM to Sunday, March 28, 6 PM`.
    var time: Words { EventTimes.words(from: start, to: end, until: endDay) }

    /// The whole day and the time.
    var when: Words { "\(day.fullName, as: "day"), \(time, as: "time")" }

    /// The same as it is read at `now`: of what has lasted since a day before, only the end is still of use.
    func time(at now: Instant) -> Words { remaining(at: now) ?? time }

    /// Day and time, as a row says them.
    func moment(at now: Instant) -> Words {
        if let remaining = remaining(at: now) { return remaining }
        let today = today(at: now)
        switch day.number - today.number {
        case 0: return "Today, \(time, as: "time")"
        case 1: return "Tomorrow, \(time, as: "time")"
        default: return "\(day.year == today.year ? day.shortName : day.date, as: "day"), \(time, as: "time")"
        }
    }

    /// `until 6 PM today`, `until Sunday, March 28, 6 PM`, of what lasts several days, from the second one on.
    func remaining(at now: Instant) -> Words? {
        guard let endDay, let end, now < endsAt else { return nil }
        let today = today(at: now)
        guard day < today else { return nil }
        return today == endDay
            ? "until \(end, as: "end") today" : "until \(endDay.name, as: "day"), \(end, as: "end")"
    }

    /// The day that the calendar at the venue shows at `now`: as far from the world's clock as at the end, where that
    /// is nearer than the start.
    private func today(at now: Instant) -> Day {
        let (shown, moment) = endDay.flatMap { last in end.map { ((last, $0), endsAt) } } ?? ((day, start), startsAt)
        let ahead = Zone.utc.instant(shown.0, shown.1) - moment
        return Zone.utc.day(of: now + ahead)
    }
}

extension Schedule {
    /// When that is by the clock of somebody who lives elsewhere; nil where that clock shows the same.
    func time(in zone: Zone) -> Words? {
        let (from, to) = (zone.local(startsAt), zone.local(endsAt))
        guard from.day != day || from.time != start else { return nil }
        let last = to.day > from.day.advanced(by: 1) || to.day > from.day && to.time > from.time ? to.day : nil
        let time = EventTimes.words(from: from.time, to: end == nil ? nil : to.time, until: end == nil ? nil : last)
        return from.day == day
            ? "\(time, as: "time") by your clock" : "\(from.day.name, as: "day"), \(time, as: "time") by your clock"
    }
}

/// Where an event is.
struct Venue: Sendable, Equatable {
    /// What people call the place: `Willow field, north gate`; may be empty.
    var name = ""
    var address: Address
    /// The time zone of its clock, such as `America/Los_Angeles`.
    var zone: String
    /// Where it happens on the web; only those who registered see it.
    var onlineURL = ""
    /// Where the map shows it.
    var coordinate: Coordinate?

    /// What its clock shows is reckoned by this.
    var clock: Zone { Zone(stored: zone) }

    /// Whether one takes part on the web.
    var isOnline: Bool { !onlineURL.isEmpty }

    /// Whether it has a street or a town one can go to.
    var isInPerson: Bool { !address.city.isEmpty }

    /// Name and address in one line: `Willow field, 180 Park Ave, San Jose, CA 95113`.
    var line: String { name.isEmpty ? address.line : "\(name), \(address.line)" }
}

/// The people who may come to an event, and the terms.
struct Admission: Sendable, Equatable {
    /// How many may come; nil for as many as like. Of an event with sessions it is the sum of theirs.
    var spots: Int?
    var ageFrom: Int?
    var ageTo: Int?
    var price: Money?
    /// Pay what you can: the price is a proposal.
    var isPriceOpen = false
    /// Whether one may still register while it is on.
    var takesLate = false
    var covidSafe = false
    /// How families register where there are several dates.
    var booking = Series.Booking.each
    /// When they register.
    var window = Window()
    /// Whether families choose sessions for each child.
    var hasSessions = false
}

/// What else is said of an event.
struct EventDetails: Sendable, Equatable {
    /// Plain text.
    var description: String
    var tags: [String] = []
    /// What to bring.
    var bring = ""
    /// What to know about health and safety.
    var safety = ""
    var amenities: [Amenity] = []
    /// What title and description are written in; nil where nobody said.
    var language: WrittenLanguage?
    /// Title and description in another language.
    var other: WrittenText?
}
