import Foundation

/// A screen color (sRGB).
struct Color: Sendable, Equatable {
    let red, green, blue: UInt8

    static let white = Color(red: 255, green: 255, blue: 255)
    static let black = Color(red: 0, green: 0, blue: 0)

    init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// Parses six or three hexadecimal digits, as in CSS; the `#` is optional.
    init?(_ typed: String) {
        var digits = typed.split(whereSeparator: \.isWhitespace).joined()[...]
        if digits.hasPrefix("#") { digits.removeFirst() }
        if digits.utf8.count == 3 { digits = digits.flatMap { [$0, $0] }.map(String.init).joined()[...] }
        guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let bits = UInt32(digits, radix: 16) else {
            return nil
        }
        self.init(red: UInt8(bits >> 16), green: UInt8(bits >> 8 & 0xFF), blue: UInt8(bits & 0xFF))
    }

    /// Six digits, lowercase.
    var digits: String {
        [red, green, blue].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The color in CSS.
    var css: String { "#\(digits)" }

    /// The relative luminance, from 0 for black to 1 for white (WCAG 2.2).
    private var luminance: Double {
        func linear(_ value: UInt8) -> Double {
            let part = Double(value) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast ratio: from 1, unreadable, to 21, black on white (WCAG 2.2).
    func contrast(on ground: Color) -> Double {
        let (one, other) = (luminance, ground.luminance)
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    /// A mixture with a `share` of `other`, from 0 to 1.
    func mixed(with other: Color, _ share: Double) -> Color {
        func part(_ own: UInt8, _ added: UInt8) -> UInt8 {
            UInt8((Double(own) + (Double(added) - Double(own)) * share).rounded())
        }
        return Color(red: part(red, other.red), green: part(green, other.green), blue: part(blue, other.blue))
    }

    /// The first mixture with `other` for which `good` returns true, in steps of a fiftieth; `other` if there is none.
    func mixed(with other: Color, from share: Double = 0, until good: (Color) -> Bool) -> Color {
        stride(from: share, to: 1, by: 0.02).lazy.map { mixed(with: other, $0) }.first(where: good) ?? other
    }
}
