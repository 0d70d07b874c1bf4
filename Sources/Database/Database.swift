import Dispatch
import Synchronization

/// The data of the site, in one file that this process owns or on a server of PostgreSQL: many readers, one writer.
///
/// ```swift
/// let event = try database.read { db in try Event.find(id, in: db) }
/// let id = try await database.write { db in try Event.insert(form, in: db) }
/// ```
public final class Database: Sendable {
    /// What may be set when a database is opened.
    public struct Options: Sendable {
        /// How many read connections stay open; nil for one more than there are cores, at most 8, or for 8 to a server.
        public var readers: Int?
        /// How many reads can run at once. Connections beyond `readers` are closed after their read, unless reads wait
        /// for the disk: then they stay until they wait no more.
        public var mostReaders = 24
        /// How long one read may take before it ends with `DatabaseError.tooSlow`; while reads wait for the disk, eight
        /// times as long.
        public var readLimit: Duration = .milliseconds(250)
        /// The same for `readSlowly`.
        public var slowReadLimit: Duration = .seconds(60)
        /// How many writes may wait before the next is refused with `DatabaseError.busy`.
        public var writeQueue = 1_024
        /// How many slow reads may wait before the next is refused with `DatabaseError.busy`.
        public var slowReadQueue = 16
        /// How long to wait for a read connection, or for a file that another process holds.
        public var busyTimeout: Duration = .seconds(5)
        /// How much of the file each connection keeps in memory, in KiB; those for a slow spell a quarter of it.
        public var pageCache = 16_000
        /// Whether a file that isn't there, or holds nothing yet, is filled. Where there was data before it is
        /// `DatabaseError.missing` instead: nobody's data is begun anew by mistake.
        public var mayBegin = true
        /// Whether `recordedStatements` is kept, for tests.
        public var recordsStatements = false
        /// Whether what is deleted is overwritten. A test turns it off to see what stays.
        var overwritesDeleted = true
        /// How long one statement of a write may take on a server, or wait for a row.
        public var writeLimit: Duration = .seconds(5)
        /// How long writes may share one transaction on a server: no node keeps the others waiting for longer.
        public var groupTime: Duration = .milliseconds(20)
        /// How long a server lets a transaction stay open without a word: a program that stopped in the middle of a
        /// write keeps the others waiting for no longer.
        public var idleLimit: Duration = .seconds(2)
        /// How often a server is asked whether another program wrote; nil for only when `look` is called.
        public var lookPeriod: Duration?
        /// The clock the limits are measured with.
        var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }

        public init() {}
    }

    let writer: Writer?
    /// Nil for a database that is only read.
    private let vigil: FileVigil?
    let readers: ReadPool
    let slowReader: SlowReader
    private let mark: ThreadMark
    private let isClosed = Atomic<Bool>(false)
    private let dataVersion = DataVersion()
    /// Of a server's database that is written to.
    private let watch: Watch?
    private let ledger: StatementLedger?
    /// What keeps the data: `SQLite`, `3.40.1`.
    public let engine: (name: String, version: String)
    private let source: Source

    /// Where the data is.
    private enum Source {
        /// With the session that reads slowly, which copies it.
        case file(String, SQLiteSession)
        case server(Copying.Origin)
    }

    /// Opens the file at `path` as its owner, makes it if it isn't there, and carries out the `migrations` it lacks,
    /// each in a transaction of its own.
    ///
    /// - Parameter application: The number the file carries as a sign of whose it is; 0 for none, and then it isn't
    ///   looked at.
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
        if let (migrations, application) = schema {
            let lock = try FileLock(at: path + ".lock")
            // Before anything is written: a file of somebody else's stays as it is.
            if application != 0, try Self.isBlank(path, application), !options.mayBegin {
                throw DatabaseError.missing("\(path) is empty or gone, and there was data before")
            }
            let session = try SQLiteSession(at: path, readOnly: false, options: options, ledger: ledger)
            try session.perform { try session.migrate(migrations, application: application) }
            let vigil = FileVigil(over: path)
            self.vigil = vigil
            writer = Writer(
                session, lock: lock, mark: mark, vigil: vigil, version: dataVersion, queueLimit: options.writeQueue)
        } else {
            writer = nil
            vigil = nil
        }
        // After the writer: it makes the file and its log, which a reader can't.
        @Sendable func reader(_ limit: Duration, isExtra: Bool = false) throws -> SQLiteSession {
            try SQLiteSession(
                at: path, readOnly: true, options: options, limit: ReadLimit(limit, now: options.now), ledger: ledger,
                isExtra: isExtra)
        }
        readers = try ReadPool(options) { [vigil] isExtra in
            // Never one of a file that took this one's place.
            try vigil?.look()
            let session = try reader(options.readLimit, isExtra: isExtra)
            try vigil?.look()
            return session
        }
        let slow = try reader(options.slowReadLimit)
        source = .file(path, slow)
        slowReader = SlowReader(slow, mark: mark, queueLimit: options.slowReadQueue)
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

    /// Carries out the `migrations` that a database of a PostgreSQL server lacks, as the owner of its tables. Programs
    /// that do so at once wait for each other.
    ///
    /// - Throws: `DatabaseError.away` where nobody answers, `.migrationEdited`, `.migrationFailed`,
    ///   `.olderThanProgram`, `.newerThanProgram`, `.unsuitable`.
    public static func migrate(_ server: Server, _ migrations: [Migration], options: Options = Options()) throws {
        let session = try PostgreSQLSession(server, .unlimited, options, ledger: nil)
        defer { session.close() }
        try session.perform { try session.migrate(migrations) }
    }

    /// Opens a database of a PostgreSQL server, which must have all the `migrations`.
    ///
    /// - Parameters:
    ///   - application: The number that backups carry, which are files.
    ///   - isReadOnly: Whether it is only read: for command-line tools.
    /// - Throws: `DatabaseError.away` where nobody answers, `.locked` while a town is moved there, `.notMigrated`,
    ///   `.migrationEdited`, `.olderThanProgram`, `.newerThanProgram`, `.unsuitable`.
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
        // Connecting takes longer than most reads.
        pool.readers = options.readers ?? 8
        readers = try ReadPool(pool) { isExtra in try session(.reader(options.readLimit), isExtra: isExtra) }
        slowReader = SlowReader(
            try session(.reader(options.slowReadLimit)), mark: mark, queueLimit: options.slowReadQueue)
    }

    /// Waits for what runs and is queued, and closes the file: then another process may open it. Everything asked of it
    /// later throws `DatabaseError.closed`. Not to be called inside a closure of this database, which it would wait
    /// for.
    public func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        watch?.close()
        slowReader.close()
        readers.close()
        // Last, so that it can move the log into the file.
        writer?.close()
    }

    /// Reads, in place: `body` runs at once on the caller's thread, with a connection of the pool. All it reads is of
    /// one moment, and is over in `Options.readLimit`.
    ///
    /// - Throws: what `body` throws; `DatabaseError.tooSlow`, `.busy`, `.nested`, `.closed`.
    @inlinable public func read<T>(_ body: (Connection) throws -> T) throws -> T {
        var result: T?
        try readInPlace { db in result = try body(db) }
        return result!
    }

    /// `read` without a type parameter, which would cost more than the rest of it across the border of the module.
    @usableFromInline func readInPlace(_ body: (Connection) throws -> Void) throws {
        try requireData()
        try mark.enter()
        defer { mark.leave() }
        try readers.withSession { session in try session.read(body) }
    }

    /// Whether most reads wait at this time, for the disk or for a server: a caller that has threads to spare reads
    /// there.
    public var readsWait: Bool { isOnServer || readers.isWaiting }

    private var isOnServer: Bool { if case .server = source { true } else { false } }

    /// Reads on a thread of its own, one read after the other, each over in `Options.slowReadLimit`: for exports and
    /// the lists of the staff.
    ///
    /// - Throws: what `body` throws; `DatabaseError.tooSlow`, `.busy` when too many wait, `.closed`.
    public func readSlowly<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try requireData()
        let body = StatementLedger.carried(body)
        return try await slowReader.run { session in try session.read(body) }
    }

    /// Writes: `body` runs on the writer's thread, in a transaction that is stored whole or not at all. When this
    /// returns, it is on the disk.
    ///
    /// Writes that wait together share one transaction and one fsync; an error of one undoes that one alone. In the
    /// rare case that another's full disk undoes them all, `body` is run a second time: so it must have no effect but
    /// its changes. Once handed in, a write is carried out even if the task is canceled.
    ///
    /// - Parameter quiet: whether `version` stays as it is, for changes no page shows (a session's last use).
    /// - Throws: what `body` throws, then nothing of it is stored; `DatabaseError.busy` when too many wait, `.full`,
    ///   `.disk`, `.readOnly`, `.lost`, `.closed`.
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

    /// Fails at once where it is known that there is no data to be had.
    private func requireData() throws {
        try vigil?.requireFiles()
        try watch?.requireServer()
    }

    /// Rises with every commit that changed rows, unless the write was quiet: what was made at one version and found at
    /// the same is still right. Starts at 0 with each opening.
    ///
    /// Commits of other programs to the same database of a server are found by looking: ten times a second.
    public var version: Int { dataVersion.count }

    // MARK: Other programs

    /// Whether other programs may write to the same database, of a server, at the same time.
    public var isShared: Bool { watch != nil }

    /// Whether it is known what others wrote until a second ago: without that, what was kept may be old.
    public var isCurrent: Bool { watch?.isCurrent ?? true }

    /// How a server's database was when it was asked last; nil for a file.
    public var standing: Standing? { watch?.standing }

    /// Asks the server at once whether another program wrote, and how it is. Does nothing for a file.
    ///
    /// - Throws: `DatabaseError.away`, and what else the server says.
    public func look() throws { try watch?.look() }

    /// Looks for what others write from now on.
    ///
    /// - Parameter hear: Called on a thread of its own after anything was written, before `version` rises for what
    ///   others wrote. It tells whether something changed that isn't read each time: then `version` rises too.
    public func follow(_ hear: @escaping @Sendable () throws -> Bool) { watch?.follow(hear) }

    /// A secret that all programs share which use the same database of a server: the first one's. It is no row of the
    /// data, and in none of its copies.
    ///
    /// - Parameter own: What it is if there is none yet.
    public func shared(_ name: String, or own: String) throws -> String {
        guard case .server = source, let writer else { return own }
        let question: SQL = "SELECT value FROM village_secret WHERE name = \(name)"
        // Without a turn: another one may be at its first long write.
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

    /// How many statements ran, each as often as it did, if `Options.recordsStatements` is set.
    public var recordedRuns: Int { ledger?.total ?? 0 }

    /// Runs `body` without recording its statements: those of a test itself.
    public static func unrecorded<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
    ) async rethrows -> T {
        try await StatementLedger.$isOff.withValue(true, operation: body, isolation: isolation)
    }

    /// The same for a body that doesn't wait.
    public static func unrecorded<T>(_ body: () throws -> T) rethrows -> T {
        try StatementLedger.$isOff.withValue(true, operation: body)
    }

    /// How the database means to find the rows of `sql`: the lines of `EXPLAIN QUERY PLAN`.
    public func explain(_ sql: SQL) throws -> [String] {
        try read { db in try db.explain(sql) }
    }

    // MARK: The files

    /// Whether the files were deleted, replaced or emptied while they were open. What was seen once stays so.
    public var isLost: Bool { vigil?.hasLost ?? false }

    /// Looks whether the files are still those that were opened. Costs two questions to the system; every commit asks
    /// them too.
    ///
    /// - Throws: `DatabaseError.lost` if they aren't.
    public func lookAtFiles() throws {
        // The code that closed it may do what it likes with the files.
        guard !isClosed.load(ordering: .acquiring) else { return }
        try vigil?.look()
    }

    /// Moves the log into the file and empties it, if rows changed since: what was erased is then in neither.
    ///
    /// - Returns: whether the log is empty. It isn't while somebody still reads from it: try again soon.
    /// - Throws: `DatabaseError.full`, `.disk`, `.closed`.
    public func emptyLog() async throws -> Bool {
        guard let writer else { throw DatabaseError.readOnly }
        return try await writer.emptyLog()
    }

    /// Copies the database, as it is at this moment, into a new file at `path`, and checks the copy. Writes go on.
    ///
    /// The file has its name only once it is whole, checked and on the disk. What was lost while it was open can still
    /// be copied.
    ///
    /// - Throws: `DatabaseError.unopenable` if there is something at `path` or it can't be made, `.corrupt` if the copy
    ///   is not sound, `.full`, `.disk`.
    public func backup(to path: String) async throws {
        switch source {
        case .file(_, let session):
            try await slowReader.run { _ in try Self.keep(at: path, session.copy) }
        case .server(let origin):
            // With a connection of its own, on a thread of its own: a large one takes minutes.
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                DispatchQueue.global(qos: .utility).async {
                    continuation.resume(
                        with: Result { try Self.keep(at: path) { try Copying.write(origin, to: $0) } })
                }
            }
        }
    }

    /// Has `make` write a file of SQLite, which gets the name `path` once it is whole and checked.
    private static func keep(at path: String, _ make: (_ path: String) throws -> Void) throws {
        let partial = try NewFile(at: path)
        try make(partial.path)
        let copy = try SQLiteSession(at: partial.path, readOnly: true, options: Options())
        defer { copy.close() }
        let problems = try copy.perform { try copy.problems() }
        guard problems.isEmpty else { throw DatabaseError.corrupt(problems.joined(separator: "; ")) }
        try partial.keep()
    }

    /// Makes sure that the file at `path` holds a program's data with all its tables. Looks at no row: `check` does.
    ///
    /// - Parameter isStrange: Whether the file comes from elsewhere: then it may hold nothing more either, such as a
    ///   trigger that would run with the program's own writes.
    /// - Throws: `DatabaseError.foreign` if it is empty, another program's, lacks a table or has one too many;
    ///   `.olderThanProgram`, `.newerThanProgram`, `.migrationEdited`, `.unopenable` if there is none, `.corrupt` if it
    ///   is no database.
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

    /// Whether nothing was ever stored in the file at `path`.
    ///
    /// - Throws: `DatabaseError.foreign` if something else is in it; `.missing` if all there is is a log.
    private static func isBlank(_ path: String, _ application: Int32) throws -> Bool {
        guard (fileSize(at: path) ?? 0) == 0 else {
            let session = try SQLiteSession(at: path, readOnly: true, options: Options())
            defer { session.close() }
            return try session.perform { try session.isBlank(path, application) }
        }
        // SQLite would throw the log away.
        guard (fileSize(at: path + "-wal") ?? 0) == 0 else {
            throw DatabaseError.missing("\(path) is empty or gone, and its log is there")
        }
        return true
    }

    /// How many bytes it takes on the disk, as far as that is known.
    public var size: Int64? {
        if case .file(let path, _) = source {
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

    /// Whether the engine has the fault of SQLite that `check` warns of.
    public var hasWALResetBug: Bool { !isOnServer && SQLiteVersion.inUse.hasWALResetBug }

    /// What `check` found.
    public struct Report: Sendable {
        /// What is wrong with the data; empty if it is sound.
        public let problems: [String]
        /// What an operator should know.
        public let warnings: [String]
        /// What else is worth knowing.
        public let facts: [String]
    }

    /// Looks through the whole file for damage and for references to nothing. Takes seconds for a large one.
    public func check() async throws -> Report {
        try await slowReader.run { session in
            let (facts, warnings) = try session.facts()
            return Report(problems: try session.problems(), warnings: warnings, facts: facts)
        }
    }
}
