import Foundation

/// Domain names in ASCII: `bücher.example` is `xn--bcher-kva.example` (RFC 3492).
public enum Punycode {
    /// The ASCII form of one label; an ASCII label stays as it is.
    public static func label(_ label: some StringProtocol) -> String {
        label.utf8.allSatisfy { $0 < 0x80 } ? String(label) : "xn--" + encode(label.unicodeScalars.map(\.value))
    }

    /// The canonical spelling of a typed domain, regardless of case, Unicode composition and width.
    public static func domain(_ typed: String) -> String {
        // Ideographic full stops separate labels, too (UTS 46).
        let dots: [Character: Character] = ["\u{3002}": ".", "\u{FF61}": "."]
        let name = narrow(String(typed.map { dots[$0] ?? $0 })).lowercased().precomposedStringWithCanonicalMapping
        return name.split(separator: ".", omittingEmptySubsequences: false)
            .map { label($0) }
            .joined(separator: ".")
    }

    /// The same text without compatibility forms, such as wide letters and signs.
    public static func narrow(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCompatibilityMapping
    }

    /// A domain for people to read: `xn--bcher-kva.example` becomes `bücher.example`. A label stays encoded if its
    /// letters are of several scripts, because it could imitate another one, or if it isn't valid Punycode.
    public static func readable(_ domain: some StringProtocol) -> String {
        domain.split(separator: ".", omittingEmptySubsequences: false)
            .map { label in
                guard label.hasPrefix("xn--"), let points = decode(label.dropFirst(4)), !points.isEmpty else {
                    return String(label)
                }
                let text = String(String.UnicodeScalarView(points))
                let isSpelled = points.allSatisfy { isLetter($0) } && Self.domain(text) == label
                return isSpelled && !Script.mixes(text) ? text : String(label)
            }
            .joined(separator: ".")
    }

    /// Whether a character may be in a label: letters, their marks, digits and hyphens.
    public static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-": true
            default: false
            }
        }
        return switch scalar.properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
        // The joiners are needed in Indic scripts and Persian, the dots in Catalan, Hebrew and Japanese words.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: "\u{B7}\u{30FB}\u{5F3}\u{5F4}".unicodeScalars.contains(scalar)
        }
    }

    /// A host to show to people: in ASCII if its letters are of several scripts, because it could imitate another one.
    public static func shown(host: some StringProtocol) -> String {
        guard Script.mixes(host) else { return String(host) }
        return host.lowercased().split(separator: ".", omittingEmptySubsequences: false).map { label($0) }
            .joined(separator: ".")
    }

    private static let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")

    /// The encoder of section 6.3, with the RFC's names.
    static func encode(_ points: [UInt32]) -> String {
        let basic = points.filter { $0 < 0x80 }.compactMap { UnicodeScalar($0) }
        var output = String(String.UnicodeScalarView(basic)) + (basic.isEmpty ? "" : "-")
        var (n, delta, bias, handled): (UInt32, Int, Int, Int) = (128, 0, 72, basic.count)
        while handled < points.count, let next = points.filter({ $0 >= n }).min() {
            delta += Int(next - n) * (handled + 1)
            n = next
            for point in points {
                if point < n { delta += 1 }
                guard point == n else { continue }
                var (q, k) = (delta, 36)
                while true {
                    let t = min(26, max(1, k - bias))
                    guard q >= t else { break }
                    output.append(digits[t + (q - t) % (36 - t)])
                    (q, k) = ((q - t) / (36 - t), k + 36)
                }
                output.append(digits[q])
                bias = adapt(delta, handled + 1, isFirst: handled == basic.count)
                (delta, handled) = (0, handled + 1)
            }
            (delta, n) = (delta + 1, n + 1)
        }
        return output
    }

    /// The decoder of section 6.2; nil for an invalid label.
    static func decode(_ label: some StringProtocol) -> [Unicode.Scalar]? {
        var rest = label[...]
        var points: [Unicode.Scalar] = []
        if let hyphen = rest.lastIndex(of: "-") {
            points = Array(rest[..<hyphen].unicodeScalars)
            rest = rest[rest.index(after: hyphen)...]
        }
        var (n, index, bias): (Int, Int, Int) = (128, 0, 72)
        var digits = rest.utf8.makeIterator()
        var next = digits.next()
        while next != nil {
            let (old, count) = (index, points.count + 1)
            var (weight, k) = (1, 36)
            while true {
                guard let byte = next, let digit = digit(of: byte) else { return nil }
                next = digits.next()
                index += digit * weight
                let t = min(26, max(1, k - bias))
                guard digit >= t else { break }
                weight *= 36 - t
                k += 36
                guard weight < 1 << 30, index < 1 << 40 else { return nil }
            }
            bias = adapt(index - old, count, isFirst: old == 0)
            n += index / count
            index %= count
            guard n <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(n)) else { return nil }
            points.insert(scalar, at: index)
            index += 1
        }
        return points
    }

    private static func digit(of byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 97
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 48 + 26
        default: nil
        }
    }

    private static func adapt(_ delta: Int, _ points: Int, isFirst: Bool) -> Int {
        var (delta, k) = (isFirst ? delta / 700 : delta / 2, 0)
        delta += delta / points
        while delta > 455 { (delta, k) = (delta / 35, k + 36) }
        return k + 36 * delta / (delta + 38)
    }
}
