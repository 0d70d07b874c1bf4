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

    /// The latest messages, newest first.
    static func latest(about place: Place, in db: Connection) throws -> [Announcement] {
        try db.all("SELECT \(columns) FROM announcement WHERE \(place.isIt) ORDER BY at DESC, id DESC LIMIT 20")
    }

    /// Whether an account got a message from an event's host.
    static func reached(_ account: ID<Account>, about event: ID<Event>, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM notice
            WHERE event_id = \(event) AND account_id = \(account) AND kind = \(NoticeKind.announced)
            """)
    }
}

extension Announcement.Place {
    /// A condition on `announcement`.
    var isIt: SQL {
        switch self {
        case .event(let id): "event_id = \(id)"
        case .help(let id): "opportunity_id = \(id)"
        }
    }
}

// MARK: Helpers

extension Announcement {
    /// The opportunity whose helpers got a message; nil if it was about an event.
    static func opportunity(of id: ID<Announcement>, in db: Connection) throws -> ID<Opportunity>? {
        try db.value("SELECT opportunity_id FROM announcement WHERE id = \(id) AND opportunity_id IS NOT NULL")
    }

    /// Whether an account got a message from an opportunity's organization.
    static func reached(_ account: ID<Account>, about opportunity: ID<Opportunity>, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM notice JOIN announcement ON announcement.id = notice.subject
            WHERE notice.event_id IS NULL AND notice.account_id = \(account)
                AND notice.kind = \(NoticeKind.announced) AND announcement.opportunity_id = \(opportunity)
            """)
    }

    /// Marks all messages to the helpers of an opportunity as read.
    static func read(about opportunity: ID<Opportunity>, by account: ID<Account>, in tx: Transaction) throws {
        let count = try tx.execute(
            """
            UPDATE notice SET read_at = \(tx.now)
            WHERE event_id IS NULL AND account_id = \(account) AND kind = \(NoticeKind.announced) AND read_at IS NULL
                AND subject IN (SELECT id FROM announcement WHERE opportunity_id = \(opportunity))
            """)
        try tx.execute("UPDATE account SET unread = unread - \(count) WHERE id = \(account)")
    }
}
