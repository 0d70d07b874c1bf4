import Database
import Synchronization

/// When the site last looked through each kind of what it keeps, for what was kept long enough; nothing before its
/// start, unless other nodes did.
final class RetentionClock: Sendable {
    private let times = Mutex<[RetentionRule: Instant]>([:])

    func note(_ keeping: RetentionRule, at now: Instant) { times.withLock { $0[keeping] = now } }

    func last(of keeping: RetentionRule) -> Instant? { times.withLock { $0[keeping] } }

    /// Takes over what another node may have done.
    func note(_ runs: [String: Instant]) {
        for keeping in RetentionRule.allCases {
            if let time = runs[keeping.jobName] { note(keeping, at: max(time, last(of: keeping) ?? time)) }
        }
    }

    /// When all of them were looked through: what is given back has a clock of its own, each minute.
    var lastRun: Instant? { times.withLock { times in times.filter { $0.key != .undo }.values.max() } }
}

extension RetentionRule {
    /// What its erasing is called among the jobs.
    fileprivate var jobName: String { "erase \(self)" }
}

extension Site {
    /// Notes that what is kept by a rule was looked through.
    func note(_ keeping: RetentionRule, at now: Instant) async throws {
        retention.note(keeping, at: now)
        guard database.isShared else { return }
        try await writeQuietly { db in try JobRun.note(keeping.jobName, at: now, in: db) }
    }
}
