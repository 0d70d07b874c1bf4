import Database

extension Tag {
    /// Counts a use of the tag by an event.
    static func use(_ name: String, in db: Connection) throws {
        try db.execute(
            "INSERT INTO tag (name, uses) VALUES (\(name), 1) ON CONFLICT (name) DO UPDATE SET uses = tag.uses + 1")
    }

    /// Deletes unused tags, except those that staff hid or merged.
    ///
    /// - Returns: The number deleted.
    static func forgetUnused(in db: Connection) throws -> Int {
        let isUnused: SQL = """
            NOT tag.is_hidden AND tag.merged_into IS NULL
                AND NOT EXISTS (SELECT 1 FROM event_tag WHERE event_tag.tag = tag.name)
                AND NOT EXISTS (SELECT 1 FROM opportunity_tag WHERE opportunity_tag.tag = tag.name)
                AND NOT EXISTS (SELECT 1 FROM tag AS other WHERE other.merged_into = tag.name)
            """
        let names: [String] = try db.all(
            "SELECT name FROM tag WHERE name > '' AND \(isUnused) ORDER BY name LIMIT 500"
        ) { try $0.next() }
        for name in names { try db.execute("DELETE FROM tag WHERE name = \(name)") }
        return names.count
    }

    /// Only visible events: held, hidden and deleted ones suggest nothing.
    private static let isSuggested: SQL = """
        NOT tag.is_hidden AND tag.merged_into IS NULL AND (
            EXISTS (SELECT 1 FROM event_tag JOIN event ON event.id = event_tag.event_id
                WHERE event_tag.tag = tag.name AND NOT \(Event.isHidden))
            OR EXISTS (SELECT 1 FROM opportunity_tag WHERE opportunity_tag.tag = tag.name))
        """

    /// Tags with this beginning in alphabetical order; without a beginning, the most used ones.
    static func suggestions(for beginning: String, in db: Connection) throws -> [String] {
        guard !beginning.isEmpty else { return try mostUsed(24, in: db) }
        let found: [String] = try db.all(
            """
            SELECT name FROM tag
            WHERE name >= \(beginning) AND name < \(beginning + "\u{10FFFF}") AND \(isSuggested)
            ORDER BY name LIMIT \(mostSuggested)
            """
        ) { try $0.next() }
        guard found.count < mostSuggested else { return found }
        // Then tags with another spelling or with the text further inside, among the most used ones.
        let others = try mostUsed(200, in: db).filter { !found.contains($0) && SearchWords.holds($0, beginning) }
        return Array((found + others).prefix(mostSuggested))
    }

    private static func mostUsed(_ count: Int, in db: Connection) throws -> [String] {
        try db.all(
            "SELECT name FROM tag WHERE \(isSuggested) ORDER BY uses DESC, name DESC LIMIT \(count)"
        ) { try $0.next() }
    }

    /// The most suggestions.
    private static let mostSuggested = 10

    // MARK: Administration

    /// The tags with merged ones replaced, without duplicates.
    static func current(_ tags: [String], in db: Connection) throws -> [String] {
        guard !tags.isEmpty else { return [] }
        let moved: [(String, String)] = try db.all(
            """
            SELECT name, merged_into FROM tag WHERE name IN \(list: tags) AND merged_into IS NOT NULL
            LIMIT \(tags.count)
            """
        ) { (try $0.next(), try $0.next()) }
        guard !moved.isEmpty else { return tags }
        let names = Dictionary(moved) { first, _ in first }
        var seen: Set<String> = []
        return tags.map { names[$0] ?? $0 }.filter { seen.insert($0).inserted }
    }

    /// A page of tags for the desk, in alphabetical order.
    static func all(beginning text: String, after: Cursor<String>?, in db: Connection) throws -> Page<Line> {
        try Page(of: Account.pageSize, by: \.name) { limit in
            try db.all(
                """
                SELECT name, uses, is_hidden, merged_into FROM tag
                WHERE name >= \(text) AND name < \(text + "\u{10FFFF}") AND name > \(after?.keys ?? "")
                ORDER BY name LIMIT \(limit)
                """, Line.init)
        }
    }

    static func find(_ name: String, in db: Connection) throws -> Line? {
        try db.first("SELECT name, uses, is_hidden, merged_into FROM tag WHERE name = \(name)", Line.init)
    }

    static func hide(_ name: String, _ isHidden: Bool, in db: Connection) throws {
        try db.execute("UPDATE tag SET is_hidden = \(isHidden) WHERE name = \(name)")
    }

    /// Replaces a tag with another, in events and opportunities, in their search entries, and in members' rejected
    /// tags. The old tag remains as a reference to the new one.
    static func merge(_ old: String, into new: String, in db: Connection) throws {
        try db.execute("INSERT INTO tag (name, uses) VALUES (\(new), 0) ON CONFLICT (name) DO NOTHING")
        let (from, to) = (",\(old),", ",\(new),")
        let events: SQL = "(SELECT event_id FROM event_tag WHERE tag = \(old))"
        let asked: SQL = "(SELECT opportunity_id FROM opportunity_tag WHERE tag = \(old))"
        // An event with both keeps the new one.
        let list: SQL = """
            tags = trim(replace(',' || tags || ',', \(from),
                CASE WHEN \(position: "\(to)", in: "',' || tags || ','") > 0 THEN ',' ELSE \(to) END), ',')
            """
        try db.execute("UPDATE event SET \(list) WHERE id IN \(events)")
        try db.execute("UPDATE opportunity SET \(list) WHERE id IN \(asked)")
        try SearchIndex.replace(old, with: new, ofEvents: events, ofOpportunities: asked, in: db)
        let tagged: [(table: SQL, owner: SQL)] = [
            ("event_tag", "event_id"), ("opportunity_tag", "opportunity_id"), ("less", "account_id"),
        ]
        for (table, owner) in tagged {
            try db.execute(
                """
                UPDATE \(table) SET tag = \(new) WHERE tag = \(old) AND NOT EXISTS (
                    SELECT 1 FROM \(table) AS other WHERE other.\(owner) = \(table).\(owner) AND other.tag = \(new))
                """)
            try db.execute("DELETE FROM \(table) WHERE tag = \(old)")
        }
        try db.execute(
            """
            UPDATE tag SET uses = uses + coalesce((SELECT other.uses FROM tag AS other WHERE other.name = \(old)), 0),
                merged_into = NULL
            WHERE name = \(new)
            """)
        try db.execute("UPDATE tag SET merged_into = \(new) WHERE merged_into = \(old)")
        try db.execute("UPDATE tag SET merged_into = \(new), uses = 0 WHERE name = \(old)")
    }

    /// A line in the desk's list.
    struct Line: Sendable {
        let name: String
        let uses: Int
        let isHidden: Bool
        /// The tag that replaced it.
        let mergedInto: String?

        fileprivate init(row: inout Row) throws {
            (name, uses, isHidden) = (try row.next(), try row.next(), try row.next())
            mergedInto = try row.next()
        }
    }
}

// MARK: Actions by admins, which are logged with the previous state

extension Tag {
    /// Replaces a tag with `target`.
    ///
    /// - Throws: `Refusal.notFound` if it has been replaced already.
    static func merge(_ name: String, into target: String, by admin: ID<Account>, in tx: Transaction) throws {
        try Role.require(.admin, of: admin, in: tx)
        guard let row = try find(name, in: tx), row.mergedInto == nil else { throw Refusal.notFound }
        let isNew = try find(target, in: tx) == nil
        try merge(name, into: target, in: tx)
        try AuditEntry.record(isNew ? .renameTag : .mergeTag, "\(name) → \(target)", 0, reason: "", by: admin, in: tx)
    }

    /// Stops or resumes suggesting a tag.
    static func offer(_ name: String, _ isOffered: Bool, by admin: ID<Account>, in tx: Transaction) throws {
        try Role.require(.admin, of: admin, in: tx)
        guard let row = try find(name, in: tx) else { throw Refusal.notFound }
        guard row.isHidden == isOffered else { return }
        try hide(name, !isOffered, in: tx)
        try AuditEntry.record(isOffered ? .showTag : .hideTag, name, 0, reason: "", by: admin, in: tx)
    }
}
