import CArgon2

/// Password hashing with argon2id (RFC 9106), through the reference library.
public enum Password {
    /// How much work one hash takes.
    public struct Cost: Sendable, Equatable {
        /// Memory in KiB.
        public let memory: UInt32
        /// Passes over the memory.
        public let passes: UInt32
        /// Threads of one hash.
        public let lanes: UInt32

        public init(memory: UInt32, passes: UInt32, lanes: UInt32) {
            self.memory = memory
            self.passes = passes
            self.lanes = lanes
        }

        /// 19 MiB, two passes, one lane: OWASP Password Storage Cheat Sheet, argon2id.
        public static let standard = Cost(memory: 19 * 1_024, passes: 2, lanes: 1)
    }

    /// Argon2 failed, for example because memory is short.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private static let saltLength = 16, tagLength = 32

    /// A PHC string for `password` with a fresh 16-byte salt: `$argon2id$v=19$m=19456,t=2,p=1$…$…`.
    ///
    /// Takes about 20 ms and `cost.memory`; call it through a ``PasswordQueue``.
    /// - Throws: ``Failure`` when argon2 reports an error.
    public static func hash(_ password: String, cost: Cost = .standard) throws -> String {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<saltLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let length = argon2_encodedlen(
            cost.passes, cost.memory, cost.lanes, UInt32(saltLength), UInt32(tagLength), Argon2_id)
        var encoded = [CChar](repeating: 0, count: length)
        var bytes = Array(password.utf8)
        let code = argon2id_hash_encoded(
            cost.passes, cost.memory, cost.lanes, &bytes, bytes.count, salt, salt.count, tagLength, &encoded, length)
        guard code == ARGON2_OK.rawValue else {
            throw Failure(description: "argon2: \(String(cString: argon2_error_message(code)))")
        }
        return encoded.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// Whether `password` matches the PHC string `hash`. The tags are compared in constant time.
    public static func verify(_ password: String, against hash: String) -> Bool {
        let bytes = Array(password.utf8)
        return argon2id_verify(hash, bytes, bytes.count) == ARGON2_OK.rawValue
    }

    /// Whether `hash` was made at another cost than `cost` and should be replaced at the next log-in.
    public static func needsRehash(_ hash: String, cost: Cost = .standard) -> Bool {
        !hash.hasPrefix("$argon2id$v=19$m=\(cost.memory),t=\(cost.passes),p=\(cost.lanes)$")
    }
}
