import Forms
import FoundationEssentials
import Templating

/// What a page is written in: the words of a language, and days, amounts and numbers as it writes them in the site's
/// country.
struct Language: Sendable {
    /// As `lang` says it: `en`, `pl`, `pt-BR`.
    let name: String
    /// Nil for English, the language of the source.
    private let translations: Translations?
    /// Language and country, such as `en-US`.
    let locale: String
    let isRightToLeft: Bool
    let numbers: Numbers
    /// As those who read it call it, to stand alone: `English`, `Polski`.
    let ownName: String

    /// - Parameters:
    ///   - translations: Its words; nil for English.
    ///   - country: The site's. A language that names a country of its own keeps to that.
    init(_ translations: Translations?, country: String) {
        name = translations?.language ?? "en"
        self.translations = translations
        // Two letters, or the three digits of a part of the world (`es-419`).
        let hasCountry = name.split(separator: "-").dropFirst().contains {
            $0.utf8.count == 2 || $0.utf8.count == 3 && Int($0) != nil
        }
        locale = hasCountry ? name : "\(name)-\(country)"
        let formats = Formats.of(locale)
        isRightToLeft = formats.isRightToLeft
        numbers = formats.numbers
        let own = formats.name(ofLanguage: name)
        ownName = own.prefix(1).uppercased() + own.dropFirst()
    }
}

extension Language {
    /// The translations; nil for English.
    var catalogue: Catalogue? { translations?.catalogue }

    /// Language and country as other sites name them for a link (ogp.me): `en_US`.
    var openGraphName: String { locale.replacing("-", with: "_") }
}

extension Words {
    /// The words as plain text in a language: for what is no page.
    func text(in language: Language) -> String { text(by: language.catalogue, in: language.locale) }

    /// The same where a line begins with them: with a capital letter.
    func line(in language: Language) -> String {
        let text = text(in: language)
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}

extension Link {
    /// What an address says its language by.
    static let languageParameter = "lang"

    /// The same page in a language, whatever its reader chose; nil for the one that they chose.
    func read(in language: Language?) -> Link { with(Self.languageParameter, language?.name) }
}
