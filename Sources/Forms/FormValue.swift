/// A value that can be typed into a form and printed back into it.
///
/// `V(typed: value.typed)` gives the value again. A new kind of field begins with a type that conforms.
public protocol FormValue: Sendable {
    /// Reads what was typed: trimmed, never empty. Nil when it means nothing.
    init?(typed: String)
    /// What an input shows for this value.
    var typed: String { get }
}

extension String: FormValue {
    public init?(typed: String) { self = typed }
    public var typed: String { self }
}

extension Bool: FormValue {
    /// `1`, `on`, `true`, `yes` and their opposites; nothing else is a guess worth making.
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
    /// A whole number as people write it: a sign, digits of any script, and thousands apart (`1,000`, `1 000`,
    /// `1'000`).
    ///
    /// A point is refused, because `1.000` is a thousand to some and one to others, and so is what doesn't fit in
    /// `Int`.
    public init?(typed: String) {
        var scalars = Array(typed.unicodeScalars)
        var sign = 1
        if let first = scalars.first, first == "+" || first == "-" || first == "\u{2212}" {
            sign = first == "+" ? 1 : -1
            scalars.removeFirst()
        }
        let separators = scalars.indices.filter { Self.thousands.contains(scalars[$0]) }
        if let first = separators.first {
            let even = (1...3).contains(first) && (scalars.count - first).isMultiple(of: 4)
            let apart = separators.allSatisfy { ($0 - first).isMultiple(of: 4) && scalars[$0] == scalars[first] }
            guard even, apart, separators.count == (scalars.count - first) / 4 else { return nil }
        }
        let digits = scalars.filter { !Self.thousands.contains($0) }
        guard !digits.isEmpty else { return nil }
        var number = 0
        for digit in digits {
            let properties = digit.properties
            guard properties.numericType == .decimal, let value = properties.numericValue else { return nil }
            // Built on its own side of zero, so that the least number is read too.
            let (shifted, tooBig) = number.multipliedReportingOverflow(by: 10)
            let (sum, tooBigNow) = shifted.addingReportingOverflow(sign * Int(value))
            guard !tooBig, !tooBigNow else { return nil }
            number = sum
        }
        self = number
    }

    public var typed: String { String(self) }

    private static let thousands: Set<Unicode.Scalar> = [",", " ", "'", "\u{2019}", "\u{A0}", "\u{2009}", "\u{202F}"]
}

/// An enum with raw values needs only to say that it conforms.
extension FormValue where Self: RawRepresentable, RawValue: FormValue {
    public init?(typed: String) {
        guard let raw = RawValue(typed: typed) else { return nil }
        self.init(rawValue: raw)
    }

    public var typed: String { rawValue.typed }
}

/// An e-mail address as browsers accept it, that can also be delivered to: with a dot in its domain.
///
/// The pattern is that of the HTML living standard ("valid e-mail address"); the whole is at most 254 bytes and the
/// part before the @ at most 64 (RFC 5321, 4.5.3.1). The domain is kept in lower case; the part before it as typed.
public struct EmailAddress: FormValue, Hashable {
    public let typed: String

    public init?(typed: String) {
        let parts = typed.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, typed.utf8.count <= 254, (1...64).contains(parts[0].count),
            parts[0].allSatisfy({ $0.isLetterOrDigit || Self.marks.contains($0) })
        else { return nil }
        let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy(Self.isLabel) else { return nil }
        self.typed = "\(Substring(parts[0]))@\(Substring(parts[1]).lowercased())"
    }

    private static let marks = Set(".!#$%&'*+/=?^_`{|}~-".utf8)

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
