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
    }
}

extension Language {
    /// The translations; nil for English.
    var catalogue: Catalogue? { translations?.catalogue }

    /// As those who read it call it: `English`, `polski`.
    var ownName: String { Formats.of(locale).name(ofLanguage: name) }
}

extension Words {
    /// The words as plain text in a language: for what is no page.
    func text(in language: Language) -> String { text(by: language.catalogue, in: language.locale) }
}
