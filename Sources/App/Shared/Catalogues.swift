import FoundationEssentials
import Logging
import Synchronization
import Templating

/// A language's translations. The bundled ones are parsed when the language is first used, because it takes a moment
/// and most sites need few languages.
final class Translations: Sendable {
    let language: String
    private let state: Mutex<State>

    private enum State {
        case unread(StaticString)
        case read(Catalogue)
    }

    init(_ catalogue: Catalogue) {
        language = catalogue.language
        state = Mutex(.read(catalogue))
    }

    /// - Parameter text: A valid PO file.
    init(_ language: String, text: StaticString) {
        self.language = language
        state = Mutex(.unread(text))
    }

    var catalogue: Catalogue {
        state.withLock { state in
            switch state {
            case .read(let catalogue): return catalogue
            case .unread(let text):
                let catalogue = Catalogue(parsing: text.description)
                state = .read(catalogue)
                return catalogue
            }
        }
    }
}

/// The site's catalogs, sorted by language.
struct Catalogues: Sendable {
    let all: [Translations]
    /// The problems in an operator's catalogs, a line each.
    private(set) var problems: [String] = []

    /// Only English.
    static let none = Catalogues([])

    /// The bundled catalogs.
    static let shipped = Catalogues(all: ShippedCatalogues.all.map { Translations($0.language, text: $0.text) })

    init(_ catalogues: [Catalogue]) { self.init(all: catalogues.map(Translations.init)) }

    private init(all: [Translations]) { self.all = all }

    /// An unusable folder, described on one line for the operator.
    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    /// These catalogs, with every `.po` file in a folder added or replacing the one for its language.
    ///
    /// Unusable parts are left out and listed in ``problems``: a faulty message; a file that can't be read, doesn't
    /// name its language, or names another file's.
    /// - Throws: ``Unusable`` if the folder can't be read.
    func adding(folder: String) throws(Unusable) -> Catalogues {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw Unusable(description: "\(folder): a folder that can be read")
        }
        var problems: [String] = []
        var found: [Catalogue] = []
        for name in names.sorted() where name.hasSuffix(".po") && !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            guard let data = FileManager.default.contents(atPath: path) else {
                problems.append("\(path): a file that can be read")
                continue
            }
            guard let text = String(validating: data, as: UTF8.self) else {
                problems.append("\(path): a text in UTF-8")
                continue
            }
            let catalogue = Catalogue(parsing: text)
            problems += catalogue.problems.prefix(Self.mostProblems).map { "\(path):\($0)" }
            let others = catalogue.problems.count - Self.mostProblems
            if others > 0 { problems.append("\(path): \(others) more like these") }
            if Self.isName(catalogue.language), !found.contains(where: { $0.language == catalogue.language }) {
                found.append(catalogue)
            } else {
                problems.append("\(path): its header names a language of its own, such as \"Language: pl\\n\"")
            }
        }
        let kept = all.filter { old in !found.contains { $0.language == old.language } }
        var catalogues = Catalogues(all: (kept + found.map(Translations.init)).sorted { $0.language < $1.language })
        catalogues.problems = problems
        return catalogues
    }

    /// Logs for the operator what was left out.
    func report(to log: Logger) {
        for problem in problems { log.warning("VILLAGE_LANGUAGES: left out: \(problem)") }
    }

    /// The most mistakes to report per file.
    private static let mostProblems = 20

    /// Whether a text roughly looks like a language tag (BCP 47): `pl`, `pt-BR`, `zh-Hant`.
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
