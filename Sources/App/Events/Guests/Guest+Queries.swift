import Database

extension Guest: RowDecodable {
    static let columns: Columns = [
        "guest.id", "guest.name", "guest.age", "guest.phone", "guest.code", "guest.registration_id", "guest.shift_id",
        "guest.off_at IS NOT NULL", "guest.changed_at IS NOT NULL",
    ]

    init(row: inout Row) throws {
        id = try row.next()
        name = try row.next()
        age = try row.next()
        phone = (try row.next() as String).nonEmpty
        code = try row.next()
        let (registration, shift): (ID<Registration>?, ID<Shift>?) = (try row.next(), try row.next())
        place = registration.map { .event($0) } ?? .shift(shift ?? ID(0))
        isOff = try row.next()
        isUnaware = try row.next()
    }

    /// Somebody on the list of an event, or taken off it.
    ///
    /// - Throws: `Refusal.notFound` when nobody of that number is.
    static func find(_ id: ID<Guest>, at event: ID<Event>, in db: Connection) throws -> Guest {
        let guest: Guest? = try db.first(
            """
            SELECT \(columns) FROM guest JOIN registration ON registration.id = guest.registration_id
            WHERE guest.id = \(id) AND registration.event_id = \(event)
            """)
        guard let guest else { throw Refusal.notFound }
        return guest
    }

    /// Somebody on the list of a shift, or taken off it.
    ///
    /// - Throws: `Refusal.notFound` when nobody of that number is.
    static func find(_ id: ID<Guest>, at opportunity: ID<Opportunity>, in db: Connection) throws -> Guest {
        let guest: Guest? = try db.first(
            """
            SELECT \(columns) FROM guest JOIN shift ON shift.id = guest.shift_id
            WHERE guest.id = \(id) AND shift.opportunity_id = \(opportunity)
            """)
        guard let guest else { throw Refusal.notFound }
        return guest
    }

    /// Those on the lists of a way to help: also of a shift that was called off, until they know.
    static func all(of opportunity: ID<Opportunity>, in db: Connection) throws -> [(guest: Guest, shift: Shift)] {
        try db.all(
            """
            SELECT \(columns), \(Shift.columns) FROM shift JOIN guest ON guest.shift_id = shift.id
            WHERE shift.opportunity_id = \(opportunity) AND guest.off_at IS NULL
                AND (shift.removed_at IS NULL OR guest.changed_at IS NOT NULL)
            LIMIT 10000
            """
        ) { (try $0.next(), try $0.next()) }
    }

    // MARK: The host

    /// Adds somebody to the list of an event.
    ///
    /// - Parameter once: That of the form: sent twice, it adds once.
    /// - Throws: `Event.NoRoom` when there is no place, or the event was called off or is over.
    static func add(
        _ form: GuestForm, to event: ID<Event>, once: String, at now: Instant, in db: Connection
    ) throws -> ID<Guest> {
        let earlier: ID<Guest>? = try db.value(
            """
            SELECT guest.id FROM registration JOIN guest ON guest.registration_id = registration.id
            WHERE registration.event_id = \(event) AND guest.once = \(once)
            """)
        if let earlier { return earlier }
        try seat(at: event, now: now, in: db)
        let party = ID<Registration>(
            try db.insert(
                """
                INSERT INTO registration (event_id, state, once, created_at, updated_at)
                VALUES (\(event), 'confirmed', \(once), \(now), \(now))
                """))
        let person = ID<Registration.Person>(
            try db.insert(
                "INSERT INTO registration_person (registration_id, event_id) VALUES (\(party), \(event))"))
        if form.isHere { try Roster.mark(person, .here, at: event, now: now, in: db) }
        return try insert(form, once: once, registration: party, shift: nil, in: db)
    }

    /// Adds somebody to the list of a shift.
    ///
    /// - Throws: as `seat(in:of:now:in:)`.
    static func add(
        _ form: GuestForm, to shift: ID<Shift>, of opportunity: ID<Opportunity>, once: String, at now: Instant,
        in db: Connection
    ) throws -> ID<Guest> {
        let earlier: ID<Guest>? = try db.value(
            """
            SELECT guest.id FROM shift JOIN guest ON guest.shift_id = shift.id
            WHERE shift.opportunity_id = \(opportunity) AND guest.once = \(once)
            """)
        if let earlier { return earlier }
        try seat(in: shift, of: opportunity, now: now, in: db)
        let guest = try insert(form, once: once, registration: nil, shift: shift, in: db)
        try setErasure(in: shift, in: db)
        return guest
    }

    private static func insert(
        _ form: GuestForm, once: String, registration: ID<Registration>?, shift: ID<Shift>?, in db: Connection
    ) throws -> ID<Guest> {
        ID(
            try db.insert(
                """
                INSERT INTO guest (registration_id, shift_id, name, age, phone, code, once)
                VALUES (\(registration), \(shift), \(form.name), \(form.age), \(form.phone ?? ""),
                    \(PrintedCode.fresh(codeLength)), \(once))
                """))
    }

    /// Takes a place of an event for somebody at the desk, until it is over: also where registration closed, or opens
    /// later.
    ///
    /// - Throws: `Event.NoRoom`.
    private static func seat(at event: ID<Event>, now: Instant, in db: Connection) throws {
        guard
            try db.execute(
                """
                UPDATE event SET taken = taken + 1
                WHERE id = \(event) AND (spots IS NULL OR taken < spots) AND cancelled_at IS NULL AND ends_at > \(now)
                """) == 1
        else { throw Event.NoRoom() }
    }

    /// The same of a shift.
    ///
    /// - Throws: `Event.NoRoom`.
    private static func seat(
        in shift: ID<Shift>, of opportunity: ID<Opportunity>, now: Instant, in db: Connection
    ) throws {
        guard
            try db.execute(
                """
                UPDATE shift SET taken = taken + 1
                WHERE id = \(shift) AND opportunity_id = \(opportunity) AND taken < spots AND removed_at IS NULL
                    AND ends_at > \(now)
                """) == 1
        else { throw Event.NoRoom() }
    }

    /// What the host does with somebody on the list of an event. What is so already stays so.
    ///
    /// - Throws: `Event.NoRoom` where they come back and the place is somebody else’s by now.
    func apply(_ change: Change, at event: ID<Event>, now: Instant, in db: Connection) throws {
        guard case .event(let party) = place else { return }
        switch change {
        case .told: try noteTold(in: db)
        case .off:
            guard !isOff else { return }
            let people: [ID<Registration.Person>] = try db.all(
                "SELECT id FROM registration_person WHERE registration_id = \(party) LIMIT 10"
            ) { try $0.next() }
            // Those who were here no longer count as having come.
            for person in people { try Roster.mark(person, .away, at: event, now: now, in: db) }
            try setOff(now, party, at: now, in: db)
            try Event.givePlaces(1, of: event, in: db)
            try Registration.offerFreedPlaces(event, at: now, in: db)
        case .back:
            guard isOff else { return }
            try Self.seat(at: event, now: now, in: db)
            try setOff(nil, party, at: now, in: db)
        }
    }

    private func setOff(_ off: Instant?, _ party: ID<Registration>, at now: Instant, in db: Connection) throws {
        let state: Registration.State = off == nil ? .confirmed : .cancelled
        try db.execute("UPDATE guest SET off_at = \(off) WHERE id = \(id)")
        try db.execute("UPDATE registration_person SET cancelled_at = \(off) WHERE registration_id = \(party)")
        try db.execute("UPDATE registration SET state = \(state), updated_at = \(now) WHERE id = \(party)")
    }

    /// The same on the list of a shift.
    ///
    /// - Throws: `Event.NoRoom`.
    func apply(_ change: Change, at opportunity: ID<Opportunity>, now: Instant, in db: Connection) throws {
        guard case .shift(let shift) = place else { return }
        switch change {
        case .told: try noteTold(in: db)
        case .off:
            guard !isOff else { return }
            try db.execute("UPDATE guest SET off_at = \(now) WHERE id = \(id)")
            try db.execute("UPDATE shift SET taken = \(Shift.taken(without: 1)) WHERE id = \(shift)")
            try Shift.offerFreedPlaces(shift, at: now, in: db)
        case .back:
            guard isOff else { return }
            try Self.seat(in: shift, of: opportunity, now: now, in: db)
            try db.execute("UPDATE guest SET off_at = NULL WHERE id = \(id)")
        }
    }

    private func noteTold(in db: Connection) throws {
        try db.execute("UPDATE guest SET changed_at = NULL WHERE id = \(id)")
    }

    // MARK: What changes

    /// Notes that something is otherwise at an event, which the host has to tell its guests.
    static func noteChange(at event: ID<Event>, now: Instant, in db: Connection) throws {
        try db.execute(
            """
            UPDATE guest SET changed_at = \(now) WHERE off_at IS NULL AND registration_id IN (
                SELECT id FROM registration WHERE event_id = \(event) AND account_id IS NULL)
            """)
    }

    /// The same of a shift.
    static func noteChange(in shift: ID<Shift>, now: Instant, in db: Connection) throws {
        try db.execute("UPDATE guest SET changed_at = \(now) WHERE shift_id = \(shift) AND off_at IS NULL")
        try setErasure(in: shift, in: db)
    }

    private static func setErasure(in shift: ID<Shift>, in db: Connection) throws {
        guard let shift = try Shift.find(shift, in: db) else { return }
        try db.execute("UPDATE guest SET erase_at = \(shift.endsAt + RetentionRule.past) WHERE shift_id = \(shift.id)")
    }

    /// The guests of events who know what changed since they were added, and those who still have to be told, by name.
    ///
    /// - Parameter which: The changes: a condition on `change`.
    static func told(
        _ which: SQL, of events: [Event], in db: Connection
    ) throws -> (told: Int, missing: [Receipt.Missing]) {
        var (told, missing): (Int, [Receipt.Missing]) = (0, [])
        try db.each(
            """
            SELECT \(columns), event.id, event.day FROM registration
            JOIN guest ON guest.registration_id = registration.id JOIN event ON event.id = registration.event_id
            WHERE registration.event_id IN \(list: events.map(\.id).padded(to: 400))
                AND registration.state = 'confirmed'
                AND EXISTS (SELECT 1 FROM change WHERE \(which) AND change.event_id = event.id
                    AND change.at >= registration.created_at)
            LIMIT 10000
            """
        ) { row in
            let (guest, event, day): (Guest, ID<Event>, Day) = (try row.next(), try row.next(), try row.next())
            guard guest.isUnaware else {
                told += 1
                return true
            }
            let person = Receipt.Missing.Person(name: guest.name, day: day)
            missing.append(
                Receipt.Missing(
                    name: guest.name, phone: guest.phone, email: "", coming: events.count == 1 ? [] : [person],
                    guest: (guest.id, event)))
            return true
        }
        return (told, missing.sorted { ($0.key, $0.name) < ($1.key, $1.name) })
    }

    /// How many are on the lists of these events.
    static func count(at events: [ID<Event>], in db: Connection) throws -> Int {
        try db.value(
            """
            SELECT count(*) FROM registration JOIN guest ON guest.registration_id = registration.id
            WHERE registration.event_id IN \(list: events.padded(to20Or: 400)) AND registration.state = 'confirmed'
            """) ?? 0
    }

    // MARK: Erasing

    /// Erases what a host wrote of people, with the host’s account.
    static func erase(by host: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM guest WHERE registration_id IN (
                SELECT registration.id FROM event JOIN registration ON registration.event_id = event.id
                WHERE event.account_id = \(host) AND registration.account_id IS NULL)
            """)
        try db.execute(
            """
            DELETE FROM guest WHERE shift_id IN (
                SELECT shift.id FROM opportunity JOIN shift ON shift.opportunity_id = opportunity.id
                WHERE opportunity.account_id = \(host))
            """)
    }

    /// Erases those of shifts that ended long ago; those of events go with their parties.
    ///
    /// - Returns: How many.
    static func eraseOld(at now: Instant, in db: Connection) throws -> Int {
        try db.execute("DELETE FROM guest WHERE erase_at <= \(now)")
    }
}

// MARK: - The member who takes it over

extension Takeover {
    /// The place of a code, as a member can take it over.
    ///
    /// - Throws: `Refusal.notFound` when no place has it, or has it no longer.
    init(_ code: String, for member: Visitor, at now: Instant, in db: Connection) throws {
        let guest: Guest? = try db.first(
            "SELECT \(Guest.columns) FROM guest WHERE guest.code = \(code) AND guest.off_at IS NULL")
        guard let guest else { throw Refusal.notFound }
        switch guest.place {
        case .event(let party):
            guard let id = try Registration.event(of: party, in: db), let event = try Event.find(id, in: db),
                !event.isHidden
            else { throw Refusal.notFound }
            let present = try Attendee.present(of: member.account, at: event.id, in: db)
            let children = try Attendee.children(of: member.account, in: db).map {
                (attendee: Attendee.child($0.id), name: $0.name)
            }
            let me = event.isForEveryone ? [(attendee: Attendee.me, name: "")] : []
            self.init(
                guest: guest, thing: .event(event),
                people: (me + children).map {
                    Person(attendee: $0.attendee, name: $0.name, isIn: present[$0.attendee] != nil)
                },
                isOpen: event.takesGuests(at: now))
        case .shift(let id):
            let opportunity: ID<Opportunity>? = try db.value(
                "SELECT opportunity_id FROM shift WHERE id = \(id) AND removed_at IS NULL")
            guard let opportunity, let shift = try Shift.find(id, in: db) else { throw Refusal.notFound }
            let found = try Opportunity.reachable(opportunity, by: member.account, at: now, in: db)
            let isIn = try Signup.holds(member.account, opportunity, id, in: db)
            self.init(
                guest: guest, thing: .shift(shift, of: found),
                people: [Person(attendee: .me, name: "", isIn: isIn || found.host.id == member.account)],
                isOpen: shift.endsAt > now && !found.isClosed)
        }
    }

    /// Makes the place that of one of a member’s people, in the writer’s one transaction.
    ///
    /// - Throws: `HasPlace`.
    func takeOver(for attendee: Attendee, by account: ID<Account>, at now: Instant, in db: Connection) throws -> Place {
        guard people.contains(where: { $0.attendee == attendee && !$0.isIn }) else { throw HasPlace() }
        try db.execute("DELETE FROM guest WHERE id = \(guest.id)")
        switch (thing, guest.place) {
        case (.shift(let shift, let opportunity), _):
            return .signup(try Signup.takeOver(shift.id, of: opportunity.id, by: account, at: now, in: db))
        case (.event(let event), .event(let party)):
            let head = try Guardian.head(of: account, in: db)
            do {
                try db.execute(
                    """
                    UPDATE registration_person SET child_id = \(attendee.child), is_self = \(attendee == .me)
                    WHERE registration_id = \(party)
                    """)
            } catch DatabaseError.constraint(.unique) {
                throw HasPlace()
            }
            guard event.isForEveryone else {
                try db.execute(
                    """
                    UPDATE registration SET account_id = \(head), guardian_id = \(account == head ? nil : account),
                        updated_at = \(now)
                    WHERE id = \(party)
                    """)
                return .registration(party)
            }
            // A member has one party at a community event.
            let holder = attendee == .me ? account : head
            let own = try Attendee.party(of: holder, at: event.id, now: now, in: db)
            try db.execute("UPDATE registration_person SET registration_id = \(own) WHERE registration_id = \(party)")
            try db.execute("DELETE FROM registration WHERE id = \(party)")
            return .visit(event.id)
        case (.event, .shift): throw Refusal.notFound
        }
    }
}
