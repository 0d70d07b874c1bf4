/// The names a setting may have, to find one that is misspelled: it would be as if it weren't set.
struct SettingNames {
    /// What our own scripts and containers set beside the settings.
    private static let others = ["VILLAGE_LONG", "VILLAGE_PROGRAM", "VILLAGE_PYTHON", "VILLAGE_UPSTREAM"]

    private let known: [String]

    init(_ settings: [String]) { known = settings }

    /// A line for each name that begins with `VILLAGE_` and is none, in the order of the alphabet.
    func misspelt(in names: some Sequence<String>) -> [String] {
        names.filter { $0.hasPrefix("VILLAGE_") && !known.contains($0) && !Self.others.contains($0) }.sorted()
            .map { "\($0) isn't a setting; do you mean \(Typo($0).nearest(of: known) ?? "")?" }
    }
}
