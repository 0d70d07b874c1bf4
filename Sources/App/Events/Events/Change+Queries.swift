import Database

extension Change.What: SQLValue {}

extension Change: RowDecodable {
    static let columns: Columns = [
        "change.event_id", "change.what", "change.said_before", "change.says_now", "change.id",
    ]

    init(row: inout Row) throws {
        self.init(
            event: try row.next(), what: try row.next(), before: try row.next(), now: try row.next(),
            last: try row.next())
    }
}

extension Change {
    // MARK: Telling

    /// Writes a receipt of one edit, on one date or on many, for every family that has places there or waits for one,
    /// of the event or of one of its activities, and tells each of them once. What is over is nobody's concern.
    static func record(_ changes: [Change], of dates: [Event], at now: Instant, in db: Connection) throws {
        var edit: ID<Change>?
        var news: [Notice.News] = []
        for date in dates where !date.isOver(at: now) {
            let ofDate = changes.filter { $0.event == date.id }
            guard !ofDate.isEmpty, try Event.hasRegistrations(date.id, in: db) else { continue }
            for change in ofDate {
                let id = ID<Change>(
                    try db.insert(
                        """
                        INSERT INTO change (event_id, edit_id, at, what, said_before, says_now)
                        VALUES (\(date.id), \(edit ?? ID(0)), \(now), \(change.what), \(change.before), \(change.now))
                        """))
                if edit == nil { try db.execute("UPDATE change SET edit_id = id WHERE id = \(id)") }
                edit = edit ?? id
                let registered: SQL = """
                    SELECT account_id FROM registration WHERE event_id = \(date.id) AND \(Registration.isHeld)
                    """
                for concerned in [registered, Activity.whoWaits(at: "= \(date.id)")] {
                    try db.execute(
                        """
                        INSERT INTO change_seen (account_id, change_id)
                        SELECT account_id, \(id) FROM (\(concerned)) AS concerned WHERE TRUE
                        ON CONFLICT (account_id, change_id) DO NOTHING
                        """)
                }
            }
            let isOff = ofDate.contains(where: \.isCanceling)
            news.append(
                Notice.News(
                    kind: isOff ? .cancelled : .changed, event: date.id, detail: isOff ? "" : keeping(ofDate)))
        }
        guard let edit else { return }
        for index in news.indices { news[index].subject = edit.rawValue }
        try Notice.tellFamilies(news, at: now, in: db)
    }

    // MARK: Reading

    /// What changed and a family hasn't seen yet: of all its events that aren't over, or of one.
    static func unseen(
        by account: ID<Account>, of event: ID<Event>? = nil, at now: Instant, in db: Connection
    ) throws -> [Change] {
        let only: SQL = event.map { " AND change.event_id = \($0)" } ?? ""
        // The newest, in the order in which they came.
        let found: [Change] = try db.all(
            """
            SELECT \(columns) FROM change_seen JOIN change ON change.id = change_seen.change_id
            JOIN event ON event.id = change.event_id AND event.ends_at > \(now)
            WHERE change_seen.account_id = \(account) AND change_seen.at IS NULL\(only)
                AND EXISTS (SELECT 1 FROM registration WHERE registration.account_id = \(account)
                    AND registration.state = 'confirmed' AND registration.event_id = change.event_id)
            ORDER BY change_seen.change_id DESC LIMIT 200
            """)
        return merged(found.reversed())
    }

    /// The same of all that concerns somebody: where they go in person, and the children they look after.
    static func unseen(
        byFamilyOf account: ID<Account>, of event: ID<Event>? = nil, at now: Instant, in db: Connection
    ) throws -> [Change] {
        let own = try unseen(by: account, of: event, at: now, in: db)
        let head = try Guardian.head(of: account, in: db)
        return head == account ? own : own + (try unseen(by: head, of: event, at: now, in: db))
    }

    /// The number of the edit that a change was part of.
    private static func edit(of id: ID<Change>, in db: Connection) throws -> ID<Change>? {
        try db.value("SELECT edit_id FROM change WHERE id = \(id)")
    }

    /// What an edit changed, as far as it concerns a family.
    static func all(of edit: ID<Change>, concerning account: ID<Account>, in db: Connection) throws -> [Change] {
        try db.all(
            """
            SELECT \(columns) FROM change JOIN change_seen ON change_seen.change_id = change.id
                AND change_seen.account_id = \(account)
            WHERE change.edit_id = \(edit) ORDER BY change.id LIMIT 1000
            """)
    }

    /// What an edit of a host changed.
    static func all(of edit: ID<Change>, by host: ID<Account>, in db: Connection) throws -> [Change] {
        try db.all(
            """
            SELECT \(columns) FROM change JOIN event ON event.id = change.event_id AND event.account_id = \(host)
            WHERE change.edit_id = \(edit) ORDER BY change.id LIMIT 1000
            """)
    }

    // MARK: Seeing

    /// Notes that a family has seen what an edit changed.
    static func see(edit id: ID<Change>, by account: ID<Account>, at now: Instant, in db: Connection) throws {
        guard let edit = try edit(of: id, in: db) else { return }
        try db.execute(
            """
            UPDATE change_seen SET at = \(now) WHERE account_id = \(account) AND at IS NULL
                AND change_id IN (SELECT id FROM change WHERE edit_id = \(edit))
            """)
    }

    /// Notes that a family has seen what changed, up to the last change that its page told of.
    static func see(
        _ event: ID<Event>, upTo last: ID<Change>, by account: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        try db.execute(
            """
            UPDATE change_seen SET at = \(now) WHERE account_id = \(account) AND at IS NULL
                AND change_id IN (SELECT id FROM change WHERE event_id = \(event) AND id <= \(last))
            """)
    }
}

extension ChangePage {
    /// The page of an edit, for a family that it concerns or the host.
    ///
    /// - Parameter head: The account under which the family's children are registered.
    /// - Throws: `Refusal.notFound` for everybody else.
    init(_ id: ID<Change>, for account: ID<Account>, of head: ID<Account>, in db: Connection) throws {
        guard let edit: ID<Change> = try db.value("SELECT edit_id FROM change WHERE id = \(id)") else {
            throw Refusal.notFound
        }
        let hosted = try Change.all(of: edit, by: account, in: db)
        let concerning = try Set([account, head]).flatMap { try Change.all(of: edit, concerning: $0, in: db) }
        let changes = hosted.isEmpty ? concerning : hosted
        guard !changes.isEmpty else { throw Refusal.notFound }
        var known: Set<ID<Event>> = []
        let events = try Event.all(changes.map(\.event).filter { known.insert($0).inserted }, in: db)
        dates = events.map { event in Date(event: event, changes: changes.filter { $0.event == event.id }) }
        at = try db.value("SELECT at FROM change WHERE id = \(edit)") ?? Instant(milliseconds: 0)
        receipt = hosted.isEmpty ? nil : try Receipt("change.edit_id = \(edit)", in: db)
        isConcerned = !concerning.isEmpty
        places = try events.compactMap { event in
            try [head, account].lazy.compactMap { try Registration.confirmed(of: $0, at: event.id, in: db).first }.first
        }
    }
}

extension Receipt {
    /// Who has seen what changed of an event, or of any date of its series, that isn't over; nil where nothing did.
    init?(of event: Event, at now: Instant, in db: Connection) throws {
        let dates: SQL =
            event.series.map {
                """
                SELECT id FROM event WHERE series_id = \($0) AND \(Event.isAhead(now)) ORDER BY starts_at, id LIMIT 400
                """
            } ?? "SELECT id FROM event WHERE id = \(event.id) AND ends_at > \(now)"
        try self.init("change.event_id IN (\(dates))", in: db)
        if families == 0 { return nil }
    }

    /// Who has seen these changes, of the families they concern: those that still come, or would have.
    fileprivate init(_ which: SQL, in db: Connection) throws {
        var all: Set<ID<Account>> = []
        var missing: [ID<Account>: Missing] = [:]
        try db.each(
            """
            SELECT change_seen.account_id, change_seen.at IS NOT NULL,
                coalesce(family.first_name || ' ' || family.last_name, account.username), family.phone,
                CASE WHEN account.suspended_at IS NULL THEN account.email ELSE '' END
            FROM change JOIN change_seen ON change_seen.change_id = change.id
            JOIN event ON event.id = change.event_id
            JOIN account ON account.id = change_seen.account_id
            LEFT JOIN family ON family.account_id = account.id
            WHERE \(which) AND CASE WHEN event.cancelled_at IS NULL
                THEN EXISTS (SELECT 1 FROM registration WHERE registration.account_id = change_seen.account_id
                    AND \(Registration.isHeld) AND registration.event_id = change.event_id)
                -- Who still had a place then, or waited for one.
                ELSE EXISTS (SELECT 1 FROM change AS off JOIN change_seen AS told ON told.change_id = off.id
                    AND told.account_id = change_seen.account_id
                    WHERE off.event_id = change.event_id AND off.what = 'time' AND off.says_now = '') END
            LIMIT 1000000
            """
        ) { row in
            let account: ID<Account> = try row.next()
            all.insert(account)
            let hasSeen: Bool = try row.next()
            if !hasSeen {
                missing[account] = Missing(name: try row.next(), phone: try row.next(), email: try row.next())
            }
            return true
        }
        families = all.count
        self.missing = missing.sorted { ($0.value.key, $0.key.rawValue) < ($1.value.key, $1.key.rawValue) }
            .map(\.value)
    }
}
