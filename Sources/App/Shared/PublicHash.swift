import Crypto

/// SHA-256 as everybody can work it out: of a text in UTF-8, in 64 digits and small letters.
enum PublicHash {
    /// That of a text.
    static func of(_ text: String) -> String { hexadecimal(SHA256.hash(data: Array(text.utf8))) }
}
