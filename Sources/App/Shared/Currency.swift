import Foundation
import Synchronization

/// Facts about currencies.
enum Currency {
    /// The number of digits after the decimal separator (ISO 4217).
    static func places(of code: String) -> Int {
        if withoutParts.contains(code) { return 0 }
        return withThousandths.contains(code) ? 3 : 2
    }

    /// The number of smallest units in one unit.
    static func units(of code: String) -> Int {
        switch places(of: code) {
        case 0: 1
        case 3: 1_000
        default: 100
        }
    }

    static let withoutParts: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
        "XPF",
    ]
    static let withThousandths: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

    /// Currencies of which one unit buys next to nothing.
    static let costly: Set<String> = [
        "COP", "GNF", "IDR", "IQD", "IRR", "KHR", "LAK", "LBP", "MGA", "MMK", "PYG", "SLL", "STN", "UGX", "UZS", "VND",
    ]

    /// The decimal separator.
    ///
    /// - Parameter country: The country of the page; nil for the currency's home, which its ISO 4217 code names.
    static func point(of currency: String, in country: String?) -> Character {
        if let country { return Country.point(of: country) }
        switch currency {
        case "EUR", "XAF", "XOF", "XPF": return ","
        default: return Country.point(of: String(currency.prefix(2)))
        }
    }

    /// The signs that may accompany an amount, in lowercase, longest first: the code, common spellings, and the signs
    /// in English and in the country's language.
    static func signs(of currency: String, in country: String?) -> [String] {
        let key = "\(currency) \(country ?? "")"
        return known.withLock { known in
            if let signs = known[key] { return signs }
            var signs = (common[currency] ?? []) + [currency.lowercased()]
            let home = country ?? String(currency.prefix(2))
            for locale in ["en-US", "en-\(home)", Country.locale(of: home)] {
                let sign = Formats.of(locale).sign(of: currency).plainSigns.lowercased()
                if !sign.isEmpty { signs.append(sign) }
            }
            signs = Array(Set(signs)).sorted { ($1.count, $0) < ($0.count, $1) }
            if Country.isKnown(home) { known[key] = signs }
            return signs
        }
    }

    private static let known = Mutex<[String: [String]]>([:])

    private static let common: [String: [String]] = [
        "USD": ["$", "us$", "dollar", "dollars"], "CAD": ["$", "ca$", "c$"], "AUD": ["$", "a$", "au$"],
        "NZD": ["$", "nz$"], "SGD": ["$", "s$"], "HKD": ["$", "hk$"], "TWD": ["$", "nt$", "元"],
        "MXN": ["$", "mx$", "pesos"], "JMD": ["$", "j$"], "TTD": ["$", "tt$"], "BBD": ["$", "bds$"],
        "DOP": ["$", "rd$"], "ARS": ["$", "pesos"], "CLP": ["$", "pesos"], "COP": ["$", "pesos"],
        "UYU": ["$", "$u", "pesos"], "BRL": ["r$", "real", "reais"], "EUR": ["€", "euro", "euros"],
        "GBP": ["£", "pound", "pounds"], "CHF": ["fr", "fr.", "sfr", "sfr.", "franken", "francs"],
        "SEK": ["kr", "kr.", "kronor"], "NOK": ["kr", "kr.", "kroner"], "DKK": ["kr", "kr.", "kroner"],
        "ISK": ["kr", "kr.", "krónur"], "JPY": ["¥", "円", "yen"], "CNY": ["¥", "元", "块", "rmb", "yuan"],
        "KRW": ["₩", "원", "won"], "INR": ["₹", "rs", "rs.", "rupees"], "PKR": ["rs", "rs.", "₨", "rupees"],
        "LKR": ["rs", "rs.", "රු"], "NPR": ["rs", "rs.", "रु"], "MUR": ["rs", "rs."], "BDT": ["৳", "tk", "tk."],
        "IDR": ["rp", "rp."], "VND": ["₫", "đ", "đồng", "vnđ"], "THB": ["฿", "บาท", "baht"], "MYR": ["rm"],
        "PHP": ["₱", "p", "pesos"], "PLN": ["zł", "zl", "złotych"], "CZK": ["kč", "kc"], "HUF": ["ft", "ft."],
        "RON": ["lei", "leu"], "MDL": ["lei"], "BGN": ["лв", "лв."], "TRY": ["₺", "tl", "lira"],
        "RUB": ["₽", "руб", "руб.", "рублей", "р", "р."], "UAH": ["₴", "грн", "грн."],
        "KZT": ["₸", "тг", "тг.", "тенге"], "UZS": ["сум", "сўм", "so‘m", "so'm"],
        "RSD": ["din", "din.", "дин", "дин."], "MKD": ["ден", "ден."], "BAM": ["km", "км"], "GEL": ["₾", "ლარი"],
        "AMD": ["֏", "դրամ"], "AZN": ["₼", "manat"], "ILS": ["₪", "nis", "ש״ח", "ש\"ח", "שקל", "שקלים", "شيكل"],
        "ZAR": ["r"], "NGN": ["₦", "n"], "KES": ["ksh", "ksh.", "sh"], "TZS": ["tsh", "tsh.", "sh"],
        "UGX": ["ush", "sh"], "GHS": ["₵", "gh₵"], "EGP": ["£e", "e£", "le", "l.e.", "ج.م", "ج.م.", "جنيه"],
        "KWD": ["kd", "k.d.", "د.ك", "دينار"], "BHD": ["bd", "د.ب", "دينار"], "JOD": ["jd", "jds", "د.أ", "دينار"],
        "OMR": ["ر.ع.", "ريال"], "QAR": ["qr", "ر.ق", "ريال"], "YER": ["ر.ي", "ريال"], "IQD": ["د.ع", "دينار"],
        "LYD": ["د.ل", "دينار"], "SDG": ["جنيه"], "SYP": ["ل.س", "ليرة"], "LBP": ["ل.ل", "ليرة"],
        "TND": ["dt", "د.ت", "دينار"], "DZD": ["da", "د.ج", "دينار"], "MAD": ["dh", "dhs", "د.م.", "درهم"],
        "AED": ["dh", "dhs", "dhs.", "د.إ", "درهم"], "SAR": ["sr", "ر.س", "ريال"], "IRR": ["﷼", "ریال"],
        "XAF": ["fcfa", "f cfa", "cfa", "f"], "XOF": ["fcfa", "f cfa", "cfa", "f"], "CRC": ["₡"],
        "PYG": ["₲", "gs", "gs."], "PEN": ["s/", "s/.", "soles"], "BOB": ["bs", "bs."], "MNT": ["₮"], "KHR": ["៛"],
        "LAK": ["₭"],
    ]
}

extension Country {
    private static let points = Mutex<[String: Character]>([:])

    /// The locale of a country's most common language.
    static func locale(of code: String) -> String {
        // Its most common language, Guaraní, has no forms of numbers here; they are written as in Spanish.
        code == "PY" ? "es-PY" : Locale.Language(identifier: "und-\(code)").maximalIdentifier
    }

    /// The decimal separator in a country: a comma in most of the world.
    static func point(of code: String) -> Character {
        points.withLock { points in
            if let point = points[code] { return point }
            let point: Character = Locale(identifier: locale(of: code)).decimalSeparator == "," ? "," : "."
            if isKnown(code) { points[code] = point }
            return point
        }
    }
}
