/// Reads the lines of a PO file (GNU gettext manual, section "The Format of PO Files").
struct CatalogueReader {
    struct Entry {
        let line: Int
        var context: String?
        var id: String?
        var plural: String?
        var forms: [String] = []
        var isFuzzy = false
    }

    /// `msgid "…"` with the strings of the lines after it.
    private struct Field {
        let line: Int
        let keyword: Substring
        var text: String
        let isFuzzy: Bool
    }

    /// Every entry but obsolete ones and those with a context, which no template has.
    static func entries(of text: String) throws(Catalogue.Problem) -> [Entry] {
        var entries: [Entry] = []
        for field in try fields(of: text) {
            let isDone = entries.last.map { !$0.forms.isEmpty } ?? true
            if isDone, field.keyword == "msgid" || field.keyword == "msgctxt" {
                entries.append(Entry(line: field.line, isFuzzy: field.isFuzzy))
            }
            guard var entry = entries.popLast() else {
                throw Catalogue.Problem(line: field.line, reason: "an entry begins with msgid")
            }
            switch field.keyword {
            case "msgctxt" where entry.id == nil: entry.context = field.text
            case "msgid" where entry.id == nil: entry.id = field.text
            case "msgid_plural" where entry.id != nil && entry.plural == nil: entry.plural = field.text
            case "msgstr" where entry.id != nil && entry.plural == nil && entry.forms.isEmpty:
                entry.forms.append(field.text)
            case "msgstr[\(entry.forms.count)]" where entry.plural != nil: entry.forms.append(field.text)
            default: throw Catalogue.Problem(line: field.line, reason: "\(field.keyword) doesn't fit here")
            }
            entries.append(entry)
        }
        if let last = entries.last, last.forms.isEmpty {
            throw Catalogue.Problem(line: last.line, reason: "this entry has no msgstr")
        }
        return entries.filter { $0.context == nil }
    }

    private static func fields(of text: String) throws(Catalogue.Problem) -> [Field] {
        let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        var fields: [Field] = []
        var isFuzzy = false
        for (index, whole) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let number = index + 1
            let line = whole.drop(while: \.isWhitespace)
            if line.isEmpty { continue }
            if line.hasPrefix("#") {
                if line.hasPrefix("#,"), line.contains("fuzzy") { isFuzzy = true }
                continue
            }
            if line.hasPrefix("\"") {
                guard var field = fields.popLast() else {
                    throw Catalogue.Problem(line: number, reason: "an entry begins with msgid")
                }
                field.text += try string(line, line: number)
                fields.append(field)
                continue
            }
            let keyword = line.prefix { !$0.isWhitespace && $0 != "\"" }
            let rest = line[keyword.endIndex...].drop(while: \.isWhitespace)
            let text = try string(rest, line: number)
            fields.append(Field(line: number, keyword: keyword, text: text, isFuzzy: isFuzzy))
            isFuzzy = false
        }
        return fields
    }

    private static func string(_ text: Substring, line: Int) throws(Catalogue.Problem) -> String {
        var result = ""
        var scalars = text.unicodeScalars
        guard scalars.popFirst() == "\"" else { throw Catalogue.Problem(line: line, reason: "a string is missing") }
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"":
                if scalars.allSatisfy(\.properties.isWhitespace) { return result }
                throw Catalogue.Problem(line: line, reason: "something follows the string")
            case "\\":
                switch scalars.popFirst() {
                case "n": result += "\n"
                case "t": result += "\t"
                case "r": result += "\r"
                case "\"": result += "\""
                case "\\": result += "\\"
                default: throw Catalogue.Problem(line: line, reason: "only \\n \\t \\r \\\" and \\\\ are known")
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
        throw Catalogue.Problem(line: line, reason: "the string is not closed")
    }
}
