import Database

extension Draft.Kind: SQLValue {}

extension Draft {
    /// Saves the form, replacing an earlier version of the same form.
    ///
    /// - Throws: `TooMany` if the account has reached the limit; `SentForm.HasOtherWords` if somebody else saved
    ///   another version since this form was drawn: its content then becomes a separate draft.
    static func keep(_ content: Content, of account: ID<Account>, by keeper: ID<Account>, in tx: Transaction) throws {
        guard try content.follows(kept(content.once, of: account, in: tx)) else { throw otherWords }
        let count: Int = try tx.value("SELECT count(*) FROM draft WHERE account_id = \(account)") ?? 0
        guard try count < limit || isKept(content.once, of: account, in: tx) else { throw TooMany() }
        try tx.execute(
            """
            INSERT INTO draft (account_id, kind, title, form, picture_id, once, is_own, keeper_id, updated_at)
            VALUES (\(account), \(content.kind), \(content.title), \(content.form), \(content.picture),
                \(content.once), \(content.isOwn), \(keeper), \(tx.now))
            ON CONFLICT (account_id, once) DO UPDATE SET title = excluded.title, form = excluded.form,
                picture_id = excluded.picture_id, keeper_id = excluded.keeper_id, updated_at = excluded.updated_at
            """)
    }

    struct TooMany: Error {}

    /// Whether this form is saved, with any content.
    static func isKept(_ once: String, of account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM draft WHERE account_id = \(account) AND once = \(once)")
    }

    private static func kept(_ once: String, of account: ID<Account>, in db: Connection) throws -> String? {
        try db.value("SELECT form FROM draft WHERE account_id = \(account) AND once = \(once)")
    }

    /// An account's draft, for a member who acts for it.
    static func find(
        _ id: ID<Draft>, of account: ID<Account>, for reader: ID<Account>, in db: Connection
    ) throws -> Draft? {
        try db.first(
            """
            SELECT \(columns(for: reader)) FROM draft
            WHERE id = \(id) AND account_id = \(account) AND (NOT is_own OR account_id = \(reader))
            """, read)
    }

    /// An account's draft of a kind.
    static func find(
        _ id: ID<Draft>, _ kind: Kind, of account: ID<Account>, for reader: ID<Account>, in db: Connection
    ) throws -> Draft? {
        try find(id, of: account, for: reader, in: db).flatMap { $0.kind == kind ? $0 : nil }
    }

    /// An account's drafts of a kind, last saved first, visible to a member who acts for it.
    static func all(
        _ kind: Kind, of account: ID<Account>, for reader: ID<Account>, in db: Connection
    ) throws -> [Draft] {
        try db.all(
            """
            SELECT \(columns(for: reader)) FROM draft
            WHERE account_id = \(account) AND kind = \(kind) AND (NOT is_own OR account_id = \(reader))
            ORDER BY updated_at DESC, id DESC LIMIT \(limit)
            """, read)
    }

    /// Discards the draft, if it exists.
    static func delete(_ id: ID<Draft>, of account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM draft WHERE id = \(id) AND account_id = \(account)")
    }

    /// Another member's version of a draft, saved since this form was drawn.
    static func newer(
        than content: Content, of account: ID<Account>, for reader: ID<Account>, in db: Connection
    ) throws -> Draft? {
        guard try !content.follows(kept(content.once, of: account, in: db)) else { return nil }
        return try db.first(
            """
            SELECT \(columns(for: reader)) FROM draft WHERE account_id = \(account) AND once = \(content.once)
                AND (NOT is_own OR account_id = \(reader))
            """, read)
    }

    /// Deletes the draft of a published form.
    ///
    /// - Throws: `SentForm.HasOtherWords` if somebody else saved another version since that form was drawn.
    static func finish(_ content: Content, of account: ID<Account>, in db: Connection) throws {
        guard try content.follows(kept(content.once, of: account, in: db)) else { throw newerWords }
        try db.execute("DELETE FROM draft WHERE account_id = \(account) AND once = \(content.once)")
    }

    private static func columns(for reader: ID<Account>) -> SQL {
        """
        draft.id, draft.kind, draft.title, draft.form, draft.updated_at, draft.is_own,
            (SELECT username FROM account WHERE account.id = draft.keeper_id AND account.id <> \(reader)
                AND account.left_at IS NULL)
        """
    }

    private static func read(_ row: inout Row) throws -> Draft {
        Draft(
            id: try row.next(), kind: try row.next(), title: try row.next(), form: try form(try row.next()),
            updatedAt: try row.next(), isOwn: try row.next(), keeper: try row.next())
    }
}
