/// Languages by their own names, which need no translation.
enum LanguageNames {
    /// The languages most spoken at home in the US (Census Bureau, American Community Survey 2017 to 2021, table
    /// B16001) and in Europe, with their own names from Unicode CLDR: first those in Latin script, sorted, then the
    /// others, by script.
    static let all: [(tag: String, name: String)] = [
        ("id", "Bahasa Indonesia"), ("ms", "Bahasa Melayu"), ("bs", "Bosanski"), ("ca", "Català"), ("cs", "Čeština"),
        ("cy", "Cymraeg"), ("da", "Dansk"), ("de", "Deutsch"), ("et", "Eesti"), ("en", "English"), ("es", "Español"),
        ("eu", "Euskara"), ("fil", "Filipino"), ("fr", "Français"), ("ga", "Gaeilge"), ("gl", "Galego"),
        ("hmn", "Hmong"), ("hr", "Hrvatski"), ("is", "Íslenska"), ("it", "Italiano"), ("sw", "Kiswahili"),
        ("ht", "Kreyòl ayisyen"), ("lv", "Latviešu"), ("lb", "Lëtzebuergesch"), ("lt", "Lietuvių"), ("hu", "Magyar"),
        ("mt", "Malti"), ("nl", "Nederlands"), ("no", "Norsk"), ("uz", "O‘zbek"), ("pl", "Polski"),
        ("pt", "Português"), ("ro", "Română"), ("sm", "Samoa"), ("sq", "Shqip"), ("sk", "Slovenčina"),
        ("sl", "Slovenščina"), ("so", "Soomaali"), ("fi", "Suomi"), ("sv", "Svenska"), ("vi", "Tiếng Việt"),
        ("tr", "Türkçe"), ("yo", "Yorùbá"), ("el", "Ελληνικά"), ("be", "Беларуская"), ("bg", "Български"),
        ("mk", "Македонски"), ("ru", "Русский"), ("sr", "Српски"), ("uk", "Українська"), ("hy", "Հայերեն"),
        ("yi", "ייִדיש"), ("he", "עברית"), ("ur", "اردو"), ("ar", "العربية"), ("ps", "پښتو"), ("fa", "فارسی"),
        ("am", "አማርኛ"), ("ne", "नेपाली"), ("mr", "मराठी"), ("hi", "हिन्दी"), ("bn", "বাংলা"), ("pa", "ਪੰਜਾਬੀ"),
        ("gu", "ગુજરાતી"), ("ta", "தமிழ்"), ("te", "తెలుగు"), ("kn", "ಕನ್ನಡ"), ("ml", "മലയാളം"), ("th", "ไทย"),
        ("lo", "ລາວ"), ("my", "မြန်မာ"), ("km", "ខ្មែរ"), ("ko", "한국어"), ("zh", "中文"), ("ja", "日本語"),
    ]

    static let fromRightToLeft: Set<String> = ["ar", "fa", "he", "ps", "ur", "yi"]

    /// Other tags for languages in the list.
    static let sameAs = ["nb": "no", "nn": "no", "tl": "fil", "iw": "he", "in": "id", "cmn": "zh", "yue": "zh"]

    static let byTag = Dictionary(uniqueKeysWithValues: all.map { ($0.tag, $0.name) })
}
