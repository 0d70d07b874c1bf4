extension SQL.StringInterpolation {
    /// A column or expression for which SQLite uses no index, so that it keeps another index's order. PostgreSQL
    /// decides by its statistics.
    public mutating func appendInterpolation(unindexed expression: SQL) {
        appendInterpolation(.dialect(sqlite: "+" + expression, postgreSQL: expression))
    }

    /// The index that SQLite uses: `FROM claim \(indexedBy: "claim_asked")`.
    public mutating func appendInterpolation(indexedBy index: SQL) {
        appendInterpolation(.dialect(sqlite: "INDEXED BY " + index, postgreSQL: ""))
    }

    /// The position of the first text in the second, from 1; 0 if it isn't there.
    public mutating func appendInterpolation(position part: SQL, in whole: SQL) {
        let both = "(" + whole + ", " + part + ")"
        appendInterpolation(.dialect(sqlite: "instr" + both, postgreSQL: "strpos" + both))
    }

    /// The texts of a group, joined by a separator; NULL if there are none.
    public mutating func appendInterpolation(joined text: SQL, by separator: SQL) {
        let both = "(" + text + ", " + separator + ")"
        appendInterpolation(.dialect(sqlite: "group_concat" + both, postgreSQL: "string_agg" + both))
    }

    /// A time in milliseconds in RFC 3339 format: `2027-03-20T10:00:00Z`.
    public mutating func appendInterpolation(timestamp moment: SQL) {
        let format: SQL = "'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'"
        appendInterpolation(
            .dialect(
                sqlite: "strftime('%Y-%m-%dT%H:%M:%SZ', " + moment + " / 1000, 'unixepoch')",
                postgreSQL: "to_char(to_timestamp(" + moment + " / 1000) AT TIME ZONE 'UTC', " + format + ")"))
    }
}

extension SQL {
    /// The separators of a text's fields (U+001F) and of texts (U+001E).
    public static let unitSeparator: SQL = .dialect(sqlite: "char(31)", postgreSQL: "chr(31)")
    public static let recordSeparator: SQL = .dialect(sqlite: "char(30)", postgreSQL: "chr(30)")

    /// The time by the database's own clock, in milliseconds: the same for all programs that ask.
    public static let clock: SQL = .dialect(
        sqlite: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
        postgreSQL: "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)")
}
