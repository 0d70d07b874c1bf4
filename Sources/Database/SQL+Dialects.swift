extension SQL.StringInterpolation {
    /// A column or an expression by which SQLite looks for nothing: it keeps to the order that another index has.
    /// PostgreSQL decides by what it knows of the rows.
    public mutating func appendInterpolation(unindexed expression: SQL) {
        appendInterpolation(.dialect(sqlite: "+" + expression, postgreSQL: expression))
    }

    /// The index that SQLite goes by: `FROM claim \(indexedBy: "claim_asked")`.
    public mutating func appendInterpolation(indexedBy index: SQL) {
        appendInterpolation(.dialect(sqlite: "INDEXED BY " + index, postgreSQL: ""))
    }

    /// Where the first text begins in the second, from 1; 0 where it isn't in it.
    public mutating func appendInterpolation(position part: SQL, in whole: SQL) {
        let both = "(" + whole + ", " + part + ")"
        appendInterpolation(.dialect(sqlite: "instr" + both, postgreSQL: "strpos" + both))
    }

    /// The texts of a group in one, parted by a text; NULL where there are none.
    public mutating func appendInterpolation(joined text: SQL, by separator: SQL) {
        let both = "(" + text + ", " + separator + ")"
        appendInterpolation(.dialect(sqlite: "group_concat" + both, postgreSQL: "string_agg" + both))
    }

    /// A moment in milliseconds as RFC 3339 writes it: `2027-03-20T10:00:00Z`.
    public mutating func appendInterpolation(timestamp moment: SQL) {
        let format: SQL = "'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'"
        appendInterpolation(
            .dialect(
                sqlite: "strftime('%Y-%m-%dT%H:%M:%SZ', " + moment + " / 1000, 'unixepoch')",
                postgreSQL: "to_char(to_timestamp(" + moment + " / 1000) AT TIME ZONE 'UTC', " + format + ")"))
    }
}

extension SQL {
    /// What parts the fields of a text (U+001F), and what parts the texts (U+001E).
    public static let unitSeparator: SQL = .dialect(sqlite: "char(31)", postgreSQL: "chr(31)")
    public static let recordSeparator: SQL = .dialect(sqlite: "char(30)", postgreSQL: "chr(30)")

    /// What time it is by the database's own clock, in milliseconds: the same for all programs that ask it.
    public static let clock: SQL = .dialect(
        sqlite: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
        postgreSQL: "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)")
}
