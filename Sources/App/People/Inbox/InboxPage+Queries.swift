import Database

extension Notice: RowDecodable {
    static let columns: Columns =
        [
            "notice.id", "notice.kind", "notice.registration_id", "notice.detail",
            "notice.subject", "notice.times", "notice.at",
            "notice.read_at", "notice.is_shown",
        ] + Happening.columns + ["coalesce(announcement.subject, '')"] + Helped.columns

    /// The tables to read from.
    fileprivate static let source: SQL = """
        notice LEFT JOIN event ON event.id = notice.event_id
            LEFT JOIN announcement ON notice.kind = 'announced' AND announcement.id = notice.subject
            LEFT JOIN opportunity ON opportunity.id = announcement.opportunity_id
        """

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), kind: try row.next(), registration: try row.next(),
            detail: try row.next(), subject: try row.next(),
            times: try row.next(), at: try row.next(), readAt: try row.next(), isShown: try row.next(),
            happening: try row.next(), headline: try row.next(), helped: try row.next())
    }
}

extension Notice.Helped: RowDecodable {
    static let columns: Columns = ["opportunity.id", "opportunity.title"]

    init(row: inout Row) throws { self.init(id: try row.next(), title: try row.next()) }
}

extension Notice.Happening: RowDecodable {
    static let columns: Columns =
        ["event.id"] + EventTitle.columns + Schedule.columns + ["event.cancel_reason", "event.cancelled_at IS NOT NULL"]

    init(row: inout Row) throws {
        self.init(
            event: try row.next(), title: try row.next(), schedule: try row.next(), cancelReason: try row.next(),
            isCancelled: try row.next())
    }
}

extension Notice {
    /// An account's notices, newest first.
    static func all(
        of account: ID<Account>, onlyUnread: Bool, after: Cursor<ID<Notice>>?, in db: Connection
    ) throws -> Page<Notice> {
        let next: SQL = after.map { " AND notice.id < \($0.keys)" } ?? ""
        let unread: SQL = onlyUnread ? " AND notice.read_at IS NULL" : ""
        return try Page(of: pageSize, by: \.id) { limit in
            try named(
                db.all(
                    """
                    SELECT \(columns) FROM \(source)
                    WHERE notice.account_id = \(account)\(unread)\(next) ORDER BY notice.id DESC LIMIT \(limit)
                    """), in: db)
        }
    }

    /// Adds the names of the members who wrote what these notices are about.
    private static func named(_ notices: [Notice], in db: Connection) throws -> [Notice] {
        let authors = Set(notices.compactMap { $0.talk?.author })
        guard !authors.isEmpty else { return notices }
        let found: [Author] = try db.all(
            """
            SELECT \(Author.columns) FROM account LEFT JOIN person ON person.account_id = account.id
            WHERE account.id IN \(list: authors.padded(to: pageSize + 1)) LIMIT 100
            """)
        let names = Dictionary(found.map { ($0.account, $0.name) }) { first, _ in first }
        return notices.map { notice in
            var notice = notice
            notice.author = notice.talk.flatMap { names[$0.author] }
            return notice
        }
    }

    static func find(_ id: ID<Notice>, of account: ID<Account>, in db: Connection) throws -> Notice? {
        try db.first(
            """
            SELECT \(columns) FROM \(source)
            WHERE notice.id = \(id) AND notice.account_id = \(account)
            """)
    }

    /// Marks one of an account's notices as read. Changes are shown on the page to which it leads.
    static func read(_ notice: Notice, of account: ID<Account>, in tx: Transaction) throws {
        let count = try tx.execute(
            """
            UPDATE notice SET read_at = \(tx.now)
            WHERE id = \(notice.id) AND account_id = \(account) AND read_at IS NULL
            """)
        try tx.execute("UPDATE account SET unread = unread - \(count) WHERE id = \(account)")
    }

    /// Marks a notice as read, and the earlier ones that its row in the inbox represents.
    static func readAll(upTo notice: Notice, of account: ID<Account>, in tx: Transaction) throws {
        if let event = notice.event {
            return try read(notice.kind, about: event, inRowOf: notice, of: account, in: tx)
        }
        let unread: [Notice] = try tx.all(
            """
            SELECT \(columns) FROM \(source)
            WHERE notice.event_id IS NULL AND notice.account_id = \(account) AND notice.kind = \(notice.kind)
                AND \(isAbout(notice.subject)) AND notice.read_at IS NULL AND notice.id <= \(notice.id)
            LIMIT 100
            """)
        var begins = Set(notice.help?.move.map { [$0.from] } ?? [])
        for one in unread.sorted(by: { $0.id > $1.id }) {
            let move = one.help?.move
            guard one.group == notice.group || move.map({ begins.contains($0.to) }) == true else { continue }
            if let move { begins.insert(move.from) }
            try read(one, of: account, in: tx)
        }
    }

    /// Marks an account's notices of a kind about an event as read: all of them, or those represented by a row in the
    /// inbox.
    static func read(
        _ kind: NoticeKind, about event: ID<Event>, inRowOf last: Notice? = nil, of account: ID<Account>,
        in tx: Transaction
    ) throws {
        let until: SQL = last.map { " AND notice.id <= \($0.id)" } ?? ""
        let unread: [Notice] = try tx.all(
            """
            SELECT \(columns) FROM \(source)
            WHERE notice.event_id = \(event) AND notice.account_id = \(account) AND notice.kind = \(kind)
                AND notice.read_at IS NULL\(until) LIMIT 100
            """)
        for notice in unread where last.map({ $0.group == notice.group }) ?? true {
            try read(notice, of: account, in: tx)
        }
    }

    /// - Parameter hasServer: Whether the site sends mail.
    static func choices(
        of visitor: Visitor, _ opening: Opening, hasServer: Bool, in db: Connection
    ) throws -> NoticeChoices {
        let rows: [(NoticeKind, NoticeKind.Channel, Bool)] = try db.all(
            "SELECT kind, channel, is_on FROM notice_choice WHERE account_id = \(visitor.account) LIMIT 200"
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        let hasPets = try Owner.exists(visitor.account, in: db)
        return NoticeChoices(
            kinds: NoticeKind.allCases.filter { kind in
                guard opening.has(kind.module) else { return false }
                return kind.isOfMembers
                    || kind.hat.map(visitor.has)
                        ?? ((kind.isOfPets && hasPets) || (kind.isOfStaff && visitor.isStaff))
            },
            chosen: Dictionary(
                rows.map { (NoticeChoices.name($0, $1), $2) }, uniquingKeysWith: { _, last in last }),
            reach: hasServer ? visitor.reach : .nowhere,
            devices: try PushDevice.all(of: visitor.account, in: visitor.session, db),
            actReminder: try ActReminder.find(of: visitor.account, in: db))
    }
}
