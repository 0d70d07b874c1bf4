/// The names of the settings, used to find misspelled ones, which would have no effect.
struct SettingNames {
    /// Variables that our own scripts and containers set.
    private static let others = ["VILLAGE_LONG", "VILLAGE_PROGRAM", "VILLAGE_PYTHON", "VILLAGE_UPSTREAM"]

    private let known: [String]

    init(_ settings: [String]) { known = settings }

    /// A line for each name that begins with `VILLAGE_` but isn't a setting, in alphabetical order.
    func misspelt(in names: some Sequence<String>) -> [String] {
        names.filter { $0.hasPrefix("VILLAGE_") && !known.contains($0) && !Self.others.contains($0) }.sorted()
            .map { "\($0) isn't a setting; do you mean \(Typo($0).nearest(of: known) ?? "")?" }
    }
}
