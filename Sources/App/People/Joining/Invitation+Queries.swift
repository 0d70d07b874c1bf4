import Database

extension Invitation {
    /// Makes a link.
    ///
    /// - Parameter isChallenge: Whether it asks a friend to do something, too: of those more may be open. Where one
    ///   comes in by invitation alone, all count alike.
    /// - Throws: `TooMany`.
    static func make(
        _ token: Token, for whom: String, isChallenge: Bool = false, by account: ID<Account>, at now: Instant,
        in db: Connection
    ) throws {
        let isOnlyWay = try Town(in: db).joining == .invitation
        let counted: SQL = isOnlyWay ? "" : " AND is_challenge = \(isChallenge)"
        let most = isChallenge && !isOnlyWay ? Challenge.most : most
        let count = try db.execute(
            """
            INSERT INTO invitation (token_hash, account_id, whom, expires_at, is_challenge)
            SELECT \(token.hash), \(account), \(whom), \(now + lifetime), \(isChallenge)
            WHERE (SELECT count(*) FROM invitation
                WHERE account_id = \(account) AND expires_at > \(now) AND ended IS NULL\(counted)) < \(most)
            """)
        guard count == 1 else { throw TooMany() }
    }

    /// Those that can be taken up and ask for nothing else, the first first.
    static func open(of account: ID<Account>, at now: Instant, in db: Connection) throws -> [Invitation] {
        try db.all(
            """
            SELECT id, whom, expires_at FROM invitation
            WHERE account_id = \(account) AND expires_at > \(now) AND ended IS NULL AND is_challenge = FALSE
            ORDER BY expires_at LIMIT \(most)
            """
        ) { Invitation(id: try $0.next(), whom: try $0.next(), expiresAt: try $0.next()) }
    }

    /// Takes one back, as long as it wasn't taken up.
    static func withdraw(_ id: ID<Invitation>, by account: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE invitation SET ended = 'replaced', whom = ''
            WHERE id = \(id) AND account_id = \(account) AND ended IS NULL
            """)
    }

    /// Ends the invitation in a link that isn't needed anymore.
    static func end(_ hash: [UInt8], in db: Connection) throws {
        try db.execute(
            "UPDATE invitation SET ended = 'replaced', whom = '' WHERE token_hash = \(hash) AND ended IS NULL")
    }

    /// What a link invites to, or why it doesn't anymore; nil for a link that never was, or whose member may invite
    /// nobody.
    static func find(_ token: Token, at now: Instant, in db: Connection) throws -> OneTimeLink<Open>? {
        try db.first(
            """
            SELECT invitation.ended, invitation.expires_at, invitation.id, account.id, \(Person.shownName),
                CASE WHEN account.is_staff THEN NULL ELSE coalesce(account.branch_id, account.id) END,
                account.is_staff, invitation.is_challenge
            FROM invitation JOIN account ON account.id = invitation.account_id
            LEFT JOIN person ON person.account_id = account.id
            WHERE invitation.token_hash = \(token.hash) AND account.suspended_at IS NULL AND account.left_at IS NULL
            """
        ) { row in
            switch try row.next() as String? {
            case "used"?: return .ended(.invitationUsed)
            case .some: return .ended(.invitationReplaced)
            case nil:
                guard try row.next() as Instant > now else { return .ended(.invitationTooOld) }
                let (id, inviter, name): (ID<Invitation>, ID<Account>, String) =
                    (try row.next(), try row.next(), try row.next())
                let (branch, isByStaff, isChallenge): (ID<Account>?, Bool, Bool) =
                    (try row.next(), try row.next(), try row.next())
                return .open(
                    Open(
                        id: id, inviter: inviter, name: isChallenge ? Challenge.firstName(name) : name, branch: branch,
                        isByStaff: isByStaff, isChallenge: isChallenge))
            }
        }
    }

    /// Takes it up, in the transaction that makes the account: it is good once.
    ///
    /// - Throws: `Refusal.linkEnded` where somebody else was first.
    static func use(_ open: Open, for account: ID<Account>, in db: Connection) throws {
        let count = try db.execute(
            "UPDATE invitation SET ended = 'used', whom = '' WHERE id = \(open.id) AND ended IS NULL")
        guard count == 1 else { throw Refusal.linkEnded(.invitationUsed) }
        try db.execute(
            "UPDATE account SET inviter_id = \(open.inviter), branch_id = \(open.branch) WHERE id = \(account)")
    }

    /// Erases what ended long ago.
    static func eraseOld(at now: Instant, in db: Connection) throws -> Int {
        try db.execute("DELETE FROM invitation WHERE expires_at < \(now - Keeping.linkMemory)")
    }
}

extension InvitationTree {
    init(around account: ID<Account>, in zone: Zone, db: Connection) throws {
        let columns: SQL = "account.id, account.username, account.created_at, account.suspended_at IS NOT NULL"
        func leaf(_ row: inout Row) throws -> Leaf {
            Leaf(
                account: try row.next(), username: try row.next(),
                since: zone.day(of: try row.next()).name, isSuspended: try row.next())
        }
        inviter = try db.first(
            """
            SELECT \(columns) FROM account JOIN account AS invited ON invited.inviter_id = account.id
            WHERE invited.id = \(account)
            """, leaf)
        invited = try db.all(
            """
            SELECT \(columns) FROM account WHERE inviter_id = \(account) ORDER BY id LIMIT \(Self.limit)
            """, leaf)
    }
}
