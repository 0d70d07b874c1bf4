import Database

extension CalendarLink {
    /// Gives the account this token; the one before opens nothing any more.
    static func save(_ token: Token, of account: ID<Account>, at now: Instant, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO calendar_link (account_id, token_hash, created_at) VALUES (\(account), \(token.hash), \(now))
            ON CONFLICT (account_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at
            """)
    }

    static func delete(of account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM calendar_link WHERE account_id = \(account)")
    }

    /// When the account's link was made; nil without one.
    static func date(of account: ID<Account>, in db: Connection) throws -> Instant? {
        try db.value("SELECT created_at FROM calendar_link WHERE account_id = \(account)")
    }

    /// Whose calendar a token opens: nobody's once the account is suspended.
    static func account(_ token: Token, in db: Connection) throws -> ID<Account>? {
        try db.value(
            """
            SELECT account.id FROM calendar_link JOIN account ON account.id = calendar_link.account_id
            WHERE calendar_link.token_hash = \(token.hash) AND account.suspended_at IS NULL
            """)
    }
}

extension Booking {
    /// An account's bookings, one an event, those that end after `start`.
    static func all(of account: ID<Account>, from start: Instant, in db: Connection) throws -> [Booking] {
        var bookings: [Booking] = []
        var last: ID<Registration>?
        try db.each(
            """
            SELECT registration.event_id, registration.id, registration.updated_at,
                registration_person.cancelled_at IS NOT NULL, child.nickname
            FROM registration
            JOIN event ON event.id = registration.event_id
            JOIN registration_person ON registration_person.registration_id = registration.id
            LEFT JOIN child ON child.id = registration_person.child_id
            WHERE \(try Guardian.bookings(of: account, in: db)) AND event.ends_at >= \(start)
                AND (registration.state = 'confirmed'
                    OR (registration.state = 'cancelled' AND registration.turn IS NULL))
            ORDER BY event.starts_at, event.id, registration.id, registration_person.id LIMIT 2000
            """
        ) { row in
            let event: ID<Event> = try row.next()
            let registration: ID<Registration> = try row.next()
            let updatedAt: Instant = try row.next()
            if bookings.last?.event != event { bookings.append(Booking(event: event, updatedAt: updatedAt)) }
            var booking = bookings.removeLast()
            let isGivenBack: Bool = try row.next()
            booking.changes += (registration == last ? 0 : 1) + (isGivenBack ? 1 : 0)
            booking.updatedAt = max(booking.updatedAt, updatedAt)
            if !isGivenBack { booking.children.append(try row.next() as String? ?? "") }
            bookings.append(booking)
            last = registration
            return true
        }
        return bookings
    }
}
