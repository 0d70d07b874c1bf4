import FoundationEssentials

/// Passwords that are guessed first, as they come with the program: `Public/passwords/common.txt`, in order.
///
/// The file stays as it is in memory, and is searched by halves: a table of it would take ten times the room.
struct CommonPasswords: Sendable {
    private let text: [UInt8]

    /// - Parameter folder: `Public`.
    /// - Throws: a file error when the list can't be read.
    init(folder: String) throws {
        text = Array(try Data(contentsOf: URL(filePath: folder + "/passwords/common.txt")))
    }

    init(lines: [String]) {
        text = Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    /// Whether `password`, in lower case, is one of them, or a word of them with up to six other characters in front or
    /// behind: `sunshine2026!`.
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
            // The line that holds the middle.
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

/// What a password must not be: one that many have, or words that are known here.
struct GuessedFirst: Sendable {
    let common: CommonPasswords
    /// Of the site, the town, the person.
    let words: [String]

    /// For passwords that nobody chose on a page.
    static let nothing = GuessedFirst(common: CommonPasswords(lines: []), words: [])

    /// Whether little is left of a password without those words: less than six letters and digits.
    func isMadeOfWords(_ password: String, and own: [String]) -> Bool {
        let plain = folded(password).filter { $0.isLetter || $0.isNumber }
        let parts = Set((words + own).flatMap { Self.parts(of: $0) }).sorted { $0.count > $1.count }
        let rest = parts.reduce(plain) { $0.replacing($1, with: "") }
        return rest.count < plain.count && rest.count < 6
    }

    /// The words in a name, and all of it in one, of four letters and more.
    private static func parts(of name: String) -> [String] {
        let words = folded(name).split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return (words + [words.joined()]).filter { $0.count >= 4 }
    }
}
