import Database
import Synchronization

/// When the site last checked each kind of data for expired entries; nothing before its start, unless other nodes did
/// it.
final class RetentionClock: Sendable {
    private let times = Mutex<[RetentionRule: Instant]>([:])

    func note(_ keeping: RetentionRule, at now: Instant) { times.withLock { $0[keeping] = now } }

    func last(of keeping: RetentionRule) -> Instant? { times.withLock { $0[keeping] } }

    /// Takes over the times at which other nodes ran.
    func note(_ runs: [String: Instant]) {
        for keeping in RetentionRule.allCases {
            if let time = runs[keeping.jobName] { note(keeping, at: max(time, last(of: keeping) ?? time)) }
        }
    }

    /// When all of them were last checked, except undoable actions, which have their own minute-by-minute schedule.
    var lastRun: Instant? { times.withLock { times in times.filter { $0.key != .undo }.values.max() } }
}

extension RetentionRule {
    /// The name of the erasing job.
    fileprivate var jobName: String { "erase \(self)" }
}

extension Site {
    /// Records that the data under a rule was checked.
    func note(_ keeping: RetentionRule, at now: Instant) async throws {
        retention.note(keeping, at: now)
        guard database.isShared else { return }
        try await writeQuietly(at: now) { tx in try JobRun.note(keeping.jobName, in: tx) }
    }
}
