import Forms

/// Postal codes as people type them and as their countries write them.
enum PostalCode {
    /// A typed code in its country's form: `sw1a1aa` is `SW1A 1AA` in the United Kingdom, `1012ab` is `1012 AB` in the
    /// Netherlands, `D-10437` is `10437` in Germany. What has another form keeps it, with capitals and plain digits.
    static func written(_ typed: String, in country: String) -> String {
        guard !typed.isEmpty else { return "" }
        let text = typed.plainSigns.uppercased().replacing("〒", with: "").squeezed
        let code = text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        for shape in shapes(of: country) {
            if let written = filled(shape, with: code) { return written }
        }
        return withoutCountry(text, country)
    }

    /// Whether it has a form that its country's codes have; false for countries whose forms aren't known here.
    static func isWhole(_ code: String, in country: String) -> Bool {
        shapes(of: country).contains { filled($0, with: code.filter { $0 != " " && $0 != "-" }) == code }
    }

    /// A shape with a code's letters and digits in the places of its `A` and `9`; nil if they don't fit.
    private static func filled(_ shape: Substring, with code: String) -> String? {
        var rest = code[...]
        var written = ""
        for sign in shape {
            switch sign {
            case "9", "A", "*":
                guard let next = rest.popFirst(), sign == "*" || next.isNumber == (sign == "9") else { return nil }
                written.append(next)
            case "_": written.append(" ")
            default: written.append(sign)
            }
        }
        return rest.isEmpty ? written : nil
    }

    /// A code without the sign of its country, which letters from abroad had once: `D-10437`, `CH-8001`.
    private static func withoutCountry(_ text: String, _ country: String) -> String {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard withSign.contains(country), parts.count == 2, (1...3).contains(parts[0].count),
            parts[0].allSatisfy(\.isLetter), parts[1].first?.isNumber == true
        else { return text }
        return written(String(parts[1]), in: country)
    }

    private static let withSign: Set<String> = [
        "AT", "BE", "BG", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "GR", "HR", "HU", "IS", "IT", "LI", "LU", "MC",
        "ME", "NL", "NO", "PL", "PT", "RO", "RS", "SE", "SI", "SK", "SM", "TR",
    ]

    private static func shapes(of country: String) -> [Substring] { (shapes[country] ?? "").split(separator: "|") }

    /// The shapes of codes that people write in several ways: `9` is a digit, `A` a letter, `*` either, `_` a blank.
    private static let shapes = [
        "US": "99999|99999-9999", "PR": "99999|99999-9999", "GU": "99999|99999-9999", "VI": "99999|99999-9999",
        "CA": "A9A_9A9", "GB": british, "IM": british, "JE": british, "GG": british, "GI": british,
        "IE": "A99_****|A9A_****", "NL": "9999_AA", "MT": "AAA_9999", "PL": "99-999", "PT": "9999-999",
        "BR": "99999-999", "JP": "999-9999", "SE": "999_99", "CZ": "999_99", "SK": "999_99", "GR": "999_99",
        "IN": "999999", "CN": "999999", "SG": "999999", "KR": "99999",
    ]

    private static let british = "A9_9AA|A99_9AA|AA9_9AA|AA99_9AA|A9A_9AA|AA9A_9AA"
}
