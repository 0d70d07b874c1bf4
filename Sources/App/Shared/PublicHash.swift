import Crypto

/// SHA-256 as everybody can work it out: in 64 digits and small letters.
enum PublicHash {
    /// That of a text in UTF-8.
    static func of(_ text: String) -> String { of(Array(text.utf8)) }

    /// That of a file.
    static func of(_ bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }
}
