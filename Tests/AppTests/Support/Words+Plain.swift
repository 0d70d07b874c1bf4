import Forms

extension Words {
    /// What it says in English, with plain blanks: some of those in times and amounts don't break.
    func plain(in locale: String) -> String {
        english(in: locale).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    var plain: String { plain(in: "en-US") }
}
