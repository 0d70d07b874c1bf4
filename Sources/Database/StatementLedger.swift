import Synchronization

/// Every distinct statement that ran, and how many ran in all, for tests that explain and count them.
final class StatementLedger: Sendable {
    /// Whether statements of this task go unnoted: those of a test itself.
    @TaskLocal static var isOff = false

    private let noted = Mutex<[String: SQL]>([:])
    private let ran = Atomic(0)

    func note(_ sql: SQL) {
        guard !Self.isOff else { return }
        noted.withLock { $0[sql.question] = sql }
    }

    /// Counts one more that runs, prepared now or before.
    func count() { if !Self.isOff { ran.add(1, ordering: .relaxed) } }

    /// What `body` runs is noted as what the caller runs is, on whichever thread that happens.
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
