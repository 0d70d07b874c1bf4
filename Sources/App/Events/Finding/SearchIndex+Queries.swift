import Database

/// The full-text indexes: an entry with the search terms of each event, opportunity and need.
///
/// Each column is a text of `SearchWords`; tags are separated by commas, so that one can be replaced. An entry is
/// identified by its `rowid`: in SQLite every row's number, in PostgreSQL a column.
enum SearchIndex {
    /// A condition: an entry of a table has these words.
    static func has(_ words: SearchWords.Query, in table: SQL) -> SQL {
        .dialect(
            sqlite: "\(table) MATCH \(words.fts5)",
            postgreSQL: "\(table).words @@ CAST(\(words.tsquery) AS tsquery)")
    }

    /// A condition for a need of this kind, which is also part of the entry: a rare kind is found quickly even with
    /// common words.
    static func hasNeed(_ words: SearchWords.Query, of kind: (some RawRepresentable<String>)?) -> SQL {
        let kind = kind?.rawValue
        let fts5 = "{title description city} : (\(words.fts5))" + (kind.map { " AND kind : \"\($0)\"" } ?? "")
        let tsquery = words.tsquery + (kind.map { " & ':\($0)'" } ?? "")
        return .dialect(
            sqlite: "need_search MATCH \(fts5)", postgreSQL: "need_search.words @@ CAST(\(tsquery) AS tsquery)")
    }

    /// Adds an event's entry, with a key in order of time.
    static func insert(_ event: Event, at key: Int64, in db: Connection) throws {
        try insert(
            key, title: both(event.title, event.other?.title),
            description: both(event.description, event.other?.description), provider: event.host.name,
            city: event.address.city, tags: event.tags, in: db)
    }

    /// A text in both of its languages.
    private static func both(_ text: String, _ other: String?) -> String {
        [text, other ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func insert(
        _ key: Int64, title: String, description: String, provider: String, city: String, tags: [String],
        in db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO event_search (rowid, title, description, provider, city, tags)
            VALUES (\(key), \(name(title)), \(SearchWords.index(description)), \(name(provider)), \(name(city)),
                \(list(tags)))
            """)
    }

    /// Adds an opportunity's entry.
    static func insert(
        _ id: ID<Opportunity>, title: String, description: String, organization: String, city: String, tags: [String],
        in db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO opportunity_search (rowid, title, description, organization, city, tags)
            VALUES (\(id), \(name(title)), \(SearchWords.index(description)), \(name(organization)), \(name(city)),
                \(list(tags)))
            """)
    }

    static func insert(
        _ id: ID<Need>, kind: String, title: String, description: String, city: String, in db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO need_search (rowid, title, description, city, kind)
            VALUES (\(id), \(name(title)), \(SearchWords.index(description)), \(name(city)), \(kind))
            """)
    }

    private static func name(_ text: String) -> String { SearchWords.index(text, isName: true) }

    private static func list(_ tags: [String]) -> String { tags.map(name).joined(separator: ",") }

    /// Replaces a tag with another; an entry that has both keeps the new one.
    static func replace(
        _ old: String, with new: String, ofEvents events: SQL, ofOpportunities asked: SQL, in db: Connection
    ) throws {
        let (from, to) = (",\(name(old)),", ",\(name(new)),")
        let tags: SQL = """
            tags = trim(replace(',' || tags || ',', \(from),
                CASE WHEN \(position: "\(to)", in: "',' || tags || ','") > 0 THEN ',' ELSE \(to) END), ',')
            """
        try db.execute(
            """
            UPDATE event_search SET \(tags)
            WHERE rowid IN (SELECT search_key FROM event WHERE id IN \(events) AND search_key IS NOT NULL)
            """)
        try db.execute("UPDATE opportunity_search SET \(tags) WHERE rowid IN \(asked)")
        try forgetLater(in: db)
    }

    /// Updates an organization's name in the entries of its events and opportunities.
    static func rename(_ host: ID<Account>, in db: Connection) throws {
        let name = name(try db.value("SELECT organization FROM provider WHERE account_id = \(host)") ?? "")
        try db.execute(
            """
            UPDATE event_search SET provider = \(name)
            WHERE rowid IN (SELECT search_key FROM event WHERE account_id = \(host))
            """)
        try db.execute(
            """
            UPDATE opportunity_search SET organization = \(name)
            WHERE rowid IN (SELECT id FROM opportunity WHERE account_id = \(host))
            """)
        try forgetLater(in: db)
    }

    // MARK: Erasing

    /// Records that a text was removed from a full-text index.
    static func forgetLater(in db: Connection) throws { try Note.set("search_remains", "1", in: db) }

    /// Removes the words of deleted texts from the full-text indexes: FTS5 keeps them until it merges its segments,
    /// which happens automatically only for some (there is no `secure-delete` before SQLite 3.42). In PostgreSQL they
    /// disappear with the next VACUUM, like all rows.
    ///
    /// - Returns: Whether there were any.
    static func forget(in db: Connection) throws -> Bool {
        guard try Note.isSet("search_remains", in: db) else { return false }
        for table: SQL in ["event_search", "opportunity_search", "need_search"] {
            try db.execute(
                .dialect(sqlite: "INSERT INTO \(table) (\(table)) VALUES ('optimize')", postgreSQL: "SELECT 1"))
        }
        try Note.clear("search_remains", in: db)
        return true
    }

    // MARK: Updating

    /// How many entries are updated at a time.
    private static let portion = 100

    /// Updates the search keys of towns, organizations and people, if the edition has changed.
    static func renewKeys(in db: Connection) throws {
        guard try Note.value("search_edition", in: db) != SearchWords.edition else { return }
        try db.inPortions { last, limit in
            try db.all("SELECT id, city, city_key FROM event WHERE id > \(last) ORDER BY id LIMIT \(limit)") { row in
                let id: Int64 = try row.next()
                return (id, (id: id, city: try row.next() as String, key: try row.next() as String))
            }
        } each: { event in
            guard Folding.townKey(event.city) != event.key else { return }
            try db.execute("UPDATE event SET city_key = \(Folding.townKey(event.city)) WHERE id = \(event.id)")
        }
        try db.inPortions { last, limit in
            try db.all("SELECT id, organization FROM provider WHERE id > \(last) ORDER BY id LIMIT \(limit)") { row in
                let id: Int64 = try row.next()
                return (id, (id: ID<Provider>(id), name: try row.next() as String))
            }
        } each: { provider in
            try Provider.index(provider.id, provider.name, in: db)
        }
        try db.inPortions { last, limit in
            try db.all("SELECT id, account_id, name FROM person WHERE id > \(last) ORDER BY id LIMIT \(limit)") { row in
                (try row.next(), (account: try row.next() as ID<Account>, name: try row.next() as String))
            }
        } each: { person in
            try Person.index(person.account, person.name, in: db)
        }
        let isFilled = try (["event", "opportunity", "need"] as [SQL]).contains {
            try db.exists("SELECT 1 FROM \($0) LIMIT 1")
        }
        if isFilled { try Note.set("search_lines", "event", in: db) }
        try Note.set("search_edition", SearchWords.edition, in: db)
    }

    /// Updates the next entries, those of the latest events first.
    ///
    /// - Returns: The number; nil when all are done.
    static func renewLines(in db: Connection) throws -> Int? {
        guard let note = try Note.value("search_lines", in: db) else { return nil }
        let parts = note.split(separator: " ")
        let last = parts.count > 1 ? Int64(parts[1]) ?? .max : .max
        let (count, end): (Int, Int64?) =
            switch parts.first {
            case "event": try renewEvents(below: last, in: db)
            case "opportunity": try renewOpportunities(below: last, in: db)
            default: try renewNeeds(below: last, in: db)
            }
        switch (end, parts.first) {
        case (let end?, let kind?): try Note.set("search_lines", "\(kind) \(end)", in: db)
        case (nil, "event"): try Note.set("search_lines", "opportunity", in: db)
        case (nil, "opportunity"): try Note.set("search_lines", "need", in: db)
        default: try Note.clear("search_lines", in: db)
        }
        return count
    }

    private static func renewEvents(below last: Int64, in db: Connection) throws -> (Int, Int64?) {
        let lines: [(key: Int64, title: String, text: String, provider: String, city: String, tags: String)] =
            try db.all(
                """
                SELECT event.search_key, event.title, event.other_title, event.description, event.other_description,
                    coalesce(provider.organization, ''), event.city, event.tags
                FROM event LEFT JOIN provider ON provider.account_id = event.account_id
                WHERE event.search_key < \(last) ORDER BY event.search_key DESC LIMIT \(portion)
                """
            ) {
                (
                    try $0.next(), both(try $0.next(), try $0.next()), both(try $0.next(), try $0.next()),
                    try $0.next(), try $0.next(), try $0.next()
                )
            }
        for line in lines {
            try db.execute("DELETE FROM event_search WHERE rowid = \(line.key)")
            try insert(
                line.key, title: line.title, description: line.text, provider: line.provider, city: line.city,
                tags: line.tags.split(separator: ",").map(String.init), in: db)
        }
        return (lines.count, lines.last?.key)
    }

    private static func renewOpportunities(below last: Int64, in db: Connection) throws -> (Int, Int64?) {
        let lines: [(id: ID<Opportunity>, title: String, text: String, host: String, city: String, tags: String)] =
            try db.all(
                """
                SELECT opportunity.id, opportunity.title, opportunity.description, coalesce(provider.organization, ''),
                    opportunity.city, opportunity.tags
                FROM opportunity JOIN account ON account.id = opportunity.account_id AND account.left_at IS NULL
                LEFT JOIN provider ON provider.account_id = opportunity.account_id
                WHERE opportunity.id < \(last) ORDER BY opportunity.id DESC LIMIT \(portion)
                """
            ) {
                (
                    try $0.next(), try $0.next(), try $0.next(), try $0.next(), try $0.next(), try $0.next()
                )
            }
        for line in lines {
            try db.execute("DELETE FROM opportunity_search WHERE rowid = \(line.id)")
            try insert(
                line.id, title: line.title, description: line.text, organization: line.host, city: line.city,
                tags: line.tags.split(separator: ",").map(String.init), in: db)
        }
        return (lines.count, lines.last?.id.rawValue)
    }

    private static func renewNeeds(below last: Int64, in db: Connection) throws -> (Int, Int64?) {
        let lines: [(id: ID<Need>, kind: String, title: String, text: String, city: String)] = try db.all(
            """
            SELECT id, kind, title, description, city FROM need
            WHERE id < \(last) AND closed_at IS NULL ORDER BY id DESC LIMIT \(portion)
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        for line in lines {
            try db.execute("DELETE FROM need_search WHERE rowid = \(line.id)")
            try insert(line.id, kind: line.kind, title: line.title, description: line.text, city: line.city, in: db)
        }
        return (lines.count, lines.last?.id.rawValue)
    }
}
