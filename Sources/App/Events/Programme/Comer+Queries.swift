import Database

extension Comer {
    /// People who come to an event and let its host know, in order of arrival, without those separated from the host by
    /// a block.
    ///
    /// - Parameter reader: A co-host, whose blocks also apply.
    static func all(
        at event: Event, for reader: ID<Account>? = nil, after: Cursor<ID<Registration.Person>>?, in tx: Transaction
    ) throws -> Page<Comer> {
        guard event.endsAt + kept > tx.now else { return .empty }
        return try Page(of: pageSize, by: \.id) { limit in
            try tx.all(
                """
                SELECT registration_person.id, coalesce(family.first_name, \(Person.shownName))
                FROM registration_person
                JOIN registration ON registration.id = registration_person.registration_id
                    AND registration.state = 'confirmed'
                JOIN account ON account.id = registration.account_id
                LEFT JOIN family ON family.account_id = account.id
                LEFT JOIN person ON person.account_id = account.id
                WHERE registration_person.event_id = \(event.id) AND registration_person.shows_name
                    AND registration_person.id > \(after?.keys ?? ID(0))
                    AND registration_person.is_self AND registration_person.cancelled_at IS NULL
                    AND account.left_at IS NULL AND account.suspended_at IS NULL
                    AND NOT \(Block.hides("account.id", from: event.host.id))
                    AND NOT \(Block.hides("account.id", from: reader))
                ORDER BY registration_person.id LIMIT \(limit)
                """
            ) { Comer(id: try $0.next(), name: try $0.next()) }
        }
    }

    /// Sets whether the host sees that an account comes in person; does nothing if the host has a list of names.
    ///
    /// - Throws: `Refusal.notFound` if there is no such event.
    static func show(_ isShown: Bool, _ account: ID<Account>, at id: ID<Event>, in db: Connection) throws {
        guard let event = try Event.find(id, in: db), event.isForEveryone else { throw Refusal.notFound }
        guard try !isShown || !event.hasList(in: db) else { return }
        try db.execute(
            """
            UPDATE registration_person SET shows_name = \(isShown)
            WHERE is_self AND cancelled_at IS NULL AND registration_id IN (SELECT id FROM registration
                WHERE account_id = \(account) AND event_id = \(id) AND state = 'confirmed')
            """)
    }

    /// Erases these permissions long after the events.
    ///
    /// - Returns: The number erased.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute(
            """
            UPDATE registration_person SET shows_name = FALSE
            WHERE id IN (SELECT shown.id FROM registration_person AS shown CROSS JOIN event
                WHERE shown.shows_name AND event.id = shown.event_id AND event.ends_at <= \(tx.now - kept))
            """)
    }
}

extension Comer.Choice {
    /// An account's choice at an event; nil if the host has a list of names.
    init?(of account: ID<Account>, at event: Event, in db: Connection) throws {
        guard try event.isForEveryone && !event.hasList(in: db) else { return nil }
        let found: (name: String, isFirstName: Bool)? = try db.first(
            """
            SELECT coalesce(family.first_name, \(Person.shownName)), family.id IS NOT NULL
            FROM account LEFT JOIN family ON family.account_id = account.id
            LEFT JOIN person ON person.account_id = account.id
            WHERE account.id = \(account)
            """
        ) { (try $0.next(), try $0.next()) }
        guard let found else { return nil }
        let isShown = try db.exists(
            """
            SELECT 1 FROM registration
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.is_self AND registration_person.cancelled_at IS NULL
            WHERE registration.account_id = \(account) AND registration.state = 'confirmed'
                AND registration.event_id = \(event.id) AND registration_person.shows_name
            """)
        self.init(name: found.name, isFirstName: found.isFirstName, isShown: isShown)
    }
}
