import Forms

/// The language of a text that somebody wrote, whatever its readers read the site in.
struct WrittenLanguage: FormValue, Hashable {
    /// As `lang` says it (BCP 47): `es`, `zh`.
    let tag: String

    private init(known tag: String) { self.tag = tag }

    /// Nil for a tag that isn't on the list.
    init?(typed: String) {
        guard Self.names[typed] != nil else { return nil }
        self.init(known: typed)
    }

    /// The language of a page, for what is written on it; nil where it isn't on the list.
    init?(_ language: Language) {
        let primary = language.name.split(separator: "-").first.map(String.init) ?? ""
        self.init(typed: primary)
    }

    var typed: String { tag }

    /// As those who read it call it: `Español`.
    var name: Words { Words(verbatim: Self.names[tag] ?? tag) }

    /// Whether a page in this language is read by those who read the text.
    func isRead(in language: Language) -> Bool { WrittenLanguage(language) == self }

    /// All that forms offer, sorted by name.
    static let all = list.map { WrittenLanguage(known: $0.tag) }
    static let choices = all.map { Choice($0, $0.name) }

    private static let names = Dictionary(uniqueKeysWithValues: list.map { ($0.tag, $0.name) })

    /// The languages most spoken at home in the US (Census Bureau, American Community Survey 2017 to 2021, table
    /// B16001) and in Europe, by the names that the Unicode CLDR gives them in themselves.
    private static let list: [(tag: String, name: String)] = [
        ("id", "Bahasa Indonesia"), ("ca", "Català"), ("cs", "Čeština"), ("cy", "Cymraeg"), ("da", "Dansk"),
        ("de", "Deutsch"), ("et", "Eesti"), ("en", "English"), ("es", "Español"), ("eu", "Euskara"),
        ("fil", "Filipino"), ("fr", "Français"), ("ga", "Gaeilge"), ("ht", "Kreyòl ayisyen"), ("hmn", "Hmong"),
        ("hr", "Hrvatski"), ("is", "Íslenska"), ("it", "Italiano"), ("sw", "Kiswahili"), ("lv", "Latviešu"),
        ("lt", "Lietuvių"), ("hu", "Magyar"), ("nl", "Nederlands"), ("no", "Norsk"), ("pl", "Polski"),
        ("pt", "Português"), ("ro", "Română"), ("sm", "Samoa"), ("sq", "Shqip"), ("sk", "Slovenčina"),
        ("sl", "Slovenščina"), ("so", "Soomaali"), ("fi", "Suomi"), ("sv", "Svenska"), ("vi", "Tiếng Việt"),
        ("tr", "Türkçe"), ("el", "Ελληνικά"), ("bg", "Български"), ("ru", "Русский"), ("sr", "Српски"),
        ("uk", "Українська"), ("hy", "Հայերեն"), ("yi", "ייִדיש"), ("he", "עברית"), ("ar", "العربية"),
        ("ur", "اردو"), ("ps", "پښتو"), ("fa", "فارسی"), ("am", "አማርኛ"), ("ne", "नेपाली"), ("mr", "मराठी"),
        ("hi", "हिन्दी"), ("bn", "বাংলা"), ("pa", "ਪੰਜਾਬੀ"), ("gu", "ગુજરાતી"), ("ta", "தமிழ்"), ("te", "తెలుగు"),
        ("kn", "ಕನ್ನಡ"), ("ml", "മലയാളം"), ("th", "ไทย"), ("lo", "ລາວ"), ("my", "မြန်မာ"), ("km", "ខ្មែរ"),
        ("ko", "한국어"), ("zh", "中文"), ("ja", "日本語"),
    ]
}

/// The title and the description of something in one language.
struct WrittenText: Sendable, Equatable {
    /// Nil where nobody said.
    var language: WrittenLanguage?
    var title: String
    /// Of what a list shows, the beginning alone.
    var description: String

    /// Whether somebody who reads the site in a language rather reads this than the same in its first language.
    func isFor(_ reader: Language, insteadOf first: WrittenLanguage?) -> Bool {
        language?.isRead(in: reader) == true && first?.isRead(in: reader) != true
    }
}
