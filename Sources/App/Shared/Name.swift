import Domains
import Forms
import Foundation
import Templating

/// Names of people, organizations and pets, which tell others who somebody is.
enum Name {
    /// An error message for a name; nil if it is fine.
    static func problem(_ name: String) -> Words? {
        let plain = name.precomposedStringWithCompatibilityMapping
        let isMarked = plain.unicodeScalars.contains { marks.contains($0.value) }
        if isMarked || !wordsOfMarks.isDisjoint(with: words(of: plain)) {
            return """
                Leave out marks such as ✓ and the word “verified”: those who run this site give them, beside the name.
                """
        }
        if name.unicodeScalars.contains(where: isUnseen) {
            return "The name has a character that can’t be seen. Type it again."
        }
        if name.split(whereSeparator: { !$0.isLetter }).contains(where: { Script.mixes($0) }) {
            return "Write each word of the name with the letters of one alphabet: some look alike, but aren’t the same."
        }
        return nil
    }

    /// Symbols that look like a verification badge, and letters that look like such a symbol.
    private static let marks: Set<UInt32> = [
        0x2705, 0x2611, 0x2713, 0x2714, 0x1F5F8, 0x1F5F9, 0x1F6E1, 0x221A, 0x237B, 0xAA9C, 0x10102, 0x1FBB1,
    ]

    /// What the badge says, folded, in the languages that the program brings along and in some others. Forms that
    /// professions have in their titles aren't here, such as “geprüfte Tagesmutter” and “موثق”, a notary.
    private static let wordsOfMarks: Set<String> = [
        "verified", "verificado", "verificada", "verificados", "verificadas", "verificacion", "gepruft", "verifiziert",
        "verifizierte", "verifizierter", "verifiziertes", "verifie", "verifiee", "verificato", "verificata", "موثقه",
        "الموثقه",
    ]

    private static func words(of name: String) -> [String] {
        folded(name).split(separator: " ").map(String.init)
    }

    /// Characters that invisibly join letters or change direction, except the joiners that some scripts and emoji need.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200C, 0x200D, 0xFE00...0xFE0F: false
        default: scalar.properties.generalCategory == .format || scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}

extension String {
    /// The first letters of a name's first two words, as capitals: `AO`.
    ///
    /// - Parameter atSpaces: Whether only spaces separate words; otherwise everything but letters and digits does.
    func initials(atSpaces: Bool = false) -> String {
        // Nearly all names are ASCII, whose letters are bytes; other characters take ten times as long.
        guard utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else {
            return split { atSpaces ? $0 == " " : !$0.isLetter && !$0.isNumber }.prefix(2).compactMap(\.first)
                .map { $0.uppercased() }.joined()
        }
        var initials = ""
        var isInWord = false
        for byte in utf8 {
            let isPart =
                switch byte {
                case UInt8(ascii: " "): false
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: atSpaces
                }
            defer { isInWord = isPart }
            guard isPart, !isInWord else { continue }
            let isSmall = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
            initials.unicodeScalars.append(Unicode.Scalar(isSmall ? byte & 0xDF : byte))
            if initials.utf8.count == 2 { break }
        }
        return initials
    }
}
