import Database

extension Role {
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
        in tx: Transaction
    ) throws -> Bool {
        if let admin { try require(.admin, of: admin.account, in: tx) }
        let before: Role? = try tx.first("SELECT \(columns) FROM account WHERE id = \(person.id) AND left_at IS NULL")
        guard let before else { throw Refusal.notFound }
        guard before != role else { return false }
        if role != .admin, try isLastAdmin(person.id, in: tx) { throw IsLastAdmin() }
        try tx.execute(
            """
            UPDATE account SET is_staff = \(role.isStaff), is_admin = \(role == .admin), updated_at = \(tx.now),
                two_step_by = CASE WHEN \(role.isStaff) THEN two_step_by END
            WHERE id = \(person.id)
            """)
        // A new staff member's account must not be deleted anymore.
        let wish = try role.isStaff ? Decision.removal(of: person.id, in: tx) : nil
        if let wish, let staff = admin?.account ?? wish.staffID {
            try Decision.undo(wish.id, reason: reason, by: staff, in: tx)
        }
        try TwoStep.askStaff(person.id, in: tx)
        let own = admin.flatMap { person.id == $0.account ? $0.session : nil }
        try Session.endAll(of: person.id, but: own, in: tx)
        if let own { try Session.renew(own, token, in: tx) }
        try PendingLogIn.endAll(of: person.id, in: tx)
        let verb: AuditEntry.Verb =
            switch role {
            case .member: .makeMember
            case .moderator: .makeModerator
            case .admin: .makeAdmin
            }
        try AuditEntry.record(
            verb, person.username, person.id.rawValue, was: before.rawValue, became: role.rawValue, reason: reason,
            by: admin?.account, in: tx)
        try OutsideLogIn.endIfUnsuitable(person.id, in: tx)
        try DeskNews(role, of: person.id).tell(person.id, in: tx)
        return true
    }
}

extension OutsideLogIn {
    /// Allows a member to log in that way, with a role.
    ///
    /// - Throws: `Unsuitable`; `Refusal.notAllowed` if the caller is no longer an admin; `Role.IsLastAdmin`.
    static func allow(_ email: String, as role: Role, reason: String, by admin: Visitor, in tx: Transaction) throws {
        try Role.require(.admin, of: admin.account, in: tx)
        guard let id = try Account.credentials(for: email, in: tx)?.id, let person = try Account.find(id, in: tx),
            person.confirmedAt != nil
        else { throw Unsuitable.nobody }
        guard try !isFamily(id, in: tx) else { throw Unsuitable.family }
        if person.role != role {
            guard id != admin.account else { throw Unsuitable.ownRole }
            _ = try Role.give(role, to: person, reason: reason, by: admin, in: tx)
        }
        guard try isSuitable(id, in: tx) else { throw Unsuitable.neither }
        let count = try tx.execute(
            """
            INSERT INTO outside_log_in (account_id, email, staff_id, at)
            VALUES (\(id), \(person.email), \(admin.account), \(tx.now)) ON CONFLICT DO NOTHING
            """)
        guard count == 1 else {
            let isOpen = try tx.exists(
                """
                SELECT 1 FROM outside_log_in
                WHERE account_id = \(id) AND (email = \(person.email) OR subject IS NOT NULL)
                """)
            throw isOpen ? Unsuitable.already : .outdated
        }
        try AuditEntry.record(.allowOutside, person.username, id.rawValue, reason: reason, by: admin.account, in: tx)
    }

    /// Removes an entry: the member is logged out everywhere and loses their role. An admin's own role and current
    /// session stay.
    ///
    /// - Throws: `Refusal.notAllowed` if the caller is no longer an admin.
    static func end(_ id: ID<Account>, reason: String, by admin: Visitor, in tx: Transaction) throws {
        try Role.require(.admin, of: admin.account, in: tx)
        guard let person = try Account.find(id, in: tx),
            try tx.execute("DELETE FROM outside_log_in WHERE account_id = \(id)") == 1
        else { return }
        try AuditEntry.record(
            .endOutside, person.username, id.rawValue, was: person.role.rawValue, reason: reason,
            by: admin.account, in: tx)
        let isOwn = id == admin.account
        if !isOwn { _ = try Role.give(.member, to: person, reason: reason, by: admin, in: tx) }
        try Session.endAll(of: id, but: isOwn ? admin.session : nil, in: tx)
        try PendingLogIn.endAll(of: id, in: tx)
    }
}
