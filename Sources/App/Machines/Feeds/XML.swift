/// Writes XML 1.0. Text always stays text, whatever it contains; names come only from the source.
struct XML: Sendable {
    /// UTF-8.
    private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)

    typealias Attributes = KeyValuePairs<StaticString, String>

    /// An element whose content `content` writes.
    mutating func element(_ name: StaticString, _ attributes: Attributes = [:], _ content: (inout XML) -> Void) {
        start(name, attributes)
        add(">\n")
        content(&self)
        end(name)
    }

    /// An element with text or no content.
    mutating func element(_ name: StaticString, _ attributes: Attributes = [:], _ content: String = "") {
        start(name, attributes)
        guard !content.isEmpty else { return add("/>\n") }
        add(">")
        write(content)
        end(name)
    }

    private mutating func start(_ name: StaticString, _ attributes: Attributes) {
        add("<")
        add(name)
        for (name, value) in attributes {
            add(" ")
            add(name)
            add("=\"")
            write(value)
            add("\"")
        }
    }

    private mutating func end(_ name: StaticString) {
        add("</")
        add(name)
        add(">\n")
    }

    private mutating func add(_ markup: StaticString) { markup.withUTF8Buffer { bytes += $0 } }

    /// Escapes markup; characters not allowed in XML (section 2.2) become U+FFFD.
    private mutating func write(_ value: String) {
        var value = value
        value.withUTF8 { text in
            for (place, byte) in text.enumerated() {
                switch byte {
                case UInt8(ascii: "<"): add("&lt;")
                case UInt8(ascii: ">"): add("&gt;")
                case UInt8(ascii: "&"): add("&amp;")
                case UInt8(ascii: "\""): add("&quot;")
                case UInt8(ascii: "\t"): add("&#9;")
                case UInt8(ascii: "\n"): add("&#10;")
                case UInt8(ascii: "\r"): add("&#13;")
                case 0..<0x20: add("\u{FFFD}")
                // U+FFFE and U+FFFF are EF BF BE and EF BF BF; U+FFFD is EF BF BD.
                case 0xBE...0xBF where place > 1 && text[place - 1] == 0xBF && text[place - 2] == 0xEF:
                    bytes.append(0xBD)
                default: bytes.append(byte)
                }
            }
        }
    }
}
