import Foundation
import Passwords

/// A password as somebody typed it, whatever bytes their keyboard makes of it: `é` comes as one character or as two,
/// and a blank may be one that doesn't break.
struct TypedPassword: Sendable {
    let typed: String

    init(_ typed: String) { self.typed = typed }

    /// The spelling that is kept, as OpaqueString of RFC 8265 has it: composed, with plain blanks.
    var canonical: String { Self.withPlainBlanks(typed).precomposedStringWithCanonicalMapping }

    /// What may be behind a stored hash: the canonical spelling, and those of accounts from before it was one. Of plain
    /// ASCII there is one alone.
    private var spellings: [String] {
        let plain = Self.withPlainBlanks(typed)
        // As it is stored now, and as it was stored once: each costs a whole hash.
        let all = [plain.precomposedStringWithCanonicalMapping, typed, typed.decomposedStringWithCanonicalMapping]
        // Texts compare as equal in all of them: it is the bytes that count.
        return all.indices.filter { index in
            !all[..<index].contains { $0.utf8.elementsEqual(all[index].utf8) }
        }.map { all[$0] }
    }

    /// Whether it is the password behind the hash, and then whether it was stored in another spelling.
    func verify(against hash: String) -> (isRight: Bool, isOfOld: Bool) {
        guard let place = spellings.firstIndex(where: { Password.verify($0, against: hash) }) else {
            return (false, false)
        }
        return (true, place > 0)
    }

    private static func withPlainBlanks(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            plain.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        return String(plain)
    }
}
