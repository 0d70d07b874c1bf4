import Database

extension Provider.Kind: SQLValue {}

extension Provider: RowDecodable {
    static let columns: Columns =
        [
            "provider.id", "provider.account_id", "account.username", "provider.first_name", "provider.last_name",
            "provider.organization", "provider.designation",
        ] + Address.columns(of: "provider") + [
            "provider.phone", "provider.email", "provider.website", "provider.scope", "provider.mission",
            "provider.kind", "provider.asks", "provider.plan", Portrait.ofProvider,
        ] + Verified.columns

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), account: try row.next(), username: try row.next(), firstName: try row.next(),
            lastName: try row.next(), organization: try row.next(), designation: try row.next(),
            address: try row.next(), phone: try row.next(), email: try row.next(), website: try row.next(),
            scope: try row.next(), mission: try row.next(), kind: try row.next(), asks: try row.next(),
            plan: try row.next(), portrait: try row.next(), verified: try row.next())
    }

    static func find(of account: ID<Account>, in db: Connection) throws -> Provider? {
        try db.first(
            """
            SELECT \(columns) FROM provider JOIN account ON account.id = provider.account_id
            WHERE provider.account_id = \(account)
            """)
    }

    static func find(_ id: ID<Provider>, in db: Connection) throws -> Provider? {
        try db.first(
            """
            SELECT \(columns) FROM provider JOIN account ON account.id = provider.account_id
            WHERE provider.id = \(id)
            """)
    }

    static func find(username: String, in db: Connection) throws -> Provider? {
        try db.first(
            """
            SELECT \(columns) FROM account JOIN provider ON provider.account_id = account.id
            WHERE account.username = \(username) AND account.suspended_at IS NULL
            """)
    }

    /// Providers whose name begins so, by name, after the last one of the page before.
    static func search(_ text: String, after last: ID<Provider>?, in db: Connection) throws -> Page<Provider> {
        let key = folded(text)
        let name: String? = try last.flatMap { try db.value("SELECT name_key FROM provider WHERE id = \($0)") }
        let next: SQL = last.map { " AND (provider.name_key, provider.id) > (\(name ?? ""), \($0))" } ?? ""
        return try Page(of: Account.pageSize) { limit in
            try db.all(
                """
                SELECT \(columns) FROM provider JOIN account ON account.id = provider.account_id
                WHERE provider.name_key >= \(key) AND provider.name_key < \(key + "\u{10FFFF}")\(next)
                ORDER BY provider.name_key, provider.id LIMIT \(limit)
                """)
        }
    }

    /// The providers after `after`, in the order they came.
    static func all(after: ID<Provider>?, in db: Connection) throws -> Page<Provider> {
        try Page(of: Event.pageSize) { limit in
            try db.all(
                """
                SELECT \(columns) FROM provider JOIN account ON account.id = provider.account_id
                WHERE provider.id > \(after?.rawValue ?? 0) AND account.suspended_at IS NULL
                ORDER BY provider.id LIMIT \(limit)
                """)
        }
    }

    /// Makes or changes the provider of an account.
    static func save(_ form: ProviderForm, of account: ID<Account>, at now: Instant, in db: Connection) throws {
        let address = Address(
            street: form.street, city: form.city, state: form.state, zip: form.zip, country: form.country)
        let stored: Assignments =
            address.stored + [
                "first_name": form.firstName, "last_name": form.lastName, "organization": form.organization,
                "name_key": folded(form.organization), "designation": form.designation, "phone": form.phone,
                "email": form.email, "website": form.website, "scope": form.scope, "mission": form.mission,
                "kind": form.kind, "asks": form.asks, "updated_at": now,
            ]
        try Verified.endIfRenamed(account, to: form, at: now, in: db)
        try db.execute(
            """
            INSERT INTO provider \(values: stored + ["account_id": account, "created_at": now])
            ON CONFLICT (account_id) DO UPDATE SET \(set: stored)
            """)
        try Account.indexNames(of: account, in: db)
        try Decision.wasChanged(.person(account), at: now, in: db)
    }
}
