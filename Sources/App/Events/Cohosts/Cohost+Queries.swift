import Database

extension Cohost.State: SQLValue {}

extension Cohost {
    // MARK: Rights

    /// A condition on `cohost` and its `event`: the member co-hosts it with the neighbor who posted it, and neither is
    /// suspended. If the host has a list of names, nobody else may read it.
    private static let isActive: SQL = """
        cohost.state = \(State.taken) AND NOT \(Event.hasList)
            AND \(Account.isActive("event.account_id")) AND \(Account.isActive("cohost.account_id"))
        """

    /// The host of an event that an account co-hosts; nil if it doesn't.
    static func host(of event: ID<Event>, with account: ID<Account>, in db: Connection) throws -> ID<Account>? {
        try db.value(
            """
            SELECT event.account_id FROM cohost JOIN event ON event.id = cohost.event_id
            WHERE cohost.account_id = \(account) AND cohost.event_id = \(event) AND \(isActive)
            """)
    }

    /// The host of a question's event that an account co-hosts; nil also for a question to the host only.
    static func host(of question: Question, with account: ID<Account>, in db: Connection) throws -> ID<Account>? {
        try question.isPrivate ? nil : host(of: question.event, with: account, in: db)
    }

    /// The account as which a member acts at an event: the host's if they co-host it, otherwise the usual one.
    static func acting(_ member: Visitor, at event: ID<Event>, in db: Connection) throws -> ID<Account> {
        try host(of: event, with: member.account, in: db) ?? member.acting
    }

    /// Makes sure, within the transaction, that a member may still act as the host of an event, for its organization or
    /// as a co-host, and records the action under their own name as `Colleague.authorize` does.
    ///
    /// - Throws: `Refusal.notAllowed`.
    static func authorize(
        _ verb: TeamAct.Verb, _ title: String, of host: ID<Account>, at event: ID<Event>, by member: Visitor,
        as least: Colleague.Duty = .edit, isNew: Bool = true, in tx: Transaction
    ) throws {
        guard try self.host(of: event, with: member.account, in: tx) == host else {
            return try Colleague.authorize(verb, title, of: host, by: member, as: least, isNew: isNew, in: tx)
        }
        if isNew { try Colleague.note(verb, title, of: host, by: member.account, in: tx) }
    }

    /// The events that an account co-hosts, newest first.
    static func events(of account: ID<Account>, in db: Connection) throws -> [ID<Event>] {
        try db.all(
            """
            SELECT cohost.event_id FROM cohost JOIN event ON event.id = cohost.event_id
            WHERE cohost.account_id = \(account) AND \(isActive)
            ORDER BY cohost.event_id DESC LIMIT \(mostEvents)
            """
        ) { try $0.next() }
    }

    /// A condition on `event`: it is one of these.
    static func isOne(of shared: [ID<Event>]) -> SQL {
        "event.id IN \(list: shared.padded(to20Or: mostEvents))"
    }

    /// The accounts that co-host an event.
    static func accounts(at event: ID<Event>, besides doer: ID<Account>?) -> SQL {
        """
        SELECT cohost.account_id FROM cohost
        WHERE cohost.event_id = \(event) AND cohost.state = \(State.taken) AND cohost.account_id <> \(doer ?? ID(0))
        """
    }

    /// The events to come that an account hosts together with others, the next ones first, also while it is suspended
    /// and looks after none of them: for those who look after the site.
    static func upcoming(of account: ID<Account>, in tx: Transaction) throws -> [(event: ID<Event>, title: String)] {
        try tx.all(
            """
            SELECT event.id, event.title FROM cohost JOIN event ON event.id = cohost.event_id
            WHERE cohost.account_id = \(account) AND cohost.state = \(State.taken) AND event.ends_at > \(tx.now)
            ORDER BY cohost.event_id DESC LIMIT 20
            """
        ) { (try $0.next(), try $0.next()) }
    }

    /// The most events of one account that its lists look through.
    static let mostEvents = 100

    // MARK: Co-hosts and invitations

    private static let columns: Columns = ["cohost.id", "cohost.typed", "cohost.at", "cohost.state"]

    /// An event's co-hosts, as visible to a member.
    ///
    /// - Parameters:
    ///   - reader: Nil for staff.
    ///   - withResting: Whether to include suspended ones, for the host, because they count toward the limit.
    static func all(
        of event: ID<Event>, for reader: ID<Account>?, withResting: Bool = false, in db: Connection
    ) throws -> [Cohost] {
        let isHere: SQL = withResting ? "" : " AND account.suspended_at IS NULL"
        return try db.all(
            """
            SELECT cohost.id, cohost.at, account.suspended_at IS NOT NULL, \(Author.columns)
            FROM cohost JOIN account ON account.id = cohost.account_id
            LEFT JOIN person ON person.account_id = account.id
            WHERE cohost.event_id = \(event) AND cohost.state = \(State.taken)\(isHere)
                AND NOT \(Block.hides("account.id", from: reader))
            ORDER BY cohost.id LIMIT \(most)
            """
        ) { row in
            let (id, since, isResting): (ID<Cohost>, Instant, Bool) =
                (try row.next(), try row.next(), try row.next())
            return Cohost(id: id, author: try row.next(), typed: "", since: since, isResting: isResting)
        }
    }

    /// The host's open invitations, including those to names that don't exist.
    fileprivate static func asked(of event: ID<Event>, in tx: Transaction) throws -> [Cohost] {
        try tx.all(
            """
            SELECT id, typed, at FROM cohost
            WHERE event_id = \(event) AND \(isOpen(tx.now)) ORDER BY id LIMIT \(most)
            """
        ) { Cohost(id: try $0.next(), author: nil, typed: try $0.next(), since: try $0.next()) }
    }

    /// What counts as an open invitation for the host.
    private static func isOpen(_ now: Instant) -> SQL {
        "cohost.state <> 'taken' AND cohost.is_listed AND cohost.at > \(now - invitation)"
    }

    /// Whether somebody is invited and can accept.
    fileprivate static func isAsked(_ account: ID<Account>, of event: ID<Event>, in tx: Transaction) throws -> Bool {
        try tx.exists(
            """
            SELECT 1 FROM cohost JOIN event ON event.id = cohost.event_id
            WHERE cohost.account_id = \(account) AND cohost.event_id = \(event) AND \(canSayYes(tx.now))
            """)
    }

    /// Whether somebody was invited and can’t accept anymore: the event is over, canceled or hidden, or the time is up.
    static func isTooLate(_ account: ID<Account>, of event: ID<Event>, in tx: Transaction) throws -> Bool {
        let wasAsked = try tx.exists(
            """
            SELECT 1 FROM cohost
            WHERE account_id = \(account) AND event_id = \(event) AND state = \(State.asked)
            """)
        return try wasAsked && !isAsked(account, of: event, in: tx)
    }

    /// A condition on `cohost` and its `event`: the invitation can be accepted.
    static func canSayYes(_ now: Instant) -> SQL {
        """
        cohost.state = \(State.asked) AND cohost.at > \(now - invitation) AND event.cancelled_at IS NULL
            AND event.ends_at > \(now) AND event.hidden_at IS NULL AND \(Account.isActive("event.account_id"))
        """
    }

    // MARK: Inviting

    /// Invites a member. The result looks the same to the host whether or not there is somebody to invite: an unknown
    /// address or name, a blocked or suspended member, or one who co-hosts it already or declined.
    ///
    /// - Parameter who: See ``key(of:)``.
    /// - Throws: `Obstacle`.
    static func ask(_ who: String, to event: Event, in tx: Transaction) throws {
        guard event.takesCohosts(at: tx.now) else { throw Obstacle.over }
        let isThere = try tx.exists(
            "SELECT 1 FROM cohost WHERE event_id = \(event.id) AND typed = \(who) AND \(isOpen(tx.now))")
        if isThere { return }
        let count: Int? = try tx.value(
            """
            SELECT count(*) FROM cohost
            WHERE event_id = \(event.id) AND (state = \(State.taken) OR \(isOpen(tx.now)))
            """)
        guard count ?? 0 < most else { throw Obstacle.full }
        // An unconfirmed address may be somebody else's.
        let named: SQL =
            who.contains("@")
            ? "account.email = \(who) AND account.confirmed_at IS NOT NULL" : "account.username = \(who)"
        let account: ID<Account>? = try tx.value(
            """
            SELECT account.id FROM account
            WHERE \(named) AND account.suspended_at IS NULL AND account.left_at IS NULL
                AND account.waits_since IS NULL AND account.id <> \(event.host.id)
                AND NOT \(Block.hides("account.id", from: event.host.id))
                AND NOT EXISTS (SELECT 1 FROM cohost
                    WHERE cohost.account_id = account.id AND cohost.event_id = \(event.id))
            """)
        try tx.execute(
            """
            INSERT INTO cohost (event_id, account_id, typed, state, at)
            VALUES (\(event.id), \(account), \(who), \(State.asked), \(tx.now))
            """)
        guard let account else { return }
        try CohostNews(.asked, event.id, event.title).tell(account, in: tx)
    }

    /// Accepts or declines an invitation; the host isn't told of the latter.
    ///
    /// - Throws: `Refusal.overtaken` for those who aren't asked, or not anymore: the page of the event says how it is.
    static func answer(_ isYes: Bool, of id: ID<Event>, by account: ID<Account>, in tx: Transaction) throws {
        let (state, own): (State, SQL) = (
            isYes ? .taken : .declined, "event_id = \(id) AND account_id = \(account)"
        )
        // It was pressed twice.
        if try tx.exists("SELECT 1 FROM cohost WHERE \(own) AND state = \(state)") { return }
        guard let event = try Event.find(id, in: tx), try isAsked(account, of: id, in: tx) else {
            throw Refusal.overtaken(.event(id))
        }
        try Notice.read(beside: [.cohosting], about: id.rawValue, of: account, in: tx)
        guard isYes else {
            try tx.execute("UPDATE cohost SET state = \(state) WHERE \(own)")
            return
        }
        guard try !event.hasList(in: tx), try !Block.stands(between: account, and: event.host.id, in: tx) else {
            throw Refusal.overtaken(.event(id))
        }
        try tx.execute("UPDATE cohost SET state = \(state), typed = '', is_listed = TRUE, at = \(tx.now) WHERE \(own)")
        try CohostNews(.joined, id, event.title).tell(event.host.id, in: tx)
    }

    // MARK: Ending

    /// Takes an invitation back, or lets somebody no longer host an event: by its host. Doing it twice changes nothing.
    ///
    /// - Parameter isInvitation: Whether the host takes an invitation back.
    /// - Throws: `Refusal.overtaken` if the invitation was accepted meanwhile.
    static func end(_ id: ID<Cohost>, of event: Event, isInvitation: Bool, in tx: Transaction) throws {
        let found: (account: ID<Account>?, state: State)? = try tx.first(
            "SELECT account_id, state FROM cohost WHERE id = \(id) AND event_id = \(event.id)"
        ) { (try $0.next(), try $0.next()) }
        guard let (account, state) = found else { return }
        // A member who said no isn't asked again while the row stands, however often the host takes it back.
        if state == .declined {
            try tx.execute("UPDATE cohost SET is_listed = FALSE WHERE id = \(id)")
            return
        }
        if state == .taken, isInvitation { throw Refusal.overtaken(.cohosts(of: event.id)) }
        try tx.execute("DELETE FROM cohost WHERE id = \(id)")
        guard let account else { return }
        try untell(account, of: event.id, in: tx)
        guard state == .taken else { return }
        try CohostNews(.removed, event.id, event.title).tell(account, in: tx)
    }

    /// Lets somebody no longer host an event, by themselves. Doing it twice changes nothing.
    static func leave(_ event: Event, by account: ID<Account>, in tx: Transaction) throws {
        let count = try tx.execute(
            """
            DELETE FROM cohost
            WHERE account_id = \(account) AND event_id = \(event.id) AND state = \(State.taken)
            """)
        guard count == 1 else { return }
        try untell(account, of: event.id, in: tx)
        try CohostNews(.left, event.id, event.title).tell(event.host.id, in: tx)
    }

    /// Removes a former co-host's notices about an event, and pending messages.
    private static func untell(_ account: ID<Account>, of event: ID<Event>, in db: Connection) throws {
        let told: SQL = """
            account_id = \(account) AND (event_id = \(event) AND kind = \(NoticeKind.asked)
                OR event_id IS NULL AND kind = \(NoticeKind.cohosting) AND subject = \(event))
            """
        try Notice.erase(told, in: db)
        try db.execute("DELETE FROM letter WHERE \(told) AND state = 'waiting'")
    }

    /// Removes the notices of co-hosts and invited members about a deleted event.
    static func untellAll(of event: Event, in db: Connection) throws {
        let others: [ID<Account>] = try db.all(
            "SELECT account_id FROM cohost WHERE event_id = \(event.id) AND account_id IS NOT NULL LIMIT 100"
        ) { try $0.next() }
        for account in others + [event.host.id] { try untell(account, of: event.id, in: db) }
    }

    /// Ends the co-hosting of two people after a block.
    static func part(_ one: ID<Account>, from other: ID<Account>, in tx: Transaction) throws {
        for (host, guest) in [(one, other), (other, one)] {
            let both: [(event: ID<Event>, state: State)] = try tx.all(
                """
                SELECT event.id, cohost.state FROM cohost CROSS JOIN event
                WHERE cohost.account_id = \(guest) AND event.id = cohost.event_id AND event.account_id = \(host)
                ORDER BY cohost.event_id LIMIT 1000
                """
            ) { (try $0.next(), try $0.next()) }
            for (id, state) in both {
                guard let event = try Event.find(id, in: tx) else { continue }
                // The other one isn't told about the block: it looks as if they had left or declined.
                switch state {
                case .taken where guest == one: try leave(event, by: guest, in: tx)
                case .taken:
                    let row: ID<Cohost>? = try tx.value(
                        "SELECT id FROM cohost WHERE account_id = \(guest) AND event_id = \(id)")
                    if let row { try end(row, of: event, isInvitation: false, in: tx) }
                case .asked, .declined:
                    try untell(guest, of: id, in: tx)
                    try tx.execute(
                        """
                        UPDATE cohost SET state = \(State.declined)
                        WHERE account_id = \(guest) AND event_id = \(id)
                        """)
                }
            }
        }
    }

    /// Notifies co-hosts of a host's events that these are canceled.
    static func tellCanceled(_ event: Event, in tx: Transaction) throws {
        guard event.isForEveryone else { return }
        try CohostNews.settle([.asked], event.id, in: tx)
        try CohostNews(.canceled, event.id, event.title).tell(
            """
            account.id IN (SELECT cohost.account_id FROM cohost
                WHERE cohost.event_id = \(event.id) AND cohost.state = \(State.taken))
            """, in: tx)
    }

    /// Ends all co-hosting of a member who leaves the site.
    static func forget(_ account: ID<Account>, in tx: Transaction) throws {
        let shared: [ID<Event>] = try tx.all(
            """
            SELECT event_id FROM cohost WHERE account_id = \(account) AND state = \(State.taken)
            ORDER BY event_id LIMIT 1000
            """
        ) { try $0.next() }
        for event in try Event.all(shared, in: tx) { try leave(event, by: account, in: tx) }
        try tx.execute("DELETE FROM cohost WHERE account_id = \(account)")
    }

    // MARK: Deleting their event, and taking that back

    /// All of an event, also those who said no: a line each, by which ``restore(_:at:in:)`` brings them back.
    static func lines(of event: ID<Event>, in db: Connection) throws -> [String] {
        try db.all(
            """
            SELECT account_id, state, is_listed, at, typed FROM cohost WHERE event_id = \(event) ORDER BY id LIMIT 100
            """
        ) { row in
            let (account, state, isListed, at): (ID<Account>?, State, Bool, Instant) =
                (try row.next(), try row.next(), try row.next(), try row.next())
            let typed: String = try row.next()
            return "\(account.map { "\($0)" } ?? "-") \(state.rawValue) \(isListed ? 1 : 0) \(at.milliseconds) \(typed)"
        }
    }

    /// Brings back who hosted an event together and who was asked to, and tells those who can still say yes. Somebody
    /// who left the site meanwhile, or parted from its host by a block, stays away.
    static func restore(_ lines: [String], at event: Event, in tx: Transaction) throws {
        for line in lines {
            let parts = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 5, let state = State(rawValue: parts[1]),
                let since = Int64(parts[3]).map(Instant.init(milliseconds:))
            else { continue }
            // Nil for an invitation that names no member.
            let account = ID<Account>(parts[0])
            if let account {
                let isHere = try tx.exists("SELECT 1 FROM account WHERE id = \(account) AND left_at IS NULL")
                guard try isHere && !Block.stands(between: account, and: event.host.id, in: tx) else { continue }
            }
            try tx.execute(
                """
                INSERT INTO cohost (event_id, account_id, typed, state, is_listed, at)
                VALUES (\(event.id), \(account), \(parts[4]), \(state), \(parts[2] == "1"), \(since))
                """)
            guard let account, try isAsked(account, of: event.id, in: tx) else { continue }
            try CohostNews(.asked, event.id, event.title).tell(account, in: tx)
        }
    }

    // MARK: Erasing

    /// Erases the invitations of an account's events, and who hosts those together with it.
    static func eraseAll(at events: SQL, in db: Connection) throws {
        try db.execute("DELETE FROM cohost WHERE event_id IN (SELECT id FROM event WHERE \(events))")
    }

    /// Erases expired invitations.
    static func eraseOld(in tx: Transaction) throws -> Int {
        let over: [ID<Event>] = try tx.all(
            """
            SELECT event_id FROM cohost
            WHERE state <> 'taken' AND at < \(tx.now - invitation) AND state = 'asked' LIMIT 1000
            """
        ) { try $0.next() }
        for event in Set(over) {
            // Others may have been asked since.
            try CohostNews.settle([.asked], event, where: "notice.at < \(tx.now - invitation)", in: tx)
        }
        return try tx.execute("DELETE FROM cohost WHERE state <> 'taken' AND at < \(tx.now - invitation)")
    }
}

extension CohostsPage {
    /// The page for the host, a co-host, or an invited member.
    ///
    /// - Throws: `Refusal.notFound` for anyone else.
    init(_ id: ID<Event>, for member: Visitor, in zone: Zone, tx: Transaction) throws {
        guard let event = try Event.find(id, in: tx), event.isForEveryone, try !event.hasList(in: tx) else {
            throw Refusal.notFound
        }
        let account = member.account
        let role: Role
        if event.host.id == account {
            role = .host
        } else if try Cohost.host(of: id, with: account, in: tx) != nil {
            role = .cohost
        } else if try Cohost.isAsked(account, of: id, in: tx) {
            role = .asked
        } else {
            throw Refusal.notFound
        }
        self.init(
            event: event, role: role,
            people: try Cohost.all(of: id, for: account, withResting: role == .host, in: tx)
                + (role == .host && event.takesCohosts(at: tx.now) ? Cohost.asked(of: id, in: tx) : []),
            hostPage: try Person.find(event.host.username, for: account, in: tx)?.link,
            acts: role == .host ? try TeamAct.all(of: account, in: tx) : [], zone: zone,
            isOpen: event.takesCohosts(at: tx.now))
    }
}
