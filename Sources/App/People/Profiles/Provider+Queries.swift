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

    /// Providers whose name contains, for each word, a word that begins with it or a long word that ends with it; all
    /// if there are no words. Sorted by name.
    ///
    /// - Parameter isOpen: Whether to find only public ones.
    static func search(
        _ text: String, after: Position? = nil, isOpen: Bool = false, atMost size: Int = Account.pageSize,
        in db: Connection
    ) throws -> Page<Provider> {
        try Page(of: size, by: \.key, \.provider.id) { limit in
            try found(by: SearchWords.ofName(text), after: after, isOpen: isOpen, atMost: limit, in: db)
        }.changed { $0.map(\.provider) }
    }

    private static func found(
        by words: [String], after: Position?, isOpen: Bool, atMost limit: Int, in db: Connection
    ) throws -> [(key: String, provider: Provider)] {
        let (key, id) = after?.keys ?? ("", ID(0))
        let open: SQL =
            isOpen
            ? """
             AND account.suspended_at IS NULL AND account.waits_since IS NULL AND NOT EXISTS (
                SELECT 1 FROM person WHERE person.account_id = account.id AND person.hidden_at IS NOT NULL)
            """ : ""
        guard let first = words.first else {
            return try db.all(
                """
                SELECT provider.name_key, \(columns) FROM provider
                JOIN account ON account.id = provider.account_id
                WHERE (provider.name_key, provider.id) > (\(key), \(id))\(open)
                ORDER BY provider.name_key, provider.id LIMIT \(limit)
                """, read)
        }
        let others: [SQL] = words.dropFirst().map {
            """
             AND EXISTS (SELECT 1 FROM provider_key AS part WHERE part.provider_id = provider_key.provider_id
                AND part.key >= \($0) AND part.key < \($0 + "\u{10FFFF}"))
            """
        }
        return try db.all(
            """
            SELECT provider_key.key, \(columns) FROM provider_key
            JOIN provider ON provider.id = provider_key.provider_id
            JOIN account ON account.id = provider.account_id
            WHERE provider_key.key >= \(first) AND provider_key.key < \(first + "\u{10FFFF}")
                AND (provider_key.key, provider_key.provider_id) > (\(key), \(id))
                AND NOT EXISTS (SELECT 1 FROM provider_key AS other
                    WHERE other.provider_id = provider_key.provider_id
                        AND other.key >= \(first) AND other.key < provider_key.key)
                \(others.joined(separator: ""))\(open)
            ORDER BY provider_key.key, provider_key.provider_id LIMIT \(limit)
            """, read)
    }

    /// A few providers whose names match another search; none without words.
    static func called(_ words: String, in db: Connection) throws -> [Provider] {
        guard !SearchWords.ofName(words).isEmpty else { return [] }
        return try search(words, isOpen: true, atMost: 3, in: db).items
    }

    private static func read(_ row: inout Row) throws -> (key: String, provider: Provider) {
        (try row.next(), try row.next())
    }

    /// Writes the search keys of an organization's name.
    static func index(_ id: ID<Provider>, _ name: String, in db: Connection) throws {
        try db.execute("UPDATE provider SET name_key = \(foldedKey(name)) WHERE id = \(id)")
        try db.execute("DELETE FROM provider_key WHERE provider_id = \(id)")
        for key in SearchWords.keys(of: name, withEnds: true) {
            try db.execute("INSERT INTO provider_key (key, provider_id) VALUES (\(key), \(id))")
        }
    }

    /// Providers per page.
    static let pageSize = 20

    /// All providers, oldest first.
    static func all(after: Cursor<ID<Provider>>?, in db: Connection) throws -> Page<Provider> {
        try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(columns) FROM provider JOIN account ON account.id = provider.account_id
                WHERE provider.id > \(after?.keys ?? ID(0)) AND account.suspended_at IS NULL
                ORDER BY provider.id LIMIT \(limit)
                """)
        }
    }

    /// Creates or updates an account's provider profile.
    static func save(_ form: ProviderForm, of account: ID<Account>, in tx: Transaction) throws {
        let address = Address(
            street: form.street, city: form.city, state: form.state, zip: form.zip, country: form.country)
        let stored: Assignments =
            address.stored + [
                "first_name": form.firstName, "last_name": form.lastName, "organization": form.organization,
                "designation": form.designation, "phone": form.phone,
                "email": form.email, "website": form.website, "scope": form.scope, "mission": form.mission,
                "kind": form.kind, "asks": form.asks, "updated_at": tx.now,
            ]
        try Verified.endIfRenamed(account, to: form, in: tx)
        try tx.execute(
            """
            INSERT INTO provider \(values: stored + ["account_id": account, "created_at": tx.now])
            ON CONFLICT (account_id) DO UPDATE SET \(set: stored)
            """)
        let id: ID<Provider>? = try tx.value("SELECT id FROM provider WHERE account_id = \(account)")
        if let id { try index(id, form.organization, in: tx) }
        try Account.indexNames(of: account, in: tx)
        try Decision.wasChanged(Person.self, account, in: tx)
    }
}
