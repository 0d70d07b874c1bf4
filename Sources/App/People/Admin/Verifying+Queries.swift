import Database

extension Verified {
    /// Sets or removes an organization's verification; both are logged, and the organization is notified.
    static func set(
        _ verified: Verified?, of provider: Provider, reason: String, by admin: ID<Account>, in tx: Transaction
    ) throws {
        try Role.require(.admin, of: admin, in: tx)
        guard try find(of: provider.id, in: tx) != verified else { return }
        try tx.execute(
            """
            UPDATE provider SET verified_until = \(verified?.until), verified_at = \(verified?.at),
                verified_by_checking = \(verified?.checked ?? ""), verified_is_asked = FALSE
            WHERE id = \(provider.id)
            """)
        try AuditEntry.record(
            verified == nil ? .unverify : .verify, provider.organization, provider.id.rawValue, reason: reason,
            by: admin, in: tx)
        try DeskNews.settle([.renew, .renamed, .handedOver, .ends], ID(provider.id.rawValue), in: tx)
        try DeskNews(verified == nil ? .unverified : .verified, ID(provider.id.rawValue), provider.organization)
            .tell(provider.account, in: tx)
        if verified != nil { try Matter.showFirst(of: provider.account, isVerified: true, in: tx) }
    }
}
