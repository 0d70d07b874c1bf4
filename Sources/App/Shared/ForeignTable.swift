/// A table that another program wrote: rows of cells separated by commas, semicolons or tabs (RFC 4180).
struct ForeignTable: Sendable {
    struct Row: Sendable {
        /// The number of its first line in the text.
        let line: Int
        /// Its number, as spreadsheets count rows: empty ones count, line breaks in a cell don't.
        let number: Int
        fileprivate(set) var cells: [String] = []

        /// A cell's text; nil if it is empty or isn't there. An apostrophe that protects against formulas is removed.
        func text(_ place: Int) -> String? {
            guard cells.indices.contains(place) else { return nil }
            var text = cells[place][...]
            if text.hasPrefix("'"), let second = text.dropFirst().first, "=+-@".contains(second) {
                text = text.dropFirst()
            }
            let trimmed = text.drop { $0.isWhitespace }
            guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return nil }
            return String(trimmed[...last])
        }
    }

    /// Without empty lines.
    private(set) var rows: [Row] = []
    /// Whether there are more rows than were read.
    let isCut: Bool

    /// - Parameter most: The most rows to read.
    init(_ text: String, most: Int) {
        var bytes = Array(text.utf8)
        var separator: UInt8?
        var line = 1
        // Excel's separator may be given in a separate line.
        if bytes.starts(with: "sep=".utf8), bytes.count > 5 {
            separator = bytes[4]
            bytes.removeFirst((bytes.firstIndex(of: 10) ?? bytes.count - 1) + 1)
            line = 2
        }
        let sign = separator ?? Self.separator(in: bytes)
        var rows: [Row] = []
        var row = Row(line: line, number: 1)
        var cell: [UInt8] = []
        var isQuoted = false
        var place = 0
        func endCell() {
            // No real table is wider.
            if row.cells.count < 200 { row.cells.append(String(decoding: cell, as: UTF8.self)) }
            cell = []
        }
        func endRow() {
            endCell()
            if row.cells != [""] { rows.append(row) }
            row = Row(line: line, number: row.number + 1)
        }
        while place < bytes.count, rows.count <= most {
            let byte = bytes[place]
            place += 1
            let isEnd = byte == 10 || byte == 13
            if isEnd, byte == 13, place < bytes.count, bytes[place] == 10 { place += 1 }
            if isEnd { line += 1 }
            switch byte {
            case UInt8(ascii: "\"") where isQuoted:
                if place < bytes.count, bytes[place] == byte {
                    cell.append(byte)
                    place += 1
                } else {
                    isQuoted = false
                }
            case UInt8(ascii: "\"") where cell.count < 10 && cell.allSatisfy({ $0 == 0x20 }):
                isQuoted = true
                cell = []
            case sign where !isQuoted: endCell()
            case _ where isEnd && !isQuoted: endRow()
            default: cell.append(isEnd ? 10 : byte)
            }
        }
        if rows.count <= most { endRow() }
        isCut = rows.count > most
        self.rows = Array(rows.prefix(most))
    }

    /// The most frequent separator in the first line that has one, among the first ten; a comma if there is none. In
    /// `Ortiz, Ana <ana@example.org>; Ben <ben@example.org>`, as mail programs write, commas are in the names.
    private static func separator(in bytes: [UInt8]) -> UInt8 {
        let signs = [UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: ",")]
        for line in bytes.split(maxSplits: 10, whereSeparator: { $0 == 10 || $0 == 13 }).prefix(10) {
            if line.contains(">;".utf8) { return UInt8(ascii: ";") }
            let counts = signs.map { sign in (sign: sign, count: line.count(where: { $0 == sign })) }
            if let most = counts.max(by: { $0.count < $1.count }), most.count > 0 { return most.sign }
        }
        return UInt8(ascii: ",")
    }
}
