import Database

extension ConfirmLink {
    /// Confirms the account's current address, or makes the change to the new one.
    static func use(_ token: Token, _ link: ConfirmLink, on today: Day, at now: Instant, in db: Connection) throws {
        try OneTimeLink.use(token, in: db)
        if let change = link.change {
            try EmailChange.make(change, at: now, in: db)
        } else {
            try db.execute(
                """
                UPDATE account SET confirmed_at = \(now), \(Bounce.none)
                WHERE id = \(link.account) AND email = \(link.email)
                """)
        }
        try follow(link.account, on: today, at: now, in: db)
    }

    /// The effects of confirming an address: the inviter gets credit for a friend, and content that waited for it is
    /// shown.
    static func follow(_ account: ID<Account>, on today: Day, at now: Instant, in db: Connection) throws {
        try Letter.forgetSecrets(.welcome, of: account, in: db)
        let inviter: ID<Account>? = try db.value(
            """
            SELECT inviter.id FROM account JOIN account AS inviter ON inviter.id = account.inviter_id
            WHERE account.id = \(account) AND account.confirmed_at IS NOT NULL AND inviter.left_at IS NULL
            """)
        if let inviter { try Standing.countFriends(of: inviter, on: today, in: db) }
        try Matter.showFirst(of: account, at: now, in: db)
    }
}

extension ResetLink {
    /// Ends a link that was used. If it came in a letter, the address is confirmed, too.
    static func use(_ link: OneTimeLink, on today: Day, at now: Instant, in db: Connection) throws {
        try OneTimeLink.use(link.id, in: db)
        let isNews = try db.exists(
            """
            SELECT 1 FROM account
            WHERE id = \(link.account) AND email = \(link.detail) AND confirmed_at IS NULL
            """)
        guard isNews else { return }
        try Account.confirm(link.account, at: now, in: db)
        try ConfirmLink.follow(link.account, on: today, at: now, in: db)
    }
}
