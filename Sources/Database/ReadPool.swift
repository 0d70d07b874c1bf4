import Dispatch
import Synchronization

/// The open read sessions. Each is lent to one thread at a time, the most recently used first, because its pages and
/// statements are warm. One is opened when all are lent, up to a limit, so that reads that wait for the disk don't
/// block reads from memory.
final class ReadPool: Sendable {
    private struct State {
        var idle: [any Session]
        /// How many of the open ones stay open.
        var lasting: Int
        var isClosed = false
    }

    private let permits: DispatchSemaphore
    private let state: Mutex<State>
    private let kept: Int
    private let most: Int
    private let patience: DispatchTimeInterval
    private let open: @Sendable (_ isExtra: Bool) throws -> any Session
    let gauge = WaitGauge()

    /// - Parameters:
    ///   - options: How many sessions stay open, and how many there are at most: extra ones stay as long as reads wait.
    ///   - first: The sessions that are open already.
    ///   - open: Opens another one.
    init(
        _ options: Database.Options, first: [any Session],
        open: @escaping @Sendable (_ isExtra: Bool) throws -> any Session
    ) {
        kept = max(options.readers ?? min(SQLiteSession.coreCount + 1, 8), 1)
        most = max(kept, options.mostReaders)
        permits = DispatchSemaphore(value: most)
        state = Mutex(State(idle: first, lasting: first.count))
        patience = .milliseconds(Int(options.busyTimeout / .milliseconds(1)))
        self.open = open
    }

    /// How many times as long a read may take that waits for something other than itself.
    static let patience = 8

    /// How many sessions are open and not lent.
    var idleCount: Int { state.withLock(\.idle.count) }

    /// Whether most reads wait for the disk.
    var isWaiting: Bool { gauge.isWaiting }

    /// Runs `body` with an idle session, in place; waits for one if all are lent.
    ///
    /// - Throws: `DatabaseError.busy` after waiting in vain, `.closed` after `close`; what opening another session
    ///   throws.
    func withSession(_ body: (any Session) throws -> Void) throws {
        guard permits.wait(timeout: .now() + patience) == .success else { throw DatabaseError.busy }
        defer { permits.signal() }
        let session = try takeSession()
        defer { giveBack(session) }
        session.limit?.patience = isWaiting ? Self.patience : 1
        let waits = session.waits
        defer { gauge.note(hasWaited: session.waits != waits) }
        try session.perform { () throws -> Void in try body(session) }
    }

    private func takeSession() throws -> any Session {
        let (idle, isExtra) = try state.withLock { state throws(DatabaseError) -> ((any Session)?, Bool) in
            guard !state.isClosed else { throw DatabaseError.closed }
            if let session = state.idle.popLast() { return (session, session.isExtra) }
            guard state.lasting < kept else { return (nil, true) }
            state.lasting += 1
            return (nil, false)
        }
        if let idle { return idle }
        do {
            return try open(isExtra)
        } catch {
            if !isExtra { state.withLock { $0.lasting -= 1 } }
            throw error
        }
    }

    private func giveBack(_ session: any Session) {
        let gone: [any Session] = state.withLock { state in
            guard !state.isClosed else { return [session] }
            state.idle.append(session)
            // While as many run as normally stay open, the extra ones stay too, because opening one is expensive.
            guard !isWaiting, state.idle.count > kept else { return [] }
            let extra = state.idle.filter(\.isExtra)
            state.idle.removeAll(where: \.isExtra)
            return extra
        }
        for session in gone { session.close() }
    }

    /// Waits for the running reads, and closes the pool.
    func close() {
        for _ in 0..<most { permits.wait() }
        let sessions = state.withLock { state in
            defer { (state.idle, state.isClosed) = ([], true) }
            return state.idle
        }
        for session in sessions { session.close() }
        for _ in 0..<most { permits.signal() }
    }
}

/// The session for long reads, on its own thread, so that they never delay a page.
final class SlowReader: Sendable {
    private struct State {
        var session: (any Session)?
        var waiting = 0
        var isClosed = false
    }

    private let queue = DispatchQueue(label: "village.database.slow")
    private let mark: ThreadMark
    private let queueLimit: Int
    private let state = Mutex(State())
    private let open: @Sendable () throws -> any Session

    /// Begins to open the session, on its own thread, so that the start doesn't wait for it.
    ///
    /// - Parameter open: Opens it. If that fails, the next read tries again.
    init(mark: ThreadMark, queueLimit: Int, open: @escaping @Sendable () throws -> any Session) {
        self.mark = mark
        self.queueLimit = queueLimit
        self.open = open
        queue.async { _ = try? self.session() }
    }

    /// How many reads are waiting.
    var waiting: Int { state.withLock { $0.waiting } }

    /// Runs `body` after the reads that are already waiting.
    ///
    /// - Throws: What `body` throws; `DatabaseError.busy` when too many wait, `.closed` after `close`; what opening the
    ///   session throws.
    func run<T: Sendable>(_ body: @escaping @Sendable (any Session) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try submit { continuation.resume(with: Result { try self.attempt(body) }) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    private func submit(_ work: @escaping @Sendable () -> Void) throws {
        try state.withLock { state in
            guard !state.isClosed else { throw DatabaseError.closed }
            guard state.waiting < queueLimit else { throw DatabaseError.busy }
            state.waiting += 1
            queue.async {
                self.state.withLock { $0.waiting -= 1 }
                work()
            }
        }
    }

    /// The session, opened if it isn't. Only called on its own thread.
    private func session() throws -> any Session {
        if let session = state.withLock(\.session) { return session }
        let session = try open()
        state.withLock { $0.session = session }
        return session
    }

    private func attempt<T>(_ body: (any Session) throws -> T) throws -> T {
        try mark.enter()
        defer { mark.leave() }
        let session = try session()
        return try session.perform { try body(session) }
    }

    /// Waits for running and waiting reads, and closes the session.
    func close() {
        state.withLock { $0.isClosed = true }
        queue.sync { state.withLock(\.session)?.close() }
    }
}
