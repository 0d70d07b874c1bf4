/// A day of the Gregorian calendar, without a time or a zone.
///
/// It is stored as the number of days since 1970-01-01. The conversions are Howard Hinnant's `days_from_civil` and
/// `civil_from_days` (https://howardhinnant.github.io/date_algorithms.html).
struct Day: Hashable, Comparable, Sendable {
    let number: Int

    init(number: Int) { self.number = number }

    /// The day with this date; `nil` if it doesn't exist, like 30 February. Years 1 to 9999.
    init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...Day.length(of: month, in: year)).contains(day)
        else { return nil }
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
    }

    /// A placeholder in forms until a date is typed.
    static let distantPast = Day(number: -719_162)

    var components: (year: Int, month: Int, day: Int) {
        let z = number + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let m = (5 * dayOfYear + 2) / 153
        let month = m + (m < 10 ? 3 : -9)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * m + 2) / 5 + 1)
    }

    var year: Int { components.year }
    var month: Int { components.month }

    /// The number of its month, counted without a break over the years.
    var monthNumber: Int {
        let (year, month, _) = components
        return year * 12 + month - 1
    }

    /// The first day of its month.
    var firstOfMonth: Day { advanced(by: 1 - components.day) }

    /// 0 is Monday, 6 is Sunday.
    var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    func advanced(by days: Int) -> Day { Day(number: number + days) }

    static func < (a: Day, b: Day) -> Bool { a.number < b.number }

    static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Day {
    /// The day in the format of forms and the database: `2026-11-21`.
    var iso: String {
        let (year, month, day) = components
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    }

    /// Parses only the format of the database and browsers: `2026-11-21`.
    init?(iso: some StringProtocol) {
        // A fast parser, because every row of every list has a day.
        var numbers = (0, 0, 0)
        var place = 0
        for byte in iso.utf8 {
            let digit = Int(byte) - 48
            switch place {
            case 4, 7: guard byte == UInt8(ascii: "-") else { return nil }
            case 0...3: numbers.0 = numbers.0 * 10 + digit
            case 5, 6: numbers.1 = numbers.1 * 10 + digit
            case 8, 9: numbers.2 = numbers.2 * 10 + digit
            default: return nil
            }
            guard place == 4 || place == 7 || (0...9).contains(digit) else { return nil }
            place += 1
        }
        guard place == 10 else { return nil }
        self.init(year: numbers.0, month: numbers.1, day: numbers.2)
    }
}

/// `number` with leading zeros to `width` digits.
func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return text.utf8.count >= width ? text : String(repeating: "0", count: width - text.utf8.count) + text
}
