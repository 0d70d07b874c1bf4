import Database

extension MailDomain {
    /// Whether this address is blocked.
    static func isBlocked(_ email: String, in db: Connection) throws -> Bool {
        guard let domain = MailDomain(email) else { return false }
        let own = domain.ancestors
        let names = own + Array(repeating: "", count: mostAncestors - own.count)
        return try db.exists("SELECT 1 FROM blocked_domain WHERE domain IN \(list: names)")
    }

    /// Blocks new addresses of a domain; existing accounts keep theirs. Blocking twice has no further effect.
    ///
    /// - Throws: `Unblockable`.
    static func block(
        _ domain: MailDomain, reason: String, wave: ID<Wave>? = nil, by staff: ID<Account>, in tx: Transaction
    ) throws {
        guard !ofEverybody.contains(domain.name) else { throw Unblockable.ofEverybody }
        let staffed: [String] = try tx.all(
            "SELECT email FROM account WHERE is_staff AND left_at IS NULL LIMIT 200"
        ) { try $0.next() }
        guard !staffed.contains(where: { MailDomain($0)?.ancestors.contains(domain.name) == true }) else {
            throw Unblockable.ofStaff
        }
        let count = try tx.execute(
            """
            INSERT INTO blocked_domain (domain, staff_id, wave_id, reason, at)
            VALUES (\(domain.name), \(staff), \(wave), \(reason), \(tx.now)) ON CONFLICT (domain) DO NOTHING
            """)
        guard count == 1 else { return }
        try AuditEntry.record(.blockDomain, domain.name, 0, reason: reason, by: staff, in: tx)
    }

    /// Unblocks a domain.
    static func unblock(_ name: String, reason: String, by staff: ID<Account>, in tx: Transaction) throws {
        guard try tx.execute("DELETE FROM blocked_domain WHERE domain = \(name)") == 1 else { return }
        try AuditEntry.record(.unblockDomain, name, 0, reason: reason, by: staff, in: tx)
    }

    static func all(in db: Connection) throws -> [Blocked] {
        try db.all(
            """
            SELECT blocked_domain.domain, account.username, blocked_domain.reason, blocked_domain.at
            FROM blocked_domain LEFT JOIN account ON account.id = blocked_domain.staff_id
            ORDER BY blocked_domain.domain LIMIT \(limit)
            """
        ) { Blocked(domain: try $0.next(), staff: try $0.next(), reason: try $0.next(), at: try $0.next()) }
    }
}
