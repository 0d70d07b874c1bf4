import FoundationEssentials
import Logging
import Synchronization
import Templating

/// The words of one language. Those that the program brings along are read when somebody first reads that language:
/// it takes a moment, and most sites need few.
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

    /// - Parameter text: A PO file without a mistake.
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

/// The catalogs the site was started with, in the order of their languages.
struct Catalogues: Sendable {
    let all: [Translations]
    /// What couldn't be used of an operator's catalogs, as lines.
    private(set) var problems: [String] = []

    /// English alone.
    static let none = Catalogues([])

    /// Those the program brings along.
    static let shipped = Catalogues(all: ShippedCatalogues.all.map { Translations($0.language, text: $0.text) })

    init(_ catalogues: [Catalogue]) { self.init(all: catalogues.map(Translations.init)) }

    private init(all: [Translations]) { self.all = all }

    /// A folder without any catalog, as a line for the operator.
    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    /// These, and every `.po` file of a folder, which takes the place of the one of its language.
    ///
    /// What can't be used is left out, and named by ``problems``: a message with a mistake; a file that can't be read,
    /// doesn't name its language, or names that of another file.
    /// - Throws: ``Unusable`` for a folder that can't be read.
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

    /// Tells the operator what was left out.
    func report(to log: Logger) {
        for problem in problems { log.warning("VILLAGE_LANGUAGES: left out: \(problem)") }
    }

    /// The most mistakes of a file that are named.
    private static let mostProblems = 20

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
