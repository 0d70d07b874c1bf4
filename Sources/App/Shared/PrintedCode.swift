/// A code that is printed on paper and typed in again: of the 32 signs of Crockford's base 32, which nobody mistakes
/// for each other, 5 random bits in each.
enum PrintedCode {
    private static let signs = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    /// What is typed for a sign that looks like it.
    private static let alike: [Character: Character] = ["O": "0", "I": "1", "L": "1"]

    /// A fresh one of so many signs.
    static func fresh(_ length: Int) -> String { String((0..<length).map { _ in signs.randomElement()! }) }

    /// A code as somebody typed it, from any keyboard; nil of what can’t be one of so many signs.
    static func read(_ typed: String, _ length: Int) -> String? {
        let code = typed.plainCode.uppercased().map { alike[$0] ?? $0 }
        return code.count == length && code.allSatisfy(signs.contains) ? String(code) : nil
    }

    /// In groups of five, as one reads it out: `7K2MQ-9DXHB`.
    static func spelled(_ code: String) -> String {
        stride(from: 0, to: code.count, by: 5).map { code.dropFirst($0).prefix(5) }.joined(separator: "-")
    }
}
