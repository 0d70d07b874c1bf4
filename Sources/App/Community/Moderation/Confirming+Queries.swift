import Database

extension ConfirmLink {
    /// Confirms the account's current address, or makes the change to the new one.
    static func use(_ token: Token, _ link: ConfirmLink, on today: Day, in tx: Transaction) throws {
        try OneTimeLink.use(token, in: tx)
        if let change = link.change {
            try EmailChange.make(change, in: tx)
        } else {
            try tx.execute(
                """
                UPDATE account SET confirmed_at = \(tx.now), \(Bounce.none)
                WHERE id = \(link.account) AND email = \(link.email)
                """)
        }
        try follow(link.account, on: today, in: tx)
    }

    /// The effects of confirming an address: the inviter gets credit for a friend, and content that waited for it is
    /// shown.
    static func follow(_ account: ID<Account>, on today: Day, in tx: Transaction) throws {
        try Letter.forgetSecrets(.welcome, of: account, in: tx)
        let inviter: ID<Account>? = try tx.value(
            """
            SELECT inviter.id FROM account JOIN account AS inviter ON inviter.id = account.inviter_id
            WHERE account.id = \(account) AND account.confirmed_at IS NOT NULL AND inviter.left_at IS NULL
            """)
        if let inviter { try Standing.countFriends(of: inviter, on: today, in: tx) }
        try Matter.showFirst(of: account, in: tx)
    }
}

extension ResetLink {
    /// Ends a link that was used. If it came in a letter, the address is confirmed, too.
    static func use(_ link: OneTimeLink, on today: Day, in tx: Transaction) throws {
        try OneTimeLink.use(link.id, in: tx)
        let isNews = try tx.exists(
            """
            SELECT 1 FROM account
            WHERE id = \(link.account) AND email = \(link.detail) AND confirmed_at IS NULL
            """)
        guard isNews else { return }
        try Account.confirm(link.account, in: tx)
        try ConfirmLink.follow(link.account, on: today, in: tx)
    }
}
