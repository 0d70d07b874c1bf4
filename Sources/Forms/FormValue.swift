import Domains

/// A value that can be parsed from a form and printed into it.
///
/// `V(typed: value.typed)` returns an equal value. A new kind of field starts with a type that conforms.
public protocol FormValue: Sendable {
    /// Parses the trimmed, non-empty text; nil if it has no meaning.
    init?(typed: String)
    /// The text that an input shows for this value.
    var typed: String { get }
}

extension String: FormValue {
    public init?(typed: String) { self = typed }
    public var typed: String { self }
}

extension Bool: FormValue {
    /// Accepts `1`, `on`, `true`, `yes` and their opposites.
    public init?(typed: String) {
        switch typed.lowercased() {
        case "1", "on", "true", "yes": self = true
        case "0", "off", "false", "no": self = false
        default: return nil
        }
    }

    public var typed: String { self ? "1" : "0" }
}

extension Int: FormValue {
    /// Parses a whole number as people write it: a sign, digits of any script, and grouped thousands (`1,000`, `1 000`,
    /// `1'000`).
    ///
    /// A point is refused, because `1.000` is a thousand to some and one to others, and so is a number that doesn't fit
    /// in `Int`.
    public init?(typed: String) { self.init(typed: typed, point: ".") }

    /// Parses a number where the decimal separator is known: where it is a comma, `1.000` is a thousand.
    public init?(typed: String, point: Character) {
        let thousands = point == "," ? Self.thousands.union(["."]) : Self.thousands
        // Direction marks come along with a copied number.
        var scalars = Array(typed.unicodeScalars.filter { $0.properties.generalCategory != .format })
        var sign = 1
        if let first = scalars.first, first == "+" || first == "-" || first == "\u{2212}" {
            sign = first == "+" ? 1 : -1
            scalars.removeFirst()
        }
        let separators = scalars.indices.filter { thousands.contains(scalars[$0]) }
        if let first = separators.first {
            let even = (1...3).contains(first) && (scalars.count - first).isMultiple(of: 4)
            let apart = separators.allSatisfy { ($0 - first).isMultiple(of: 4) && scalars[$0] == scalars[first] }
            guard even, apart, separators.count == (scalars.count - first) / 4 else { return nil }
        }
        let digits = scalars.filter { !thousands.contains($0) }
        guard !digits.isEmpty else { return nil }
        var number = 0
        for digit in digits {
            let properties = digit.properties
            guard properties.numericType == .decimal, let value = properties.numericValue else { return nil }
            // Accumulates with the sign, so that `Int.min` can be read too.
            let (shifted, tooBig) = number.multipliedReportingOverflow(by: 10)
            let (sum, tooBigNow) = shifted.addingReportingOverflow(sign * Int(value))
            guard !tooBig, !tooBigNow else { return nil }
            number = sum
        }
        self = number
    }

    public var typed: String { String(self) }

    private static let thousands: Set<Unicode.Scalar> = [
        ",", " ", "'", "\u{2019}", "\u{A0}", "\u{2007}", "\u{2009}", "\u{202F}", "\u{66C}", "\u{FF0C}",
    ]
}

/// An enum with raw values only has to declare the conformance.
extension FormValue where Self: RawRepresentable, RawValue: FormValue {
    public init?(typed: String) {
        guard let raw = RawValue(typed: typed) else { return nil }
        self.init(rawValue: raw)
    }

    public var typed: String { rawValue.typed }
}

/// An e-mail address that can receive mail: its domain contains a dot.
///
/// The part before the @ follows the HTML standard ("valid e-mail address"), minus misplaced dots (RFC 5321, 4.1.2),
/// and is kept as typed. The domain may be typed in any script and is kept in lowercase ASCII: `eva@BÜCHER.example` is
/// `eva@xn--bcher-kva.example`. The whole is at most 254 bytes, the part before the @ at most 64 (RFC 5321, 4.5.3.1).
public struct EmailAddress: FormValue, Hashable {
    public let typed: String

    /// The reasons why an address can't receive mail.
    public enum Flaw: Error, Equatable {
        case unclear
        /// A leading, trailing or doubled dot before the @.
        case dots
        /// A character before the @ that few mail servers accept.
        case letter(Character)
        /// The part after the @ isn't a domain.
        case domain(String)
        case tooLong
    }

    public init?(typed: String) {
        guard let address = try? EmailAddress(reading: typed) else { return nil }
        self = address
    }

    /// Parses an address, and throws what is wrong with it.
    public init(reading typed: String) throws(Flaw) {
        guard typed.utf8.count <= 1_000 else { throw .tooLong }
        let parts = Self.bare(Punycode.narrow(typed)).split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw .unclear }
        let name = parts[0].utf8
        if let letter = parts[0].first(where: { !$0.isASCII }) {
            if letter.isLetter { throw .letter(letter) }
            throw .unclear
        }
        guard name.allSatisfy({ $0.isLetterOrDigit || Self.marks.contains($0) }) else { throw .unclear }
        if parts[0].hasPrefix(".") || parts[0].hasSuffix(".") || parts[0].contains("..") { throw .dots }
        var domain = Punycode.domain(String(parts[1]))
        // A trailing dot, the DNS root, doesn't change the domain.
        if domain.hasSuffix(".") { domain.removeLast() }
        let labels = domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // Digits only are the end of an IP address.
        guard labels.count >= 2, labels.allSatisfy(Self.isLabel),
            labels[labels.count - 1].contains(where: { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) }),
            parts[1].unicodeScalars.allSatisfy({ Self.dots.contains($0) || Punycode.isLetter($0) })
        else { throw .domain(String(parts[1])) }
        guard name.count <= 64, name.count + 1 + domain.utf8.count <= 254 else { throw .tooLong }
        self.typed = "\(parts[0])@\(domain)"
    }

    /// An address without what is copied along with it from a page or a list: `mailto:eva@example.org`,
    /// `eva@example.org;`. A keyboard for texts makes its apostrophe a curved one.
    private static func bare(_ typed: String) -> String {
        var text = typed.replacing("\u{2019}", with: "'")
        if text.last == "," || text.last == ";" { text.removeLast() }
        return text.prefix(7).lowercased() == "mailto:" ? String(text.dropFirst(7)) : text
    }

    /// An address for people to read: its domain in Unicode.
    public static func readable(_ address: String) -> String {
        guard let at = address.lastIndex(of: "@"), address[at...].contains("xn--") else { return address }
        return address[...at] + Punycode.readable(address[address.index(after: at)...])
    }

    private static let marks = Set(".!#$%&'*+/=?^_`{|}~-".utf8)
    private static let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF61}"]

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        guard let first = label.first, let last = label.last, label.count <= 63 else { return false }
        return first.isLetterOrDigit && last.isLetterOrDigit
            && label.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
    }
}

extension UInt8 {
    /// Whether this is an ASCII letter or digit.
    var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
