/// The token that proves that a form comes from a page of this site and session.
///
/// Each page contains it masked with a new random pad (the defense of the BREACH paper, 2013, section 3.4), so that
/// compression can't reveal it.
enum CSRF {
    static let length = 16

    static func fresh() -> [UInt8] {
        // Each number is a system call, so only as many as are needed.
        var generator = SystemRandomNumberGenerator()
        let numbers = (generator.next() as UInt64, generator.next() as UInt64)
        return withUnsafeBytes(of: numbers) { Array($0) }
    }

    static func mask(_ secret: [UInt8]) -> String {
        let pad = fresh()
        return Base64URL.encode(pad + zip(pad, secret).map { $0 ^ $1 })
    }

    /// Whether `token` is the masked `secret`, compared in constant time.
    static func isValid(_ token: String, for secret: [UInt8]) -> Bool {
        guard token.utf8.count <= 64, let bytes = Base64URL.decode(token), bytes.count == 2 * length,
            secret.count == length
        else { return false }
        var difference: UInt8 = 0
        for index in 0..<length { difference |= bytes[index] ^ bytes[index + length] ^ secret[index] }
        return difference == 0
    }
}
