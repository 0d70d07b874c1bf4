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
    static func endIfRenamed(_ account: ID<Account>, to form: ProviderForm, in tx: Transaction) throws {
        let found: (id: ID<DeskNews>, name: String, website: String)? = try tx.first(
            """
            SELECT id, organization, coalesce(website, '') FROM provider
            WHERE account_id = \(account) AND \(isOn(tx.now))
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        guard let found,
            folded(found.name) != folded(form.organization) || found.website != form.website ?? ""
        else { return }
        try tx.execute(
            """
            UPDATE provider SET verified_until = NULL, verified_at = NULL, verified_by_checking = '',
                verified_is_asked = FALSE
            WHERE account_id = \(account)
            """)
        try DeskNews(.unverified, found.id, found.name).tell(account, in: tx)
        try DeskNews(.renamed, found.id, found.name).tell("account.is_admin", in: tx)
    }

    /// Notifies admins and the organization once of verifications that expire soon.
    ///
    /// - Returns: The number of organizations.
    static func remind(in tx: Transaction) throws -> Int {
        let due: [(ID<Provider>, ID<Account>, String)] = try tx.all(
            """
            SELECT id, account_id, organization FROM provider
            WHERE verified_until > \(tx.now) AND verified_until <= \(tx.now + notice) AND NOT verified_is_asked
            ORDER BY verified_until LIMIT 100
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        for (id, account, organization) in due {
            try tx.execute("UPDATE provider SET verified_is_asked = TRUE WHERE id = \(id)")
            try DeskNews(.ends, ID(id.rawValue), organization).tell(account, in: tx)
            try DeskNews(.renew, ID(id.rawValue), organization).tell("account.is_admin", in: tx)
        }
        return due.count
    }
}
