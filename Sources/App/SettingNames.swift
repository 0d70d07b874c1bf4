/// The names a setting may have, to find one that is misspelt: it would be as if it weren't set.
struct SettingNames {
    /// What our own scripts and containers set beside the settings.
    private static let others = ["VILLAGE_LONG", "VILLAGE_PROGRAM", "VILLAGE_PYTHON", "VILLAGE_UPSTREAM"]

    private let known: [String]

    init(_ settings: [String]) { known = settings }

    /// A line for each name that begins with `VILLAGE_` and is none, in the order of the alphabet.
    func misspelt(in names: some Sequence<String>) -> [String] {
        names.filter { $0.hasPrefix("VILLAGE_") && !known.contains($0) && !Self.others.contains($0) }.sorted().map {
            name in
            let nearest = known.min { Self.distance($0, name) < Self.distance($1, name) } ?? ""
            return "\(name) isn't a setting; do you mean \(nearest)?"
        }
    }

    /// How many letters have to be added, left out, changed or swapped with the next to make one word of the other.
    static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        var before: [Int] = []
        var row = Array(0...other.count)
        for (i, letter) in one.enumerated() {
            var next = [i + 1]
            for (j, theirs) in other.enumerated() {
                var least = min(row[j] + (letter == theirs ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, letter == other[j - 1], one[i - 1] == theirs { least = min(least, before[j - 1] + 1) }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[other.count]
    }
}
