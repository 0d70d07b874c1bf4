import Database

extension GuestList {
    /// The list of one's own event, as far as its host sees one.
    ///
    /// - Throws: `Refusal.notFound`.
    init(of event: ID<Event>, of host: ID<Account>, in db: Connection) throws {
        let event = try Event.find(event, of: host, in: db)
        guard try event.hasList(in: db) else { throw Refusal.notFound }
        self = .event(event)
    }

    /// The list of an organization's own opportunity.
    ///
    /// - Throws: `Refusal.notFound`.
    init(of opportunity: ID<Opportunity>, of host: ID<Account>, in tx: Transaction) throws {
        self = .help(try Opportunity.own(opportunity, of: host, in: tx), try Shift.all(of: opportunity, in: tx))
    }
}

extension Guest {
    /// A guest on a list, or removed from it.
    ///
    /// - Throws: `Refusal.notFound` if the list has no such guest.
    static func find(_ id: ID<Guest>, on list: GuestList, in db: Connection) throws -> Guest {
        let (source, isOnList) = source(of: list)
        let guest: Guest? = try db.first(
            "SELECT \(columns) FROM guest JOIN \(source) WHERE guest.id = \(id) AND \(isOnList)")
        guard let guest else { throw Refusal.notFound }
        return guest
    }

    /// The joins for a guest, and the condition that they are on the list.
    private static func source(of list: GuestList) -> (SQL, SQL) {
        switch list {
        case .event(let event):
            ("registration ON registration.id = guest.registration_id", "registration.event_id = \(event.id)")
        case .help(let opportunity, _):
            ("shift ON shift.id = guest.shift_id", "shift.opportunity_id = \(opportunity.id)")
        }
    }

    // MARK: Actions by the host

    /// Adds a guest to a list.
    ///
    /// - Parameters:
    ///   - once: The form’s `once`: if it is sent twice, one person is added.
    ///   - isNew: Whether the form wasn’t sent before.
    /// - Throws: `NoRoom`; `SentForm.HasOtherWords` if it was sent before and the guest isn't on the list anymore.
    static func add(
        _ form: GuestForm, to list: GuestList, once: String, isNew: Bool = true, in tx: Transaction
    ) throws -> ID<Guest> {
        if !isNew {
            guard let earlier = try sent(once, to: list, in: tx) else {
                throw SentForm.HasOtherWords(words: SentForm.isGone)
            }
            return earlier
        }
        let seat: (registration: ID<Registration>?, shift: Shift?)
        switch list {
        case .event(let event):
            try takePlace(at: event.id, in: tx)
            let party = ID<Registration>(
                try tx.insert(
                    """
                    INSERT INTO registration (event_id, state, once, created_at, updated_at)
                    VALUES (\(event.id), 'confirmed', \(once), \(tx.now), \(tx.now))
                    """))
            let person = ID<Registration.Person>(
                try tx.insert(
                    "INSERT INTO registration_person (registration_id, event_id) VALUES (\(party), \(event.id))"))
            if form.isHere { try Roster.mark(person, .here, at: event.id, in: tx) }
            seat = (party, nil)
        case .help(let opportunity, _):
            guard let id = form.shift, let shift = try Shift.find(id, in: tx) else { throw NoRoom() }
            try takePlace(in: id, of: opportunity.id, in: tx)
            seat = (nil, shift)
        }
        return ID(
            try tx.insert(
                """
                INSERT INTO guest (registration_id, shift_id, name, age, phone, code, once, erase_at)
                VALUES (\(seat.registration), \(seat.shift?.id), \(form.name), \(form.age), \(form.phone),
                    \(PrintedCode.fresh(codeLength)), \(once), \(seat.shift.map { $0.endsAt + Memory.past }))
                """))
    }

    /// The guest added by an earlier submission of the form, if they are still on the list.
    private static func sent(_ once: String, to list: GuestList, in db: Connection) throws -> ID<Guest>? {
        let (source, isOnList) = source(of: list)
        return try db.value(
            """
            SELECT guest.id FROM guest JOIN \(source)
            WHERE \(isOnList) AND guest.once = \(once) AND guest.off_at IS NULL
            """)
    }

    /// Takes a place at an event until it is over, even while registration is closed, but not before a pending draw.
    ///
    /// - Throws: `NoRoom`.
    private static func takePlace(at event: ID<Event>, in tx: Transaction) throws {
        let row: SQL = """
            id = \(event) AND cancelled_at IS NULL AND ends_at > \(tx.now) AND NOT \(Draw.isPending(at: "event.id"))
            """
        guard try Event.ledger.take("1", where: row, in: tx) else { throw NoRoom() }
    }

    /// Takes a place in a shift until some days after it. Once it has begun there is always one: the helper is there,
    /// and nobody signs up for it anymore who could want the place.
    ///
    /// - Throws: `NoRoom`.
    private static func takePlace(in shift: ID<Shift>, of opportunity: ID<Opportunity>, in tx: Transaction) throws {
        let row: SQL = """
            id = \(shift) AND opportunity_id = \(opportunity) AND removed_at IS NULL
                AND ends_at > \(tx.now - afterwards)
            """
        try tx.execute(
            """
            UPDATE shift SET spots = spots + 1
            WHERE \(row) AND starts_at <= \(tx.now) AND taken = spots AND spots < 500
            """)
        guard try Shift.ledger.take("1", where: row, in: tx) else { throw NoRoom() }
    }

    /// Takes somebody off the list, and gives the place to those who wait. Doing it twice changes nothing.
    ///
    /// - Throws: `Refusal.overtaken` of somebody whose hours were confirmed: they were there.
    func takeOff(_ list: GuestList, in tx: Transaction) throws {
        guard !isOff else { return }
        guard try !hasHours(in: tx) else {
            throw Refusal.overtaken(list.link)
        }
        try setOff(tx.now, in: tx)
        switch (list, seat) {
        case (.event(let event), _):
            try Event.givePlaces(1, of: event.id, in: tx)
            try Event.offerFreedPlaces(event.id, in: tx)
        case (.help, .shift(let shift)): try Shift.giveBack(1, of: shift, in: tx)
        case (.help, .event): break
        }
    }

    /// Puts a removed guest back. Repeating has no effect.
    ///
    /// - Throws: `NoRoom` if somebody else has the place by now.
    func putBack(_ list: GuestList, in tx: Transaction) throws {
        guard isOff else { return }
        switch (list, seat) {
        case (.event(let event), _): try Self.takePlace(at: event.id, in: tx)
        case (.help(let opportunity, _), .shift(let shift)):
            try Self.takePlace(in: shift, of: opportunity.id, in: tx)
        case (.help, .event): break
        }
        try setOff(nil, in: tx)
    }

    private func setOff(_ off: Instant?, in tx: Transaction) throws {
        try tx.execute("UPDATE guest SET off_at = \(off) WHERE id = \(id)")
        guard case .event(let party) = seat else { return }
        let people: [(id: ID<Registration.Person>, event: ID<Event>)] = try tx.all(
            "SELECT id, event_id FROM registration_person WHERE registration_id = \(party) LIMIT 1"
        ) { (try $0.next(), try $0.next()) }
        // A guest who was checked in no longer counts as having come.
        if off != nil {
            for person in people { try Roster.mark(person.id, .away, at: person.event, in: tx) }
        }
        let state: Registration.State = off == nil ? .confirmed : .cancelled
        try tx.execute("UPDATE registration_person SET cancelled_at = \(off) WHERE registration_id = \(party)")
        try tx.execute("UPDATE registration SET state = \(state), updated_at = \(tx.now) WHERE id = \(party)")
    }
}
