import Foundation

/// The names of domains as mail servers write them, in ASCII alone: `bücher.example` is `xn--bcher-kva.example`
/// (RFC 3492).
enum Punycode {
    /// The one spelling of a domain, however its letters were typed: in whatever case, composed or not, wide or not.
    static func domain(_ typed: String) -> String {
        // What separates labels where ASCII's dot isn't at hand (UTS 46).
        let dots: [Character: Character] = ["\u{3002}": ".", "\u{FF61}": "."]
        let name = String(typed.map { dots[$0] ?? $0 }).precomposedStringWithCompatibilityMapping.lowercased()
            .precomposedStringWithCanonicalMapping
        return name.split(separator: ".", omittingEmptySubsequences: false)
            .map { $0.utf8.allSatisfy { $0 < 0x80 } ? String($0) : "xn--" + encode($0.unicodeScalars.map(\.value)) }
            .joined(separator: ".")
    }

    private static let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")

    /// Section 6.3, in its own names.
    private static func encode(_ points: [UInt32]) -> String {
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

    private static func adapt(_ delta: Int, _ points: Int, isFirst: Bool) -> Int {
        var (delta, k) = (isFirst ? delta / 700 : delta / 2, 0)
        delta += delta / points
        while delta > 455 { (delta, k) = (delta / 35, k + 36) }
        return k + 36 * delta / (delta + 38)
    }
}
