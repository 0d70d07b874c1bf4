import Database

extension OneTimeLink.Kind: SQLValue {}

extension OneTimeLink: RowDecodable {
    static let columns: Columns = ["id", "kind", "account_id", "detail", "change_id", "expires_at"]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), kind: try row.next(), account: try row.next(), detail: try row.next(),
            change: try row.next(), expiresAt: try row.next())
    }

    /// Makes a link; others of its kind keep working.
    static func insert(
        _ token: Token, _ kind: Kind, of account: ID<Account>, detail: String = "", change: ID<EmailChange>? = nil,
        until expiry: Instant, in db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO one_time_link (token_hash, kind, account_id, detail, change_id, expires_at)
            VALUES (\(token.hash), \(kind), \(account), \(detail), \(change), \(expiry))
            """)
    }

    /// What a link opens, or why it no longer does; nil for a link that never existed.
    ///
    /// - Parameter kinds: The kinds it may have. The first is used to explain an ended link, unless
    ///   it is one of the site's invitations.
    static func find(_ token: Token, _ kinds: Kind..., in tx: Transaction) throws -> LinkState<OneTimeLink>? {
        let found: (end: String?, link: OneTimeLink)? = try tx.first(
            "SELECT ended, \(columns) FROM one_time_link WHERE token_hash = \(token.hash)"
        ) { (try $0.next(), try $0.next()) }
        guard let (end, link) = found, kinds.contains(link.kind) else { return nil }
        let kind = link.kind == .siteInvitation ? link.kind : kinds[0]
        switch end {
        case "used"?: return .ended(LinkEnd(kind, .used))
        case .some: return .ended(LinkEnd(kind, .replaced))
        case nil: return link.expiresAt > tx.now ? .open(link) : .ended(LinkEnd(kind, .tooOld))
        }
    }

    /// Whether it exists and wasn't withdrawn.
    static func isThere(_ token: Token, in db: Connection) throws -> Bool {
        try db.exists(
            "SELECT 1 FROM one_time_link WHERE token_hash = \(token.hash) AND coalesce(ended, '') <> 'replaced'")
    }

    /// An account's links that still work, sorted by expiry.
    static func open(_ kind: Kind, of account: ID<Account>, in tx: Transaction) throws -> [OneTimeLink] {
        try tx.all(
            """
            SELECT \(columns) FROM one_time_link
            WHERE account_id = \(account) AND kind = \(kind) AND expires_at > \(tx.now) AND ended IS NULL
            ORDER BY expires_at, id LIMIT 100
            """)
    }

    /// Marks a link as used.
    ///
    /// - Returns: Whether it still worked.
    @discardableResult
    static func use(_ token: Token, in db: Connection) throws -> Bool {
        try end("used", "token_hash = \(token.hash)", in: db) == 1
    }

    @discardableResult
    static func use(_ id: ID<OneTimeLink>, in db: Connection) throws -> Bool {
        try end("used", "id = \(id)", in: db) == 1
    }

    /// Withdraws a link, which can say so for a month.
    static func withdraw(_ id: ID<OneTimeLink>, _ kind: Kind, of account: ID<Account>, in db: Connection) throws {
        try end("replaced", "id = \(id) AND kind = \(kind) AND account_id = \(account)", in: db)
    }

    /// Withdraws the links that a query finds.
    ///
    /// - Parameter ids: A subquery.
    /// - Returns: How many still worked.
    @discardableResult
    static func withdraw(all ids: SQL, _ kind: Kind, in db: Connection) throws -> Int {
        try end("replaced", "id IN (\(ids)) AND kind = \(kind)", in: db)
    }

    static func withdraw(_ hash: [UInt8], in db: Connection) throws {
        try end("replaced", "token_hash = \(hash)", in: db)
    }

    /// Reopens a withdrawn link, unless it was erased.
    static func reopen(_ hash: [UInt8], in db: Connection) throws -> Bool {
        try db.execute(
            "UPDATE one_time_link SET ended = NULL WHERE token_hash = \(hash) AND ended = 'replaced'") == 1
    }

    /// Withdraws all links of a kind.
    ///
    /// - Parameter count: How many of the latest keep working.
    static func withdrawAll(_ kind: Kind, of account: ID<Account>, butLast count: Int = 0, in db: Connection) throws {
        try end(
            "replaced",
            """
            account_id = \(account) AND kind = \(kind) AND id NOT IN (
                SELECT id FROM one_time_link WHERE account_id = \(account) AND kind = \(kind) AND ended IS NULL
                ORDER BY expires_at DESC, id DESC LIMIT \(count))
            """, in: db)
    }

    /// Ends links and erases their details, such as whom they were for.
    @discardableResult
    private static func end(_ how: String, _ which: SQL, in db: Connection) throws -> Int {
        try db.execute(
            "UPDATE one_time_link SET ended = \(how), detail = '', invited = NULL WHERE \(which) AND ended IS NULL")
    }

    /// Erases links that ended long ago.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM one_time_link WHERE expires_at < \(tx.now - Memory.links)")
    }
}
