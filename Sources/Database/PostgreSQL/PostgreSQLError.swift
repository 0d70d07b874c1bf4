import CPostgreSQL

extension DatabaseError {
    /// Maps a failed result by its SQLSTATE (<https://www.postgresql.org/docs/15/errcodes-appendix.html>).
    init(_ result: PostgreSQLResult) {
        func field(_ code: Int) -> String { result.field(code) ?? "" }
        let state = field(Int(village_pg_sqlstate))
        let message = field(Int(village_pg_message))
        let table = field(Int(village_pg_table))
        self =
            switch state {
            case "23505":
                .constraint(
                    .unique(
                        Self.columns(
                            of: table, field(Int(village_pg_constraint)), detail: field(Int(village_pg_detail)))))
            case "23503", "23001": .constraint(.foreignKey)
            case "23514": .constraint(.check(field(Int(village_pg_constraint))))
            case "23502": .constraint(.notNull("\(table).\(field(Int(village_pg_column)))"))
            // Another transaction holds the row, or there was a deadlock.
            case "40001", "40P01", "55P03": .busy
            case "53100": .full
            case "58030", "58000": .disk(message)
            case "57014": .tooSlow
            case "25006": .readOnly
            case "42501": .unsuitable("the role lacks rights that deploy/README.md names: \(message)")
            case "25P02": .rolledBack
            case "XX001", "XX002": .corrupt(message)
            // The server is shutting down or starting, has no room for more connections, or ended this one.
            case "57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "53300", "53200": .away(message)
            case let state where state.hasPrefix("08"): .away(message)
            // An error without a SQLSTATE comes from the library: the connection was lost.
            case "": .away(Self.line(PQresultErrorMessage(result.pointer)))
            default: .statement(message)
            }
    }

    /// The library's message on one line.
    static func line(_ message: UnsafePointer<CChar>?) -> String {
        guard let message else { return "" }
        return String(cString: message).split(whereSeparator: { $0.isWhitespace }).joined(separator: " ")
    }

    /// The columns of an index, taken from the server's detail on the existing row: `Key (account_id, name)=(1, Kit)
    /// already exists.` For an index on expressions, its own name.
    private static func columns(of table: String, _ index: String, detail: String) -> [String] {
        guard detail.hasPrefix("Key ("), let end = detail.firstRange(of: ")=(") else { return [index] }
        let names = detail[..<end.lowerBound].dropFirst(5).split(separator: ", ")
        let areColumns = names.allSatisfy { $0.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber } }
        return areColumns ? names.map { "\(table).\($0)" } : [index]
    }
}
