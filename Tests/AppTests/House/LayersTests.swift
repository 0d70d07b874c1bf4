import Foundation
import Testing

/// The layers of the site, from the ground up: each is built on those below it, and names nothing above.
@Suite struct LayersTests {
    private enum Layer: Int {
        /// Words that every feature speaks, and the tables.
        case ground
        /// The gazetteer, what is near, maps, the way there.
        case places
        /// What there is, its rules, what is asked of the database, forms and pages.
        case features
        /// Requests and answers, what runs beside them, and the site that holds it all.
        case top

        /// - Parameter path: Below `Sources/App`.
        init(_ path: String) {
            let parts = path.split(separator: "/")
            let name = parts[parts.count - 1]
            self =
                switch parts[0] {
                case "Shared", "Schema": .ground
                case "Places": .places
                case _ where parts.count == 1: .top
                case "Web", "Machines": .top
                default: name.hasSuffix("Controller.swift") || name.hasPrefix("Site+") ? .top : .features
                }
        }
    }

    /// What is named of a layer above all the same: a refusal says how a link ended.
    private static let allowed = ["Shared/Refusal.swift": ["LinkEnd"]]

    private struct File {
        let path: String
        /// What it names: without comments, and of literals only what is interpolated.
        let names: Set<Substring>
        /// The types it declares, and those of them that other files see by their own name.
        let declared: Set<Substring>
        let types: Set<Substring>

        init(path: String, text: String) {
            var names: Set<Substring> = []
            var declared: Set<Substring> = []
            var types: Set<Substring> = []
            for line in File.code(in: text) {
                names.formUnion(File.names(in: line))
                let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
                for (word, name) in zip(words, words.dropFirst()) where File.declaring.contains(word) {
                    declared.insert(name)
                    if line.first != " " { types.insert(name) }
                }
            }
            (self.path, self.names, self.declared, self.types) = (path, names, declared, types)
        }

        private static let declaring: Set<Substring> = [
            "struct", "class", "enum", "protocol", "actor", "typealias", "associatedtype", "case",
        ]

        /// The lines without comments and the words of literals. Between two quotes that stand in an interpolation a
        /// literal passes for code: those are labels, which begin with a small letter.
        private static func code(in text: String) -> [Substring] {
            var isText = false
            return text.split(separator: "\n").map { line in
                if line.contains("\"\"\"") {
                    isText.toggle()
                    return ""
                }
                if line.drop(while: { $0 == " " }).hasPrefix("//") { return "" }
                let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
                guard isText || parts.count > 1 else { return line }
                return Substring(
                    parts.enumerated().map { index, part in
                        isText || index % 2 == 1 ? File.interpolated(in: part) : String(part)
                    }.joined(separator: " "))
            }
        }

        private static func interpolated(in literal: Substring) -> String {
            literal.split(separator: "\\(", omittingEmptySubsequences: false).dropFirst().map { piece in
                var depth = 1
                return piece.prefix { character in
                    depth += character == "(" ? 1 : character == ")" ? -1 : 0
                    return depth > 0
                }
            }.joined(separator: " ")
        }

        /// What begins with a capital, isn't a member of something, and isn't there to tell one ID from another alone.
        private static func names(in line: Substring) -> [Substring] {
            var names: [Substring] = []
            var rest = line
            while let start = rest.firstIndex(where: { $0.isLetter || $0 == "_" }) {
                let name = rest[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                let before = line[..<start]
                if name.first?.isUppercase == true, !before.hasSuffix("."), !before.hasSuffix("ID<") {
                    names.append(name)
                }
                rest = rest[name.endIndex...]
            }
            return names
        }
    }

    /// The types above a file that it names.
    ///
    /// - Parameter types: Those of each layer.
    private static func above(_ file: File, of types: [Set<Substring>]) -> Set<Substring> {
        let layer = Layer(file.path).rawValue
        let lower = types[...layer].reduce(file.declared) { $0.union($1) }
        let upper = types[(layer + 1)...].reduce(Set()) { $0.union($1) }
        return file.names.intersection(upper).subtracting(lower)
    }

    @Test func `nothing names what stands above it`() throws {
        let files = try SourcesTests.files(in: "Sources/App").map { path, text in
            File(path: String(path.dropFirst("Sources/App/".count)), text: text)
        }
        var types = [Set<Substring>](repeating: [], count: Layer.top.rawValue + 1)
        for file in files { types[Layer(file.path).rawValue].formUnion(file.types) }
        for file in files {
            let names = Self.above(file, of: types).map(String.init).sorted()
            #expect(names == Self.allowed[file.path] ?? [], "\(file.path)")
        }
        // Twins: in a signature, in a literal, and from the ground.
        let named = [
            ("Events/Posting/Draft.swift", "func keep(in site: Site) {}", ["Site"]),
            ("People/Mail/Letter.swift", "let words = \"Dear \\(Flash.saved), visit the Site\"", ["Flash"]),
            ("Shared/Day.swift", "extension Event {}", ["Event"]),
            ("Places/Place.swift", "func near(_ event: ID<Event>, in form: EventForm)", ["EventForm"]),
            ("Shared/Day.swift", "// An Event of the Site\nlet day: Day", []),
        ]
        for (path, text, names) in named {
            let found = Self.above(File(path: path, text: text), of: types)
            #expect(found.map(String.init) == names, "\(text)")
        }
    }
}
