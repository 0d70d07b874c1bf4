import Database

extension Signup.State: SQLValue {}

extension Signup: RowDecodable {
    static let columns: Columns =
        [
            "signup.id", "signup.opportunity_id", "opportunity.title", "opportunity.kind", "opportunity.account_id",
            "coalesce(provider.organization, host.username)", "signup.account_id",
        ] + Shift.columns + [
            "signup.state", "signup.message", "signup.created_at", "opportunity.place_name",
        ] + Address.columns(of: "opportunity") + Coordinate.columns + [
            "opportunity.zone", changedAt, TalkThread.isCalledOff, "signup.lapsed",
            "CASE WHEN opportunity.closed_at IS NOT NULL THEN opportunity.close_reason END", "signup.places",
            Companion.ofSignup,
        ] + YoungPerson.Count.columns + ["EXISTS (SELECT 1 FROM absence WHERE absence.signup_id = signup.id)"]

    private static let changedAt: SQL = """
        CASE WHEN signup.changed_at > opportunity.updated_at THEN signup.changed_at ELSE opportunity.updated_at END
        """

    static let sources: SQL = """
        signup JOIN opportunity ON opportunity.id = signup.opportunity_id
        JOIN account AS host ON host.id = opportunity.account_id
        LEFT JOIN provider ON provider.account_id = opportunity.account_id
        LEFT JOIN shift ON shift.id = signup.shift_id
        LEFT JOIN point ON point.id = opportunity.point_id
        """

    init(row: inout Row) throws {
        let (id, opportunity, title, kind): (ID<Signup>, ID<Opportunity>, String, Opportunity.Kind) =
            (try row.next(), try row.next(), try row.next(), try row.next())
        let (host, hostName, account): (ID<Account>, String, ID<Account>) =
            (try row.next(), try row.next(), try row.next())
        let (shift, state, message, at): (Shift?, State, String, Instant) =
            (try row.next(), try row.next(), try row.next(), try row.next())
        self.init(
            id: id, opportunity: opportunity, title: title, kind: kind, host: host, hostName: hostName,
            account: account, shift: shift, state: state, message: message, createdAt: at,
            placeName: try row.next(), address: try row.next(), coordinate: try row.next(), zone: try row.next(),
            changedAt: try row.next(), isCalledOff: try row.next(), isLapsed: try row.next(), closing: try row.next(),
            places: try row.next(), companions: Companion.all(try row.next()), young: try row.next(),
            isMissed: try row.next())
    }
}

extension Signup {
    static func find(_ id: ID<Signup>, in db: Connection) throws -> Signup? {
        try db.first("SELECT \(columns) FROM \(sources) WHERE signup.id = \(id)")
    }

    /// A member's sign-ups for an opportunity.
    static func held(by account: ID<Account>, at opportunity: ID<Opportunity>, in db: Connection) throws -> [Signup] {
        try db.all(
            """
            SELECT \(columns) FROM \(sources)
            WHERE signup.account_id = \(account) AND signup.opportunity_id = \(opportunity)
                AND signup.state IN ('asked', 'confirmed')
            LIMIT 100
            """)
    }

    /// A member's current sign-ups, soonest first; those without a shift come last.
    static func ahead(
        of account: ID<Account>, after: Cursor<Instant, ID<Signup>>? = nil, in tx: Transaction
    ) throws -> Page<Signup> {
        let begins: SQL = "coalesce(shift.starts_at, \(Signup.noShift))"
        let next: SQL = after.map { " AND (\(begins), signup.id) > (\($0.keys.0), \($0.keys.1))" } ?? ""
        return try Page(of: aheadSize, by: \.beginsAt, \.id) { limit in
            try tx.all(
                """
                SELECT \(columns) FROM \(sources)
                WHERE signup.account_id = \(account) AND signup.state IN ('asked', 'confirmed')
                    AND (shift.id IS NULL AND opportunity.closed_at IS NULL OR shift.ends_at > \(tx.now))\(next)
                ORDER BY \(begins), signup.id LIMIT \(limit)
                """)
        }
    }

    /// A member's shifts that begin in a period.
    static func shifts(
        of account: ID<Account>, from first: Instant, to last: Instant, in db: Connection
    ) throws -> [Signup] {
        try db.all(
            """
            SELECT \(columns) FROM \(sources)
            WHERE signup.account_id = \(account) AND signup.state IN ('asked', 'confirmed')
                AND shift.starts_at >= \(first) AND shift.starts_at < \(last)
            ORDER BY shift.starts_at, signup.id LIMIT \(ICalendar.mostRows)
            """)
    }

    /// Sign-ups without reported hours: past shifts, and those without a shift.
    static func past(of account: ID<Account>, after: Cursor<ID<Signup>>?, in tx: Transaction) throws -> Page<Signup> {
        try Page(of: pastSize, by: \.id) { limit in
            try tx.all(
                """
                SELECT \(columns) FROM \(sources)
                WHERE signup.account_id = \(account) AND signup.state = 'confirmed'
                    AND signup.id < \(after?.keys ?? ID(.max))
                    AND (shift.id IS NULL AND opportunity.closed_at IS NULL OR shift.ends_at <= \(tx.now)
                        AND NOT EXISTS (
                        SELECT 1 FROM contribution WHERE contribution.signup_id = signup.id))
                ORDER BY signup.id DESC LIMIT \(limit)
                """)
        }
    }

    // MARK: Signing up and giving back

    /// Signs a member up for all of the shifts or none. Shifts in which they have a place already stay unchanged.
    ///
    /// - Parameters:
    ///   - full: Full shifts whose waiting list they join.
    ///   - held: Shifts in which they have a place already and to which the children are added.
    ///   - children: The companions, each in a place of their own.
    /// - Throws: `Refused`; `Refusal.notFound`.
    static func take(
        _ shifts: [ID<Shift>], waitingFor full: [ID<Shift>] = [], addingTo held: [ID<Shift>] = [],
        with children: [ID<Child>] = [], ofFamily family: ID<Family>? = nil, message: String,
        of account: ID<Account>, at opportunity: ID<Opportunity>, in tx: Transaction
    ) throws {
        let found = try Opportunity.reachable(opportunity, by: account, in: tx)
        guard found.isOpen(at: tx.now), found.kind != .donate else { throw Refused.closed }
        guard found.host.id != account else { throw Refused.own }
        guard found.isHere else { throw Refused.elsewhere }
        let state: State = found.asksFirst ? .asked : .confirmed
        var isNew = false
        let children = Set(children).sorted()
        let held = Set(held).sorted()
        let all = shifts + full + held
        if found.asksFirst {
            let refused = try refusedShifts(of: account, at: opportunity, in: tx)
            let asked: [ID<Shift>?] = found.rhythm == .shifts ? shifts + full : [nil]
            guard refused.isDisjoint(with: asked) else { throw Refused.refused }
        }
        try Companion.check(children, of: family, with: account, to: found, in: all, in: tx)
        if found.rhythm == .shifts {
            guard !all.isEmpty else { throw Refused.none }
            guard held.isEmpty || !children.isEmpty else { throw Refused.nobody }
            for id in held.prefix(Opportunity.mostShifts) {
                try add(children, to: id, of: account, at: found, in: tx)
            }
            for id in shifts.prefix(Opportunity.mostShifts) {
                // People on the waiting list come first, possibly including this one.
                try Shift.offerFreedPlaces(id, in: tx)
                // An older page asks for a place once more, and means the children.
                guard try !holds(account, opportunity, id, in: tx) else {
                    if !children.isEmpty { try add(children, to: id, of: account, at: found, in: tx) }
                    continue
                }
                try takePlaces(1 + children.count, id, at: opportunity, in: tx)
                try insert(opportunity, account, id, with: children, state, message, in: tx)
                isNew = true
            }
            for id in full.prefix(Opportunity.mostShifts) {
                try Shift.wait(for: id, with: children, message: message, of: account, at: opportunity, in: tx)
            }
        } else if try !holds(account, opportunity, nil, in: tx) {
            try insert(opportunity, account, nil, state, message, in: tx)
            isNew = true
        }
        let news: [HelpNews.What] =
            (isNew ? [HelpNews.request(at: found)] : []) + (held.isEmpty ? [] : [.brought])
        // If there are several, none is named.
        let taken = shifts + full + held
        let fact = taken.count == 1 ? try Shift.find(taken[0], in: tx)?.fact : nil
        for what in news {
            try HelpNews(what, opportunity, found.title, now: fact).tellHost(found.host.id, by: account, in: tx)
        }
    }

    /// Adds children to a shift in which an adult has a place, as for young people: the adult's own place is unchanged.
    private static func add(
        _ children: [ID<Child>], to id: ID<Shift>, of account: ID<Account>, at opportunity: Opportunity,
        in tx: Transaction
    ) throws {
        try Shift.offerFreedPlaces(id, in: tx)
        guard let signup = try held(by: account, at: opportunity.id, in: tx).first(where: { $0.shift?.id == id }) else {
            throw Refused.late
        }
        do {
            try takePlaces(children.count, id, at: opportunity.id, in: tx)
        } catch Refused.full(let shift) {
            throw Refused.few(shift)
        }
        try tx.execute(
            """
            UPDATE signup SET places = places + \(children.count), changed_at = \(tx.now) WHERE id = \(signup.id)
            """)
        try Companion.add(children, to: signup.id, in: id, in: tx)
    }

    /// The shifts for which an organization said no to a member as often as it has to; nil among them for an
    /// opportunity without shifts. What it took back or left unanswered doesn't count.
    static func refusedShifts(
        of account: ID<Account>, at opportunity: ID<Opportunity>, in db: Connection
    ) throws -> Set<ID<Shift>?> {
        let nos: [ID<Shift>?] = try db.all(
            """
            SELECT shift_id FROM signup
            WHERE account_id = \(account) AND \(unindexed: "opportunity_id") = \(opportunity)
                AND state = 'declined' AND NOT lapsed
            LIMIT 1000
            """
        ) { try $0.next() }
        return Set(Dictionary(grouping: nos) { $0 }.filter { $0.value.count >= mostNos }.keys)
    }

    static func holds(
        _ account: ID<Account>, _ opportunity: ID<Opportunity>, _ shift: ID<Shift>?, in db: Connection
    ) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM signup WHERE account_id = \(account) AND opportunity_id = \(opportunity)
                AND coalesce(shift_id, 0) = \(shift ?? ID(0)) AND state IN ('asked', 'confirmed')
            """)
    }

    /// Whether a member is in all of these shifts or waits for them; without shifts, whether they help at all.
    static func isIn(
        _ shifts: [ID<Shift>], _ account: ID<Account>, at opportunity: ID<Opportunity>, in db: Connection
    ) throws -> Bool {
        if shifts.isEmpty { return try !held(by: account, at: opportunity, in: db).isEmpty }
        let waiting = try Shift.waiting(of: account, at: opportunity, in: db)
        return try shifts.allSatisfy { try waiting.contains($0) || holds(account, opportunity, $0, in: db) }
    }

    /// Takes places of a shift if there are enough.
    static func takePlaces(_ places: Int, _ id: ID<Shift>, at opportunity: ID<Opportunity>, in tx: Transaction) throws {
        let row: SQL = "id = \(id) AND opportunity_id = \(opportunity) AND removed_at IS NULL AND starts_at > \(tx.now)"
        guard try !Shift.ledger.take("\(places)", where: row, in: tx) else { return }
        let shift: Shift? = try tx.first("SELECT \(Shift.columns) FROM shift WHERE \(row)")
        throw shift.map { places > 1 ? Refused.few($0) : Refused.full($0) } ?? Refused.late
    }

    /// Signs up a member from the waiting list, with the organization's approval rule; both sides are notified.
    static func enter(
        _ id: ID<Shift>, of opportunity: ID<Opportunity>, _ account: ID<Account>, with children: [ID<Child>],
        _ message: String, in tx: Transaction
    ) throws {
        guard let found = try Opportunity.find(opportunity, in: tx), let shift = try Shift.find(id, in: tx)
        else { return }
        try takePlaces(1 + children.count, id, at: opportunity, in: tx)
        try insert(opportunity, account, id, with: children, found.asksFirst ? .asked : .confirmed, message, in: tx)
        try HelpNews(found.asksFirst ? .kept : .won, opportunity, found.title, now: shift.fact).tell(account, in: tx)
        try HelpNews(HelpNews.request(at: found), opportunity, found.title, now: shift.fact).tellHost(
            found.host.id, by: account, in: tx)
    }

    /// Turns a guest's place into a member's; the organization is notified.
    static func takeOver(
        _ shift: Shift, of opportunity: Opportunity, by account: ID<Account>, in tx: Transaction
    ) throws -> ID<Signup> {
        let signup = try insert(opportunity.id, account, shift.id, .confirmed, "", in: tx)
        // Nobody signs up for what is over: the organization knows that they were there.
        guard shift.endsAt > tx.now else { return signup }
        try HelpNews(.joined, opportunity.id, opportunity.title, now: shift.fact).tellHost(
            opportunity.host.id, by: account, in: tx)
        return signup
    }

    @discardableResult private static func insert(
        _ opportunity: ID<Opportunity>, _ account: ID<Account>, _ shift: ID<Shift>?, with children: [ID<Child>] = [],
        _ state: State, _ message: String, in tx: Transaction
    ) throws -> ID<Signup> {
        let id = try tx.insert(
            """
            INSERT INTO signup (opportunity_id, account_id, shift_id, state, message, places, created_at, changed_at)
            VALUES (\(opportunity), \(account), \(shift), \(state), \(message), \(1 + children.count), \(tx.now),
                \(tx.now))
            """)
        if let shift { try Companion.add(children, to: ID(id), in: shift, in: tx) }
        if let shift { try Shift.stopWaiting(shift, of: account, in: tx) }
        if state == .asked { try TalkThread.open(at: opportunity, by: account, in: tx) }
        return ID(id)
    }

    /// Ends a sign-up; if the shift is in the future, its place goes to the waiting list.
    private static func end(_ signup: Signup, as state: State, in tx: Transaction) throws -> Bool {
        let count = try tx.execute(
            """
            UPDATE signup SET state = \(state), changed_at = \(tx.now)
            WHERE id = \(signup.id) AND state IN ('asked', 'confirmed')
            """)
        guard count == 1 else { return false }
        if let shift = signup.shift, shift.startsAt > tx.now {
            try Shift.giveBack(signup.places, of: shift.id, in: tx)
        }
        try HelpNews.settleDone(at: signup.opportunity, in: tx)
        try HelpNews.settleAgreed(at: signup.opportunity, of: signup.account, in: tx)
        return true
    }

    /// Gives a place back.
    ///
    /// - Returns: Whether it was held.
    /// - Throws: `Refusal.notFound` if it isn't theirs; `Refusal.tooLate` once it has begun; `Refusal.overtaken` if the
    ///   organization declined it.
    @discardableResult
    static func giveBack(_ id: ID<Signup>, of account: ID<Account>, in tx: Transaction) throws -> Bool {
        guard let signup = try find(id, in: tx), signup.account == account else { throw Refusal.notFound }
        guard signup.isHeld else {
            guard signup.state == .cancelled else { throw Refusal.overtaken(signup.link) }
            return false
        }
        guard signup.canGiveBack(at: tx.now) else { throw Refusal.tooLate }
        guard try end(signup, as: .cancelled, in: tx) else { return false }
        try HelpNews(.left, signup.opportunity, signup.title, now: signup.shift?.fact).tellHost(
            signup.host, by: account, in: tx)
        return true
    }

    /// Restores a place that a helper gave back by mistake, with the companions; the organization is notified.
    ///
    /// - Returns: Whether it was restored: it is still available.
    /// - Throws: `Refused` if others have the place, or a child has another one; `Refusal.notFound` if there is a
    ///   block.
    static func holdAgain(_ id: ID<Signup>, as state: State, givenBackAt: Instant, in tx: Transaction) throws -> Bool {
        guard let signup = try find(id, in: tx) else { return false }
        let found = try Opportunity.reachable(signup.opportunity, by: signup.account, in: tx)
        let isTwice = try holds(signup.account, found.id, signup.shift?.id, in: tx)
        guard found.isOpen(at: tx.now), !isTwice else { return false }
        let count = try tx.execute(
            """
            UPDATE signup SET state = \(state), changed_at = \(tx.now)
            WHERE id = \(id) AND state = 'cancelled' AND changed_at = \(givenBackAt)
            """)
        guard count == 1 else { return false }
        if let shift = signup.shift {
            let children = try Companion.coming(with: id, in: tx)
            if let what = try Companion.obstacle(to: children, in: shift.id, of: found.id, in: tx) {
                throw what == .thereAlready ? Refused.twice : Refused.withoutChildren
            }
            let places = try countAgain(id, in: tx)
            try takePlaces(places, shift.id, at: found.id, in: tx)
            try Shift.stopWaiting(shift.id, of: signup.account, in: tx)
        }
        let fact = signup.shift?.fact
        let what = state == .asked ? HelpNews.request(at: found) : .joined
        try HelpNews(what, found.id, found.title, now: fact).tellHost(
            found.host.id, takingBack: HelpNews(.left, found.id, signup.title, now: fact), of: givenBackAt,
            by: signup.account, in: tx)
        return true
    }

    /// Recounts the places for a restored sign-up: a child may have been deleted meanwhile, or a young person's link
    /// may have ended.
    private static func countAgain(_ id: ID<Signup>, in db: Connection) throws -> Int {
        let places = try 1 + Companion.coming(with: id, in: db).count + YoungPerson.count(with: id, in: db)
        try db.execute("UPDATE signup SET places = \(places) WHERE id = \(id)")
        return places
    }

    /// Restores a child's place that was just given back; the organization is notified.
    ///
    /// - Returns: Whether the helper still has a place, and the shift hasn't begun.
    /// - Throws: `Refused` if others have the place, or the child comes with somebody else; `Refusal.notFound` if there
    ///   is a block.
    static func bringAgain(
        _ child: ID<Child>, with id: ID<Signup>, of account: ID<Account>, in tx: Transaction
    ) throws -> Bool {
        guard let signup = try find(id, in: tx), signup.account == account, let shift = signup.shift else {
            return false
        }
        let found = try Opportunity.reachable(signup.opportunity, by: account, in: tx)
        guard signup.isHeld, signup.canGiveBack(at: tx.now), found.isOpen(at: tx.now) else { return false }
        let family = try Guardian.head(of: account, in: tx)
        let isTheirs = try tx.exists(
            """
            SELECT 1 FROM child JOIN family ON family.id = child.family_id
            WHERE child.id = \(child) AND family.account_id = \(family)
            """)
        let obstacle = try Companion.obstacle(to: [child], in: shift.id, of: found.id, in: tx)
        guard isTheirs, obstacle == nil else { throw Refused.withoutChildren }
        try add([child], to: shift.id, of: account, at: found, in: tx)
        try HelpNews(.brought, found.id, found.title, now: shift.fact).tellHost(found.host.id, by: account, in: tx)
        return true
    }

    /// Stores the organization's answer to a request.
    ///
    /// - Throws: `Refusal.tooLateToAnswer` once it has begun or is closed.
    static func answer(
        _ id: ID<Signup>, _ isYes: Bool, by host: ID<Account>, said member: ID<Account>? = nil, in tx: Transaction
    ) throws -> Signup {
        guard let signup = try find(id, in: tx), signup.host == host else { throw Refusal.notFound }
        // Nobody approves themselves.
        guard signup.account != member ?? host else { throw Refusal.notAllowed }
        guard signup.state == .asked else {
            // If it was pressed twice, the answer is stored already.
            guard signup.state == (isYes ? .confirmed : .declined) else {
                throw Refusal.overtaken(signup.stay.roster)
            }
            return signup
        }
        guard
            try tx.exists(
                """
                SELECT 1 FROM signup JOIN opportunity ON opportunity.id = signup.opportunity_id
                LEFT JOIN shift ON shift.id = signup.shift_id WHERE signup.id = \(id) AND \(isAnswerable(tx.now))
                """)
        else { throw Refusal.tooLateToAnswer }
        if isYes {
            try tx.execute("UPDATE signup SET state = 'confirmed', changed_at = \(tx.now) WHERE id = \(id)")
            try HelpNews.settleDone(at: signup.opportunity, in: tx)
        } else {
            guard try end(signup, as: .declined, in: tx) else { return signup }
            try Undo.keepRefusal(of: signup, by: host, in: tx)
        }
        try HelpNews(isYes ? .accepted : .declined, signup.opportunity, signup.title, now: signup.shift?.fact).tell(
            signup.account, in: tx)
        return signup
    }

    /// Erases who didn't come long ago.
    static func eraseAbsences(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM absence WHERE at < \(tx.now - Memory.past)")
    }

    /// Asks helpers of past shifts once how long it took, except those who reported it already or didn't come.
    ///
    /// - Returns: The number of shifts.
    static func askHours(in tx: Transaction) throws -> Int {
        let over: [(shift: Shift, opportunity: ID<Opportunity>, title: String, isHidden: Bool)] = try tx.all(
            """
            SELECT \(Shift.columns), opportunity.id, opportunity.title, opportunity.hidden_at IS NOT NULL
            FROM shift JOIN opportunity ON opportunity.id = shift.opportunity_id
            WHERE shift.ends_at <= \(tx.now) AND shift.asked_at IS NULL AND shift.removed_at IS NULL
            ORDER BY shift.ends_at, shift.id LIMIT 200
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        for (shift, opportunity, title, isHidden) in over {
            try tx.execute("UPDATE shift SET asked_at = \(tx.now) WHERE id = \(shift.id)")
            // After a long interruption it would be about something forgotten. There are no reminders about hidden
            // content.
            guard shift.endsAt > tx.now - .days(2), !isHidden else { continue }
            try HelpNews(.ended, opportunity, title, now: shift.fact).tell(
                """
                account.suspended_at IS NULL AND account.id IN (
                    SELECT signup.account_id FROM signup
                    WHERE signup.shift_id = \(shift.id) AND signup.state = 'confirmed'
                        AND NOT EXISTS (SELECT 1 FROM absence WHERE absence.signup_id = signup.id)
                        AND NOT EXISTS (SELECT 1 FROM contribution WHERE contribution.signup_id = signup.id))
                """, in: tx)
        }
        return over.count
    }

    /// Reopens a request that the organization declined by mistake; the member is notified.
    ///
    /// - Returns: Whether it was reopened: it can still be answered.
    /// - Throws: `Refused` if others have the place.
    static func askAgain(_ id: ID<Signup>, declinedAt: Instant, in tx: Transaction) throws -> Bool {
        guard let signup = try find(id, in: tx), try !Block.stands(between: signup.account, and: signup.host, in: tx)
        else { return false }
        let count = try tx.execute(
            """
            UPDATE signup SET state = 'asked', changed_at = \(tx.now)
            WHERE id = \(id) AND state = 'declined' AND NOT lapsed AND changed_at = \(declinedAt)
                AND EXISTS (SELECT 1 FROM account WHERE account.id = signup.account_id
                    AND account.suspended_at IS NULL AND account.left_at IS NULL)
                AND (SELECT \(isAnswerable(tx.now)) FROM opportunity LEFT JOIN shift ON shift.id = signup.shift_id
                    WHERE opportunity.id = signup.opportunity_id)
            """)
        guard count == 1 else { return false }
        if let shift = signup.shift {
            let places = try countAgain(id, in: tx)
            try takePlaces(places, shift.id, at: signup.opportunity, in: tx)
            try Shift.stopWaiting(shift.id, of: signup.account, in: tx)
        }
        let fact = signup.shift?.fact
        try HelpNews(.reopened, signup.opportunity, signup.title, now: fact).tell(
            takingBack: HelpNews(.declined, signup.opportunity, signup.title, now: fact), of: declinedAt,
            "account.id = \(signup.account)", in: tx)
        return true
    }

    /// Cancels a shift; helpers and waiting members are notified.
    ///
    /// - Parameter isTold: Whether they were notified already, because everything is canceled.
    static func callOff(_ shift: Shift, of opportunity: Opportunity, isTold: Bool = false, in tx: Transaction) throws {
        if isTold {
            try Guest.noteChange(in: "id = \(shift.id)", in: tx)
        } else {
            try tell(.calledOff, shift, of: opportunity, before: shift.fact, in: tx)
        }
        try tx.execute("DELETE FROM shift_wait WHERE shift_id = \(shift.id)")
        try Reminder.forget(shift.id, in: tx)
        try tx.execute("UPDATE shift SET removed_at = \(tx.now) WHERE id = \(shift.id)")
        try tx.execute(
            """
            UPDATE signup SET state = 'cancelled', changed_at = \(tx.now)
            WHERE shift_id = \(shift.id) AND state IN ('asked', 'confirmed')
            """)
        try HelpNews.settleDone(at: opportunity.id, in: tx)
    }

    /// Notifies everyone in a shift or on its waiting list.
    static func tell(
        _ what: HelpNews.What, _ shift: Shift, of opportunity: Opportunity, before: HelpNews.Fact,
        now fact: HelpNews.Fact? = nil, in tx: Transaction
    ) throws {
        try Guest.noteChange(in: "id = \(shift.id)", in: tx)
        try HelpNews(what, opportunity.id, opportunity.title, before: before, now: fact).tell(
            """
            account.id IN (
                SELECT account_id FROM signup WHERE shift_id = \(shift.id) AND state IN ('asked', 'confirmed')
                UNION ALL SELECT account_id FROM shift_wait WHERE shift_id = \(shift.id))
            """, in: tx)
    }

    /// Notifies all upcoming helpers that the place has changed.
    static func tellMoved(_ opportunity: Opportunity, from before: String, in tx: Transaction) throws {
        try Guest.noteChange(
            in: "opportunity_id = \(opportunity.id) AND removed_at IS NULL AND ends_at > \(tx.now)", in: tx)
        try HelpNews(
            .relocated, opportunity.id, opportunity.title, before: .text(before), now: .text(opportunity.place.line)
        ).tell(
            """
            account.id IN (
                SELECT signup.account_id FROM signup LEFT JOIN shift ON shift.id = signup.shift_id
                WHERE signup.opportunity_id = \(opportunity.id) AND signup.state IN ('asked', 'confirmed')
                    AND (shift.id IS NULL OR shift.ends_at > \(tx.now))
                UNION ALL SELECT shift_wait.account_id FROM shift_wait JOIN shift ON shift.id = shift_wait.shift_id
                WHERE shift.opportunity_id = \(opportunity.id))
            """, in: tx)
    }

    /// Gives back a leaving member's places.
    static func giveBackAll(of account: ID<Account>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM shift_wait WHERE account_id = \(account)")
        // A page at a time until none is left that could be given back.
        for _ in 0..<100 {
            let held = try ahead(of: account, in: tx).items.filter { $0.canGiveBack(at: tx.now) }
            if held.isEmpty { break }
            for signup in held { try giveBack(signup.id, of: account, in: tx) }
        }
        try Promise.endAll(of: account, in: tx)
    }
}

extension HelpNews {
    /// Notifies an organization: its owner, and colleagues with full duties.
    ///
    /// - Parameter doer: The member who did it.
    func tellHost(_ host: ID<Account>, by doer: ID<Account>? = nil, in tx: Transaction) throws {
        try tell(Colleague.told(of: kind, at: host, by: doer), in: tx)
    }

    /// Notifies those who heard of `told` that the previous state has been restored.
    func tellHost(
        _ host: ID<Account>, takingBack told: HelpNews, of then: Instant, by doer: ID<Account>, in tx: Transaction
    ) throws {
        try tell(takingBack: told, of: then, Colleague.told(of: kind, at: host, by: doer), in: tx)
    }
}

extension HelperList.HoursRow {
    /// The reported and confirmed hours of a day.
    fileprivate struct Stored {
        let holder: Stay.Holder
        let day: Day
        let minutes: Int
        let confirmed: Int?
        let arrived: TimeOfDay?
        let left: TimeOfDay?

        var confirmation: Contribution.Confirmation? {
            confirmed.map {
                Contribution.Confirmation(of: holder, day: day, minutes: $0, arrived: arrived, left: left)
            }
        }
    }
}

extension HelperList {
    static let name: SQL = """
        coalesce(CASE WHEN account.left_at IS NULL THEN family.first_name || ' ' || family.last_name END,
            CASE WHEN account.left_at IS NULL THEN \(Person.shownName) END, '–')
        """
    /// Whether the organization may contact a helper: as long after the end as an event's host can see the
    /// participants.
    private static func isReachable(until end: SQL, at now: Instant) -> SQL {
        "account.left_at IS NULL AND account.suspended_at IS NULL AND \(end) > \(now - Memory.past)"
    }
    /// The end of the help: that of the shift, or of the opportunity.
    private static let end: SQL = "coalesce(shift.ends_at, opportunity.closed_at, opportunity.ends_at)"
    private static func email(until end: SQL, at now: Instant) -> SQL {
        "CASE WHEN \(isReachable(until: end, at: now)) THEN account.email ELSE '' END"
    }
    private static func phone(at now: Instant) -> SQL {
        """
        CASE WHEN \(isReachable(until: end, at: now)) AND family.shares_phone AND signup.state = 'confirmed'
            THEN family.phone END
        """
    }
    static let who: SQL = """
        LEFT JOIN family ON family.account_id = account.id LEFT JOIN person ON person.account_id = account.id
        """

    /// Helpers, requests, promises, and hours waiting for confirmation; each list has its own pages.
    init(
        of opportunity: Opportunity, after: Cursor<ID<Signup>>? = nil, promisedAfter: Cursor<ID<Promise>>? = nil,
        confirmedBefore: Cursor<ID<Contribution>>? = nil, atMost limit: Int = 200, in tx: Transaction
    ) throws {
        (self.opportunity, self.after, self.promisedAfter) = (opportunity, after, promisedAfter)
        page = try Self.helpers(at: opportunity, after: after, atMost: limit, in: tx)
        refused = try Self.refusals(at: opportunity.id, in: tx)
        promised = try Self.promises(at: opportunity.id, after: promisedAfter, atMost: limit, in: tx)
        // The first page has all whom the organization added.
        let isFirst = after == nil
        (hours, days) = try Self.hours(of: page.items, withGuests: isFirst, at: opportunity.id, in: tx)
        shifts = try Shift.all(of: opportunity.id, in: tx)
        let guests = try isFirst ? Guest.all(of: opportunity.id, in: tx) : []
        self.guests = guests.sorted { ($0.shift.startsAt, $0.guest.id) < ($1.shift.startsAt, $1.guest.id) }
        confirmed = try Self.confirmations(at: opportunity.id, before: confirmedBefore, atMost: limit, in: tx)
        let waiting = try isFirst ? Self.waiting(at: opportunity, atMost: limit + 1, in: tx) : []
        (self.waiting, hidesWaiting) = (Array(waiting.prefix(limit)), waiting.count > limit)
    }

    private static func helpers(
        at opportunity: Opportunity, after: Cursor<ID<Signup>>?, atMost limit: Int, in tx: Transaction
    ) throws -> Page<Helper> {
        try Page(of: limit, by: \.signup.id) { limit in
            try tx.all(
                """
                SELECT \(Signup.columns), \(Self.name), \(Self.email(until: Self.end, at: tx.now)),
                    \(Self.phone(at: tx.now))
                FROM \(Signup.sources)
                JOIN account ON account.id = signup.account_id \(Self.who)
                WHERE signup.opportunity_id = \(opportunity.id) AND signup.id > \(after?.keys ?? ID(0))
                    AND signup.state IN ('asked', 'confirmed')
                ORDER BY signup.id LIMIT \(limit)
                """
            ) {
                Helper(
                    signup: try $0.next(), name: try $0.next(), email: try $0.next(),
                    phone: (try $0.next() as String?)?.nonEmpty)
            }
        }.changed { helpers in
            // An unverified organization sees no child's name.
            Companion.mayCome(to: opportunity, at: tx.now)
                ? helpers
                : helpers.map { helper in
                    var helper = helper
                    helper.signup.companions = []
                    return helper
                }
        }
    }

    /// When the organization last said no to members.
    private static func refusals(at opportunity: ID<Opportunity>, in tx: Transaction) throws -> [ID<Account>: Instant] {
        let refusals: [(account: ID<Account>, at: Instant)] = try tx.all(
            """
            SELECT account_id, changed_at FROM signup
            WHERE opportunity_id = \(opportunity) AND id > 0 AND state = 'declined' AND NOT lapsed
            ORDER BY id DESC LIMIT 1000
            """
        ) { (try $0.next(), try $0.next()) }
        return Dictionary(refusals.map { ($0.account, $0.at) }) { last, _ in last }
    }

    private static func promises(
        at opportunity: ID<Opportunity>, after: Cursor<ID<Promise>>?, atMost limit: Int, in tx: Transaction
    ) throws -> Page<PromiseRow> {
        try Page(of: limit, by: \.promise.id) { limit in
            try tx.all(
                """
                SELECT \(Promise.columns), \(Self.name), \(Self.email(until: "promise.ends_at", at: tx.now))
                FROM \(Promise.sources)
                JOIN account ON account.id = promise.account_id \(Self.who)
                WHERE promise.opportunity_id = \(opportunity) AND promise.id > \(after?.keys ?? ID(0))
                    AND (promise.waits OR promise.state = 'open')
                ORDER BY promise.id LIMIT \(limit)
                """
            ) { PromiseRow(promise: try $0.next(), name: try $0.next(), email: try $0.next()) }
        }
    }

    /// The hours of these helpers that wait for confirmation, and the other days on which they helped.
    private static func hours(
        of helpers: [Helper], withGuests: Bool, at opportunity: ID<Opportunity>, in tx: Transaction
    ) throws -> (toConfirm: [HoursRow], others: [HoursRow]) {
        let said: [HoursRow.Stored] = try tx.all(
            """
            SELECT signup_id, guest_id, day, minutes, confirmed, in_minute, out_minute FROM contribution
            WHERE opportunity_id = \(opportunity) AND kind IN ('hours', 'shadow')
                AND (signup_id >= \(helpers.first?.signup.id ?? ID(0))
                    AND signup_id <= \(helpers.last?.signup.id ?? ID(0))
                    OR guest_id IS NOT NULL AND \(withGuests))
            ORDER BY id DESC LIMIT 100000
            """
        ) {
            let (signup, guest): (ID<Signup>?, ID<Guest>?) = (try $0.next(), try $0.next())
            return HoursRow.Stored(
                holder: guest.map { .guest($0) } ?? .signup(signup ?? ID(0)), day: try $0.next(),
                minutes: try $0.next(), confirmed: try $0.next(), arrived: try $0.next(), left: try $0.next())
        }
        let saidOf = Dictionary(grouping: said, by: \.holder)
        var rows: [HoursRow] = []
        var days: [HoursRow] = []
        func note(_ stay: Stay, called name: String, isMissed: Bool) {
            let own = saidOf[stay.holder] ?? []
            for one in own {
                let row = HoursRow(stay, name: name, day: one.day, said: one.minutes, confirmed: one.confirmation)
                // Hours reported by somebody who didn't come need no answer, unless the absence is taken back.
                if row.confirmed != nil || isMissed { days.append(row) } else { rows.append(row) }
            }
            // Later nobody knows anymore, and absences are erased.
            if own.isEmpty, !isMissed, let shift = stay.shift, shift.endsAt <= tx.now,
                shift.endsAt > tx.now - Memory.past
            {
                rows.append(HoursRow(stay, name: name, day: shift.day, said: nil))
            }
        }
        for helper in helpers where helper.signup.state == .confirmed {
            note(helper.signup.stay, called: helper.name, isMissed: helper.signup.isMissed)
        }
        let added = withGuests ? try Stay.ofGuests(at: opportunity, in: tx) : []
        for (stay, guest) in added { note(stay, called: guest.name, isMissed: guest.isMissed) }
        return (rows, days)
    }

    private static func confirmations(
        at opportunity: ID<Opportunity>, before: Cursor<ID<Contribution>>?, atMost limit: Int, in tx: Transaction
    ) throws -> Page<ConfirmedRow> {
        try Page(of: limit, by: \.contribution.id) { limit in
            try tx.all(
                """
                SELECT \(Contribution.columns), coalesce(guest.name, \(Self.name)) FROM contribution
                LEFT JOIN guest ON guest.id = contribution.guest_id
                LEFT JOIN account ON account.id = contribution.account_id \(Self.who)
                WHERE contribution.opportunity_id = \(opportunity) AND contribution.confirmed_at IS NOT NULL
                    AND contribution.id < \(before?.keys ?? ID(.max))
                ORDER BY contribution.id DESC LIMIT \(limit)
                """
            ) { ConfirmedRow(contribution: try $0.next(), name: try $0.next()) }
        }
    }
}

extension Undo {
    /// Stores that an organization declined a helper.
    fileprivate static func keepRefusal(of signup: Signup, by host: ID<Account>, in tx: Transaction) throws {
        try keep(
            .signup, signup.opportunity.rawValue, "", [("row", "\(signup.id)"), ("at", text(of: tx.now))],
            of: host, in: tx)
    }
}
