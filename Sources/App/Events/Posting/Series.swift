import Forms

/// An event that takes place on several dates. Each date is an event of its own, with places of its own.
enum Series {
    /// How far a change reaches.
    enum Scope: String, FormValue, CaseIterable {
        case one, later, all

        var name: Words {
            switch self {
            case .one: "This date only"
            case .later: "This date and those after it"
            case .all: "All dates still to come"
            }
        }

        static let choices = allCases.map { Choice($0, $0.name) }
    }

    /// How families register for the dates of a series.
    enum Booking: String, FormValue, CaseIterable {
        case each
        /// All that are still to come, or none.
        case together
        case either

        var name: Words {
            switch self {
            case .each: "For each date"
            case .together: "For all dates together"
            case .either: "Either, as they like"
            }
        }

        /// What it means for families.
        private var detail: Words {
            switch self {
            case .each: "Families pick the dates that suit them."
            case .together: "All dates or none. A family that joins later gets those that are left."
            case .either: "All at once with one press, or some of them."
            }
        }

        static let choices = allCases.map { Choice($0, $0.name, detail: $0.detail) }
    }

    /// How often something takes place.
    enum Rhythm: String, FormValue, CaseIterable {
        case week, fortnight, month

        var name: Words {
            switch self {
            case .week: "Every week"
            case .fortnight: "Every two weeks"
            case .month: "Every month, on the same weekday"
            }
        }

        static let choices = allCases.map { Choice($0, $0.name) }

        /// The next `count` days after both `day` and `today`, counted from `day`: what was on a Saturday stays on
        /// Saturdays, and every second one stays every second one.
        ///
        /// By the month it is the same weekday as often counted in the month; the fifth Saturday is the last one.
        func days(after day: Day, count: Int, today: Day = .distantPast) -> [Day] {
            let gone = max(0, today.number - day.number)
            let (first, next): (Int, (Int) -> Day) =
                switch self {
                case .week: (gone / 7, { day.advanced(by: 7 * $0) })
                case .fortnight: (gone / 14, { day.advanced(by: 14 * $0) })
                // At least so many months are over; those that are too few are passed over below.
                case .month: (max(0, gone / 31 - 1), { day.sameWeekday(inMonthsAhead: $0) })
                }
            let turns = sequence(first: first + 1) { $0 + 1 }
            return Array(turns.lazy.map(next).filter { $0 > max(day, today) }.prefix(count))
        }
    }
}

extension Series {
    /// A date of the series can't be when a change or a copy would have it.
    struct Impossible: Error {
        let reason: Reason

        enum Reason: Sendable {
            /// No clock shows the time on that day.
            case clocks(EventTimes.Problem)
            /// It would have begun already.
            case past(Day, TimeOfDay)
            /// Registration would close before everyone can register.
            case neverOpen(Day)
        }

        /// Whether it is about the end, and not about the start.
        var isOfEnd: Bool { if case .clocks(let problem) = reason { problem.isOfEnd } else { false } }

        var words: Words {
            switch reason {
            case .clocks(let problem): problem.words
            case .past(let day, let time):
                """
                On \(day.shortName, as: "day") it would begin at \(time.name, as: "time"), and that is past. Choose \
                another time, or change only the dates after it.
                """
            case .neverOpen(let day):
                "For \(day.shortName, as: "day") registration would close before everyone can register."
            }
        }
    }
}

extension Day {
    fileprivate func sameWeekday(inMonthsAhead months: Int) -> Day {
        let (year, month, date) = components
        let ahead = month - 1 + months
        let first = Day(year: year + ahead / 12, month: ahead % 12 + 1, day: 1)!
        let same = first.advanced(by: (weekday - first.weekday + 7) % 7 + (date - 1) / 7 * 7)
        return same.components.month == first.components.month ? same : same.advanced(by: -7)
    }
}
