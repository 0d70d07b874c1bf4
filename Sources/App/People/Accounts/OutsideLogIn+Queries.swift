import Database

extension OutsideLogIn: RowDecodable {
    static let pageSize = 50

    static let columns: Columns = [
        "outside_log_in.account_id", "account.username", "account.is_staff", "account.is_admin",
        "outside_log_in.email", "staff.username", "outside_log_in.at", "outside_log_in.first_at",
    ]

    private static let sources: SQL = """
        outside_log_in JOIN account ON account.id = outside_log_in.account_id
            LEFT JOIN account AS staff ON staff.id = outside_log_in.staff_id
        """

    init(row: inout Row) throws {
        self.init(
            account: try row.next(), username: try row.next(), role: try row.next(), email: try row.next(),
            staff: try row.next(), at: try row.next(), firstAt: try row.next())
    }

    /// All entries, the newest accounts first.
    static func all(after: Cursor<ID<Account>>?, in db: Connection) throws -> Page<OutsideLogIn> {
        try Page(of: pageSize, by: \.account) { limit in
            try db.all(
                """
                SELECT \(columns) FROM \(sources) WHERE outside_log_in.account_id < \(after?.keys ?? ID(.max))
                ORDER BY outside_log_in.account_id DESC LIMIT \(limit)
                """)
        }
    }

    static func find(_ account: ID<Account>, in db: Connection) throws -> OutsideLogIn? {
        try db.first("SELECT \(columns) FROM \(sources) WHERE outside_log_in.account_id = \(account)")
    }

    // MARK: Logging in

    /// The account of the person whom an issuer calls `subject`. The first time it is found by the address, which both
    /// sides have confirmed; from then on only by the subject.
    ///
    /// - Parameter email: The address confirmed by the issuer, in this site's canonical form.
    static func enter(
        _ issuer: String, _ subject: String, email: String?, in tx: Transaction
    ) throws -> Result<ID<Account>, Barrier> {
        if let known = try account(of: issuer, subject, in: tx) {
            guard try !isFamily(known, in: tx) else { return .failure(.family) }
            return try isSuitable(known, in: tx) ? .success(known) : .failure(.unknown)
        }
        guard let email else { return .failure(.unknown) }
        let found: (ID<Account>, String)? = try tx.first(
            """
            SELECT account.id, account.username
            FROM outside_log_in JOIN account ON account.id = outside_log_in.account_id
            WHERE outside_log_in.email = \(email) AND outside_log_in.subject IS NULL AND account.email = \(email)
                AND account.confirmed_at IS NOT NULL AND account.left_at IS NULL
            """
        ) { (try $0.next(), try $0.next()) }
        guard let (account, username) = found else { return .failure(.unknown) }
        guard try !isFamily(account, in: tx) else { return .failure(.family) }
        guard try isSuitable(account, in: tx) else { return .failure(.unknown) }
        try tx.execute(
            """
            UPDATE outside_log_in SET issuer = \(issuer), subject = \(subject), first_at = \(tx.now)
            WHERE account_id = \(account)
            """)
        try AuditEntry.record(.meetOutside, username, account.rawValue, reason: "", by: account, in: tx)
        return .success(account)
    }

    /// Whether the entry still exists, in case it was removed during the log-in.
    static func holds(_ issuer: String, _ subject: String, for account: ID<Account>, in db: Connection) throws -> Bool {
        try self.account(of: issuer, subject, in: db) == account && !isFamily(account, in: db)
            && isSuitable(account, in: db)
    }

    private static func account(of issuer: String, _ subject: String, in db: Connection) throws -> ID<Account>? {
        try db.value("SELECT account_id FROM outside_log_in WHERE issuer = \(issuer) AND subject = \(subject)")
    }

    /// Whether the account belongs to a parent, with a family of their own or another parent's.
    static func isFamily(_ account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM account WHERE id = \(account) AND (last_hat = \(Hat.parent)
                OR EXISTS (SELECT 1 FROM family WHERE family.account_id = account.id)
                OR EXISTS (SELECT 1 FROM guardian WHERE guardian.account_id = account.id))
            """)
    }

    /// Whether the account belongs to staff or to somebody who looks after an organization.
    static func isSuitable(_ account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM account WHERE id = \(account) AND (is_staff
                OR EXISTS (SELECT 1 FROM provider WHERE provider.account_id = account.id)
                OR EXISTS (SELECT 1 FROM colleague WHERE colleague.account_id = account.id))
            """)
    }

    // MARK: Ending

    /// Removes the entry of a member whose role, or place in an organization's team, has ended: from then on they log
    /// in with their own password. A member who has another reason to log in that way keeps it.
    static func endIfUnsuitable(_ account: ID<Account>, in db: Connection) throws {
        guard try !isSuitable(account, in: db) else { return }
        try db.execute("DELETE FROM outside_log_in WHERE account_id = \(account)")
    }
}
