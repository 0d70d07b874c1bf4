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
        try requireRoom(isChallenge: isChallenge, of: account, at: now, in: db)
        let kind: OneTimeLink.Kind = isChallenge ? .challenge : .invitation
        try OneTimeLink.insert(token, kind, of: account, detail: whom, until: now + lifetime, in: db)
    }

    /// Makes sure that one more may be open.
    ///
    /// - Throws: `TooMany`.
    static func requireRoom(isChallenge: Bool, of account: ID<Account>, at now: Instant, in db: Connection) throws {
        let isOnlyWay = try Town(in: db).joining == .invitation
        let kind: OneTimeLink.Kind = isChallenge ? .challenge : .invitation
        let most = isChallenge && !isOnlyWay ? Challenge.most : most
        let counted: [OneTimeLink.Kind] = isOnlyWay ? [.invitation, .challenge] : [kind]
        let count = try counted.reduce(0) { count, kind in
            try count + OneTimeLink.open(kind, of: account, at: now, in: db).count
        }
        guard count < most else { throw TooMany() }
    }

    /// Those that can be taken up and ask for nothing else, the first first.
    static func open(of account: ID<Account>, at now: Instant, in db: Connection) throws -> [Invitation] {
        try OneTimeLink.open(.invitation, of: account, at: now, in: db).map { link in
            Invitation(id: link.id, whom: link.detail, expiresAt: link.expiresAt)
        }
    }

    /// What a link invites to, or why it doesn't anymore; nil for a link that never was, or whose member may invite
    /// nobody.
    static func find(_ token: Token, at now: Instant, in db: Connection) throws -> LinkState<Open>? {
        try OneTimeLink.find(token, .invitation, .challenge, at: now, in: db)?.opening { link in
            let isChallenge = link.kind == .challenge
            return try db.first(
                """
                SELECT \(Person.shownName), account.is_staff,
                    CASE WHEN account.is_staff THEN NULL ELSE coalesce(account.branch_id, account.id) END
                FROM account LEFT JOIN person ON person.account_id = account.id
                WHERE account.id = \(link.account) AND account.suspended_at IS NULL AND account.left_at IS NULL
                """
            ) { row in
                let (name, isByStaff): (String, Bool) = (try row.next(), try row.next())
                return Open(
                    id: link.id, inviter: link.account, name: isChallenge ? Challenge.firstName(name) : name,
                    branch: try row.next(), isByStaff: isByStaff, isChallenge: isChallenge)
            }
        }
    }

    /// Takes it up, in the transaction that makes the account: it is good once.
    ///
    /// - Throws: `Refusal.linkEnded` where somebody else was first.
    static func use(_ open: Open, for account: ID<Account>, in db: Connection) throws {
        guard try OneTimeLink.use(open.id, in: db) else { throw Refusal.linkEnded(LinkEnd(.invitation, .used)) }
        try db.execute(
            "UPDATE account SET inviter_id = \(open.inviter), branch_id = \(open.branch) WHERE id = \(account)")
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
