import Synchronization

/// Every distinct statement that ran, and the total number of runs, for tests that explain and count them.
final class StatementLedger: Sendable {
    /// Whether this task's statements go unrecorded, for a test's own queries.
    @TaskLocal static var isOff = false

    private let noted = Mutex<[String: SQL]>([:])
    private let ran = Atomic(0)

    func note(_ sql: SQL) {
        guard !Self.isOff else { return }
        noted.withLock { $0[sql.question] = sql }
    }

    /// Counts one run.
    func count() { if !Self.isOff { ran.add(1, ordering: .relaxed) } }

    /// Carries the caller's setting over to `body`, on whichever thread it runs.
    static func carried<T>(_ body: @escaping @Sendable (Connection) throws -> T) -> @Sendable (Connection) throws -> T {
        guard isOff else { return body }
        return { db throws -> T in
            try $isOff.withValue(true, operation: { () throws -> T in try body(db) })
        }
    }

    var total: Int { ran.load(ordering: .relaxed) }

    var statements: [SQL] {
        noted.withLock { $0.values.sorted { $0.question < $1.question } }
    }
}
