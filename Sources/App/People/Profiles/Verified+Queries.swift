import Database

extension Verified: RowDecodable {
    static let columns: Columns = [
        "provider.verified_until", "provider.verified_at", "provider.verified_by_checking",
    ]

    init(row: inout Row) throws {
        let (until, at): (Instant, Instant) = (try row.next(), try row.next())
        self.init(checked: try row.next(), at: at, until: until)
    }

    /// Whether the organization in the row is verified now.
    static func isOn(_ now: Instant) -> SQL { "provider.verified_until > \(now)" }

    static func find(of provider: ID<Provider>, in db: Connection) throws -> Verified? {
        let found: [Verified?] = try db.all("SELECT \(columns) FROM provider WHERE id = \(provider) LIMIT 1") {
            try $0.next()
        }
        return found.first ?? nil
    }

    /// Removes the verification from an organization that changes its name or website, and notifies it and the admins.
    static func endIfRenamed(
        _ account: ID<Account>, to form: ProviderForm, at now: Instant, in db: Connection
    ) throws {
        let found: (id: ID<DeskNews>, name: String, website: String)? = try db.first(
            """
            SELECT id, organization, coalesce(website, '') FROM provider
            WHERE account_id = \(account) AND \(isOn(now))
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        guard let found,
            folded(found.name) != folded(form.organization) || found.website != form.website ?? ""
        else { return }
        try db.execute(
            """
            UPDATE provider SET verified_until = NULL, verified_at = NULL, verified_by_checking = '',
                verified_is_asked = FALSE
            WHERE account_id = \(account)
            """)
        try DeskNews(.unverified, found.id, found.name).tell(account, at: now, in: db)
        try DeskNews(.renamed, found.id, found.name).tell("account.is_admin", at: now, in: db)
    }

    /// Notifies admins and the organization once of verifications that expire soon.
    ///
    /// - Returns: The number of organizations.
    static func remind(at now: Instant, in db: Connection) throws -> Int {
        let due: [(ID<Provider>, ID<Account>, String)] = try db.all(
            """
            SELECT id, account_id, organization FROM provider
            WHERE verified_until > \(now) AND verified_until <= \(now + notice) AND NOT verified_is_asked
            ORDER BY verified_until LIMIT 100
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        for (id, account, organization) in due {
            try db.execute("UPDATE provider SET verified_is_asked = TRUE WHERE id = \(id)")
            try DeskNews(.ends, ID(id.rawValue), organization).tell(account, at: now, in: db)
            try DeskNews(.renew, ID(id.rawValue), organization).tell("account.is_admin", at: now, in: db)
        }
        return due.count
    }
}
