import Foundation

/// The types that a file of the site declares and names, read from its text. `LayersTests` and `ArrowsTests` check by
/// them that nothing names what is above it.
struct NamedTypes {
    /// Below `Sources/App`.
    let path: String
    /// What it names: without comments, and of literals only what is interpolated.
    let names: Set<Substring>
    /// The members that it names after their type, such as `Matter.raise`.
    let members: Set<Member>
    /// The types it declares, and those of them that other files see by their own name.
    let declared: Set<Substring>
    let types: Set<Substring>
    /// The static members that its extensions add to types.
    let added: Set<Member>

    /// A member, with its type.
    struct Member: Hashable {
        let type: Substring
        let name: Substring
    }

    /// The folder it stands in.
    var room: String { path.split(separator: "/").dropLast().joined(separator: "/") }

    /// All files of the site.
    static let all = Result {
        try SourcesTests.files(in: "Sources/App").map { path, text in
            NamedTypes(path: String(path.dropFirst("Sources/App/".count)), text: text)
        }
    }

    init(path: String, text: String) {
        var names: Set<Substring> = []
        var members: Set<Member> = []
        var declared: Set<Substring> = []
        var types: Set<Substring> = []
        var added: Set<Member> = []
        var extended: Substring?
        for line in Self.code(in: text) {
            for (name, member) in Self.names(in: line) {
                names.insert(name)
                if let member { members.insert(Member(type: name, name: member)) }
            }
            let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            for (word, name) in zip(words, words.dropFirst()) where Self.declaring.contains(word) {
                declared.insert(name)
                if line.first != " " { types.insert(name) }
            }
            if let first = line.first, first != " ", first != "}" { extended = Self.extended(by: line, words) }
            if let extended, let name = Self.added(by: line, words) {
                added.insert(Member(type: extended, name: name))
            }
        }
        (self.path, self.names, self.members) = (path, names, members)
        (self.declared, self.types, self.added) = (declared, types, added)
    }

    private static let declaring: Set<Substring> = [
        "struct", "class", "enum", "protocol", "actor", "typealias", "associatedtype", "case",
    ]

    /// The type that a line begins to extend: not one inside another, or of one parameter.
    private static func extended(by line: Substring, _ words: [Substring]) -> Substring? {
        guard words.first == "extension", words.count > 1 else { return nil }
        let rest = line[words[1].endIndex...]
        return rest.hasPrefix(".") || rest.hasPrefix("<") ? nil : words[1]
    }

    /// The static member that a line of an extension declares, unless only its file sees it.
    private static func added(by line: Substring, _ words: [Substring]) -> Substring? {
        guard line.hasPrefix("    "), line.dropFirst(4).first != " " else { return nil }
        let rest = words.first == "discardableResult" ? words.dropFirst() : words[...]
        guard rest.count > 2, rest.first == "static" else { return nil }
        return ["func", "let", "var"].contains(rest[rest.startIndex + 1]) ? rest[rest.startIndex + 2] : nil
    }

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
            let code = parts.enumerated().map { index, part in
                isText || index % 2 == 1 ? interpolated(in: part) : String(part)
            }.joined(separator: " ")
            // What stands in a text begins nothing.
            return Substring(isText ? " " + code : code)
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

    /// What begins with a capital, isn't a member of something, and isn't there to tell one ID from another alone;
    /// with the member that follows.
    private static func names(in line: Substring) -> [(name: Substring, member: Substring?)] {
        func isOfName(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" }
        var names: [(Substring, Substring?)] = []
        var rest = line
        while let start = rest.firstIndex(where: { $0.isLetter || $0 == "_" }) {
            let name = rest[start...].prefix(while: isOfName)
            let before = line[..<start]
            rest = rest[name.endIndex...]
            guard name.first?.isUppercase == true, !before.hasSuffix("."), !before.hasSuffix("ID<") else { continue }
            let member = rest.first == "." ? rest.dropFirst().prefix(while: isOfName) : ""
            names.append((name, member.first?.isLowercase == true ? member : nil))
        }
        return names
    }
}
