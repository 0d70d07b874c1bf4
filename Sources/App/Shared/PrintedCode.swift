/// A code that is printed on paper and typed in: symbols of Crockford's base 32, which aren't easily confused, with 5
/// random bits each.
enum PrintedCode {
    private static let signs = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    /// Letters that look like a symbol and are read as it.
    private static let alike: [Character: Character] = ["O": "0", "I": "1", "L": "1"]

    /// A new random code of that length.
    static func fresh(_ length: Int) -> String { String((0..<length).map { _ in signs.randomElement()! }) }

    /// A typed code, from any keyboard; nil if it can't be a code of that length.
    static func read(_ typed: String, _ length: Int) -> String? {
        let code = typed.plainCode.uppercased().map { alike[$0] ?? $0 }
        return code.count == length && code.allSatisfy(signs.contains) ? String(code) : nil
    }

    /// The code in groups of five, for reading aloud: `7K2MQ-9DXHB`.
    static func spelled(_ code: String) -> String {
        stride(from: 0, to: code.count, by: 5).map { code.dropFirst($0).prefix(5) }.joined(separator: "-")
    }
}
