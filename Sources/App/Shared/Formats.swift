import Forms
import Foundation
import Synchronization
import Templating

/// The formats of days, times, amounts and numbers in a language and country.
///
/// The patterns and names are Unicode CLDR's, through Foundation: loaded once per locale, and filled in here.
final class Formats: Sendable {
    /// The format of whole numbers.
    let numbers: Numbers

    private let days: [DayText.Style: [Piece]]
    private let times: (whole: [Piece], exact: [Piece])
    private let months: Names
    private let weekdays: (full: [String], short: [String])
    private let halves: [String]
    private let numerals: [String]
    private let point: String
    private let separators: [ListSeparator.Style: Separators]
    private let locale: Locale
    private let countries = Mutex<[String: String]>([:])
    private let currencies = Mutex<[String: Affixes]>([:])
    private let zones = Mutex<[String: String]>([:])
    /// Caches: formatted days, and every minute of a day.
    private let writtenDays = Mutex<[DayText: String]>([:])
    private let writtenTimes = Mutex<[String?]>(Array(repeating: nil, count: 24 * 60))

    private enum Piece {
        case text(String)
        case year, minute, half
        /// The number of pattern letters.
        case month(Int)
        case monthAlone(Int)
        case day(Int)
        case weekday(Int)
        case hour
        case hourOfHalf
    }

    private struct Names { let full, short, alone, shortAlone: [String] }

    /// The separators of a list: between two parts, between more, and before the last of those.
    private struct Separators { let two, middle, last: String }

    /// The text before and after an amount.
    private struct Affixes { let before, behind: String }

    private static let made = Mutex<[(name: String, formats: Formats)]>([])

    /// The formats of a locale, such as `en-US`; those of an unknown name are CLDR's root.
    static func of(_ locale: String) -> Formats {
        made.withLock { made in
            // Names come from settings and the site's catalogs, so there are few, and no dictionary is faster.
            if let known = made.first(where: { $0.name == locale }) { return known.formats }
            let formats = Formats(locale)
            made.append((locale, formats))
            return formats
        }
    }

    /// Whether the language of a locale is written from right to left. Known without its formats.
    static func isRightToLeft(_ locale: String) -> Bool {
        Locale(identifier: locale).language.characterDirection == .rightToLeft
    }

    /// A language's name in a locale: `polski` for `pl`. Known without its formats.
    static func name(ofLanguage code: String, in locale: String) -> String {
        Locale(identifier: locale).localizedString(forIdentifier: code) ?? code
    }

    private init(_ name: String) {
        locale = Locale(identifier: name)
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = locale
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.calendar = calendar
        func mondayFirst(_ names: [String]) -> [String] { Array(names[1...] + names[..<1]) }
        months = Names(
            full: formatter.monthSymbols, short: formatter.shortMonthSymbols,
            alone: formatter.standaloneMonthSymbols, shortAlone: formatter.shortStandaloneMonthSymbols)
        weekdays = (mondayFirst(formatter.weekdaySymbols), mondayFirst(formatter.shortWeekdaySymbols))
        halves = [formatter.amSymbol, formatter.pmSymbol]
        let formatterOfNumbers = NumberFormatter()
        formatterOfNumbers.locale = locale
        numerals = (0...9).map { formatterOfNumbers.string(from: $0 as NSNumber) ?? String($0) }
        point = formatterOfNumbers.decimalSeparator ?? "."
        // In some languages four digits aren't grouped: 1204 in Spanish.
        formatterOfNumbers.numberStyle = .decimal
        let isGrouped = (formatterOfNumbers.string(from: 1_000) ?? "").count > 4
        numbers = Numbers(
            digits: numerals, grouping: formatterOfNumbers.groupingSeparator ?? ",", groupingFrom: isGrouped ? 4 : 5)
        separators = Dictionary(
            uniqueKeysWithValues: ListSeparator.Style.allCases.map {
                ($0, Self.separators($0, Locale(identifier: name)))
            })
        func pattern(_ template: String) -> [Piece] {
            Self.pieces(DateFormatter.dateFormat(fromTemplate: template, options: 0, locale: Locale(identifier: name)))
        }
        days = Dictionary(
            uniqueKeysWithValues: DayText.Style.allCases.map { ($0, pattern($0.rawValue)) })
        let exact = pattern("jmm")
        // With a 12-hour clock, a whole hour needs no minutes.
        let hasHalves = exact.contains { if case .half = $0 { true } else { false } }
        times = (hasHalves ? pattern("j") : exact, exact)
    }

    /// Parses a date pattern: letters are fields (Unicode Technical Standard 35, part 4), quoted text is between `'`.
    private static func pieces(_ pattern: String?) -> [Piece] {
        var pieces: [Piece] = []
        func add(_ text: String) {
            if case .text(let before) = pieces.last {
                pieces[pieces.count - 1] = .text(before + text)
            } else {
                pieces.append(.text(text))
            }
        }
        var rest = (pattern ?? "y-MM-dd HH:mm")[...]
        while let first = rest.first {
            if first == "'" {
                let quoted = rest.dropFirst().prefix { $0 != "'" }
                add(quoted.isEmpty ? "'" : String(quoted))
                rest = rest[quoted.endIndex...].dropFirst()
                continue
            }
            let run = rest.prefix { $0 == first }
            rest = rest[run.endIndex...]
            switch first {
            case "y", "u": pieces.append(.year)
            case "M": pieces.append(.month(run.count))
            case "L": pieces.append(.monthAlone(run.count))
            case "d": pieces.append(.day(run.count))
            case "E", "c", "e": pieces.append(.weekday(run.count))
            case "H", "k": pieces.append(.hour)
            case "h", "K": pieces.append(.hourOfHalf)
            case "m": pieces.append(.minute)
            case "a", "b", "B": pieces.append(.half)
            // Replace a narrow no-break space with a regular one, which fonts and searches support.
            default: add(run.map { $0 == "\u{202F}" ? "\u{A0}" : String($0) }.joined())
            }
        }
        return pieces
    }

    /// A language's list separators, extracted from a formatted list of parts that occur in no language.
    private static func separators(_ style: ListSeparator.Style, _ locale: Locale) -> Separators {
        func between(_ count: Int) -> [String] {
            let parts = (0..<count).map { "\u{E000}\($0)\u{E000}" }
            let width: ListFormatStyle<StringStyle, [String]>.Width = style == .and ? .standard : .narrow
            let text = parts.formatted(.list(type: .and, width: width).locale(locale))
            return zip(parts, parts.dropFirst()).map { one, other in
                guard let start = text.range(of: one)?.upperBound, let end = text.range(of: other)?.lowerBound,
                    start <= end
                else { return ", " }
                return String(text[start..<end])
            }
        }
        let four = between(4)
        return Separators(two: between(2)[0], middle: four[1], last: four[2])
    }

    // MARK: Formatting

    func text(_ separator: ListSeparator) -> String {
        guard let known = separators[separator.style] else { return ", " }
        return separator.count == 2 ? known.two : separator.isLast ? known.last : known.middle
    }

    /// The most formatted days to cache: those of a year in two or three styles.
    private static let mostWrittenDays = 1_000

    func text(_ day: DayText) -> String {
        if let known = writtenDays.withLock({ $0[day] }) { return known }
        let text = write(day.day, day.style)
        writtenDays.withLock { known in
            if known.count == Self.mostWrittenDays { known = [:] }
            known[day] = text
        }
        return text
    }

    private func write(_ day: Day, _ style: DayText.Style) -> String {
        let (year, month, number) = day.components
        var text = ""
        for piece in days[style] ?? [] {
            switch piece {
            case .text(let plain): text += plain
            case .year: text += written(year)
            case .month(let width): text += self.month(month, width, months.full, months.short)
            case .monthAlone(let width): text += self.month(month, width, months.alone, months.shortAlone)
            case .day(let width): text += written(number, width)
            case .weekday(let width): text += (width < 4 ? weekdays.short : weekdays.full)[day.weekday]
            case .hour, .hourOfHalf, .minute, .half: break
            }
        }
        return text
    }

    private func month(_ month: Int, _ width: Int, _ full: [String], _ short: [String]) -> String {
        width < 3 ? written(month, width) : (width == 3 ? short : full)[month - 1]
    }

    /// `9:30 AM`, `11 AM`; `9:30`, `11:00`.
    func text(_ time: TimeOfDay) -> String {
        writtenTimes.withLock { known in
            if let text = known[time.minutes] { return text }
            let text = write(time)
            known[time.minutes] = text
            return text
        }
    }

    private func write(_ time: TimeOfDay) -> String {
        let (hour, minute) = time.minutes.quotientAndRemainder(dividingBy: 60)
        var text = ""
        for piece in minute == 0 ? times.whole : times.exact {
            switch piece {
            case .text(let plain): text += plain
            // Two-digit hours are for tables; nobody says them.
            case .hour: text += written(hour)
            case .hourOfHalf: text += written(hour % 12 == 0 ? 12 : hour % 12)
            case .minute: text += written(minute, 2)
            case .half: text += halves[hour / 12]
            case .year, .month, .monthAlone, .day, .weekday: break
            }
        }
        return text
    }

    /// `$8`, `$8.50`, `8,50 €`; `¥1,500`, `KWD 1.250`.
    func text(_ money: Money) -> String {
        let affixes = affixes(of: money.currency)
        let (whole, rest) = money.minorUnits.quotientAndRemainder(dividingBy: Currency.units(of: money.currency))
        let parts = rest == 0 ? "" : point + written(rest, Currency.places(of: money.currency))
        return affixes.before + text(whole) + parts + affixes.behind
    }

    /// The sign of a currency: `$`, `€`, `CHF`.
    func sign(of currency: String) -> String {
        let affixes = affixes(of: currency)
        return (affixes.before + affixes.behind).filter { !$0.isWhitespace }
    }

    private func affixes(of currency: String) -> Affixes {
        currencies.withLock { known in
            if let affixes = known[currency] { return affixes }
            let formatter = NumberFormatter()
            formatter.locale = locale
            formatter.numberStyle = .currency
            formatter.currencyCode = currency
            var (before, behind) = (formatter.positivePrefix ?? "", formatter.positiveSuffix ?? "")
            // CLDR separates letters from digits: CHF 8.
            if before.last?.isLetter == true { before += "\u{A0}" }
            if behind.first?.isLetter == true { behind = "\u{A0}" + behind }
            let affixes = Affixes(before: before, behind: behind)
            known[currency] = affixes
            return affixes
        }
    }

    /// `1,204`; `1.204`.
    func text(_ number: Int) -> String { numbers.text(number) }

    /// `Germany`; `Allemagne`.
    func name(ofCountry code: String) -> String {
        countries.withLock { known in
            if let name = known[code] { return name }
            let name = locale.localizedString(forRegionCode: code) ?? Country.name(of: code)
            // Cache only countries that exist.
            if Country.isKnown(code) { known[code] = name }
            return name
        }
    }

    /// `Central European Time`. Only zones that exist come here, so there are few.
    func name(of zone: Zone) -> String {
        zones.withLock { known in
            if let name = known[zone.identifier] { return name }
            let name = zone.name(in: locale)
            known[zone.identifier] = name
            return name
        }
    }

    /// `1.2`; `1,2`.
    func text(tenths: Int) -> String { text(tenths / 10) + point + written(tenths % 10) }

    /// Digits in the language's script, with leading zeros to `width`.
    func written(_ number: Int, _ width: Int = 1) -> String {
        let text = digits(number, width)
        return numerals[0] == "0" ? text : text.compactMap { $0.wholeNumberValue.map { numerals[$0] } }.joined()
    }
}

// MARK: - Locale-dependent values

/// A formatted day.
struct DayText: LocalValue {
    let day: Day
    let style: Style

    /// The fields, as a CLDR skeleton.
    enum Style: String, CaseIterable {
        /// `Sunday, November 22`
        case heading = "EEEEMMMMd"
        /// `Sunday, November 22, 2026`
        case full = "EEEEMMMMdy"
        /// `Sun, Nov 22`
        case short = "EEEMMMd"
        /// `November 22`
        case plain = "MMMMd"
        /// `Nov 22, 2026`
        case date = "yMMMd"
        /// `November 2026`
        case month = "MMMMy"
        /// `November`
        case monthAlone = "LLLL"
        /// `2026`
        case year = "y"
    }

    func text(in locale: String) -> String { Formats.of(locale).text(self) }
}

/// A separator of a list.
struct ListSeparator: LocalValue {
    let style: Style
    /// The number of parts in the list.
    let count: Int
    /// Whether it is the separator before the last part.
    let isLast: Bool

    enum Style: CaseIterable {
        /// With a conjunction: `Mo, Lu, and Vy`.
        case and
        /// Short: `Mo, Lu, Vy`.
        case short
    }

    func text(in locale: String) -> String { Formats.of(locale).text(self) }
}

extension [Words] {
    /// The parts joined in the language's style: `Mo, Lu, and Vy`; or short: `Mo, Lu, Vy`.
    func listed(_ style: ListSeparator.Style = .and) -> Words {
        if count == 1 { return self[0] }
        var parts: [Words] = []
        for (index, words) in enumerated() {
            if index > 0 { parts.append(Words(ListSeparator(style: style, count: count, isLast: index == count - 1))) }
            parts.append(words)
        }
        return Words(joining: parts)
    }
}

extension [String] {
    /// The names joined in the language's style: `Mo, Lu, and Vy`; or short: `Mo, Lu, Vy`.
    func listed(_ style: ListSeparator.Style = .and) -> Words { map(Words.init(verbatim:)).listed(style) }
}

extension TimeOfDay: LocalValue {
    func text(in locale: String) -> String { Formats.of(locale).text(self) }
}

extension Money: LocalValue {
    func text(in locale: String) -> String { Formats.of(locale).text(self) }
}

extension Day {
    private func words(_ style: DayText.Style) -> Words { Words(DayText(day: self, style: style)) }

    /// For headings: `Sunday, November 22`.
    var name: Words { words(.heading) }

    /// For detail pages: `Sunday, November 22, 2026`.
    var fullName: Words { words(.full) }

    /// For lists: `Sun, Nov 22`.
    var shortName: Words { words(.short) }

    /// For titles, next to a name that may contain a weekday: `November 22`.
    var plainName: Words { words(.plain) }

    /// For logs: `Nov 22, 2026`.
    var date: Words { words(.date) }

    /// Its year: `2026`.
    var yearName: Words { words(.year) }

    /// Its month: `November 2026`.
    var monthName: Words { words(.month) }

    /// The names of the months.
    static let monthNames: [Words] = (1...12).map { Day(year: 2024, month: $0, day: 1)!.words(.monthAlone) }
}

extension Zone {
    /// The day and time of an instant in this zone.
    func words(_ instant: Instant, _ day: KeyPath<Day, Words> = \.fullName) -> Words {
        let local = local(instant)
        return "\(local.day[keyPath: day], as: "day"), \(local.time, as: "time")"
    }
}

extension Zone {
    /// A moment at a place with another clock, such as the end of an offer, by the clock of a reader in this zone: it
    /// says that it is theirs, where clocks at the place show another time.
    func words(_ instant: Instant, besides place: Zone, _ day: KeyPath<Day, Words> = \.shortName) -> Words {
        let time = words(instant, day)
        return place.local(instant) == local(instant) ? time : "\(time, as: "time") by your clock"
    }
}

extension TimeOfDay {
    /// For pages: `9:30 AM`, `19:00`.
    var name: Words { Words(self) }
}

extension Money {
    /// A price: `Free`, `$9`, `Pay what you can, about $9`; nil if there is none.
    static func words(_ price: Money?, isOpen: Bool) -> Words? {
        switch (price, isOpen) {
        case (nil, false): nil
        case (nil, true): "Pay what you can"
        case (let price?, true) where price.minorUnits == 0: "Pay what you can"
        case (let price?, true): "Pay what you can, about \(price, as: "price")"
        case (let price?, false): price.minorUnits == 0 ? "Free" : Words(price)
        }
    }
}
