import Database

extension Act.Theme: SQLValue {}
extension Act.Difficulty: SQLValue {}

extension Act {
    private static let ownColumns: Columns = [
        "own_act.id", "own_act.name", "own_act.description", "own_act.theme", "own_act.difficulty",
    ]

    private static func readOwn(_ row: inout Row) throws -> Act {
        let number: Int64 = try row.next()
        return Act(
            own: number, name: try row.next(), description: try row.next(), theme: try row.next(),
            difficulty: try row.next())
    }

    /// An act of the catalog, or one of the reader's own: nobody else's.
    static func find(_ id: ID<Act>, for reader: ID<Account>?, in db: Connection) throws -> Act? {
        // What a neighbor needed is nothing to be done from the catalog.
        guard id != need.id else { return nil }
        if let act = listed(id) { return act }
        guard let reader, id.rawValue > firstOwn else { return nil }
        return try db.first(
            "SELECT \(ownColumns) FROM own_act WHERE id = \(id.rawValue - firstOwn) AND account_id = \(reader)", readOwn
        )
    }

    /// The acts that somebody wrote themselves, in the order they were written.
    static func own(of account: ID<Account>, in db: Connection) throws -> [Act] {
        try db.all(
            "SELECT \(ownColumns) FROM own_act WHERE account_id = \(account) ORDER BY id LIMIT \(most)", readOwn)
    }

    /// Those that somebody chose, by number.
    static func chosen(by account: ID<Account>, in db: Connection) throws -> [ID<Act>] {
        try db.all("SELECT act FROM my_act WHERE account_id = \(account) ORDER BY act LIMIT \(most)") { try $0.next() }
    }

    /// Writes an act of one's own, once however often its form is sent, and puts it on one's list.
    ///
    /// - Throws: `TooMany`.
    static func write(
        _ form: ActForm, by account: ID<Account>, once: String, at now: Instant, in db: Connection
    ) throws -> ID<Act> {
        if let written: Int64 = try db.value(
            "SELECT id FROM own_act WHERE account_id = \(account) AND once = \(once)")
        {
            return ID(firstOwn + written)
        }
        let count: Int = try db.value("SELECT count(*) FROM own_act WHERE account_id = \(account)") ?? 0
        guard count < most else { throw TooMany() }
        let number = try db.insert(
            """
            INSERT INTO own_act (account_id, name, description, theme, difficulty, once, created_at)
            VALUES (\(account), \(form.name), \(form.description ?? ""), \(form.theme), \(form.difficulty), \(once),
                \(now))
            """)
        let id = ID<Act>(firstOwn + number)
        try choose(id, by: account, at: now, in: db)
        return id
    }

    /// Puts an act on somebody's list; the same twice is once.
    ///
    /// - Throws: `TooMany`.
    static func choose(_ id: ID<Act>, by account: ID<Account>, at now: Instant, in db: Connection) throws {
        let count: Int =
            try db.value("SELECT count(*) FROM my_act WHERE account_id = \(account) AND act <> \(id)") ?? 0
        guard count < most else { throw TooMany() }
        try db.execute(
            """
            INSERT INTO my_act (account_id, act, at) VALUES (\(account), \(id), \(now))
            ON CONFLICT (account_id, act) DO NOTHING
            """)
    }

    /// Takes an act off somebody's list. What was done stays done.
    static func drop(_ id: ID<Act>, by account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM my_act WHERE account_id = \(account) AND act = \(id)")
    }

    /// There are as many as there may be.
    struct TooMany: Error {}
}
