/// A typed word, to compare with others: letters may be omitted, inserted, changed or swapped with the next.
struct Typo {
    private let typed: [Unicode.Scalar]

    init(_ typed: String) { self.typed = Array(typed.unicodeScalars) }

    /// How many typos are tolerated: one in a short word, two in a longer one, none if hardly a letter would remain.
    var forgiven: Int {
        switch typed.count {
        case ..<3: 0
        case ..<5: 1
        default: 2
        }
    }

    /// The number of typos between `word` and the typed word; nil if it isn't tolerated.
    func distance(to word: String) -> Int? { distance(to: word, atMost: forgiven) }

    /// The word in a list with the fewest typos, with no limit; the first if there are several.
    func nearest(of words: [String]) -> String? {
        words.min { distance(to: $0, atMost: .max) ?? .max < distance(to: $1, atMost: .max) ?? .max }
    }

    /// Optimal string alignment (L. Boytsov, "Indexing methods for approximate dictionary searching", 2011, 2.2), with
    /// a row per letter, of which the last two are kept.
    private func distance(to word: String, atMost limit: Int) -> Int? {
        let word = Array(word.unicodeScalars)
        guard abs(word.count - typed.count) <= limit else { return nil }
        var earlier: [Int] = []
        var last = Array(0...word.count)
        for (row, letter) in typed.enumerated() {
            var next = [row + 1]
            next.reserveCapacity(word.count + 1)
            for (column, other) in word.enumerated() {
                var least = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == word[column - 1], typed[row - 1] == other {
                    least = min(least, earlier[column - 1] + 1)
                }
                next.append(least)
            }
            guard next.min() ?? 0 <= limit else { return nil }
            (earlier, last) = (last, next)
        }
        return last[word.count] <= limit ? last[word.count] : nil
    }
}
