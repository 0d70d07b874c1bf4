import Forms

/// An amount of money in the currency's smallest unit, such as cents.
struct Money: Hashable, Sendable {
    /// The amount in the smallest unit, according to `Currency.places`: 850 is $8.50, ¥850 or KWD 0.850.
    let minorUnits: Int
    /// ISO 4217, such as `USD`.
    let currency: String

    init(minorUnits: Int, currency: String) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// For programs: `8`, `8.50`, `1.250`.
    var decimal: String { written(point: ".") }

    /// For forms: if three decimals could be read as thousands, with the decimal separator of the currency's home.
    var typed: String {
        Currency.places(of: currency) == 3 ? written(point: Currency.point(of: currency, in: nil)) : decimal
    }

    /// For a country's spreadsheets.
    func written(point: Character) -> String {
        let places = Currency.places(of: currency)
        let (whole, rest) = minorUnits.quotientAndRemainder(dividingBy: Currency.units(of: currency))
        return rest == 0 ? String(whole) : "\(whole)\(point)\(digits(rest, places))"
    }
}

// MARK: - Parsing

extension Money {
    /// The reasons why a typed amount is refused.
    enum Flaw: Error, Equatable {
        /// It isn't an amount, or is ambiguous.
        case unclear
        /// It has more decimals than its currency.
        case tooFine
        case tooMuch
    }

    /// Words for an amount of zero, of the languages that come along and of some others.
    private static let free: Set<String> = [
        "free", "gratis", "kostenlos", "kostenfrei", "frei", "umsonst", "gratuito", "gratuita", "grátis",
        "gratuit", "مجاني", "مجانية", "مجانا", "مجانًا", "無料", "免费", "免費", "무료", "бесплатно", "безкоштовно",
        "ücretsiz", "bezpłatnie", "zdarma", "ingyenes", "besplatno", "δωρεάν", "חינם", "ฟรี", "bedava",
        "kosteloos", "ilmainen", "maksuton",
    ]
    /// The same in several words.
    private static let freeOfCharge = Set(
        """
        free entry
        free admission
        free of charge
        no charge
        no cost
        eintritt frei
        freier eintritt
        entrada libre
        entrada gratuita
        entrada gratis
        entrée libre
        entrée gratuite
        ingresso libero
        ingresso gratuito
        entrada franca
        za darmo
        miễn phí
        """
        .split(separator: "\n").map(String.init))

    /// The highest accepted amount, in whole units.
    static let most = 100_000_000_000

    /// Parses `8`, `8.50`, `8,50`, `$8`, `8 USD`, `1,000`, `1’250.-`, `12,50,000`, `free`, with digits of any script:
    /// one number and at most one currency sign.
    ///
    /// - Parameter country: The country whose separators apply: `2.500` is two thousand five hundred in Germany, and
    ///   not a price in the US. Nil for the currency's home.
    init?(typed: String, currency: String, in country: String? = nil) {
        guard let money = try? Money(reading: typed, currency: currency, in: country) else { return nil }
        self = money
    }

    /// Parses an amount, and throws what is wrong with it.
    init(reading typed: String, currency: String, in country: String?) throws(Flaw) {
        let text = typed.replacing("\u{60C}", with: ",").plainSigns.trimmed
        let places = Currency.places(of: currency)
        let words = text.lowercased()
        let said = words.hasSuffix("!") ? String(words.dropLast()).trimmed : words
        guard !Self.free.contains(said), !Self.freeOfCharge.contains(said) else {
            self.init(minorUnits: 0, currency: currency)
            return
        }
        if let cents = Self.cents(words, of: currency) {
            self.init(minorUnits: cents, currency: currency)
            return
        }
        var number = Self.withoutDash(Self.withoutSign(text, of: currency, in: country), of: currency)
        // Swedish amounts may have a colon before the hundredths.
        if currency == "SEK", Self.hasColon(number) { number.replace(":", with: ",") }
        let (whole, fraction) = try Self.split(
            number, places: places, point: Currency.point(of: currency, in: country),
            isCostly: Currency.costly.contains(currency))
        guard whole.utf8.count <= 15, let units = Int(whole) else { throw .tooMuch }
        // Zero decimals are harmless in a currency without decimals.
        guard fraction.utf8.count <= places || (fraction == "0" || fraction == "00") else { throw .tooFine }
        let padded = (fraction + String(repeating: "0", count: places)).prefix(places)
        let rest = Int(padded) ?? 0
        guard units < Self.most || (units == Self.most && rest == 0) else { throw .tooMuch }
        self.init(minorUnits: units * Currency.units(of: currency) + rest, currency: currency)
    }

    /// The meaning of zero in a form.
    enum Zero { case nothing, free, isRefused }

    /// An error message for an amount, with an example in the page's format; nil if it is fine.
    static func problem(with typed: String, currency: String, in country: String?, zero: Zero = .isRefused) -> Words? {
        let example = example(currency)
        do throws(Flaw) {
            let money = try Money(reading: typed, currency: currency, in: country)
            if money.minorUnits > 0 || zero != .isRefused { return nil }
        } catch {
            switch error {
            case .unclear: break
            case .tooMuch: return "Write an amount of at most \(Money(whole: most, currency), as: "limit")."
            case .tooFine where Currency.places(of: currency) == 0:
                return "Write a whole amount like \(example, as: "amount"): this currency has no smaller parts."
            case .tooFine:
                return """
                    Write the amount with at most \(Currency.places(of: currency), as: "places") digits after the \
                    decimal point, like \(example, as: "amount").
                    """
            }
        }
        return zero == .free
            ? "Write the price like \(example, as: "amount"), and 0 for free."
            : "Write the amount like \(example, as: "amount")."
    }

    /// A plausible price for an afternoon, in a form in which it can be typed.
    private static func example(_ currency: String) -> Money {
        if Currency.costly.contains(currency) { return Money(whole: 150_000, currency) }
        return Money(minorUnits: [0: 1_500, 3: 8_500][Currency.places(of: currency)] ?? 850, currency: currency)
    }

    private init(whole: Int, _ currency: String) {
        self.init(minorUnits: whole * Currency.units(of: currency), currency: currency)
    }

    /// Removes the currency sign before or after a number, or between its whole units and its hundredths.
    private static func withoutSign(_ text: String, of currency: String, in country: String?) -> String {
        let lower = text.lowercased()
        for sign in Currency.signs(of: currency, in: country) where lower.count > sign.count {
            if lower.hasPrefix(sign) { return String(text.dropFirst(sign.count)).trimmed }
            if lower.hasSuffix(sign) { return String(text.dropLast(sign.count)).trimmed }
        }
        guard Currency.places(of: currency) == 2 else { return text }
        // In place of the decimal separator, as in France: `2€50`.
        for sign in Currency.signs(of: currency, in: country) {
            let parts = lower.split(separator: sign, omittingEmptySubsequences: false).map { String($0).trimmed }
            if parts.count == 2, parts[0].last?.isNumber == true, parts[1].utf8.count == 2, parts[1].isDigits {
                return "\(parts[0])\u{66B}\(parts[1])"
            }
        }
        return text
    }

    /// The hundredths of less than one unit: `50¢`, `50 Cent`, `99p`; nil for other amounts.
    private static func cents(_ text: String, of currency: String) -> Int? {
        guard Currency.places(of: currency) == 2 else { return nil }
        let cents = withCents.contains(currency) ? ["cents", "cent", "ct", "¢"] : []
        let signs = currency == "GBP" ? ["pence", "p"] : cents
        guard let sign = signs.first(where: text.hasSuffix) else { return nil }
        let number = String(text.dropLast(sign.count)).trimmed
        return number.utf8.count <= 2 && number.isDigits ? Int(number) : nil
    }

    private static let withCents: Set<String> = ["USD", "EUR", "CAD", "AUD", "NZD", "SGD", "HKD", "ZAR"]

    /// Removes a dash in place of decimals: `20.-`, `150:-`, `20,--`, in India `500/-` and in East Africa `5,000/=`. In
    /// Japan a dash ends an amount so that nothing is added: `¥1,500-`.
    private static func withoutDash(_ text: String, of currency: String) -> String {
        let dashes = currency == "JPY" ? dashes + ["-"] : dashes
        return dashes.first(where: text.hasSuffix).map { String(text.dropLast($0.count)) } ?? text
    }

    private static let dashes = [".-", ",-", ":-", ".--", ",--", ":--", "/-", "/="]

    /// Whether a colon stands before two digits at the end: `1 250:50`.
    private static func hasColon(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1].utf8.count == 2 && parts[1].isDigits && !parts[0].isEmpty
            && parts[0].allSatisfy { "0123456789 .".contains($0) }
    }

    /// Splits the digits at the decimal separator.
    private static func split(
        _ text: String, places: Int, point: Character, isCostly: Bool
    ) throws(Flaw) -> (whole: String, fraction: String) {
        guard let first = text.first, first.isASCII, first.isNumber else { throw .unclear }
        guard let last = text.lastIndex(where: { !$0.isASCII || !$0.isNumber }) else { return (text, "") }
        let (sign, behind) = (text[last], text[text.index(after: last)...])
        let others = Set(text[..<last].filter { !$0.isASCII || !$0.isNumber })
        guard behind.isDigits, others.count <= 1 else { throw .unclear }
        let mayBePoint = sign == "\u{66B}" || ((sign == "." || sign == ",") && !others.contains(sign))
        guard mayBePoint else { return (try joined(text), "") }
        let isPoint: Bool
        switch behind.utf8.count {
        case _ where sign == "\u{66B}": isPoint = true
        case 1, 2: isPoint = true
        // Three digits after a single separator are decimals if the currency has thousandths, otherwise thousands. But
        // a point separates thousands only if it isn't the decimal separator: 8.505 isn't a price.
        case 3 where !others.isEmpty: isPoint = true
        case 3 where sign == point && places == 3:
            // A thousandth of next to nothing, or thousands: `25.000` in Iraq.
            guard !isCostly else { throw .unclear }
            isPoint = true
        case 3 where sign == "." && (point == "." || places == 3): throw places == 2 ? .tooFine : .unclear
        case 3: isPoint = false
        default: throw .unclear
        }
        return isPoint ? (try joined(String(text[..<last])), String(behind)) : (try joined(text), "")
    }

    /// The digits of a whole number with one kind of grouping separator, including Indian grouping: `12,50,000`.
    private static func joined(_ text: String) throws(Flaw) -> String {
        let groups = text.split(omittingEmptySubsequences: false) { !$0.isASCII || !$0.isNumber }
        guard groups.allSatisfy(\.isDigits) else { throw .unclear }
        guard groups.count > 1 else { return text }
        let signs = Set(text.filter { !$0.isASCII || !$0.isNumber })
        guard let sign = signs.first, signs.count == 1, ",.' ’\u{66C}".contains(sign), groups[0].first != "0",
            groups[groups.count - 1].utf8.count == 3
        else { throw .unclear }
        let between = groups.dropFirst().dropLast()
        let byThousands = groups[0].utf8.count <= 3 && between.allSatisfy { $0.utf8.count == 3 }
        let byLakhs =
            sign == "," && groups[0].utf8.count <= 2 && !between.isEmpty && between.allSatisfy { $0.utf8.count == 2 }
        guard byThousands || byLakhs else { throw .unclear }
        return groups.joined()
    }
}

extension String {
    /// Without surrounding white space.
    fileprivate var trimmed: String {
        let start = drop { $0 == " " }
        return String(start[..<(start.lastIndex { $0 != " " }.map(start.index(after:)) ?? start.startIndex)])
    }
}
