/// A client's preferred encodings from the `Accept-Encoding` field (RFC 9110, section 12.5.3).
///
/// A malformed field is ignored: the body is sent uncompressed, which everyone can read.
struct AcceptEncoding: Equatable {
    enum Coding: String {
        case brotli = "br"
        case gzip
        /// Uncompressed.
        case identity
    }

    /// Weights in thousandths; nil if not named.
    private var brotli: Int?
    private var gzip: Int?
    private var identity: Int?
    private var any: Int?

    /// - Parameter field: The field's value, its lines joined by commas; nil if there is none.
    init(_ field: String?) {
        guard let field else { return }
        for member in field.utf8.split(separator: UInt8(ascii: ",")) {
            let parts = member.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
            guard let weight = parts.count == 1 ? 1_000 : QualityValue.thousandths(of: parts[1]) else { continue }
            let name = QualityValue.trimmed(parts[0])
            // If a coding is named twice, the lower weight counts: a client must be able to refuse.
            func lower(_ value: inout Int?) { value = min(value ?? weight, weight) }
            if Self.isSame(name, "gzip") || Self.isSame(name, "x-gzip") {
                lower(&gzip)
            } else if Self.isSame(name, "br") {
                lower(&brotli)
            } else if Self.isSame(name, "identity") {
                lower(&identity)
            } else if Self.isSame(name, "*") {
                lower(&any)
            }
        }
    }

    /// The client's preferred coding of those available; if two are equal, the first.
    ///
    /// Uncompressed is always available and the fallback; it ranks last unless the client names it.
    func best(of codings: [Coding]) -> Coding {
        var best = Coding.identity
        var most = identity ?? 0
        for coding in codings.reversed() {
            let weight = (coding == .gzip ? gzip : coding == .brotli ? brotli : identity) ?? any ?? 0
            if weight > 0, weight >= most { (best, most) = (coding, weight) }
        }
        return best
    }

    private static func isSame(_ name: Substring.UTF8View, _ other: StaticString) -> Bool {
        name.count == other.utf8CodeUnitCount
            && zip(name, UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount)).allSatisfy {
                $0 == $1 || (UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 && $0 | 0x20 == $1)
            }
    }
}
