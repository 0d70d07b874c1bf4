import Synchronization

/// The one writer, with group commit: it takes the queued writes, runs each in a savepoint, commits once (one fsync for
/// all), and only then answers each.
final class Writer: Sendable {
    /// A write in the queue.
    struct Request: Sendable {
        /// Whether the commit leaves `version` unchanged.
        let isQuiet: Bool
        /// Runs the closure and returns a function that delivers the result to its caller. It may run twice; see
        /// `commit`.
        let attempt: @Sendable (Connection) throws -> @Sendable () -> Void
        /// Tells the caller that nothing was stored.
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var queued: [Request] = []
        var isRunning = false
        var isClosed = false
    }

    /// How many writes share a commit at most: a group answers together, so a long one keeps its first member waiting.
    static let groupLimit = 128

    let session: any Session
    private let mark: ThreadMark
    /// Checks that the files are still there; nil for a server.
    private let vigil: FileVigil?
    private let queueLimit: Int
    private let state = Mutex(State())
    /// The value of `totalChanges` when the log was last emptied; at first a value that no session has.
    private let settled = Atomic<Int>(-1)
    private let version: DataVersion
    /// Held while the session is open, and released after it.
    private let lock: Mutex<FileLock?>

    init(
        _ session: any Session, lock: FileLock?, mark: ThreadMark, vigil: FileVigil?, version: DataVersion,
        queueLimit: Int
    ) {
        self.session = session
        self.version = version
        self.vigil = vigil
        self.lock = Mutex(lock)
        self.mark = mark
        self.queueLimit = queueLimit
    }

    /// How many writes are waiting.
    var waiting: Int { state.withLock { $0.queued.count } }

    /// Queues a write.
    ///
    /// - Throws: `DatabaseError.busy` when the queue is full, `.closed` after `close`.
    func submit(_ request: Request) throws {
        try state.withLock { state in
            guard !state.isClosed else { throw DatabaseError.closed }
            guard state.queued.count < queueLimit else { throw DatabaseError.busy }
            state.queued.append(request)
            guard !state.isRunning else { return }
            state.isRunning = true
            // Never on the caller's thread: cancellation of its task must not reach SQLite.
            session.later { self.work() }
        }
    }

    /// Empties the log between two groups, if rows changed since the last time.
    ///
    /// - Returns: Whether it is empty.
    /// - Throws: Errors of the disk; `DatabaseError.closed` after `close`.
    func emptyLog() async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            let isOpen = state.withLock { state in
                guard !state.isClosed else { return false }
                session.later { continuation.resume(with: Result { try self.emptyLogNow() }) }
                return true
            }
            if !isOpen { continuation.resume(throwing: DatabaseError.closed) }
        }
    }

    private func emptyLogNow() throws -> Bool {
        let changes = session.totalChanges
        guard settled.load(ordering: .relaxed) != changes else { return true }
        // A replaced log isn't ours to move.
        try vigil?.look()
        guard try session.emptyLog() else { return false }
        settled.store(changes, ordering: .relaxed)
        return true
    }

    /// Executes the queued writes, and closes the session.
    func close() {
        state.withLock { $0.isClosed = true }
        session.perform { () -> Void in }
        session.close()
        lock.withLock { $0 = nil }
    }

    private func work() {
        while true {
            let group = state.withLock { state in
                let group = Array(state.queued.prefix(Self.groupLimit))
                state.queued.removeFirst(group.count)
                state.isRunning = !group.isEmpty
                return group
            }
            if group.isEmpty { return }
            commit(group)
            shortenLog()
        }
    }

    /// Moves a long log into the file. That takes much longer than a commit, so nobody whose write is stored waits for
    /// it.
    private func shortenLog() {
        guard session.hasLongLog else { return }
        // A replaced log isn't ours to move.
        do { try vigil?.look() } catch { return }
        session.shortenLog()
    }

    /// Stores all members of `group` that don't fail: in one transaction, or in several if one would exceed the
    /// driver's time limit.
    ///
    /// A grave error (a full disk, out of memory, a lost server) may end the whole transaction in the middle of one
    /// member. That member fails; the others are run again, each in a transaction of its own, so that none fails
    /// because of another.
    ///
    /// - Returns: Whether a transaction could be begun.
    @discardableResult private func commit(_ group: [Request]) -> Bool {
        var answers: [@Sendable () -> Void] = []
        var isLoud = false
        var rest: ArraySlice<Request> = []
        do {
            do { try session.begin() } catch {
                session.rollBack()
                for request in group { request.fail(error) }
                return false
            }
            let end = session.groupTime.map { ContinuousClock.now + $0 }
            for (position, request) in group.enumerated() {
                try session.mark()
                let before = session.totalChanges
                do {
                    let answer = try attempt(request)
                    guard session.isSound else { throw DatabaseError.rolledBack }
                    if !request.isQuiet, session.totalChanges != before { isLoud = true }
                    answers.append(answer)
                } catch {
                    guard session.isInTransaction else {
                        request.fail(error)
                        var others = group
                        others.remove(at: position)
                        var isThere = true
                        for other in others {
                            if isThere { isThere = commit([other]) } else { other.fail(error) }
                        }
                        return isThere
                    }
                    try session.undo()
                    answers.append { request.fail(error) }
                }
                try session.unmark()
                if let end, ContinuousClock.now > end {
                    rest = group[(position + 1)...]
                    break
                }
            }
            // Even if it fails: a commit that got no answer may have been stored all the same.
            defer { version.countCommit() }
            try session.commit(isQuiet: !isLoud)
            // Data whose files have been replaced isn't stored, even if the system reports success.
            try vigil?.look()
        } catch {
            session.rollBack()
            // If a commit got no answer, it is unknown whether pages changed.
            if isLoud, case DatabaseError.away = error { version.rise() }
            for request in group.dropLast(rest.count) { request.fail(error) }
            if !rest.isEmpty { commit(Array(rest)) }
            return true
        }
        // After the commit and before the answers: a client with an answer sees a new version, and a reader at an old
        // version has at worst newer data than its version says.
        if isLoud { version.rise(to: session.turn) }
        for answer in answers { answer() }
        if !rest.isEmpty { commit(Array(rest)) }
        return true
    }

    /// Runs the closure with the thread marked, so that a read inside it is refused.
    private func attempt(_ request: Request) throws -> @Sendable () -> Void {
        try mark.enter()
        defer { mark.leave() }
        return try session.lend(request.attempt)
    }
}
