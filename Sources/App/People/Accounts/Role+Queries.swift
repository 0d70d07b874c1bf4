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

    /// Gives or removes a role: other sessions must log in again, and new staff must set up two-step log-in within the
    /// grace period.
    ///
    /// - Parameters:
    ///   - admin: Nil for an operator at the machine itself.
    ///   - token: The new token of `session`, if somebody gives up their own role.
    /// - Returns: Whether anything changed.
    /// - Throws: `IsLastAdmin`; `Refusal.notAllowed` if the caller is no longer an admin.
    static func give(
        _ role: Role, to person: Account, reason: String, by admin: Visitor? = nil, token: Token = Token(),
        at now: Instant, in db: Connection
    ) throws -> Bool {
        if let admin { try require(.admin, of: admin.account, in: db) }
        let before: Role? = try db.first(
            "SELECT \(columns) FROM account WHERE id = \(person.id) AND left_at IS NULL")
        guard let before else { throw Refusal.notFound }
        guard before != role else { return false }
        if role != .admin, try isLastAdmin(person.id, in: db) { throw IsLastAdmin() }
        try db.execute(
            """
            UPDATE account SET is_staff = \(role.isStaff), is_admin = \(role == .admin), updated_at = \(now),
                two_step_by = CASE WHEN \(role.isStaff) THEN two_step_by END
            WHERE id = \(person.id)
            """)
        // A new staff member's account must not be deleted anymore.
        let wish = try role.isStaff ? Decision.removal(of: person.id, in: db) : nil
        if let wish, let staff = admin?.account ?? wish.staffID {
            try Decision.undo(wish.id, reason: reason, by: staff, at: now, in: db)
        }
        try TwoStep.askStaff(person.id, at: now, in: db)
        let own = admin.flatMap { person.id == $0.account ? $0.session : nil }
        try Session.endAll(of: person.id, but: own, in: db)
        if let own { try Session.renew(own, token, in: db) }
        try PendingLogIn.endAll(of: person.id, in: db)
        let verb: AuditEntry.Verb =
            switch role {
            case .member: .makeMember
            case .moderator: .makeModerator
            case .admin: .makeAdmin
            }
        try AuditEntry.record(
            verb, person.username, person.id.rawValue, was: before.rawValue, became: role.rawValue, reason: reason,
            by: admin?.account, at: now, in: db)
        try OutsideLogIn.endIfUnsuitable(person.id, in: db)
        try DeskNews(role, of: person.id).tell(person.id, at: now, in: db)
        return true
    }
}
