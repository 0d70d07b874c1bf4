import Database

extension Attendee {
    /// A person's row at an event, and its party.
    struct Place: Sendable {
        let person: ID<Registration.Person>
        let party: ID<Registration>
    }

    /// The children that an account looks after, under any hat.
    static func children(of account: ID<Account>, in db: Connection) throws -> [Child] {
        try children(headedBy: Guardian.head(of: account, in: db), in: db)
    }

    /// The children of the family of which an account is the head.
    static func children(headedBy head: ID<Account>, in db: Connection) throws -> [Child] {
        guard let family = try Family.find(of: head, in: db) else { return [] }
        return try Child.all(of: family.id, in: db)
    }

    /// An account's people at an event, each with row and party: children belong to the party of the account under
    /// which they are registered.
    static func present(of account: ID<Account>, at event: ID<Event>, in db: Connection) throws -> [Attendee: Place] {
        var present: [Attendee: Place] = [:]
        try db.each(
            """
            SELECT registration_person.id, registration.id, registration_person.is_self, registration_person.child_id
            FROM registration
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            WHERE \(try Guardian.bookings(of: account, in: db)) AND registration.state = 'confirmed'
                AND registration.event_id = \(event)
            LIMIT 100
            """
        ) { row in
            let place = Place(person: try row.next(), party: try row.next())
            let isSelf: Bool = try row.next()
            let child: ID<Child>? = try row.next()
            if isSelf { present[.me] = place } else if let child { present[.child(child)] = place }
            return true
        }
        return present
    }

    /// Adds people of an account to a community event, all or none; those already there stay. In one transaction, so
    /// that the limit holds.
    ///
    /// - Returns: Their rows.
    /// - Throws: `Refused`; `Refusal.notFound` if it is somebody else's child, or there is no such event.
    @discardableResult
    static func join(
        _ people: [Attendee], of account: ID<Account>, at id: ID<Event>, in tx: Transaction
    ) throws -> [ID<Registration.Person>] {
        guard try Event.find(id, in: tx)?.isForEveryone == true else { throw Refusal.notFound }
        return try enter(people, of: account, at: id, in: tx)
    }

    /// Adds people, including children with a session.
    static func enter(
        _ people: [Attendee], of account: ID<Account>, at id: ID<Event>, in tx: Transaction
    ) throws -> [ID<Registration.Person>] {
        guard let event = try Event.find(id, in: tx), event.isForEveryone || event.hasSessions, !event.isHidden else {
            throw Refusal.notFound
        }
        guard event.isOpen(at: tx.now) else { throw Refused.closed }
        var present = try present(of: account, at: id, in: tx)
        let fresh = Set(people).filter { present[$0] == nil }
        if event.hasSessions {
            // Their ages on the day of the session.
            guard !fresh.contains(.me) else { throw Refused.tooYoungOrOld }
        } else {
            try check(fresh, of: account, for: event, in: tx)
        }
        if !fresh.isEmpty {
            do { try Event.takePlaces(fresh.count, of: id, in: tx) } catch is Event.NoRoom {
                throw Refused.full
            }
            let head = try Guardian.head(of: account, in: tx)
            var parties: [ID<Account>: ID<Registration>] = [:]
            for attendee in people where present[attendee] == nil {
                let child: ID<Child>? = if case .child(let id) = attendee { id } else { nil }
                let holder = child == nil ? account : head
                let party = try parties[holder] ?? party(of: holder, at: id, in: tx)
                parties[holder] = party
                let waiting =
                    try event.hasSessions
                    ? child.flatMap { try Registration.seat($0, in: party, at: id, in: tx) } : nil
                let person =
                    try waiting
                    ?? ID<Registration.Person>(
                        tx.insert(
                            """
                            INSERT INTO registration_person (registration_id, event_id, child_id, is_self)
                            VALUES (\(party), \(id), \(child), \(attendee == .me))
                            """))
                present[attendee] = Place(person: person, party: party)
            }
            if account != head, parties[head] != nil { try note(account, at: id, of: head, in: tx) }
        }
        return people.compactMap { present[$0]?.person }
    }

    /// Makes sure that they are the account's own and fit the ages.
    static func check(
        _ people: Set<Attendee>, of account: ID<Account>, for facts: some Joinable, in db: Connection
    ) throws {
        guard facts.takesAdults || !people.contains(.me) else { throw Refused.tooYoungOrOld }
        let children = try children(of: account, in: db)
        for case .child(let id) in people {
            guard let child = children.first(where: { $0.id == id }) else { throw Refusal.notFound }
            guard facts.fits(child.ages(on: facts.day)) else { throw Refused.tooYoungOrOld }
        }
    }

    /// The `once` by which an account's one party at an event is found.
    private static func once(_ event: ID<Event>) -> String { "join-\(event)" }

    /// Transfers the children at events and in sessions from one account to another, which looks after them from now
    /// on.
    static func handOver(by head: ID<Account>, to second: ID<Account>, in tx: Transaction) throws {
        let joined: [(party: ID<Registration>, event: ID<Event>, state: Registration.State)] = try tx.all(
            """
            SELECT registration.id, registration.event_id, registration.state FROM registration
            JOIN event ON event.id = registration.event_id
                AND (event.audience = 'everyone' OR event.sessions)
            WHERE registration.account_id = \(head) AND EXISTS (SELECT 1 FROM registration_person
                WHERE registration_person.registration_id = registration.id AND NOT registration_person.is_self
                    AND registration_person.cancelled_at IS NULL)
            LIMIT 10000
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        for (old, event, state) in joined {
            let party =
                state == .queued
                ? try Registration.queued(of: second, at: event, in: tx)
                : try party(of: second, at: event, in: tx)
            try tx.execute(
                """
                UPDATE registration_person SET registration_id = \(party)
                WHERE registration_id = \(old) AND NOT is_self AND cancelled_at IS NULL
                """)
            try tx.execute(
                """
                UPDATE registration SET state = 'cancelled', updated_at = \(tx.now)
                WHERE id = \(old) AND \(Registration.size) = 0
                """)
        }
    }

    /// Records that the second parent added the children: the host can contact that parent.
    static func note(_ guardian: ID<Account>, at event: ID<Event>, of head: ID<Account>, in db: Connection) throws {
        try Registration.note(guardian, registered: once(event), of: head, in: db)
    }

    /// The account's one party at the event, created if necessary.
    static func party(of account: ID<Account>, at event: ID<Event>, in tx: Transaction) throws -> ID<Registration> {
        let once = once(event)
        if let party = try Registration.sent(once, by: account, in: tx) {
            try tx.execute("UPDATE registration SET state = 'confirmed', updated_at = \(tx.now) WHERE id = \(party)")
            return party
        }
        return try Registration.insert(ArraySlice<ID<Child>>(), of: account, at: event, once: once, in: tx)
    }

    /// Removes people of an account from a community event; without a name, the only one there is meant.
    ///
    /// - Throws: `Refused.closed` once it is over; `.nobody` if it is unclear which of several is meant.
    static func leave(_ people: [Attendee], of account: ID<Account>, at id: ID<Event>, in tx: Transaction) throws {
        guard let event = try Event.find(id, in: tx), event.isForEveryone else { throw Refusal.notFound }
        guard event.isOpen(at: tx.now) else { throw Refused.closed }
        let present = try present(of: account, at: id, in: tx)
        guard !people.isEmpty || present.count < 2 else { throw Refused.nobody }
        let leaving = people.isEmpty ? Array(present.values) : people.compactMap { present[$0] }
        for (party, places) in Dictionary(grouping: leaving, by: \.party) {
            try Registration.part("id IN \(list: places.map(\.person))", from: party, in: tx)
        }
        try Event.offerFreedPlaces(id, in: tx)
    }
}

extension Going {
    /// An account's people who are at an event, and those who could come.
    init(_ event: Event, of account: ID<Account>, in tx: Transaction) throws {
        self.init(
            event, children: try Attendee.children(of: account, in: tx),
            present: Set(try Attendee.present(of: account, at: event.id, in: tx).keys), at: tx.now)
    }
}
