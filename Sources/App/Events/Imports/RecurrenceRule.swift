/// A repetition rule (RFC 5545, section 3.3.10) by days; repetitions within a day aren't supported.
struct RecurrenceRule: Sendable {
    private enum Frequency: String {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// A weekday, 0 for Monday, and its position in the month or year: -1 is the last, 0 means each.
    private struct Weekday: Hashable {
        let ordinal: Int
        let number: Int
    }

    private var frequency = Frequency.daily
    private var interval = 1
    private var count: Int?
    /// The end of the rule.
    private(set) var until: CalendarTime?
    private var weekdays: Set<Weekday> = []
    /// The weekdays, with any position.
    private var weekdayNumbers: Set<Int> = []
    private var monthDays: Set<Int> = []
    private var months: Set<Int> = []
    private var positions: Set<Int> = []
    private var weekStart = 0
    /// The hour and minute, if given.
    private(set) var hour: Int?
    private(set) var minute: Int?

    /// Parses `FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20270601`; nil if it isn't supported.
    init?(_ text: String) {
        guard text.utf8.count <= 2_000 else { return nil }
        var isFound = false
        for part in text.uppercased().filter({ !$0.isWhitespace }).split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let value = pair[1]
            switch pair[0] {
            case "FREQ":
                guard let named = Frequency(rawValue: String(value)) else { return nil }
                frequency = named
                isFound = true
            case "INTERVAL":
                guard let number = Int(value), number > 0 else { return nil }
                // A longer interval never comes around again.
                interval = min(number, 100_000)
            case "COUNT":
                guard let number = Int(value), number > 0 else { return nil }
                count = number
            case "UNTIL":
                guard let time = CalendarTime(value) else { return nil }
                until = time
            case "BYDAY":
                guard let days = Self.weekdays(value) else { return nil }
                weekdays = days
                weekdayNumbers = Set(days.map(\.number))
            case "BYMONTHDAY":
                guard let numbers = Self.numbers(value, -31...31), !numbers.contains(0) else { return nil }
                monthDays = numbers
            case "BYMONTH":
                guard let numbers = Self.numbers(value, 1...12) else { return nil }
                months = numbers
            case "BYSETPOS":
                guard let numbers = Self.numbers(value, -366...366), !numbers.contains(0) else { return nil }
                positions = numbers
            case "WKST":
                guard let day = Self.names.firstIndex(of: String(value)) else { return nil }
                weekStart = day
            // Outlook repeats the start time here.
            case "BYHOUR":
                guard let number = Int(value), (0...23).contains(number) else { return nil }
                hour = number
            case "BYMINUTE":
                guard let number = Int(value), (0...59).contains(number) else { return nil }
                minute = number
            case "BYSECOND":
                guard value == "0" || value == "00" else { return nil }
            case "BYWEEKNO", "BYYEARDAY", "RSCALE": return nil
            default: break
            }
        }
        guard isFound else { return nil }
    }

    private static let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    private static func weekdays(_ list: Substring) -> Set<Weekday>? {
        var days: [Weekday] = []
        for item in list.split(separator: ",") {
            let ordinal = item.dropLast(2)
            guard let number = names.firstIndex(of: String(item.suffix(2))),
                let place = ordinal.isEmpty ? 0 : Int(ordinal), (-53...53).contains(place),
                place != 0 || ordinal.isEmpty
            else { return nil }
            days.append(Weekday(ordinal: place, number: number))
        }
        return days.count <= 40 && !days.isEmpty ? Set(days) : nil
    }

    private static func numbers(_ list: Substring, _ range: ClosedRange<Int>) -> Set<Int>? {
        var numbers: [Int] = []
        for item in list.split(separator: ",") {
            guard let number = Int(item), range.contains(number) else { return nil }
            numbers.append(number)
        }
        return numbers.count <= 70 && !numbers.isEmpty ? Set(numbers) : nil
    }

    // MARK: - Days

    /// The rule's days from `earliest` to `last`, sorted; `start` is the first of all, and counts.
    ///
    /// - Parameters:
    ///   - most: The most days.
    ///   - budget: The number of steps allowed; nil is returned when it is used up.
    func days(from start: Day, earliest: Day, last: Day, most: Int, budget: inout Int) -> [Day]? {
        var found: [Day] = []
        func keep(_ day: Day) { if day >= earliest, day <= last, found.count < most { found.append(day) } }
        keep(start)
        var counted = 1
        // There is at most one per day, so a larger count never ends it.
        let count = self.count.flatMap { $0 <= last.number - start.number ? $0 : nil }
        // Without a count, the distant past can be skipped.
        var period = count == nil ? max(0, self.period(of: earliest, from: start) - 1) : 0
        while found.count < most, let begin = beginning(of: period, from: start), begin <= last {
            budget -= cost
            guard budget >= 0 else { return nil }
            for day in days(in: period, from: start) where day > start {
                counted += 1
                if let count, counted > count { return found }
                keep(day)
            }
            period += 1
        }
        return found
    }

    /// The days of a yearly rule in one year.
    func days(ofYear year: Int, from start: Day) -> [Day] {
        guard frequency == .yearly, interval == 1, year >= start.year else { return [] }
        return days(in: year - start.year, from: start)
    }

    /// The number of steps for a period: finding it, its days, and comparing each of them.
    private var cost: Int {
        let days =
            switch frequency {
            case .daily: 1
            case .weekly: 7
            case .monthly: 31
            case .yearly where !months.isEmpty: 31 * months.count
            case .yearly: weekdays.isEmpty && monthDays.isEmpty ? 1 : 366
            }
        let looks = (weekdays.isEmpty ? 0 : 3) + (monthDays.isEmpty ? 0 : 2) + (positions.isEmpty ? 0 : 2)
        return 4 + days * (1 + looks)
    }

    /// The number of the period that contains a day, counted from the start's.
    private func period(of day: Day, from start: Day) -> Int {
        switch frequency {
        case .daily: (day.number - start.number) / interval
        case .weekly: (day.number - start.number) / 7 / interval
        case .monthly: (day.monthNumber - start.monthNumber) / interval
        case .yearly: (day.year - start.year) / interval
        }
    }

    /// The first day of a period; nil after the year 9999.
    private func beginning(of period: Int, from start: Day) -> Day? {
        switch frequency {
        case .daily: return start.advanced(by: period * interval)
        case .weekly:
            return start.advanced(by: 7 * period * interval - (start.weekday - weekStart + 7) % 7)
        case .monthly:
            let month = start.monthNumber + period * interval
            return Day(year: month / 12, month: month % 12 + 1, day: 1)
        case .yearly: return Day(year: start.year + period * interval, month: 1, day: 1)
        }
    }

    private func days(in period: Int, from start: Day) -> [Day] {
        guard let begin = beginning(of: period, from: start) else { return [] }
        let days: [Day]
        switch frequency {
        case .daily:
            days = [begin].filter { day in
                isOnWeekday(day) && isOnMonthDay(day.components.day, of: Day.length(of: day.month, in: day.year))
            }
        case .weekly:
            days = (0..<7).map { begin.advanced(by: $0) }.filter { day in
                weekdays.isEmpty ? day.weekday == start.weekday : isOnWeekday(day)
            }
        case .monthly: days = self.days(inMonthFrom: begin, from: start)
        case .yearly where months.isEmpty && monthDays.isEmpty:
            days = self.days(inYearFrom: begin, from: start)
        case .yearly:
            days = (1...12).flatMap { month in
                Day(year: begin.year, month: month, day: 1).map { first in
                    months.isEmpty || months.contains(month) ? self.days(inMonthFrom: first, from: start) : []
                } ?? []
            }
        }
        return placed(months.isEmpty ? days : days.filter { months.contains($0.month) })
    }

    private func isOnWeekday(_ day: Day) -> Bool {
        weekdays.isEmpty || weekdayNumbers.contains(day.weekday)
    }

    private func isOnMonthDay(_ day: Int, of length: Int) -> Bool {
        monthDays.isEmpty || monthDays.contains(day) || monthDays.contains(day - length - 1)
    }

    private func days(inMonthFrom first: Day, from start: Day) -> [Day] {
        let length = Day.length(of: first.month, in: first.year)
        let only = start.components.day
        return (1...length).filter { day in
            guard !monthDays.isEmpty || !weekdays.isEmpty else { return day == only }
            return isOnMonthDay(day, of: length)
                && isOnOrdinal(first.advanced(by: day - 1), place: day, of: length)
        }.map { first.advanced(by: $0 - 1) }
    }

    private func days(inYearFrom first: Day, from start: Day) -> [Day] {
        guard !weekdays.isEmpty else {
            let (_, month, day) = start.components
            return Day(year: first.year, month: month, day: day).map { [$0] } ?? []
        }
        let length = 337 + Day.length(of: 2, in: first.year)
        return (1...length).filter { day in
            isOnOrdinal(first.advanced(by: day - 1), place: day, of: length)
        }.map { first.advanced(by: $0 - 1) }
    }

    /// Whether a day is one of the weekdays, at a position counted from the beginning or the end.
    private func isOnOrdinal(_ day: Day, place: Int, of length: Int) -> Bool {
        guard !weekdays.isEmpty else { return true }
        let number = day.weekday
        return weekdays.contains(Weekday(ordinal: 0, number: number))
            || weekdays.contains(Weekday(ordinal: (place - 1) / 7 + 1, number: number))
            || weekdays.contains(Weekday(ordinal: -((length - place) / 7 + 1), number: number))
    }

    /// The days at the positions of BYSETPOS; all if there are none.
    private func placed(_ days: [Day]) -> [Day] {
        guard !positions.isEmpty else { return days }
        return days.indices.filter { positions.contains($0 + 1) || positions.contains($0 - days.count) }
            .map { days[$0] }
    }
}
