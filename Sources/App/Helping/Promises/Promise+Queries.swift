import Database

extension Promise.State: SQLValue {}

extension Promise: RowDecodable {
    static let columns: Columns = [
        "promise.id", "promise.opportunity_id", "opportunity.title", "opportunity.account_id",
        "coalesce(provider.organization, host.username)", "promise.thing_id", "thing.name", "promise.account_id",
        "promise.count", "promise.state", "promise.ends_at", "promise.waits",
    ]

    static let sources: SQL = """
        promise JOIN opportunity ON opportunity.id = promise.opportunity_id
        JOIN account AS host ON host.id = opportunity.account_id
        LEFT JOIN provider ON provider.account_id = opportunity.account_id
        JOIN thing ON thing.id = promise.thing_id
        """

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), opportunity: try row.next(), title: try row.next(), host: try row.next(),
            hostName: try row.next(), thing: try row.next(), thingName: try row.next(), account: try row.next(),
            count: try row.next(), state: try row.next(), endsAt: try row.next(), waits: try row.next())
    }
}

extension Promise {
    static func find(_ id: ID<Promise>, in db: Connection) throws -> Promise? {
        try db.first("SELECT \(columns) FROM \(sources) WHERE promise.id = \(id)")
    }

    /// A member's open promises, newest first.
    ///
    /// - Parameter alsoWaiting: Whether to include things that the member says were brought but the organization hasn't
    ///   confirmed.
    static func open(
        of account: ID<Account>, alsoWaiting: Bool = false, after: Cursor<ID<Promise>>? = nil, in db: Connection
    ) throws -> Page<Promise> {
        let which: SQL = alsoWaiting ? "(promise.state = 'open' OR promise.waits)" : "promise.state = 'open'"
        return try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(columns) FROM \(sources) WHERE promise.account_id = \(account) AND \(which)
                    AND promise.id < \(after?.keys ?? ID(.max))
                ORDER BY promise.id DESC LIMIT \(limit)
                """)
        }
    }

    /// A member's open promises for an opportunity, newest first.
    static func open(of account: ID<Account>, at opportunity: ID<Opportunity>, in db: Connection) throws -> [Promise] {
        try db.all(
            """
            SELECT \(columns) FROM \(sources) WHERE promise.account_id = \(account) AND promise.state = 'open'
                AND promise.opportunity_id = \(opportunity)
            ORDER BY promise.id DESC LIMIT 1000
            """)
    }

    /// A member's kept promises for an opportunity, newest first.
    static func given(of account: ID<Account>, at opportunity: ID<Opportunity>, in db: Connection) throws -> [Promise] {
        try db.all(
            """
            SELECT \(columns) FROM \(sources) WHERE promise.account_id = \(account) AND promise.state = 'given'
                AND promise.opportunity_id = \(opportunity)
            ORDER BY promise.id DESC LIMIT 50
            """)
    }

    /// Promises a number of a thing, only once if the form is sent repeatedly, and never more than wanted.
    ///
    /// - Returns: Whether it was new.
    /// - Throws: `Refused`; `Refusal.notFound`.
    @discardableResult static func make(
        _ count: Int, of thing: ID<Thing>, by account: ID<Account>, at opportunity: ID<Opportunity>, once: String,
        in tx: Transaction
    ) throws -> Bool {
        if try tx.exists("SELECT 1 FROM promise WHERE account_id = \(account) AND once = \(once)") { return false }
        let found = try Opportunity.reachable(opportunity, by: account, in: tx)
        guard found.isOpen(at: tx.now), found.kind == .donate else { throw Refused.closed }
        guard found.host.id != account else { throw Refused.own }
        guard try take(count, of: thing, at: opportunity, in: tx) else {
            let left: Int? = try tx.value("SELECT wanted - promised FROM thing WHERE \(open(thing, at: opportunity))")
            guard let left else { throw Refusal.notFound }
            throw Refused.tooMany(left: left)
        }
        try tx.execute(
            """
            INSERT INTO promise (opportunity_id, thing_id, account_id, count, state, once, created_at, ends_at,
                changed_at)
            VALUES (\(opportunity), \(thing), \(account), \(count), 'open', \(once), \(tx.now), \(tx.now + lifetime),
                \(tx.now))
            """)
        try HelpNews(.promised, opportunity, found.title).tellHost(found.host.id, by: account, in: tx)
        return true
    }

    /// A condition: a thing is on an opportunity's list.
    private static func open(_ thing: ID<Thing>, at opportunity: ID<Opportunity>) -> SQL {
        "id = \(thing) AND opportunity_id = \(opportunity) AND removed_at IS NULL"
    }

    /// Counts a number of a thing as promised, also on its list, if as many are wanted.
    private static func take(
        _ count: Int, of thing: ID<Thing>, at opportunity: ID<Opportunity>, in db: Connection
    ) throws -> Bool {
        try Thing.ledger.take("\(count)", where: open(thing, at: opportunity), in: db)
            && Opportunity.ledger.take("\(count)", where: "id = \(opportunity)", in: db)
    }

    /// Ends an open or unconfirmed promise, so that others can promise the thing.
    private static func free(_ promise: Promise, as state: State, in tx: Transaction) throws -> Bool {
        let count = try tx.execute(
            """
            UPDATE promise SET state = \(state), waits = FALSE, changed_at = \(tx.now)
            WHERE id = \(promise.id) AND (state = 'open' OR waits)
            """)
        guard count == 1 else { return false }
        try Thing.ledger.giveBack("\(promise.count)", where: "id = \(promise.thing)", in: tx)
        // A thing that was taken off the list no longer counts there.
        let list: SQL = """
            id = \(promise.opportunity) AND EXISTS (
                SELECT 1 FROM thing WHERE thing.id = \(promise.thing) AND thing.removed_at IS NULL)
            """
        try Opportunity.ledger.giveBack("\(promise.count)", where: list, in: tx)
        try HelpNews.settleDone(at: promise.opportunity, in: tx)
        return true
    }

    /// Withdraws a promise.
    ///
    /// - Returns: Whether it was open; false if it was withdrawn or had expired before.
    /// - Throws: `Refusal.notFound` if it isn't theirs; `Refusal.overtaken` if it was brought.
    static func cancel(_ id: ID<Promise>, of account: ID<Account>, in tx: Transaction) throws -> Bool {
        guard let promise = try find(id, in: tx), promise.account == account else { throw Refusal.notFound }
        guard promise.state != .given else { throw Refusal.overtaken(promise.page) }
        guard promise.state == .open, try free(promise, as: .cancelled, in: tx) else { return false }
        try HelpNews(.dropped, promise.opportunity, promise.title).tellHost(promise.host, by: account, in: tx)
        return true
    }

    /// Ends all promises of a member who can't keep them.
    static func endAll(of account: ID<Account>, in tx: Transaction) throws {
        while true {
            let open = try open(of: account, in: tx).items
            if open.isEmpty { break }
            for promise in open { _ = try cancel(promise.id, of: account, in: tx) }
        }
    }

    /// Confirms that a promised thing was brought, by the helper or the organization, in any order; the organization's
    /// word is final.
    ///
    /// - Parameter host: The organization they act for.
    static func give(
        _ id: ID<Promise>, by account: ID<Account>, for host: ID<Account>? = nil, on day: Day, in tx: Transaction
    ) throws -> (promise: Promise, isNew: Bool) {
        guard let promise = try find(id, in: tx), promise.account == account || promise.host == host ?? account else {
            throw Refusal.notFound
        }
        let isReceived = promise.account != account
        let count = try tx.execute(
            """
            UPDATE promise SET state = 'given', waits = \(!isReceived), changed_at = \(tx.now)
            WHERE id = \(id) AND (state = 'open' OR (waits AND \(isReceived)))
            """)
        guard count == 1 else {
            guard promise.state == .given else {
                throw Refusal.overtaken(isReceived ? promise.roster : promise.page)
            }
            return (promise, false)
        }
        try Contribution.note(promise, isReceived: isReceived, on: day, in: tx)
        try HelpNews.settleDone(at: promise.opportunity, in: tx)
        if isReceived {
            try MonthTotal.things.add(promise.count, to: promise.host, on: day, in: tx)
            try HelpNews(.thanked, promise.opportunity, promise.title).tell(promise.account, in: tx)
        } else {
            try HelpNews(.given, promise.opportunity, promise.title).tellHost(promise.host, by: account, in: tx)
        }
        return (promise, true)
    }

    /// Corrects a giver's mistaken confirmation: the promise is open again.
    ///
    /// - Throws: `Refusal.notFound` if it isn't theirs; `Refusal.overtaken` if the organization has confirmed it.
    static func giveNotYet(_ id: ID<Promise>, by account: ID<Account>, in tx: Transaction) throws -> Promise {
        guard let promise = try find(id, in: tx), promise.account == account else { throw Refusal.notFound }
        let said: Instant? = try tx.value("SELECT changed_at FROM promise WHERE id = \(id) AND waits")
        guard let said else {
            // If it was pressed twice, the promise is open already.
            guard promise.state == .open else { throw Refusal.overtaken(promise.page) }
            return promise
        }
        // A promise that expired meanwhile gets two more days.
        try tx.execute(
            """
            UPDATE promise SET state = 'open', waits = FALSE, changed_at = \(tx.now),
                ends_at = \(max(promise.endsAt, tx.now + .days(2)))
            WHERE id = \(id)
            """)
        try Contribution.forget(promise, in: tx)
        try HelpNews(.notYet, promise.opportunity, promise.title).tellHost(
            promise.host, takingBack: HelpNews(.given, promise.opportunity, promise.title), of: said,
            by: account, in: tx)
        try HelpNews.settleDone(at: promise.opportunity, in: tx)
        return promise
    }

    /// Records for the organization that a thing didn't arrive: others can promise it, and its giver is notified.
    ///
    /// - Throws: `Refusal.notFound` if it isn't theirs.
    static func miss(
        _ id: ID<Promise>, by host: ID<Account>, in tx: Transaction
    ) throws -> (promise: Promise, isNew: Bool) {
        guard let found = try find(id, in: tx), found.host == host, found.account != host else {
            throw Refusal.notFound
        }
        let said = try Contribution.day(of: found, in: tx)
        guard try free(found, as: .cancelled, in: tx) else {
            guard found.state == .cancelled else { throw Refusal.overtaken(found.roster) }
            return (found, false)
        }
        try Undo.keepMissing(found, saidOn: said, by: host, in: tx)
        try Contribution.forget(found, in: tx)
        try HelpNews(.missed, found.opportunity, found.title).tell(found.account, in: tx)
        return (found, true)
    }

    /// Restores a promise that its giver withdrew by mistake, or that the organization reported missing by mistake; the
    /// other side is notified.
    ///
    /// - Parameter day: When its giver had said that it was brought.
    /// - Returns: Whether it was restored: the thing is still wanted.
    /// - Throws: `Refusal.notFound` for its giver if there is a block.
    static func holdAgain(
        _ id: ID<Promise>, endedAt: Instant, byGiver isOwn: Bool, saidOn day: Day?, in tx: Transaction
    ) throws -> Bool {
        guard let promise = try find(id, in: tx) else { return false }
        if isOwn { _ = try Opportunity.reachable(promise.opportunity, by: promise.account, in: tx) }
        guard try !Block.stands(between: promise.account, and: promise.host, in: tx) else { return false }
        let count = try tx.execute(
            """
            UPDATE promise SET state = \(day == nil ? State.open : .given), waits = \(day != nil),
                changed_at = \(tx.now)
            WHERE id = \(id) AND state = 'cancelled' AND changed_at = \(endedAt)
                AND EXISTS (SELECT 1 FROM account WHERE account.id = promise.account_id AND account.left_at IS NULL
                    AND account.suspended_at IS NULL)
            """)
        guard count == 1 else { return false }
        guard try tx.exists("SELECT 1 FROM opportunity WHERE id = \(promise.opportunity) AND listed"),
            try take(promise.count, of: promise.thing, at: promise.opportunity, in: tx)
        else { return false }
        if let day { try Contribution.note(promise, isReceived: false, on: day, in: tx) }
        if isOwn {
            try HelpNews(.promised, promise.opportunity, promise.title).tellHost(
                promise.host, takingBack: HelpNews(.dropped, promise.opportunity, promise.title), of: endedAt,
                by: promise.account, in: tx)
        } else {
            try HelpNews(.counts, promise.opportunity, promise.title).tell(
                takingBack: HelpNews(.missed, promise.opportunity, promise.title), of: endedAt,
                "account.id = \(promise.account)", in: tx)
        }
        return true
    }

    /// Restores the promises that were all ended at one time, as far as their things are still wanted.
    static func holdAllAgain(of account: ID<Account>, endedAt: Instant, in tx: Transaction) throws {
        let ended: [ID<Promise>] = try tx.all(
            """
            SELECT id FROM promise
            WHERE account_id = \(account) AND state = 'cancelled' AND changed_at = \(endedAt) AND ends_at > \(tx.now)
            ORDER BY id LIMIT 1000
            """
        ) { try $0.next() }
        for id in ended {
            // Each looks anew: the one before may have taken the last.
            let isWanted = try tx.exists(
                """
                SELECT 1 FROM promise JOIN thing ON thing.id = promise.thing_id AND thing.removed_at IS NULL
                JOIN opportunity ON opportunity.id = promise.opportunity_id AND opportunity.listed
                WHERE promise.id = \(id) AND thing.promised + promise.count <= thing.wanted
                    AND opportunity.promised + promise.count <= opportunity.wanted
                """)
            guard isWanted, let promise = try find(id, in: tx),
                try !Block.stands(between: account, and: promise.host, in: tx)
            else { continue }
            _ = try holdAgain(id, endedAt: endedAt, byGiver: true, saidOn: nil, in: tx)
        }
    }

    /// Removes a thing from the list, or closes the whole list; givers with promises are notified.
    static func callOff(_ thing: Thing, of opportunity: Opportunity, isGone: Bool = true, in tx: Transaction) throws {
        var last = ID<Promise>(0)
        while true {
            let givers: [ID<Promise>] = try tx.all(
                """
                SELECT id FROM promise WHERE thing_id = \(thing.id) AND state = 'open' AND id > \(last)
                ORDER BY id LIMIT 500
                """
            ) { try $0.next() }
            guard let end = givers.last else { break }
            last = end
            for id in givers {
                guard let promise = try find(id, in: tx), try free(promise, as: .cancelled, in: tx) else {
                    continue
                }
                // If everything is canceled, the givers were notified already.
                if isGone {
                    try HelpNews(.calledOff, opportunity.id, opportunity.title).tell(promise.account, in: tx)
                }
            }
        }
        if isGone { try tx.execute("UPDATE thing SET removed_at = \(tx.now) WHERE id = \(thing.id)") }
    }

    /// Ends expired promises.
    ///
    /// - Returns: The number ended.
    static func lapse(in tx: Transaction) throws -> Int {
        let due: [ID<Promise>] = try tx.all(
            "SELECT id FROM promise WHERE state = 'open' AND ends_at <= \(tx.now) ORDER BY ends_at LIMIT 500"
        ) { try $0.next() }
        for id in due {
            guard let promise = try find(id, in: tx), try free(promise, as: .lapsed, in: tx) else { continue }
            try HelpNews(.lapsed, promise.opportunity, promise.title).tell(promise.account, in: tx)
            try HelpNews(.lapsedThere, promise.opportunity, promise.title).tellHost(promise.host, in: tx)
        }
        return try due.count + remind(in: tx)
    }

    /// Tells the helper and the organization a day before a promise expires.
    private static func remind(in tx: Transaction) throws -> Int {
        let due: [ID<Promise>] = try tx.all(
            """
            SELECT id FROM promise WHERE state = 'open' AND NOT is_reminded AND ends_at <= \(tx.now + .days(1))
            ORDER BY ends_at LIMIT 500
            """
        ) { try $0.next() }
        for id in due {
            try tx.execute("UPDATE promise SET is_reminded = TRUE WHERE id = \(id)")
            guard let promise = try find(id, in: tx) else { continue }
            try HelpNews(.ending, promise.opportunity, promise.title).tell(promise.account, in: tx)
            try HelpNews(.endingThere, promise.opportunity, promise.title).tellHost(promise.host, in: tx)
        }
        return due.count
    }
}

extension Undo {
    /// Stores that an organization reported a missing thing.
    ///
    /// - Parameter day: The day on which its giver says that it was brought; nil if they didn't.
    fileprivate static func keepMissing(
        _ promise: Promise, saidOn day: Day?, by host: ID<Account>, in tx: Transaction
    ) throws {
        try keep(
            .promise, promise.opportunity.rawValue, "\(promise.count) × \(promise.thingName)",
            [("row", "\(promise.id)"), ("at", text(of: tx.now)), ("day", day?.iso ?? "")], of: host, in: tx)
    }
}
