import Database

extension Block {
    /// Blocks an account; blocking twice has no further effect.
    static func add(_ blocked: ID<Account>, by account: ID<Account>, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO block (account_id, blocked_id, at) VALUES (\(account), \(blocked), \(tx.now))
            ON CONFLICT (account_id, blocked_id) DO NOTHING
            """)
        try Cohost.part(account, from: blocked, in: tx)
        try Claim.part(account, from: blocked, in: tx)
        try TalkThread.part(account, from: blocked, in: tx)
        try PostNews.part(account, from: blocked, in: tx)
        try PetMatch.part(account, from: blocked, in: tx)
    }
}
