import Database

extension Session {
    /// The visitor for a session's token, if the session is still valid.
    static func visitor(_ tokenHash: [UInt8], in tx: Transaction) throws -> Visitor? {
        try tx.first(
            """
            SELECT session.created_at, \(Role.columns), session.seen_at, session.id, session.csrf, session.hat,
                account.id, coalesce(guardian.head_id, account.id), coalesce(colleague.host_id, account.id),
                CASE WHEN provider.id IS NULL THEN NULL ELSE coalesce(colleague.duty, \(Colleague.Duty.owner)) END,
                account.username, account.unread, account.email,
                account.confirmed_at IS NOT NULL, account.refused_at IS NOT NULL,
                account.two_step_by, CASE WHEN account.is_staff THEN (SELECT coalesce(max(id), 0) FROM staff_act) END,
                \(Preferences.columns), account.limited_until, host.limited_until, account.waits_since IS NOT NULL,
                account.is_neighbor, account.created_at, \(Visitor.FamilyBadge.columns),
                \(Visitor.ProviderBadge.columns), \(Portrait.ofPerson)
            FROM session
            JOIN account ON account.id = session.account_id
            LEFT JOIN person ON person.account_id = account.id
            LEFT JOIN family ON family.account_id = account.id
            LEFT JOIN guardian ON guardian.account_id = account.id
            LEFT JOIN family AS shared ON shared.account_id = guardian.head_id
            LEFT JOIN colleague ON colleague.account_id = account.id
            LEFT JOIN account AS host ON host.id = colleague.host_id
            LEFT JOIN provider ON provider.account_id = coalesce(colleague.host_id, account.id)
                AND host.suspended_at IS NULL
            WHERE session.token_hash = \(tokenHash) AND account.suspended_at IS NULL AND account.left_at IS NULL
            """
        ) { row in
            let (createdAt, role, seenAt): (Instant, Role, Instant) =
                (try row.next(), try row.next(), try row.next())
            let end = Session.end(createdAt: createdAt, seenAt: seenAt, isStaff: role.isStaff)
            guard tx.now < end else { return nil }
            let (id, csrf, hat): (ID<Session>, [UInt8], Hat?) = (try row.next(), try row.next(), try row.next())
            return Visitor(
                session: id, end: end, csrf: csrf, hat: hat, account: try row.next(),
                head: try row.next(), host: try row.next(), duty: try row.next(), username: try row.next(),
                unread: try row.next(), email: try row.next(), reach: try reach(&row), twoStepBy: try row.next(),
                staffLog: try row.next(),
                preferences: try row.next(),
                limitedUntil: try limit(&row, under: hat),
                isWaiting: try row.next(),
                isNeighbor: try row.next() as Bool && hat == nil,
                createdAt: try row.next(),
                role: role,
                seenAt: seenAt,
                family: try row.next(),
                provider: try row.next(), own: try row.next())
        } ?? nil
    }

    private static func reach(_ row: inout Row) throws -> MailReach {
        let (isConfirmed, isRefused): (Bool, Bool) = (try row.next(), try row.next())
        return isRefused ? .refused : isConfirmed ? .confirmed : .unconfirmed
    }

    /// Until when a member is restricted to reading; an organization's restriction applies to all who act for it.
    private static func limit(_ row: inout Row, under hat: Hat?) throws -> Instant? {
        let (own, owners): (Instant?, Instant?) = (try row.next(), try row.next())
        guard hat == .provider, let owners else { return own }
        return own.map { max($0, owners) } ?? owners
    }

    /// The account of a valid session, and its number of unread notices.
    static func owner(of id: ID<Session>, in tx: Transaction) throws -> (account: ID<Account>, unread: Int)? {
        try tx.first(
            """
            SELECT session.created_at, session.seen_at, account.is_staff, account.id, account.unread
            FROM session JOIN account ON account.id = session.account_id
            WHERE session.id = \(id) AND account.suspended_at IS NULL AND account.left_at IS NULL
            """
        ) { row in
            let holds = Session.holds(
                createdAt: try row.next(), seenAt: try row.next(), isStaff: try row.next(), at: tx.now)
            return holds ? (try row.next(), try row.next()) : nil
        } ?? nil
    }

    /// Starts a session under the account's last hat.
    ///
    /// - Parameter old: The token of this browser’s previous session, even an expired one. That session ends; if it
    ///   belonged to the same member, its push subscription is transferred.
    static func start(
        _ token: Token, for account: ID<Account>, after old: Token? = nil, device: String, network: String = "",
        in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO session (token_hash, account_id, csrf, hat, device, network, created_at, seen_at)
            SELECT \(token.hash), id, \(CSRF.fresh()), last_hat, \(device), \(network), \(tx.now), \(tx.now)
            FROM account WHERE id = \(account)
            """)
        if let old {
            try tx.execute(
                """
                UPDATE push_subscription SET session_id = (SELECT id FROM session WHERE token_hash = \(token.hash))
                WHERE account_id = \(account)
                    AND session_id = (SELECT id FROM session WHERE token_hash = \(old.hash))
                """)
            try tx.execute("DELETE FROM session WHERE token_hash = \(old.hash)")
        }
        try TwoStep.askStaff(account, in: tx)
        // An account has at most ten sessions.
        try tx.execute(
            """
            DELETE FROM session WHERE account_id = \(account) AND id NOT IN
                (SELECT id FROM session WHERE account_id = \(account) ORDER BY seen_at DESC, id DESC LIMIT 10)
            """)
    }

    static func touch(_ id: ID<Session>, in tx: Transaction) throws {
        try tx.execute("UPDATE session SET seen_at = \(tx.now) WHERE id = \(id)")
    }

    /// Gives the session a new token, for example after a change of rights.
    static func renew(_ id: ID<Session>, _ token: Token, in db: Connection) throws {
        try db.execute("UPDATE session SET token_hash = \(token.hash), csrf = \(CSRF.fresh()) WHERE id = \(id)")
    }

    static func wear(_ hat: Hat, in session: ID<Session>, of account: ID<Account>, in db: Connection) throws {
        try db.execute("UPDATE session SET hat = \(hat) WHERE id = \(session)")
        try db.execute("UPDATE account SET last_hat = \(hat), is_neighbor = FALSE WHERE id = \(account)")
    }

    /// Takes the hat off, for a member who is here as a neighbor.
    static func wearNone(in session: ID<Session>, of account: ID<Account>, in db: Connection) throws {
        try db.execute("UPDATE session SET hat = NULL WHERE id = \(session)")
        try db.execute("UPDATE account SET last_hat = NULL, is_neighbor = TRUE WHERE id = \(account)")
    }

    /// Logs a member out of a browser, which also ends its push messages.
    static func end(_ id: ID<Session>, of account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM session WHERE id = \(id) AND account_id = \(account)")
    }

    /// Logs a member out everywhere except in the current session.
    static func endAll(of account: ID<Account>, but kept: ID<Session>? = nil, in db: Connection) throws {
        try db.execute("DELETE FROM session WHERE account_id = \(account) AND id <> \(kept ?? ID(0))")
    }

    static func all(of account: ID<Account>, in db: Connection) throws -> [Session] {
        try db.all(
            """
            SELECT id, device, network, created_at, seen_at FROM session WHERE account_id = \(account)
            ORDER BY seen_at DESC, id DESC LIMIT 10
            """
        ) {
            Session(
                id: try $0.next(), device: try $0.next(), network: try $0.next(), createdAt: try $0.next(),
                seenAt: try $0.next())
        }
    }
}

extension Visitor.FamilyBadge: RowDecodable {
    static let columns: Columns = [
        "coalesce(shared.id, family.id)", "family.first_name", "family.city", "family.zip", "family.country",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), firstName: try row.next(), city: try row.next(), zip: try row.next(),
            country: try row.next())
    }
}

extension Visitor.ProviderBadge: RowDecodable {
    static let columns: Columns = ["provider.id", "provider.organization", Portrait.ofProvider]

    init(row: inout Row) throws {
        self.init(id: try row.next(), organization: try row.next(), portrait: try row.next())
    }
}
