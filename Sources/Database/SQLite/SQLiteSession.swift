import GRDB
import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One open SQLite connection with its statements.
///
/// One thread at a time uses it: everything runs inside `perform` or `later`, which is GRDB's serial queue. An idle
/// queue runs a closure in place, on the caller's thread. (Hence unchecked.)
final class SQLiteSession: Session, @unchecked Sendable {
    private let queue: DatabaseQueue
    private let database: GRDB.Database
    private let handle: OpaquePointer
    private let file: WatchedFile?
    let limit: ReadLimit?
    /// Whether it is an extra session, open only while the disk is slow.
    let isExtra: Bool
    private let ledger: StatementLedger?
    private let busyTimeout: Duration
    private let log = LogLength()
    private var statements: [StatementText: SQLiteStatement] = [:]
    private var uses = 0

    /// How many statements a session keeps prepared. GRDB's own cache never evicts any.
    static let statementLimit = 256

    /// Opens the file at `path`.
    ///
    /// - Parameter limit: How long one read may take; nil for the writer.
    /// - Throws: `DatabaseError.unopenable`, `.corrupt`, `.busy` and other errors of opening a file.
    init(
        at path: String, readOnly: Bool, options: Database.Options, limit: ReadLimit? = nil,
        ledger: StatementLedger? = nil, isExtra: Bool = false
    ) throws {
        WatchedFile.install
        self.limit = limit
        self.isExtra = isExtra
        self.ledger = ledger
        busyTimeout = options.busyTimeout
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.label = readOnly ? "village.database.reader" : "village.database.writer"
        configuration.busyMode = .timeout(options.busyTimeout / .seconds(1))
        // Transactions begin and end here, through statements that GRDB doesn't see.
        configuration.allowsUnsafeTransactions = true
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw DatabaseError.meaning(of: error)
        }
        (database, handle) = queue.inDatabase { ($0, $0.sqliteConnection!) }
        // GRDB records which columns each statement reads, for observers. There are none, and it takes a third of the
        // time of preparing a statement.
        sqlite3_set_authorizer(handle, nil, nil)
        file = WatchedFile(of: handle)
        try perform {
            try run(
                """
                PRAGMA foreign_keys = ON;
                PRAGMA trusted_schema = OFF;
                PRAGMA cell_size_check = ON;
                PRAGMA temp_store = MEMORY;
                PRAGMA cache_size = -\(options.pageCache);
                """)
            if readOnly {
                try run("PRAGMA query_only = ON")
            } else {
                try run(
                    """
                    PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = FULL;
                    PRAGMA journal_size_limit = 67108864;
                    PRAGMA wal_autocheckpoint = \(Self.longLog);
                    PRAGMA secure_delete = \(options.overwritesDeleted ? "ON" : "OFF");
                    """)
            }
        }
        if let limit {
            let context = Unmanaged.passUnretained(limit).toOpaque()
            sqlite3_progress_handler(
                handle, 1_000, { Unmanaged<ReadLimit>.fromOpaque($0!).takeUnretainedValue().hasPassed ? 1 : 0 }, context
            )
        }
    }

    var isWatched: Bool { file != nil }

    /// How many times reading the file waited for the disk. Don't call it after closing.
    var waits: Int { file?.waits ?? 0 }

    func perform(_ body: () throws -> Void) rethrows {
        try queue.inDatabase { _ in try body() }
    }

    func later(_ body: @escaping @Sendable () -> Void) {
        queue.asyncWriteWithoutTransaction { _ in body() }
    }

    /// Closes the file. Nothing may be running.
    func close() {
        perform { statements = [:] }
        // It fails only while a statement runs, and none does; if it does, the file is closed when the session is
        // freed.
        try? queue.close()
    }

    // MARK: Reading

    func read(_ body: (Connection) throws -> Void) throws {
        limit?.start()
        try run(cached: "BEGIN")
        // An interrupted read may have ended its transaction already. Nothing was written, so ending it can't fail.
        defer { if isInTransaction { try? run(cached: "COMMIT") } }
        try lend(body)
    }

    // MARK: Writing

    let groupTime: Duration? = nil

    func begin() throws { try run(cached: "BEGIN IMMEDIATE") }
    func mark() throws { try run(cached: "SAVEPOINT member") }
    func undo() throws { try run(cached: "ROLLBACK TO member") }
    func unmark() throws { try run(cached: "RELEASE member") }
    func commit(isQuiet: Bool) throws { try run(cached: "COMMIT") }
    func rollBack() { if isInTransaction { try? run(cached: "ROLLBACK") } }
    var isSound: Bool { isInTransaction }

    // MARK: Statements

    func each(_ sql: SQL, _ body: (inout Row) throws -> Bool) throws {
        let statement = try statement(for: sql)
        defer { statement.finish() }
        while try statement.step() {
            var row = statement.row
            guard try body(&row) else { return }
        }
    }

    func execute(_ sql: SQL) throws -> Int {
        let before = totalChanges
        try each(sql) { _ in true }
        // SQLite counts for the last statement that changed rows, which need not be this one.
        return totalChanges == before ? 0 : changes
    }

    func insert(_ sql: SQL) throws -> Int64? { try execute(sql) > 0 ? lastInsertedKey : nil }

    func explain(_ sql: SQL) throws -> [String] {
        let statement = try statement(explaining: sql)
        defer { statement.finish() }
        var lines: [String] = []
        while try statement.step() {
            var row = statement.row
            // The step's ID, its parent's, and an unused number.
            for _ in 0..<3 { _ = try row.next() as Int }
            lines.append(try row.next())
        }
        if statement.wasPreparedAnew { lines.append("PREPARED ANEW") }
        return lines
    }

    /// The statement for `sql` with its arguments bound: from the cache, or newly prepared if it isn't there or is in
    /// use (a query inside the loop over the same query).
    func statement(for sql: SQL) throws -> SQLiteStatement {
        let statement = try statement(of: sql.question) {
            try refuseControl(in: sql.question)
            self.ledger?.note(sql)
        }
        ledger?.count()
        try statement.start(sql.arguments)
        return statement
    }

    /// A statement that explains how `sql` would be run.
    func statement(explaining sql: SQL) throws -> SQLiteStatement {
        try refuseControl(in: sql.question)
        let statement = try prepare("EXPLAIN QUERY PLAN " + sql.question)
        try statement.start(sql.arguments)
        return statement
    }

    /// Runs one of the engine's own statements.
    func run(cached text: String) throws {
        let statement = try statement(of: text) {}
        try statement.start([])
        defer { statement.finish() }
        while try statement.step() {}
    }

    /// Runs any number of statements as they are.
    func run(_ script: String) throws {
        guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else {
            throw DatabaseError(
                code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    /// Each row of one of the engine's own statements, converted by `make`.
    func lines<T>(of text: String, _ make: (inout Row) throws -> T) throws -> [T] {
        let statement = try started(text)
        defer { statement.finish() }
        var lines: [T] = []
        while try statement.step() {
            var row = statement.row
            lines.append(try make(&row))
        }
        return lines
    }

    /// All tables, including the full-text ones.
    func tableNames() throws -> [String] {
        try lines(of: "SELECT name FROM sqlite_schema WHERE type = 'table'") { row in try row.next() }
    }

    /// The last key that each table assigned.
    func lastKeys() throws -> [(table: String, key: Int64)] {
        guard try !lines(of: "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'", { _ in true }).isEmpty else {
            return []
        }
        return try lines(of: "SELECT name, seq FROM sqlite_sequence") { row in (try row.next(), try row.next()) }
    }

    /// Sets the last key that a table assigned.
    func keep(_ key: Int64, asLastOf table: String) throws {
        for text in [
            "DELETE FROM sqlite_sequence WHERE name = ?1 AND ?2 IS NOT NULL",
            "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)",
        ] {
            let statement = try started(text, [.text(table), .integer(key)])
            defer { statement.finish() }
            _ = try statement.step()
        }
    }

    private func statement(of text: String, beforePreparing: () throws -> Void) throws -> SQLiteStatement {
        uses += 1
        let key = StatementText(text)
        let cached = statements[key]
        if let cached, !cached.isRunning {
            cached.lastUse = uses
            return cached
        }
        try beforePreparing()
        let statement = try prepare(text)
        guard cached == nil else { return statement }
        if statements.count >= Self.statementLimit {
            // A linear search costs less than preparing a statement.
            let idle = statements.lazy.filter { !$0.value.isRunning }
            if let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) { statements[oldest.key] = nil }
        }
        statement.lastUse = uses
        statements[key] = statement
        return statement
    }

    /// One of the engine's own statements, ready at its first row.
    func started(_ text: String, _ arguments: [SQL.Value] = []) throws -> SQLiteStatement {
        let statement = try prepare(text)
        try statement.start(arguments)
        return statement
    }

    func prepare(_ text: String) throws -> SQLiteStatement {
        do {
            // GRDB refuses a text with several statements.
            return SQLiteStatement(try database.makeStatement(sql: text))
        } catch {
            throw DatabaseError.meaning(of: error)
        }
    }

    // MARK: State

    /// How many statements are kept prepared.
    var statementCount: Int { statements.count }

    /// Whether the statement with this text is kept prepared.
    func isCached(_ text: String) -> Bool { statements[StatementText(text)] != nil }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
    /// How many rows the last change affected.
    var changes: Int { Int(sqlite3_changes64(handle)) }
    /// Including those that triggers changed.
    var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }
    /// The key of the last inserted row.
    var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The log moves into the file when it has this many pages (16 MB), so that a page which many registrations touch
    /// is written once.
    static let longLog = 4_000

    /// Has commits leave a long log to ``shortenLog()``, instead of moving it themselves.
    func leavesLogLong() {
        let context = Unmanaged.passUnretained(log).toOpaque()
        // Takes the place of SQLite's own, which moves the log.
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                Unmanaged<LogLength>.fromOpaque(context!).takeUnretainedValue().pages = Int(pages)
                return SQLITE_OK
            }, context)
    }

    var hasLongLog: Bool { log.pages >= Self.longLog }

    func shortenLog() {
        // The next commit says how long it is then. A log that can't be moved now is tried again after it.
        log.pages = 0
        sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    /// Moves the log into the file and empties it. Waits only briefly for readers that still need the log, because
    /// writes wait behind it.
    ///
    /// - Returns: Whether it is empty now.
    func emptyLog() throws -> Bool {
        let patience = sqlite3_busy_timeout(handle, 100)
        guard patience == SQLITE_OK else { throw DatabaseError(code: patience, message: "busy_timeout") }
        defer { sqlite3_busy_timeout(handle, Int32(busyTimeout / .milliseconds(1))) }
        return try lines(of: "PRAGMA wal_checkpoint(TRUNCATE)") { row in try row.next() as Int } == [0]
    }

    /// Copies the whole database, as of this moment, into a new file at `path`.
    func copy(to path: String) throws {
        do {
            let copy = try DatabaseQueue(path: path)
            try copy.inDatabase { target in
                try database.backup(to: target)
                // A backup is one file; in the original's mode there would be two more beside it.
                guard sqlite3_exec(target.sqliteConnection, "PRAGMA journal_mode = DELETE", nil, nil, nil) == SQLITE_OK
                else { throw GRDB.DatabaseError(resultCode: target.lastErrorCode, message: target.lastErrorMessage) }
            }
            try copy.close()
        } catch {
            throw DatabaseError.meaning(of: error)
        }
    }
}

/// How many pages the log has after the last commit, which SQLite says there.
private final class LogLength {
    var pages = 0
}

/// The text of a statement as a key. The texts are long, and a page looks up several of them, so only their length,
/// middle and end are hashed. They are compared as a whole, by their bytes: Swift's `==` takes twenty times as long for
/// a text that isn't all ASCII, as those are that say the names of children.
struct StatementText: Hashable {
    private let text: String

    init(_ text: String) { self.text = text }

    static func == (one: StatementText, other: StatementText) -> Bool {
        let isSame: Bool?? = one.text.utf8.withContiguousStorageIfAvailable { one in
            other.text.utf8.withContiguousStorageIfAvailable { other in
                guard one.count == other.count, let first = one.baseAddress, let second = other.baseAddress else {
                    return one.count == other.count
                }
                return memcmp(first, second, one.count) == 0
            }
        }
        return (isSame ?? nil) ?? one.text.utf8.elementsEqual(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { characters in
            let bytes = UnsafeRawBufferPointer(characters)
            hasher.combine(bytes.count)
            let middle = bytes.count / 2
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[middle...].prefix(32)))
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes.suffix(32)))
        }
    }
}

/// The time limit of a read. SQLite calls back every 1,000 steps of its virtual machine; the time runs from the first
/// callback, so that a short read never looks at the clock.
final class ReadLimit: @unchecked Sendable {
    private let duration: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private var deadline: ContinuousClock.Instant?
    /// While set, there is no limit.
    var isLifted = false
    /// A factor for the limit: higher where reads wait for the disk and nobody waits on the thread.
    var patience = 1

    init(_ duration: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.duration = duration
        self.now = now
    }

    /// Starts the time for a read.
    func start() { deadline = nil }

    /// Whether the running read has used up its time.
    var hasPassed: Bool {
        if isLifted { return false }
        let now = now()
        guard let deadline else {
            deadline = now + duration * patience
            return false
        }
        return now > deadline
    }
}
