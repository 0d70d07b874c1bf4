import Dispatch
import Synchronization

/// The open read sessions: each is lent to one thread at a time, the one used last first, because its pages and
/// statements are warm.
final class ReadPool: Sendable {
    private let permits: DispatchSemaphore
    private let idle: Mutex<[SQLiteSession]?>
    private let count: Int
    private let patience: DispatchTimeInterval

    init(_ sessions: [SQLiteSession], patience: Duration) {
        permits = DispatchSemaphore(value: sessions.count)
        idle = Mutex(sessions)
        count = sessions.count
        self.patience = .milliseconds(Int(patience / .milliseconds(1)))
    }

    /// Runs `body` with an idle session, in place; waits for one if all are lent.
    ///
    /// - Throws: `DatabaseError.busy` after waiting in vain, `.closed` once the pool is.
    func withSession<T>(_ body: (SQLiteSession) throws -> T) throws -> T {
        guard permits.wait(timeout: .now() + patience) == .success else { throw DatabaseError.busy }
        defer { permits.signal() }
        guard let session = idle.withLock({ $0?.popLast() }) else { throw DatabaseError.closed }
        defer { idle.withLock { $0?.append(session) } }
        return try session.perform { try body(session) }
    }

    /// Waits for the reads that run, and closes.
    func close() {
        for _ in 0..<count { permits.wait() }
        let sessions = idle.withLock { sessions in
            defer { sessions = nil }
            return sessions ?? []
        }
        for session in sessions { session.close() }
        for _ in 0..<count { permits.signal() }
    }
}

/// The session for reads that take their time, on a thread of its own: they never hold up a page.
final class SlowReader: Sendable {
    private struct State {
        var waiting = 0
        var isClosed = false
    }

    private let session: SQLiteSession
    private let mark: ThreadMark
    private let queueLimit: Int
    private let state = Mutex(State())

    init(_ session: SQLiteSession, mark: ThreadMark, queueLimit: Int) {
        self.session = session
        self.mark = mark
        self.queueLimit = queueLimit
    }

    /// How many reads wait.
    var waiting: Int { state.withLock { $0.waiting } }

    /// Runs `body` after those that wait already.
    ///
    /// - Throws: what `body` throws; `DatabaseError.busy` when too many wait, `.closed` once it is.
    func run<T: Sendable>(_ body: @escaping @Sendable (SQLiteSession) throws -> T) async throws -> T {
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

    private func attempt<T>(_ body: (SQLiteSession) throws -> T) throws -> T {
        try mark.enter()
        defer { mark.leave() }
        return try body(session)
    }

    /// Waits for the reads that run and wait, and closes.
    func close() {
        state.withLock { $0.isClosed = true }
        session.close()
    }
}
