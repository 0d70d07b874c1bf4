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
    /// and names in English and in the country's language. What ends with a letter may be an abbreviation with a dot.
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
            for locale in ["en-\(home)", Country.locale(of: home)] { signs += names(of: currency, in: locale) }
            signs += signs.filter { $0.last?.isLetter == true }.map { $0 + "." }
            signs = Array(Set(signs)).sorted { ($1.count, $0) < ($0.count, $1) }
            if Country.isKnown(home) { known[key] = signs }
            return signs
        }
    }

    /// A currency's names behind one, two and five, and what they are without the country that has it: `us dollars` and
    /// `dollars`, `українська гривня` and `гривень`; CLDR's, through Foundation, which only names a locale's own
    /// currency.
    private static func names(of currency: String, in locale: String) -> [String] {
        guard Locale(identifier: locale).currency?.identifier == currency else { return [] }
        let formatter = NumberFormatter()
        formatter.locale = Locale(identifier: locale)
        formatter.numberStyle = .currencyPlural
        formatter.maximumFractionDigits = 0
        return [1, 2, 5].flatMap { count -> [String] in
            let text = formatter.string(from: count as NSNumber) ?? ""
            let words = text.plainSigns.lowercased().split(separator: " ").filter {
                !$0.contains(where: \.isNumber) && $0.first != "("
            }
            let ends = [words.first, words.last].compactMap { $0 }.filter { $0.count > 2 && $0.allSatisfy(\.isLetter) }
            return words.isEmpty ? [] : [words.joined(separator: " ")] + ends.map { String($0) }
        }
    }

    private static let known = Mutex<[String: [String]]>([:])

    private static let common: [String: [String]] = [
        "USD": ["$", "us$", "dollar", "dollars", "دولار", "dólares"], "CAD": ["$", "ca$", "c$"],
        "AUD": ["$", "a$", "au$"], "NZD": ["$", "nz$"], "SGD": ["$", "s$"], "HKD": ["$", "hk$"], "NAD": ["$", "n$"],
        "TWD": ["$", "nt$", "元"], "MXN": ["$", "mx$", "pesos"], "JMD": ["$", "j$"], "TTD": ["$", "tt$"],
        "BBD": ["$", "bds$"], "DOP": ["$", "rd$"], "ARS": ["$", "pesos"], "CLP": ["$", "pesos"], "COP": ["$", "pesos"],
        "UYU": ["$", "$u", "pesos"], "CVE": ["$"], "PAB": ["$", "b/", "b/."], "BRL": ["r$", "real", "reais"],
        "EUR": ["€", "euro", "euros"], "GBP": ["£", "pound", "pounds"],
        "CHF": ["fr", "sfr", "franken", "francs"], "SEK": ["kr", "kronor"], "NOK": ["kr", "kroner"],
        "DKK": ["kr", "kroner"], "ISK": ["kr", "krónur"], "JPY": ["¥", "円", "yen"],
        "CNY": ["¥", "元", "块", "rmb", "yuan"], "KRW": ["₩", "원", "won"],
        "INR": ["₹", "rs", "rupees", "रुपये", "रुपए"], "PKR": ["rs", "₨", "rupees"],
        "LKR": ["rs", "රු"], "NPR": ["rs", "रु"], "MUR": ["rs"], "BDT": ["৳", "tk"], "BTN": ["nu"],
        "IDR": ["rp"], "VND": ["₫", "đ", "đồng", "vnđ"], "THB": ["฿", "บาท", "baht"], "MYR": ["rm"], "MMK": ["k", "ks"],
        "PHP": ["₱", "p", "pesos"], "PLN": ["zł", "zl", "złotych"], "CZK": ["kč", "kc", "korun"], "HUF": ["ft"],
        "RON": ["lei", "leu", "de lei"], "MDL": ["lei"], "BGN": ["лв"], "TRY": ["₺", "tl", "lira"],
        "RUB": ["₽", "руб", "рублей", "р"], "BYN": ["br", "руб", "рублей", "р"], "UAH": ["₴", "грн", "гривень"],
        "KZT": ["₸", "тг", "тенге"], "UZS": ["сум", "сўм", "so‘m", "so'm"], "TJS": ["сомони"],
        "RSD": ["din", "дин"], "MKD": ["den", "ден"], "BAM": ["km", "км"], "ALL": ["l", "lek", "lekë"],
        "GEL": ["₾", "ლარი"], "AMD": ["֏", "դրամ"], "AZN": ["₼", "manat"],
        "ILS": ["₪", "nis", "ש״ח", "ש\"ח", "שקל", "שקלים", "شيكل"], "ETB": ["br", "birr"],
        "ZAR": ["r"], "NGN": ["₦", "n", "naira"], "KES": ["ksh", "kshs", "sh", "shs"],
        "TZS": ["tsh", "tshs", "sh", "shs"], "UGX": ["ush", "ushs", "sh", "shs"], "GHS": ["₵", "gh₵", "ghc"],
        "RWF": ["frw", "rf"],
        "EGP": ["£e", "e£", "le", "l.e.", "ج.م", "جنيه"],
        "KWD": ["kd", "k.d.", "د.ك", "دينار"], "BHD": ["bd", "د.ب", "دينار"], "JOD": ["jd", "jds", "د.أ", "دينار"],
        "OMR": ["ro", "r.o.", "ر.ع", "ريال"], "QAR": ["qr", "ر.ق", "ريال"], "YER": ["ر.ي", "ريال"],
        "IQD": ["د.ع", "دينار"], "LYD": ["د.ل", "دينار"], "SDG": ["جنيه"], "SYP": ["ل.س", "ليرة"],
        "LBP": ["ل.ل", "ليرة"], "TND": ["dt", "د.ت", "دينار"], "DZD": ["da", "د.ج", "دج", "دينار"],
        "MAD": ["dh", "dhs", "د.م", "درهم"], "AED": ["dh", "dhs", "د.إ", "درهم"], "SAR": ["sr", "ر.س", "ريال"],
        "IRR": ["﷼", "ریال"], "XAF": ["fcfa", "f cfa", "cfa", "f"], "XOF": ["fcfa", "f cfa", "cfa", "f"],
        "CRC": ["₡"], "GTQ": ["q"], "HNL": ["l"], "PYG": ["₲", "gs"], "PEN": ["s/", "s/.", "soles"], "BOB": ["bs"],
        "MNT": ["₮"], "KHR": ["៛"], "LAK": ["₭"],
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
