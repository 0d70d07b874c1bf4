import Database

extension Guardian {
    // MARK: Whose children they are

    /// The account under which the children that this account looks after are registered: another parent's, or its own.
    static func head(of account: ID<Account>, in db: Connection) throws -> ID<Account> {
        try db.value("SELECT head_id FROM guardian WHERE account_id = \(account)") ?? account
    }

    /// A condition on `registration` and `registration_person`: the account's own participation and that of the
    /// children they look after, but not the other parent's own.
    static func bookings(of account: ID<Account>, in db: Connection) throws -> SQL {
        bookings(of: account, head: try head(of: account, in: db))
    }

    /// The same condition, if the head of the children's family is known.
    static func bookings(of account: ID<Account>, head: ID<Account>) -> SQL {
        if head == account { return "registration.account_id = \(account)" }
        return """
            registration.account_id IN (\(account), \(head))
                AND (registration.account_id = \(account) OR NOT registration_person.is_self)
            """
    }

    /// The second account that looks after a family's children.
    static func second(of head: ID<Account>, in db: Connection) throws -> ID<Account>? {
        try db.value("SELECT account_id FROM guardian WHERE head_id = \(head)")
    }

    /// The other parent who looks after the same children; nil if there is none.
    static func beside(_ account: ID<Account>, in db: Connection) throws -> Guardian? {
        try db.first(
            """
            SELECT family.first_name || ' ' || family.last_name, guardian.since, guardian.head_id = \(account)
            FROM guardian JOIN family ON family.account_id =
                CASE WHEN guardian.head_id = \(account) THEN guardian.account_id ELSE guardian.head_id END
            WHERE guardian.account_id = \(account) OR guardian.head_id = \(account)
            """
        ) { Guardian(name: try $0.next(), since: try $0.next(), isHead: try $0.next()) }
    }

    // MARK: Inviting

    /// Makes a link for the other parent to join; it ends an earlier one.
    ///
    /// - Throws: `Obstacle.complete`.
    static func invite(_ token: Token, by head: ID<Account>, in tx: Transaction) throws {
        guard try beside(head, in: tx) == nil else { throw Obstacle.complete }
        try withdraw(by: head, in: tx)
        try OneTimeLink.insert(token, .guardian, of: head, until: tx.now + invitation, in: tx)
    }

    /// Withdraws an open invitation.
    static func withdraw(by head: ID<Account>, in db: Connection) throws {
        try OneTimeLink.withdrawAll(.guardian, of: head, in: db)
    }

    /// Until when an account's invitation is valid; nil if none is open.
    static func openUntil(by head: ID<Account>, in tx: Transaction) throws -> Instant? {
        try OneTimeLink.open(.guardian, of: head, in: tx).first?.expiresAt
    }

    /// The invitation behind a link, or why it no longer works; nil for a link that never existed.
    static func find(_ token: Token, in tx: Transaction) throws -> LinkState<Invitation>? {
        try OneTimeLink.find(token, .guardian, in: tx)?.opening { link in
            try tx.first(
                """
                SELECT family.first_name || ' ' || family.last_name
                FROM family JOIN account ON account.id = family.account_id
                WHERE account.id = \(link.account) AND account.suspended_at IS NULL
                """
            ) { Invitation(head: link.account, name: try $0.next()) }
        }
    }

    /// The obstacle to accepting an invitation; nil if there is none.
    static func obstacle(
        to invitation: Invitation, for account: ID<Account>, of family: ID<Family>, in db: Connection
    ) throws -> Obstacle? {
        if invitation.head == account { return .own }
        let isTaken = try db.exists(
            """
            SELECT 1 FROM guardian WHERE account_id IN (\(account), \(invitation.head))
                OR head_id IN (\(account), \(invitation.head))
            """)
        if isTaken { return try beside(account, in: db) == nil ? .complete : .hasChildren }
        let own = try db.exists("SELECT 1 FROM child WHERE family_id = \(family)")
        let places = try db.exists(
            """
            SELECT 1 FROM registration JOIN registration_person
                ON registration_person.registration_id = registration.id
                    AND registration_person.child_id IS NOT NULL AND registration_person.cancelled_at IS NULL
            WHERE registration.account_id = \(account)
            """)
        return own || places ? .hasChildren : nil
    }

    /// Accepts an invitation: from now on both parents see and register the children.
    ///
    /// - Throws: `Obstacle`; `Refusal.notFound` or `LinkEnd` for an invalid link.
    static func join(_ token: Token, by account: ID<Account>, of family: ID<Family>, in tx: Transaction) throws {
        guard let invitation = try find(token, in: tx)?.opened() else { throw Refusal.notFound }
        if let obstacle = try obstacle(to: invitation, for: account, of: family, in: tx) { throw obstacle }
        try OneTimeLink.use(token, in: tx)
        // A member who accepted an invitation can't invite others to their own, empty list.
        try withdraw(by: account, in: tx)
        try tx.execute(
            """
            INSERT INTO guardian (account_id, head_id, since) VALUES (\(account), \(invitation.head), \(tx.now))
            """)
        try tell(.guardianOn, invitation.head, in: tx)
    }

    /// Notifies a parent that the other one joined or left.
    static func tell(_ kind: NoticeKind, _ account: ID<Account>, in tx: Transaction) throws {
        try Notice.tell(.init(kind: kind), "account.id = \(account)", in: tx)
    }
}
