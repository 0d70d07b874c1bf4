import Database

extension Author: RowDecodable {
    /// `account` must be joined, and `person` if there is one.
    static let columns: Columns = [
        "account.id", "account.username",
        "CASE WHEN account.left_at IS NULL THEN \(Person.shownName) END",
        "coalesce(person.is_open, FALSE)", Portrait.shownOfPerson,
    ]

    init(row: inout Row) throws {
        self.init(
            account: try row.next(), username: try row.next(), chosenName: try row.next(), hasOpenPage: try row.next(),
            portrait: try row.next())
    }

    static func find(_ account: ID<Account>, in db: Connection) throws -> Author? {
        try db.first(
            """
            SELECT \(columns) FROM account LEFT JOIN person ON person.account_id = account.id
            WHERE account.id = \(account)
            """)
    }
}
