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
    // MARK: Notifying

    /// Records an edit of one or several dates for every family with places there or on a waiting list, of the event or
    /// its activities, and notifies each of them once. Past dates don't count.
    static func record(_ changes: [Change], of dates: [Event], in tx: Transaction) throws {
        var edit: ID<Change>?
        var news: [Notice.News] = []
        for date in dates where !date.isOver(at: tx.now) {
            let ofDate = changes.filter { $0.event == date.id }
            guard !ofDate.isEmpty, try Event.hasRegistrations(date.id, in: tx) else { continue }
            for change in ofDate {
                let id = ID<Change>(
                    try tx.insert(
                        """
                        INSERT INTO change (event_id, edit_id, at, what, said_before, says_now)
                        VALUES (\(date.id), \(edit ?? ID(0)), \(tx.now), \(change.what), \(change.before),
                            \(change.now))
                        """))
                if edit == nil { try tx.execute("UPDATE change SET edit_id = id WHERE id = \(id)") }
                edit = edit ?? id
                try Guest.noteChange(at: date.id, in: tx)
                let registered: SQL = """
                    SELECT account_id FROM registration
                    WHERE event_id = \(date.id) AND \(Registration.isHeld) AND account_id IS NOT NULL
                    """
                for concerned in [registered, Activity.whoWaits(at: "= \(date.id)")] {
                    try tx.execute(
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
        try Notice.tellFamilies(news, in: tx)
    }

    /// Notifies families with places at a series whose dates belong together, or on its waiting lists, once of new
    /// dates, with their first upcoming one.
    static func tell(ofNew days: [Day], of series: ID<Event>, in tx: Transaction) throws {
        let held: [(event: ID<Event>, account: ID<Account>)] = try tx.all(
            """
            SELECT event.id, registration.account_id FROM event JOIN registration ON registration.event_id = event.id
            WHERE event.series_id = \(series) AND event.starts_at > \(tx.now) AND event.listed
                AND \(Registration.isHeld)
                AND registration.account_id IS NOT NULL
            ORDER BY event.starts_at, event.id LIMIT 20000
            """
        ) { (try $0.next(), try $0.next()) }
        var known: Set<ID<Account>> = []
        let firsts = held.filter { known.insert($0.account).inserted }
        var edit: ID<Change>?
        for (event, families) in Dictionary(grouping: firsts, by: \.event).sorted(by: { $0.key < $1.key }) {
            let change = Change.adding(days, to: event)
            let id = ID<Change>(
                try tx.insert(
                    """
                    INSERT INTO change (event_id, edit_id, at, what, said_before, says_now)
                    VALUES (\(event), \(edit ?? ID(0)), \(tx.now), \(change.what), \(change.before), \(change.now))
                    """))
            if edit == nil { try tx.execute("UPDATE change SET edit_id = id WHERE id = \(id)") }
            edit = edit ?? id
            try tx.execute(
                """
                INSERT INTO change_seen (account_id, change_id)
                SELECT id, \(id) FROM account WHERE id IN \(list: families.map(\.account))
                """)
            try Notice.tell(
                Notice.News(kind: .changed, event: event, detail: keeping([change]), subject: edit?.rawValue),
                "account.id IN (SELECT account_id FROM change_seen WHERE change_id = \(id))", in: tx)
        }
    }

    // MARK: Queries

    /// The changes that a family hasn't seen: of all its current events, or of one.
    static func unseen(by account: ID<Account>, of event: ID<Event>? = nil, in tx: Transaction) throws -> [Change] {
        try unseen(byFamilyOf: account, head: account, of: event, in: tx)
    }

    /// One account's unseen changes, each with the account; newest first.
    private static func found(by account: ID<Account>, of event: ID<Event>?, at now: Instant) -> SQL {
        let only: SQL = event.map { " AND change.event_id = \($0)" } ?? ""
        return """
            SELECT change_seen.account_id, \(columns) FROM change_seen
            JOIN change ON change.id = change_seen.change_id
            JOIN event ON event.id = change.event_id AND event.ends_at > \(now)
            WHERE change_seen.account_id = \(account) AND change_seen.at IS NULL\(only)
                AND EXISTS (SELECT 1 FROM registration WHERE registration.account_id = \(account)
                    AND registration.state = 'confirmed' AND registration.event_id = change.event_id)
            ORDER BY change_seen.change_id DESC LIMIT 200
            """
    }

    /// All unseen changes for a member: of events they attend, and of those of the children they look after.
    ///
    /// - Parameter head: The account under which those children are registered.
    static func unseen(
        byFamilyOf account: ID<Account>, head: ID<Account>, of event: ID<Event>? = nil, in tx: Transaction
    ) throws -> [Change] {
        let own = found(by: account, of: event, at: tx.now)
        let both: SQL = """
            SELECT own.account_id, own.event_id, own.what, own.said_before, own.says_now, own.id FROM (\(own)) AS own
            UNION ALL SELECT theirs.account_id, theirs.event_id, theirs.what, theirs.said_before, theirs.says_now,
                theirs.id FROM (\(found(by: head, of: event, at: tx.now))) AS theirs
            """
        let all: [(account: ID<Account>, change: Change)] = try tx.all(
            """
            SELECT part.account_id, part.event_id, part.what, part.said_before, part.says_now, part.id
            FROM (\(head == account ? own : both)) AS part LIMIT 400
            """
        ) { (try $0.next(), try $0.next()) }
        // In their original order.
        func changes(of family: ID<Account>) -> [Change] {
            merged(all.filter { $0.account == family }.map(\.change).sorted { $0.last < $1.last })
        }
        return head == account ? changes(of: account) : changes(of: account) + changes(of: head)
    }

    /// The edit that a change is part of.
    private static func edit(of id: ID<Change>, in db: Connection) throws -> ID<Change>? {
        try db.value("SELECT edit_id FROM change WHERE id = \(id)")
    }

    /// The changes of an edit that affect a family, including later ones and earlier unseen ones: repeated changes are
    /// merged.
    static func all(
        since edit: ID<Change>, concerning accounts: Set<ID<Account>>, in db: Connection
    ) throws -> [Change] {
        let accounts = accounts.sorted()
        let all: [Change] = try db.all(
            """
            SELECT \(columns) FROM change
            WHERE change.event_id IN (SELECT first.event_id FROM change AS first
                JOIN change_seen ON change_seen.change_id = first.id AND change_seen.account_id IN \(list: accounts)
                WHERE first.edit_id = \(edit))
            AND EXISTS (SELECT 1 FROM change_seen
                WHERE change_seen.change_id = change.id AND change_seen.account_id IN \(list: accounts)
                    AND (change.id >= \(edit) OR change_seen.at IS NULL))
            LIMIT 1000
            """)
        return merged(all.sorted { $0.last < $1.last }, keepingUndone: true)
    }

    /// The event of a change.
    static func event(of id: ID<Change>, in db: Connection) throws -> ID<Event>? {
        try db.value("SELECT event_id FROM change WHERE id = \(id)")
    }

    /// The days on which an edit changed something for families, in order.
    static func days(of edit: ID<Change>, concerning accounts: Set<ID<Account>>, in db: Connection) throws -> [Day] {
        let days: [Day] = try db.all(
            """
            SELECT event.day FROM change JOIN event ON event.id = change.event_id
            WHERE change.edit_id = \(edit) AND EXISTS (SELECT 1 FROM change_seen
                WHERE change_seen.change_id = change.id AND change_seen.account_id IN \(list: accounts.sorted()))
            LIMIT 2000
            """
        ) { try $0.next() }
        return Set(days).sorted()
    }

    /// The current values of these changes: later changes are merged in, and those that were reverted are left out.
    static func current(_ changes: [Change], since edit: ID<Change>, in db: Connection) throws -> [Change] {
        guard let event = changes.first?.event else { return changes }
        let later: [Change] = try db.all(
            """
            SELECT \(columns) FROM change
            WHERE change.event_id = \(event) AND change.edit_id > \(edit) ORDER BY change.id LIMIT 200
            """)
        return merged(changes + later.filter { change in changes.contains { $0.isOfSame(change) } })
    }

    /// The changes of a host's edit.
    static func all(of edit: ID<Change>, by host: ID<Account>, in db: Connection) throws -> [Change] {
        try db.all(
            """
            SELECT \(columns) FROM change JOIN event ON event.id = change.event_id AND event.account_id = \(host)
            WHERE change.edit_id = \(edit) ORDER BY change.id LIMIT 1000
            """)
    }

    // MARK: Read receipts

    /// Records that a family has seen an event's changes, up to the last one on its page.
    static func see(_ event: ID<Event>, upTo last: ID<Change>, by account: ID<Account>, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE change_seen SET at = \(tx.now) WHERE account_id = \(account) AND at IS NULL
                AND change_id IN (SELECT id FROM change WHERE event_id = \(event) AND id <= \(last))
            """)
    }

    /// Erases which families the changes of past events concerned: it says where their children went, and their host
    /// reads who hasn't seen one. Their notices lead to the event from then on.
    ///
    /// - Parameter events: A query for the events.
    static func forgetFamilies(at events: SQL, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM change_seen
            WHERE change_id IN (SELECT change.id FROM change WHERE change.event_id IN \(events))
            """)
        try db.execute(
            """
            UPDATE notice SET subject = NULL
            WHERE event_id IN \(events) AND kind IN (\(NoticeKind.changed), \(NoticeKind.cancelled))
            """)
    }
}

extension ChangePage {
    /// An edit's page, for a family that it affects or for the host.
    ///
    /// - Parameters:
    ///   - head: The account under which the family's children are registered.
    ///   - host: The account for which they post events.
    /// - Throws: `Refusal.notFound` for anyone else.
    init(
        _ id: ID<Change>, for account: ID<Account>, of head: ID<Account>, announcing host: ID<Account>,
        in db: Connection
    ) throws {
        guard let edit: ID<Change> = try db.value("SELECT edit_id FROM change WHERE id = \(id)") else {
            throw Refusal.notFound
        }
        let hosted = try Change.all(of: edit, by: host, in: db)
        let concerning = try Change.all(since: edit, concerning: [account, head], in: db)
        let changes = hosted.isEmpty ? concerning : hosted
        guard !changes.isEmpty else { throw Refusal.notFound }
        var known: Set<ID<Event>> = []
        let events = try Event.all(changes.map(\.event).filter { known.insert($0).inserted }, in: db)
        dates = events.map { event in
            let changes = changes.filter { $0.event == event.id }
            return Date(
                event: event, changes: changes.filter { $0.before != $0.now },
                last: changes.map(\.last).max() ?? edit)
        }
        at = try db.value("SELECT at FROM change WHERE id = \(edit)") ?? Instant(milliseconds: 0)
        receipt = hosted.isEmpty ? nil : try Receipt("change.edit_id = \(edit)", of: events, in: db)
        isConcerned = !concerning.isEmpty
        places = try events.compactMap { event in
            try [head, account].lazy.compactMap { try Registration.confirmed(of: $0, at: event.id, in: db).first }.first
        }
    }
}

extension Receipt {
    /// The families that have seen the changes of a current event; nil if there are none. Each date of a series has its
    /// own.
    init?(of event: Event, in tx: Transaction) throws {
        guard !event.isOver(at: tx.now) else { return nil }
        try self.init("change.event_id = \(event.id)", of: [event], in: tx)
        if families == 0, untold.isEmpty { return nil }
        if unlisted != nil { writesTo = event.id }
        let last: ID<Change>? = try tx.value(
            "SELECT edit_id FROM change WHERE event_id = \(event.id) ORDER BY id DESC LIMIT 1")
        if let last, try tx.exists("SELECT 1 FROM change WHERE edit_id = \(last) AND event_id <> \(event.id)") {
            all = .change(last)
        }
    }

    /// Which of the affected families have seen these changes, including those that gave their places back. Reverted
    /// changes needn't be seen. A host without a participant list sees only the number, not names or addresses.
    fileprivate init(_ which: SQL, of events: [Event], in db: Connection) throws {
        let isListed = try !db.exists(
            """
            SELECT 1 FROM event WHERE event.id IN \(list: events.map(\.id).padded(to20Or: 400)) AND NOT \(Event.hasList)
            """)
        let person: SQL =
            isListed
            ? """
            coalesce(family.first_name || ' ' || family.last_name, account.username), family.phone,
                CASE WHEN account.suspended_at IS NULL THEN account.email ELSE '' END
            """
            : "'', CAST(NULL AS TEXT), ''"
        var all: Set<ID<Account>> = []
        var unseen: [ID<Account>: [Change]] = [:]
        var people: [ID<Account>: Missing] = [:]
        try db.each(
            """
            SELECT change_seen.account_id, change_seen.at IS NOT NULL, \(person), \(Change.columns)
            FROM change JOIN change_seen ON change_seen.change_id = change.id
            JOIN event ON event.id = change.event_id
            JOIN account ON account.id = change_seen.account_id
            LEFT JOIN family ON family.account_id = account.id
            WHERE \(which) AND CASE WHEN event.cancelled_at IS NULL
                THEN EXISTS (SELECT 1 FROM registration WHERE registration.account_id = change_seen.account_id
                    AND \(Registration.isHeld) AND registration.event_id = change.event_id)
                -- Those who still had a place then, or waited for one.
                ELSE EXISTS (SELECT 1 FROM change AS off JOIN change_seen AS told ON told.change_id = off.id
                    AND told.account_id = change_seen.account_id
                    WHERE off.event_id = change.event_id AND off.what = 'time' AND off.says_now = '') END
            ORDER BY change.id LIMIT 1000000
            """
        ) { row in
            let account: ID<Account> = try row.next()
            all.insert(account)
            let hasSeen: Bool = try row.next()
            if !hasSeen {
                let one = Missing(name: try row.next(), phone: try row.next(), email: try row.next())
                if people[account] == nil { people[account] = one }
                unseen[account, default: []].append(try row.next())
            }
            return true
        }
        var missing = people.filter { !Change.merged(unseen[$0.key] ?? []).isEmpty }
            .sorted { ($0.value.key, $0.key.rawValue) < ($1.value.key, $1.key.rawValue) }
        families = all.count
        guard isListed else {
            self.missing = []
            untold = []
            unlisted = missing.count
            return
        }
        // The children it concerns, up to a limit.
        let named = missing.prefix(Self.most).map(\.key)
        let coming = try Self.coming(named, at: events, in: db)
        for index in missing.indices.prefix(Self.most) {
            let account = missing[index].key
            let dates = Set(unseen[account]?.map(\.event) ?? [])
            missing[index].value.coming = coming.filter { $0.account == account && dates.contains($0.event) }.map {
                Missing.Person(name: $0.name, day: events.count == 1 ? nil : $0.day)
            }
        }
        self.missing = missing.map(\.value)
        untold = try Guest.untold(at: events, in: db)
    }

    /// Those of these families that come to events or wait for a place: they are also on their host's list.
    private static func coming(
        _ families: [ID<Account>], at events: [Event], in db: Connection
    ) throws -> [(account: ID<Account>, event: ID<Event>, day: Day, name: String?)] {
        guard !families.isEmpty else { return [] }
        return try db.all(
            """
            SELECT registration.account_id, event.id, event.day, \(Registration.name) FROM registration
            JOIN event ON event.id = registration.event_id
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            LEFT JOIN child ON child.id = registration_person.child_id
            WHERE registration.event_id IN \(list: events.map(\.id).padded(to: 400))
                AND registration.account_id IN \(list: families) AND \(Registration.isHeld)
            ORDER BY event.starts_at, registration_person.id LIMIT 1000
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
    }
}
