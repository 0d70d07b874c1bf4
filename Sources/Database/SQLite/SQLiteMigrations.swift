import GRDBSQLite

extension SQLiteSession {
    /// Applies the migrations that the file lacks.
    ///
    /// The file records each one's position, name and checksum; its record must be a prefix of the program's list.
    ///
    /// - Parameter application: The application ID to store in the file; 0 leaves it unchanged.
    func migrate(_ migrations: [Migration], application: Int32 = 0) throws {
        try run(
            """
            CREATE TABLE IF NOT EXISTS schema_migration (
                position INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                checksum TEXT NOT NULL
            ) STRICT;
            """)
        let done = try countOfDone(migrations)
        if application != 0, try self.application != application {
            try run("PRAGMA application_id = \(application)")
        }
        for (position, migration) in migrations.enumerated().dropFirst(done) {
            try carryOut(migration, at: position)
        }
    }

    /// How many of the migrations were applied to the file.
    ///
    /// - Throws: `DatabaseError.olderThanProgram`, `.newerThanProgram`, `.migrationEdited`.
    func countOfDone(_ migrations: [Migration]) throws -> Int {
        let done = try lend { db in
            try db.all("SELECT name, checksum FROM schema_migration ORDER BY position") { row in
                (name: try row.next() as String, checksum: try row.next() as String)
            }
        }
        return try Migration.count(of: done, among: migrations, for: .sqlite)
    }

    // MARK: Application ID

    /// The application ID in the file; 0 for none.
    private var application: Int32 {
        get throws {
            try lines(of: "PRAGMA application_id") { row in Int32(truncatingIfNeeded: try row.next() as Int) }[0]
        }
    }

    /// Whether nothing has ever been stored in the file. A power cut during creation leaves at most an empty list of
    /// migrations.
    ///
    /// - Parameter path: The file's name, for the error.
    /// - Throws: `DatabaseError.foreign` if it holds something other than this program's data, which has its
    ///   `application` ID.
    func isBlank(_ path: String, _ application: Int32) throws -> Bool {
        // The first read of a cold disk may take long.
        limit?.isLifted = true
        defer { limit?.isLifted = false }
        let sign = try self.application
        guard sign == 0 || sign == application else {
            throw DatabaseError.foreign("\(path) is the data of another program, or of another part of this one")
        }
        let tables = try lines(of: "SELECT name FROM sqlite_schema WHERE type = 'table'") { row in
            try row.next() as String
        }
        var done: [String] = []
        if tables.contains("schema_migration") {
            do {
                done = try lines(of: "SELECT name FROM schema_migration ORDER BY position") { row in try row.next() }
            } catch DatabaseError.statement, DatabaseError.unreadable {
                throw DatabaseError.foreign("\(path) is the data of another program")
            }
        }
        if done.isEmpty, tables.allSatisfy({ $0 == "schema_migration" }) { return true }
        guard !done.isEmpty, sign == application else {
            throw DatabaseError.foreign("\(path) is the data of another program")
        }
        return false
    }

    /// The first table, index, trigger, view or column that the applied migrations make but the file lacks, and the
    /// first that the file has in addition; nil for none.
    ///
    /// - Throws: `DatabaseError.olderThanProgram`, `.newerThanProgram`, `.migrationEdited`.
    func difference(from migrations: [Migration]) throws -> (missing: String?, added: String?) {
        let done = try countOfDone(migrations)
        let model = try SQLiteSession(at: ":memory:", readOnly: false, options: Database.Options())
        defer { model.close() }
        let parts = try model.perform {
            try model.migrate(Array(migrations.prefix(done)))
            return try model.parts()
        }
        let mine = try self.parts()
        return (parts.subtracting(mine).min(), mine.subtracting(parts).min())
    }

    /// Every table, index, trigger, view and column. Triggers and views, which can act, come with their text.
    ///
    /// SQLite creates tables for statistics and for AUTOINCREMENT on its own. Any other name that begins with `sqlite_`
    /// counts: a crafted file can contain one.
    private func parts() throws -> Set<String> {
        let parts = try lines(
            of: """
                SELECT type, name, CASE WHEN type IN ('trigger', 'view') THEN ': ' || sql ELSE '' END
                FROM sqlite_schema
                WHERE type <> 'table' OR name NOT IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4')
                """
        ) { row in "\(try row.next() as String) \(try row.next() as String)\(try row.next() as String)" }
        let columns = try lines(
            of: """
                SELECT part.name, field.name FROM sqlite_schema AS part, pragma_table_info(part.name) AS field
                WHERE part.type = 'table' AND part.name NOT IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4')
                """
        ) { row in "column \(try row.next() as String).\(try row.next() as String)" }
        return Set(parts + columns)
    }

    private func carryOut(_ migration: Migration, at position: Int) throws {
        let script = try migration.text(for: .sqlite)
        // Rebuilding a table drops the old one, which with foreign keys on would delete the rows that refer to it. The
        // pragma has no effect inside a transaction.
        try run("PRAGMA foreign_keys = OFF")
        try run("BEGIN IMMEDIATE")
        do {
            try run(script)
            if let step = migration.step { _ = try lend { db in try step(db) } }
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
            // If this fails too, closing the file rolls back: nobody gets a session without its migrations.
            if isInTransaction { try? run("ROLLBACK") }
            switch error {
            case DatabaseError.full, DatabaseError.busy, DatabaseError.disk, DatabaseError.readOnly: throw error
            default: throw DatabaseError.migrationFailed(migration.name, "\(error)")
            }
        }
        try run("PRAGMA foreign_keys = ON")
    }
}
