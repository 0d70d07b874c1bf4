import Database

extension Role: RowDecodable {
    static let columns: Columns = ["account.is_staff", "account.is_admin"]

    init(row: inout Row) throws {
        let (isStaff, isAdmin): (Bool, Bool) = (try row.next(), try row.next())
        self = isAdmin ? .admin : isStaff ? .moderator : .member
    }

    static func find(of account: ID<Account>, in db: Connection) throws -> Role {
        try db.first(
            "SELECT \(columns) FROM account WHERE id = \(account) AND suspended_at IS NULL AND left_at IS NULL")
            ?? .member
    }

    /// Makes sure that a member still has a role, within the transaction that depends on it.
    ///
    /// - Throws: `Refusal.notAllowed`.
    static func require(_ role: Role, of account: ID<Account>, in db: Connection) throws {
        let own = try find(of: account, in: db)
        guard role == .admin ? own == .admin : own.isStaff else { throw Refusal.notAllowed }
    }

    /// Whether nobody else could run the site.
    static func isLastAdmin(_ account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM account WHERE id = \(account) AND is_admin")
            && !db.exists(
                """
                SELECT 1 FROM account WHERE is_admin AND suspended_at IS NULL AND left_at IS NULL AND id <> \(account)
                LIMIT 1
                """)
    }
}
