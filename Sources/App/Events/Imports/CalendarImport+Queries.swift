import Database

extension CalendarImport: RowDecodable {
    static let columns: Columns = [
        "calendar_import.id", "calendar_import.account_id", "calendar_import.name", "calendar_import.address",
        "calendar_import.settings", "calendar_import.publishes", "calendar_import.validators",
        "calendar_import.read_at", "calendar_import.whole_at", "calendar_import.due_at", "calendar_import.failed",
        "calendar_import.problem", "calendar_import.unreadable", "calendar_import.suspected_on",
        "calendar_import.is_believed",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), host: try row.next(), name: try row.next(), address: try row.next(),
            settings: try row.next(), publishes: try row.next(), validators: try row.next(), readAt: try row.next(),
            wholeAt: try row.next(), dueAt: try row.next(), failed: try row.next(), problem: try row.next(),
            unreadable: try row.next(), suspectedOn: try row.next(), isBelieved: try row.next())
    }
}

extension CalendarImport {
    /// The organization has reached the maximum number.
    struct IsFull: Error {}

    /// An organization's calendars, in the order in which they were added.
    static func all(of host: ID<Account>, in db: Connection) throws -> [CalendarImport] {
        try db.all(
            """
            SELECT \(columns) FROM calendar_import WHERE calendar_import.account_id = \(host)
            ORDER BY calendar_import.id LIMIT \(most)
            """)
    }

    /// One of this organization's calendars.
    ///
    /// - Throws: `Refusal.notFound` if it is somebody else's.
    static func find(_ id: ID<CalendarImport>, of host: ID<Account>, in db: Connection) throws -> CalendarImport {
        let own: CalendarImport? = try db.first(
            "SELECT \(columns) FROM calendar_import WHERE id = \(id) AND account_id = \(host)")
        guard let own else { throw Refusal.notFound }
        return own
    }

    /// Adds a calendar; sending the same form again has no further effect.
    ///
    /// - Throws: `IsFull`.
    static func add(
        _ name: String, at address: String, _ settings: String, once: String, by host: ID<Account>, in zone: Zone,
        tx: Transaction
    ) throws -> (id: ID<CalendarImport>, isNew: Bool) {
        if let id: ID<CalendarImport> = try tx.value(
            "SELECT id FROM calendar_import WHERE account_id = \(host) AND once = \(once)")
        {
            return (id, false)
        }
        let count: Int = try tx.value("SELECT count(*) FROM calendar_import WHERE account_id = \(host)") ?? 0
        guard count < most else { throw IsFull() }
        let id = ID<CalendarImport>(
            try tx.insert(
                """
                INSERT INTO calendar_import (account_id, name, address, settings, once, created_at)
                VALUES (\(host), \(name), \(address), \(settings), \(once), \(tx.now))
                """))
        if !address.isEmpty { try setDue(id, due(after: tx.now, in: zone, id), in: tx) }
        return (id, true)
    }

    /// Stores new settings or a new address. The next reading ignores the validators; a calendar that was given up is
    /// read again.
    static func change(
        _ id: ID<CalendarImport>, _ name: String, at address: String, _ settings: String, publishes: Bool,
        in zone: Zone, tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE calendar_import SET name = \(name), address = \(address), settings = \(settings), validators = '',
                failed = 0, problem = ''
            WHERE id = \(id)
            """)
        try tx.execute("UPDATE calendar_import SET publishes = \(publishes) WHERE id = \(id) AND publishes IS NOT NULL")
        if !address.isEmpty { try setDue(id, due(after: tx.now, in: zone, id), in: tx) }
    }

    /// Removes a calendar; its events stay.
    ///
    /// - Returns: Whether it was there.
    static func remove(_ id: ID<CalendarImport>, of host: ID<Account>, in db: Connection) throws -> Bool {
        try db.execute("DELETE FROM calendar_import WHERE id = \(id) AND account_id = \(host)") == 1
    }

    /// Records that its events were published, and whether new ones are from now on.
    ///
    /// - Returns: Whether it is the first time.
    static func notePress(_ id: ID<CalendarImport>, publishes: Bool, in db: Connection) throws -> Bool {
        try db.execute(
            "UPDATE calendar_import SET publishes = \(publishes) WHERE id = \(id) AND publishes IS NULL") == 1
    }

    /// Records that the removals are intended.
    ///
    /// - Returns: Whether that is new.
    static func confirmGone(_ id: ID<CalendarImport>, in tx: Transaction) throws -> Bool {
        try ImportNews.settle([.suspicious], id, in: tx)
        return try tx.execute(
            """
            UPDATE calendar_import SET is_believed = TRUE
            WHERE id = \(id) AND suspected_on IS NOT NULL AND NOT is_believed
            """) == 1
    }

    // MARK: Nightly reading

    /// The due calendars of organizations that may publish.
    static func due(atMost limit: Int, in tx: Transaction) throws -> [CalendarImport] {
        try tx.all(
            """
            SELECT \(columns) FROM calendar_import WHERE calendar_import.due_at <= \(tx.now)
            ORDER BY calendar_import.due_at, calendar_import.id LIMIT \(limit)
            """)
    }

    /// Whether its organization may publish now.
    static func mayPublish(_ host: ID<Account>, in tx: Transaction) throws -> Bool {
        try tx.exists(
            """
            SELECT 1 FROM account JOIN provider ON provider.account_id = account.id
            WHERE account.id = \(host) AND account.suspended_at IS NULL AND account.left_at IS NULL
                AND account.waits_since IS NULL
                AND (account.limited_until IS NULL OR account.limited_until <= \(tx.now))
            """)
    }

    /// - Returns: Whether nobody else did so first.
    @discardableResult static func setDue(
        _ id: ID<CalendarImport>, _ due: Instant?, from before: Instant? = nil, in db: Connection
    ) throws -> Bool {
        let isStill: SQL = before.map { " AND due_at <= \($0)" } ?? ""
        return try db.execute("UPDATE calendar_import SET due_at = \(due) WHERE id = \(id)\(isStill)") == 1
    }

    /// Resumes nightly reading of a calendar that was given up.
    static func takeUp(_ id: ID<CalendarImport>, _ due: Instant, in db: Connection) throws {
        try db.execute("UPDATE calendar_import SET due_at = \(due) WHERE id = \(id) AND due_at IS NULL")
    }

    /// Records that it was read and hasn't changed.
    static func noteRead(_ id: ID<CalendarImport>, in tx: Transaction) throws {
        try tx.execute("UPDATE calendar_import SET read_at = \(tx.now), failed = 0, problem = '' WHERE id = \(id)")
        try ImportNews.settle([.failing, .stopped], id, in: tx)
    }

    /// Records another night in which it couldn't be read.
    ///
    /// - Returns: The number of consecutive nights.
    static func noteFailure(_ id: ID<CalendarImport>, _ problem: String, in db: Connection) throws -> Int {
        try db.execute("UPDATE calendar_import SET failed = failed + 1, problem = \(problem) WHERE id = \(id)")
        return try db.value("SELECT failed FROM calendar_import WHERE id = \(id)") ?? 0
    }

    /// Records a problem that doesn't count as a failed night.
    static func note(_ problem: String, of id: ID<CalendarImport>, in db: Connection) throws {
        try db.execute("UPDATE calendar_import SET problem = \(problem) WHERE id = \(id)")
    }

    /// The accounts to notify about an organization's calendars.
    static func readers(at host: ID<Account>) -> SQL { Colleague.told(of: .imported, at: host) }
}

extension ImportForm {
    /// The places that a calendar's entries may be at.
    func places(of host: ID<Account>, in db: Connection) throws -> KnownPlaces {
        places(beside: try PlaceSearch.used(by: host, in: db).map(\.place))
    }
}
