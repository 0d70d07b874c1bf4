import Database

extension Draft {
    /// Keeps the form; the same form again takes the place of what was kept before.
    ///
    /// - Throws: `TooMany` when the provider has as many as one may keep.
    static func keep(
        _ content: Content, of provider: ID<Provider>, at now: Instant, in db: Connection
    ) throws {
        let count: Int = try db.value("SELECT count(*) FROM draft WHERE provider_id = \(provider)") ?? 0
        guard try count < limit || isKept(content.once, of: provider, in: db) else { throw TooMany() }
        try db.execute(
            """
            INSERT INTO draft (provider_id, title, form, picture_id, once, updated_at)
            VALUES (\(provider), \(content.title), \(content.form), \(content.picture), \(content.once), \(now))
            ON CONFLICT (provider_id, once) DO UPDATE SET title = excluded.title, form = excluded.form,
                picture_id = excluded.picture_id, updated_at = excluded.updated_at
            """)
    }

    struct TooMany: Error {}

    /// Whether this form is kept, with whatever content.
    static func isKept(_ once: String, of provider: ID<Provider>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM draft WHERE provider_id = \(provider) AND once = \(once)")
    }

    static func find(_ id: ID<Draft>, of provider: ID<Provider>, in db: Connection) throws -> Draft? {
        try db.first(
            """
            SELECT id, title, form, updated_at FROM draft WHERE id = \(id) AND provider_id = \(provider)
            """, read)
    }

    /// A provider's drafts, the last one kept first.
    static func all(of provider: ID<Provider>, in db: Connection) throws -> [Draft] {
        try db.all(
            """
            SELECT id, title, form, updated_at FROM draft WHERE provider_id = \(provider)
            ORDER BY updated_at DESC, id DESC LIMIT \(limit)
            """, read)
    }

    /// Throws the draft away; one that is gone already stays so.
    static func delete(_ id: ID<Draft>, of provider: ID<Provider>, in db: Connection) throws {
        try db.execute("DELETE FROM draft WHERE id = \(id) AND provider_id = \(provider)")
    }

    /// Ends the draft whose form was published.
    static func finish(_ once: String, of provider: ID<Provider>, in db: Connection) throws {
        try db.execute("DELETE FROM draft WHERE provider_id = \(provider) AND once = \(once)")
    }

    private static func read(_ row: inout Row) throws -> Draft {
        Draft(id: try row.next(), title: try row.next(), form: try form(try row.next()), updatedAt: try row.next())
    }
}
