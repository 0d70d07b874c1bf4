import Database

extension YoungPerson.Count: RowDecodable {
    /// For a query over `signup`.
    static let columns: Columns = [count("agreed_at IS NOT NULL"), count("agreed_at IS NULL")]

    private static func count(_ which: SQL) -> SQL {
        """
        (SELECT count(*) FROM young_person
            WHERE young_person.signup_id = signup.id AND young_person.ended_at IS NULL AND young_person.\(which))
        """
    }

    init(row: inout Row) throws { self.init(agreed: try row.next(), awaited: try row.next()) }
}

extension YoungPerson {
    /// The young people of a sign-up, oldest entry first.
    static func all(with signup: ID<Signup>, in db: Connection) throws -> [YoungPerson] {
        try db.all(
            """
            SELECT id, expires_at, agreed_at FROM young_person
            WHERE signup_id = \(signup) AND ended_at IS NULL ORDER BY id LIMIT \(most)
            """
        ) { YoungPerson(id: try $0.next(), until: try $0.next(), agreedAt: try $0.next()) }
    }

    /// A member's sign-up to which young people may be added: an upcoming shift that accepts children with an adult.
    ///
    /// - Throws: `Refusal.notFound` if it isn't theirs.
    static func opened(
        _ id: ID<Signup>, of account: ID<Account>, in tx: Transaction
    ) throws -> (signup: Signup, opening: YoungRequest?) {
        guard let signup = try Signup.find(id, in: tx), signup.account == account else { throw Refusal.notFound }
        return (signup, try request(signup, in: tx))
    }

    private static func request(_ signup: Signup, in tx: Transaction) throws -> YoungRequest? {
        guard signup.isHeld, let shift = signup.shift, shift.isOpen(at: tx.now),
            let opportunity = try Opportunity.find(signup.opportunity, in: tx), opportunity.isOpen(at: tx.now),
            Companion.mayCome(to: opportunity, at: tx.now), try Account.find(signup.account, in: tx)?.suspendedAt == nil
        else { return nil }
        return YoungRequest(opportunity: opportunity, shift: shift)
    }

    /// Takes a place for a young person, which is reserved until a parent agrees through the link.
    ///
    /// - Parameter beside: How many there were when the form was drawn, so that sending it twice takes one place.
    /// - Returns: Whether a place was taken.
    /// - Throws: `Refused`; `Refusal.notFound` if it isn't theirs.
    static func bring(
        _ token: Token, to id: ID<Signup>, beside count: Int, of account: ID<Account>, in tx: Transaction
    ) throws -> Bool {
        guard let opening = try opened(id, of: account, in: tx).opening else { throw Refused.closed }
        let brought = try all(with: id, in: tx).count
        guard brought == count else { return false }
        guard brought < most else { throw Refused.many }
        let shift = opening.shift
        // People on the waiting list come first.
        try Shift.offerFreedPlaces(shift.id, in: tx)
        do {
            try Signup.takePlaces(1, shift.id, at: opening.opportunity.id, in: tx)
        } catch is Signup.Refused {
            throw Refused.full
        }
        try tx.execute("UPDATE signup SET places = places + 1 WHERE id = \(id)")
        try tx.execute(
            """
            INSERT INTO young_person (signup_id, token_hash, expires_at, erase_at)
            VALUES (\(id), \(token.hash), \(min(tx.now + patience, shift.startsAt)), \(shift.endsAt + memory))
            """)
        return true
    }

    /// Handles a moved shift: parents who agreed are asked again through their existing links, and the retention of
    /// young people is updated.
    static func follow(_ shift: Shift, of opportunity: Opportunity, in tx: Transaction) throws {
        let coming: SQL = "ended_at IS NULL AND signup_id IN (SELECT id FROM signup WHERE shift_id = \(shift.id))"
        try tx.execute("UPDATE young_person SET erase_at = \(shift.endsAt + memory) WHERE \(coming)")
        guard shift.startsAt > tx.now else { return }
        let answered: [ID<Account>] = try tx.all(
            """
            SELECT signup.account_id FROM signup JOIN young_person ON young_person.signup_id = signup.id
            WHERE signup.shift_id = \(shift.id) AND agreed_at IS NOT NULL AND ended_at IS NULL LIMIT 10000
            """
        ) { try $0.next() }
        try tx.execute(
            """
            UPDATE young_person SET agreed_at = NULL, expires_at = \(min(tx.now + patience, shift.startsAt))
            WHERE \(coming)
            """)
        for account in Set(answered) {
            try HelpNews(.asksAgain, opportunity.id, opportunity.title, now: shift.fact).tell(account, in: tx)
        }
    }

    /// Makes another link for a parent; the old one stops working, and the deadline stays.
    static func renew(
        _ id: ID<YoungPerson>, _ token: Token, with signup: ID<Signup>, of account: ID<Account>, in tx: Transaction
    ) throws {
        guard try opened(signup, of: account, in: tx).opening != nil else { throw Refused.closed }
        let count = try tx.execute(
            """
            UPDATE young_person SET token_hash = \(token.hash)
            WHERE id = \(id) AND signup_id = \(signup) AND agreed_at IS NULL AND ended_at IS NULL
                AND expires_at > \(tx.now)
            """)
        guard count == 1 else { throw Refusal.notFound }
    }

    /// Gives a young person's place back.
    ///
    /// - Throws: `Refusal.notFound` if it isn't theirs.
    static func giveBack(
        _ id: ID<YoungPerson>, with signup: ID<Signup>, of account: ID<Account>, in tx: Transaction
    ) throws {
        guard let found = try Signup.find(signup, in: tx), found.account == account else { throw Refusal.notFound }
        guard found.isHeld else { return }
        guard found.canGiveBack(at: tx.now) else { throw Refusal.tooLate }
        try end(id, of: found, in: tx)
    }

    /// The number of young people in a sign-up.
    static func count(with signup: ID<Signup>, in db: Connection) throws -> Int {
        try db.value("SELECT count(*) FROM young_person WHERE signup_id = \(signup) AND ended_at IS NULL") ?? 0
    }

    /// Ends it; the place goes to the waiting list.
    @discardableResult private static func end(
        _ id: ID<YoungPerson>, of signup: Signup, in tx: Transaction
    ) throws -> Bool {
        let count = try tx.execute(
            """
            UPDATE young_person SET ended_at = \(tx.now)
            WHERE id = \(id) AND signup_id = \(signup.id) AND ended_at IS NULL
            """)
        try HelpNews.settleAgreed(at: signup.opportunity, of: signup.account, in: tx)
        guard count == 1, signup.isHeld, let shift = signup.shift, shift.startsAt > tx.now else { return false }
        try tx.execute("UPDATE signup SET places = places - 1 WHERE id = \(signup.id) AND places > 1")
        try Shift.giveBack(1, of: shift.id, in: tx)
        return true
    }

    // MARK: A parent

    /// The request behind a link, or why it no longer works; nil for a link that never existed.
    static func find(_ token: Token, in tx: Transaction) throws -> LinkState<YoungRequest>? {
        let found: (signup: ID<Signup>, agreed: Instant?, ended: Instant?, until: Instant)? = try tx.first(
            """
            SELECT signup_id, agreed_at, ended_at, expires_at FROM young_person WHERE token_hash = \(token.hash)
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        guard let found else { return nil }
        guard found.ended == nil, found.until > tx.now || found.agreed != nil,
            let signup = try Signup.find(found.signup, in: tx), var request = try request(signup, in: tx)
        else { return .ended(LinkEnd(.young, .over)) }
        request.isAgreed = found.agreed != nil
        return .open(request)
    }

    /// Stores a parent's agreement; the member who brings the young person is notified once.
    ///
    /// - Throws: `Refusal.notFound` or `LinkEnd` for an invalid link.
    static func agree(_ token: Token, in tx: Transaction) throws {
        guard let request = try find(token, in: tx)?.opened() else { throw Refusal.notFound }
        guard !request.isAgreed else { return }
        try tx.execute("UPDATE young_person SET agreed_at = \(tx.now) WHERE token_hash = \(token.hash)")
        let opportunity = request.opportunity
        let member: ID<Account>? = try tx.value(
            """
            SELECT signup.account_id FROM young_person JOIN signup ON signup.id = young_person.signup_id
            WHERE young_person.token_hash = \(token.hash)
            """)
        guard let member else { return }
        try HelpNews.settleAgreed(at: opportunity.id, of: member, in: tx)
        try HelpNews(.agreed, opportunity.id, opportunity.title, now: request.shift.fact).tell(member, in: tx)
    }

    /// Gives back places for which no parent agreed in time; the members who reserved them are notified.
    ///
    /// - Returns: The number of places.
    @discardableResult static func lapse(in tx: Transaction) throws -> Int {
        let due: [(id: ID<YoungPerson>, signup: ID<Signup>)] = try tx.all(
            """
            SELECT id, signup_id FROM young_person
            WHERE agreed_at IS NULL AND ended_at IS NULL AND expires_at <= \(tx.now) LIMIT 1000
            """
        ) { (try $0.next(), try $0.next()) }
        for (id, signup) in due {
            guard let found = try Signup.find(signup, in: tx), try end(id, of: found, in: tx) else { continue }
            try HelpNews(.unagreed, found.opportunity, found.title, now: found.shift?.fact).tell(found.account, in: tx)
        }
        return due.count
    }

    /// Erases old entries.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM young_person WHERE erase_at <= \(tx.now)")
    }
}

extension YoungPart {
    init(of id: ID<Signup>, for member: Visitor, in zone: Zone, tx: Transaction) throws {
        let (signup, opening) = try YoungPerson.opened(id, of: member.account, in: tx)
        self.init(signup: signup, all: try YoungPerson.all(with: id, in: tx), isOpen: opening != nil, zone: zone)
        canGiveBack = signup.canGiveBack(at: tx.now)
        if let opening {
            let choices = try Companion.Choice.all(of: member, to: opening.opportunity, [opening.shift], in: tx)
            room = Companion.room(beside: signup, choices, at: tx.now)
        }
    }
}
