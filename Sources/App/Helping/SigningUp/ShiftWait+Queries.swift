import Database

/// Waiting for a place in a full shift, as for an activity (`ActivityWait+Queries`): in order of arrival. The first one
/// gets a free place immediately, in the transaction that frees it, and is notified.
extension Shift: PlaceOffering {
    /// Gives places back; they go to the waiting list.
    static func giveBack(_ places: Int, of id: ID<Shift>, in tx: Transaction) throws {
        try ledger.giveBack("\(places)", where: "id = \(id)", in: tx)
        try offerFreedPlaces(id, in: tx)
    }

    /// The shifts of an opportunity for which a member waits.
    static func waiting(
        of account: ID<Account>, at opportunity: ID<Opportunity>, in db: Connection
    ) throws -> [ID<Shift>] {
        try db.all(
            """
            SELECT shift_wait.shift_id FROM shift_wait JOIN shift ON shift.id = shift_wait.shift_id
            WHERE shift_wait.account_id = \(account) AND shift.opportunity_id = \(opportunity)
            LIMIT \(Opportunity.mostShifts)
            """
        ) { try $0.next() }
    }

    /// Adds a member to a waiting list, unless they have a place or wait already.
    ///
    /// - Throws: `Signup.Refused.late` if the shift has begun or was canceled.
    static func wait(
        for id: ID<Shift>, with children: [ID<Child>] = [], message: String, of account: ID<Account>,
        at opportunity: ID<Opportunity>, in tx: Transaction
    ) throws {
        let isOpen = try tx.exists(
            """
            SELECT 1 FROM shift WHERE id = \(id) AND opportunity_id = \(opportunity) AND removed_at IS NULL
                AND starts_at > \(tx.now)
            """)
        guard isOpen else { throw Signup.Refused.late }
        guard try !Signup.holds(account, opportunity, id, in: tx) else { return }
        let isWaiting = try tx.exists("SELECT 1 FROM shift_wait WHERE shift_id = \(id) AND account_id = \(account)")
        if !isWaiting {
            let wait = try tx.insert(
                """
                INSERT INTO shift_wait (shift_id, account_id, message, places, created_at)
                VALUES (\(id), \(account), \(message), \(1 + children.count), \(tx.now))
                """)
            try Companion.wait(children, with: wait, for: id, in: tx)
        }
        try offerFreedPlaces(id, in: tx)
    }

    /// Removes a member from a waiting list.
    static func stopWaiting(_ id: ID<Shift>, of account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM shift_wait WHERE shift_id = \(id) AND account_id = \(account)")
    }

    /// A member's position on a shift's waiting list.
    struct Place: Sendable {
        /// The sort key of the list.
        let id: Int64
        let opportunity: ID<Opportunity>
        let message: String
        let since: Instant
        let children: [ID<Child>]

        static func find(in shift: ID<Shift>, of account: ID<Account>, in db: Connection) throws -> Place? {
            let found: (Int64, ID<Opportunity>, String, Instant)? = try db.first(
                """
                SELECT shift_wait.id, shift.opportunity_id, shift_wait.message, shift_wait.created_at FROM shift_wait
                JOIN shift ON shift.id = shift_wait.shift_id
                WHERE shift_wait.shift_id = \(shift) AND shift_wait.account_id = \(account)
                """
            ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
            guard let (id, opportunity, message, since) = found else { return nil }
            return Place(
                id: id, opportunity: opportunity, message: message, since: since,
                children: try Companion.waiting(with: id, in: db))
        }

        /// Returns a member who just left the list to their old position, and gives them a free place if they are next.
        ///
        /// - Returns: Whether there is still something to wait for.
        /// - Throws: `Refusal.notFound` if there is a block.
        func waitAgain(in shift: ID<Shift>, of account: ID<Account>, in tx: Transaction) throws -> Bool {
            let found = try Opportunity.reachable(opportunity, by: account, in: tx)
            let isAhead = try tx.exists(
                "SELECT 1 FROM shift WHERE id = \(shift) AND removed_at IS NULL AND starts_at > \(tx.now)")
            guard found.isOpen(at: tx.now), isAhead, try !Signup.holds(account, opportunity, shift, in: tx),
                try Companion.obstacle(to: children, in: shift, of: opportunity, in: tx) == nil
            else { return false }
            // They may have left the family meanwhile, or wait with the other parent.
            let family = try Family.find(of: Guardian.head(of: account, in: tx), in: tx)?.id
            try Companion.check(children, of: family, with: account, to: found, in: [shift], in: tx)
            try tx.execute(
                """
                INSERT INTO shift_wait (id, shift_id, account_id, message, places, created_at)
                VALUES (\(id), \(shift), \(account), \(message), \(1 + children.count), \(since))
                """)
            try Companion.wait(children, with: id, for: shift, in: tx)
            try offerFreedPlaces(shift, in: tx)
            return true
        }
    }

    /// A member on the waiting list of a shift.
    typealias Candidate = (account: ID<Account>, opportunity: ID<Opportunity>, message: String, wait: Int64)

    /// Signs a member up, unless they have a place already or may no longer come.
    static func give(_ next: Candidate, at id: ID<Shift>, in tx: Transaction) throws -> Bool {
        let children = try Companion.waiting(with: next.wait, in: tx)
        try stopWaiting(id, of: next.account, in: tx)
        let found: (host: ID<Account>, title: String)? = try tx.first(
            "SELECT account_id, title FROM opportunity WHERE id = \(next.opportunity)"
        ) { (try $0.next(), try $0.next()) }
        guard let (host, title) = found, try !Signup.holds(next.account, next.opportunity, id, in: tx),
            // A block may have been added meanwhile.
            try !Block.stands(between: next.account, and: host, in: tx)
        else { return false }
        // The children may have come with the other parent, or may no longer come.
        if let what = try Companion.obstacle(to: children, in: id, of: next.opportunity, in: tx) {
            let fact = try Shift.find(id, in: tx)?.fact
            try HelpNews(what, next.opportunity, title, now: fact).tell(next.account, in: tx)
            return false
        }
        try Signup.enter(id, of: next.opportunity, next.account, with: children, next.message, in: tx)
        return true
    }

    /// The first member whose number of places is free in a shift; nobody while helping is switched off.
    static func next(for id: ID<Shift>, in tx: Transaction) throws -> Candidate? {
        guard try Opening(in: tx).has(.helping) else { return nil }
        return try tx.first(
            """
            SELECT shift_wait.account_id, shift.opportunity_id, shift_wait.message, shift_wait.id \(canHave(tx.now))
                AND shift_wait.shift_id = \(id)
            ORDER BY shift_wait.id LIMIT 1
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
    }

    /// A condition for members who can get a place; suspended ones can't.
    private static func canHave(_ now: Instant) -> SQL {
        """
        FROM shift_wait
        JOIN shift ON shift.id = shift_wait.shift_id
        JOIN opportunity ON opportunity.id = shift.opportunity_id
        JOIN account ON account.id = shift_wait.account_id
        WHERE account.suspended_at IS NULL AND opportunity.listed AND opportunity.ends_at > \(now)
            AND shift.removed_at IS NULL AND shift.starts_at > \(now)
            AND shift.taken + shift_wait.places <= shift.spots
        """
    }

    /// Scheduled work: ends waiting for shifts that have begun, and assigns places that became free by other means than
    /// being given back, for example because an opportunity was hidden for a while.
    ///
    /// - Returns: The number of entries affected.
    @discardableResult static func tidyWaiting(in tx: Transaction) throws -> Int {
        let ended = try tx.execute(
            """
            DELETE FROM shift_wait WHERE id IN (
                SELECT shift_wait.id FROM shift_wait JOIN shift ON shift.id = shift_wait.shift_id
                WHERE shift.starts_at <= \(tx.now) OR shift.removed_at IS NOT NULL LIMIT 10000)
            """)
        let shifts: [ID<Shift>] = try tx.all("SELECT shift_wait.shift_id \(canHave(tx.now)) LIMIT 1000") {
            try $0.next()
        }
        return try ended + offerFreedPlaces(shifts, in: tx)
    }
}

extension HelperList {
    /// The members on the waiting list, in order, without companions who may not come.
    static func waiting(at opportunity: Opportunity, atMost limit: Int, in tx: Transaction) throws -> [WaitingRow] {
        let rows: [WaitingRow] = try tx.all(
            """
            SELECT \(Shift.columns), \(name), shift_wait.message, \(Companion.ofWait) FROM shift
            CROSS JOIN shift_wait JOIN account ON account.id = shift_wait.account_id \(who)
            WHERE shift_wait.shift_id = shift.id AND shift.opportunity_id = \(opportunity.id)
                AND shift.starts_at > \(tx.now) AND shift.removed_at IS NULL
            ORDER BY shift.starts_at, shift.id, shift_wait.id LIMIT \(limit)
            """
        ) {
            WaitingRow(
                shift: try $0.next(), name: try $0.next(), message: try $0.next(),
                companions: Companion.all(try $0.next()))
        }
        guard Companion.mayCome(to: opportunity, at: tx.now) else { return rows.map(\.withoutChildren) }
        return rows
    }
}
