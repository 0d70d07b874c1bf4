import Database

extension ConfirmLink {
    /// A new link for the account's address; earlier ones are void, and for a month they can say so.
    ///
    /// - Parameter change: What makes another address the account's, and that address.
    static func insert(
        _ token: Token, for account: ID<Account>, change: (id: ID<EmailChange>, email: String)? = nil, at now: Instant,
        in db: Connection
    ) throws {
        let alike: SQL = change == nil ? "change_id IS NULL" : "change_id IS NOT NULL"
        try db.execute(
            "UPDATE confirm_link SET ended = 'replaced' WHERE account_id = \(account) AND ended IS NULL AND \(alike)")
        let email: SQL = change.map { "\($0.email)" } ?? "email"
        try db.execute(
            """
            INSERT INTO confirm_link (token_hash, account_id, email, expires_at, change_id)
            SELECT \(token.hash), id, \(email), \(now + lifetime), \(change?.id) FROM account WHERE id = \(account)
            """)
    }

    static func replaceAll(of account: ID<Account>, in db: Connection) throws {
        try db.execute("UPDATE confirm_link SET ended = 'replaced' WHERE account_id = \(account) AND ended IS NULL")
        for kind in [NoticeKind.welcome, .address] { try Letter.forgetSecrets(kind, of: account, in: db) }
    }

    /// Sends the account a letter with a new link.
    static func send(to account: ID<Account>, at now: Instant, in db: Connection) throws {
        let token = Token()
        try insert(token, for: account, at: now, in: db)
        let isByStaff = try EmailChange.isByStaff(account, in: db)
        try Letter.write(isByStaff ? .address : .welcome, to: account, token: token, at: now, in: db)
    }

    /// Whose address the link confirms, or why it confirms none anymore; nil for a link that never was.
    static func find(_ token: Token, at now: Instant, in db: Connection) throws -> OneTimeLink<ConfirmLink>? {
        try db.first(
            "SELECT ended, expires_at, account_id, email, change_id FROM confirm_link WHERE token_hash = \(token.hash)"
        ) { row in
            switch try row.next() as String? {
            case "used"?: return .ended(.confirmUsed)
            case .some: return .ended(.confirmReplaced)
            case nil:
                guard try row.next() as Instant > now else { return .ended(.confirmTooOld) }
                return .open(
                    ConfirmLink(account: try row.next(), email: try row.next(), change: try row.next()))
            }
        }
    }

    /// The address is known to reach its account, as long as it is still that; or it becomes so.
    static func use(_ token: Token, _ link: ConfirmLink, on today: Day, at now: Instant, in db: Connection) throws {
        try db.execute("UPDATE confirm_link SET ended = 'used' WHERE token_hash = \(token.hash)")
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

    /// What follows once an address is known to reach its account: whoever invited its owner has a friend here, and
    /// what waited for it is shown.
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
