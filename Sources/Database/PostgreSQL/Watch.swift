import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Database {
    /// The state of a server's database when it was last asked.
    public struct Standing: Sendable {
        /// Why it can't be used; nil if it can.
        public internal(set) var trouble: DatabaseError?
        /// Whether it is a standby, which takes no writes.
        public internal(set) var isStandby = false
        /// How far this machine's clock is ahead of the server's.
        public internal(set) var ahead = Duration.zero
        /// The longest recent time between two looks: how late this program may learn of other programs' writes.
        public internal(set) var lag = Duration.zero
    }
}

/// Watches for other programs' writes to the same server database, with its own connection.
///
/// It polls one number ten times a second: NOTIFY would queue all commits behind one lock, and poolers don't support
/// it.
final class Watch: Sendable {
    private struct State {
        var standing = Database.Standing()
        var hear: (@Sendable () throws -> Bool)?
        /// The server's number when `hear` was last called.
        var told: Int64?
        var lookedAt: ContinuousClock.Instant
        var isClosed = false
    }

    private let session: PostgreSQLSession
    private let version: DataVersion
    private let period: Duration?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>
    /// Held while looking.
    private let looking = Mutex(())
    private let closing = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// How long after the last look other programs' writes still count as known.
    static let patience = Duration.seconds(1)
    /// The pauses before a server that is away is asked again, growing each time.
    static let pauses: ClosedRange<Duration> = .milliseconds(50) ... .seconds(2)

    init(_ session: PostgreSQLSession, _ version: DataVersion, _ options: Database.Options) {
        self.session = session
        self.version = version
        period = options.lookPeriod
        now = options.now
        state = Mutex(State(lookedAt: options.now()))
    }

    var standing: Database.Standing { state.withLock(\.standing) }

    var isCurrent: Bool {
        state.withLock { state in
            state.standing.trouble == nil && (period == nil || now() - state.lookedAt < Self.patience)
        }
    }

    /// Throws the error of the last look, because asking a server that is away makes each caller wait for its timeout.
    func requireServer() throws {
        guard period != nil, let trouble = standing.trouble else { return }
        throw trouble
    }

    func follow(_ hear: @escaping @Sendable () throws -> Bool) {
        state.withLock { $0.hear = hear }
        guard let period else { return }
        DispatchQueue(label: "village.database.watch").async { self.run(each: period) }
    }

    private func run(each period: Duration) {
        var pause = Self.pauses.lowerBound
        while true {
            do {
                try look()
                pause = Self.pauses.lowerBound
            } catch {
                pause = min(pause * 2, Self.pauses.upperBound)
            }
            let wait = standing.trouble == nil ? period : pause
            let time = DispatchTime.now() + .milliseconds(Int(wait / .milliseconds(1)))
            if closing.wait(timeout: time) == .success { break }
        }
        ended.signal()
    }

    /// Asks once.
    func look() throws {
        try looking.withLock { _ in
            let known = version.lastTurn
            do {
                let (turn, isStandby, ahead) = try ask()
                let (hear, told) = state.withLock { state in
                    let now = now()
                    let gap = now - state.lookedAt
                    state.lookedAt = now
                    // A long gap fades within about a minute.
                    state.standing.lag = max(gap, state.standing.lag * 0.995)
                    state.standing.ahead = ahead
                    state.standing.isStandby = isStandby
                    state.standing.trouble = isStandby ? .away("the server is a standby") : nil
                    return (state.hear, state.told)
                }
                guard turn != told else { return }
                // Before the version rises, so that a page made at the new version has everything new.
                let isChanged = try hear?() ?? false
                state.withLock { $0.told = turn }
                if isChanged { version.rise() }
                version.rise(to: turn, from: known)
            } catch {
                // From here on other programs' writes aren't seen.
                version.rise()
                let trouble = error as? DatabaseError ?? .away("\(error)")
                if case .away = trouble { state.withLock { $0.standing.trouble = trouble } }
                throw error
            }
        }
    }

    private func ask() throws -> (turn: Int64, isStandby: Bool, ahead: Duration) {
        try session.perform {
            let began = Self.time()
            let (turn, isStandby, clock): (Int64, Bool, Int64) = try session.read { db in
                try db.first("SELECT version, pg_is_in_recovery(), \(SQL.clock) FROM village_turn") { row in
                    (try row.next(), try row.next(), try row.next())
                } ?? (0, false, 0)
            }
            return (turn, isStandby, .milliseconds((began + Self.time()) / 2 - clock))
        }
    }

    /// This machine's time in milliseconds.
    private static func time() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }

    func close() {
        let wasRunning = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed && state.hear != nil && period != nil
        }
        closing.signal()
        if wasRunning { ended.wait() }
        session.close()
    }

    deinit { session.close() }
}
