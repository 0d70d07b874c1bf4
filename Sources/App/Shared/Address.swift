import Foundation

/// Where something is, as an envelope says it.
struct Address: Sendable, Equatable {
    var street = ""
    var city = ""
    /// A two-letter code in the US, free text elsewhere, maybe empty.
    var state = ""
    /// A ZIP or postal code: text, for it may begin with a zero or hold letters.
    var zip = ""
    /// ISO 3166-1 alpha-2.
    var country = "US"

    /// `San Jose, CA 95113`, `10437 Berlin`.
    var town: String {
        country == "US"
            ? [city, [state, zip].filter { !$0.isEmpty }.joined(separator: " ")].filter { !$0.isEmpty }
                .joined(separator: ", ")
            : [[zip, city].filter { !$0.isEmpty }.joined(separator: " "), state].filter { !$0.isEmpty }
                .joined(separator: ", ")
    }

    /// In one line: `180 Park Ave, San Jose, CA 95113`.
    var line: String { street.isEmpty ? town : "\(street), \(town)" }
}

/// A city's name as it is compared: case, accents and punctuation folded, so that `San José` finds `san jose`.
func folded(_ name: String) -> String {
    let plain = name.decomposedStringWithCanonicalMapping.unicodeScalars.filter { !$0.properties.isDiacritic }
    var key = ""
    for scalar in String(String.UnicodeScalarView(plain)).lowercased().unicodeScalars {
        if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
            key.unicodeScalars.append(scalar)
        } else if !key.isEmpty, key.last != " " {
            key.append(" ")
        }
    }
    while key.last == " " { key.removeLast() }
    return key
}
