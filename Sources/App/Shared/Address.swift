import Forms
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

    /// In one line, with its country: `180 Park Ave, San Jose, CA 95113, United States`.
    var withCountry: Words { [Words(verbatim: line), Words(CountryName(code: country))].listed(.short) }

    /// In one line: `180 Park Ave, San Jose, CA 95113`.
    var line: String { street.isEmpty ? town : "\(street), \(town)" }
}

/// A city's name as it is compared: case, accents and punctuation folded, so that `San José` finds `san jose`.
func folded(_ name: String) -> String {
    foldedASCII(name) ?? foldedUnicode(name)
}

/// As `foldedUnicode`, without its tables, of what is plain ASCII but for quotation marks, dashes and the like, as
/// nearly every text is; nil of any other.
func foldedASCII(_ name: String) -> String? {
    var key: [UInt8] = []
    key.reserveCapacity(name.utf8.count)
    var bytes = name.utf8.makeIterator()
    while let byte = bytes.next() {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): key.append(byte | 0x20)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): key.append(byte)
        case UInt8(ascii: "^"), UInt8(ascii: "`"): continue
        case 0x80...:
            // U+2000 to U+203F: spaces and punctuation.
            guard byte == 0xE2, bytes.next() == 0x80, bytes.next() != nil else { return nil }
            if !key.isEmpty, key.last != UInt8(ascii: " ") { key.append(UInt8(ascii: " ")) }
        default: if !key.isEmpty, key.last != UInt8(ascii: " ") { key.append(UInt8(ascii: " ")) }
        }
    }
    if key.last == UInt8(ascii: " ") { key.removeLast() }
    return String(decoding: key, as: UTF8.self)
}

func foldedUnicode(_ name: String) -> String {
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
