import CPostgreSQL
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One open connection to a PostgreSQL server, with its prepared statements.
///
/// It uses libpq's pipeline mode (<https://www.postgresql.org/docs/15/libpq-pipeline-mode.html>): `BEGIN` and
/// `SAVEPOINT` are sent with the statement after them, in one round trip. One thread at a time uses it: everything runs
/// inside `perform` or `later`. (Hence unchecked.)
final class PostgreSQLSession: Session, @unchecked Sendable {
    /// What the session is used for.
    enum Role: Sendable {
        case writer
        /// Changes the schema or copies all of it, without a time limit.
        case unlimited
        /// With a time limit for each statement.
        case reader(Duration)
    }

    let limit: ReadLimit?
    let isExtra: Bool
    let waits = 0
    let groupTime: Duration?
    private(set) var totalChanges = 0
    let server: Database.Server
    private let role: Role
    private let options: Database.Options
    private let ledger: StatementLedger?
    private let queue: DispatchQueue
    private(set) var connection: OpaquePointer?
    /// Sent with the next statement: `BEGIN`, `SAVEPOINT member`.
    private var pending: [String] = []
    /// Whether the next statement belongs to no transaction.
    private var isAlone = false
    /// Whether the answer to the last read's `COMMIT` must still be fetched.
    private var owesAnswer = false
    /// The server's transaction ID, which tells after a lost connection whether the transaction was stored.
    private var transaction: String?
    private var statements: [Key: Prepared] = [:]
    /// Whether the schema changed under a prepared statement; the next transaction then reconnects.
    private var isStale = false
    private var uses = 0
    private var names = 0
    /// The number of the turn that this session writes in, or last wrote in.
    private(set) var turn: Int64?

    /// The key of a prepared statement: `SQL.serverKey`, and the types of its arguments.
    struct Key: Hashable {
        let text: String
        let types: [Oid]
    }

    /// A statement that is prepared on the server.
    private final class Prepared {
        let name: String
        /// When it was last used, on the clock of its session.
        var lastUse: Int

        init(name: String, lastUse: Int) {
            self.name = name
            self.lastUse = lastUse
        }
    }

    /// How many statements a session keeps prepared.
    static let statementLimit = 256

    /// Connects.
    ///
    /// - Throws: `DatabaseError.away`, `.unsuitable`; `.locked` if it is a writer and a town is being moved there.
    init(
        _ server: Database.Server, _ role: Role, _ options: Database.Options, ledger: StatementLedger?,
        isExtra: Bool = false
    ) throws {
        self.server = server
        self.role = role
        self.options = options
        self.ledger = ledger
        self.isExtra = isExtra
        switch role {
        case .writer, .unlimited:
            limit = nil
            groupTime = options.groupTime
            queue = DispatchQueue(label: "village.database.writer")
        case .reader(let duration):
            limit = ReadLimit(duration, now: options.now)
            groupTime = nil
            queue = DispatchQueue(label: "village.database.reader")
        }
        try perform { try connect() }
    }

    deinit { PQfinish(connection) }

    func perform(_ body: () throws -> Void) rethrows {
        try queue.sync { try body() }
    }

    func later(_ body: @escaping @Sendable () -> Void) {
        queue.async { body() }
    }

    func close() {
        perform { () -> Void in hangUp() }
    }

    // MARK: The connection

    private func connect() throws {
        hangUp()
        // The address is expanded in the place of `dbname`: it overrides the settings before it and is overridden by
        // those after it.
        let settings = [
            ("application_name", "village"), ("connect_timeout", "5"), ("target_session_attrs", target),
            // A silent server counts as away after about ten seconds.
            ("tcp_user_timeout", "10000"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
            ("keepalives_count", "3"), ("dbname", server.address), ("client_encoding", "UTF8"),
        ]
        let (keywords, values) = (settings.map(\.0), settings.map(\.1))
        connection = Self.withCStrings(keywords) { keywords in
            Self.withCStrings(values) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard PQstatus(connection) == CONNECTION_OK else { throw away() }
        village_pg_silence(connection)
        try script(
            """
            SET timezone = 'UTC';
            -- For reports of minutes: a page's statement would take longer to compile than to run.
            SET jit = off;
            -- A page's statements find few rows by an index. To plan them for each value takes longer than to run them.
            SET plan_cache_mode = force_generic_plan;
            SET search_path = \(server.schema);
            SET statement_timeout = \(milliseconds(timeLimit));
            SET lock_timeout = \(milliseconds(timeLimit.map { $0 * 0.8 }));
            SET idle_in_transaction_session_timeout = \(milliseconds(idleLimit));
            -- The server's side of the connection, too: it keeps the lock of one that it takes for alive.
            SET tcp_keepalives_idle = 5;
            SET tcp_keepalives_interval = 2;
            SET tcp_keepalives_count = 3;
            SET tcp_user_timeout = 10000;
            SELECT set_config('synchronous_commit', 'on', FALSE)
            WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write');
            """)
        if case .writer = role { try takeLock() }
        guard PQenterPipelineMode(connection) == 1 else { throw away() }
    }

    /// The first half of the program's advisory lock keys: "Vlge".
    static let lock = 0x566c_6765

    /// Of several servers, the one that takes writes: a standby may lack the newest data. For a copy any will do.
    private var target: String { if case .unlimited = role { "any" } else { "read-write" } }

    /// Prevents a town from being moved here: all writers share the lock. The server releases it when it notices that
    /// the connection ended, which may take a while.
    private func takeLock() throws {
        let last = ContinuousClock.now + options.busyTimeout
        while true {
            let question = "SELECT pg_try_advisory_lock_shared(\(Self.lock), hashtext('\(server.schema)'))"
            if try ask(question).text(row: 0, column: 0) == "t" { break }
            guard ContinuousClock.now < last else {
                hangUp()
                throw DatabaseError.locked
            }
            usleep(50_000)
        }
    }

    /// How long a transaction may stay idle; nil for no limit.
    private var idleLimit: Duration? {
        switch role {
        case .unlimited: nil
        case .writer: options.idleLimit
        case .reader(let duration): max(duration, options.idleLimit)
        }
    }

    /// How long a statement may take; nil for no limit.
    private var timeLimit: Duration? {
        switch role {
        case .unlimited: nil
        case .writer: options.writeLimit
        case .reader(let duration): duration
        }
    }

    /// The duration in whole milliseconds, at least 1: to the server, 0 means no limit.
    private func milliseconds(_ duration: Duration?) -> Int {
        duration.map { max(1, Int($0 / .milliseconds(1))) } ?? 0
    }

    /// Ends the connection; the next transaction opens another.
    func hangUp() {
        PQfinish(connection)
        connection = nil
        pending = []
        statements = [:]
        isStale = false
        owesAnswer = false
        transaction = nil
    }

    private var isConnected: Bool { connection != nil && PQstatus(connection) == CONNECTION_OK }

    /// The error for a connection that was lost or couldn't be made.
    func away() -> DatabaseError {
        .away(DatabaseError.line(PQerrorMessage(connection)))
    }

    // MARK: Messages

    /// Something to send; several go in one round trip.
    enum Message {
        case run(String)
        case prepare(Key, name: String, text: String)
        case execute(name: String, [SQL.Value])
    }

    /// Sends the pending parts and then `messages`, and waits for the answers.
    ///
    /// - Returns: The answer to the last message.
    /// - Throws: The first error.
    @discardableResult func exchange(_ messages: [Message]) throws -> PostgreSQLResult {
        // If nothing of a transaction was sent yet, a lost connection can be replaced.
        let begins = isAlone || pending.first?.hasPrefix("BEGIN") ?? false
        let parts = pending
        do {
            return try exchangeOnce(messages)
        } catch DatabaseError.away where begins {
            try connect()
            // The new connection doesn't know the prepared statements of the lost one.
            pending = parts.filter { !$0.hasPrefix("DEALLOCATE") }
            if case .execute? = messages.first { throw Renewed() }
            return try exchangeOnce(messages)
        }
    }

    /// The connection is new and has no prepared statements.
    private struct Renewed: Error {}

    private func exchangeOnce(_ messages: [Message]) throws -> PostgreSQLResult {
        guard isConnected else { throw away() }
        try fetchOwed()
        let whole = pending.map { Message.run($0) } + messages
        pending = []
        // Otherwise the part that was sent would be answered later, in the place of another answer.
        for message in whole where !send(message) { throw lost() }
        guard PQpipelineSync(connection) == 1 else { throw lost() }
        var last: PostgreSQLResult?
        var failure: DatabaseError?
        for message in whole {
            // Each answer ends with a null result.
            while let result = PQgetResult(connection) {
                let answer = PostgreSQLResult(result)
                if let error = answer.failure {
                    failure = failure ?? error
                    isStale = isStale || answer.isOfOldPlan
                } else if case .prepare(let key, let name, _) = message, answer.status == PGRES_COMMAND_OK {
                    statements[key] = Prepared(name: name, lastUse: uses)
                }
                last = answer
            }
        }
        try fetchSync()
        if let failure { throw isConnected ? failure : lost() }
        guard let last else { throw lost() }
        return last
    }

    private func fetchSync() throws {
        guard let result = PQgetResult(connection) else { throw lost() }
        let answer = PostgreSQLResult(result)
        guard answer.status == PGRES_PIPELINE_SYNC else {
            hangUp()
            throw answer.failure ?? .away("the server answered something else")
        }
    }

    /// Closes a connection that is no longer usable, and returns the reason.
    private func lost() -> DatabaseError {
        let error = away()
        hangUp()
        return error
    }

    /// Fetches the answer to a `COMMIT` that wasn't waited for.
    private func fetchOwed() throws {
        guard owesAnswer else { return }
        owesAnswer = false
        while let result = PQgetResult(connection) { _ = PostgreSQLResult(result) }
        try fetchSync()
    }

    private func send(_ message: Message) -> Bool {
        switch message {
        case .run(let text): PQsendQueryParams(connection, text, 0, nil, nil, nil, nil, 1) == 1
        case .prepare(let key, let name, let text):
            PQsendPrepare(connection, name, text, Int32(key.types.count), key.types) == 1
        case .execute(let name, let arguments):
            PostgreSQLArguments(arguments).with { values, lengths, formats in
                PQsendQueryPrepared(connection, name, Int32(arguments.count), values, lengths, formats, 1) == 1
            }
        }
    }

    /// Runs any number of the engine's own statements, outside the pipeline.
    func script(_ text: String) throws { _ = try ask(text) }

    /// Runs statements, and returns the last answer.
    ///
    /// - Returns: The last answer, as text.
    private func ask(_ text: String) throws -> PostgreSQLResult {
        guard isConnected, let pointer = PQexec(connection, text) else { throw away() }
        let answer = PostgreSQLResult(pointer)
        if let failure = answer.failure { throw isConnected ? failure : away() }
        return answer
    }

    /// Runs the statements of a migration.
    func run(_ script: String) throws {
        try outsidePipeline { try self.script(script) }
    }

    /// Runs `body` with pipeline mode off.
    func outsidePipeline(_ body: () throws -> Void) throws {
        try fetchOwed()
        if !pending.isEmpty { try exchange([]) }
        guard PQexitPipelineMode(connection) == 1 else { throw away() }
        defer { PQenterPipelineMode(connection) }
        try body()
    }

    // MARK: Statements

    func each(_ sql: SQL, _ body: (inout Row) throws -> Bool) throws {
        try Self.each(of: try result(of: sql), body)
    }

    static func each(of result: PostgreSQLResult, _ body: (inout Row) throws -> Bool) throws {
        let count = result.columnCount
        for row in 0..<result.rowCount {
            var row = Row(of: .postgreSQL(result.pointer, row: row), count: count)
            guard try body(&row) else { break }
        }
        withExtendedLifetime(result) {}
    }

    func execute(_ sql: SQL) throws -> Int { try result(of: sql).changes }

    func insert(_ sql: SQL) throws -> Int64? {
        var key: Int64?
        try Self.each(of: try result(of: sql, .insert)) { row in
            key = try row.next()
            return false
        }
        return key
    }

    /// The plan by which it runs whatever its arguments are.
    func explain(_ sql: SQL) throws -> [String] {
        try refuseControl(in: sql.question)
        let arguments = sql.arguments(for: .postgreSQL)
        let key = Key(text: sql.serverKey, types: arguments.map(\.type))
        if statements[key] == nil {
            names += 1
            try exchange([.prepare(key, name: "s\(names)", text: sql.text(for: .postgreSQL))])
        }
        let values = arguments.map { _ in "NULL" }.joined(separator: ", ")
        let call = "EXPLAIN EXECUTE \(statements[key]?.name ?? "")\(values.isEmpty ? "" : "(\(values))")"
        var lines: [String] = []
        try Self.each(of: try exchange([.run(call)])) { row in
            lines.append(try row.next())
            return true
        }
        return lines
    }

    /// What the caller needs from a statement.
    private enum Purpose {
        case rows
        /// The key of the inserted row.
        case insert

        func text(_ text: String) -> String {
            switch self {
            case .rows: text
            case .insert: text + " RETURNING id"
            }
        }
    }

    /// Runs a statement, preparing it if necessary.
    private func result(of sql: SQL, _ purpose: Purpose = .rows) throws -> PostgreSQLResult {
        if let limit, limit.hasPassed { throw DatabaseError.tooSlow }
        let arguments = sql.arguments(for: .postgreSQL)
        guard arguments.count <= Int(UInt16.max) else {
            throw DatabaseError.statement("\(arguments.count) arguments are too many")
        }
        let key = Key(text: purpose.text(sql.serverKey), types: arguments.map(\.type))
        uses += 1
        ledger?.count()
        var result: PostgreSQLResult?
        if let known = statements[key] {
            known.lastUse = uses
            do {
                result = try exchange([.execute(name: known.name, arguments)])
            } catch is Renewed {}
        } else {
            try refuseControl(in: sql.question)
            ledger?.note(sql)
        }
        let answer = try result ?? prepare(purpose.text(sql.text(for: .postgreSQL)), key, arguments)
        totalChanges += answer.changes
        return answer
    }

    /// Prepares a statement, caches it under its `key`, and runs it.
    private func prepare(_ text: String, _ key: Key, _ arguments: [SQL.Value]) throws -> PostgreSQLResult {
        // In a failed transaction, DEALLOCATE isn't allowed.
        if statements.count >= Self.statementLimit, PQtransactionStatus(connection) != PQTRANS_INERROR,
            // A linear search costs less than preparing a statement.
            let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            statements[oldest.key] = nil
            pending.append("DEALLOCATE \(oldest.value.name)")
        }
        names += 1
        let name = "s\(names)"
        return try exchange([.prepare(key, name: name, text: text), .execute(name: name, arguments)])
    }

    // MARK: State

    /// How many statements are kept prepared.
    var statementCount: Int { statements.count }

    // MARK: Reading

    func read(_ body: (Connection) throws -> Void) throws {
        limit?.start()
        if isStale { try connect() }
        pending = ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"]
        defer { endRead() }
        try lend(body)
    }

    /// Asked before anything else, it begins no transaction: where all answers are kept, the page needs none. What is
    /// found after it may then be newer than this state, never older.
    func dataState() throws -> DataState? {
        let parts = pending
        (pending, isAlone) = ([], !parts.isEmpty)
        defer { (pending, isAlone) = (parts, false) }
        var state: DataState?
        try each(
            """
            SELECT version, CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000000 AS BIGINT) FROM village_turn
            """
        ) { row in
            state = DataState(version: try row.next(), serverStart: try row.next())
            return false
        }
        return state
    }

    /// Ends the transaction without waiting for the answer, which the session's next user fetches.
    private func endRead() {
        guard pending.isEmpty else {
            // Nothing was sent.
            pending = []
            return
        }
        guard isConnected, isInTransaction else { return }
        owesAnswer = send(.run("COMMIT")) && PQpipelineSync(connection) == 1
    }

    // MARK: Writing

    func begin() throws {
        if isStale || !isConnected { try connect() }
        pending = ["BEGIN"]
        let answer = try exchange([
            .run("UPDATE village_turn SET version = version RETURNING pg_current_xact_id()::text, version::text")
        ])
        transaction = answer.text(row: 0, column: 0)
        turn = answer.text(row: 0, column: 1).flatMap { Int64($0) }
    }

    private static let savepoint = "SAVEPOINT member"
    private static let undoing = "ROLLBACK TO member"

    func mark() throws { pending.append(Self.savepoint) }

    func undo() throws {
        // A statement that wasn't even sent needs no rollback.
        if let mark = pending.lastIndex(of: Self.savepoint) {
            pending.removeSubrange((mark + 1)...)
        } else {
            pending.append(Self.undoing)
        }
    }

    func unmark() throws { pending.append("RELEASE member") }

    func commit(isQuiet: Bool) throws {
        if !isQuiet { pending.append("UPDATE village_turn SET version = version + 1") }
        // A lost connection resets it.
        let transaction = transaction
        do {
            let result = try exchange([.run("COMMIT")])
            guard result.tag == "COMMIT" else { throw DatabaseError.rolledBack }
        } catch DatabaseError.away(let reason) {
            guard try wasStored(transaction) else { throw DatabaseError.away(reason) }
        }
        if !isQuiet { turn = turn.map { $0 + 1 } }
    }

    /// Asks the server on a new connection whether a transaction was stored whose commit got no answer.
    private func wasStored(_ transaction: String?) throws -> Bool {
        guard let transaction else { return false }
        // A restarting server needs a moment, as does a backend that is still committing.
        for attempt in 1...20 {
            do {
                if !isConnected { try connect() }
                let question: SQL = "SELECT pg_xact_status(CAST(CAST(\(transaction) AS TEXT) AS xid8))"
                switch try result(of: question).text(row: 0, column: 0) {
                case "committed": return true
                case "in progress": break
                default: return false
                }
            } catch DatabaseError.away where attempt < 20 {
            } catch DatabaseError.locked where attempt < 20 {}
            usleep(100_000)
        }
        return false
    }

    func rollBack() {
        pending = []
        guard isConnected, isInTransaction else { return }
        _ = try? exchange([.run("ROLLBACK")])
    }

    var isInTransaction: Bool {
        [PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE].contains(PQtransactionStatus(connection))
    }

    var isSound: Bool {
        let status = PQtransactionStatus(connection)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR && pending.contains(Self.undoing)
    }

    /// The server's version: `15.18`.
    var version: String {
        let version = PQparameterStatus(connection, "server_version").map { String(cString: $0) } ?? ""
        return String(version.prefix { $0 != " " })
    }

    func emptyLog() throws -> Bool { true }

    func facts() throws -> (facts: [String], warnings: [String]) {
        try read { db in
            let isOwner: Bool? = try db.value(
                """
                SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = CAST('village_turn' AS regclass)
                """)
            // Values the role may not see are NULL.
            let (standbys, unknown): (Int, Int) =
                try db.first(
                    """
                    SELECT count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')),
                        count(*) FILTER (WHERE sync_state IS NULL)
                    FROM pg_stat_replication
                    """
                ) { row in (try row.next(), try row.next()) } ?? (0, 0)
            let clock: Int64? = try db.value(
                "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)")
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            let ahead = Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000 - (clock ?? 0)
            var warnings: [String] = []
            if isOwner == true {
                warnings.append("The site's role owns the tables. Let another role own them, and migrate as that one.")
            }
            if standbys == 0, unknown == 0 {
                warnings.append("No standby takes part in each commit: a failover may lose what was stored last.")
            }
            if abs(ahead) >= 1_000 { warnings.append("The clocks of site and server are \(abs(ahead)) ms apart.") }
            let words = unknown == 0 ? "\(standbys)" : "not known: GRANT pg_read_all_stats"
            return (["texts sorted by bytes", "synchronous standbys: \(words)"], warnings)
        }
    }

    /// Damage known to the server itself; `pg_amcheck` checks every page.
    func problems() throws -> [String] {
        try read { db in
            try db.all(
                """
                SELECT 'the index ' || CAST(indexrelid::regclass AS TEXT) || ' is not valid' FROM pg_index
                WHERE NOT indisvalid
                UNION ALL
                SELECT 'the constraint ' || CAST(conname AS TEXT) || ' does not hold' FROM pg_constraint
                WHERE NOT convalidated
                UNION ALL
                SELECT CAST(checksum_failures AS TEXT) || ' pages could not be read' FROM pg_stat_database
                WHERE datname = current_database() AND checksum_failures > 0
                """
            ) { try $0.next() }
        }
    }

    private static func withCStrings<T>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) throws -> T
    ) rethrows -> T {
        var pointers = texts.map { UnsafePointer(strdup($0)) as UnsafePointer<CChar>? } + [nil]
        defer { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
        return try pointers.withUnsafeMutableBufferPointer { try body(UnsafePointer($0.baseAddress!)) }
    }
}
