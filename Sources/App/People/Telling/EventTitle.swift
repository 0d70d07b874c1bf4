import Forms

/// An event's title in the reader's language if available.
struct EventTitle: LocalValue {
    let title: String
    var language: WrittenLanguage?
    var other: WrittenText?

    var words: Words { other == nil ? Words(verbatim: title) : Words(self) }

    func text(in locale: String) -> String {
        guard let other else { return title }
        return other.isFor(WrittenLanguage(locale: locale), insteadOf: language) ? other.title : title
    }

    /// The language of the title for a reader of the site; nil if unknown.
    func language(for reader: Language) -> WrittenLanguage? {
        guard let other, other.isFor(WrittenLanguage(reader), insteadOf: language) else { return language }
        return other.language
    }
}
