import Database

extension Person {
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
        exhibit.isHidden = isHidden
        exhibit.pictures = try picture.flatMap { try Picture.find($0, of: id, in: db) }.map { [$0] } ?? []
        return exhibit
    }
}
