import Crypto
import FoundationEssentials

/// A 256-bit random secret that grants access: a session, a link in a letter.
///
/// The visitor has the token; the database has only its SHA-256, so that a stolen copy is useless.
struct Token: Sendable {
    let bytes: [UInt8]

    /// Makes a random token.
    init() {
        var generator = SystemRandomNumberGenerator()
        bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next() as UInt64) { Array($0) } }
    }

    /// Makes a token derived from a key.
    init(bytes: [UInt8]) {
        precondition(bytes.count == 32)
        self.bytes = bytes
    }

    /// Parses a token from a cookie or a URL; `nil` unless it is 32 bytes in base64url.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The token as 43 characters of base64url.
    var text: String { Base64URL.encode(bytes) }

    var hash: [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// A value that changes with any of these texts.
    static func fingerprint(of texts: [String]) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(texts.joined(separator: "\u{0}").utf8))))
    }
}
