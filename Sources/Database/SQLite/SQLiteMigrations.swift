import GRDBSQLite

extension SQLiteSession {
    /// Carries out the migrations that the file lacks.
    ///
    /// The file remembers each by position, name and checksum; what it has must be how the program's list begins.
    func migrate(_ migrations: [Migration]) throws {
        try run(
            """
            CREATE TABLE IF NOT EXISTS schema_migration (
                position INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                checksum TEXT NOT NULL
            ) STRICT;
            """)
        let done = try lend { db in
            try db.all("SELECT name, checksum FROM schema_migration ORDER BY position") { row in
                (name: try row[0] as String, checksum: try row[1] as String)
            }
        }
        let known = Set(migrations.map(\.name))
        if let newer = done.first(where: { !known.contains($0.name) }) {
            throw DatabaseError.newerThanProgram(newer.name)
        }
        for (done, migration) in zip(done, migrations)
        where done.name != migration.name || done.checksum != migration.checksum(for: .sqlite) {
            throw DatabaseError.migrationEdited(migration.name)
        }
        for (position, migration) in migrations.enumerated().dropFirst(done.count) {
            try carryOut(migration, at: position)
        }
    }

    private func carryOut(_ migration: Migration, at position: Int) throws {
        let script = try migration.text(for: .sqlite)
        // Rebuilding a table drops the old one, which with foreign keys on would delete what refers to it. The switch
        // does nothing inside a transaction.
        try run("PRAGMA foreign_keys = OFF")
        defer { try? run("PRAGMA foreign_keys = ON") }
        try run("BEGIN IMMEDIATE")
        do {
            try run(script)
            guard isInTransaction else { throw DatabaseError.statement("it ends the transaction it runs in") }
            if let loose = try danglingReferences().first { throw DatabaseError.statement(loose) }
            _ = try lend { db in
                try db.execute(
                    """
                    INSERT INTO schema_migration (position, name, checksum)
                    VALUES (\(position), \(migration.name), \(migration.checksum(for: .sqlite)))
                    """)
            }
            try run("COMMIT")
        } catch {
            if isInTransaction { try? run("ROLLBACK") }
            switch error {
            case DatabaseError.full, DatabaseError.busy, DatabaseError.disk, DatabaseError.readOnly: throw error
            default: throw DatabaseError.migrationFailed(migration.name, "\(error)")
            }
        }
    }
}
