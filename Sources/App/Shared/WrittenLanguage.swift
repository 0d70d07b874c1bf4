import Forms

/// The language of a text that somebody wrote, which may be another than that of the page it stands on.
struct WrittenLanguage: FormValue, Hashable {
    /// As `lang` says it (BCP 47): `es`, `zh`.
    let tag: String

    private init(known tag: String) { self.tag = tag }

    /// Nil for a tag that isn't on the list.
    init?(typed: String) {
        guard LanguageNames.byTag[typed] != nil else { return nil }
        self.init(known: typed)
    }

    /// The language of a page, for what is written on it; nil where it isn't on the list.
    init?(_ language: Language) { self.init(locale: language.name) }

    /// The same of a tag with more in it, such as `es-US`.
    init?(locale: String) {
        let primary = locale.split(separator: "-").first.map(String.init) ?? ""
        self.init(typed: LanguageNames.sameAs[primary] ?? primary)
    }

    var typed: String { tag }

    /// As those who read it call it: `Español`.
    var name: Words { Words(verbatim: LanguageNames.byTag[tag] ?? tag) }

    /// Which way it runs, as `dir` says it.
    var direction: String { LanguageNames.fromRightToLeft.contains(tag) ? "rtl" : "ltr" }

    /// All that forms offer.
    static let all = LanguageNames.all.map { WrittenLanguage(known: $0.tag) }
    static let choices = all.map { Choice($0, $0.name, language: $0.tag) }
}

extension Submission {
    /// What is new is written in the language of its author's pages, unless they say another.
    mutating func sayLanguage(_ path: WritableKeyPath<F, WrittenLanguage?>, of pages: Language) {
        if form[keyPath: path] == nil, accepts(path) { fill(path, WrittenLanguage(pages)) }
    }
}

/// The title and the description of something in one language.
struct WrittenText: Sendable, Hashable {
    /// Nil where nobody said.
    var language: WrittenLanguage?
    var title: String
    /// Of what a list shows, the beginning alone.
    var description: String

    /// Whether somebody who reads the site in a language rather reads this than the same in its first language.
    func isFor(_ reader: WrittenLanguage?, insteadOf first: WrittenLanguage?) -> Bool {
        language != nil && language == reader && first != reader
    }
}
