import Dispatch
import Synchronization

/// The data of the site, in one file that this process owns or on a server of PostgreSQL: many readers, one writer.
///
/// ```swift
/// let event = try database.read { db in try Event.find(id, in: db) }
/// let id = try await database.write { db in try Event.insert(form, in: db) }
/// ```
public final class Database: Sendable {
    /// The options for opening a database.
    public struct Options: Sendable {
        /// How many read connections stay open once they were needed; nil for the number of cores plus one, at most 8,
        /// or for all of `mostReaders` on a server.
        public var readers: Int?
        /// How many reads can run at once. Connections beyond `readers` are closed after their read, unless reads wait
        /// for the disk: then they stay until the disk is fast again.
        public var mostReaders = 24
        /// How long one read may take before it fails with `DatabaseError.tooSlow`; eight times as long on a server,
        /// and while reads wait for the disk.
        public var readLimit: Duration = .milliseconds(250)
        /// The same for `readSlowly`.
        public var slowReadLimit: Duration = .seconds(60)
        /// How many writes may wait before the next is refused with `DatabaseError.busy`.
        public var writeQueue = 1_024
        /// How many slow reads may wait before the next is refused with `DatabaseError.busy`.
        public var slowReadQueue = 16
        /// How long to wait for a read connection, or for a file that another process holds.
        public var busyTimeout: Duration = .seconds(5)
        /// How much of the file each connection caches, in KiB. The system caches the file too, so more would save only
        /// calls to it.
        public var pageCache = 4_000
        /// Whether a missing or empty file is filled. If the folder had data before, turn this off: opening then throws
        /// `DatabaseError.missing`.
        public var mayBegin = true
        /// Whether `recordedStatements` is kept, for tests.
        public var recordsStatements = false
        /// Whether deleted data is overwritten. A test turns this off to see what would remain.
        var overwritesDeleted = true
        /// How long one statement of a write may take on a server, including waiting for locked rows.
        public var writeLimit: Duration = .seconds(5)
        /// How long writes may share one transaction on a server; no node keeps the others waiting longer.
        public var groupTime: Duration = .milliseconds(20)
        /// How long a server lets a transaction sit idle, so that a program that froze during a write keeps the others
        /// waiting no longer than this.
        public var idleLimit: Duration = .seconds(2)
        /// How often to ask a server whether another program wrote; nil for only when `look` is called.
        public var lookPeriod: Duration?
        /// The clock the limits are measured with.
        var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }

        public init() {}
    }

    let writer: Writer?
    /// Nil for a read-only database.
    private let vigil: FileVigil?
    let readers: ReadPool
    let slowReader: SlowReader
    private let mark: ThreadMark
    private let isClosed = Atomic<Bool>(false)
    private let dataVersion = DataVersion()
    private let answers = KeptAnswers()
    /// Only for a server's database that is written to.
    private let watch: Watch?
    private let ledger: StatementLedger?
    /// The engine and its version: `SQLite`, `3.40.1`.
    public let engine: (name: String, version: String)
    private let source: Source

    /// Where the data is.
    private enum Source {
        case file(String)
        case server(Copying.Origin)
    }

    /// Opens the file at `path` as its owner, creating it if necessary, and applies the `migrations` it lacks, each in
    /// a transaction of its own.
    ///
    /// - Parameter application: The application ID stored in the file, which identifies the program; 0 for none, and
    ///   then it isn't checked.
    /// - Throws: `DatabaseError.locked` if another process owns it, `.missing`, `.foreign`, `.migrationEdited`,
    ///   `.migrationFailed`, `.olderThanProgram`, `.newerThanProgram`, `.unopenable`, `.corrupt`.
    public convenience init(
        at path: String, migrations: [Migration], application: Int32 = 0, options: Options = Options()
    ) throws {
        try self.init(path, (migrations, application), options)
    }

    /// Opens the file at `path` for reading only, whether or not another process owns it: for command-line tools.
    ///
    /// - Throws: `DatabaseError.unopenable` if there is no such file.
    public convenience init(reading path: String, options: Options = Options()) throws {
        try self.init(path, nil, options)
    }

    private init(_ path: String, _ schema: (migrations: [Migration], application: Int32)?, _ options: Options) throws {
        let ledger = options.recordsStatements ? StatementLedger() : nil
        let mark = ThreadMark()
        self.ledger = ledger
        self.mark = mark
        watch = nil
        engine = ("SQLite", SQLiteVersion.inUse.description)
        @Sendable func reader(_ limit: Duration, isExtra: Bool = false) throws -> SQLiteSession {
            try SQLiteSession(
                at: path, readOnly: true, options: options, limit: ReadLimit(limit, now: options.now), ledger: ledger,
                isExtra: isExtra)
        }
        // Parsing the tables takes most of the time of opening a file, so the session that looks at it first stays.
        var first: SQLiteSession?
        let vigil: FileVigil?
        if let (migrations, application) = schema {
            let lock = try FileLock(at: path + ".lock")
            // Before anything is written, so that another program's file stays unchanged.
            if application != 0 {
                first = try Self.isEmpty(path) ? nil : reader(options.readLimit)
                let isBlank = try first.map { first in
                    try first.perform { try first.isBlank(path, application) }
                }
                if isBlank ?? true, !options.mayBegin {
                    throw DatabaseError.missing("\(path) is empty or gone, and there was data before")
                }
            }
            let session = try SQLiteSession(at: path, readOnly: false, options: options, ledger: ledger)
            try session.perform {
                try session.migrate(migrations, application: application)
                session.leavesLogLong()
            }
            vigil = FileVigil(over: path)
            writer = Writer(
                session, lock: lock, mark: mark, vigil: vigil, version: dataVersion, queueLimit: options.writeQueue)
        } else {
            writer = nil
            vigil = nil
        }
        self.vigil = vigil
        source = .file(path)
        // After the writer, which creates the file and its log; a reader can't.
        let ready = try first ?? reader(options.readLimit)
        // Never a reader for a file that replaced this one.
        @Sendable func watchedReader(_ limit: Duration, isExtra: Bool = false) throws -> SQLiteSession {
            try vigil?.look()
            let session = try reader(limit, isExtra: isExtra)
            try vigil?.look()
            return session
        }
        readers = ReadPool(options, first: [ready]) { isExtra in
            try watchedReader(options.readLimit, isExtra: isExtra)
        }
        slowReader = SlowReader(mark: mark, queueLimit: options.slowReadQueue) {
            try watchedReader(options.slowReadLimit)
        }
    }

    /// A schema of a database on a PostgreSQL server.
    public struct Server: Sendable {
        let address: String
        let schema: String

        /// - Parameters:
        ///   - address: `postgresql://user@host:5432/village`, as libpq reads it
        ///     (<https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING>).
        ///   - schema: Where in the database its tables are. Letters of `a` to `z` and `_`.
        public init(_ address: String, schema: String = "public") {
            self.address = address
            self.schema = schema
        }
    }

    /// Applies the `migrations` that a database on a PostgreSQL server lacks, as the owner of its tables. Programs that
    /// do so at the same time wait for each other.
    ///
    /// - Throws: `DatabaseError.away` if the server doesn't answer, `.migrationEdited`, `.migrationFailed`,
    ///   `.olderThanProgram`, `.newerThanProgram`, `.unsuitable`.
    public static func migrate(_ server: Server, _ migrations: [Migration], options: Options = Options()) throws {
        let session = try PostgreSQLSession(server, .unlimited, options, ledger: nil)
        defer { session.close() }
        try session.perform { try session.migrate(migrations) }
    }

    /// Opens a database on a PostgreSQL server, to which all `migrations` must have been applied.
    ///
    /// - Parameters:
    ///   - application: The application ID for backups, which are SQLite files.
    ///     - isReadOnly: Whether it is only read: for command-line tools.
    /// - Throws: `DatabaseError.away` if the server doesn't answer, `.locked` while a town is moved there,
    ///   `.notMigrated`, `.migrationEdited`, `.olderThanProgram`, `.newerThanProgram`, `.unsuitable`.
    public init(
        on server: Server, migrations: [Migration], application: Int32 = 0, isReadOnly: Bool = false,
        options: Options = Options()
    ) throws {
        let ledger = options.recordsStatements ? StatementLedger() : nil
        let mark = ThreadMark()
        self.ledger = ledger
        self.mark = mark
        vigil = nil
        @Sendable func session(_ role: PostgreSQLSession.Role, isExtra: Bool = false) throws -> PostgreSQLSession {
            try PostgreSQLSession(server, role, options, ledger: ledger, isExtra: isExtra)
        }
        source = .server(Copying.Origin(server: server, migrations: migrations, application: application))
        let first = try session(isReadOnly ? .unlimited : .writer)
        engine = try first.perform {
            try first.requireAll(migrations)
            return ("PostgreSQL", first.version)
        }
        if isReadOnly {
            first.close()
            writer = nil
            watch = nil
        } else {
            writer = Writer(
                first, lock: nil, mark: mark, vigil: nil, version: dataVersion, queueLimit: options.writeQueue)
            watch = Watch(try session(.reader(.seconds(1))), dataVersion, options)
        }
        var pool = options
        // Connecting and preparing statements take longer than most reads, so what was opened under load stays.
        pool.readers = options.readers ?? options.mostReaders
        // A read also waits for what other programs ask of the server, and its connection's first ones for their plans.
        let readLimit = options.readLimit * ReadPool.patience
        readers = ReadPool(pool, first: [try session(.reader(readLimit))]) { isExtra in
            try session(.reader(readLimit), isExtra: isExtra)
        }
        slowReader = SlowReader(mark: mark, queueLimit: options.slowReadQueue) {
            try session(.reader(options.slowReadLimit))
        }
    }

    /// Waits for running and queued work, and closes the file, so that another process may open it. Later calls throw
    /// `DatabaseError.closed`. Don't call it inside a closure of this database: it would wait for itself.
    public func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        watch?.close()
        slowReader.close()
        readers.close()
        // Last, so that it can move the log into the file.
        writer?.close()
    }

    /// Reads: `body` runs immediately on the caller's thread, with a connection from the pool. It sees one snapshot and
    /// must finish within `Options.readLimit`.
    ///
    /// - Throws: What `body` throws; `DatabaseError.tooSlow`, `.busy`, `.nested`, `.closed`.
    @inlinable public func read<T>(_ body: (Connection) throws -> T) throws -> T {
        var result: T?
        try readInPlace { db in result = try body(db) }
        return result!
    }

    /// `read` without a type parameter: across the module boundary, generics would cost more than the rest of the call.
    @usableFromInline func readInPlace(_ body: (Connection) throws -> Void) throws {
        try requireData()
        try mark.enter()
        defer { mark.leave() }
        // Other nodes write, too, and their latest writes become known here a moment later. Members must read at once
        // what they stored on another node, so a server itself is asked, in the same snapshot.
        let data = isShared ? nil : DataState(version: version)
        let answers = writer == nil ? nil : answers
        try readers.withSession { session in
            try session.read { (connection: Connection) throws -> Void in
                connection.loan.answers = answers
                connection.loan.data = data
                try body(connection)
            }
        }
    }

    /// Whether most reads currently wait, for the disk or for a server. A caller with threads to spare should read
    /// there.
    public var readsWait: Bool { isOnServer || readers.isWaiting }

    private var isOnServer: Bool { if case .server = source { true } else { false } }

    /// Reads on a separate thread, one read after another, each within `Options.slowReadLimit`: for exports and staff
    /// lists.
    ///
    /// - Throws: What `body` throws; `DatabaseError.tooSlow`, `.busy` when too many wait, `.closed`.
    public func readSlowly<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try requireData()
        let body = StatementLedger.carried(body)
        return try await slowReader.run { session in try session.read(body) }
    }

    /// Writes: `body` runs on the writer's thread, in a transaction that is stored whole or not at all. When this
    /// returns, the data is on disk.
    ///
    /// Waiting writes share one transaction and one fsync; an error undoes only the write it belongs to. In the rare
    /// case that another write's full disk undoes them all, `body` runs a second time, so it must have no side effects.
    /// Once submitted, a write is executed even if the task is canceled.
    ///
    /// - Parameter quiet: Whether `version` stays unchanged, for changes no page shows (a session's last use).
    /// - Throws: What `body` throws, and then nothing of it is stored; `DatabaseError.busy` when too many wait,
    ///   `.full`, `.disk`, `.readOnly`, `.lost`, `.closed`.
    @discardableResult public func write<T: Sendable>(
        quiet: Bool = false, _ body: @escaping @Sendable (Connection) throws -> T
    ) async throws -> T {
        guard let writer else { throw DatabaseError.readOnly }
        try requireData()
        let body = StatementLedger.carried(body)
        return try await withCheckedThrowingContinuation { continuation in
            let request = Writer.Request(
                isQuiet: quiet,
                attempt: { connection in
                    let value = try body(connection)
                    return { continuation.resume(returning: value) }
                },
                fail: { continuation.resume(throwing: $0) })
            do { try writer.submit(request) } catch { continuation.resume(throwing: error) }
        }
    }

    /// Fails immediately if the data is known to be unavailable.
    private func requireData() throws {
        try vigil?.requireFiles()
        try watch?.requireServer()
    }

    /// Rises with every commit that changed rows, unless the write was quiet: a result computed at one version is still
    /// valid while the version is the same. Starts at 0 with each opening.
    ///
    /// On a server, other programs' commits are found by polling, ten times a second.
    public var version: Int { dataVersion.count }

    /// Rises with every commit, quiet ones too: a read that began at one number and is repeated at the same number
    /// finds the same data. Nil if another program may write, since its quiet commits aren't known.
    ///
    /// It has risen when a write returns.
    public var commits: Int? { writer == nil || isShared ? nil : dataVersion.commits }

    // MARK: Other programs

    /// Whether other programs may write to the same server database at the same time.
    public var isShared: Bool { watch != nil }

    /// Whether other programs' writes are known up to a second ago. If not, cached results may be stale.
    public var isCurrent: Bool { watch?.isCurrent ?? true }

    /// The state of a server's database when last asked; nil for a file.
    public var standing: Standing? { watch?.standing }

    /// Asks the server now whether another program wrote, and how it is doing. Does nothing for a file.
    ///
    /// - Throws: `DatabaseError.away`, and other errors the server reports.
    public func look() throws { try watch?.look() }

    /// Starts watching for other programs' writes.
    ///
    /// - Parameter hear: Called on a separate thread after any write, before `version` rises for other programs'
    ///   writes. Returns whether anything changed that isn't read afresh each time; then `version` rises too.
    public func follow(_ hear: @escaping @Sendable () throws -> Bool) { watch?.follow(hear) }

    /// A secret that all programs on the same server database share, created by the first of them. It isn't in any
    /// table of the data, nor in a copy.
    ///
    /// - Parameter own: The value to use if there is none yet.
    public func shared(_ name: String, or own: String) throws -> String {
        guard case .server = source, let writer else { return own }
        let question: SQL = "SELECT value FROM village_secret WHERE name = \(name)"
        // Without taking the writer's turn, because another program may be at its first long write.
        if let kept: String = try read({ db in try db.value(question) }) { return kept }
        return try writer.session.perform {
            try writer.session.begin()
            do {
                let kept: String? = try writer.session.lend { db in
                    try db.execute(
                        "INSERT INTO village_secret (name, value) VALUES (\(name), \(own)) ON CONFLICT DO NOTHING")
                    return try db.value(question)
                }
                try writer.session.commit(isQuiet: true)
                return kept ?? own
            } catch {
                writer.session.rollBack()
                throw error
            }
        }
    }

    /// Every distinct statement that ran, if `Options.recordsStatements` is set. For a test that explains them all.
    public var recordedStatements: [SQL] { ledger?.statements ?? [] }

    /// How many statements ran, counting repetitions, if `Options.recordsStatements` is set.
    public var recordedRuns: Int { ledger?.total ?? 0 }

    /// Runs `body` without recording its statements, for a test's own queries.
    public static func unrecorded<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
    ) async rethrows -> T {
        try await StatementLedger.$isOff.withValue(true, operation: body, isolation: isolation)
    }

    /// The synchronous variant.
    public static func unrecorded<T>(_ body: () throws -> T) rethrows -> T {
        try StatementLedger.$isOff.withValue(true, operation: body)
    }

    /// The query plan for `sql`: the lines of `EXPLAIN QUERY PLAN`.
    public func explain(_ sql: SQL) throws -> [String] {
        try read { db in try db.explain(sql) }
    }

    // MARK: The files

    /// Whether the files were deleted, replaced or emptied while they were open. Once true, it stays true.
    public var isLost: Bool { vigil?.hasLost ?? false }

    /// Checks that the files are still those that were opened. Costs two system calls; every commit makes them too.
    ///
    /// - Throws: `DatabaseError.lost` if they aren't.
    public func lookAtFiles() throws {
        // After closing, the caller may do anything with the files.
        guard !isClosed.load(ordering: .acquiring) else { return }
        try vigil?.look()
    }

    /// Moves the log into the file and empties it, if rows changed since the last time, so that erased data is in
    /// neither.
    ///
    /// - Returns: Whether the log is empty. It isn't while a reader still needs it: try again soon.
    /// - Throws: `DatabaseError.full`, `.disk`, `.closed`.
    public func emptyLog() async throws -> Bool {
        guard let writer else { throw DatabaseError.readOnly }
        return try await writer.emptyLog()
    }

    /// Copies the database, as of this moment, into a new file at `path`, and checks the copy. Writes continue
    /// meanwhile.
    ///
    /// The file gets its name only once it is complete, checked and on disk. A database whose file was deleted while
    /// open can still be copied.
    ///
    /// - Throws: `DatabaseError.unopenable` if something exists at `path` or the file can't be made, `.corrupt` if the
    ///   copy is not sound, `.full`, `.disk`.
    public func backup(to path: String) async throws {
        switch source {
        case .file:
            try await slowReader.run { session in
                guard let session = session as? SQLiteSession else { throw DatabaseError.closed }
                try Self.keep(at: path, session.copy)
            }
        case .server(let origin):
            // With its own connection and thread: a large database takes minutes.
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                DispatchQueue.global(qos: .utility).async {
                    continuation.resume(
                        with: Result { try Self.keep(at: path) { try Copying.write(origin, to: $0) } })
                }
            }
        }
    }

    /// Has `make` write an SQLite file, which is renamed to `path` once it is complete and checked.
    private static func keep(at path: String, _ make: (_ path: String) throws -> Void) throws {
        let partial = try NewFile(at: path)
        try make(partial.path)
        let copy = try SQLiteSession(at: partial.path, readOnly: true, options: Options())
        defer { copy.close() }
        let problems = try copy.perform { try copy.problems() }
        guard problems.isEmpty else { throw DatabaseError.corrupt(problems.joined(separator: "; ")) }
        try partial.keep()
    }

    /// Makes sure that the file at `path` holds this program's data with all its tables. Reads no rows: `check` does.
    ///
    /// - Parameter isStrange: Whether the file comes from elsewhere: then it must not contain anything extra either,
    ///   such as a trigger that would run with the program's own writes.
    /// - Throws: `DatabaseError.foreign` if it is empty, belongs to another program, or has a table too few or too
    ///   many; `.olderThanProgram`, `.newerThanProgram`, `.migrationEdited`, `.unopenable` if there is none, `.corrupt`
    ///   if it isn't a database.
    public static func identify(
        _ path: String, migrations: [Migration], application: Int32, isStrange: Bool = false
    ) throws {
        let session = try SQLiteSession(at: path, readOnly: true, options: Options())
        defer { session.close() }
        try session.perform {
            guard try !session.isBlank(path, application) else {
                throw DatabaseError.foreign("\(path) is empty")
            }
            let (missing, added) = try session.difference(from: migrations)
            if let missing { throw DatabaseError.foreign("\(path) is not whole: \(missing) is missing") }
            if isStrange, let added { throw DatabaseError.foreign("\(path) holds what isn't ours: \(added)") }
        }
    }

    /// Whether there is no file at `path`, or nothing in it.
    ///
    /// - Throws: `DatabaseError.missing` if only a log is left.
    private static func isEmpty(_ path: String) throws -> Bool {
        guard (fileSize(at: path) ?? 0) == 0 else { return false }
        // SQLite would discard the log.
        guard (fileSize(at: path + "-wal") ?? 0) == 0 else {
            throw DatabaseError.missing("\(path) is empty or gone, and its log is there")
        }
        return true
    }

    /// The size on disk in bytes, if known.
    public var size: Int64? {
        if case .file(let path) = source {
            return [path, path + "-wal"].compactMap { fileSize(at: $0) }.reduce(0, +)
        }
        return try? read { db in
            try db.value(
                """
                SELECT CAST(sum(pg_total_relation_size(oid)) AS BIGINT) FROM pg_class
                WHERE relnamespace = CAST(current_schema() AS regnamespace) AND relkind = 'r'
                """)
        }
    }

    /// Whether the engine has the SQLite bug that `check` warns about.
    public var hasWALResetBug: Bool { !isOnServer && SQLiteVersion.inUse.hasWALResetBug }

    /// The result of `check`.
    public struct Report: Sendable {
        /// Damage in the data; empty if it is sound.
        public let problems: [String]
        /// Warnings for the operator.
        public let warnings: [String]
        /// Other facts worth knowing.
        public let facts: [String]
    }

    /// Checks the whole file for damage and for dangling references. Takes seconds for a large one.
    public func check() async throws -> Report {
        try await slowReader.run { session in
            let (facts, warnings) = try session.facts()
            return Report(problems: try session.problems(), warnings: warnings, facts: facts)
        }
    }
}
