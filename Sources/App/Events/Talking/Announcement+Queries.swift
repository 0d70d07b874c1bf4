import Database

extension Announcement: RowDecodable {
    static let columns: Columns = [
        "announcement.id", "announcement.subject", "announcement.body", "announcement.at", "announcement.families",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), subject: try row.next(), body: try row.next(), at: try row.next(),
            families: try row.next())
    }
}

extension Announcement {
    static func find(_ id: ID<Announcement>, in db: Connection) throws -> Announcement? {
        try db.first("SELECT \(columns) FROM announcement WHERE id = \(id)")
    }

    /// The last that were sent about an event, the newest first.
    static func latest(of event: ID<Event>, in db: Connection) throws -> [Announcement] {
        try db.all("SELECT \(columns) FROM announcement WHERE event_id = \(event) ORDER BY at DESC, id DESC LIMIT 20")
    }

    /// Tells the families who come to an event, and those who wait if the form says so; once for each `once`.
    ///
    /// - Throws: `TooMany`.
    static func send(
        _ form: AnnouncementForm, about event: ID<Event>, once: String, at now: Instant, in db: Connection
    ) throws {
        if try db.exists("SELECT 1 FROM announcement WHERE event_id = \(event) AND once = \(once)") { return }
        // The words that a browser brought back with the page, sent again.
        let isEcho = try db.exists(
            """
            SELECT 1 FROM announcement WHERE event_id = \(event) AND at > \(now - SentForm.echo)
                AND subject = \(form.subject) AND body = \(form.body) AND tells_waiting = \(form.tellsWaiting)
            """)
        if isEcho { return }
        let today: Int =
            try db.value(
                "SELECT count(*) FROM announcement WHERE event_id = \(event) AND at > \(now - .days(1))") ?? 0
        guard today < aDay else { throw TooMany() }
        let id = try db.insert(
            """
            INSERT INTO announcement (event_id, subject, body, tells_waiting, once, at)
            VALUES (\(event), \(form.subject), \(form.body), \(form.tellsWaiting), \(once), \(now))
            """)
        var news = Notice.News(kind: .announced, event: event)
        news.subject = id
        try Notice.tell(news, readers(of: event, waiting: form.tellsWaiting), at: now, in: db)
        try db.execute(
            """
            UPDATE announcement SET families = (SELECT count(*) FROM notice
                WHERE event_id = \(event) AND kind = \(NoticeKind.announced) AND subject = \(id)
                    AND NOT EXISTS (SELECT 1 FROM guardian WHERE guardian.account_id = notice.account_id))
            WHERE id = \(id)
            """)
    }

    private static func readers(of event: ID<Event>, waiting: Bool) -> SQL {
        let state: SQL = waiting ? Registration.isHeld : "registration.state = 'confirmed'"
        return "account.id IN (SELECT account_id FROM registration WHERE event_id = \(event) AND \(state))"
    }

    /// Whether an account was told anything by the host of an event.
    static func reached(_ account: ID<Account>, about event: ID<Event>, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM notice
            WHERE event_id = \(event) AND account_id = \(account) AND kind = \(NoticeKind.announced)
            """)
    }

    /// How many families come to an event, and how many others wait.
    static func readers(of event: ID<Event>, in db: Connection) throws -> (families: Int, waiting: Int) {
        func count(_ waiting: Bool) throws -> Int {
            try db.value(
                """
                SELECT count(*) FROM account
                WHERE \(readers(of: event, waiting: waiting))
                """) ?? 0
        }
        let families = try count(false)
        return (families, try count(true) - families)
    }
}

extension AnnouncementsPage {
    /// - Parameter host: For whom they act.
    /// - Throws: `Refusal.notFound` for those who are neither the host nor were told anything.
    init(_ id: ID<Event>, for account: ID<Account>, as host: ID<Account>, in db: Connection) throws {
        guard let event = try Event.find(id, in: db) else { throw Refusal.notFound }
        guard event.host.id == host else {
            let told: [Announcement] = try db.all(
                """
                SELECT \(Announcement.columns) FROM notice JOIN announcement ON announcement.id = notice.subject
                WHERE notice.event_id = \(id) AND notice.account_id = \(account)
                    AND notice.kind = \(NoticeKind.announced)
                ORDER BY notice.id DESC LIMIT 100
                """)
            guard !told.isEmpty else { throw Refusal.notFound }
            self.init(event: event, announcements: told, isHost: false)
            return
        }
        let sent: [Announcement] = try db.all(
            """
            SELECT \(Announcement.columns) FROM announcement WHERE event_id = \(id) ORDER BY at DESC, id DESC LIMIT 100
            """)
        // It doesn't matter which parent opened it.
        var opened: [Int64: Set<ID<Account>>] = [:]
        try db.each(
            """
            SELECT notice.subject, coalesce(guardian.head_id, notice.account_id)
            FROM notice LEFT JOIN guardian ON guardian.account_id = notice.account_id
            WHERE notice.event_id = \(id) AND notice.kind = \(NoticeKind.announced) AND notice.read_at IS NOT NULL
            LIMIT 100000
            """
        ) { row in
            opened[try row.next(), default: []].insert(try row.next())
            return true
        }
        self.init(
            event: event,
            announcements: sent.map { one in
                var one = one
                one.opened = opened[one.id.rawValue]?.count ?? 0
                return one
            }, isHost: true)
        (families, waiting) = try Announcement.readers(of: id, in: db)
        guests = try Registration.concerned(by: [id], in: db).guestWords
    }
}
