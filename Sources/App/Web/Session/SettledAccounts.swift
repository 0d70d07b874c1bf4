import Synchronization

/// Accounts that aren't new anymore, and never become new again. Pages with their content needn't query that each time.
final class SettledAccounts: Sendable {
    private let accounts = Mutex<Set<ID<Account>>>([])
    /// How many are known at most; then all are forgotten.
    private static let most = 10_000

    func has(_ account: ID<Account>) -> Bool { accounts.withLock { $0.contains(account) } }

    func insert(_ account: ID<Account>) {
        accounts.withLock { accounts in
            if accounts.count >= Self.most { accounts = [] }
            accounts.insert(account)
        }
    }
}
