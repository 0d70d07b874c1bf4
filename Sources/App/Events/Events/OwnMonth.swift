import Forms
import Templating

/// A month of a host's own events: a grid of days, or on a phone a list of days with events.
struct OwnMonth: Sendable {
    let today: Day
    let first: Day
    /// The first day of the week: 0 is Monday, 6 is Sunday.
    let firstDay: Int
    /// A typed day that can't be parsed.
    private(set) var unread = Unread()
    var events: [OwnEvent] = []
    /// The link to the rest, if there are more than fit on a page.
    var more: Link?

    /// Events per page: more than most hosts have in a month.
    static let pageSize = 200

    /// The month that contains a day; by default the current one.
    ///
    /// - Parameters:
    ///   - typed: The day in the address.
    ///   - country: The country whose date format applies.
    init(_ typed: String?, today: Day, firstDay: Int = 0, country: String = "") {
        self.today = today
        self.firstDay = firstDay
        var unread = Unread()
        let asked = unread.start("from", typed, in: country)
        self.unread = unread
        first = (asked ?? today).firstOfMonth
    }

    var days: Range<Day> { first..<first.advanced(by: Day.length(of: first.month, in: first.year)) }
    var isThis: Bool { days.contains(today) }
    var name: Words { first.monthName }
    var link: Link { Self.link(first) }
    var next: Link { Self.link(days.upperBound) }
    var before: Link { Self.link(first.advanced(by: -1).firstOfMonth) }

    private static func link(_ day: Day) -> Link { Link.ownMonth.with("from", day.iso) }

    /// A day of the month, with its events.
    struct Cell: Sendable {
        let day: Day
        let isToday: Bool
        let events: [OwnEvent]
        /// The column in the grid: 0 is the first day of the week.
        let column: Int
    }

    var cells: [Cell] {
        var byDay: [Day: [OwnEvent]] = [:]
        let last = days.upperBound.advanced(by: -1)
        for event in events {
            let (from, to) = (event.card.schedule.days.lowerBound, event.card.schedule.days.upperBound)
            guard from <= last, to >= first else { continue }
            for number in max(from, first).number...min(to, last).number {
                byDay[Day(number: number), default: []].append(event)
            }
        }
        return (first.number...last.number).map { number in
            let day = Day(number: number)
            return Cell(
                day: day, isToday: day == today, events: byDay[day] ?? [], column: (day.weekday - firstDay + 7) % 7)
        }
    }
}
