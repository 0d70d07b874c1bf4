import Database

extension Person: Reportable {
    static var kind: Subject.Kind { .person }
    static var rows: (table: SQL, number: SQL) { ("person", "account_id") }
    static func logName(_ exhibit: Exhibit) -> String { exhibit.author.username }

    static func isShown(_ id: ID<Account>, _ exhibit: Exhibit, to reader: Visitor?, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM account LEFT JOIN person ON person.account_id = account.id
            WHERE account.id = \(id) AND account.suspended_at IS NULL
                AND NOT \(Block.hides("account.id", from: reader?.account))
                AND (person.hidden_at IS NULL OR account.id = \(reader?.account))
                AND (\(reader != nil) OR coalesce(person.is_open, FALSE)
                    OR EXISTS (SELECT 1 FROM provider WHERE provider.account_id = account.id))
            """)
    }

    /// A visitor without an account sees a provider as on the provider's page.
    static func text(_ id: ID<Account>, _ exhibit: Exhibit, for reader: Visitor?, in db: Connection) throws -> String {
        guard reader == nil, let provider = try Provider.find(of: id, in: db) else { return exhibit.text }
        return Exhibit.joined(
            [provider.organization, provider.mission ?? "", provider.scope ?? "", provider.asks ?? ""])
    }

    /// What staff see of it; nil if it is gone.
    static func exhibit(_ id: ID<Account>, in db: Connection) throws -> Exhibit? {
        let found: ([String], Bool, ID<Picture>?)? = try db.first(
            """
            SELECT account.username, coalesce(person.name, ''), coalesce(person.town, ''),
                coalesce(person.about, ''), coalesce(provider.organization, ''), coalesce(provider.scope, ''),
                coalesce(provider.mission, ''), coalesce(provider.asks, ''),
                coalesce(provider.first_name || ' ' || provider.last_name, ''),
                coalesce(provider.designation, ''), coalesce(provider.website, ''),
                person.hidden_at IS NOT NULL, CASE WHEN person.shows_picture THEN person.picture_id END
            FROM account LEFT JOIN person ON person.account_id = account.id
            LEFT JOIN provider ON provider.account_id = account.id
            WHERE account.id = \(id) AND account.left_at IS NULL
            """
        ) { row in (try (0..<11).map { _ in try row.next() as String }, try row.next(), try row.next()) }
        guard let (texts, isHidden, picture) = found, let author = try Author.find(id, in: db) else { return nil }
        let isMember = texts[4].isEmpty
        var exhibit = Exhibit(
            subject: .person(id), author: author, text: Exhibit.joined(Array(texts.dropFirst())),
            link: isMember ? .person(texts[0]) : .provider(texts[0]))
        exhibit.editPage = .profile
        exhibit.isHidden = isHidden
        exhibit.pictures = try picture.flatMap { try Picture.find($0, of: id, in: db) }.map { [$0] } ?? []
        return exhibit
    }
}
