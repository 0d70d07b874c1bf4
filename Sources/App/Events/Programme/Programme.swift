import Forms
import Templating

/// What happens at an event, as one visitor sees it: by day, and on each day by time and place.
struct Programme: Sendable {
    let event: ID<Event>
    let filter: ProgrammeFilter
    /// What the filter leaves, a day after the other.
    let days: [OneDay]
    /// All its days, to choose from.
    let allDays: [Day]
    /// All its places, in the order in which something happens there.
    let places: [String]
    /// Where those are on the map, as far as somebody said so.
    let points: [String: Coordinate]
    /// What one can still go to now, where the event is on.
    let freeNow: [Item]
    /// Whether the visitor has children whose ages it can be chosen by.
    let hasChildren: Bool
    /// How many activities there are in all.
    let count: Int

    /// More places than these make no table.
    static let mostColumns = 5

    /// An activity, and those of the visitor's people who are in: shared, since tables and lists hold it many times
    /// over.
    final class Item: Sendable {
        let activity: Activity
        let event: ID<Event>
        /// Nil for visitors.
        let going: Going?
        /// The number of its place on the list of places; nil for the event's own.
        let number: Int?
        let isOver: Bool
        /// What wouldn't add up if those who can joined: advice.
        let clashes: [Clash]
        /// Whether children are registered for it.
        let isSession: Bool

        var isMine: Bool { going.map { !$0.joined.isEmpty } ?? false }
        var link: Link { .activity(activity.id, of: event) }

        init(
            _ activity: Activity, of event: ID<Event>, going: Going?, number: Int?, isOver: Bool, clashes: [Clash],
            isSession: Bool
        ) {
            self.activity = activity
            self.event = event
            self.going = going
            self.number = number
            self.isOver = isOver
            self.clashes = clashes
            self.isSession = isSession
        }
    }

    struct OneDay: Sendable {
        let day: Day
        /// The columns of the table; empty where there are so many places that it is a list.
        let places: [String]
        let rows: [Row]

        /// What takes place, in the order of time, as a sheet lists it.
        var kept: [Item] { rows.flatMap(\.cells).flatMap(\.self).filter { !$0.activity.isCancelled } }
    }

    /// What begins at one time.
    struct Row: Sendable {
        let start: TimeOfDay
        /// A cell for each column.
        let cells: [[Item]]
    }

    /// - Parameters:
    ///   - present: Who of the visitor's people is in which activity.
    ///   - waiting: Who of them waits for which.
    ///   - children: The visitor's children; nil for somebody who isn't signed in.
    ///   - plans: What the visitor's people have planned around then.
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
                    // Sessions are chosen on a page of their own.
                    at: event.isOpen(at: now) && !event.hasSessions ? now : activity.endsAt)
            }
            // Without a plan there is nothing that wouldn't add up.
            let candidates = plans.isEmpty ? [] : Set((going?.joinable ?? []).map { $0.name ?? "" })
            return Item(
                activity, of: event.id, going: going,
                number: places.firstIndex(of: activity.place).map { $0 + 1 }, isOver: activity.isOver(at: now),
                clashes: candidates.isEmpty
                    ? [] : Clash.advice(for: TimeSlot(activity, of: event, candidates), beside: plans),
                isSession: event.hasSessions)
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
        days = Dictionary(grouping: chosen, by: \.activity.day).sorted { $0.key < $1.key }.map { day, items in
            var columns: [String] = []
            for item in items where !columns.contains(item.activity.place) { columns.append(item.activity.place) }
            columns.sort { (places.firstIndex(of: $0) ?? -1) < (places.firstIndex(of: $1) ?? -1) }
            if columns.count > Self.mostColumns || columns.count < 2 { columns = [] }
            let rows = Dictionary(grouping: items, by: \.activity.schedule.start).sorted { $0.key < $1.key }
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

    /// One activity of those that are shown.
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

    /// Whether somebody of the visitor's is in one.
    var isJoined: Bool { days.contains { $0.rows.contains { $0.cells.contains { $0.contains(where: \.isMine) } } } }

    /// How many there are.
    var size: Words { Words("{count} activity", plural: "{count} activities", count: count) }
    var sessions: Words { Words("{count} session", plural: "{count} sessions", count: count) }
}

/// What of a program somebody wants to see: `?day=2027-03-27&place=Craft+tent&age=7&fits=1&now=1`.
struct ProgrammeFilter: Sendable, Equatable {
    var day: Day?
    var place = ""
    var age: Int?
    /// Only what fits one of the visitor's children.
    var fits = false
    /// Only what one can go to now.
    var isNow = false

    var isEmpty: Bool { self == ProgrammeFilter() }

    func admits(_ activity: Activity, children: [Child], at now: Instant) -> Bool {
        (day.map { activity.content.schedule.days.contains($0) } ?? true) && (place.isEmpty || place == activity.place)
            && age.map { activity.fits($0...$0) } ?? true
            && (!fits || children.contains { activity.fits($0.ages(on: activity.day)) })
            && (!isNow || activity.isFreeNow(at: now))
    }

    init() {}

    /// The filter of an address.
    init(_ query: FormBody) {
        day = query["day"].flatMap { Day(iso: $0) }
        place = String((query["place"] ?? "").prefix(80))
        age = query["age"].flatMap { Int($0) }.flatMap { (0...120).contains($0) ? $0 : nil }
        fits = query["fits"] == "1"
        isNow = query["now"] == "1"
    }

    /// As an address says it.
    var pairs: [(name: String, value: String)] {
        let all: [(String, String?)] = [
            ("day", day?.iso), ("place", place.nonEmpty), ("age", age.map { "\($0)" }),
            ("fits", fits ? "1" : nil), ("now", isNow ? "1" : nil),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }

    /// The event's page with this filter.
    func link(_ event: ID<Event>) -> Link { Link.event(event).with(pairs).fragment("programme") }

    /// The same with one thing else.
    func with(_ change: (inout ProgrammeFilter) -> Void) -> ProgrammeFilter {
        var filter = self
        change(&filter)
        return filter
    }

    func on(_ day: Day?) -> ProgrammeFilter { with { $0.day = day } }
    func at(_ place: String) -> ProgrammeFilter { with { $0.place = place } }
    /// What a form carries on that asks for place and age.
    var withoutPlaceAndAge: ProgrammeFilter { with { ($0.place, $0.age) = ("", nil) } }
    var typedAge: String { age.map { "\($0)" } ?? "" }
    var turningFits: ProgrammeFilter { with { $0.fits.toggle() } }
    var turningNow: ProgrammeFilter { with { $0.isNow.toggle() } }
}
