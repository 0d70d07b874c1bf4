import FoundationEssentials
import Templating

/// A town's rows during an export or import.
struct TownContent: Sendable {
    /// The rows of each table with their line numbers, in the order of the list of tables.
    let parts: [(table: TownTable, rows: [Row])]

    struct Row: Sendable {
        let line: Int
        /// In the order of the exported columns.
        let values: [TownValue]
    }

    /// The version of the file format.
    static let format = 1

    /// The number of rows.
    var count: Int { parts.reduce(0) { $0 + $1.rows.count } }

    /// Reads a folder.
    ///
    /// - Throws: `TownProblem`, which names the file and the line.
    init(of folder: TownFolder) throws {
        try Self.requireFormat(folder.read(TownFolder.format))
        parts = try TownTable.all.map { table in
            let file = TownFolder.rows(table)
            return (table, try Self.rows(of: table, in: folder.read(file), file))
        }
    }

    private static func requireFormat(_ bytes: [UInt8]) throws {
        struct Format: Decodable { let format: Int }
        guard let found = try? JSONDecoder().decode(Format.self, from: Data(bytes)) else {
            throw TownProblem("\(TownFolder.format) can't be read.")
        }
        guard found.format == format else {
            throw TownProblem("\(TownFolder.format): this program reads format \(format), not \(found.format).")
        }
    }

    /// The rows of a file, with one JSON object per line.
    static func rows(of table: TownTable, in bytes: [UInt8], _ file: String) throws -> [Row] {
        let columns = table.written
        let names = Set(columns.map(\.name.description))
        let decoder = JSONDecoder()
        var keys: Set<Int64> = []
        var rows: [Row] = []
        for (index, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            let number = index + 1
            func problem(_ text: String) -> TownProblem { TownProblem(text, in: file, line: number) }
            guard line.count <= TownFolder.lineLimit else { throw problem("the line is too long") }
            guard let found = try? decoder.decode([String: TownValue].self, from: Data(line)) else {
                throw problem("that is no JSON object of texts, numbers, true, false and null")
            }
            if let unknown = found.keys.filter({ !names.contains($0) }).min() {
                throw problem("there is no column \(String(unknown.prefix(60)).debugDescription)")
            }
            let values = try columns.map { column in
                guard let value = found[column.name.description] else {
                    throw problem("\(column.name) is missing")
                }
                guard value.fits(column) else { throw problem("\(column.name) can't be that") }
                if column.kind == .key, case .integer(let key) = value, !keys.insert(key).inserted {
                    throw problem("the \(column.name) \(key) is there twice")
                }
                return value
            }
            rows.append(Row(line: number, values: values))
        }
        return table.within.map { sorted(rows, of: table, by: $0) } ?? rows
    }

    /// Rows that refer to another row of the same table come after those that refer to none, or to themselves.
    private static func sorted(_ rows: [Row], of table: TownTable, by name: String) -> [Row] {
        let columns = table.written
        guard let place = columns.firstIndex(where: { $0.name.description == name }),
            let key = columns.firstIndex(where: { $0.kind == .key })
        else { return rows }
        func isFirst(_ row: Row) -> Bool { row.values[place] == .nothing || row.values[place] == row.values[key] }
        return rows.filter(isFirst) + rows.filter { !isFirst($0) }
    }

    /// The values of a column.
    func values(of column: String, in table: String) -> [TownValue] {
        guard let part = parts.first(where: { $0.table.name.description == table }),
            let place = part.table.written.firstIndex(where: { $0.name.description == column })
        else { return [] }
        return part.rows.map { $0.values[place] }
    }
}

/// The files of a table, while they are written.
struct TownPart: Sendable {
    let table: TownTable
    /// The number of exported rows.
    private(set) var count = 0

    init(_ table: TownTable) { self.table = table }

    /// The first line of the file for spreadsheets and other programs.
    var head: String {
        let names = table.written.map { Spreadsheet.quoted($0.name.description) }
        return "\u{FEFF}\(names.joined(separator: ","))\r\n"
    }

    /// Writes a row into both files: the one for spreadsheets, and the one for importing.
    mutating func add(_ values: [TownValue], to sheet: TownFile, _ lines: TownFile) throws {
        let columns = table.written
        count += 1
        try sheet.add(Array(zip(columns, values).map { $1.cell(as: $0.kind) }.joined(separator: ",").utf8) + [13, 10])
        try lines.add(
            JSON.object(zip(columns, values).map { (name: $0.name.description, value: $1.json) }).bytes + [10])
    }
}

/// The content of the folder's `README.md`.
struct TownReadme {
    let parts: [TownPart]
    let withAddresses: Bool

    var text: String {
        var text = """
            # A town, to go elsewhere

            Written by Village \(Site.version). `village import` brings it into an empty site of the same program; the
            tables are for spreadsheets and other programs. It holds what everybody may see on the site's pages, and
            more that belongs to it: the names of the members who wrote some of it, how many came to events, and the
            links of those that take place online. Keep it to yourself.

            - `*.csv`: a table each, in UTF-8, with the names of the columns first. An apostrophe in front of a cell
              keeps a spreadsheet from taking it for a formula.
            - `data/*.jsonl`: the same for coming in again, an object a line; moments are milliseconds since 1970.
            - `\(TownFolder.calendar)`: the events for calendar programs.
            - `pictures`: the pictures in three sizes, by the `hash` of `pictures.csv`.
            - `\(TownFolder.list)`: what each file was: `sha256sum --check \(TownFolder.list)`.

            ## Files

            """
        for part in parts {
            let columns = part.table.written.map(Self.line)
            text += "\n### \(TownFolder.table(part.table)): \(part.count)\n\n\(part.table.says)\n\n"
            text += columns.joined()
        }
        text += "\n## What stays\n\n"
        text += "- Passwords, and all else by which one logs in. An imported member has none, and cannot log in.\n"
        if !withAddresses { text += "- The e-mail addresses of members (`--with-addresses`).\n" }
        text += "- What is hidden, is for members alone, or is of a suspended account.\n"
        if !withAddresses { text += "- Members whom nothing of it names.\n" }
        text += "- Who wrote a kind act of the catalog: its page names nobody.\n"
        text += "- Photos that show children.\n"
        for (tables, why) in TownTable.staying { text += "- \(why) (\(tables.joined(separator: ", ")))\n" }
        for part in parts where !part.table.left.isEmpty {
            let columns = part.table.left.map(\.description).joined(separator: ", ")
            text += "- Of \(TownFolder.table(part.table)): \(columns).\n"
        }
        return text
    }

    private static func line(_ column: TownTable.Column) -> String {
        let kind =
            switch column.kind {
            case .key: "the number of the row"
            case .integer, .rank: "a whole number"
            case .real: "a number"
            case .flag: "true or false"
            case .text: "a text"
            case .moment: "a moment"
            case .url: "the address of a page"
            case .address: "an e-mail address"
            }
        return "- `\(column.name)`: \(kind)\(column.isOptional ? ", or nothing" : "")\n"
    }
}
