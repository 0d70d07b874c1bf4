import Database

extension Provider {
    private static let columns: SQL = """
        provider.id, provider.account_id, account.username, provider.first_name, provider.last_name,
        provider.organization, provider.designation, provider.street, provider.city, provider.state, provider.zip,
        provider.country, provider.phone, provider.email, provider.website, provider.scope, provider.plan,
        \(Portrait.ofProvider)
        """

    static func find(of account: ID<Account>, in db: Connection) throws -> Provider? {
        try db.first(
            """
            SELECT \(columns) FROM provider JOIN account ON account.id = provider.account_id
            WHERE provider.account_id = \(account)
            """, read)
    }

    static func find(username: String, in db: Connection) throws -> Provider? {
        try db.first(
            """
            SELECT \(columns) FROM account JOIN provider ON provider.account_id = account.id
            WHERE account.username = \(username) AND account.suspended_at IS NULL
            """, read)
    }

    /// Providers whose name begins so, by name, after the last one of the page before; one more than a page.
    static func search(_ text: String, after last: ID<Provider>?, in db: Connection) throws -> [Provider] {
        let key = folded(text)
        let name: String? = try last.flatMap { try db.value("SELECT name_key FROM provider WHERE id = \($0)") }
        let next: SQL = last.map { " AND (provider.name_key, provider.id) > (\(name ?? ""), \($0))" } ?? ""
        return try db.all(
            """
            SELECT \(columns) FROM provider JOIN account ON account.id = provider.account_id
            WHERE provider.name_key >= \(key) AND provider.name_key < \(key + "\u{10FFFF}")\(next)
            ORDER BY provider.name_key, provider.id LIMIT \(Account.pageSize + 1)
            """, read)
    }

    /// The providers after `after`, in the order they came; one more than a page.
    static func all(after: ID<Provider>?, in db: Connection) throws -> [Provider] {
        try db.all(
            """
            SELECT \(columns) FROM provider JOIN account ON account.id = provider.account_id
            WHERE provider.id > \(after?.rawValue ?? 0) AND account.suspended_at IS NULL
            ORDER BY provider.id LIMIT \(Event.pageSize + 1)
            """, read)
    }

    /// Makes or changes the provider of an account.
    static func save(_ form: ProviderForm, of account: ID<Account>, at now: Instant, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO provider (account_id, first_name, last_name, organization, name_key, designation, street, city,
                state, zip, country, phone, email, website, scope, created_at, updated_at)
            VALUES (\(account), \(form.firstName), \(form.lastName), \(form.organization),
                \(folded(form.organization)), \(form.designation), \(form.street), \(form.city), \(form.state),
                \(form.zip), \(form.country), \(form.phone), \(form.email), \(form.website), \(form.scope), \(now),
                \(now))
            ON CONFLICT (account_id) DO UPDATE SET first_name = excluded.first_name, last_name = excluded.last_name,
                organization = excluded.organization, name_key = excluded.name_key, designation = excluded.designation,
                street = excluded.street, city = excluded.city, state = excluded.state, zip = excluded.zip,
                country = excluded.country, phone = excluded.phone, email = excluded.email, website = excluded.website,
                scope = excluded.scope, updated_at = excluded.updated_at
            """)
        try Account.indexNames(of: account, in: db)
    }

    private static func read(_ row: borrowing Row) throws -> Provider {
        Provider(
            id: try row[0], account: try row[1], username: try row[2], firstName: try row[3], lastName: try row[4],
            organization: try row[5], designation: try row[6],
            address: Address(
                street: try row[7], city: try row[8], state: try row[9], zip: try row[10], country: try row[11]),
            phone: try row[12], email: try row[13], website: try row[14], scope: try row[15],
            plan: try row[16], portrait: try Portrait(row, at: 17))
    }
}
