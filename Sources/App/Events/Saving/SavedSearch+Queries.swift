import Database

extension SavedSearch: RowDecodable {
    static let columns: Columns = ["saved_search.id", "saved_search.query", "saved_search.at"]

    init(row: inout Row) throws {
        self.init(id: try row.next(), query: try row.next(), savedAt: try row.next())
    }
}

extension SavedSearch {
    /// A member's saved searches, in the order in which they were saved.
    static func all(of account: ID<Account>, in db: Connection) throws -> [SavedSearch] {
        try db.all(
            """
            SELECT \(columns) FROM saved_search WHERE saved_search.account_id = \(account)
            ORDER BY saved_search.id LIMIT \(most)
            """)
    }

    static func find(_ id: ID<SavedSearch>, of account: ID<Account>, in db: Connection) throws -> SavedSearch? {
        try db.first("SELECT \(columns) FROM saved_search WHERE id = \(id) AND account_id = \(account)")
    }

    static func isSaved(_ query: String, by account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM saved_search WHERE account_id = \(account) AND query = \(query)")
    }

    /// Saves a search; saving twice has no further effect.
    ///
    /// - Parameter letter: When the first letter is due, if it is the first search.
    /// - Returns: Whether it is saved now; false if the limit is reached.
    static func save(_ query: String, by account: ID<Account>, letter: Instant, in tx: Transaction) throws -> Bool {
        if try isSaved(query, by: account, in: tx) { return true }
        let count: Int = try tx.value("SELECT count(*) FROM saved_search WHERE account_id = \(account)") ?? 0
        guard count < most else { return false }
        try tx.execute("INSERT INTO saved_search (account_id, query, at) VALUES (\(account), \(query), \(tx.now))")
        try tx.execute(
            """
            INSERT INTO search_letter (account_id, since, due_at) VALUES (\(account), \(tx.now), \(letter))
            ON CONFLICT (account_id) DO NOTHING
            """)
        return true
    }

    /// Removes one's own search; after the last one no letter is due.
    static func remove(_ id: ID<SavedSearch>, of account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM saved_search WHERE id = \(id) AND account_id = \(account)")
        try db.execute(
            """
            DELETE FROM search_letter WHERE account_id = \(account)
                AND NOT EXISTS (SELECT 1 FROM saved_search WHERE saved_search.account_id = \(account))
            """)
    }
}

extension SavedSearch.Offer {
    /// The search that a list or map offers a member to save; nil if there is none.
    init?(_ filter: EventFilter, to visitor: Visitor?, on today: Day, in db: Connection) throws {
        guard let visitor, filter.canBeSaved(on: today), let query = SavedSearch.query(of: filter) else { return nil }
        self.init(query: query, isSaved: try SavedSearch.isSaved(query, by: visitor.account, in: db))
    }
}

extension SavedSearchList {
    /// - Parameters:
    ///   - arrives: Whether mail to the reader is expected to arrive.
    ///   - today: The current day in the town.
    init(of member: Visitor, arrives: Bool, in country: String, on today: Day, db: Connection) throws {
        let lines = try SavedSearch.all(of: member.account, in: db).map { search in
            let filter = try search.filter(in: country, member.preferences, on: today).located(in: db)
            return Line(search: search, filter: filter, isOver: filter.isOver(on: today))
        }
        self.init(
            lines: lines, hasLetter: try SearchLetter.isWanted(by: member.account, in: db), arrives: arrives)
    }
}
