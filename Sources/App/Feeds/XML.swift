/// Writes XML 1.0: what is given as text stays text, whatever it holds. Names come from the source only.
struct XML: Sendable {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    typealias Attributes = KeyValuePairs<StaticString, String>

    /// An element with what `content` writes inside.
    mutating func element(
        _ name: StaticString, _ attributes: Attributes = [:], _ content: (inout XML) -> Void
    ) {
        start(name, attributes)
        text += ">\n"
        content(&self)
        text += "</\(name)>\n"
    }

    /// An element with a text in it, or an empty one.
    mutating func element(_ name: StaticString, _ attributes: Attributes = [:], _ content: String = "") {
        start(name, attributes)
        guard !content.isEmpty else {
            text += "/>\n"
            return
        }
        text += ">"
        write(content)
        text += "</\(name)>\n"
    }

    private mutating func start(_ name: StaticString, _ attributes: Attributes) {
        text += "<\(name)"
        for (name, value) in attributes {
            text += " \(name)=\""
            write(value)
            text += "\""
        }
    }

    /// Escapes what XML reads as markup; what it can't hold (section 2.2) becomes U+FFFD.
    private mutating func write(_ value: String) {
        for scalar in value.unicodeScalars {
            switch scalar {
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "&": text += "&amp;"
            case "\"": text += "&quot;"
            case "\t", "\n", "\r": text += "&#\(scalar.value);"
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
