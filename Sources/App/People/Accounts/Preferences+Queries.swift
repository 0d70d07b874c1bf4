import Database

extension Preferences.Look: SQLValue {}
extension Preferences.TextSize: SQLValue {}
extension Distance.Unit: SQLValue {}

extension Preferences: RowDecodable {
    static let columns: Columns = [
        "account.look", "account.text_size", "account.unit", "account.distance", "account.language",
        "account.zone",
    ]

    init(row: inout Row) throws {
        self.init(
            look: try row.next(), textSize: try row.next(), unit: try row.next(), distance: try row.next(),
            language: try row.next(), zone: (try row.next() as String?).flatMap { Zone(identifier: $0) })
    }

    static func find(of account: ID<Account>, in db: Connection) throws -> Preferences {
        guard let found: Preferences = try db.first("SELECT \(columns) FROM account WHERE id = \(account)") else {
            throw Refusal.notFound
        }
        return found
    }

    /// An account's language; nil if it has no preference.
    static func language(of account: ID<Account>, in db: Connection) throws -> String? {
        try db.value("SELECT language FROM account WHERE id = \(account)")
    }

    static func set(language: String, of account: ID<Account>, in tx: Transaction) throws {
        try tx.execute("UPDATE account SET language = \(language), updated_at = \(tx.now) WHERE id = \(account)")
    }

    func save(of account: ID<Account>, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE account SET look = \(look), text_size = \(textSize), unit = \(unit), distance = \(distance),
                language = \(language), zone = \(zone?.identifier), updated_at = \(tx.now)
            WHERE id = \(account)
            """)
    }
}
