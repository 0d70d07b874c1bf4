/// Finds the messages in Swift: string literals that can be `Words`.
///
/// The type of a literal isn't known here, so its text and place decide: a literal is taken if it reads like words for
/// people (`isProse`), unless it contains a value without a name, which `Words` can't have, or is in a place where
/// texts aren't words (`isElsewhere`). A literal taken by mistake costs translators a moment; a missed one appears in
/// English on a page, and fails the test that draws every page in a made-up language. `Words("…")` is always taken.
struct SwiftMessages {
    /// A message, with its line.
    struct Message: Equatable {
        let id: String
        var context: String?
        let plural: String?
        let line: Int
    }

    private enum Token {
        case name(String)
        case sign(UInt8)
        case literal(Literal)
    }

    private struct Literal {
        var text = ""
        /// Whether each value in it has a name.
        var isNamed = true
        let line: Int
    }

    private let bytes: [UInt8]
    private var place = 0
    private var line: Int
    private var messages: [Message] = []

    /// The messages in a template's Swift code, in order.
    static func messages(in code: String, line: Int = 1) -> [Message] {
        var reader = SwiftMessages(code, line: line)
        reader.judge(reader.tokens(until: nil))
        return reader.messages
    }

    /// The messages of a file. A file that neither mentions `Words` nor imports its module has none.
    static func messages(ofFile text: String) -> [Message] {
        guard text.contains("Words") || text.contains("import Forms") else { return [] }
        var reader = SwiftMessages(text, line: 1)
        let tokens = reader.tokens(until: nil)
        reader.judge(tokens)
        let knowsWords = tokens.enumerated().contains { index, token in
            switch token {
            case .name("Words"): true
            case .name("Forms") where index > 0:
                if case .name("import") = tokens[index - 1] { true } else { false }
            default: false
            }
        }
        return knowsWords ? reader.messages : []
    }

    private init(_ code: String, line: Int) {
        bytes = Array(code.utf8)
        self.line = line
    }

    // MARK: Classifying

    private mutating func judge(_ tokens: [Token]) {
        for (index, token) in tokens.enumerated() {
            guard case .literal(let literal) = token, literal.isNamed, literal.text.utf8.contains(where: \.isLetter)
            else { continue }
            func before(_ distance: Int) -> Token? { index >= distance ? tokens[index - distance] : nil }
            let label: String? =
                if case .sign(UInt8(ascii: ":"))? = before(1), case .name(let name)? = before(2) { name } else { nil }
            if label == "plural" || label == "context" { continue }
            let isCalled =
                if case .sign(UInt8(ascii: "("))? = before(1), case .name? = before(2) { true } else { false }
            let call: String? =
                if isCalled, case .name(let name)? = before(2) { name } else { nil }
            let context = argument("context", behind: index, in: tokens)
            let plural = argument("plural", behind: context == nil ? index : index + 4, in: tokens)
            let isWords = call == "Words" || plural != nil || context != nil
            guard isWords || (Self.isProse(literal.text) && !Self.isElsewhere(label: label, call: call)) else {
                continue
            }
            messages.append(Message(id: literal.text, context: context, plural: plural, line: literal.line))
        }
    }

    /// The text of a literal without placeholders; nil for other code.
    static func literal(_ code: String) -> String? {
        var reader = SwiftMessages(code, line: 1)
        let tokens = reader.tokens(until: nil)
        guard tokens.count == 1, case .literal(let literal) = tokens[0], literal.isNamed, !literal.text.contains("{")
        else { return nil }
        return literal.text
    }

    /// The literal in `, name: "…"` directly after the literal at `index`.
    private func argument(_ name: String, behind index: Int, in tokens: [Token]) -> String? {
        guard index + 4 < tokens.count, case .sign(UInt8(ascii: ",")) = tokens[index + 1],
            case .name(name) = tokens[index + 2], case .sign(UInt8(ascii: ":")) = tokens[index + 3],
            case .literal(let literal) = tokens[index + 4]
        else { return nil }
        return literal.text
    }

    /// Whether a text reads like words for people: several words, or one that begins with a capital letter.
    static func isProse(_ text: String) -> Bool {
        // Words are one paragraph, and not an SQL statement.
        if text.utf8.contains(.newline) { return false }
        let words = text.split(separator: " ")
        if words.contains(where: sql.contains) { return false }
        if words.count > 1 { return true }
        let letters = text.utf8.filter(\.isLetter)
        return letters.count > 1 && letters.first! < UInt8(ascii: "a")
            && letters.dropFirst().contains { $0 >= UInt8(ascii: "a") }
    }

    /// Whether a literal is in a place where texts are never words.
    private static func isElsewhere(label: String?, call: String?) -> Bool {
        if let label, labels.contains(label) { return true }
        if let call, calls.contains(call) { return true }
        return false
    }

    private static let sql: Set<Substring> = [
        "SELECT", "UPDATE", "INSERT", "DELETE", "NULL", "NULL,", "JOIN", "WHERE", "DESC,",
    ]
    private static let labels: Set<String> = ["separator", "with", "as", "forKey"]
    private static let calls: Set<String> = [
        "hasPrefix", "hasSuffix", "contains", "replacing", "warning", "error", "info", "debug", "critical", "notice",
        "report", "fatalError", "precondition", "preconditionFailure", "Link", "Name", "element", "attribute",
    ]

    // MARK: Reading

    /// The tokens up to the closing bracket, which is consumed, or to the end.
    private mutating func tokens(until end: UInt8?) -> [Token] {
        var tokens: [Token] = []
        var depth = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte == end, depth == 0 {
                place += 1
                return tokens
            }
            switch byte {
            case .newline:
                line += 1
                place += 1
            case _ where byte.isSpace: place += 1
            case _ where bytes.has("//", at: place):
                while place < bytes.count, bytes[place] != .newline { place += 1 }
            case _ where bytes.has("/*", at: place): skipComment()
            case UInt8(ascii: "\""): readLiteral(hashes: 0, into: &tokens)
            case UInt8(ascii: "#"):
                let hashes = bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count
                place += hashes
                if place < bytes.count, bytes[place] == UInt8(ascii: "\"") {
                    readLiteral(hashes: hashes, into: &tokens)
                }
            case UInt8(ascii: "/") where beginsPattern(behind: tokens): skipPattern()
            case _ where byte.isNamePart:
                let start = place
                while place < bytes.count, bytes[place].isNamePart { place += 1 }
                tokens.append(.name(String(decoding: bytes[start..<place], as: UTF8.self)))
            default:
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                tokens.append(.sign(byte))
                place += 1
            }
        }
        return tokens
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if bytes.has("/*", at: place) {
                depth += 1
                place += 2
            } else if bytes.has("*/", at: place) {
                depth -= 1
                place += 2
            } else {
                if bytes[place] == .newline { line += 1 }
                place += 1
            }
        } while depth > 0 && place < bytes.count
    }

    /// Whether a slash begins a regex: after a bracket, a comma or an equals sign, and not before a blank.
    private func beginsPattern(behind tokens: [Token]) -> Bool {
        guard place + 1 < bytes.count, !bytes[place + 1].isSpace else { return false }
        guard case .sign(let sign)? = tokens.last else { return false }
        return "(,=:[".utf8.contains(sign)
    }

    private mutating func skipPattern() {
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "/"), bytes[place] != .newline {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place += 1
    }

    private mutating func readLiteral(hashes: Int, into tokens: inout [Token]) {
        let isLong = bytes.has("\"\"\"", at: place)
        let quotes = isLong ? 3 : 1
        place += quotes
        var literal = Literal(line: line)
        var text: [UInt8] = []
        let closing =
            [UInt8](repeating: UInt8(ascii: "\""), count: quotes) + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        let escape = [UInt8(ascii: "\\")] + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        while place < bytes.count, !bytes[place...].starts(with: closing) {
            if bytes[place...].starts(with: escape) {
                place += escape.count
                readEscape(into: &text, &literal)
            } else {
                if bytes[place] == .newline {
                    line += 1
                    // A one-line literal ends with its line.
                    if !isLong { break }
                }
                text.append(bytes[place])
                place += 1
            }
        }
        place += closing.count
        literal.text = String(decoding: isLong ? Self.unindented(text) : text, as: UTF8.self)
        tokens.append(.literal(literal))
    }

    /// Reads an escape sequence after its backslash.
    private mutating func readEscape(into text: inout [UInt8], _ literal: inout Literal) {
        guard place < bytes.count else { return }
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "("):
            let inner = tokens(until: UInt8(ascii: ")"))
            judge(inner)
            if let name = Self.name(in: inner) {
                text += Array("{\(name)}".utf8)
            } else {
                literal.isNamed = false
            }
        case UInt8(ascii: "n"): text.append(.newline)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            let digits = bytes[place...].dropFirst().prefix { $0 != UInt8(ascii: "}") }
            place = min(bytes.count, digits.endIndex + 1)
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
            if let scalar = number.flatMap(Unicode.Scalar.init) { text += Array(String(scalar).utf8) }
        // An escaped line end: no line break, and the next line's leading blanks are layout.
        case .newline:
            line += 1
            text.append(Self.joined)
        default: text.append(byte)
        }
    }

    /// Marks a removed line break; no UTF-8 text contains it.
    private static let joined: UInt8 = 0xFF

    /// The text of a multiline literal, without the indentation of its last line.
    private static func unindented(_ text: [UInt8]) -> [UInt8] {
        var lines = text.split(separator: .newline, omittingEmptySubsequences: false)
        let indent = lines.popLast()?.count ?? 0
        if lines.first?.isEmpty == true { lines.removeFirst() }
        func bare(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            line.dropFirst(min(indent, line.prefix(while: \.isBlank).count))
        }
        return Array(
            lines.map { line in
                line.split(separator: joined, omittingEmptySubsequences: false).map { Array(bare($0)) }.joined()
            }.map { Array($0) }.joined(separator: [.newline]))
    }

    /// The name in `value, as: "name"`.
    private static func name(in tokens: [Token]) -> String? {
        guard tokens.count > 3, case .literal(let literal) = tokens[tokens.count - 1],
            case .sign(UInt8(ascii: ":")) = tokens[tokens.count - 2], case .name("as") = tokens[tokens.count - 3]
        else { return nil }
        return literal.text
    }
}
