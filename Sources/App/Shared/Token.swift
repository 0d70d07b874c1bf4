import Crypto
import FoundationEssentials

/// 256 random bits that open something: a session, a link in a letter.
///
/// The visitor holds the token; the database holds its SHA-256 only, so that a stolen copy opens nothing.
struct Token: Sendable {
    let bytes: [UInt8]

    /// A fresh token from the system's generator.
    init() {
        var generator = SystemRandomNumberGenerator()
        bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next() as UInt64) { Array($0) } }
    }

    /// One that is worked out from a key.
    init(bytes: [UInt8]) {
        precondition(bytes.count == 32)
        self.bytes = bytes
    }

    /// Reads a token out of a cookie or a URL; `nil` unless it is 32 bytes of base64url.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// 43 characters of base64url.
    var text: String { Base64URL.encode(bytes) }

    var hash: [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// What changes with any of these texts.
    static func fingerprint(of texts: [String]) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(texts.joined(separator: "\u{0}").utf8))))
    }
}
