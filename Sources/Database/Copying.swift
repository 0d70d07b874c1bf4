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

        /// All rows in the order of the key, the same on both engines.
        var selection: String {
            let key = columns.filter { $0.placeInKey != nil }.sorted { $0.placeInKey! < $1.placeInKey! }
            let order = (key.isEmpty ? columns : key).map { "\"\($0.name)\"" }.joined(separator: ", ")
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
        tables = try server.tables()
    }

    /// Puts what the file holds in the place of what the server holds, in a transaction that is open there.
    ///
    /// - Returns: How many rows there are.
    func toServer() throws -> Int {
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
        for (table, key) in try file.lastKeys() where key > 0 {
            try server.run("SELECT setval(pg_get_serial_sequence('\"\(table)\"', 'id'), \(key))")
        }
        try requireSameness()
        try server.run("ANALYZE \(tables.map { "\"\($0.name)\"" }.joined(separator: ", "))")
        return count
    }

    /// Puts what the server holds in the place of what the file holds.
    ///
    /// - Returns: How many rows there are.
    func toFile() throws -> Int {
        try file.run("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON")
        defer { file.rollBack() }
        // All of them first: a row that goes takes with it those that refer to it.
        for table in tables { try file.run("DELETE FROM \"\(table.name)\"") }
        var count = 0
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
                count += 1
            }
        }
        for (table, key) in try server.lastKeys() {
            try file.keep(key, asLastOf: table)
        }
        try requireSameness()
        try file.run("COMMIT")
        return count
    }

    /// Compares every row.
    ///
    /// - Throws: `DatabaseError.corrupt` with the first table that isn't the same on both sides.
    private func requireSameness() throws {
        for table in tables {
            func refusal() -> DatabaseError { .corrupt("the copy of \(table.name) is not what it was made from") }
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
    /// Copies all data of a file into a database of a server, in the place of what is there. The file stays as it is,
    /// but for migrations that it lacked.
    ///
    /// - Parameters:
    ///   - server: With the role that owns the tables, which have all the `migrations`.
    ///   - isTrial: Whether the copy is undone in the end: it says whether it can be made, and takes as long.
    /// - Returns: How many rows there are.
    /// - Throws: `DatabaseError.locked` while another process owns the file, `.unopenable` if there is none, `.corrupt`
    ///   if the copy isn't the same, and what both engines throw.
    public static func move(
        from path: String, to server: Server, migrations: [Migration], application: Int32, isTrial: Bool
    ) throws -> Int {
        guard fileSize(at: path) != nil else { throw DatabaseError.unopenable("\(path) isn't there") }
        // Its owner for as long as this takes.
        var options = Options()
        options.mayBegin = false
        let database = try Database(at: path, migrations: migrations, application: application, options: options)
        defer { database.close() }
        let file = try SQLiteSession(at: path, readOnly: true, options: Options())
        defer { file.close() }
        let session = try PostgreSQLSession(server, .owner, Options(), ledger: nil)
        defer { session.close() }
        return try session.perform {
            try session.requireAll(migrations)
            try session.run("BEGIN")
            let count = try file.perform { try Copying(between: session, and: file).toServer() }
            try session.run(isTrial ? "ROLLBACK" : "COMMIT")
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
        let session = try PostgreSQLSession(origin.server, .reader(.seconds(60)), Database.Options(), ledger: nil)
        defer { session.close() }
        try session.perform {
            try session.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try file.perform {
                try file.migrate(origin.migrations, application: origin.application)
                _ = try Copying(between: session, and: file).toFile()
                // One file alone, without a log beside it.
                try file.run("PRAGMA journal_mode = DELETE")
            }
        }
    }
}
