import Database

extension Block {
    /// Blocks an account; blocking twice has no further effect.
    static func add(_ blocked: ID<Account>, by account: ID<Account>, at now: Instant, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO block (account_id, blocked_id, at) VALUES (\(account), \(blocked), \(now))
            ON CONFLICT (account_id, blocked_id) DO NOTHING
            """)
        try Cohost.part(account, from: blocked, at: now, in: db)
        try Claim.part(account, from: blocked, at: now, in: db)
        try TalkThread.part(account, from: blocked, in: db)
        try PostNews.part(account, from: blocked, in: db)
        try PetMatch.part(account, from: blocked, at: now, in: db)
    }
}
