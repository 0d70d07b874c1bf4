import Forms
import Foundation

/// The countries of ISO 3166-1 and the format of their addresses.
enum Country {
    /// The code and English name of each country, sorted by name. The names are Unicode CLDR's, through Foundation.
    static let all: [(code: String, name: String)] = {
        let english = Locale(identifier: "en")
        return Locale.Region.isoRegions
            .filter { $0.identifier.count == 2 && $0.identifier.allSatisfy(\.isLetter) && $0.subRegions.isEmpty }
            .compactMap { region in
                english.localizedString(forRegionCode: region.identifier).map { (region.identifier, $0) }
            }
            .sorted { $0.1 < $1.1 }
    }()

    static func isKnown(_ code: String) -> Bool { names[code] != nil }

    static func name(of code: String) -> String { names[code] ?? code }

    private static let names = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0.name) })

    /// The currency for typed prices; ISO 4217 through Foundation, which may be older than the latest changes.
    static func currency(of code: String) -> String {
        switch code {
        case "BG": "EUR"
        case "VE": "VES"
        case "AQ": "USD"
        default: Locale(identifier: "en_\(code)").currency?.identifier ?? "USD"
        }
    }

    /// The codes and names of the US states, the district and the territories (USPS Publication 28, appendix B).
    static let states: [(code: String, name: String)] = [
        ("AL", "Alabama"), ("AK", "Alaska"), ("AS", "American Samoa"), ("AZ", "Arizona"), ("AR", "Arkansas"),
        ("CA", "California"), ("CO", "Colorado"), ("CT", "Connecticut"), ("DE", "Delaware"),
        ("DC", "District of Columbia"), ("FL", "Florida"), ("GA", "Georgia"), ("GU", "Guam"), ("HI", "Hawaii"),
        ("ID", "Idaho"), ("IL", "Illinois"), ("IN", "Indiana"), ("IA", "Iowa"), ("KS", "Kansas"), ("KY", "Kentucky"),
        ("LA", "Louisiana"), ("ME", "Maine"), ("MD", "Maryland"), ("MA", "Massachusetts"), ("MI", "Michigan"),
        ("MN", "Minnesota"), ("MS", "Mississippi"), ("MO", "Missouri"), ("MT", "Montana"), ("NE", "Nebraska"),
        ("NV", "Nevada"), ("NH", "New Hampshire"), ("NJ", "New Jersey"), ("NM", "New Mexico"), ("NY", "New York"),
        ("NC", "North Carolina"), ("ND", "North Dakota"), ("MP", "Northern Mariana Islands"), ("OH", "Ohio"),
        ("OK", "Oklahoma"), ("OR", "Oregon"), ("PA", "Pennsylvania"), ("PR", "Puerto Rico"), ("RI", "Rhode Island"),
        ("SC", "South Carolina"), ("SD", "South Dakota"), ("TN", "Tennessee"), ("TX", "Texas"), ("UT", "Utah"),
        ("VT", "Vermont"), ("VA", "Virginia"), ("VI", "Virgin Islands"), ("WA", "Washington"),
        ("WV", "West Virginia"), ("WI", "Wisconsin"), ("WY", "Wyoming"),
    ]

    /// The code of a US state given by code or name in any case, also as `D.C.`; `nil` if it isn't one.
    static func state(typed: String) -> String? {
        let key = folded(typed)
        let letters = key.replacing(" ", with: "")
        return states.first { $0.code.lowercased() == letters || folded($0.name) == key }?.code
    }

    /// The code of a country given by code or name, in English, in the country's most common language, or in one of a
    /// few others; nil if it isn't one.
    static func code(typed: String) -> String? {
        let key = folded(typed)
        return codes[key] ?? (key.utf8.count > 2 ? foreign[key] : nil)
    }

    private static let codes: [String: String] = {
        let short = """
            US usa
            US u s a
            US u s
            US united states of america
            GB uk
            GB u k
            GB great britain
            GB england
            GB scotland
            GB wales
            GB northern ireland
            NL holland
            AE uae
            """
            .split(separator: "\n").map { (String($0.dropFirst(3)), String($0.prefix(2))) }
        let pairs = all.map { (folded($0.name), $0.code) } + all.map { ($0.code.lowercased(), $0.code) } + short
        return Dictionary(pairs) { first, _ in first }
    }()

    /// The names in other languages; CLDR's, through Foundation.
    private static let foreign: [String: String] = {
        func names(in locale: (String) -> String) -> [(String, String)] {
            all.compactMap { country in
                Locale(identifier: locale(country.code)).localizedString(forRegionCode: country.code).map {
                    (folded($0), country.code)
                }
            }
        }
        let pairs = ["es", "de", "ar", "fr"].flatMap { language in names { _ in language } } + names(in: locale(of:))
        return Dictionary(pairs) { first, _ in first }
    }()
}

/// A country's name in each language.
struct CountryName: LocalValue {
    let code: String

    func text(in locale: String) -> String {
        locale.hasPrefix("en-") ? Country.name(of: code) : Formats.of(locale).name(ofCountry: code)
    }
}
