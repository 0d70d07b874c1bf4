import Database

extension ConfirmLink {
    /// A new link for the account's address; earlier ones are void, and for a month they can say so.
    static func insert(_ token: Token, for account: ID<Account>, at now: Instant, in db: Connection) throws {
        try db.execute("DELETE FROM confirm_link WHERE expires_at < \(now - .days(30))")
        try db.execute("UPDATE confirm_link SET ended = 'replaced' WHERE account_id = \(account) AND ended IS NULL")
        try db.execute(
            """
            INSERT INTO confirm_link (token_hash, account_id, email, expires_at)
            SELECT \(token.hash), id, email, \(now + lifetime) FROM account WHERE id = \(account)
            """)
    }

    /// Sends the account a letter with a new link.
    static func send(to account: ID<Account>, at now: Instant, in db: Connection) throws {
        let token = Token()
        try insert(token, for: account, at: now, in: db)
        try Letter.write(.welcome, to: account, token: token, at: now, in: db)
    }

    /// Whose address the link confirms, or why it confirms none any more; nil for a link that never was.
    static func find(_ token: Token, at now: Instant, in db: Connection) throws -> OneTimeLink<ConfirmLink>? {
        try db.first(
            "SELECT ended, expires_at, account_id, email FROM confirm_link WHERE token_hash = \(token.hash)"
        ) { row in
            switch try row.next() as String? {
            case "used"?: return .ended(.confirmUsed)
            case .some: return .ended(.confirmReplaced)
            case nil:
                guard try row.next() as Instant > now else { return .ended(.confirmTooOld) }
                return .open(ConfirmLink(account: try row.next(), email: try row.next()))
            }
        }
    }

    /// The address is known to reach its account, as long as it is still that.
    static func use(_ token: Token, _ link: ConfirmLink, at now: Instant, in db: Connection) throws {
        try db.execute("UPDATE confirm_link SET ended = 'used' WHERE token_hash = \(token.hash)")
        try db.execute(
            "UPDATE account SET confirmed_at = \(now) WHERE id = \(link.account) AND email = \(link.email)")
        try Letter.forgetSecrets(.welcome, of: link.account, in: db)
    }
}
