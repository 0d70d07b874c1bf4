import Forms
import Templating

/// An event's program for a visitor, by day, time and place.
struct Programme: Sendable {
    let event: ID<Event>
    let filter: ProgrammeFilter
    /// The filtered days.
    let days: [OneDay]
    /// All days to choose from.
    let allDays: [Day]
    /// All places, in the order of their first activities.
    let places: [String]
    /// Their known positions.
    let points: [String: Coordinate]
    /// Activities to go to now, if the event is taking place.
    let freeNow: [Item]
    /// Whether the visitor has children by whose ages to filter.
    let hasChildren: Bool
    /// The total number of activities.
    let count: Int

    /// With more places than this, the program is a list instead of a table.
    static let mostColumns = 5

    /// An activity, with the visitor's people in it. A class, because tables and lists contain it many times.
    final class Item: Sendable {
        let activity: Activity
        let event: ID<Event>
        /// Nil for visitors without an account.
        let going: Going?
        /// The number of its place in the list of places; nil for the event's own.
        let number: Int?
        let isOver: Bool
        /// Overlaps if the people who can join did.
        let clashes: [Clash]
        /// Whether children are registered for it.
        let isSession: Bool
        /// The ages that may come.
        let ages: Words
        /// The remaining room; nil if it isn't told.
        let room: Words?

        var isMine: Bool { going.map { !$0.joined.isEmpty } ?? false }
        var link: Link { .activity(activity.id, of: event) }

        init(
            _ activity: Activity, of event: ID<Event>, going: Going?, number: Int?, isOver: Bool, clashes: [Clash],
            isSession: Bool, ages: Words, room: Words?
        ) {
            self.activity = activity
            self.event = event
            self.going = going
            self.number = number
            self.isOver = isOver
            self.clashes = clashes
            self.isSession = isSession
            self.ages = ages
            self.room = room
        }
    }

    struct OneDay: Sendable {
        let day: Day
        /// The columns of the table; empty if it is a list because of too many places.
        let places: [String]
        let rows: [Row]

        /// The activities that aren't canceled, in order of time, for a printed sheet.
        var kept: [Item] { rows.flatMap(\.cells).flatMap(\.self).filter { !$0.activity.isCancelled } }
    }

    /// The activities that begin at one time.
    struct Row: Sendable {
        let start: TimeOfDay
        /// A cell per column.
        let cells: [[Item]]
    }

    /// - Parameters:
    ///   - present: The visitor's people in each activity.
    ///   - waiting: The visitor's people waiting for each activity.
    ///   - children: The visitor's children; nil without an account.
    ///   - plans: The plans of the visitor's people around that time.
    init(
        _ activities: [Activity], of event: Event, filter: ProgrammeFilter = ProgrammeFilter(),
        children: [Child]?, present: [ID<Activity>: Set<Attendee>],
        waiting: [ID<Activity>: Set<Attendee>] = [:], plans: [TimeSlot] = [], at now: Instant
    ) {
        self.event = event.id
        var places: [String] = []
        for activity in activities where !activity.place.isEmpty && !places.contains(activity.place) {
            places.append(activity.place)
        }
        let items = activities.map { activity in
            let going = children.map { children in
                Going(
                    activity, children: children, present: present[activity.id] ?? [],
                    waiting: waiting[activity.id] ?? [],
                    // Sessions are chosen on a separate page.
                    at: event.isOpen(at: now) && !event.hasSessions ? now : activity.endsAt)
            }
            // Without plans there are no overlaps.
            let candidates = plans.isEmpty ? [] : Set((going?.joinable ?? []).map { $0.name ?? "" })
            return Item(
                activity, of: event.id, going: going,
                number: places.firstIndex(of: activity.place).map { $0 + 1 }, isOver: activity.isOver(at: now),
                clashes: candidates.isEmpty
                    ? [] : Clash.advice(for: TimeSlot(activity, of: event, candidates), beside: plans),
                isSession: event.hasSessions, ages: activity.ages(at: event), room: activity.room(at: event, now: now))
        }
        self.places = places
        points = Dictionary(
            activities.compactMap { activity in
                activity.place.isEmpty ? nil : activity.coordinate.map { (activity.place, $0) }
            }
        ) { first, _ in first }
        self.filter = filter
        hasChildren = !(children ?? []).isEmpty
        count = activities.count
        allDays = Set(
            activities.flatMap { activity in
                event.hasSessions
                    ? activity.content.schedule.eachDay(in: event.clock).map(\.day) : [activity.day]
            }
        ).sorted()
        freeNow =
            event.isOnNow(at: now) && !event.hasSessions && filter.isEmpty
            ? Array(items.filter { $0.activity.isFreeNow(at: now) && !$0.isMine }.prefix(3)) : []
        let chosen = items.filter { filter.admits($0.activity, children: children ?? [], at: now) }
        days = Dictionary(grouping: chosen) { $0.activity.day }.sorted { $0.key < $1.key }.map { day, items in
            var columns: [String] = []
            for item in items where !columns.contains(item.activity.place) { columns.append(item.activity.place) }
            columns.sort { (places.firstIndex(of: $0) ?? -1) < (places.firstIndex(of: $1) ?? -1) }
            if columns.count > Self.mostColumns || columns.count < 2 { columns = [] }
            // Not by a key path, whose steps are looked up for each item.
            let rows = Dictionary(grouping: items) { $0.activity.content.schedule.start }.sorted { $0.key < $1.key }
            return OneDay(
                day: day, places: columns,
                rows: rows.map { start, items in
                    Row(
                        start: start,
                        cells: columns.isEmpty
                            ? [items] : columns.map { place in items.filter { $0.activity.place == place } })
                })
        }
    }

    /// One of the shown activities.
    func item(_ id: ID<Activity>) -> Item? {
        days.lazy.flatMap(\.rows).flatMap(\.cells).flatMap(\.self).first { $0.activity.id == id }
    }

    /// The numbered pins of its places.
    var pins: [MapDrawing.Place] {
        places.compactMap { place in
            points[place].map { point in
                var pin = MapDrawing.Place(
                    coordinate: point, name: "\(number(of: place), as: "number"): \(place, as: "place")",
                    link: event.rawValue == 0 ? nil : filter.at(place).link(event))
                pin.number = number(of: place)
                return pin
            }
        }
    }

    func number(of place: String) -> Int { (places.firstIndex(of: place) ?? 0) + 1 }

    /// Whether any of the visitor's people takes part.
    var isJoined: Bool { days.contains { $0.rows.contains { $0.cells.contains { $0.contains(where: \.isMine) } } } }

    /// The number of activities.
    var size: Words { Words("{count} activity", plural: "{count} activities", count: count) }
    var sessions: Words { Words("{count} session", plural: "{count} sessions", count: count) }
}

/// A filter for a program: `?day=2027-03-27&place=Craft+tent&age=7&fits=1&now=1`.
struct ProgrammeFilter: Sendable, Equatable {
    var day: Day?
    var place = ""
    var age: Int?
    /// Whether to show only what fits one of the visitor's children.
    var fits = false
    /// Whether to show only what one can go to now.
    var isNow = false

    var isEmpty: Bool { self == ProgrammeFilter() }

    func admits(_ activity: Activity, children: [Child], at now: Instant) -> Bool {
        (day.map { activity.content.schedule.days.contains($0) } ?? true) && (place.isEmpty || place == activity.place)
            && age.map { activity.fits($0...$0) } ?? true
            && (!fits || children.contains { activity.fits($0.ages(on: activity.day)) })
            && (!isNow || activity.isFreeNow(at: now))
    }

    init() {}

    /// Parses an address.
    init(_ query: FormBody) {
        day = query["day"].flatMap { Day(iso: $0) }
        place = String((query["place"] ?? "").prefix(80))
        age = query["age"].flatMap { Int($0) }.flatMap { (0...120).contains($0) ? $0 : nil }
        fits = query["fits"] == "1"
        isNow = query["now"] == "1"
    }

    /// The query parameters.
    var pairs: [(name: String, value: String)] {
        let all: [(String, String?)] = [
            ("day", day?.iso), ("place", place.nonEmpty), ("age", age.map { "\($0)" }),
            ("fits", fits ? "1" : nil), ("now", isNow ? "1" : nil),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }

    /// The event's page with this filter.
    func link(_ event: ID<Event>) -> Link { Link.event(event).with(pairs).fragment("programme") }

    /// The filter with a change.
    func with(_ change: (inout ProgrammeFilter) -> Void) -> ProgrammeFilter {
        var filter = self
        change(&filter)
        return filter
    }

    func on(_ day: Day?) -> ProgrammeFilter { with { $0.day = day } }
    func at(_ place: String) -> ProgrammeFilter { with { $0.place = place } }
    /// The filter without the fields of the form for place and age.
    var withoutPlaceAndAge: ProgrammeFilter { with { ($0.place, $0.age) = ("", nil) } }
    var typedAge: String { age.map { "\($0)" } ?? "" }
    var turningFits: ProgrammeFilter { with { $0.fits.toggle() } }
    var turningNow: ProgrammeFilter { with { $0.isNow.toggle() } }
}
