import FoundationEssentials

/// Common passwords, in a bundled sorted list: `Public/passwords/common.txt`.
///
/// The file is kept as it is and searched by bisection: a hash table would take ten times the memory.
struct CommonPasswords: Sendable {
    private let text: [UInt8]

    /// - Parameter folder: `Public`.
    /// - Throws: A file error.
    init(folder: String) throws {
        text = Array(try Data(contentsOf: URL(filePath: folder + "/passwords/common.txt")))
    }

    init(lines: [String]) {
        text = Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    /// Whether `password`, in lowercase, is in the list, or is one of its words with up to six characters before or
    /// after it: `sunshine2026!`.
    func contains(_ password: String) -> Bool {
        let whole = Array(password.utf8)
        func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) || byte >= 128 }
        guard let first = whole.firstIndex(where: isLetter), let last = whole.lastIndex(where: isLetter) else {
            return holds(whole[...])
        }
        let word = whole[first...last]
        return holds(whole[...]) || (whole.count - word.count <= 6 && holds(word))
    }

    private func holds(_ line: ArraySlice<UInt8>) -> Bool {
        let end = UInt8(ascii: "\n")
        guard !line.contains(end) else { return false }
        var (low, high) = (0, text.count)
        while low < high {
            // The line that contains the middle.
            let middle = (low + high) / 2
            let start = text[low..<middle].lastIndex(of: end).map { $0 + 1 } ?? low
            let stop = text[middle..<high].firstIndex(of: end) ?? high
            let found = text[start..<stop]
            if found.elementsEqual(line) { return true }
            if found.lexicographicallyPrecedes(line) { low = min(stop + 1, high) } else { high = start }
        }
        return false
    }
}

/// Passwords that are easy to guess: common ones, and words related to the site and the person.
struct GuessedFirst: Sendable {
    let common: CommonPasswords
    /// The words of the site, the town and the person.
    let words: [String]

    /// For passwords that nobody chose on a page.
    static let nothing = GuessedFirst(common: CommonPasswords(lines: []), words: [])

    /// Whether less than six letters and digits of a password remain without those words.
    func isMadeOfWords(_ password: String, and own: [String]) -> Bool {
        let plain = folded(password).filter { $0.isLetter || $0.isNumber }
        let parts = Set((words + own).flatMap { Self.parts(of: $0) }).sorted { $0.count > $1.count }
        let rest = parts.reduce(plain) { $0.replacing($1, with: "") }
        return rest.count < plain.count && rest.count < 6
    }

    /// The words in a name, and the name as one word, if they have at least four letters.
    private static func parts(of name: String) -> [String] {
        let words = folded(name).split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return (words + [words.joined()]).filter { $0.count >= 4 }
    }
}
