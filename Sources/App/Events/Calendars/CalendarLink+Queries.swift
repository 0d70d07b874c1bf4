import Database

extension CalendarLink {
    /// The calendars that an account has or may have: its own, its family's, and each child's.
    static func all(of account: ID<Account>, _ key: SiteKey, in db: Connection) throws -> [CalendarLink] {
        let children = try Attendee.children(of: account, in: db)
        let isParent = try db.exists("SELECT 1 FROM family WHERE account_id = \(account)") || !children.isEmpty
        let made: [(scope: String, child: ID<Child>?, at: Instant, token: Token?)] = try db.all(
            """
            SELECT scope, child_id, created_at, id, token_hash FROM calendar_link
            WHERE account_id = \(account) LIMIT 100
            """
        ) { row in
            let (scope, child, at): (String, ID<Child>?, Instant) = (try row.next(), try row.next(), try row.next())
            let token = key.token(of: try row.next(), account: account, at: at)
            let hash: [UInt8] = try row.next()
            return (scope, child, at, token.hash == hash ? token : nil)
        }
        let scopes: [Scope] =
            [.account] + (isParent ? [.family] : []) + children.map { .child($0.id, name: $0.name) }
        return scopes.map { scope in
            let own = made.first { $0.scope == scope.kind && $0.child == scope.child }
            return CalendarLink(scope: scope, since: own?.at, token: own?.token)
        }
    }

    /// Makes a new address for one of an account's calendars; the old one stops working.
    static func make(_ scope: Scope, of account: ID<Account>, _ key: SiteKey, in tx: Transaction) throws {
        try delete(scope, of: account, in: tx)
        let id = ID<CalendarLink>(
            try tx.insert(
                """
                INSERT INTO calendar_link (account_id, scope, child_id, token_hash, created_at)
                VALUES (\(account), \(scope.kind), \(scope.child), \(Token().hash), \(tx.now))
                """))
        let token = key.token(of: id, account: account, at: tx.now)
        try tx.execute("UPDATE calendar_link SET token_hash = \(token.hash) WHERE id = \(id)")
    }

    static func delete(_ scope: Scope, of account: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM calendar_link
            WHERE account_id = \(account) AND scope = \(scope.kind) AND coalesce(child_id, 0) = \(scope.child ?? ID(0))
            """)
    }

    /// The calendar and owner for a token: nil if the account is suspended, and a child's calendar only works for those
    /// who look after the child.
    static func find(_ token: Token, in db: Connection) throws -> (account: ID<Account>, scope: Scope)? {
        guard
            let (account, kind, child): (ID<Account>, String, ID<Child>?) = try db.first(
                """
                SELECT account.id, calendar_link.scope, calendar_link.child_id
                FROM calendar_link JOIN account ON account.id = calendar_link.account_id
                WHERE calendar_link.token_hash = \(token.hash) AND account.suspended_at IS NULL
                """, { (try $0.next(), try $0.next(), try $0.next()) })
        else { return nil }
        guard let child else { return (account, kind == "family" ? .family : .account) }
        return try Attendee.children(of: account, in: db).first { $0.id == child }
            .map { (account, .child($0.id, name: $0.name)) }
    }
}

extension CalendarLink {
    /// The children among which a calendar's name must be unique; empty for a calendar of several.
    static func children(
        beside scope: Scope, of account: ID<Account>, in db: Connection
    ) throws -> [(id: ID<Child>, name: String)] {
        scope.child == nil ? [] : try Attendee.children(of: account, in: db).map { ($0.id, $0.name) }
    }
}

extension CalendarLink.Scope {
    fileprivate var kind: String {
        switch self {
        case .account: "account"
        case .family: "family"
        case .child: "child"
        }
    }
}

extension EventCalendar.Entry {
    /// The content of an account's calendar: an entry for each event and each activity.
    ///
    /// - Parameter opening: Modules that are switched off are left out, as in My week.
    static func all(
        of account: ID<Account>, _ scope: CalendarLink.Scope, at event: ID<Event>? = nil, withAllDates: Bool = false,
        from start: Instant, _ opening: Opening, in zone: Zone, language: Language, db: Connection
    ) throws -> [EventCalendar.Entry] {
        let bookings = try Booking.all(
            of: account, child: scope.child, at: event, withAllDates: withAllDates, from: start, in: db)
        let joined = try Activity.lines(of: account, child: scope.child, at: event, from: start, in: db)
            .filter { $0.isSession || opening.has(.programs) }
        let events = Dictionary(uniqueKeysWithValues: try Event.all(bookings.map(\.event), in: db).map { ($0.id, $0) })
        var entries = bookings.compactMap { booking in
            events[booking.event].flatMap { $0.hasSessions ? nil : EventCalendar.Entry($0, booking) }
        }
        entries += joined.flatMap { line in events[line.event].map { EventCalendar.Entry.all($0, line) } ?? [] }
        guard scope == .account, event == nil else { return entries }
        let end = start + .days(800)
        if opening.has(.helping) {
            entries += try Signup.shifts(of: account, from: start, to: end, in: db).compactMap {
                .init($0, language: language)
            }
        }
        if opening.has(.playdates) {
            entries += try Meeting.lines(of: account, from: start, to: end, in: db).compactMap {
                .init($0, in: zone, language: language)
            }
        }
        return entries
    }
}

extension Booking {
    /// An account's bookings that end after `start`, one per event.
    ///
    /// - Parameters:
    ///   - child: Only this child's.
    ///   - event: Only those at this event.
    ///   - withAllDates: Whether to include the other dates of its series.
    static func all(
        of account: ID<Account>, child: ID<Child>? = nil, at event: ID<Event>? = nil, withAllDates: Bool = false,
        from start: Instant, in db: Connection
    ) throws -> [Booking] {
        let one: SQL = child.map { " AND registration_person.child_id = \($0)" } ?? ""
        let there: SQL =
            event.map { id in
                withAllDates
                    ? """
                     AND (registration.event_id = \(id)
                        OR event.series_id = (SELECT series_id FROM event WHERE id = \(id)))
                    """ : " AND registration.event_id = \(id)"
            } ?? ""
        var bookings: [Booking] = []
        var last: ID<Registration>?
        try db.each(
            """
            SELECT registration.event_id, registration.id, registration.updated_at,
                registration_person.cancelled_at IS NOT NULL, \(Registration.name)
            FROM registration
            JOIN event ON event.id = registration.event_id
            JOIN registration_person ON registration_person.registration_id = registration.id
            LEFT JOIN child ON child.id = registration_person.child_id
            WHERE \(try Guardian.bookings(of: account, in: db)) AND event.ends_at >= \(start)\(one)\(there)
                AND (registration.state = 'confirmed'
                    OR (registration.state = 'cancelled' AND registration.turn IS NULL))
            ORDER BY event.starts_at, event.id, registration.id, registration_person.id LIMIT \(ICalendar.mostRows)
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
