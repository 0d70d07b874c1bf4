import CPostgreSQL

extension PostgreSQLSession {
    /// Applies the migrations that the database lacks.
    ///
    /// The database records each one's position, name and checksum; its record must be a prefix of the program's list.
    ///
    /// - Throws: `DatabaseError.migrationEdited`, `.migrationFailed`, `.olderThanProgram`, `.newerThanProgram`,
    ///   `.unsuitable`.
    func migrate(_ migrations: [Migration]) throws {
        try requireServer()
        // Held until the connection ends, so that another program that migrates waits.
        try run("SELECT pg_advisory_lock(\(Self.lock), 0)")
        // `CREATE SCHEMA IF NOT EXISTS` needs the right to create, even if the schema exists.
        if try value("SELECT to_regnamespace(\(server.schema)) IS NULL") ?? true {
            try run("CREATE SCHEMA \(server.schema)")
        }
        try run(
            """
            CREATE TABLE IF NOT EXISTS schema_migration (
                position BIGINT PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                checksum TEXT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS village_turn (
                is_one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_one),
                version BIGINT NOT NULL
            ) WITH (fillfactor = 10);
            INSERT INTO village_turn (version) VALUES (0) ON CONFLICT DO NOTHING;
            CREATE TABLE IF NOT EXISTS village_secret (name TEXT PRIMARY KEY, value TEXT NOT NULL);
            """)
        for (position, migration) in migrations.enumerated().dropFirst(try countOfDone(migrations)) {
            try carryOut(migration, at: position)
        }
    }

    /// Makes sure that the database lacks none of the migrations.
    ///
    /// - Throws: `DatabaseError.notMigrated`, `.migrationEdited`, `.olderThanProgram`, `.newerThanProgram`,
    ///   `.unsuitable`.
    func requireAll(_ migrations: [Migration]) throws {
        try requireServer()
        let done = try countOfDone(migrations)
        if done < migrations.count { throw DatabaseError.notMigrated(migrations[done].name) }
    }

    /// Text must be compared by its bytes, as in SQLite: `name < 'town'`, `ORDER BY name`.
    private func requireServer() throws {
        guard PQserverVersion(connection) >= 150_000 else {
            throw DatabaseError.unsuitable("the server is PostgreSQL \(version); the site needs 15 or later")
        }
        let isByBytes: Bool? = try value("SELECT 'a' > 'B' AND 'é' > 'z' AND 'a-c' < 'ab'")
        guard isByBytes == true else {
            throw DatabaseError.unsuitable(
                "the database sorts texts by the rules of a language; make it with LOCALE 'C' TEMPLATE template0")
        }
        let encoding: String? = try value("SELECT current_setting('server_encoding')")
        guard encoding == "UTF8" else {
            throw DatabaseError.unsuitable(
                "the database holds texts in \(encoding ?? "?"); make it with ENCODING 'UTF8'")
        }
    }

    private func value<Value: SQLValue>(_ sql: SQL) throws -> Value? { try lend { db in try db.value(sql) } }

    /// How many of the migrations were applied to the database.
    private func countOfDone(_ migrations: [Migration]) throws -> Int {
        let isThere: Bool? = try value("SELECT to_regclass('schema_migration') IS NOT NULL")
        guard isThere == true else { return 0 }
        let done = try lend { db in
            try db.all("SELECT name, checksum FROM schema_migration ORDER BY position") { row in
                (name: try row.next() as String, checksum: try row.next() as String)
            }
        }
        return try Migration.count(of: done, among: migrations, for: .postgreSQL)
    }

    private func carryOut(_ migration: Migration, at position: Int) throws {
        do {
            let text = try migration.text(for: .postgreSQL)
            try run("BEGIN")
            try run(text)
            if let step = migration.step { _ = try lend { db in try step(db) } }
            guard isSound else { throw DatabaseError.statement("it ends the transaction it runs in") }
            _ = try lend { db in
                try db.execute(
                    """
                    INSERT INTO schema_migration (position, name, checksum)
                    VALUES (\(position), \(migration.name), \(migration.checksum(for: .postgreSQL)))
                    """)
            }
            // Nodes that run may keep answers from before.
            try run("UPDATE village_turn SET version = version + 1")
            try run("COMMIT")
        } catch {
            rollBack()
            switch error {
            case DatabaseError.full, DatabaseError.busy, DatabaseError.disk, DatabaseError.away: throw error
            default: throw DatabaseError.migrationFailed(migration.name, "\(error)")
            }
        }
    }
}
