import Database

extension Draft.Kind: SQLValue {}

extension Draft {
    /// Keeps the form; the same form again takes the place of what was kept before.
    ///
    /// - Throws: `TooMany` when the account has as many as one may keep.
    static func keep(
        _ content: Content, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        let count: Int = try db.value("SELECT count(*) FROM draft WHERE account_id = \(account)") ?? 0
        guard try count < limit || isKept(content.once, of: account, in: db) else { throw TooMany() }
        try db.execute(
            """
            INSERT INTO draft (account_id, kind, title, form, picture_id, once, is_own, updated_at)
            VALUES (\(account), \(content.kind), \(content.title), \(content.form), \(content.picture),
                \(content.once), \(content.isOwn), \(now))
            ON CONFLICT (account_id, once) DO UPDATE SET title = excluded.title, form = excluded.form,
                picture_id = excluded.picture_id, updated_at = excluded.updated_at
            """)
    }

    struct TooMany: Error {}

    /// Whether this form is kept, with whatever content.
    static func isKept(_ once: String, of account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM draft WHERE account_id = \(account) AND once = \(once)")
    }

    /// An account's draft, for one of those who act for it.
    static func find(
        _ id: ID<Draft>, of account: ID<Account>, for reader: ID<Account>, in db: Connection
    ) throws -> Draft? {
        try db.first(
            """
            SELECT id, kind, title, form, updated_at, is_own FROM draft
            WHERE id = \(id) AND account_id = \(account) AND (NOT is_own OR account_id = \(reader))
            """, read)
    }

    /// The same, where it is of that kind.
    static func find(
        _ id: ID<Draft>, _ kind: Kind, of account: ID<Account>, for reader: ID<Account>, in db: Connection
    ) throws -> Draft? {
        try find(id, of: account, for: reader, in: db).flatMap { $0.kind == kind ? $0 : nil }
    }

    /// An account's drafts of a kind, the last one kept first, as one of those who act for it sees them.
    static func all(
        _ kind: Kind, of account: ID<Account>, for reader: ID<Account>, in db: Connection
    ) throws -> [Draft] {
        try db.all(
            """
            SELECT id, kind, title, form, updated_at, is_own FROM draft
            WHERE account_id = \(account) AND kind = \(kind) AND (NOT is_own OR account_id = \(reader))
            ORDER BY updated_at DESC, id DESC LIMIT \(limit)
            """, read)
    }

    /// Throws the draft away; one that is gone already stays so.
    static func delete(_ id: ID<Draft>, of account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM draft WHERE id = \(id) AND account_id = \(account)")
    }

    /// Ends the draft whose form was published.
    static func finish(_ once: String, of account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM draft WHERE account_id = \(account) AND once = \(once)")
    }

    private static func read(_ row: inout Row) throws -> Draft {
        Draft(
            id: try row.next(), kind: try row.next(), title: try row.next(), form: try form(try row.next()),
            updatedAt: try row.next(), isOwn: try row.next())
    }
}

extension DraftList {
    init(
        _ kind: Draft.Kind, of account: ID<Account>, for reader: ID<Account>, in zone: Zone, at now: Instant,
        db: Connection
    ) throws {
        self.init(
            kind: kind, drafts: try Draft.all(kind, of: account, for: reader, in: db),
            undos: try Undo.all(.draft, of: account, at: now, in: db).filter {
                $0.draft == kind && (!$0.isOwnDraft || account == reader)
            }, zone: zone)
    }
}
