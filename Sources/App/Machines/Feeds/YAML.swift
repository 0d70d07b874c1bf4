import Templating

/// Writes YAML 1.2: a JSON mapping or list in block style, with strings in JSON syntax, which is valid YAML. Names come
/// only from the source.
struct YAML: Sendable {
    private(set) var text = ""

    init(_ document: JSON) { add(document, depth: 0) }

    private mutating func add(_ value: JSON, depth: Int) {
        let indent = String(repeating: "  ", count: depth)
        switch value {
        case .object(let members) where !members.isEmpty:
            end()
            for (name, value) in members {
                text += "\(indent)\(name):"
                add(value, depth: depth + 1)
            }
        case .array(let items) where !items.isEmpty:
            end()
            for item in items {
                text += "\(indent)-"
                add(item, depth: depth + 1)
            }
        default: text += " \(value.text)\n"
        }
    }

    /// Ends the line before nested content.
    private mutating func end() { if !text.isEmpty { text += "\n" } }
}
