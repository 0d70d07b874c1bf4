import Database

extension Event {
    /// Whether its host sees the participants: at a community event only an organization that was one when it posted
    /// the event.
    func hasList(in db: Connection) throws -> Bool {
        guard isForEveryone else { return true }
        return try db.exists("SELECT 1 FROM event WHERE event.id = \(id) AND \(Self.hasList)")
    }

    static let hasList: SQL = """
        (event.audience = 'kids' OR EXISTS (SELECT 1 FROM provider
            WHERE provider.account_id = event.account_id AND provider.created_at <= event.created_at))
        """
}

extension Roster {
    /// An event's list, party by party, in order of registration; with the shared notes, if they may be shown and
    /// `withNotes` is set. Long after the event only those are on it who answered something that its host keeps.
    init(of event: Event, withNotes: Bool, in tx: Transaction) throws {
        let zone = event.clock
        var parties: [RosterParty] = []
        let replies = try Reply.all(at: event, in: tx)
        // A family that keeps its registration for longer keeps it for itself.
        let isShown: SQL = event.endsAt > tx.now - Memory.past ? "" : " AND \(Reply.isKept)"
        let sessions = try event.hasSessions ? Activity.held(at: event.id, in: tx) : [:]
        try tx.each(
            """
            SELECT registration.id, registration_person.id,
                CASE WHEN registration_person.is_self
                    THEN coalesce(family.first_name || ' ' || family.last_name, account.username)
                    ELSE guest.name END,
                guest.id, guest.age, guest.phone, guest.untold_since IS NOT NULL,
                child.id, \(Child.shownName), child.birth_month,
                child.birth_year, registration_person.arrived_at, registration_person.left_at,
                care_note.agreed_start, \(CareNote.columns),
                coalesce(family.first_name || ' ' || family.last_name, account.username, ''), family.phone,
                CASE WHEN account.suspended_at IS NULL AND account.left_at IS NULL THEN coalesce(account.email, '')
                    ELSE '' END, registration.needs_help
            FROM registration
            LEFT JOIN account ON account.id = coalesce(registration.guardian_id, registration.account_id)
            LEFT JOIN guest ON guest.registration_id = registration.id
            LEFT JOIN family ON family.account_id = account.id
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            LEFT JOIN child ON child.id = registration_person.child_id
            LEFT JOIN care_note ON care_note.person_id = registration_person.id
            WHERE registration.event_id = \(event.id) AND registration.state = 'confirmed'\(isShown)
            ORDER BY registration.id, registration_person.id LIMIT 10000
            """
        ) { row in
            let id: ID<Registration> = try row.next()
            var child = RosterChild(id: try row.next(), name: "a child")
            // All of the child's sessions were canceled.
            if event.hasSessions, sessions[child.id] == nil { return true }
            if let named: String = try row.next() { child.name = named }
            let (guest, age, phone): (ID<Guest>?, Int?, String?) =
                (try row.next(), try row.next(), try row.next())
            let isUntold: Bool = try row.next()
            if let age { (child.age, child.ages) = (Guest.words(age), age...age) }
            let (known, name): (ID<Child>?, String?) = (try row.next(), try row.next())
            let (month, year): (Int?, Int?) = (try row.next(), try row.next())
            if let known, let name, let month, let year {
                let known = Child(id: known, nickname: name, birthMonth: month, birthYear: year)
                child.name = name
                (child.age, child.ages) = (known.age(on: event.day), known.ages(on: event.day))
            }
            child.arrival = (try row.next() as Instant?).map { zone.local($0).time }
            child.departure = (try row.next() as Instant?).map { zone.local($0).time }
            let agreed: Instant? = try row.next()
            let held = sessions[child.id] ?? []
            if let note: CareNote = try row.next(), let agreed,
                CareNote.isShown(of: event, agreed: agreed, held, at: tx.now)
            {
                child.hasNote = true
                if withNotes { child.note = note }
            }
            child.replies = replies[child.id] ?? []
            child.sessions = held.map(\.name)
            if parties.last?.registration == id {
                parties[parties.count - 1].children.append(child)
            } else {
                let parent: String = try row.next()
                let known: String? = try row.next()
                parties.append(
                    RosterParty(
                        registration: id, guest: guest, isUntold: isUntold, parent: parent,
                        phone: known ?? phone?.nonEmpty,
                        email: try row.next(), children: [child], needsHelp: try row.next()))
            }
            return true
        }
        self.init(
            event: event, parties: parties, withNotes: withNotes, asks: try Ask.all(of: event, in: tx),
            hold: try Hold.find(at: event.id, in: tx), canHold: try Hold.isPossible(at: event, in: tx),
            walkIns: try tx.value("SELECT walk_ins FROM event WHERE id = \(event.id)") ?? 0,
            takesGuests: event.takesGuests(at: tx.now), takenOff: try Guest.takenOff(event.id, in: tx),
            isEarly: Self.isEarly(event, at: tx.now), canCountHeads: Headcount.isOpen(for: event, at: tx.now),
            headcount: Headcount.isOpen(for: event, at: tx.now) ? try Headcount(of: event.id, in: tx) : Headcount())
    }

    /// Stores how many came without a registration: each takes a place, up to the limit; none of those that are drawn.
    ///
    /// - Parameter shown: The number on the page where `count` was chosen, so that counts at two doors add up.
    /// - Throws: `Event.NoRoom`.
    static func count(walkIns count: Int, instead shown: Int? = nil, at event: ID<Event>, in tx: Transaction) throws {
        let stored: Int = try tx.value("SELECT walk_ins FROM event WHERE id = \(event)") ?? 0
        let count = max(0, stored + count - (shown ?? stored))
        let row: SQL = "id = \(event) AND cancelled_at IS NULL AND NOT \(Draw.isPending(at: "event.id"))"
        let isFree = try Event.ledger.take(
            "\(count) - walk_ins", where: row, also: ", walk_ins = \(count)", in: tx)
        guard isFree else { throw Event.NoRoom() }
        try Event.offerFreedPlaces(event, in: tx)
    }

    /// Records that a child came or left, or that this was a mistake. The event counts those who came, and keeps the
    /// count when the list is erased.
    static func mark(
        _ person: ID<Registration.Person>, _ presence: RosterChild.Presence, at event: ID<Event>, in tx: Transaction
    ) throws {
        let change: SQL =
            switch presence {
            case .away: "arrived_at = NULL, left_at = NULL"
            case .here: "arrived_at = coalesce(arrived_at, \(tx.now)), left_at = NULL"
            case .gone: "arrived_at = coalesce(arrived_at, \(tx.now)), left_at = coalesce(left_at, \(tx.now))"
            }
        let isOnList: SQL = """
            id = \(person) AND event_id = \(event) AND cancelled_at IS NULL
                AND EXISTS (SELECT 1 FROM registration WHERE registration.id = registration_id AND state = 'confirmed')
            """
        let cameBefore: Bool? = try tx.value("SELECT arrived_at IS NOT NULL FROM registration_person WHERE \(isOnList)")
        guard let cameBefore else { throw Refusal.notFound }
        try tx.execute("UPDATE registration_person SET \(change) WHERE \(isOnList)")
        let more = (presence == .away ? 0 : 1) - (cameBefore ? 1 : 0)
        guard more != 0 else { return }
        try tx.execute("UPDATE event SET arrived = arrived + \(more) WHERE id = \(event)")
    }
}
