import Synchronization

/// The data of the site: one file that this process owns, many readers, one writer.
///
/// ```swift
/// let event = try database.read { db in try Event.find(id, in: db) }
/// let id = try await database.write { db in try Event.insert(form, in: db) }
/// ```
public final class Database: Sendable {
    /// What may be set when a database is opened.
    public struct Options: Sendable {
        /// How many reads can run at once; nil for one more than there are cores, at most 8.
        public var readers: Int?
        /// How long one read may take before it ends with `DatabaseError.tooSlow`.
        public var readLimit: Duration = .milliseconds(250)
        /// The same for `readSlowly`.
        public var slowReadLimit: Duration = .seconds(60)
        /// How many writes may wait before the next is refused with `DatabaseError.busy`.
        public var writeQueue = 1_024
        /// How many slow reads may wait before the next is refused with `DatabaseError.busy`.
        public var slowReadQueue = 16
        /// How long to wait for a read connection, or for a file that another process holds.
        public var busyTimeout: Duration = .seconds(5)
        /// How much of the file each connection keeps in memory, in KiB.
        public var pageCache = 4_000
        /// Whether `recordedStatements` is kept, for tests.
        public var recordsStatements = false
        /// The clock the limits are measured with.
        var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }

        public init() {}
    }

    let writer: Writer?
    let readers: ReadPool
    let slowReader: SlowReader
    private let mark = ThreadMark()
    private let isClosed = Atomic<Bool>(false)
    private let ledger: StatementLedger?

    /// Opens the file at `path` as its owner, makes it if it isn't there, and carries out the `migrations` it lacks, each
    /// in a transaction of its own.
    ///
    /// - Throws: `DatabaseError.locked` if another process owns it, `.migrationEdited`, `.migrationFailed`,
    ///   `.newerThanProgram`, `.unopenable`, `.corrupt`.
    public convenience init(at path: String, migrations: [Migration], options: Options = Options()) throws {
        try self.init(path, migrations, options)
    }

    /// Opens the file at `path` for reading only, whether or not another process owns it: for command-line tools.
    ///
    /// - Throws: `DatabaseError.unopenable` if there is no such file.
    public convenience init(reading path: String, options: Options = Options()) throws {
        try self.init(path, nil, options)
    }

    private init(_ path: String, _ migrations: [Migration]?, _ options: Options) throws {
        let ledger = options.recordsStatements ? StatementLedger() : nil
        self.ledger = ledger
        if let migrations {
            let lock = try FileLock(at: path + ".lock")
            let session = try SQLiteSession(at: path, readOnly: false, options: options, ledger: ledger)
            try session.perform { try session.migrate(migrations) }
            writer = Writer(session, lock: lock, mark: mark, queueLimit: options.writeQueue)
        } else {
            writer = nil
        }
        // After the writer: it makes the file and its log, which a reader can't.
        func reader(_ limit: Duration) throws -> SQLiteSession {
            try SQLiteSession(
                at: path, readOnly: true, options: options, limit: ReadLimit(limit, now: options.now), ledger: ledger)
        }
        let count = max(options.readers ?? min(SQLiteSession.coreCount + 1, 8), 1)
        let sessions = try (0..<count).map { _ in try reader(options.readLimit) }
        readers = ReadPool(sessions, patience: options.busyTimeout)
        slowReader = SlowReader(try reader(options.slowReadLimit), mark: mark, queueLimit: options.slowReadQueue)
    }

    /// Waits for what runs and is queued, and closes the file: then another process may open it. Everything asked of it
    /// later throws `DatabaseError.closed`. Not to be called inside a closure of this database, which it would wait for.
    public func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        slowReader.close()
        readers.close()
        // Last, so that it can move the log into the file.
        writer?.close()
    }

    /// Reads, in place: `body` runs at once on the caller's thread, with a connection of the pool. All it reads is of one
    /// moment, and is over in `Options.readLimit`.
    ///
    /// - Throws: what `body` throws; `DatabaseError.tooSlow`, `.busy`, `.nested`, `.closed`.
    @inlinable public func read<T>(_ body: (Connection) throws -> T) throws -> T {
        var result: T?
        try readInPlace { db in result = try body(db) }
        return result!
    }

    /// `read` without a type parameter, which would cost more than the rest of it across the border of the module.
    @usableFromInline func readInPlace(_ body: (Connection) throws -> Void) throws {
        try mark.enter()
        defer { mark.leave() }
        try readers.withSession { session in try session.read(body) }
    }

    /// Reads on a thread of its own, one read after the other, each over in `Options.slowReadLimit`: for exports and the
    /// lists of the staff.
    ///
    /// - Throws: what `body` throws; `DatabaseError.tooSlow`, `.busy` when too many wait, `.closed`.
    public func readSlowly<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await slowReader.run { session in try session.read(body) }
    }

    /// Writes: `body` runs on the writer's thread, in a transaction that is stored whole or not at all. When this returns,
    /// it is on the disk.
    ///
    /// Writes that wait together share one transaction and one fsync; an error of one undoes that one alone. In the rare
    /// case that another's full disk undoes them all, `body` is run a second time: so it must have no effect but its
    /// changes. Once handed in, a write is carried out even if the task is cancelled.
    ///
    /// - Parameter quiet: whether `version` stays as it is, for changes no page shows (a session's last use).
    /// - Throws: what `body` throws, then nothing of it is stored; `DatabaseError.busy` when too many wait, `.full`,
    ///   `.disk`, `.readOnly`, `.closed`.
    @discardableResult public func write<T: Sendable>(
        quiet: Bool = false, _ body: @escaping @Sendable (Connection) throws -> T
    ) async throws -> T {
        guard let writer else { throw DatabaseError.readOnly }
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

    /// Rises with every commit that changed rows, unless the write was quiet: what was made at one version and found at
    /// the same is still right. Starts at 0 with each opening.
    public var version: Int { writer?.version ?? 0 }

    /// Every distinct statement that ran, if `Options.recordsStatements` is set. For a test that explains them all.
    public var recordedStatements: [SQL] { ledger?.statements ?? [] }

    /// How the database means to find the rows of `sql`: the lines of `EXPLAIN QUERY PLAN`.
    public func explain(_ sql: SQL) throws -> [String] {
        try read { db in try db.explain(sql) }
    }

    /// Copies the database, as it is at this moment, into a new file at `path`, and checks the copy. Writes go on.
    ///
    /// The file has its name only once it is whole, checked and on the disk.
    ///
    /// - Throws: `DatabaseError.unopenable` if there is something at `path` or it can't be made, `.corrupt` if the copy is
    ///   not sound, `.full`, `.disk`.
    public func backup(to path: String) async throws {
        try await slowReader.run { session in
            let partial = try NewFile(at: path)
            try session.copy(to: partial.path)
            let copy = try SQLiteSession(at: partial.path, readOnly: true, options: Options())
            defer { copy.close() }
            let problems = try copy.perform { try copy.problems() }
            guard problems.isEmpty else { throw DatabaseError.corrupt(problems.joined(separator: "; ")) }
            try partial.keep()
        }
    }

    /// Puts a checked copy of the database in `file`, brought up to date, in the place of the one at `path`. What was
    /// there is kept as `old`.
    ///
    /// The last step is a rename: a power cut leaves the one or the other, whole.
    ///
    /// - Throws: `DatabaseError.locked` while another process owns the one at `path`, `.unopenable` if there is no such
    ///   file or something has the name `old`, `.corrupt` if the copy is not sound, `.newerThanProgram`,
    ///   `.migrationFailed`, `.full`, `.disk`.
    public static func restore(
        _ file: String, to path: String, keeping old: String, migrations: [Migration]
    ) async throws {
        let lock = try FileLock(at: path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        let fresh = try ReplacingFile(at: path, keeping: old)
        let source = try Database(reading: file)
        defer { source.close() }
        try await source.backup(to: fresh.path)
        try Database(at: fresh.path, migrations: migrations).close()
        // Moves what the log holds into the old file, if there is one and it can be read at all.
        if fresh.replacesAnother { try? SQLiteSession(at: path, readOnly: false, options: Options()).close() }
        try fresh.replace()
    }

    /// What `check` found.
    public struct Report: Sendable {
        /// What is wrong with the data; empty if it is sound.
        public let problems: [String]
        /// What an operator should know.
        public let warnings: [String]
        /// The version of the SQLite library: `3.40.1`.
        public let sqliteVersion: String
    }

    /// Looks through the whole file for damage and for references to nothing. Takes seconds for a large one.
    public func check() async throws -> Report {
        try await slowReader.run { session in
            let version = SQLiteVersion.inUse
            return Report(
                problems: try session.problems(),
                warnings: version.hasWALResetBug ? [version.warning] : [],
                sqliteVersion: version.description)
        }
    }
}
