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

/// A day of My week.
struct WeekDay: Sendable {
    let day: Day
    let heading: Words
    var lines: [Registration.Line]

    /// - Parameter first: The first day that is shown: what has lasted since before it stands there.
    static func grouped(_ lines: [Registration.Line], today: Day, from first: Day? = nil) -> [WeekDay] {
        var days: [WeekDay] = []
        for line in lines {
            let day = line.schedule.listedDay(from: first ?? today)
            if days.last?.day == day {
                days[days.count - 1].lines.append(line)
            } else {
                days.append(WeekDay(day: day, heading: EventDay.heading(day, today), lines: [line]))
            }
        }
        return days
    }
}
