import Synchronization

/// The one writer, with group commit: it takes what is queued, runs each write in a savepoint, commits once (one fsync
/// for all), and only then answers each.
final class Writer: Sendable {
    /// A write that waits for its turn.
    struct Request: Sendable {
        /// Whether the commit leaves `version` as it is.
        let isQuiet: Bool
        /// Runs the closure and returns what will tell its caller the result. It may be run twice; see `commit`.
        let attempt: @Sendable (Connection) throws -> @Sendable () -> Void
        /// Tells the caller that nothing was stored.
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var queued: [Request] = []
        var isRunning = false
        var isClosed = false
    }

    /// How many writes share a commit at most: a group answers as one, so a long one keeps its first waiting.
    static let groupLimit = 128

    let session: any Session
    private let mark: ThreadMark
    /// Looks whether the files are still there; nil where they are a server's.
    private let vigil: FileVigil?
    private let queueLimit: Int
    private let state = Mutex(State())
    /// What `totalChanges` was when the log was emptied last; at first what no session has.
    private let settled = Atomic<Int>(-1)
    private let version: DataVersion
    /// Held for as long as the session is open, and let go of after it.
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

    /// How many writes wait.
    var waiting: Int { state.withLock { $0.queued.count } }

    /// Puts a write into the queue.
    ///
    /// - Throws: `DatabaseError.busy` when the queue is full, `.closed` once the writer is.
    func submit(_ request: Request) throws {
        try state.withLock { state in
            guard !state.isClosed else { throw DatabaseError.closed }
            guard state.queued.count < queueLimit else { throw DatabaseError.busy }
            state.queued.append(request)
            guard !state.isRunning else { return }
            state.isRunning = true
            // Never on the caller's thread: the cancellation of its task must not reach SQLite.
            session.later { self.work() }
        }
    }

    /// Empties the log between two groups, if rows changed since it was emptied last.
    ///
    /// - Returns: whether it is empty.
    /// - Throws: what the disk throws; `DatabaseError.closed` once it is.
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
        // A log that isn't ours anymore is nobody's to move.
        try vigil?.look()
        guard try session.emptyLog() else { return false }
        settled.store(changes, ordering: .relaxed)
        return true
    }

    /// Carries out what is queued, and closes.
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
        }
    }

    /// Stores all of `group`, but for the members that fail: in one transaction, or in several where one would take
    /// longer than the driver lets it.
    ///
    /// A grave error (a full disk, out of memory, a server that is gone) may end the whole transaction in the middle of
    /// one member. That member fails; the others are run again, each in a transaction of its own, so that nobody pays
    /// for another.
    ///
    /// - Returns: whether anything could be begun.
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
            try session.commit(isQuiet: !isLoud)
            // Data that is no longer in the files of these names isn't stored, even if the system reports success.
            try vigil?.look()
        } catch {
            session.rollBack()
            // Of a commit whose end nobody heard of it isn't known whether pages changed.
            if isLoud, case DatabaseError.away = error { version.rise() }
            for request in group.dropLast(rest.count) { request.fail(error) }
            if !rest.isEmpty { commit(Array(rest)) }
            return true
        }
        // After the commit and before the answers: a client with an answer finds a new version, and one that reads by
        // an old version has at worst newer data than it says.
        if isLoud { version.rise(to: session.turn) }
        for answer in answers { answer() }
        if !rest.isEmpty { commit(Array(rest)) }
        return true
    }

    /// Runs the closure, with the thread marked: a read inside it is refused.
    private func attempt(_ request: Request) throws -> @Sendable () -> Void {
        try mark.enter()
        defer { mark.leave() }
        return try session.lend(request.attempt)
    }
}
