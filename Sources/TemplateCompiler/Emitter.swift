/// Writes the Swift code of a template: simple statements that add to a buffer.
///
/// The template's own Swift keeps its line and column, so that the compiler's messages point into the template.
struct Emitter {
    private let template: Template
    /// The path for the compiler's messages, as a Swift literal.
    private let path: String
    /// The slots of each layout, by name.
    private let layouts: [String: [String]]
    private var out = ""
    private var depth = 1
    private var loops = 0
    private var subjects = 0

    /// The Swift file for `template`; `path` appears in the compiler's messages, `layouts` has the slots of each
    /// layout.
    static func emit(
        _ template: Template, path: String, imports: [String], layouts: [String: [String]]
    ) -> String {
        var emitter = Emitter(template: template, path: path, layouts: layouts)
        emitter.file(imports: imports)
        return emitter.out
    }

    private init(template: Template, path: String, layouts: [String: [String]]) {
        self.template = template
        self.path = Self.literal(Array(path.utf8))
        self.layouts = layouts
    }

    // MARK: Lines

    private mutating func line(_ text: String) {
        out += String(repeating: "    ", count: min(depth, 20)) + text + "\n"
    }

    /// Writes `before`, the code and `after` on the template's line, and in its column if `before` leaves room.
    private mutating func line(_ before: String, _ code: Code, _ after: String) {
        let room = code.position.column - 1 - before.utf8.count
        let indent = room <= 400 ? max(room, 0) : 0
        out += "#sourceLocation(file: \(path), line: \(code.position.line))\n"
        out += String(repeating: " ", count: indent) + before + code.text + after + "\n"
        out += "#sourceLocation()\n"
    }

    /// A Swift string literal.
    static func literal(_ bytes: [UInt8]) -> String {
        var text = "\""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}":
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    // MARK: Functions

    private mutating func file(imports: [String]) {
        out = "// Made from \(template.name).html; an edit here is lost.\n"
        out += imports.map { "import \($0)\n" }.joined()
        let path = template.name.split(separator: "/").map { Name.swift(String($0)) }
        out += "\nextension \((["Templates"] + path.dropLast().map { "`\($0)`" }).joined(separator: ".")) {\n"
        let frame = template.frame
        if template.isPartial || template.isLayout {
            var after = template.parameters.text.isEmpty ? "" : ","
            after += " frame: \(frame), __out: inout HTMLBuffer"
            after += template.yields.map { ", __slot_\($0): (inout HTMLBuffer) -> Void" }.joined()
            line("static func `\(path.last!)`(", template.parameters, after + ") {")
            depth += 1
            if let kept = template.kept { part(kept) } else { contents() }
        } else {
            line("static func `\(path.last!)`(", template.parameters, ") -> View<\(frame)> {")
            depth += 1
            line("@Sendable func __draw(_ frame: \(frame), _ __out: inout HTMLBuffer) {")
            depth += 1
            contents()
            depth -= 1
            line("}")
            line("return View(__draw)")
        }
        depth -= 1
        line("}")
        out += "}\n"
    }

    /// The body of a kept partial: it sees its parameters, `kept.values` and `frame.kept`, and these are its key.
    private mutating func part(_ kept: Kept) {
        for (name, code) in kept.values { line("let \(name) = ", code, "") }
        if let condition = kept.condition {
            line("let __mayBeKept = ", condition, "")
        } else {
            line("let __mayBeKept = true")
        }
        line("let frame = frame.kept")
        line("let __started = __out.part(\(Self.literal(Array(template.name.utf8))), where: __mayBeKept) { __key in")
        for name in ["frame"] + template.names + kept.values.map(\.name) { line("    __key.add(\(name))") }
        line("}")
        line("guard let __part = __started else { return }")
        contents()
        line("__out.keep(__part)")
    }

    private mutating func contents() {
        guard let layout = template.layout else {
            return nodes(template.body)
        }
        let filled = [("", template.body)] + template.slots.map { ($0.name, $0.body) }
        var slots = ""
        for name in layouts[layout.name] ?? [] {
            if let (_, body) = filled.first(where: { $0.0 == name }) {
                line("func __fill_\(name)(_ __out: inout HTMLBuffer) {")
                depth += 1
                nodes(body)
                depth -= 1
                line("}")
                slots += ", __slot_\(name): __fill_\(name)"
            } else {
                slots += ", __slot_\(name): { _ in }"
            }
        }
        call(layout, slots)
    }

    private mutating func call(_ call: Call, _ more: String = "") {
        let path = call.name.split(separator: "/").map { "`\(Name.swift(String($0)))`" }.joined(separator: ".")
        let comma = call.arguments.text.isEmpty ? "" : ","
        line("Templates.\(path)(", call.arguments, "\(comma) frame: frame, __out: &__out\(more))")
    }

    // MARK: Nodes

    private mutating func nodes(_ nodes: [Node]) {
        var text: [UInt8] = []
        for node in nodes {
            if case .markup(let bytes) = node {
                text += bytes
            } else {
                markup(&text)
                self.node(node)
            }
        }
        markup(&text)
    }

    private mutating func markup(_ text: inout [UInt8]) {
        if !text.isEmpty { line("__out.markup(\(Self.literal(text)))") }
        text = []
    }

    private mutating func node(_ node: Node) {
        switch node {
        case .markup: break
        case .value(let code, let place): line("__out.\(place.rawValue)(", code, ")")
        case .choice(let choice): self.choice(choice)
        case .loop(let head, let body, let empty):
            loops += 1
            let isEmpty = "__isEmpty\(loops)"
            if !empty.isEmpty { line("var \(isEmpty) = true") }
            line("for ", head, " {")
            if !empty.isEmpty { line("    \(isEmpty) = false") }
            inner(body)
            line("}")
            if !empty.isEmpty {
                line("if \(isEmpty) {")
                inner(empty)
                line("}")
            }
        case .include(let include): call(include)
        case .yield(let name): line("__slot_\(name)(&__out)")
        case .message(let message): self.message(message)
        }
    }

    private mutating func choice(_ choice: Choice) {
        // Swift requires a case right after the brace, so there is no place here for the case's source location.
        var start = "if "
        if let subject = choice.subject {
            subjects += 1
            line("let __subject\(subjects) = ", subject, "")
            start = "switch __subject\(subjects) { case "
        }
        for (index, branch) in choice.branches.enumerated() {
            if let head = branch.head {
                let next = choice.subject == nil ? "} else if " : "case "
                line(index == 0 ? start : next, head, choice.subject == nil ? " {" : ":")
            } else {
                line("} else {")
            }
            inner(branch.body)
            // Swift requires a statement in each case.
            if branch.body.isEmpty, choice.subject != nil { line("    break") }
        }
        line("}")
    }

    private mutating func inner(_ body: [Node]) {
        depth += 1
        nodes(body)
        depth -= 1
    }

    // MARK: Messages

    private mutating func message(_ message: TemplateMessage) {
        let id = Self.literal(Array(TemplateMessage.id(message.singular).utf8))
        let method = message.isAttribute ? "attributeMessage" : "message"
        if message.isPlain { return line("__out.\(method)(\(id))") }
        line("do {")
        depth += 1
        let context = message.context.map { ", context: \(Self.literal(Array($0.utf8)))" } ?? ""
        for argument in message.arguments { line("let __value_\(argument.name) = ", argument.code, "") }
        if let plural = message.plural {
            let other = Self.literal(Array(TemplateMessage.id(plural).utf8))
            let count = "count: Int(__value_count)"
            line("if let __message = __out.translation(of: \(id)\(context), plural: \(other), \(count)) {")
        } else {
            line("if let __message = __out.translation(of: \(id)\(context)) {")
        }
        depth += 1
        fill(message, by: method)
        depth -= 1
        if let plural = message.plural {
            line("} else if __value_count == 1 {")
            pieces(message.singular, of: message)
            line("} else {")
            pieces(plural, of: message)
        } else {
            line("} else {")
            pieces(message.singular, of: message)
        }
        line("}")
        depth -= 1
        line("}")
    }

    /// Writes the translated message, with its placeholders drawn as in the template.
    private mutating func fill(_ message: TemplateMessage, by method: String) {
        let start = "__out.\(method)(__message)"
        var places: [(name: String, place: ValuePlace)] = []
        for case .placeholder(let name, let place) in message.singular + (message.plural ?? []) {
            if !places.contains(where: { $0.name == name }) { places.append((name, place)) }
        }
        let other = "__out.placeholder(__name)"
        guard !places.isEmpty else { return line("\(start) { __name, __out in \(other) }") }
        line("\(start) { __name, __out in")
        line("    switch __name {")
        for (name, place) in places {
            line("    case \"\(name)\": __out.\(draw(place, in: message))(__value_\(name))")
        }
        line("    default: \(other)")
        line("    }")
        line("}")
    }

    /// The method that draws a placeholder: in an attribute's message a number is for people, too.
    private func draw(_ place: ValuePlace, in message: TemplateMessage) -> String {
        message.isAttribute && place == .attribute ? "spoken" : place.rawValue
    }

    private mutating func pieces(_ pieces: [TemplateMessage.Piece], of message: TemplateMessage) {
        for piece in pieces {
            switch piece {
            case .text(let text): line("    __out.markup(\(Self.literal(Array(text.utf8))))")
            case .placeholder(let name, let place):
                line("    __out.\(draw(place, in: message))(__value_\(name))")
            }
        }
    }
}

/// Converts the names of files and folders to Swift names.
enum Name {
    /// `no-places` becomes `noPlaces`, and `404` becomes `_404`.
    static func swift(_ name: String) -> String {
        let words = name.split(separator: "-", omittingEmptySubsequences: true)
        var result = words.enumerated()
            .map { index, word in index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst() }
            .joined()
        if result.utf8.first?.isDigit == true { result = "_" + result }
        return result
    }

    /// Why a file or folder can't have this name, or `nil` if it can.
    static func refusal(_ name: String) -> String? {
        if !name.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }) {
            return "the name \(name) may only have letters a to z, digits, - and _"
        }
        if ["", "_", "Type", "Protocol", "self", "Self", "init"].contains(swift(name)) || name.contains("__") {
            return "the name \(name) can't be one in Swift"
        }
        return nil
    }
}
