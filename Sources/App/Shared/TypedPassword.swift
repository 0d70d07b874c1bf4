import Foundation
import Passwords

/// A typed password, regardless of the keyboard's encoding: `é` may be one character or two, and a space may be
/// non-breaking.
struct TypedPassword: Sendable {
    let typed: String

    init(_ typed: String) { self.typed = typed }

    /// The stored spelling, according to OpaqueString in RFC 8265: composed, with plain spaces.
    var canonical: String { Self.withPlainBlanks(typed).precomposedStringWithCanonicalMapping }

    /// The spellings that may be behind a stored hash: the canonical one, and older accounts' spellings. Plain ASCII
    /// has only one.
    private var spellings: [String] {
        let plain = Self.withPlainBlanks(typed)
        // The current spelling and the former ones: each costs a whole hash.
        let all = [plain.precomposedStringWithCanonicalMapping, typed, typed.decomposedStringWithCanonicalMapping]
        // Strings compare as equal in all spellings, so compare bytes.
        return all.indices.filter { index in
            !all[..<index].contains { $0.utf8.elementsEqual(all[index].utf8) }
        }.map { all[$0] }
    }

    /// Whether it matches the hash, and if so, whether the hash is of an older spelling.
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
