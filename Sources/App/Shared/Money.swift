/// An amount of money in the currency's smallest unit, such as cents.
struct Money: Hashable, Sendable {
    let minorUnits: Int
    /// ISO 4217, such as `USD`.
    let currency: String

    var isFree: Bool { minorUnits == 0 }

    /// As pages write it: `$8`, `$8.50`, `12 CHF`.
    var text: String {
        let whole = minorUnits / 100
        let rest = minorUnits % 100
        let amount = rest == 0 ? String(whole) : "\(whole).\(digits(rest, 2))"
        return switch currency {
        case "USD", "CAD", "AUD", "NZD": "$\(amount)"
        case "EUR": "€\(amount)"
        case "GBP": "£\(amount)"
        default: "\(amount) \(currency)"
        }
    }

    /// As a form writes it: `8`, `8.50`.
    var typed: String {
        let rest = minorUnits % 100
        return rest == 0 ? String(minorUnits / 100) : "\(minorUnits / 100).\(digits(rest, 2))"
    }

    /// Reads `8`, `8.50`, `8,50`, `$8`, `free`; up to 100,000.
    init?(typed: String, currency: String) {
        var text = typed.lowercased().filter { !$0.isWhitespace && !"$€£".contains($0) }
        if text.hasSuffix(currency.lowercased()) { text.removeLast(currency.count) }
        if text == "free" { text = "0" }
        let parts = text.split(separator: text.contains(",") ? "," : ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Self.number(parts[0]), whole <= 100_000 else { return nil }
        var cents = 0
        if parts.count == 2 {
            guard (1...2).contains(parts[1].count), let number = Self.number(parts[1]) else { return nil }
            cents = parts[1].count == 1 ? number * 10 : number
        }
        self.init(minorUnits: whole * 100 + cents, currency: currency)
    }

    init(minorUnits: Int, currency: String) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (48...57).contains($0) } && text.utf8.count <= 9 ? Int(text) : nil
    }
}
