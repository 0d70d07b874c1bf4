/// An amount of money in the currency's smallest unit, such as cents.
struct Money: Hashable, Sendable {
    let minorUnits: Int
    /// ISO 4217, such as `USD`.
    let currency: String

    /// As a form writes it: `8`, `8.50`.
    var typed: String {
        let rest = minorUnits % 100
        return rest == 0 ? String(minorUnits / 100) : "\(minorUnits / 100).\(digits(rest, 2))"
    }

    /// Reads `8`, `8.50`, `8,50`, `$8`, `8 USD`, `1,000`, `free`: one number, and beside it at most one sign of the
    /// currency; up to 100,000.
    init?(typed: String, currency: String) {
        var text = Self.trim(typed[...])
        for sign in [Self.sign(of: currency), currency].compactMap(\.self) {
            let length = sign.count
            if text.count > length, text.prefix(length).lowercased() == sign.lowercased() {
                text = Self.trim(text.dropFirst(length))
                break
            }
            if text.count > length, text.suffix(length).lowercased() == sign.lowercased() {
                text = Self.trim(text.dropLast(length))
                break
            }
        }
        guard let amount = text.lowercased() == "free" ? 0 : Self.hundredths(text), amount < 10_000_100 else {
            return nil
        }
        self.init(minorUnits: amount, currency: currency)
    }

    init(minorUnits: Int, currency: String) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    private static func sign(of currency: String) -> String? {
        switch currency {
        case "USD", "CAD", "AUD", "NZD": "$"
        case "EUR": "€"
        case "GBP": "£"
        default: nil
        }
    }

    private static func trim(_ text: Substring) -> Substring {
        let start = text.drop(while: \.isWhitespace)
        return start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)]
    }

    /// A number with at most two places behind a point or a comma.
    private static func hundredths(_ text: Substring) -> Int? {
        var whole = text
        var places = 0
        var point: Character?
        if let last = text.lastIndex(where: { $0 == "." || $0 == "," }) {
            let behind = text[text.index(after: last)...]
            if behind.count <= 2 {
                guard let cents = number(behind) else { return nil }
                places = behind.count == 1 ? cents * 10 : cents
                point = text[last]
                whole = text[..<last]
            }
        }
        // Thousands stand apart by one kind of sign; by a point only where a comma follows, as 8.505 is no price.
        let groups = whole.split(omittingEmptySubsequences: false) { !$0.isASCII || !$0.isNumber }
        let signs = Set(whole.filter { !$0.isASCII || !$0.isNumber })
        if groups.count > 1 {
            guard signs.count == 1, let sign = signs.first, sign != point,
                groups.dropFirst().allSatisfy({ $0.count == 3 }),
                ",' ’\u{A0}\u{202F}\u{2009}".contains(sign) || sign == "." && point == ",",
                (1...3).contains(groups[0].count), groups[0].first != "0"
            else { return nil }
        }
        return number(Substring(groups.joined())).map { $0 * 100 + places }
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (48...57).contains($0) } && text.utf8.count <= 9 ? Int(text) : nil
    }
}
