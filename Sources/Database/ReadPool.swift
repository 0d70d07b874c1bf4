import Dispatch
import Synchronization

/// The open read sessions. Each is lent to one thread at a time, the most recently used first, because its pages and
/// statements are warm. If all are lent, more are opened, up to a limit, so that reads that wait for the disk don't
/// block reads from memory.
final class ReadPool: Sendable {
    private let permits: DispatchSemaphore
    private let idle: Mutex<[any Session]?>
    private let kept: Int
    private let most: Int
    private let patience: DispatchTimeInterval
    private let open: @Sendable (_ isExtra: Bool) throws -> any Session
    let gauge = WaitGauge()

    /// - Parameters:
    ///   - options: How many sessions stay open, and how many there are at most: extra ones stay as long as reads wait.
    /// - Throws: What `open` throws.
    init(_ options: Database.Options, open: @escaping @Sendable (_ isExtra: Bool) throws -> any Session) throws {
        let kept = max(options.readers ?? min(SQLiteSession.coreCount + 1, 8), 1)
        self.kept = kept
        most = max(kept, options.mostReaders)
        permits = DispatchSemaphore(value: most)
        idle = Mutex(try (0..<kept).map { _ in try open(false) })
        patience = .milliseconds(Int(options.busyTimeout / .milliseconds(1)))
        self.open = open
    }

    /// How many sessions are open and not lent.
    var idleCount: Int { idle.withLock { $0?.count ?? 0 } }

    /// Whether most reads wait for the disk.
    var isWaiting: Bool { gauge.isWaiting }

    /// Runs `body` with an idle session, in place; waits for one if all are lent.
    ///
    /// - Throws: `DatabaseError.busy` after waiting in vain, `.closed` after `close`; what opening another session
    ///   throws.
    func withSession(_ body: (any Session) throws -> Void) throws {
        guard permits.wait(timeout: .now() + patience) == .success else { throw DatabaseError.busy }
        defer { permits.signal() }
        let (isOpen, idleOne) = idle.withLock { sessions in (sessions != nil, sessions?.popLast()) }
        guard isOpen else { throw DatabaseError.closed }
        let session = try idleOne ?? open(true)
        defer { giveBack(session) }
        session.limit?.patience = isWaiting ? 8 : 1
        let waits = session.waits
        defer { gauge.note(hasWaited: session.waits != waits) }
        try session.perform { () throws -> Void in try body(session) }
    }

    private func giveBack(_ session: any Session) {
        let gone = idle.withLock { sessions in
            guard sessions != nil else { return [session] }
            sessions?.append(session)
            // While as many run as normally stay open, the extra ones stay too, because opening one is expensive.
            guard !isWaiting, let all = sessions, all.count > kept else { return [] }
            sessions?.removeAll(where: \.isExtra)
            return all.filter(\.isExtra)
        }
        for session in gone { session.close() }
    }

    /// Waits for the running reads, and closes the pool.
    func close() {
        for _ in 0..<most { permits.wait() }
        let sessions = idle.withLock { sessions in
            defer { sessions = nil }
            return sessions ?? []
        }
        for session in sessions { session.close() }
        for _ in 0..<most { permits.signal() }
    }
}

/// The session for long reads, on its own thread, so that they never delay a page.
final class SlowReader: Sendable {
    private struct State {
        var waiting = 0
        var isClosed = false
    }

    private let session: any Session
    private let mark: ThreadMark
    private let queueLimit: Int
    private let state = Mutex(State())

    init(_ session: any Session, mark: ThreadMark, queueLimit: Int) {
        self.session = session
        self.mark = mark
        self.queueLimit = queueLimit
    }

    /// How many reads are waiting.
    var waiting: Int { state.withLock { $0.waiting } }

    /// Runs `body` after the reads that are already waiting.
    ///
    /// - Throws: What `body` throws; `DatabaseError.busy` when too many wait, `.closed` after `close`.
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
            session.later {
                self.state.withLock { $0.waiting -= 1 }
                work()
            }
        }
    }

    private func attempt<T>(_ body: (any Session) throws -> T) throws -> T {
        try mark.enter()
        defer { mark.leave() }
        return try body(session)
    }

    /// Waits for running and waiting reads, and closes the session.
    func close() {
        state.withLock { $0.isClosed = true }
        session.close()
    }
}
