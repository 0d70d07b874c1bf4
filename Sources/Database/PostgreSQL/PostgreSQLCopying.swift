import CPostgreSQL

// What `Copying` asks of a server.
extension PostgreSQLSession {
    /// The tables of the schema, except those with the server's own state and those that are emptied on restart.
    func tables() throws -> [Copying.Table] {
        try lend { db in
            try db.all(
                """
                SELECT CAST(relname AS TEXT), CAST(attname AS TEXT), CAST(atttypid AS BIGINT), place
                FROM pg_class
                JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
                LEFT JOIN (
                    SELECT indrelid, key, place FROM pg_index, unnest(indkey) WITH ORDINALITY AS part (key, place)
                    WHERE indisprimary
                ) AS keys ON indrelid = pg_class.oid AND key = attnum
                WHERE relnamespace = CAST(current_schema() AS regnamespace) AND relkind = 'r'
                    AND relpersistence = 'p'
                    AND relname NOT IN ('schema_migration', 'village_turn', 'village_secret')
                ORDER BY relname, attnum
                """
            ) { row in
                let (table, column): (String, String) = (try row.next(), try row.next())
                let (type, place): (Int64, Int64?) = (try row.next(), try row.next())
                guard let type = PostgreSQLType(rawValue: Oid(truncatingIfNeeded: type)) else {
                    throw DatabaseError.unsuitable("\(table).\(column) holds what no column of a site holds")
                }
                return (table: table, column: column, type: type, place: place)
            }
        }.reduce(into: [Copying.Table]()) { tables, found in
            if tables.last?.name != found.table { tables.append(Copying.Table(name: found.table)) }
            tables[tables.count - 1].columns.append((found.column, found.type, found.place))
        }
    }

    /// The foreign keys between the tables.
    func references() throws -> [(table: String, name: String, definition: String)] {
        try lend { db in
            try db.all(
                """
                SELECT CAST(conrelid::regclass AS TEXT), CAST(conname AS TEXT), pg_get_constraintdef(oid)
                FROM pg_constraint WHERE contype = 'f' AND connamespace = CAST(current_schema() AS regnamespace)
                ORDER BY 1, 2
                """
            ) { row in (try row.next(), try row.next(), try row.next()) }
        }
    }

    /// The last key that each table assigned.
    func lastKeys() throws -> [(table: String, key: Int64)] {
        try lend { db in
            try db.all(
                """
                SELECT CAST(relname AS TEXT), last_key FROM (
                    SELECT relname, pg_sequence_last_value(
                        CAST(pg_get_serial_sequence(quote_ident(relname), 'id') AS regclass)
                    ) AS last_key
                    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'id' AND attidentity <> ''
                    WHERE relnamespace = CAST(current_schema() AS regnamespace) AND relkind = 'r'
                ) AS given WHERE last_key IS NOT NULL
                """
            ) { row in (try row.next(), try row.next()) }
        }
    }

    /// Sets the last key that a table assigned.
    func keep(_ key: Int64, asLastOf table: String) throws {
        _ = try lend { db -> Int64? in
            try db.value(
                "SELECT setval(CAST(pg_get_serial_sequence(quote_ident(\(table)), 'id') AS regclass), \(key))")
        }
    }

    /// Locks sites out of a schema until the transaction ends.
    ///
    /// - Returns: Whether the lock was taken: no site uses the schema.
    func locksTransaction(_ schema: String) throws -> Bool {
        try lend { db in
            try db.value("SELECT pg_try_advisory_xact_lock(CAST(\(Self.lock) AS INTEGER), hashtext(\(schema)))")
                ?? false
        }
    }

    /// Passes all rows of a table to `body` in the order of its key, in batches. Call it inside a transaction.
    func rows(of table: Copying.Table, _ body: (inout Row) throws -> Void) throws {
        try exchange([.run("DECLARE part NO SCROLL CURSOR FOR \(table.selection)")])
        while true {
            let part = try exchange([.run("FETCH \(table.portion) FROM part")])
            guard part.rowCount > 0 else { break }
            try Self.each(of: part) { row in
                try body(&row)
                return true
            }
        }
        try exchange([.run("CLOSE part")])
    }

    /// Loads the rows that `body` adds into a table, in PostgreSQL's binary format
    /// (<https://www.postgresql.org/docs/15/sql-copy.html>, "Binary Format").
    func load(_ table: Copying.Table, _ body: (_ add: ([SQL.Value]) throws -> Void) throws -> Void) throws {
        try outsidePipeline {
            try script("COPY \"\(table.name)\" (\(table.columnNames)) FROM STDIN (FORMAT binary)")
            // The format's signature, no flags, no header extension.
            var bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + Array(repeating: 0, count: 8)
            func send() throws {
                let isSent = bytes.withUnsafeBytes { bytes in
                    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                    return PQputCopyData(connection, start, Int32(bytes.count))
                }
                guard isSent == 1 else { throw away() }
                bytes.removeAll(keepingCapacity: true)
            }
            do {
                try body { values in
                    PostgreSQLArguments(values).append(to: &bytes)
                    if bytes.count > 1 << 16 { try send() }
                }
                // The end marker.
                bytes += [0xFF, 0xFF]
                try send()
            } catch {
                PQputCopyEnd(connection, "given up")
                while let result = PQgetResult(connection) { PQclear(result) }
                throw error
            }
            guard PQputCopyEnd(connection, nil) == 1 else { throw away() }
            while let result = PQgetResult(connection) {
                switch PostgreSQLResult(result).failure {
                case nil: break
                // Such as a text with a zero byte.
                case .statement(let message):
                    throw DatabaseError.unsuitable("\(table.name) holds what a server can't: \(message)")
                case let failure?: throw failure
                }
            }
        }
    }
}
