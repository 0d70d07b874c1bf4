import Database

extension Removal {
    static func open(of account: ID<Account>, in zone: Zone, db: Connection) throws -> Removal? {
        guard let decision = try Decision.removal(of: account, in: db) else { return nil }
        let isAlone = try !db.exists("SELECT 1 FROM account WHERE \(other(than: "\(decision.staffID)")) LIMIT 1")
        return Removal(
            decision: decision, time: zone.words(decision.at, \.shortName),
            due: isAlone ? zone.words(decision.at + pause, \.shortName) : nil)
    }

    /// A condition on `account`: it is another admin.
    private static func other(than staff: SQL) -> SQL {
        """
        account.is_staff AND account.suspended_at IS NULL AND account.left_at IS NULL
            AND account.id <> coalesce(\(staff), 0)
        """
    }

    /// Makes sure that an account may be deleted: an admin must give up the role first.
    private static func check(_ account: ID<Account>, in db: Connection) throws {
        guard try !db.exists("SELECT 1 FROM account WHERE id = \(account) AND is_staff") else {
            throw Refusal.notAllowed
        }
    }

    /// The second person's agreement: deletes the account with its content.
    ///
    /// - Throws: `Refusal.notAllowed` for the person who requested it; `Refusal.notFound` if nobody did.
    static func agree(to account: ID<Account>, reason: String, by staff: ID<Account>, in tx: Transaction) throws {
        guard let decision = try Decision.removal(of: account, in: tx) else { throw Refusal.notFound }
        guard decision.staffID != staff, account != staff else { throw Refusal.notAllowed }
        try carryOut(decision, reason: reason, by: staff, in: tx)
    }

    /// Deletes the accounts whose deletion a sole admin requested a week ago, unless there are other admins by now.
    static func carryOutDue(in tx: Transaction) throws -> Int {
        let due: [Decision] = try tx.all(
            """
            SELECT \(Decision.columns) FROM decision
            WHERE author_id > 0 AND act = 'delete' AND ended_at IS NULL AND at <= \(tx.now - pause)
                AND NOT EXISTS (SELECT 1 FROM account WHERE account.id = decision.author_id AND account.is_staff)
                AND NOT EXISTS (SELECT 1 FROM account WHERE \(other(than: "decision.staff_id")))
            LIMIT 20
            """)
        for decision in due {
            try carryOut(decision, reason: decision.reason, by: decision.staffID, in: tx)
        }
        return due.count
    }

    private static func carryOut(
        _ decision: Decision, reason: String, by staff: ID<Account>?, in tx: Transaction
    ) throws {
        let account = decision.author
        try check(account, in: tx)
        let name: String = try tx.value("SELECT username FROM account WHERE id = \(account)") ?? ""
        try AuditEntry.record(
            .deleteAccount, name, account.rawValue, reason: reason, ground: decision.ground, by: staff, in: tx)
        try eraseWords(of: account, in: tx)
        try Account.leave(account, in: tx)
    }

    /// Erases a deleted account's content that others would still see.
    private static func eraseWords(of account: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE post SET comments = comments - (
                SELECT count(*) FROM comment WHERE comment.post_id = post.id AND comment.account_id = \(account))
            WHERE id IN (SELECT post_id FROM comment WHERE account_id = \(account))
            """)
        try db.execute("DELETE FROM comment WHERE account_id = \(account)")
        try PostNews.forgetAll(of: account, in: db)
        try db.execute("DELETE FROM post WHERE account_id = \(account)")
        // Nobody needs to review content that nobody read.
        try db.execute("DELETE FROM matter WHERE author_id = \(account) AND waits_for = 'first'")
    }
}
