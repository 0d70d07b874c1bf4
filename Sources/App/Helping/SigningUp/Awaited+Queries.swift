import Database

extension Awaited {
    /// The most entries of each kind.
    private static let most = 10

    /// The requests waiting for a visitor's answer: their own, and those of an organization they look after.
    static func all(of visitor: Visitor, _ opening: Opening, at now: Instant, in db: Connection) throws -> [Awaited] {
        var all: [Awaited] = []
        if opening.has(.helping), visitor.provider != nil, visitor.duty != .roster {
            all += try signups(at: visitor.host, after: now, in: db)
        }
        if opening.has(.needs) { all += try claims(on: visitor.account, after: now, in: db) }
        if opening.has(.playdates) { all += try meetings(with: visitor.account, after: now, in: db) }
        all += try Cohost.invitations(to: visitor.account, atMost: most, at: now, in: db).map {
            Awaited(hosting: $0.event, $0.title)
        }
        if visitor.isStaff {
            let count = try Matter.waiting(in: db)
            if count > 0 { all.append(Awaited(atTheDesk: count)) }
        }
        return all
    }

    private static func signups(at host: ID<Account>, after now: Instant, in db: Connection) throws -> [Awaited] {
        try db.all(
            """
            SELECT opportunity.id, opportunity.title, count(*) FROM opportunity
            JOIN signup ON signup.opportunity_id = opportunity.id AND signup.state = 'asked'
            LEFT JOIN shift ON shift.id = signup.shift_id
            WHERE opportunity.account_id = \(host) AND \(Signup.isAnswerable(now))
            GROUP BY opportunity.id ORDER BY opportunity.id LIMIT \(most)
            """
        ) {
            let (id, title, count): (ID<Opportunity>, String, Int) = (try $0.next(), try $0.next(), try $0.next())
            return Awaited(helpers: count, at: id, title)
        }
    }

    private static func claims(on account: ID<Account>, after now: Instant, in db: Connection) throws -> [Awaited] {
        try db.all(
            """
            SELECT need.id, need.title, count(*) FROM need
            JOIN claim ON claim.need_id = need.id AND claim.state = 'asked' AND claim.ends_at > \(now)
            WHERE need.account_id = \(account)
            GROUP BY need.id ORDER BY need.id LIMIT \(most)
            """
        ) {
            let (id, title, count): (ID<Need>, String, Int) = (try $0.next(), try $0.next(), try $0.next())
            return Awaited(visitors: count, for: id, title)
        }
    }

    private static func meetings(with account: ID<Account>, after now: Instant, in db: Connection) throws -> [Awaited] {
        let all = try db.all(
            """
            SELECT \(Meeting.columns), mine.name, theirs.name
            FROM meeting CROSS JOIN match_side AS side
            JOIN pet AS mine ON mine.id = side.pet_id JOIN pet AS theirs ON theirs.id = side.other_pet_id
            WHERE meeting.other_account_id = \(account) AND meeting.state = 'proposed'
                AND side.match_id = meeting.match_id AND \(PetMatch.isThere(for: account))
            ORDER BY meeting.id LIMIT \(most)
            """
        ) { (meeting: try $0.next() as Meeting, names: PetMatch.names(try $0.next(), try $0.next())) }
        return all.filter { $0.meeting.isOpen(at: now) }.map { Awaited(meeting: $0.meeting.match, of: $0.names) }
    }
}

extension Signup {
    /// Whether a request can still be answered, for `signup` with its shift and opportunity: until the shift begins,
    /// and while the organization accepts people.
    static func isAnswerable(_ now: Instant) -> SQL {
        """
        (CASE WHEN signup.shift_id IS NULL THEN opportunity.closed_at IS NULL AND opportunity.ends_at > \(now)
            ELSE shift.removed_at IS NULL AND shift.starts_at > \(now) END)
        """
    }

    /// Reminds organizations once of each person waiting for an answer, and ends requests that weren't answered in
    /// time: the person is notified, and their place is released.
    ///
    /// - Returns: The number of requests.
    static func tidyAsked(at now: Instant, in db: Connection) throws -> Int {
        let over: [ID<Signup>] = try db.all(
            """
            SELECT signup.id FROM signup \(indexedBy: "signup_asked")
            JOIN opportunity ON opportunity.id = signup.opportunity_id LEFT JOIN shift ON shift.id = signup.shift_id
            WHERE signup.state = 'asked' AND NOT \(isAnswerable(now)) LIMIT 200
            """
        ) { try $0.next() }
        for id in over {
            guard let signup = try find(id, in: db) else { continue }
            try lapse(signup, at: now, in: db)
        }
        let due: [ID<Signup>] = try db.all(
            """
            SELECT signup.id FROM signup \(indexedBy: "signup_asked")
            LEFT JOIN shift ON shift.id = signup.shift_id
            WHERE signup.state = 'asked' AND signup.reminded_at IS NULL
                AND (signup.created_at <= \(now - Awaited.patience) OR shift.starts_at <= \(now + Awaited.lead)
                    AND signup.created_at <= \(now - Awaited.least))
            LIMIT 200
            """
        ) { try $0.next() }
        var told: Set<ID<Opportunity>> = []
        for id in due {
            guard let signup = try find(id, in: db) else { continue }
            try db.execute("UPDATE signup SET reminded_at = \(now) WHERE id = \(id)")
            // Several people waiting for one answer cause one letter.
            guard told.insert(signup.opportunity).inserted else { continue }
            try HelpNews(.waits, signup.opportunity, signup.title, now: signup.shift?.fact).tellHost(
                signup.host, at: now, in: db)
        }
        return over.count + due.count
    }

    private static func lapse(_ signup: Signup, at now: Instant, in db: Connection) throws {
        try db.execute(
            """
            UPDATE signup SET state = 'declined', lapsed = TRUE, changed_at = \(now)
            WHERE id = \(signup.id) AND state = 'asked'
            """)
        if let shift = signup.shift {
            try db.execute("UPDATE shift SET taken = \(Shift.taken(without: signup.places)) WHERE id = \(shift.id)")
        }
        // If everything was canceled, everyone was notified already.
        guard signup.closing == nil, signup.shift.map({ $0.endsAt > now - .days(1) }) ?? true else { return }
        try HelpNews(.unanswered, signup.opportunity, signup.title, now: signup.shift?.fact).tell(
            signup.account, at: now, in: db)
    }
}
