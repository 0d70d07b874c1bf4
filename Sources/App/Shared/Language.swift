import Forms
import FoundationEssentials
import Templating

/// What a page is written in: the words of a language, and days, amounts and numbers as it writes them in the site's
/// country.
struct Language: Sendable {
    /// As `lang` says it: `en`, `pl`, `pt-BR`.
    let name: String
    /// The translations; nil for English, the language of the source.
    let catalogue: Catalogue?
    /// Language and country, such as `en-US`.
    let locale: String
    let isRightToLeft: Bool
    let numbers: Numbers

    /// - Parameters:
    ///   - catalogue: Its words; nil for English.
    ///   - country: The site's. A language that names a country of its own keeps to that.
    init(_ catalogue: Catalogue?, country: String) {
        name = catalogue?.language ?? "en"
        self.catalogue = catalogue
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
    /// As those who read it call it: `English`, `polski`.
    var ownName: String { Formats.of(locale).name(ofLanguage: name) }
}

extension Words {
    /// The words as plain text in a language: for what is no page.
    func text(in language: Language) -> String { text(by: language.catalogue, in: language.locale) }
}

/// The catalogs the site was started with, in the order of their languages.
struct Catalogues: Sendable {
    let all: [Catalogue]

    /// English alone.
    static let none = Catalogues(all: [])

    /// A catalog that can't be used, as a line for the operator.
    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads every `.po` file of a folder.
    ///
    /// - Throws: ``Unusable`` for a folder that can't be read, a file with a mistake, and one that doesn't name its
    ///   language, or names that of another file.
    init(folder: String) throws(Unusable) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw Unusable(description: "\(folder): a folder that can be read")
        }
        var found: [Catalogue] = []
        for name in names.sorted() where name.hasSuffix(".po") && !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            guard let data = FileManager.default.contents(atPath: path) else {
                throw Unusable(description: "\(path): a file that can be read")
            }
            guard let text = String(validating: data, as: UTF8.self) else {
                throw Unusable(description: "\(path): a text in UTF-8")
            }
            do {
                found.append(try Catalogue(parsing: text))
            } catch {
                throw Unusable(description: "\(path):\(error)")
            }
            let language = found[found.count - 1].language
            guard Self.isName(language), !found.dropLast().contains(where: { $0.language == language }) else {
                throw Unusable(
                    description: "\(path): its header names a language of its own, such as \"Language: pl\\n\"")
            }
        }
        all = found
    }

    init(all: [Catalogue]) { self.all = all }

    /// Whether a text is a language's name as browsers know it (BCP 47), roughly: `pl`, `pt-BR`, `zh-Hant`.
    static func isName(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return (2...3).contains(parts[0].count)
            && parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { $0 < 0x80 && isLetterOrDigit($0) } }
            && parts[0].allSatisfy { !(0x30...0x39).contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}
