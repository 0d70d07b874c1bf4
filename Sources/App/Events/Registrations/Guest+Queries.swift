import Database

extension Guest: RowDecodable {
    static let columns: Columns = [
        "guest.id", "guest.name", "guest.age", "guest.phone", "guest.code", "guest.registration_id", "guest.shift_id",
        "guest.off_at IS NOT NULL", "guest.untold_since", "guest.missed_at IS NOT NULL",
    ]

    init(row: inout Row) throws {
        id = try row.next()
        name = try row.next()
        age = try row.next()
        phone = try row.next()
        code = try row.next()
        let (registration, shift): (ID<Registration>?, ID<Shift>?) = (try row.next(), try row.next())
        seat = registration.map { .event($0) } ?? .shift(shift ?? ID(0))
        isOff = try row.next()
        untoldSince = try row.next()
        isMissed = try row.next()
    }

    /// Guests removed from a list, by name.
    static func takenOff(_ event: ID<Event>, in db: Connection) throws -> [Guest] {
        try db.all(
            """
            SELECT \(columns) FROM registration JOIN guest ON guest.registration_id = registration.id
            WHERE registration.event_id = \(event) AND registration.state = 'cancelled' LIMIT 1000
            """
        ).sorted(folding: \.name, then: \.id)
    }

    /// The host's phone number, for the slip.
    static func phone(of host: ID<Account>, in db: Connection) throws -> String? {
        try db.value("SELECT phone FROM provider WHERE account_id = \(host) AND phone <> ''")
    }

    /// Whether the organization confirmed their hours, so that they were there.
    func hasHours(in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM contribution WHERE guest_id = \(id)")
    }

    // MARK: Changes

    /// Marks an event's guests as not told of a change.
    static func noteChange(at event: ID<Event>, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE guest SET untold_since = \(tx.now) WHERE registration_id IN (
                SELECT id FROM registration WHERE event_id = \(event) AND account_id IS NULL)
            """)
    }

    /// Marks the guests of shifts as not told of a change, and updates their retention.
    ///
    /// - Parameter shifts: A condition on `shift`.
    static func noteChange(in shifts: SQL, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE guest SET untold_since = \(tx.now), erase_at = (
                SELECT shift.ends_at + \(Memory.past.wholeMilliseconds) FROM shift
                WHERE shift.id = guest.shift_id)
            WHERE shift_id IN (SELECT id FROM shift WHERE \(shifts))
            """)
    }

    /// Records that the host told a guest of changes up to a time; later changes remain.
    func noteTold(_ since: Instant, in db: Connection) throws {
        try db.execute("UPDATE guest SET untold_since = NULL WHERE id = \(id) AND untold_since <= \(since)")
    }

    /// Guests at events who must still be told of changes, by name.
    static func untold(at events: [Event], in db: Connection) throws -> [Receipt.Untold] {
        try db.all(
            """
            SELECT \(columns), event.id, event.day FROM registration
            JOIN guest ON guest.registration_id = registration.id JOIN event ON event.id = registration.event_id
            WHERE registration.event_id IN \(list: events.map(\.id).padded(to: 400))
                AND registration.state = 'confirmed' AND guest.untold_since IS NOT NULL
            LIMIT 10000
            """
        ) { row in
            let (guest, event, day): (Guest, ID<Event>, Day) = (try row.next(), try row.next(), try row.next())
            return Receipt.Untold(guest: guest, event: event, day: events.count == 1 ? nil : day)
        }.sorted { ($0.key, $0.guest.id) < ($1.key, $1.guest.id) }
    }

    /// The number of guests at these events.
    static func count(at events: [ID<Event>], in db: Connection) throws -> Int {
        try db.value(
            """
            SELECT count(*) FROM registration JOIN guest ON guest.registration_id = registration.id
            WHERE registration.event_id IN \(list: events.padded(to20Or: 400)) AND registration.state = 'confirmed'
            """) ?? 0
    }

    // MARK: Erasing

    /// Erases a leaving host's guests.
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

    /// Erases guests of past shifts; those of events are erased with their parties.
    ///
    /// - Returns: The number erased.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM guest WHERE erase_at <= \(tx.now)")
    }
}
