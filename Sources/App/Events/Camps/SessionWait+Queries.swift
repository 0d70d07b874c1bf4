import Database

/// Children who only wait for an event's sessions are a family's queued party: it has no places, and keeps what was
/// answered about them and what is shared. A child who gets a session moves to the party with places, and back with the
/// last one that is given up while the child waits for another.
extension Registration {
    /// A family's queued party at an event, created if necessary.
    static func queued(of head: ID<Account>, at event: ID<Event>, in tx: Transaction) throws -> ID<Registration> {
        let once = "queue-\(event)"
        let party =
            try sent(once, by: head, in: tx)
            ?? insert(ArraySlice<ID<Child>>(), of: head, at: event, once: once, in: tx)
        try tx.execute(
            "UPDATE registration SET state = 'queued', turn = id, updated_at = \(tx.now) WHERE id = \(party)")
        return party
    }

    /// Adds a child who waits for a session, unless the child has one or waits already.
    static func queue(_ child: ID<Child>, of head: ID<Account>, at event: ID<Event>, in tx: Transaction) throws {
        guard try rows(of: [child], at: event, in: tx).isEmpty else { return }
        let party = try queued(of: head, at: event, in: tx)
        try tx.execute(
            """
            INSERT INTO registration_person (registration_id, event_id, child_id)
            VALUES (\(party), \(event), \(child))
            """)
    }

    /// Moves a child who gets a session to the party with places.
    ///
    /// - Returns: The child's row; nil if the child didn't wait.
    static func seat(
        _ child: ID<Child>, in party: ID<Registration>, at event: ID<Event>, in tx: Transaction
    ) throws -> ID<Person>? {
        let found: (person: ID<Person>, queue: ID<Registration>)? = try tx.first(
            """
            SELECT registration_person.id, registration.id FROM registration_person
            JOIN registration ON registration.id = registration_person.registration_id
            WHERE registration_person.event_id = \(event) AND registration_person.child_id = \(child)
                AND registration_person.cancelled_at IS NULL AND registration.state = 'queued'
            """
        ) { (try $0.next(), try $0.next()) }
        guard let found else { return nil }
        try move([found.person], from: found.queue, to: party, in: tx)
        return found.person
    }

    /// Moves those of these people who still wait for a session to their family's queued party.
    ///
    /// - Returns: The others.
    static func unseat(
        _ people: [ID<Person>], from party: ID<Registration>, in tx: Transaction
    ) throws -> [ID<Person>] {
        guard !people.isEmpty else { return [] }
        let waiting: Set<ID<Person>> = Set(
            try tx.all(
                """
                SELECT registration_person.id FROM registration_person
                WHERE registration_person.id IN \(list: people) AND \(waits) LIMIT 100
                """
            ) { try $0.next() })
        guard !waiting.isEmpty,
            let (head, event): (ID<Account>, ID<Event>) = try tx.first(
                "SELECT account_id, event_id FROM registration WHERE id = \(party) AND account_id IS NOT NULL",
                { (try $0.next(), try $0.next()) })
        else { return people }
        let queue = try queued(of: head, at: event, in: tx)
        try move(waiting.sorted(), from: party, to: queue, in: tx)
        return people.filter { !waiting.contains($0) }
    }

    /// Moves people between a family's parties at an event, with what was answered about them and what is shared.
    private static func move(
        _ people: [ID<Person>], from old: ID<Registration>, to new: ID<Registration>, in tx: Transaction
    ) throws {
        try tx.execute("UPDATE registration_person SET registration_id = \(new) WHERE id IN \(list: people)")
        try tx.execute(
            """
            UPDATE registration SET asks_again = TRUE
            WHERE id = \(new) AND EXISTS (SELECT 1 FROM registration AS old WHERE old.id = \(old) AND old.asks_again)
            """)
        try close(old, in: tx)
    }

    /// Ends a party without people.
    private static func close(_ party: ID<Registration>, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE registration SET state = 'cancelled', updated_at = \(tx.now)
            WHERE id = \(party) AND state <> 'cancelled' AND \(size) = 0
            """)
    }

    /// Whether a `registration_person` waits for a session of its event.
    private static let waits: SQL = """
        EXISTS (SELECT 1 FROM activity_wait JOIN activity ON activity.id = activity_wait.activity_id
            WHERE activity_wait.child_id = registration_person.child_id
                AND activity.event_id = registration_person.event_id)
        """

    /// Removes children who no longer wait from an event's queued parties: what is shared about them is erased, and
    /// their answers in ten minutes. All ways to stop waiting use this.
    static func tidyQueue(at event: ID<Event>, in tx: Transaction) throws {
        let gone: [(person: ID<Person>, party: ID<Registration>)] = try tx.all(
            """
            SELECT registration_person.id, registration.id FROM registration
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            WHERE registration.event_id = \(event) AND registration.state = 'queued' AND NOT \(waits) LIMIT 10000
            """
        ) { (try $0.next(), try $0.next()) }
        for (party, people) in Dictionary(grouping: gone, by: \.party) {
            try tx.execute(
                "UPDATE registration_person SET cancelled_at = \(tx.now) WHERE id IN \(list: people.map(\.person))")
            try Reply.part(from: party, in: tx)
            try CareNote.erase(from: party, cancelledOnly: true, in: tx)
            try close(party, in: tx)
        }
    }

    /// The rows of children who come to an event or wait for it.
    static func rows(
        of children: [ID<Child>], at event: ID<Event>, in db: Connection
    ) throws -> [ID<Child>: ID<Person>] {
        guard !children.isEmpty else { return [:] }
        let rows: [(ID<Child>, ID<Person>)] = try db.all(
            """
            SELECT child_id, id FROM registration_person
            WHERE event_id = \(event) AND child_id IN \(list: children) AND cancelled_at IS NULL LIMIT 100
            """
        ) { (try $0.next(), try $0.next()) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    /// A family's parties at an event with sessions: the one with places, and the queued one.
    static func parties(
        of head: ID<Account>, at event: ID<Event>, in db: Connection
    ) throws -> [(id: ID<Registration>, state: State)] {
        try db.all(
            """
            SELECT registration.id, registration.state FROM registration
            WHERE registration.account_id = \(head) AND registration.state IN ('confirmed', 'queued')
                AND registration.event_id = \(event) LIMIT 20
            """
        ) { (try $0.next(), try $0.next()) }
    }
}

extension Reply {
    /// Returns the answers about children who left an event to their rows there now, after that was undone.
    ///
    /// - Parameter rows: The rows that they left.
    static func comeBack(leaving rows: [ID<Registration.Person>], in db: Connection) throws {
        guard !rows.isEmpty else { return }
        let back: [(old: ID<Registration.Person>, new: ID<Registration.Person>)] = try db.all(
            """
            SELECT old.id, person.id FROM registration_person AS old
            JOIN registration_person AS person ON person.event_id = old.event_id AND person.child_id = old.child_id
                AND person.cancelled_at IS NULL
            WHERE old.id IN \(list: rows) LIMIT 100
            """
        ) { (try $0.next(), try $0.next()) }
        for (old, new) in back where old != new {
            try db.execute(
                """
                UPDATE reply SET person_id = \(new)
                WHERE person_id = \(old) AND erase_at > 0 AND NOT EXISTS (SELECT 1 FROM reply AS own
                    WHERE own.person_id = \(new) AND own.ask_id = reply.ask_id)
                """)
        }
        try comeBack(back.map(\.new), in: db)
    }
}
