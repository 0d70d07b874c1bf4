/// Languages by the names that they have in themselves, which no reader needs translated.
enum LanguageNames {
    /// The languages most spoken at home in the US (Census Bureau, American Community Survey 2017 to 2021, table
    /// B16001) and in Europe, by the names that the Unicode CLDR gives them in themselves.
    static let all: [(tag: String, name: String)] = [
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

    static let byTag = Dictionary(uniqueKeysWithValues: all.map { ($0.tag, $0.name) })
}
