import Forms
import Templating

/// A table for spreadsheets (RFC 4180), in the form that a country's programs open with a double-click.
///
/// It begins with a byte order mark, by which spreadsheets recognize UTF-8. Where the decimal separator is a comma,
/// semicolons separate cells.
struct Spreadsheet: Sendable {
    /// The content of a cell.
    enum Cell: Sendable {
        case text(String)
        /// A phone number, which must not be read as a number or formula.
        case phone(String)
        case number(Int)
        /// A number with decimals, in the format of programs: `8.50`.
        case decimal(String)
        case words(Words)

        static let empty = Cell.text("")
    }

    private let head: [Words]
    private var rows: [[Cell]] = []

    init(_ head: [Words]) { self.head = head }

    mutating func add(_ row: [Cell]) { rows.append(row) }

    /// The file, in a language and for a country's programs.
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

    /// A quoted cell. Text that a spreadsheet would read as a formula gets a leading apostrophe (OWASP, CSV injection):
    /// some programs skip spaces, control characters and invisible characters first.
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

    /// The first characters of formulas, including wide and small forms.
    private static let signsOfFormulas = Set(
        "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{FE62}\u{FE63}\u{FE66}\u{FE6B}\u{2212}".unicodeScalars)

    /// A phone number that spreadsheets leave alone: `+1-408-555-0100` would be a subtraction, `01717654321` would lose
    /// its zero. A space in each, and no hyphen after a plus, keep it a text. Nil if it isn't a number.
    static func phone(_ typed: String) -> String? {
        let text = typed.plainSigns.squeezed
        let numbers = PhoneNumber.all(in: text).map(\.text)
        guard !numbers.isEmpty, let first = text.first, "0123456789(+".contains(first),
            text.allSatisfy({ "0123456789+(). ,;/-".contains($0) })
        else { return nil }
        return numbers.map { number in
            let (plus, rest) = number.hasPrefix("+") ? ("+", number.dropFirst()) : ("", number[...])
            let plain = plus.isEmpty ? String(rest) : String(rest.map { "-/.".contains($0) ? " " : $0 }).squeezed
            guard plain.isDigits, plain.utf8.count > 5 else { return plus + plain }
            // Only digits: put a space roughly where the country or area code ends.
            let front = plus.isEmpty ? 4 : 2
            return "\(plus)\(plain.prefix(front)) \(plain.dropFirst(front))"
        }.joined(separator: ", ")
    }
}
