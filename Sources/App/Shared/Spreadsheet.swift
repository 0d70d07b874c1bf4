import Forms
import Templating

/// A table for a spreadsheet (RFC 4180), as the program of a country opens it with two clicks.
///
/// It begins with a byte order mark, by which spreadsheets know UTF-8. Where the decimal sign is a comma, cells stand
/// apart by semicolons.
struct Spreadsheet: Sendable {
    /// What stands in a cell.
    enum Cell: Sendable {
        case text(String)
        /// A phone number, which stays one.
        case phone(String)
        case number(Int)
        /// A number with parts, as programs write it: `8.50`.
        case decimal(String)
        case words(Words)

        static let empty = Cell.text("")
    }

    private let head: [Words]
    private var rows: [[Cell]] = []

    init(_ head: [Words]) { self.head = head }

    mutating func add(_ row: [Cell]) { rows.append(row) }

    /// The file, in a language and as the programs of a country read it.
    func text(in language: Language, country: String) -> String {
        let point = Country.point(of: country)
        let lines = [head.map(Cell.words)] + rows
        return "\u{FEFF}"
            + lines.map { line in
                line.map { Self.text(of: $0, language, point) }.joined(separator: point == "," ? ";" : ",") + "\r\n"
            }.joined()
    }

    private static func text(of cell: Cell, _ language: Language, _ point: Character) -> String {
        switch cell {
        case .text(let text): quoted(text)
        case .phone(let text): phone(text).map { "\"\($0)\"" } ?? quoted(text)
        case .number(let number): "\(number)"
        case .decimal(let text): "\"\(text.replacing(".", with: String(point)))\""
        case .words(let words): quoted(words.text(in: language))
        }
    }

    /// A cell in quotes. What a spreadsheet would take for a formula gets an apostrophe in front (OWASP, CSV
    /// injection): some skip blanks, controls and signs that show nothing before they look.
    static func quoted(_ text: String) -> String {
        let sign = text.unicodeScalars.first { !$0.properties.isWhitespace && !isSkipped($0) }
        let isFormula =
            sign.map(signsOfFormulas.contains) == true
            || text.unicodeScalars.first.map { "\t\r\n".unicodeScalars.contains($0) } == true
        return "\"" + (isFormula ? "'" : "") + text.replacing("\"", with: "\"\"") + "\""
    }

    private static func isSkipped(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        return category == .control || category == .format || scalar.properties.isDefaultIgnorableCodePoint
    }

    /// What a formula begins with, in wide and small forms, too.
    private static let signsOfFormulas = Set(
        "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{FE62}\u{FE63}\u{FE66}\u{FE6B}\u{2212}".unicodeScalars)

    /// Phone numbers that no spreadsheet reckons with: `+1-408-555-0100` would be a difference, `01717654321` a number
    /// without its zero. A blank in each, and no hyphen behind a plus, keep it a text. Nil for what is none.
    static func phone(_ typed: String) -> String? {
        let text = typed.plainSigns.squeezed
        let numbers = PhoneNumber.all(in: text).map(\.text)
        guard !numbers.isEmpty, text.wholeMatch(of: #/[0-9(+][0-9+(). ,;\/-]*/#) != nil else { return nil }
        return numbers.map { number in
            let (plus, rest) = number.hasPrefix("+") ? ("+", number.dropFirst()) : ("", number[...])
            let plain = plus.isEmpty ? String(rest) : rest.replacing(#/[-\/.]/#, with: " ").squeezed
            guard plain.isDigits, plain.utf8.count > 5 else { return plus + plain }
            // Nothing but digits: a blank about where the country or the area ends.
            let front = plus.isEmpty ? 4 : 2
            return "\(plus)\(plain.prefix(front)) \(plain.dropFirst(front))"
        }.joined(separator: ", ")
    }
}
