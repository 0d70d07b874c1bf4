import Database

extension Account {
    /// Adds a member who waits to be let in to the queue.
    static func ask(_ id: ID<Account>, in tx: Transaction) throws {
        try tx.execute("UPDATE account SET waits_since = coalesce(waits_since, \(tx.now)) WHERE id = \(id)")
        try Matter.raise(.person(id), of: id, for: .entry, in: tx)
    }

    static func createdAt(_ id: ID<Account>, in db: Connection) throws -> Instant? {
        try db.value("SELECT created_at FROM account WHERE id = \(id)")
    }

    static func waits(_ id: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM account WHERE id = \(id) AND waits_since IS NOT NULL")
    }

    /// Lets a member in.
    ///
    /// - Returns: Whether they were waiting.
    static func admit(_ id: ID<Account>, in db: Connection) throws -> Bool {
        try db.execute("UPDATE account SET waits_since = NULL WHERE id = \(id) AND waits_since IS NOT NULL") == 1
    }

    /// Erases the accounts of people who were refused, a month after the decision.
    static func eraseRefused(in tx: Transaction) throws -> Int {
        let refused: [ID<Account>] = try tx.all(
            """
            SELECT account.id FROM account
            WHERE account.waits_since <= \(tx.now - Memory.links) AND account.left_at IS NULL
                AND EXISTS (SELECT 1 FROM decision WHERE decision.author_id = account.id AND decision.act = 'refuse'
                    AND decision.ended_at IS NULL AND decision.at <= \(tx.now - Memory.links))
            ORDER BY account.waits_since, account.id LIMIT 100
            """
        ) { try $0.next() }
        for id in refused { try leave(id, in: tx) }
        return refused.count
    }
}
