import Forms

/// A row of the program in the form for an event.
struct ActivityForm: Form {
    /// The ID of a stored activity.
    var id: ID<Activity>?
    var name = ""
    /// By default the event's first day.
    var startDate: Day?
    var startTime = TimeOfDay.midnight
    var endDate: Day?
    var endTime: TimeOfDay?
    var place: String?
    /// Its position as copied from a map app: `37.3352, -121.8811`.
    var pin: String?
    var info: String?
    var spots: Int?
    var ageFrom: Int?
    var ageTo: Int?

    static let fields: [Field<ActivityForm>] = [
        .hidden("id", \.id).bookkeeping,
        .text("name", \.name, "What", 2...80).missing("Give the activity a name."),
        .date("start_date", \.startDate, "Day, if not the first"),
        .time("start_time", \.startTime, "Starts at").missing("Give the time it starts."),
        .end("end_time", \.endTime, "Ends at"),
        .date("end_date", \.endDate, "Ends on another day", endingAt: "end_time"),
        .text("place", \.place, "Where", 1...80).autocomplete("off").hint("Such as: craft tent, main stage."),
        .text("pin", \.pin, "Its point on the map", 3...60).autocomplete("off")
            .hint("If it isn’t where the event is: latitude and longitude, as a maps app copies them."),
        .area("info", \.info, "What people do there", 1...1_000),
        .number("spots", \.spots, "Places", 1...10_000).narrow,
        .number("age_from", \.ageFrom, "Ages from", 0...17).narrow,
        .number("age_to", \.ageTo, "Ages up to", 0...17).narrow,
    ]

    init() {}

    /// A form to change a stored activity.
    init(_ activity: Activity, of event: Event) {
        id = activity.id
        name = activity.name
        startDate = activity.day == event.day ? nil : activity.day
        startTime = activity.schedule.start
        endDate = activity.schedule.endDay
        endTime = activity.schedule.end
        place = activity.place.nonEmpty
        pin = activity.coordinate.map { "\($0.latitude), \($0.longitude)" }
        info = activity.info.nonEmpty
        spots = activity.spots
        ageFrom = activity.ageFrom
        ageTo = activity.ageTo
    }

    /// Its times, at an event that begins on that day.
    func times(from first: Day, in zone: Zone) -> EventTimes {
        EventTimes(startDate ?? first, from: startTime, to: endTime, until: lastDay(from: first), in: zone)
    }

    /// The last of several days; nil if it ends in the night after its first.
    private func lastDay(from first: Day) -> Day? {
        let day = startDate ?? first
        guard let endDate, let endTime, endDate > day else { return nil }
        return endDate == day.advanced(by: 1) && endTime <= startTime ? nil : endDate
    }

    /// The activity it describes, at an event that begins on that day.
    func activity(from first: Day, in zone: Zone) -> Activity {
        let times = times(from: first, in: zone)
        return Activity(
            id: id ?? ID(0),
            content: Activity.Content(
                name: name, info: info ?? "", place: place ?? "", coordinate: pin.flatMap { Coordinate(typed: $0) },
                schedule: Schedule(
                    day: startDate ?? first, start: startTime, end: endTime, endDay: lastDay(from: first),
                    startsAt: times.start, endsAt: times.end),
                spots: spots, ageFrom: ageFrom, ageTo: ageTo))
    }
}

/// The program in an event's form.
typealias ProgrammeRows = Rows<ActivityForm>

extension Rows where F == ActivityForm {
    init() { self.init("activity", most: Activity.most) }

    init(_ body: FormBody) { self.init("activity", most: Activity.most, body) }

    init(_ event: Event) {
        let activities = (event.programme ?? []).filter { !$0.isCancelled }
        self.init("activity", most: Activity.most, filled: activities.map { ActivityForm($0, of: event) })
    }

    /// Handles a row's button: `earlier.3` and `later.3` move it by a quarter of an hour, `at.3.Craft tent` sets its
    /// place to one of these.
    ///
    /// - Parameter first: The event's first day, if given.
    mutating func answer(_ places: [Place], first: Day?) {
        guard let pressed else { return }
        switch pressed.word {
        case "earlier": move(pressed.row, by: -Self.step, first: first)
        case "later": move(pressed.row, by: Self.step, first: first)
        case "at":
            guard let place = places.first(where: { $0.name == pressed.argument }) else { return }
            fill(pressed.row, \.place, place.name)
            fill(pressed.row, \.pin, place.coordinate.map { "\($0.latitude), \($0.longitude)" })
        default: break
        }
    }

    /// In minutes.
    private static var step: Int { 15 }

    /// Moves a row's start and end, even past midnight. A row without a start is unchanged.
    private mutating func move(_ index: Int, by minutes: Int, first: Day?) {
        let (row, form) = (rows[index], rows[index].form)
        guard let start = TimeOfDay(typed: row[\.startTime].typed)?.moved(by: minutes) else { return }
        if start.days != 0 {
            guard let day = form.startDate ?? first else { return }
            let moved = day.advanced(by: start.days)
            fill(index, \.startDate, moved == first ? nil : moved)
        }
        fill(index, \.startTime, start.time)
        guard let end = form.endTime?.moved(by: minutes) else { return }
        fill(index, \.endTime, end.time)
        if end.days != 0, let last = form.endDate { fill(index, \.endDate, last.advanced(by: end.days)) }
    }

    /// The places named in its rows, with their positions.
    private var places: [Place] {
        rows.compactMap { row in
            row.form.place.map { Place(name: $0, coordinate: row.form.pin.flatMap { Coordinate(typed: $0) }) }
        }
    }

    /// The places to choose from: first this program's, then those of earlier events.
    func places(beside used: [Place]) -> [Place] { (places + used).knownBest }

    /// Moves the program along with its event's first day: unchanged stored rows, and if any is outside of the event's
    /// days now, also all new ones.
    mutating func follow(from old: Day, to first: Day, until last: Day, stored: [Activity]) {
        let shift = first.number - old.number
        guard shift != 0 else { return }
        let isOutside = rows.contains { $0.form.startDate.map { $0 < first || $0 > last } ?? false }
        for index in rows.indices {
            let form = rows[index].form
            guard let day = form.startDate else { continue }
            let before = stored.first { $0.id == form.id }
            guard before.map({ $0.day == day }) ?? isOutside else { continue }
            fill(index, \.startDate, day.advanced(by: shift))
            if let end = form.endDate { fill(index, \.endDate, end.advanced(by: shift)) }
        }
    }

    /// Checks the fields of each row together, and the rows together; each problem is added to its row.
    ///
    /// - Parameters:
    ///   - event: The form for the event.
    ///   - stored: The current program, if the event is public already.
    mutating func check(_ event: EventForm, stored: [Activity], zone: Zone) {
        let last = event.lastDay ?? event.date
        var seen: Set<String> = []
        for (index, row) in rows.enumerated() {
            let form = row.form
            if let from = form.ageFrom, let to = form.ageTo, to < from {
                reject(index, \.ageTo, "The older age can’t be below the younger one.")
            }
            if let id = form.id, let taken = stored.first(where: { $0.id == id })?.taken, let spots = form.spots,
                spots < taken
            {
                reject(
                    index, \.spots,
                    Words(
                        "{count} person is in: let there be at least as many places.",
                        plural: "{count} people are in: let there be at least as many places.", count: taken))
            }
            if let pin = form.pin, Coordinate(typed: pin) == nil {
                reject(index, \.pin, "Write it like 37.3352, -121.8811, or leave it empty.")
            }
            guard row.accepts(\.name), row.accepts(\.startDate), row.accepts(\.startTime), row.accepts(\.endTime) else {
                continue
            }
            let day = form.startDate ?? event.date
            let times = form.times(from: event.date, in: zone)
            if let problem = times.problem {
                reject(index, problem.isOfEnd ? \.endTime : \.startTime, problem.words)
            }
            if day < event.date || day > event.lastProgrammeDay {
                reject(index, \.startDate, "Choose one of the days of the event.")
            } else if let end = form.endDate, end < day || end > last.advanced(by: 1) {
                reject(index, \.endDate, "Choose an end on one of the days of the event.")
            } else if !event.isForEveryone, let end = form.endDate, end >= day.advanced(by: Activity.mostDays) {
                reject(
                    index, \.endDate,
                    "An event lasts \(Activity.mostDays, as: "days") days at most. Post a longer one twice.")
            } else if form.endDate == day, let end = form.endTime, end <= form.startTime {
                reject(index, \.endTime, "It would end before it starts.")
            }
            if !seen.insert("\(folded(form.name)) \(times.start.milliseconds)").inserted {
                reject(index, \.name, "There is another activity of this name at this time.")
            }
        }
    }
}

extension Rows where F == ActivityForm {
    /// Checks what sessions require in addition: families need to know the number of places.
    mutating func checkSessions() {
        for (index, row) in rows.enumerated() where row.form.spots == nil && row.accepts(\.spots) {
            reject(index, \.spots, "Say how many places this session has.")
        }
        let places = rows.compactMap(\.form.spots).reduce(0, +)
        if places > 10_000, let last = rows.indices.last, rows[last].accepts(\.spots) {
            reject(last, \.spots, "An event has at most \(10_000, as: "limit") places in all its sessions.")
        }
    }

    /// A row to draw.
    struct Numbered: Sendable {
        let form: Submission<ActivityForm>
        fileprivate let index: Int
        fileprivate let count: Int

        /// The number, starting at 1.
        var number: Int { index + 1 }
        var name: Words {
            form.form.name.isEmpty ? "activity \(number, as: "number")" : Words(verbatim: form.form.name)
        }
        var copy: String { "copy.\(index)" }
        var remove: String { "remove.\(index)" }
        var earlier: String { "earlier.\(index)" }
        var later: String { "later.\(index)" }
        /// The button's value for a known place.
        func at(_ place: Place) -> String { "at.\(index).\(place.name)" }
        var anchor: String { "activity-\(number)" }
        /// The anchor of its copy.
        var nextAnchor: String { "activity-\(number + 1)" }
        /// The anchor after the row is removed.
        var anchorWithout: String { count == 1 ? "programme" : "activity-\(Swift.min(number, count - 1))" }
        /// Whether no place was typed yet, so that known ones are offered.
        var isAnywhere: Bool { form[\.place].typed.isEmpty }
        /// Whether the folded part has content or problems.
        var hasMore: Bool {
            let folded: [PartialKeyPath<ActivityForm>] = [
                \.info, \.spots, \.ageFrom, \.ageTo, \.endDate, \.pin,
            ]
            return folded.map { form[$0] }.contains { $0.problem != nil || !$0.typed.isEmpty }
        }
    }

    /// The problems with the names of their activities, for the list at the top of the form.
    var namedProblems: [Problem] {
        numbered.flatMap { row in
            row.form.problems.map {
                Problem(name: $0.name, words: "\(row.name, as: "activity"): \($0.words, as: "problem")")
            }
        }
    }

    var numbered: [Numbered] { rows.enumerated().map { Numbered(form: $1, index: $0, count: rows.count) } }

    /// The anchor of the next new row.
    var nextAnchor: String { "activity-\(rows.count + 1)" }
}
