/// A copy of all data between a server and an SQLite file with the same tables.
///
/// The server's catalog lists the tables, their column types and their keys. Each copy is one transaction, and every
/// row is compared with its source before the transaction ends.
struct Copying {
    /// A table that exists on both sides.
    struct Table {
        let name: String
        var columns: [(name: String, type: PostgreSQLType, placeInKey: Int64?)] = []

        var columnNames: String { columns.map { "\"\($0.name)\"" }.joined(separator: ", ") }

        /// How many rows are fetched at once: pictures are large.
        var portion: Int { columns.contains { $0.type == .blob } ? 8 : 1_000 }

        /// All rows, ordered by the key, or by all columns if there is no key; the order is the same on both engines.
        var selection: String {
            let key = columns.filter { $0.placeInKey != nil }.sorted { $0.placeInKey! < $1.placeInKey! }
            // A key is never NULL. In other columns the engines sort NULL to different ends.
            let order =
                key.isEmpty
                ? columns.map { "\"\($0.name)\" NULLS FIRST" }.joined(separator: ", ")
                : key.map { "\"\($0.name)\"" }.joined(separator: ", ")
            return "SELECT \(columnNames) FROM \"\(name)\" ORDER BY \(order)"
        }
    }

    private let server: PostgreSQLSession
    private let file: SQLiteSession
    private let tables: [Table]

    /// - Parameter server: In a transaction, if it is read from, so that all tables are read at the same moment.
    init(between server: PostgreSQLSession, and file: SQLiteSession) throws {
        self.server = server
        self.file = file
        let own = Set(try file.tableNames())
        // A server may have tables that aren't ours.
        tables = try server.tables().filter { own.contains($0.name) }
    }

    /// Replaces the server's data with the file's, in the server's open transaction.
    ///
    /// - Parameter dryRun: Whether the transaction will be rolled back.
    /// - Returns: How many rows there are.
    func toServer(dryRun: Bool) throws -> Int {
        // Rows refer to each other across tables and within them, so references are checked once at the end.
        let references = try server.references()
        for reference in references {
            try server.run("ALTER TABLE \(reference.table) DROP CONSTRAINT \"\(reference.name)\"")
        }
        try server.run("TRUNCATE \(tables.map { "\"\($0.name)\"" }.joined(separator: ", "))")
        var count = 0
        for table in tables {
            try server.load(table) { add in
                let rows = try file.started(table.selection)
                defer { rows.finish() }
                while try rows.step() {
                    var row = rows.row
                    var values: [SQL.Value] = []
                    for column in table.columns { values.append(try row.value().typed(column.type)) }
                    try add(values)
                    count += 1
                }
            }
        }
        for reference in references {
            try server.run(
                "ALTER TABLE \(reference.table) ADD CONSTRAINT \"\(reference.name)\" \(reference.definition)")
        }
        // A key that was used once is never used again.
        if !dryRun {
            // Sequences aren't rolled back with a transaction.
            for (table, key) in try file.lastKeys() where key > 0 && tables.contains(where: { $0.name == table }) {
                try server.keep(key, asLastOf: table)
            }
        }
        try requireSameness()
        try server.run("ANALYZE \(tables.map { "\"\($0.name)\"" }.joined(separator: ", "))")
        return count
    }

    /// Replaces the file's data with the server's.
    func toFile() throws {
        try file.run("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON")
        defer { file.rollBack() }
        // All tables first, because deleting a row cascades to the rows that refer to it.
        for table in tables { try file.run("DELETE FROM \"\(table.name)\"") }
        for table in tables {
            let marks = Array(repeating: "?", count: table.columns.count).joined(separator: ", ")
            let insertion = try file.prepare(
                "INSERT INTO \"\(table.name)\" (\(table.columnNames)) VALUES (\(marks))")
            try server.rows(of: table) { row in
                var values: [SQL.Value] = []
                for _ in table.columns { values.append(try row.value()) }
                try insertion.start(values)
                _ = try insertion.step()
                insertion.finish()
            }
        }
        for (table, key) in try server.lastKeys() {
            try file.keep(key, asLastOf: table)
        }
        try requireSameness()
        try file.run("COMMIT")
    }

    /// Compares every row.
    ///
    /// - Throws: `DatabaseError.different` with the first table that isn't the same on both sides.
    private func requireSameness() throws {
        for table in tables {
            func refusal() -> DatabaseError { .different(table.name) }
            let others = try file.started(table.selection)
            defer { others.finish() }
            try server.rows(of: table) { row in
                guard try others.step() else { throw refusal() }
                var other = others.row
                for _ in table.columns where try row.value() != other.value() { throw refusal() }
            }
            if try others.step() { throw refusal() }
        }
    }
}

extension SQL.Value {
    /// The value as a server's column of that type stores it: SQLite's booleans are 0 and 1.
    fileprivate func typed(_ type: PostgreSQLType) -> SQL.Value {
        if case .integer(let number) = self, type == .boolean { return .boolean(number != 0) }
        return self
    }
}

extension Database {
    /// A file to be copied into a server's database.
    public struct Move: Sendable {
        let path: String
        let server: Server
        let migrations: [Migration]
        let application: Int32
        let isOwned: Bool

        /// - Parameters:
        ///   - server: With the role that owns the tables. All `migrations` must have been applied.
        ///   - isOwned: Whether the file is a site's live database: it is locked during the copy and gets the
        ///     migrations
        ///     it lacks. A backup stays unchanged.
        public init(from path: String, to server: Server, migrations: [Migration], application: Int32, isOwned: Bool) {
            self.path = path
            self.server = server
            self.migrations = migrations
            self.application = application
            self.isOwned = isOwned
        }

        /// Passes the file to `body` after checking that it is sound and belongs to this program.
        fileprivate func withFile<T>(_ body: (SQLiteSession) throws -> T) throws -> T {
            let (file, owner) = try ofSource {
                guard fileSize(at: path) != nil else { throw DatabaseError.unopenable("\(path) isn't there") }
                try Database.identify(path, migrations: migrations, application: application, isStrange: true)
                let owner = isOwned ? try Database(at: path, migrations: migrations, application: application) : nil
                return (try SQLiteSession(at: path, readOnly: true, options: Options()), owner)
            }
            defer {
                file.close()
                owner?.close()
            }
            return try file.perform {
                try ofSource {
                    guard try file.countOfDone(migrations) == migrations.count else {
                        throw DatabaseError.unsuitable(
                            "it is a backup of an older release: restore it into a data folder, and move that")
                    }
                    let problems = try file.problems()
                    guard problems.isEmpty else { throw DatabaseError.corrupt(problems.joined(separator: "; ")) }
                }
                return try body(file)
            }
        }

        private func ofSource<T>(_ body: () throws -> T) throws -> T {
            do { return try body() } catch let error as DatabaseError { throw SourceError(path: path, error: error) }
        }
    }

    /// An error in the file to be moved, rather than on the server.
    public struct SourceError: Error {
        public let path: String
        public let error: DatabaseError
    }

    /// Copies all data of the files into databases of one server, replacing their content; all of it or nothing.
    ///
    /// - Parameters:
    ///   - moves: All to one database of the server, with the same role.
    /// - secrets: The values that ``shared(_:or:)`` returns from then on, by name. They replace existing ones.
    /// - dryRun: Whether to roll the copy back at the end: this tells whether it would succeed, and takes as long.
    /// - isTaken: Whether the first database already holds data that must not be overwritten.
    /// - Returns: The number of rows; nil if `isTaken` returned true.
    /// - Throws: `SourceError`; `DatabaseError.locked` while a site uses the server's database or another move is
    ///   running, and the server's errors.
    public static func move(
        _ moves: [Move], secrets: [String: String] = [:], dryRun: Bool,
        unless isTaken: (Connection) throws -> Bool
    ) throws -> Int? {
        guard let first = moves.first else { return 0 }
        let session = try PostgreSQLSession(first.server, .unlimited, Options(), ledger: nil)
        defer { session.close() }
        return try session.perform { () throws -> Int? in
            try session.run("BEGIN")
            for move in moves.reversed() {
                try session.run("SET LOCAL search_path = \(move.server.schema)")
                try session.requireAll(move.migrations)
                guard try session.locksTransaction(move.server.schema) else { throw DatabaseError.locked }
            }
            if try session.lend(isTaken) { return nil }
            var count = 0
            for move in moves {
                try session.run("SET LOCAL search_path = \(move.server.schema)")
                count += try move.withFile { file in
                    try Copying(between: session, and: file).toServer(dryRun: dryRun)
                }
            }
            try session.run("SET LOCAL search_path = \(first.server.schema)")
            for (name, secret) in secrets {
                try session.lend { db in
                    _ = try db.execute(
                        """
                        INSERT INTO village_secret (name, value) VALUES (\(name), \(secret))
                        ON CONFLICT (name) DO UPDATE SET value = excluded.value
                        """)
                }
            }
            try session.run(dryRun ? "ROLLBACK" : "COMMIT")
            return count
        }
    }
}

extension Copying {
    /// A server's database, and what is needed to make an SQLite file with the same tables.
    struct Origin: Sendable {
        let server: Database.Server
        let migrations: [Migration]
        let application: Int32
    }

    /// Copies all data of a server's database, as of this moment, into a new file at `path`.
    static func write(_ origin: Origin, to path: String) throws {
        let file = try SQLiteSession(at: path, readOnly: false, options: Database.Options())
        defer { file.close() }
        let session = try PostgreSQLSession(origin.server, .unlimited, Database.Options(), ledger: nil)
        defer { session.close() }
        try session.perform {
            try session.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try file.perform {
                try file.migrate(origin.migrations, application: origin.application)
                // A single file without a log beside it; an unfinished one is thrown away.
                try file.run("PRAGMA journal_mode = MEMORY")
                try Copying(between: session, and: file).toFile()
            }
        }
    }
}
