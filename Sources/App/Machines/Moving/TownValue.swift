import FoundationEssentials
import Templating

/// A value of an exported or imported row.
enum TownValue: Sendable, Equatable {
    case nothing
    case flag(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)

    /// For importing.
    var json: JSON {
        switch self {
        case .nothing: .null
        case .flag(let isTrue): .bool(isTrue)
        case .integer(let number): .integer(Int(number))
        case .real(let number): .number(number)
        case .text(let text): .string(text)
        }
    }

    /// For spreadsheets.
    func cell(as kind: TownTable.Column.Kind) -> String {
        switch (self, kind) {
        case (.nothing, _): ""
        case (.flag(let isTrue), _): isTrue ? "true" : "false"
        case (.integer(let number), .moment): Zone.utc.timestamp(Instant(milliseconds: number))
        case (.integer(let number), _): "\(number)"
        case (.real(let number), _): number.description
        case (.text(let text), _): Spreadsheet.quoted(text)
        }
    }

    /// The largest number accepted: larger ones would be a time after the year 10,000, or a count whose sum overflows.
    static let farthest: Int64 = 1 << 48

    /// Whether it is valid in such a column.
    func fits(_ column: TownTable.Column) -> Bool {
        switch (self, column.kind) {
        case (.nothing, _): column.isOptional
        case (.integer(let number), .key): (1...Self.farthest).contains(number)
        case (.integer(let number), .integer), (.integer(let number), .moment):
            (-Self.farthest...Self.farthest).contains(number)
        case (.integer, .rank), (.integer, .real), (.flag, .flag): true
        case (.real(let number), .real): number.isFinite
        case (.text(let text), .text), (.text(let text), .address): !text.utf8.contains(0)
        // An imported address can't lead anywhere but to a page.
        case (.text(let text), .url):
            !text.utf8.contains(0) && (text.isEmpty || text.hasPrefix("https://") || text.hasPrefix("http://"))
        default: false
        }
    }
}

extension TownValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .nothing
        } else if let isTrue = try? container.decode(Bool.self) {
            self = .flag(isTrue)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .real(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }
}

/// Why a town can't be exported or imported: the problem and its place, for the operator.
package struct TownProblem: Error, Equatable {
    /// A sentence that names the file and the line.
    package let text: String

    init(_ text: String) { self.text = text }

    init(_ text: String, in file: String, line: Int) { self.init("\(file), line \(line): \(text)") }
}
