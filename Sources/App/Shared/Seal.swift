import Crypto
import FoundationEssentials

/// Proves that the site itself issued a text, at any time in the past: HMAC-SHA-256 with a separate key.
struct Seal: Sendable {
    private let key: SymmetricKey

    /// - Parameter key: 43 characters of base64url.
    init?(key: String) {
        guard let bytes = Token(key)?.bytes else { return nil }
        self.key = SymmetricKey(data: bytes)
    }

    /// The text with its seal: `7-changed.` and 43 characters.
    func sealed(_ word: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array(word.utf8), using: key)
        return "\(word).\(Base64URL.encode(Array(code)))"
    }

    /// The text before a valid seal; nil if the seal is invalid.
    func open(_ text: String) -> String? {
        guard let dot = text.lastIndex(of: "."), text.utf8.count <= 200,
            let code = Base64URL.decode(text[text.index(after: dot)...])
        else { return nil }
        let word = String(text[..<dot])
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Array(word.utf8), using: key) ? word : nil
    }

    /// A hash of a text that reveals nothing without the key.
    func hash(of word: String, as purpose: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("\(purpose)-\(word)".utf8), using: key))
    }

    /// A sealed text that is valid for one purpose: `offer-7.` and 43 characters.
    func sealed(_ word: String, as purpose: String) -> String { sealed("\(purpose)-\(word)") }

    func open(_ text: String, of purpose: String) -> String? {
        guard let word = open(text), word.hasPrefix(purpose + "-") else { return nil }
        return String(word.dropFirst(purpose.count + 1))
    }
}
