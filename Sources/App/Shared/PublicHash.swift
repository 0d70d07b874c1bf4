import Crypto

/// SHA-256 in a form that anyone can recompute: 64 lowercase hexadecimal digits.
enum PublicHash {
    /// The hash of a text in UTF-8.
    static func of(_ text: String) -> String { of(Array(text.utf8)) }

    /// The hash of a file.
    static func of(_ bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }

    /// The hash of a file that comes in pieces.
    struct Running {
        private var hash = SHA256()

        /// Adds the next piece.
        mutating func add(_ bytes: [UInt8]) { hash.update(data: bytes) }

        /// The hash of all pieces so far.
        var text: String { hexadecimal(hash.finalize()) }
    }
}
