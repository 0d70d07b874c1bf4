import Forms

/// An event on several dates. Each date is an event with its own places.
enum Series {
    /// The dates to which a change applies.
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
        /// All upcoming ones together.
        case together
        case either

        var name: Words {
            switch self {
            case .each: "For each date"
            case .together: "For all dates together"
            case .either: "Either, as they like"
            }
        }

        /// An explanation for hosts.
        private var detail: Words {
            switch self {
            case .each: "Families pick the dates that suit them."
            case .together: "All dates or none. A family that joins later gets those that are left."
            case .either: "All at once with one press, or some of them."
            }
        }

        static let choices = allCases.map { Choice($0, $0.name, detail: $0.detail) }
    }

    /// The rhythm of repetition.
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

        /// The next `count` days after both `day` and `today`, counted from `day`: a Saturday is followed by Saturdays,
        /// and the interval is kept.
        ///
        /// Monthly means the same weekday at the same position in the month; the fifth one becomes the last one.
        func days(after day: Day, count: Int, today: Day = .distantPast) -> [Day] {
            let gone = max(0, today.number - day.number)
            let (first, next): (Int, (Int) -> Day) =
                switch self {
                case .week: (gone / 7, { day.advanced(by: 7 * $0) })
                case .fortnight: (gone / 14, { day.advanced(by: 14 * $0) })
                // At least this many months have passed; dates in the past are skipped below.
                case .month: (max(0, gone / 31 - 1), { day.sameWeekday(inMonthsAhead: $0) })
                }
            let turns = sequence(first: first + 1) { $0 + 1 }
            return Array(turns.lazy.map(next).filter { $0 > max(day, today) }.prefix(count))
        }
    }
}

extension Series {
    /// A date isn't possible after a change or a copy.
    struct Impossible: Error {
        let reason: Reason

        enum Reason: Sendable {
            /// The time doesn't exist on that day.
            case clocks(EventTimes.Problem)
            /// It would have begun already.
            case past(Day, TimeOfDay)
            /// Registration would close before everyone can register.
            case neverOpen(Day)
        }

        /// Whether the end has the problem, rather than the start.
        var isOfEnd: Bool { if case .clocks(let problem) = reason { problem.isOfEnd } else { false } }

        var words: Words {
            switch reason {
            case .clocks(let problem): problem.words
            case .past(let day, let time):
                """
                On \(day.shortName, as: "day") it would begin at \(time.name, as: "time"), which is past. \
                Choose another time, or change only the dates after it.
                """
            case .neverOpen(let day):
                "For \(day.shortName, as: "day") registration would close before everyone can register."
            }
        }
    }
}

extension Day {
    fileprivate func sameWeekday(inMonthsAhead months: Int) -> Day {
        let month = monthNumber + months
        let first = Day(year: month / 12, month: month % 12 + 1, day: 1)!
        let same = first.advanced(by: (weekday - first.weekday + 7) % 7 + (components.day - 1) / 7 * 7)
        return same.components.month == first.components.month ? same : same.advanced(by: -7)
    }
}
