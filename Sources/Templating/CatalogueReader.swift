/// Parses the lines of a PO file (GNU gettext manual, section "The Format of PO Files").
struct CatalogueReader {
    struct Entry {
        let line: Int
        var context: String?
        var id: String?
        var plural: String?
        var forms: [String] = []
        var isFuzzy = false
        /// The first reason why it can't be used.
        var problem: Catalogue.Problem?

        /// Whether another `msgid` or `msgctxt` starts the next entry.
        fileprivate var isBegun: Bool { id != nil || (problem != nil && context == nil) }

        fileprivate mutating func add(_ field: Field) {
            switch field.keyword {
            case "msgctxt" where context == nil && id == nil: context = field.text
            case "msgid" where id == nil: id = field.text
            case "msgid_plural" where id != nil && plural == nil && forms.isEmpty: plural = field.text
            case "msgstr" where id != nil && plural == nil && forms.isEmpty: forms.append(field.text)
            case "msgstr[\(forms.count)]" where plural != nil: forms.append(field.text)
            default: refuse(field.line, id == nil ? Self.beginning : "\(field.keyword) doesn't fit here")
            }
            if let reason = field.problem { refuse(reason.line, reason.reason) }
        }

        fileprivate mutating func refuse(_ line: Int, _ reason: String) {
            problem = problem ?? Catalogue.Problem(line: line, reason: reason)
        }

        private static let beginning = "an entry begins with msgid"
    }

    /// A field such as `msgid "…"`, including the strings on the lines after it.
    fileprivate struct Field {
        let line: Int
        let keyword: String
        var text = ""
        let isFuzzy: Bool
        var problem: Catalogue.Problem?

        mutating func add(_ string: Substring.UTF8View, line: Int) {
            guard problem == nil else { return }
            do throws(Catalogue.Problem) {
                text += try CatalogueReader.string(string, line: line)
            } catch {
                problem = error
            }
        }
    }

    /// Every entry that isn't obsolete, including unusable ones.
    static func entries(of text: String) -> [Entry] {
        var entries: [Entry] = []
        for field in fields(of: text) {
            let canBegin = field.keyword == "msgid" || field.keyword == "msgctxt"
            if entries.isEmpty || canBegin && entries[entries.count - 1].isBegun {
                entries.append(Entry(line: field.line, isFuzzy: field.isFuzzy))
            }
            entries[entries.count - 1].add(field)
        }
        for index in entries.indices where entries[index].forms.isEmpty {
            entries[index].refuse(entries[index].line, "this entry has no msgstr")
        }
        return entries
    }

    private static func fields(of text: String) -> [Field] {
        let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        var fields: [Field] = []
        var isFuzzy = false
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, whole) in lines.enumerated() {
            let number = index + 1
            let line = whole.drop(while: isBlank)
            guard let first = line.first else { continue }
            switch first {
            case UInt8(ascii: "#"):
                if line.starts(with: "#,".utf8), Substring(line).contains("fuzzy") { isFuzzy = true }
            case UInt8(ascii: "\"") where !fields.isEmpty:
                fields[fields.count - 1].add(line, line: number)
            default:
                let keyword = line.prefix { !isBlank($0) && $0 != UInt8(ascii: "\"") }
                var field = Field(line: number, keyword: String(Substring(keyword)), isFuzzy: isFuzzy)
                field.add(line[keyword.endIndex...].drop(while: isBlank), line: number)
                fields.append(field)
                isFuzzy = false
            }
        }
        return fields
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
    }

    private static func string(_ text: Substring.UTF8View, line: Int) throws(Catalogue.Problem) -> String {
        func problem(_ reason: String) -> Catalogue.Problem { Catalogue.Problem(line: line, reason: reason) }
        guard text.first == UInt8(ascii: "\"") else { throw problem("a string is missing") }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var rest = text.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                if rest.allSatisfy(isBlank) { return String(decoding: result, as: UTF8.self) }
                throw problem("something follows the string")
            case UInt8(ascii: "\\"):
                switch rest.popFirst() {
                case UInt8(ascii: "n"): result.append(UInt8(ascii: "\n"))
                case UInt8(ascii: "t"): result.append(UInt8(ascii: "\t"))
                case UInt8(ascii: "r"): result.append(UInt8(ascii: "\r"))
                case let sign? where sign == UInt8(ascii: "\"") || sign == UInt8(ascii: "\\"): result.append(sign)
                default: throw problem("only \\n \\t \\r \\\" and \\\\ are known")
                }
            default: result.append(byte)
            }
        }
        throw problem("the string is not closed")
    }
}
