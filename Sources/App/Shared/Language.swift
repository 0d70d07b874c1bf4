import Forms
import FoundationEssentials
import Templating

/// A page's language: its words, and its formats of days, amounts and numbers in the site's country.
struct Language: Sendable {
    /// The language tag: `en`, `pl`, `pt-BR`.
    let name: String
    /// Nil for English, the source language.
    private let translations: Translations?
    /// The language and country, such as `en-US`.
    let locale: String
    let isRightToLeft: Bool
    /// The language's own name, for use on its own: `English`, `Polski`.
    let ownName: String
    /// The language and country in Open Graph's format (ogp.me): `en_US`.
    let openGraphName: String

    /// - Parameters:
    ///   - translations: The translations; nil for English.
    ///   - country: The site's country. A language tag with a country keeps its own.
    init(_ translations: Translations?, country: String) {
        name = translations?.language ?? "en"
        self.translations = translations
        // Two letters, or a region's three digits (`es-419`).
        let hasCountry = name.split(separator: "-").dropFirst().contains {
            $0.utf8.count == 2 || $0.utf8.count == 3 && Int($0) != nil
        }
        locale = hasCountry ? name : "\(name)-\(country)"
        isRightToLeft = Formats.isRightToLeft(locale)
        let own = Formats.name(ofLanguage: name, in: locale)
        ownName = own.prefix(1).uppercased() + own.dropFirst()
        openGraphName = locale.parts(at: "-").joined(separator: "_")
    }
}

extension Language {
    /// The format of whole numbers. All formats of a language are made when one is first used.
    var numbers: Numbers { Formats.of(locale).numbers }

    /// The translations; nil for English.
    var catalogue: Catalogue? { translations?.catalogue }
}

extension Words {
    /// The words as plain text in a language, for output that isn't a page.
    func text(in language: Language) -> String { text(by: language.catalogue, in: language.locale) }

    /// The words as the text of a letter: names and numbers in it keep their order beside a language that runs the
    /// other way.
    func letter(in language: Language) -> String {
        text(by: language.catalogue, in: language.locale, isRightToLeft: language.isRightToLeft)
    }

    /// The words as the start of a line: with a capital letter.
    func line(in language: Language) -> String {
        let text = text(in: language)
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}

extension Link {
    /// The query parameter for a page's language.
    static let languageParameter = "lang"

    /// The page in a language regardless of the reader's choice; nil keeps the choice.
    func read(in language: Language?) -> Link { with(Self.languageParameter, language?.name) }
}
