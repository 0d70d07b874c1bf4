/// The search terms of texts, and the queries that people type.
///
/// A text is stored as its folded words. Words joined by apostrophes, hyphens or dots are stored both as parts and as
/// one word: `o neill oneill`. Scripts without spaces (Chinese, Japanese, Korean, Thai and the like) are stored as
/// overlapping pairs of characters, so that each substring is a phrase: `水泳 泳教 教室 室`. For long words in titles and
/// names, the ends are stored too, after a mark, so that `kurs` finds `Schwimmkurs`.
enum SearchWords {
    /// The version of the folding; a change rewrites all stored search terms.
    static let edition = "3"

    /// The mark before a word's end.
    private static let mark = "_"

    /// The most words in a query, and the most characters of a word in a script without spaces.
    private static let most = 8, mostSigns = 24

    /// The words to store for a text.
    ///
    /// - Parameter isName: Whether it is a title or a name, whose long words can be found by their ends, too.
    static func index(_ text: String, isName: Bool = false) -> String {
        var words: [String] = []
        var seen: Set<String> = []
        func add(_ word: String) { if seen.insert(word).inserted { words.append(word) } }
        func addPlain(_ word: String) {
            guard seen.insert(word).inserted else { return }
            words.append(word)
            if let short = Folding.contracted(word) { add(short) }
            if let bare = Folding.withoutArticle(word) { add(bare) }
            if isName { for end in ends(of: word) { add(mark + end) } }
        }
        for spelling in spellings(of: text) {
            for chunk in joined(spelling).split(separator: " ") {
                // The fast path for nearly all words.
                if chunk.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "'") }) {
                    addPlain(String(chunk))
                    continue
                }
                for run in Self.words(of: chunk).flatMap(runs) {
                    guard run.isPairs else {
                        addPlain(run.text)
                        continue
                    }
                    // A phrase needs each pair in its place, even if it occurs elsewhere.
                    if seen.insert(run.text).inserted { words += pairs(of: run.text) + [lastSign(of: run.text)] }
                }
            }
        }
        return words.joined(separator: " ")
    }

    /// A query for the typed text: each word must be the beginning of a stored word, or a substring in a script without
    /// spaces; nil if there are no words. No character has a special meaning.
    static func query(_ typed: String) -> Query? {
        let parts = joined(typed).split(separator: " ").prefix(most).flatMap { chunk -> [Query] in
            let parts = chunk.split(separator: "'")
            let apart = parts.flatMap { terms(of: String($0)) }
            return parts.count > 1 ? [.any([.all(apart), .all(terms(of: parts.joined()))])] : apart
        }
        return parts.isEmpty ? nil : .all(parts)
    }

    private static func terms(of word: String) -> [Query] {
        runs(of: word).prefix(most).map { run in
            guard run.isPairs else {
                if run.text.unicodeScalars.count < leastEnd { return .beginning(run.text) }
                let bare = Folding.withoutArticle(run.text).map { [Query.beginning($0)] } ?? []
                return .any([.beginning(run.text), .beginning(mark + run.text)] + bare)
            }
            let pairs = pairs(of: String(run.text.unicodeScalars.prefix(mostSigns)))
            return pairs.isEmpty ? .beginning(run.text) : .phrase(pairs)
        }
    }

    /// A condition on a text's words.
    indirect enum Query: Sendable, Equatable {
        /// A word with this beginning.
        case beginning(String)
        /// These words in sequence.
        case phrase([String])
        case all([Query])
        case any([Query])

        /// The query in the syntax of SQLite's FTS5.
        var fts5: String {
            switch self {
            case .beginning(let word): "\"\(word)\" *"
            case .phrase(let words): "\"\(words.joined(separator: " "))\""
            case .all(let parts): parts.map(\.fts5).joined(separator: " AND ")
            case .any(let parts): "(\(parts.map { $0.isSeveral ? "(\($0.fts5))" : $0.fts5 }.joined(separator: " OR ")))"
            }
        }

        /// The query in the syntax of PostgreSQL's `tsquery`.
        var tsquery: String {
            switch self {
            case .beginning(let word): "\(Self.quoted(word)):*"
            case .phrase(let words): "(\(words.map(Self.quoted).joined(separator: " <-> ")))"
            case .all(let parts): parts.map(\.tsquery).joined(separator: " & ")
            case .any(let parts): "(\(parts.map { "(\($0.tsquery))" }.joined(separator: " | ")))"
            }
        }

        private var isSeveral: Bool { if case .all(let parts) = self { parts.count > 1 } else { false } }

        /// A lexeme has at most 2,047 bytes.
        private static func quoted(_ word: String) -> String {
            "'\(String(word.unicodeScalars.prefix(500)).replacing("\\", with: "\\\\").replacing("'", with: "''"))'"
        }
    }

    // MARK: Names

    /// The search keys of a name in a list sorted by name: its text without spaces from each word on, and in scripts
    /// without spaces from each character on.
    ///
    /// - Parameter withEnds: Whether the ends of long words count as words.
    static func keys(of name: String, withEnds: Bool = false) -> [String] {
        var keys: [String] = []
        func add(_ found: String) {
            let key = found.beginning(ofBytes: Folding.longestKey)
            if !key.isEmpty, !keys.contains(key) { keys.append(key) }
        }
        for spelling in spellings(of: name) {
            let words = joined(spelling).split { $0 == " " || $0 == "'" }.prefix(most).map(String.init)
            for start in words.indices {
                let rest = words[start...].joined()
                add(rest)
                if let short = Folding.contracted(rest) { add(short) }
                if let bare = Folding.withoutArticle(rest) { add(bare) }
                for run in runs(of: words[start]) where run.isPairs {
                    guard let found = rest.firstRange(of: run.text) else { continue }
                    for index in run.text.indices.prefix(mostSigns) {
                        let skipped = run.text.distance(from: run.text.startIndex, to: index)
                        add(String(rest[rest.index(found.lowerBound, offsetBy: skipped)...]))
                    }
                }
                if withEnds { for end in ends(of: words[start]) { add(end + words[(start + 1)...].joined()) } }
            }
        }
        return keys
    }

    /// The words of a typed name; a key must begin with each of them.
    static func ofName(_ typed: String) -> [String] {
        joined(typed).split(separator: " ").prefix(most).map { $0.split(separator: "'").joined() }
    }

    /// Whether each typed word begins a word of the name, or is a substring in a script without spaces.
    static func holds(_ name: String, _ typed: String) -> Bool {
        let keys = keys(of: name, withEnds: true)
        return ofName(typed).allSatisfy { word in
            let bare = Folding.withoutArticle(word)
            return keys.contains { key in key.hasPrefix(word) || bare.map(key.hasPrefix) == true }
        }
    }

    // MARK: Parts of words

    /// A text, and its spelling without umlauts if it has any.
    private static func spellings(of text: String) -> [String] {
        // ASCII has no umlauts.
        guard !text.utf8.allSatisfy({ $0 < 0x80 }), let other = Folding.spelledOut(text) else { return [text] }
        return [text, other]
    }

    private static func joined(_ text: String) -> String {
        foldedASCII(text, joining: true) ?? foldedUnicode(text, joining: true)
    }

    /// The words of a chunk: `o`, `neill`, `oneill`.
    private static func words(of chunk: Substring) -> [String] {
        let parts = chunk.split(separator: "'").map(String.init)
        return parts.count > 1 ? parts + [parts.joined()] : parts
    }

    /// A run of characters in one kind of script.
    private struct Run {
        var text: String
        /// Whether the script has no spaces.
        let isPairs: Bool
    }

    private static func runs(of word: String) -> [Run] {
        if word.utf8.allSatisfy({ $0 < 0x80 }) { return [Run(text: word, isPairs: false)] }
        var runs: [Run] = []
        for scalar in word.unicodeScalars {
            let isPairs = hasNoBlanks(scalar)
            if runs.last?.isPairs != isPairs { runs.append(Run(text: "", isPairs: isPairs)) }
            runs[runs.count - 1].text.unicodeScalars.append(scalar)
        }
        return runs
    }

    /// The adjacent pairs of characters; empty for a single one.
    private static func pairs(of run: String) -> [String] {
        let signs = Array(run.unicodeScalars)
        return signs.indices.dropLast().map { index in
            var pair = String.UnicodeScalarView()
            pair.append(signs[index])
            pair.append(signs[index + 1])
            return String(pair)
        }
    }

    private static func lastSign(of run: String) -> String { run.unicodeScalars.last.map { String($0) } ?? "" }

    /// The least letters of an end, the least before it, and the most letters examined.
    private static let leastEnd = 4, leastBefore = 3, mostLetters = 30

    /// The ends of a long word that may be words themselves, but not the `king` of `walking`.
    private static func ends(of word: String) -> [String] {
        let letters = Array(word.unicodeScalars.suffix(mostLetters))
        // In Hebrew a letter or two before a word are words such as “in the”.
        let leastBefore = letters.first.map { 0x5D0...0x5EA ~= $0.value } == true ? 1 : Self.leastBefore
        guard letters.count >= leastBefore + leastEnd, !letters.contains(where: hasNoBlanks) else { return [] }
        return (leastBefore...letters.count - leastEnd).compactMap { start in
            let end = String(String.UnicodeScalarView(letters[start...]))
            return letters.count - start <= 5 && (end.hasSuffix("ing") || end.hasSuffix("ings")) ? nil : end
        }
    }

    /// Scripts without spaces between words, or that join particles to words, as Korean does.
    private static func hasNoBlanks(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0FFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x1A20...0x1AAF, 0x2E80...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
