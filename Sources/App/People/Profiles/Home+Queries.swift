import Database

extension Gazetteer {
    /// A visitor's home, if known: from their family, the town on their page, or their pets.
    static func home(of visitor: Visitor, country: String, in db: Connection) throws -> Home? {
        if let family = visitor.family {
            return try home(city: family.city, zip: family.zip, country: family.country, in: db)
        }
        let town: String? = try db.value(
            "SELECT town FROM person WHERE account_id = \(visitor.account) AND town <> ''")
        if let town, let match = try answer(town, country: country, in: db).match {
            return Home(typed: match.label, match: match)
        }
        let area: (city: String, zip: String, country: String)? = try db.first(
            "SELECT city, zip, country FROM owner WHERE account_id = \(visitor.account)"
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        return try area.map { try home(city: $0.city, zip: $0.zip, country: $0.country, in: db) }
    }
}
