import Database

extension Invitation {
    /// Makes an invitation link.
    ///
    /// - Parameter isChallenge: Whether it also challenges a friend to a kind act: more of those may be open. If the
    ///   site is by invitation only, both count alike.
    /// - Throws: `TooMany`.
    static func make(
        _ token: Token, for whom: String, isChallenge: Bool = false, by account: ID<Account>, in tx: Transaction
    ) throws {
        try requireRoom(isChallenge: isChallenge, of: account, in: tx)
        let kind: OneTimeLink.Kind = isChallenge ? .challenge : .invitation
        try OneTimeLink.insert(token, kind, of: account, detail: whom, until: tx.now + lifetime, in: tx)
    }

    /// Makes sure that another one may be opened.
    ///
    /// - Throws: `TooMany`.
    static func requireRoom(isChallenge: Bool, of account: ID<Account>, in tx: Transaction) throws {
        let isOnlyWay = try Town(in: tx).joining == .invitation
        let kind: OneTimeLink.Kind = isChallenge ? .challenge : .invitation
        let most = isChallenge && !isOnlyWay ? mostChallenges : most
        let counted: [OneTimeLink.Kind] = isOnlyWay ? [.invitation, .challenge] : [kind]
        let count = try counted.reduce(0) { count, kind in
            try count + OneTimeLink.open(kind, of: account, in: tx).count
        }
        guard count < most else { throw TooMany() }
    }

    /// The open invitations without a challenge, oldest first.
    static func open(of account: ID<Account>, in tx: Transaction) throws -> [Invitation] {
        try OneTimeLink.open(.invitation, of: account, in: tx).map { link in
            Invitation(id: link.id, whom: link.detail, expiresAt: link.expiresAt)
        }
    }

    /// The invitation behind a link, or why it no longer works; nil for a link that never existed, or if its member
    /// can't invite anyone.
    static func find(_ token: Token, in tx: Transaction) throws -> LinkState<Open>? {
        try OneTimeLink.find(token, .invitation, .challenge, .siteInvitation, in: tx)?.opening { link in
            let isChallenge = link.kind == .challenge
            // An invitation of the site stays one even if the admin who sent it is a member like others now.
            let isBySite = link.kind == .siteInvitation
            return try tx.first(
                """
                SELECT \(Person.shownName), account.is_staff OR \(isBySite),
                    CASE WHEN account.is_staff OR \(isBySite) THEN NULL ELSE coalesce(account.branch_id, account.id) END
                FROM account LEFT JOIN person ON person.account_id = account.id
                WHERE account.id = \(link.account) AND account.suspended_at IS NULL AND account.left_at IS NULL
                """
            ) { row in
                let (name, isByStaff): (String, Bool) = (try row.next(), try row.next())
                return Open(
                    id: link.id, inviter: link.account, name: isChallenge ? firstName(name) : name,
                    branch: try row.next(), isByStaff: isByStaff, isChallenge: isChallenge,
                    isBySite: isBySite)
            }
        }
    }

    /// Uses up the invitation, in the transaction that creates the account.
    ///
    /// - Throws: `LinkEnd` if somebody else was faster.
    static func use(_ open: Open, for account: ID<Account>, in db: Connection) throws {
        guard try OneTimeLink.use(open.id, in: db) else { throw LinkEnd(.invitation, .used) }
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
