import Forms

extension Words {
    /// The text in English with plain spaces. Some spaces in times and amounts are non-breaking.
    func plain(in locale: String) -> String {
        english(in: locale).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    var plain: String { plain(in: "en-US") }
}
