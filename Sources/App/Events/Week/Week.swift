import Forms
import Templating

/// The seven days that My week shows.
struct Week: Sendable {
    let today: Day
    /// The first of them.
    private(set) var from: Day
    /// Whether somebody asked for these days.
    let isAsked: Bool
    /// Whether nothing is planned on those days, nor on any after them.
    private(set) var isLast = false

    /// - Parameter typed: The first day, as the address says it; without one it is today.
    init(_ typed: String?, today: Day) {
        self.today = today
        // Behind the last week of the calendar there is none.
        let asked = typed.flatMap { Day(iso: $0) }.flatMap { $0.year < 9_999 ? $0 : nil }
        from = asked ?? today
        isAsked = asked != nil
    }

    var days: Range<Day> { from..<from.advanced(by: 7) }

    /// What is planned on its days. Without anything in the next seven days the week is the one that begins with what
    /// comes next, unless somebody asked for these.
    ///
    /// - Parameters:
    ///   - list: What is planned on some days.
    ///   - next: The first day from one on with anything.
    mutating func planned<Item>(_ list: (Range<Day>) throws -> [Item], next: (Day) throws -> Day?) rethrows -> [Item] {
        var found = try list(days)
        if found.isEmpty, !isAsked, let first = try next(from) {
            from = first
            found = try list(days)
        }
        isLast = try next(days.upperBound) == nil
        return found
    }

    /// Whether days without anything lie before those shown.
    var isAhead: Bool { !isAsked && from > today }

    var name: Words {
        let last = days.upperBound.advanced(by: -1)
        return from.year == today.year && last.year == today.year
            ? "\(from.name, as: "from") to \(last.name, as: "to")"
            : "\(from.fullName, as: "from") to \(last.fullName, as: "to")"
    }

    var next: Link? { isLast ? nil : Self.link(days.upperBound) }

    /// The seven days before, but none that are behind us: what is over has a list of its own.
    var before: Link? {
        guard isAsked, from > today else { return nil }
        let day = max(today, from.advanced(by: -7))
        return Self.link(day)
    }

    static func link(_ day: Day) -> Link { Link("/week").with("from", day.iso) }
}

/// Something that somebody has planned.
enum WeekItem: Sendable {
    /// Places at an event.
    case party(Registration.Line)
    /// An activity of an event's programme.
    case activity(ActivityLine)
    /// An event that they announced.
    case own(EventCard)
    /// A shift somewhere.
    case shift(Signup)
    /// A meeting of pets, by the town's clock.
    case meeting(MeetingLine, Zone)

    var schedule: Schedule {
        switch self {
        case .party(let line): return line.schedule
        case .activity(let line): return line.activity.content.schedule
        case .own(let event): return event.schedule
        case .shift(let signup):
            guard let shift = signup.shift else { return .never }
            return Schedule(
                day: shift.day, start: shift.start, end: shift.end, startsAt: shift.startsAt, endsAt: shift.endsAt)
        case .meeting(let line, let zone):
            guard let start = line.meeting.startsAt else { return .never }
            let (day, time) = zone.local(start)
            return Schedule(day: day, start: time, startsAt: start, endsAt: start + .hours(1))
        }
    }
}

extension Schedule {
    /// Of what has no time, and so stands in no week.
    fileprivate static let never = Schedule(
        day: .distantPast, start: .midnight, startsAt: Instant(milliseconds: 0), endsAt: Instant(milliseconds: 0))
}

/// A day of My week.
struct WeekDay: Sendable {
    let day: Day
    let heading: Words
    var items: [Item]

    /// Something planned, and what doesn't add up about it.
    struct Item: Sendable {
        let item: WeekItem
        var clashes: [Clash] = []
    }

    /// - Parameters:
    ///   - items: What is planned, in any order.
    ///   - first: The first day that is shown: what has lasted since before it stands there.
    static func grouped(_ items: [WeekItem], today: Day, from first: Day? = nil) -> [WeekDay] {
        let first = first ?? today
        let clashes = Clash.all(of: items.map(Occupation.init))
        let sorted = items.indices.sorted { a, b in
            let (one, other) = (items[a].schedule, items[b].schedule)
            return (one.listedDay(from: first), one.startsAt, a) < (other.listedDay(from: first), other.startsAt, b)
        }
        var days: [WeekDay] = []
        for index in sorted {
            let item = Item(item: items[index], clashes: clashes.filter { $0.place == index })
            let day = items[index].schedule.listedDay(from: first)
            if days.last?.day == day {
                days[days.count - 1].items.append(item)
            } else {
                days.append(WeekDay(day: day, heading: EventDay.heading(day, today), items: [item]))
            }
        }
        return days
    }

    static func grouped(_ lines: [Registration.Line], today: Day) -> [WeekDay] {
        grouped(lines.map(WeekItem.party), today: today)
    }
}
