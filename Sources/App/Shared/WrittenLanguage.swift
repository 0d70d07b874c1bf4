import Forms

/// The language of a text by a person, which may differ from the language of the page.
struct WrittenLanguage: FormValue, Hashable {
    /// The language tag (BCP 47): `es`, `zh`.
    let tag: String

    private init(known tag: String) { self.tag = tag }

    /// Nil for a tag that isn't in the list.
    init?(typed: String) {
        guard LanguageNames.byTag[typed] != nil else { return nil }
        self.init(known: typed)
    }

    /// The default language for texts written on a page in `language`; nil if it isn't in the list.
    init?(_ language: Language) { self.init(locale: language.name) }

    /// The language of a longer tag, such as `es-US`.
    init?(locale: String) {
        let primary = locale.split(separator: "-").first.map(String.init) ?? ""
        self.init(typed: LanguageNames.sameAs[primary] ?? primary)
    }

    var typed: String { tag }

    /// The language's own name: `Español`.
    var name: Words { Words(verbatim: LanguageNames.byTag[tag] ?? tag) }

    /// The text direction for `dir`.
    var direction: String { LanguageNames.fromRightToLeft.contains(tag) ? "rtl" : "ltr" }

    /// All languages that forms offer.
    static let all = LanguageNames.all.map { WrittenLanguage(known: $0.tag) }
    static let choices = all.map { Choice($0, $0.name, language: $0.tag) }
}

extension Submission {
    /// Presets the language of a new text to the language of its author's pages.
    mutating func sayLanguage(_ path: WritableKeyPath<F, WrittenLanguage?>, of pages: Language) {
        if form[keyPath: path] == nil, accepts(path) { fill(path, WrittenLanguage(pages)) }
    }
}

/// A title and description in one language.
struct WrittenText: Sendable, Hashable {
    /// Nil if unknown.
    var language: WrittenLanguage?
    var title: String
    /// In lists, only the beginning.
    var description: String

    /// Whether it suits a reader of a language better than the text in the original language.
    func isFor(_ reader: WrittenLanguage?, insteadOf first: WrittenLanguage?) -> Bool {
        language != nil && language == reader && first != reader
    }
}
