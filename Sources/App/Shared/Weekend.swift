import Foundation

/// The weekend in a country: Saturday and Sunday in most, Friday and Saturday in some.
struct Weekend: Sendable, Equatable {
    /// 0 is Monday, 6 is Sunday.
    let first: Int
    let count: Int

    static let usual = Weekend(first: 5, count: 2)

    /// The current weekend if `today` is part of it, otherwise the next.
    func days(from today: Day) -> (first: Day, last: Day) {
        let passed = (today.weekday - first + 7) % 7
        let start = passed < count ? today : today.advanced(by: 7 - passed)
        return (start, start.advanced(by: passed < count ? count - 1 - passed : count - 1))
    }

    /// A country's weekend, according to Unicode CLDR through Foundation.
    static func of(_ country: String) -> Weekend { byCountry[country] ?? .usual }

    /// The first day of a country's week: 0 is Monday, 6 is Sunday.
    static func firstDay(of country: String) -> Int { firstDays[country] ?? 0 }

    /// Countries whose week doesn't begin on Monday.
    private static let firstDays: [String: Int] = {
        let all = Country.all.map { country -> (String, Int) in
            var calendar = Calendar(identifier: .gregorian)
            calendar.locale = Locale(identifier: "en_\(country.code)")
            // Foundation's 1 is Sunday.
            return (country.code, (calendar.firstWeekday + 5) % 7)
        }
        return Dictionary(uniqueKeysWithValues: all.filter { $0.1 != 0 })
    }()

    /// Countries with another weekend.
    private static let byCountry: [String: Weekend] = {
        // 1 January 2024 was a Monday.
        let monday = Date(timeIntervalSince1970: 1_704_067_200 + 43_200)
        let all = Country.all.map { country -> (String, Weekend) in
            var calendar = Calendar(identifier: .gregorian)
            calendar.locale = Locale(identifier: "en_\(country.code)")
            calendar.timeZone = .gmt
            let rests = (0..<7).filter { calendar.isDateInWeekend(monday + Double($0) * 86_400) }
            // The first rest day after a workday: a weekend may begin on a Sunday and never covers the whole week.
            let first = rests.first { !rests.contains(($0 + 6) % 7) } ?? usual.first
            return (country.code, Weekend(first: first, count: max(1, rests.count)))
        }
        return Dictionary(uniqueKeysWithValues: all.filter { $0.1 != usual })
    }()
}
