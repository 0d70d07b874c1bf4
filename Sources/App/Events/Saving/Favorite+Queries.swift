import Database

extension Favorite {
    /// The table for its kind.
    private var table: SQL {
        switch self {
        case .event: "saved_event"
        case .opportunity: "saved_opportunity"
        }
    }

    /// A condition: it is this one.
    private var isThis: SQL {
        switch self {
        case .event(let id): "event_id = \(id)"
        case .opportunity(let id): "opportunity_id = \(id)"
        }
    }

    /// Whether a member saved it; nil if they didn't and can't.
    func savedState(for account: ID<Account>, in tx: Transaction) throws -> Bool? {
        if try isSaved(by: account, in: tx) { return true }
        return try tx.exists("SELECT 1 \(source(for: account, at: tx.now))") ? false : nil
    }

    private func isSaved(by account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM \(table) WHERE account_id = \(account) AND \(isThis)")
    }

    /// The rows of this thing if the member can save it: it is visible in their lists and not over. Events are visible
    /// to everyone, so that nobody can infer a block; opportunities aren't.
    private func source(for account: ID<Account>, at now: Instant) -> SQL {
        switch self {
        case .event(let id):
            """
            FROM event WHERE event.id = \(id) AND event.listed AND event.ends_at > \(now)
            """
        case .opportunity(let id):
            """
            FROM opportunity
            WHERE opportunity.id = \(id) AND opportunity.listed AND opportunity.ends_at > \(now)
                AND NOT \(Block.hides("opportunity.account_id", from: account))
            """
        }
    }

    /// Saves it; saving twice has no further effect.
    ///
    /// - Returns: Whether it is saved now; false if it can't be saved anymore, or doesn't exist.
    @discardableResult
    func save(by account: ID<Account>, in tx: Transaction) throws -> Bool {
        guard !(try isSaved(by: account, in: tx)) else { return true }
        let source = source(for: account, at: tx.now)
        let count =
            switch self {
            case .event:
                try tx.execute(
                    """
                    INSERT INTO saved_event (account_id, event_id, at, starts_at, ends_at)
                    SELECT \(account), event.id, \(tx.now), event.starts_at, event.ends_at \(source)
                    """)
            case .opportunity:
                try tx.execute(
                    """
                    INSERT INTO saved_opportunity (account_id, opportunity_id, at, ends_at)
                    SELECT \(account), opportunity.id, \(tx.now), opportunity.ends_at \(source)
                    """)
            }
        return count == 1
    }

    /// Removes it from the list.
    func remove(by account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM \(table) WHERE account_id = \(account) AND \(isThis)")
    }

    /// Updates the saved time of an event that moved.
    static func follow(_ event: Event, in db: Connection) throws {
        try db.execute(
            """
            UPDATE saved_event SET starts_at = \(event.startsAt), ends_at = \(event.endsAt)
            WHERE event_id = \(event.id)
            """)
    }

    /// Updates the saved time of an opportunity that was changed, renewed or closed.
    static func follow(_ opportunity: ID<Opportunity>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE saved_opportunity SET ends_at = (
                SELECT CASE WHEN opportunity.closed_at < opportunity.ends_at THEN opportunity.closed_at
                    ELSE opportunity.ends_at END FROM opportunity WHERE opportunity.id = \(opportunity))
            WHERE opportunity_id = \(opportunity)
            """)
    }

    /// Erases entries a while after their end.
    ///
    /// - Returns: The number erased.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM saved_event WHERE ends_at <= \(tx.now - memory)")
            + tx.execute("DELETE FROM saved_opportunity WHERE ends_at <= \(tx.now - memory)")
    }
}
