/// The messages of templates as a gettext template file (.pot), sorted, each once.
enum MessageList {
    static func pot(of folder: Folder) -> String {
        var entries: [Key: [String]] = [:]
        for template in folder.templates {
            for message in messages(in: template.body + template.slots.flatMap(\.body)) {
                let key = Key(
                    id: TemplateMessage.id(message.singular), plural: message.plural.map(TemplateMessage.id))
                entries[key, default: []].append("\(template.name).html:\(message.position.line)")
            }
        }
        var text = """
            msgid ""
            msgstr ""
            "MIME-Version: 1.0\\n"
            "Content-Type: text/plain; charset=UTF-8\\n"
            "Content-Transfer-Encoding: 8bit\\n"
            "Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"

            """
        for (key, places) in entries.sorted(by: { $0.key < $1.key }) {
            text += "\n" + places.map { "#: \($0)\n" }.joined() + "msgid \(quoted(key.id))\n"
            if let plural = key.plural {
                text += "msgid_plural \(quoted(plural))\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n"
            } else {
                text += "msgstr \"\"\n"
            }
        }
        return text
    }

    private struct Key: Hashable, Comparable {
        let id: String
        let plural: String?

        static func < (left: Key, right: Key) -> Bool { (left.id, left.plural ?? "") < (right.id, right.plural ?? "") }
    }

    private static func messages(in nodes: [Node]) -> [TemplateMessage] {
        nodes.flatMap { node -> [TemplateMessage] in
            switch node {
            case .message(let message): [message]
            case .choice(let choice): messages(in: choice.branches.flatMap(\.body))
            case .loop(_, let body, let empty): messages(in: body + empty)
            case .markup, .value, .yield, .include, .lineBreak: []
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
