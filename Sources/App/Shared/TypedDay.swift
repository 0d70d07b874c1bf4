import Foundation

extension Day {
    /// Parses a date as people type it: `2026-11-21`, `21.11.2026`, `11/21/26`, `20261121`, `21. März 2027`, `Saturday,
    /// November 21, 2026`, `2026年11月21日`.
    ///
    /// Only unambiguous dates are accepted: they have a year, and a weekday must match. Years may be counted in an era
    /// that has the same months and days: `令和8年11月30日`, `民國115年11月30日`, in Thailand 2569. Persian and Hijri
    /// years have other months, so they are no dates here.
    ///
    /// - Parameter country: The country whose order of day and month applies if both are possible: `11/12/2026` is 12
    ///   November in the US. In countries that use both orders, that is not a date.
    init?(typed: String, in country: String) {
        guard let parts = DateParts(typed, in: country) else { return nil }
        let days = Set(parts.meanings(in: country).compactMap { parts.day($0, in: country) })
        guard days.count == 1, let day = days.first else { return nil }
        self = day
    }
}

/// The upcoming days that a word in a search names, as in `story saturday`, `tomorrow` or `this weekend`.
struct NamedDays: Equatable {
    let first: Day
    let last: Day
    /// The search without that word.
    let rest: String

    /// - Parameter words: The search, with words separated by single spaces. Weekdays may be in any language, but not
    ///   abbreviated.
    init?(in words: String, today: Day, weekend: Weekend) {
        func days(_ word: String) -> (first: Day, last: Day)? {
            switch folded(word) {
            case "today", "tonight": return (today, today)
            case "tomorrow": return (today.advanced(by: 1), today.advanced(by: 1))
            case "weekend": return weekend.days(from: today)
            default:
                guard let weekday = DateWords.weekday(called: word) else { return nil }
                let day = today.advanced(by: (weekday - today.weekday + 7) % 7)
                return (day, day)
            }
        }
        var parts = words.split(separator: " ").map(String.init)
        for (index, part) in parts.enumerated() {
            guard let (first, last) = days(part) else { continue }
            parts.remove(at: index)
            if index > 0, ["on", "this", "coming", "next"].contains(folded(parts[index - 1])) {
                parts.remove(at: index - 1)
            }
            (self.first, self.last, rest) = (first, last, parts.joined(separator: " "))
            return
        }
        return nil
    }
}

/// The numbers and words of a date.
private struct DateParts {
    /// One reading of its words.
    struct Meaning {
        var month: Int?
        /// Whether a number precedes the word.
        var isBehindNumber = false
        var weekdays: Set<Int>?
    }

    private var numbers: [String] = []
    private var words: [(text: String, isBehindNumber: Bool)] = []
    private var hasDots = false
    /// Whether year, month and day are labeled, as in Japan, China and Korea: the year is first.
    private var isCalled = false

    /// Eras whose years are those of the common era but for a difference, by their names before the year.
    private static let eras = [
        "令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911, "中華民國": 1911, "中华民国": 1911,
    ]

    /// In Japan, those eras by their initials: `R8.11.28`.
    private static let initials = ["r": 2018, "h": 1988, "s": 1925]

    init?(_ typed: String, in country: String) {
        // In Thailand the era is named by its initials, which are those of weekdays, too.
        let text = typed.plainSigns.lowercased().replacing("พ.ศ.", with: "").replacing("ค.ศ.", with: "")
        var era: Int?
        guard text.utf8.count <= 80 else { return nil }
        var rest = text[...]
        // A label belongs to the number before it: the first 日 of `28日(日)` is one, the second is Sunday.
        var isBehindDigit = false
        var ends = text.startIndex
        while let first = rest.first {
            var length = 1
            var isDigit = false
            if first.isASCII, first.isNumber {
                let run = rest.prefix { $0.isASCII && $0.isNumber }
                numbers.append(String(run))
                length = run.count
                isDigit = true
                ends = run.endIndex
            } else if isBehindDigit, "年月日号號년월일".contains(first) {
                isCalled = true
            } else if first.isLetter {
                let run = rest.prefix { $0.isLetter }
                length = max(1, run.count)
                // `9am` is a time, and no day.
                if isBehindDigit, rest.startIndex == ends, ["am", "pm"].contains(String(run)) { return nil }
                let years = Self.eras[String(run)] ?? (country == "JP" ? Self.initials[String(run)] : nil)
                if numbers.isEmpty, era == nil, let years {
                    era = years
                } else if numbers.isEmpty, era == nil, run.hasSuffix("元年"),
                    let years = Self.eras[String(run.dropLast(2))]
                {
                    // Its first year.
                    (era, numbers) = (years, ["1"])
                } else if !DateWords.between.contains(String(run))
                    || (numbers.isEmpty && DateWords.beginsWithWeekday(String(run), in: country))
                {
                    words.append((String(run), !numbers.isEmpty))
                }
            } else if first == "." || first == "·" {
                if numbers.count < 3, words.isEmpty { hasDots = hasDots || !numbers.isEmpty }
            } else if !" ,/-()'’׳،°".contains(first) {
                return nil
            }
            isBehindDigit = isDigit || (isBehindDigit && first == " ")
            rest = rest.dropFirst(length)
        }
        guard words.count <= 4, (1...3).contains(numbers.count) else { return nil }
        if let era {
            guard let year = Int(numbers[0]), (1...199).contains(year) else { return nil }
            (numbers[0], isCalled) = (String(era + year), true)
        }
    }

    /// All readings of its words: `mar` is March, and Tuesday in French. A name may have several words: `sexta-feira`,
    /// `تشرين الثاني`.
    func meanings(in country: String) -> [Meaning] {
        func month(_ part: Range<Int>) -> [Meaning] {
            DateWords.month(name(part), in: country).map {
                [Meaning(month: $0, isBehindNumber: words[part.lowerBound].isBehindNumber)]
            } ?? []
        }
        func weekday(_ part: Range<Int>) -> [Meaning] {
            DateWords.weekdays(name(part)).map { [Meaning(weekdays: $0)] } ?? []
        }
        if words.isEmpty { return [Meaning()] }
        let all = month(words.indices) + weekday(words.indices)
        return all
            + words.indices.dropFirst().flatMap { border in
                let (front, back) = (0..<border, border..<words.count)
                return [(front, back), (back, front)].flatMap { one, other in
                    month(one).flatMap { month in
                        weekday(other).map { weekday in
                            var meaning = month
                            meaning.weekdays = weekday.weekdays
                            return meaning
                        }
                    }
                }
            }
    }

    private func name(_ part: Range<Int>) -> String { words[part].map(\.text).joined() }

    func day(_ meaning: Meaning, in country: String) -> Day? {
        var parts = self
        if country == "TH" { parts.numbers = numbers.map(Self.commonYear) }
        // In Taiwan 115 is 2026.
        if country == "TW", let year = numbers.first, year.utf8.count == 3, let year = Int(year), year > 99 {
            parts.numbers[0] = String(1911 + year)
        }
        return parts.day(read: meaning, in: country)
    }

    /// The year of the common era, for one that Thailand counts from the Buddha: 2569 is 2026, and so is 69.
    private static func commonYear(_ number: String) -> String {
        switch (number.utf8.count, Int(number) ?? 0) {
        case (4, let year) where 2_400...2_800 ~= year: String(year - 543)
        case (2, let year) where year >= 60: String(2_500 + year - 543)
        default: number
        }
    }

    private func day(read meaning: Meaning, in country: String) -> Day? {
        let day =
            if let month = meaning.month {
                self.day(in: month, isBehindNumber: meaning.isBehindNumber)
            } else {
                self.day(in: DateWords.Order(of: country))
            }
        return day.flatMap { day in meaning.weekdays?.contains(day.weekday) == false ? nil : day }
    }

    /// The date, for a month given by name.
    private func day(in month: Int, isBehindNumber: Bool) -> Day? {
        guard numbers.count == 2, !isCalled else { return nil }
        return isBehindNumber && numbers[0].utf8.count == 4
            ? Self.day(numbers[0], month, numbers[1]) : Self.day(numbers[1], month, numbers[0])
    }

    private func day(in order: DateWords.Order) -> Day? {
        if numbers.count == 1, numbers[0].utf8.count == 8, !isCalled {
            let all = numbers[0]
            guard let month = Int(all.dropFirst(4).prefix(2)), (1900..<2200).contains(Int(all.prefix(4)) ?? 0) else {
                return nil
            }
            return Self.day(String(all.prefix(4)), month, String(all.suffix(2)))
        }
        guard numbers.count == 3 else { return nil }
        let isYearFirst = numbers[0].utf8.count == 4 || isCalled || (order == .yearFirst && numbers[2].utf8.count <= 2)
        if isYearFirst { return Int(numbers[1]).flatMap { Self.day(numbers[0], $0, numbers[2]) } }
        guard let first = Int(numbers[0]), let second = Int(numbers[1]) else { return nil }
        // Two digits that could be a year at either end are ambiguous.
        let isShort = numbers[2].utf8.count == 2
        if order == .yearFirstInShort, isShort, first != second, Self.day(numbers[0], second, numbers[2]) != nil {
            return nil
        }
        // A number above twelve isn't a month; with dots the day comes first everywhere.
        let isMonthFirst: Bool
        switch order {
        case _ where first > 12: isMonthFirst = false
        case _ where second > 12: isMonthFirst = true
        case _ where hasDots || first == second: isMonthFirst = false
        case .mixed, .yearFirst: return nil
        case .monthFirst: isMonthFirst = true
        case .dayFirst, .yearFirstInShort: isMonthFirst = false
        }
        return isMonthFirst ? Self.day(numbers[2], first, numbers[1]) : Self.day(numbers[2], second, numbers[0])
    }

    /// A year has four digits, or two for this century. Years far away are those of another calendar, as 1405 and 1448
    /// in Iran and Arabia.
    private static func day(_ year: String, _ month: Int, _ day: String) -> Day? {
        guard [2, 4].contains(year.utf8.count), day.utf8.count <= 2, let number = Int(year), let day = Int(day),
            year.utf8.count == 2 || (1900..<2200).contains(number)
        else { return nil }
        return Day(year: year.utf8.count == 2 ? 2000 + number : number, month: month, day: day)
    }
}

/// The names of months and weekdays, and the order of dates in each country.
private enum DateWords {
    enum Order {
        case dayFirst, monthFirst, yearFirst
        /// The day if the year has four digits; a short date may also begin with its year.
        case yearFirstInShort
        /// Both orders are common.
        case mixed

        init(of country: String) {
            switch country {
            case "US", "PH", "PR", "GU", "VI", "AS", "MP", "UM", "FM", "MH", "PW": self = .monthFirst
            case "CN", "JP", "KR", "KP", "TW", "HU", "MN": self = .yearFirst
            case "SE", "LT", "ZA": self = .yearFirstInShort
            case "CA": self = .mixed
            default: self = .dayFirst
            }
        }
    }

    /// Characters and words between or after the parts of a date that have no meaning.
    static let between: Set<String> = [
        "st", "nd", "rd", "th", "of", "the", "on", "de", "del", "d", "der", "den", "dem", "am", "le", "la", "el", "di",
        "do", "er", "e", "º", "ª", "г", "р", "года", "року", "m", "n", "tháng", "thg", "ngày", "năm", "ב",
        "في", "م", "يوم", "o", "ika", "r", "roku", "roka", "gada", "թ",
        "ж", "го", "е", "ng",
    ]

    /// Whether the first word of a date is a weekday although such a word may also stand between its parts: `Do` in
    /// German and Dutch, `la` in Finnish. Otherwise it would go with any day.
    static func beginsWithWeekday(_ word: String, in country: String) -> Bool {
        let key = key(word)
        return ["di", "do"].contains(key)
            || named(Country.language(of: country)).weekdays.contains { $0.name == key }
    }

    /// The month that a word means: in full or abbreviated in English and in the country's language, otherwise in full
    /// in any language, if all agree.
    static func month(_ word: String, in country: String) -> Int? {
        let key = folded(word)
        var near: Set<Int> = []
        for names in [named("en"), named(Country.language(of: country))] {
            var found = names.months.filter { $0.name == key }
            if found.isEmpty, key.count >= 3 { found = names.months.filter { $0.name.hasPrefix(key) } }
            near.formUnion(found.map(\.number))
        }
        if !near.isEmpty { return near.count == 1 ? near.first : nil }
        // 28.XI.2026, in much of Eastern Europe.
        if let place = romans.firstIndex(of: word) { return place + 1 }
        let all = Set(everywhere.flatMap { $0.months.filter { $0.name == key }.map(\.number) })
        if !all.isEmpty { return all.count == 1 ? all.first : nil }
        // In Hebrew “in” stands before the month; an umlaut may be spelled out.
        if word.first == "ב" { return month(String(word.dropFirst()), in: country) }
        return Folding.contracted(key).flatMap { month($0, in: country) }
    }

    private static let romans = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"]

    /// The weekdays that a word may mean; 0 is Monday.
    static func weekdays(_ word: String) -> Set<Int>? {
        let key = self.key(word)
        let found = Set(everywhere.flatMap { $0.weekdays.filter { $0.name == key }.map(\.number) })
        return found.nonEmpty
    }

    /// The weekday with this full name in any language; nil if it is ambiguous. 0 is Monday.
    static func weekday(called word: String) -> Int? {
        // Short names are words of other languages: `sun`, `mar`, `do`. So are the letters in a number: `12b3e4`.
        guard key(word).utf8.count >= 5, let found = weekdays(word), found.count == 1 else { return nil }
        return found.first
    }

    private struct Names {
        var months: [(name: String, number: Int)] = []
        var weekdays: [(name: String, number: Int)] = []
    }

    private static func named(_ language: String) -> Names {
        everywhere[languages.firstIndex(of: language) ?? 0]
    }

    private static let languages = [
        "en", "de", "fr", "es", "it", "pt", "nl", "da", "sv", "nb", "fi", "is", "et", "lv", "lt", "pl", "cs", "sk",
        "hu", "ro", "bg", "el", "hr", "sr", "sl", "sq", "mk", "tr", "uk", "ru", "be", "ca", "eu", "gl", "ga", "cy",
        "ar", "he", "fa", "hi", "bn", "ta", "ur", "id", "ms", "vi", "fil", "sw", "th", "ja", "zh", "ko", "ka",
        "hy", "az", "kk", "af", "bs", "ne", "mr", "te", "si", "uz", "de-AT", "ar-DZ", "ar-LB", "ar-MA", "zh-TW",
    ]

    /// The names in each language; CLDR's, through Foundation.
    private static let everywhere: [Names] = languages.map { language in
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: language)
        formatter.calendar = Calendar(identifier: .gregorian)
        var names = Names()
        let months = [
            formatter.monthSymbols, formatter.shortMonthSymbols, formatter.standaloneMonthSymbols,
            formatter.shortStandaloneMonthSymbols,
        ]
        for (index, name) in months.flatMap({ $0.enumerated() }) where !name.contains(where: \.isNumber) {
            names.months.append((key(name), index + 1))
        }
        let days = [
            formatter.weekdaySymbols, formatter.shortWeekdaySymbols, formatter.standaloneWeekdaySymbols,
            formatter.shortStandaloneWeekdaySymbols,
        ]
        for (index, name) in days.flatMap({ $0.enumerated() }) {
            names.weekdays.append((key(name), (index + 6) % 7))
        }
        if language == "de" {
            names.weekdays += [("sonnabend", 5)]
            names.months += [("mrz", 3)]
        }
        if language == "de-AT" { names.months += [("feber", 2)] }
        if language == "id" { names.months += [("nopember", 11), ("pebruari", 2)] }
        if language == "es" { names.months += [("setiembre", 9)] }
        // Swedish dates have the definite form: lördagen den 28 november.
        if language == "sv" { names.weekdays += names.weekdays.map { ($0.name + "en", $0.number) } }
        if language == "en" { names.weekdays += [("tues", 1), ("weds", 2), ("thur", 3), ("thurs", 3)] }
        return names
    }

    private static func key(_ name: String) -> String { folded(name.filter { $0.isLetter }) }
}

extension Country {
    /// A country's most common language.
    fileprivate static func language(of code: String) -> String { String(locale(of: code).prefix { $0 != "-" }) }
}
