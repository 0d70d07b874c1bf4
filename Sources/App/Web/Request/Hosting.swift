extension ProviderContext {
    /// Changes something of the organization in one transaction, which begins by asking whether the member may still
    /// act for it: that can end while the request is on its way.
    ///
    /// - Throws: `Refusal.notAllowed`, and the errors of `body`.
    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let (member, host, least) = (member, host, least)
        return try await site.write(at: now) { tx in
            try Colleague.require(least, of: member, for: host, in: tx)
            return try body(tx)
        }
    }
}

extension ParentContext {
    /// Changes something of the family in one transaction, which begins by asking whether the member still looks after
    /// its children: the other parent can end that while the request is on its way.
    ///
    /// - Throws: `Refusal.notAllowed`, and the errors of `body`.
    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let (account, head) = (member.account, head)
        return try await site.write(at: now) { tx in
            // Nobody else can end that for those whose own they are.
            if head != account, try Guardian.head(of: account, in: tx) != head { throw Refusal.notAllowed }
            return try body(tx)
        }
    }
}
