import Database

extension Colleague.Duty: SQLValue {}
extension TeamAct.Verb: SQLValue {}

extension Colleague {
    // MARK: Who they are

    /// The team of an organization, its owner first.
    static func all(of host: ID<Account>, in db: Connection) throws -> [Colleague] {
        let who: SQL = "account.id, account.username, \(Person.shownName)"
        let person: SQL = "LEFT JOIN person ON person.account_id = account.id"
        let owner: Colleague? = try db.first(
            """
            SELECT \(who), \(Duty.owner), provider.created_at FROM account \(person)
            JOIN provider ON provider.account_id = account.id WHERE account.id = \(host)
            """, read)
        return try [owner].compactMap(\.self)
            + db.all(
                """
                SELECT \(who), colleague.duty, colleague.since
                FROM colleague JOIN account ON account.id = colleague.account_id \(person)
                WHERE colleague.host_id = \(host) ORDER BY colleague.since, colleague.account_id LIMIT 100
                """, read)
    }

    private static func read(_ row: inout Row) throws -> Colleague {
        Colleague(
            account: try row.next(), username: try row.next(), name: try row.next(), duty: try row.next(),
            since: try row.next())
    }

    /// A member's current duty at an organization; nil if none.
    static func duty(of account: ID<Account>, for host: ID<Account>, in db: Connection) throws -> Duty? {
        if account == host { return .owner }
        return try db.value(
            "SELECT duty FROM colleague WHERE account_id = \(account) AND host_id = \(host)")
    }

    /// The new owner of the organization that the member with this user name handed over.
    static func heir(ofOwner username: String, in db: Connection) throws -> String? {
        try db.value(
            """
            SELECT host.username FROM account JOIN colleague ON colleague.account_id = account.id
            JOIN account AS host ON host.id = colleague.host_id
            WHERE account.username = \(username) AND colleague.was_owner AND host.suspended_at IS NULL
            """)
    }

    // MARK: Acting

    /// Makes sure, within the transaction, that a member may still act for the organization.
    ///
    /// - Parameter least: The minimum duty required.
    /// - Throws: `Refusal.notAllowed`.
    static func require(_ least: Duty, of member: Visitor, for host: ID<Account>, in db: Connection) throws {
        let duty = try duty(of: member.account, for: host, in: db)
        guard duty == .owner || duty == .edit || duty == least else { throw Refusal.notAllowed }
    }

    /// The account as which a member edits, asked within the transaction: their own if the other one let them go.
    static func editing(_ member: Visitor, in db: Connection) throws -> ID<Account> {
        let duty = try duty(of: member.account, for: member.editing, in: db)
        return duty == .owner || duty == .edit ? member.editing : member.account
    }

    /// Makes sure, within the transaction, that a member may still act for the organization, and records the action
    /// under their own name; records nothing if the owner has no colleagues.
    ///
    /// - Parameters:
    ///   - title: The name of the object.
    ///   - host: The organization, if it isn't the account they act for.
    ///   - least: The minimum duty required.
    ///   - isNew: Whether this press did something. If an earlier press did it already, it isn't recorded again.
    /// - Throws: `Refusal.notAllowed`.
    static func authorize(
        _ verb: TeamAct.Verb, _ title: String = "", of host: ID<Account>? = nil, by member: Visitor,
        as least: Duty = .edit, isNew: Bool = true, in tx: Transaction
    ) throws {
        let host = host ?? member.acting
        try require(least, of: member, for: host, in: tx)
        if isNew { try note(verb, title, of: host, by: member.account, in: tx) }
    }

    /// Records an action if several people look after the organization, from the first invitation on.
    ///
    /// - Parameter other: The person it affects.
    static func note(
        _ verb: TeamAct.Verb, _ title: String = "", to other: ID<Account>? = nil, of host: ID<Account>,
        by account: ID<Account>, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO team_act (host_id, account_id, verb, title, about_id, at)
            SELECT \(host), \(account), \(verb), \(title), \(other), \(tx.now)
            WHERE \(account != host || verb == .invited) OR EXISTS (SELECT 1 FROM colleague WHERE host_id = \(host))
                OR EXISTS (SELECT 1 FROM team_act WHERE host_id = \(host))
            """)
    }

    /// The accounts to notify of something at an organization, as a condition on `account`: its owner and the
    /// colleagues with access to it.
    ///
    /// - Parameters:
    ///   - others: A query for more accounts.
    ///   - doer: The member who did it, who isn't notified.
    static func told(
        of kind: NoticeKind, at host: ID<Account>, and others: SQL? = nil, by doer: ID<Account>? = nil
    ) -> SQL {
        guard !kind.colleagues.isEmpty else { return "account.id = \(host)" }
        let others: SQL = others.map { " UNION ALL \($0)" } ?? ""
        return """
            account.id IN (SELECT \(host) UNION ALL SELECT colleague.account_id FROM colleague
                WHERE colleague.host_id = \(host) AND colleague.duty IN \(list: kind.colleagues)
                    AND colleague.account_id <> \(doer ?? ID(0))\(others))
            """
    }

    // MARK: Inviting

    /// Makes an invitation link.
    ///
    /// - Throws: `Obstacle.full`.
    static func invite(_ token: Token, to duty: Duty, by owner: ID<Account>, in tx: Transaction) throws {
        guard try count(of: owner, in: tx) < most else { throw Obstacle.full }
        try OneTimeLink.insert(token, .colleague, of: owner, detail: duty.rawValue, until: tx.now + invitation, in: tx)
        try note(.invited, duty.rawValue, of: owner, by: owner, in: tx)
    }

    /// The number of colleagues and open invitations.
    private static func count(of owner: ID<Account>, in tx: Transaction) throws -> Int {
        let open = try OneTimeLink.open(.colleague, of: owner, in: tx).count
        return try open + (tx.value("SELECT count(*) FROM colleague WHERE host_id = \(owner)") ?? 0)
    }

    /// The open invitations, oldest first.
    static func open(by owner: ID<Account>, in tx: Transaction) throws -> [Open] {
        try OneTimeLink.open(.colleague, of: owner, in: tx).compactMap { link in
            Duty(rawValue: link.detail).map { Open(id: link.id, duty: $0, until: link.expiresAt) }
        }
    }

    /// The invitation behind a link, or why it no longer works; nil for a link that never existed.
    static func find(_ token: Token, in tx: Transaction) throws -> LinkState<Invitation>? {
        try OneTimeLink.find(token, .colleague, in: tx)?.opening { link in
            guard let duty = Duty(rawValue: link.detail) else { return nil }
            return try tx.first(
                """
                SELECT provider.organization FROM provider JOIN account ON account.id = provider.account_id
                WHERE account.id = \(link.account) AND account.suspended_at IS NULL
                """
            ) { Invitation(host: link.account, organization: try $0.next(), duty: duty) }
        }
    }

    /// The obstacle to accepting an invitation; nil if there is none.
    static func obstacle(to invitation: Invitation, for account: ID<Account>, in db: Connection) throws -> Obstacle? {
        if invitation.host == account { return .own }
        // Neither is told about a block.
        if try Block.stands(between: account, and: invitation.host, in: db) { throw Refusal.notFound }
        let isTaken = try db.exists(
            """
            SELECT 1 FROM provider WHERE account_id = \(account)
            UNION ALL SELECT 1 FROM colleague WHERE account_id = \(account)
            """)
        return isTaken ? .taken : nil
    }

    /// Accepts an invitation: from now on the member acts for the organization under the provider's hat.
    ///
    /// - Throws: `Obstacle`; `Refusal.notFound` or `LinkEnd` for an invalid link.
    static func join(_ token: Token, by member: Visitor, in tx: Transaction) throws {
        guard let invitation = try find(token, in: tx)?.opened() else { throw Refusal.notFound }
        let account = member.account
        if let obstacle = try obstacle(to: invitation, for: account, in: tx) { throw obstacle }
        try OneTimeLink.use(token, in: tx)
        try tx.execute(
            """
            INSERT INTO colleague (account_id, host_id, duty, since)
            VALUES (\(account), \(invitation.host), \(invitation.duty), \(tx.now))
            """)
        try Session.wear(.provider, in: member.session, of: account, in: tx)
        try note(.joined, invitation.duty.rawValue, of: invitation.host, by: account, in: tx)
        var news = TeamNews(.joined, ID(account.rawValue), invitation.organization)
        news.who = TeamNews.Who(name: try shownName(of: account, in: tx), duty: invitation.duty)
        try news.tell(invitation.host, in: tx)
    }

    /// A member's name.
    static func shownName(of account: ID<Account>, in db: Connection) throws -> String {
        try db.value(
            """
            SELECT \(Person.shownName) FROM account LEFT JOIN person ON person.account_id = account.id
            WHERE account.id = \(account)
            """) ?? "–"
    }

    /// The name of an organization.
    static func name(of host: ID<Account>, in db: Connection) throws -> String {
        try db.value("SELECT organization FROM provider WHERE account_id = \(host)") ?? "–"
    }

    /// The organization that a member looks after but can't act for, because its owner is suspended; nil if there is
    /// none.
    static func resting(_ member: Visitor, in db: Connection) throws -> String? {
        guard member.host != member.account, member.provider == nil else { return nil }
        return try name(of: member.host, in: db)
    }

    /// The number of colleagues.
    static func countBeside(_ owner: ID<Account>, in db: Connection) throws -> Int {
        try db.value("SELECT count(*) FROM colleague WHERE host_id = \(owner)") ?? 0
    }
}

extension TeamAct {
    /// The team's actions, newest first.
    static func all(of host: ID<Account>, in db: Connection) throws -> [TeamAct] {
        try db.all(
            """
            SELECT CASE WHEN account.id IS NULL THEN NULL ELSE \(Person.shownName) END, team_act.verb, team_act.title,
                (SELECT \(Person.shownName) FROM account LEFT JOIN person ON person.account_id = account.id
                    WHERE account.id = team_act.about_id),
                team_act.at
            FROM team_act LEFT JOIN account ON account.id = team_act.account_id
            LEFT JOIN person ON person.account_id = account.id
            WHERE team_act.host_id = \(host) ORDER BY team_act.id DESC LIMIT \(shown)
            """
        ) {
            TeamAct(
                by: try $0.next(), verb: try $0.next(), title: try $0.next(), about: try $0.next(), at: try $0.next())
        }
    }

    /// The colleague who last did that to the object with this title; nil if it was `reader`, or unknown.
    static func last(
        _ verb: Verb, _ title: String = "", of host: ID<Account>, besides reader: ID<Account>, in db: Connection
    ) throws -> String? {
        let found: (ID<Account>?, String?)? = try db.first(
            """
            SELECT account.id, \(Person.shownName)
            FROM team_act LEFT JOIN account ON account.id = team_act.account_id
            LEFT JOIN person ON person.account_id = account.id
            WHERE team_act.host_id = \(host) AND team_act.verb = \(verb) AND team_act.title = \(title)
            ORDER BY team_act.id DESC LIMIT 1
            """
        ) { (try $0.next(), try $0.next()) }
        return found?.0 == reader ? nil : found?.1
    }

    /// Erases old entries.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM team_act WHERE at < \(tx.now - memory)")
    }
}

extension TeamPage {
    /// The team's page for one of its members.
    ///
    /// - Throws: `Refusal.notFound`.
    init(of host: ID<Account>, for member: Visitor, in zone: Zone, tx: Transaction) throws {
        guard let duty = try Colleague.duty(of: member.account, for: host, in: tx),
            let provider = try Provider.find(of: host, in: tx)
        else { throw Refusal.notFound }
        self.init(
            organization: provider.organization, duty: duty, reader: member.account,
            people: try Colleague.all(of: host, in: tx),
            open: duty == .owner ? try Colleague.open(by: host, in: tx) : [],
            acts: duty == .roster ? [] : try TeamAct.all(of: host, in: tx), zone: zone)
    }

    /// The team's page for staff.
    init(asStaff provider: Provider, in zone: Zone, db: Connection) throws {
        self.init(
            organization: provider.organization, duty: .edit, reader: ID(0),
            people: try Colleague.all(of: provider.account, in: db), open: [],
            acts: try TeamAct.all(of: provider.account, in: db), zone: zone)
    }
}
