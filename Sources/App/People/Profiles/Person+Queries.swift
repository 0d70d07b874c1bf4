import Database

extension Person: RowDecodable {
    /// A member's name for others: the user name if the display name is hidden.
    static let shownName: SQL = """
        coalesce(CASE WHEN person.hidden_at IS NULL THEN person.name END, account.username)
        """

    static let columns: Columns = [
        "account.id", "account.username", "coalesce(person.name, account.username)", "coalesce(person.about, '')",
        "coalesce(person.town, '')", "coalesce(person.is_open, FALSE)", "coalesce(person.is_found, TRUE)",
        "person.hidden_at IS NOT NULL", "coalesce(person.shows, 0)", Portrait.ofPerson,
        "coalesce(person.shows_picture, FALSE)",
    ]

    init(row: inout Row) throws {
        self.init(
            account: try row.next(), username: try row.next(), name: try row.next(), about: try row.next(),
            town: try row.next(), isOpen: try row.next(), isFound: try row.next(), isHidden: try row.next(),
            shows: KindnessPart.of(bits: try row.next()), portrait: try row.next(), showsPicture: try row.next())
    }

    /// A member's page; nil if they left, are suspended, or don't meet the reader.
    static func find(_ username: String, for reader: ID<Account>?, in db: Connection) throws -> Person? {
        let found: Person? = try db.first(
            """
            SELECT \(columns) FROM account LEFT JOIN person ON person.account_id = account.id
            WHERE account.username = \(username) AND account.left_at IS NULL AND account.suspended_at IS NULL
                AND account.waits_since IS NULL
                AND NOT \(Block.hides("account.id", from: reader))
            """)
        return found?.shown(to: reader)
    }

    /// Whether staff hid an account's page, as a member or as a provider.
    static func isHidden(_ account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM person WHERE account_id = \(account) AND hidden_at IS NOT NULL")
    }

    /// Hides an account's page, or shows it again.
    static func hide(_ account: ID<Account>, at instant: Instant?, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO person (account_id, name, about, town, is_open, updated_at, hidden_at)
            SELECT id, username, '', '', FALSE, updated_at, \(instant) FROM account WHERE id = \(account)
            ON CONFLICT (account_id) DO UPDATE SET hidden_at = excluded.hidden_at
            """)
    }

    /// Writes the search keys of a name.
    static func index(_ account: ID<Account>, _ name: String, in db: Connection) throws {
        try db.execute("DELETE FROM person_key WHERE account_id = \(account)")
        for key in SearchWords.keys(of: name) {
            try db.execute("INSERT INTO person_key (key, account_id) VALUES (\(key), \(account))")
        }
    }

    /// Sets or removes a member's picture, and whether others see it.
    static func setPicture(_ picture: Picture?, isShown: Bool, of account: ID<Account>, in tx: Transaction) throws {
        let before: (hash: String?, isShown: Bool)? = try tx.first(
            """
            SELECT picture.hash, person.shows_picture FROM person LEFT JOIN picture ON picture.id = person.picture_id
            WHERE person.account_id = \(account)
            """
        ) { (try $0.next(), try $0.next()) }
        guard before?.hash != picture?.hash || (before?.isShown ?? false) != isShown else { return }
        try tx.execute(
            """
            INSERT INTO person (account_id, name, about, town, is_open, updated_at, picture_id, shows_picture)
            SELECT id, username, '', '', FALSE, \(tx.now), \(picture?.id), \(isShown) FROM account WHERE id = \(account)
            ON CONFLICT (account_id) DO UPDATE SET
                picture_id = excluded.picture_id, shows_picture = excluded.shows_picture
            """)
        try Decision.wasChanged(Person.self, account, in: tx)
    }

    /// Sets whether others see a member's picture.
    static func showPicture(_ isShown: Bool, of account: ID<Account>, in tx: Transaction) throws {
        let count = try tx.execute(
            """
            UPDATE person SET shows_picture = \(isShown)
            WHERE account_id = \(account) AND shows_picture <> \(isShown)
            """)
        guard count == 1 else { return }
        try Decision.wasChanged(Person.self, account, in: tx)
    }

    static func save(_ form: PersonForm, of account: ID<Account>, in tx: Transaction) throws {
        let stored: Assignments = [
            "name": form.name, "about": form.about ?? "", "town": form.town ?? "", "is_open": form.isOpen,
            "is_found": form.isFound, "shows": form.shows.bits, "updated_at": tx.now,
        ]
        try tx.execute(
            """
            INSERT INTO person \(values: stored + ["account_id": account])
            ON CONFLICT (account_id) DO UPDATE SET \(set: stored)
            """)
        try index(account, form.name, in: tx)
        try Decision.wasChanged(Person.self, account, in: tx)
    }
}
