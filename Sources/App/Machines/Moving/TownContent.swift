import FoundationEssentials
import Templating

/// The rows of an exported town, read from its folder one at a time: a table can be larger than the memory.
struct TownContent: Sendable {
    let folder: TownFolder

    /// The version of the file format.
    static let format = 1

    /// Opens the rows of a folder.
    ///
    /// - Throws: `TownProblem` if they have another format.
    init(of folder: TownFolder) throws {
        try Self.requireFormat(folder.read(TownFolder.format, atMost: TownFolder.lineLimit))
        self.folder = folder
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

    /// Begins to read the rows of a table.
    func rows(of table: TownTable) throws -> TownRows { try TownRows(of: table, in: folder) }
}

/// A row of an exported town.
struct TownRow: Sendable {
    let line: Int
    /// In the order of the exported columns.
    let values: [TownValue]
}

/// The rows of a file with one JSON object per line, in the order in which they can be stored: rows that refer to
/// another row of the same table come after those that refer to none, or to themselves, in a second pass.
struct TownRows {
    private let table: TownTable
    private let folder: TownFolder
    private let columns: [TownTable.Column]
    private let names: Set<String>
    /// The places of the reference within the table and of the key; nil if there is no such reference.
    private let places: (reference: Int, key: Int)?
    private let decoder = JSONDecoder()
    /// The lines of the current pass.
    private(set) var lines: TownLines
    private var isSecondPass = false
    /// Whether the first pass left out any row.
    private var hasLater = false

    fileprivate init(of table: TownTable, in folder: TownFolder) throws {
        (self.table, self.folder) = (table, folder)
        let columns = table.written
        self.columns = columns
        names = Set(columns.map(\.name.description))
        if let reference = columns.firstIndex(where: { $0.name.description == table.within }),
            let key = columns.firstIndex(where: { $0.kind == .key })
        {
            places = (reference, key)
        } else {
            places = nil
        }
        lines = try folder.lines(of: TownFolder.rows(table))
    }

    /// The next row; nil at the end.
    ///
    /// - Throws: `TownProblem`, which names the file and the line.
    mutating func next() throws -> TownRow? {
        while true {
            guard let line = try lines.next() else {
                guard hasLater, !isSecondPass else { return nil }
                isSecondPass = true
                lines = try folder.lines(of: TownFolder.rows(table))
                continue
            }
            guard !line.bytes.isEmpty else { continue }
            let row = try row(line.bytes, line.number)
            if let places {
                let reference = row.values[places.reference]
                let isLater = reference != .nothing && reference != row.values[places.key]
                hasLater = hasLater || isLater
                guard isLater == isSecondPass else { continue }
            }
            return row
        }
    }

    private func row(_ line: [UInt8], _ number: Int) throws -> TownRow {
        func problem(_ text: String) -> TownProblem { TownProblem(text, in: TownFolder.rows(table), line: number) }
        guard let found = try? decoder.decode([String: TownValue].self, from: Data(line)) else {
            throw problem("that is no JSON object of texts, numbers, true, false and null")
        }
        if let unknown = found.keys.filter({ !names.contains($0) }).min() {
            throw problem("there is no column \(String(unknown.prefix(60)).debugDescription)")
        }
        let values = try columns.map { column in
            guard let value = found[column.name.description] else { throw problem("\(column.name) is missing") }
            guard value.fits(column) else { throw problem("\(column.name) can't be that") }
            return value
        }
        return TownRow(line: number, values: values)
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
