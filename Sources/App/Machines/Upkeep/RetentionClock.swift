import Synchronization

/// When the site last looked through each kind of what it keeps, for what was kept long enough; nothing before its
/// start.
final class RetentionClock: Sendable {
    private let times = Mutex<[RetentionRule: Instant]>([:])

    func note(_ keeping: RetentionRule, at now: Instant) { times.withLock { $0[keeping] = now } }

    func last(of keeping: RetentionRule) -> Instant? { times.withLock { $0[keeping] } }

    /// When all of them were looked through: what is given back has a clock of its own, each minute.
    var lastRun: Instant? { times.withLock { times in times.filter { $0.key != .undo }.values.max() } }
}
