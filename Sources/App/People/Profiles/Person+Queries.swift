import Database

extension Person: RowDecodable {
    /// What others call somebody: by the user name, where what they call themselves is hidden.
    static let shownName: SQL = """
        coalesce(CASE WHEN person.hidden_at IS NULL THEN person.name END, account.username)
        """

    static let columns: Columns = [
        "account.id", "account.username", "coalesce(person.name, account.username)", "coalesce(person.about, '')",
        "coalesce(person.town, '')", "coalesce(person.is_open, FALSE)", "coalesce(person.is_found, TRUE)",
        "person.hidden_at IS NOT NULL",
    ]

    init(row: inout Row) throws {
        self.init(
            account: try row.next(), username: try row.next(), name: try row.next(), about: try row.next(),
            town: try row.next(), isOpen: try row.next(), isFound: try row.next(), isHidden: try row.next())
    }

    /// Somebody who is here: nobody who left, or whose account is suspended, or whom the reader doesn't meet.
    static func find(_ username: String, for reader: ID<Account>?, in db: Connection) throws -> Person? {
        let found: Person? = try db.first(
            """
            SELECT \(columns) FROM account LEFT JOIN person ON person.account_id = account.id
            WHERE account.username = \(username) AND account.left_at IS NULL AND account.suspended_at IS NULL
                AND NOT \(Block.hides("account.id", from: reader))
            """)
        // What they say of themselves was hidden: they alone still see it.
        guard var person = found, person.isHidden, person.account != reader else { return found }
        (person.name, person.about, person.town) = (person.username, "", "")
        return person
    }

    static func save(_ form: PersonForm, of account: ID<Account>, at now: Instant, in db: Connection) throws {
        let stored: Assignments = [
            "name": form.name, "about": form.about ?? "", "town": form.town ?? "", "is_open": form.isOpen,
            "is_found": form.isFound, "updated_at": now,
        ]
        try db.execute(
            """
            INSERT INTO person \(values: stored + ["account_id": account])
            ON CONFLICT (account_id) DO UPDATE SET \(set: stored)
            """)
        try db.execute("DELETE FROM person_key WHERE account_id = \(account)")
        for key in PeopleSearch.keys(of: form.name) {
            try db.execute("INSERT INTO person_key (key, account_id) VALUES (\(key), \(account))")
        }
        try Decision.wasChanged(.person(account), at: now, in: db)
    }
}
