import Synchronization

/// Every distinct statement that ran, for a test that explains them all.
final class StatementLedger: Sendable {
    private let noted = Mutex<[String: SQL]>([:])

    func note(_ sql: SQL) {
        noted.withLock { $0[sql.question] = sql }
    }

    var statements: [SQL] {
        noted.withLock { $0.values.sorted { $0.question < $1.question } }
    }
}
