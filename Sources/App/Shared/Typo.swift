/// A word that was typed, and how far from it another is: letters left out, put in, changed or swapped with the next.
struct Typo {
    private let typed: [Unicode.Scalar]

    init(_ typed: String) { self.typed = Array(typed.unicodeScalars) }

    /// Slips that are forgiven: one in a short word, two in a longer one, none where hardly a letter would be left.
    var forgiven: Int {
        switch typed.count {
        case ..<3: 0
        case ..<5: 1
        default: 2
        }
    }

    /// How many slips lead from `word` to what was typed; nil for more than are forgiven.
    func distance(to word: String) -> Int? { distance(to: word, atMost: forgiven) }

    /// The word of a list with the fewest slips, however many those are; the first of several.
    func nearest(of words: [String]) -> String? {
        words.min { distance(to: $0, atMost: .max) ?? .max < distance(to: $1, atMost: .max) ?? .max }
    }

    /// Optimal string alignment (L. Boytsov, "Indexing methods for approximate dictionary searching", 2011, 2.2): a row
    /// a letter, of which the last two are kept.
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
