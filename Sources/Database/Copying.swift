/// All data on its way between a server and a file of SQLite, which both have all tables.
///
/// The server's catalog says which tables there are, what their columns hold, and what their rows are told apart by.
/// Each copy is one transaction, and is compared row by row with what it was made from before it ends.
struct Copying {
    /// A table that both have.
    struct Table {
        let name: String
        var columns: [(name: String, type: PostgreSQLType, placeInKey: Int64?)] = []

        var columnNames: String { columns.map { "\"\($0.name)\"" }.joined(separator: ", ") }

        /// How many rows are fetched at once: pictures are large.
        var portion: Int { columns.contains { $0.type == .blob } ? 8 : 1_000 }

        /// All rows in the order of the key, or of all columns, the same on both engines.
        var selection: String {
            let key = columns.filter { $0.placeInKey != nil }.sorted { $0.placeInKey! < $1.placeInKey! }
            // A key is never NULL; of other columns each engine would put NULL at another end.
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

    /// - Parameter server: In a transaction, if it is read from: all that it says is of one moment.
    init(between server: PostgreSQLSession, and file: SQLiteSession) throws {
        self.server = server
        self.file = file
        let own = Set(try file.tableNames())
        // Others may have tables on a server, too.
        tables = try server.tables().filter { own.contains($0.name) }
    }

    /// Puts what the file holds in the place of what the server holds, in a transaction that is open there.
    ///
    /// - Parameter dryRun: Whether the transaction will be rolled back.
    /// - Returns: How many rows there are.
    func toServer(dryRun: Bool) throws -> Int {
        // Rows refer to each other across tables and within them: what they refer to is checked for all at once.
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
        // A key that was given once is never given again.
        if !dryRun {
            // No transaction takes this back.
            for (table, key) in try file.lastKeys() where key > 0 && tables.contains(where: { $0.name == table }) {
                try server.keep(key, asLastOf: table)
            }
        }
        try requireSameness()
        try server.run("ANALYZE \(tables.map { "\"\($0.name)\"" }.joined(separator: ", "))")
        return count
    }

    /// Puts what the server holds in the place of what the file holds.
    func toFile() throws {
        try file.run("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON")
        defer { file.rollBack() }
        // All of them first: a row that goes takes with it those that refer to it.
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
    /// As a server's column of that type has it: SQLite's booleans are 0 and 1.
    fileprivate func typed(_ type: PostgreSQLType) -> SQL.Value {
        if case .integer(let number) = self, type == .boolean { return .boolean(number != 0) }
        return self
    }
}

extension Database {
    /// A file whose data goes into a server's database.
    public struct Move: Sendable {
        let path: String
        let server: Server
        let migrations: [Migration]
        let application: Int32
        let isOwned: Bool

        /// - Parameters:
        ///   - server: With the role that owns the tables, which have all the `migrations`.
        ///   - isOwned: Whether the file is a site's own: it is locked meanwhile, and gets migrations that it lacked. A
        ///     backup stays as it is.
        public init(from path: String, to server: Server, migrations: [Migration], application: Int32, isOwned: Bool) {
            self.path = path
            self.server = server
            self.migrations = migrations
            self.application = application
            self.isOwned = isOwned
        }

        /// Gives `body` the file, once it is known to be whole and ours.
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

    /// What is wrong with the file that was to be moved, rather than with the server.
    public struct SourceError: Error {
        public let path: String
        public let error: DatabaseError
    }

    /// Copies all data of files into databases of one server, in the place of what is there: all of it or nothing.
    ///
    /// - Parameters:
    ///   - moves: All to one database of the server, with the same role.
    ///   - secrets: What ``shared(_:or:)`` gives from then on, by its names, in the place of what is there.
    ///   - dryRun: Whether the copy is rolled back at the end: this says whether it can be made, and takes as long.
    ///   - isTaken: Whether the first of them holds something already that must not go.
    /// - Returns: How many rows there are; nil if `isTaken`.
    /// - Throws: `SourceError`; `DatabaseError.locked` while a site uses the server's database or is moved there, and
    ///   errors of the server.
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
    /// A server's database, and what a file with the same tables is made by.
    struct Origin: Sendable {
        let server: Database.Server
        let migrations: [Migration]
        let application: Int32
    }

    /// Copies all data of a server's database, as it is at this moment, into a new file at `path`.
    static func write(_ origin: Origin, to path: String) throws {
        let file = try SQLiteSession(at: path, readOnly: false, options: Database.Options())
        defer { file.close() }
        let session = try PostgreSQLSession(origin.server, .unlimited, Database.Options(), ledger: nil)
        defer { session.close() }
        try session.perform {
            try session.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try file.perform {
                try file.migrate(origin.migrations, application: origin.application)
                // One file alone, without a log beside it: one that isn't finished is thrown away.
                try file.run("PRAGMA journal_mode = MEMORY")
                try Copying(between: session, and: file).toFile()
            }
        }
    }
}
