/// The messages of templates and Swift files as a gettext template (.pot), sorted, each once.
enum MessageList {
    /// - Parameter sources: Swift files, as path and text.
    static func pot(of folder: Folder, and sources: [(path: String, text: String)] = []) -> String {
        var text = """
            msgid ""
            msgstr ""
            "MIME-Version: 1.0\\n"
            "Content-Type: text/plain; charset=UTF-8\\n"
            "Content-Transfer-Encoding: 8bit\\n"
            "Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"

            """
        for entry in entries(of: folder, and: sources) {
            text += "\n" + entry.places.map { "#: \($0)\n" }.joined()
            // With this flag gettext checks the placeholders, and editors highlight them.
            if entry.hasPlaceholder { text += "#, python-brace-format\n" }
            if let context = entry.context { text += "msgctxt \(quoted(context))\n" }
            text += "msgid \(quoted(entry.id))\n"
            if let plural = entry.plural {
                text += "msgid_plural \(quoted(plural))\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n"
            } else {
                text += "msgstr \"\"\n"
            }
        }
        return text
    }

    /// A message to translate.
    struct Entry {
        let id: String
        /// Distinguishes it from another message with the same text.
        var context: String?
        /// The message for a count other than one.
        var plural: String?
        /// The files and lines where it is used.
        var places: [String] = []

        /// Whether it has placeholders, such as `{name}`.
        var hasPlaceholder: Bool { id.firstMatch(of: /\{\w+\}/) != nil }
    }

    /// Every message once, by context and text. Gettext identifies messages by their singular, so a message used with
    /// and without a plural is one entry, with the plural.
    static func entries(of folder: Folder, and sources: [(path: String, text: String)]) -> [Entry] {
        var entries: [[String]: Entry] = [:]
        func add(_ id: String, _ context: String?, _ plural: String?, _ place: String) {
            let key = [id] + (context.map { [$0] } ?? [])
            var entry = entries[key] ?? Entry(id: id, context: context)
            entry.plural = entry.plural ?? plural
            if entry.places.last != place { entry.places.append(place) }
            entries[key] = entry
        }
        for template in folder.templates {
            let nodes = template.body + template.slots.flatMap(\.body)
            for message in messages(in: nodes) {
                add(
                    TemplateMessage.id(message.singular), message.context, message.plural.map(TemplateMessage.id),
                    "\(template.name).html:\(message.position.line)")
            }
            for code in (template.layout.map { [$0.arguments] } ?? []) + expressions(in: nodes) {
                for message in SwiftMessages.messages(in: code.text, line: code.position.line) {
                    add(message.id, message.context, message.plural, "\(template.name).html:\(message.line)")
                }
            }
        }
        for (path, text) in sources {
            for message in SwiftMessages.messages(ofFile: text) {
                add(message.id, message.context, message.plural, "\(path):\(message.line)")
            }
        }
        return entries.values.sorted { ($0.id, $0.context ?? "") < ($1.id, $1.context ?? "") }
    }

    private static func messages(in nodes: [Node]) -> [TemplateMessage] {
        nodes.flatMap { node -> [TemplateMessage] in
            switch node {
            case .message(let message): [message]
            case .choice(let choice): messages(in: choice.branches.flatMap(\.body))
            case .loop(_, let body, let empty): messages(in: body + empty)
            case .markup, .value, .yield, .include: []
            }
        }
    }

    /// The Swift code that a template draws or passes on: a title, a label, words for a count.
    private static func expressions(in nodes: [Node]) -> [Code] {
        nodes.flatMap { node -> [Code] in
            switch node {
            case .value(let code, _): [code]
            case .include(let call): [call.arguments]
            case .message(let message): message.arguments.map(\.code)
            case .choice(let choice): expressions(in: choice.branches.flatMap(\.body))
            case .loop(let head, let body, let empty): [head] + expressions(in: body + empty)
            case .markup, .yield: []
            }
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for character in text {
            switch character {
            case "\"", "\\": result += "\\\(character)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default: result.append(character)
            }
        }
        return result + "\""
    }
}
