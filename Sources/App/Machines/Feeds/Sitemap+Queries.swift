import Database

extension Sitemap {
    /// The upcoming events, soonest first, then those of several days that are on, and the newest providers.
    static func pages(languages: Int, in tx: Transaction) throws -> [Page] {
        let limit = limit(in: languages)
        let events = try Event.current(tx.now).flatMap { condition in
            try tx.all(
                """
                SELECT id, updated_at FROM event WHERE listed AND \(condition) ORDER BY starts_at, id LIMIT \(limit)
                """
            ) { Page(link: .event(try $0.next()), updatedAt: try $0.next()) }
        }
        let providers = try tx.all(
            """
            SELECT account.username, provider.updated_at FROM provider JOIN account ON account.id = provider.account_id
            WHERE provider.id > 0 AND account.suspended_at IS NULL ORDER BY provider.id DESC LIMIT \(limit)
            """
        ) { Page(link: .provider(try $0.next()), updatedAt: try $0.next()) }
        return events.prefix(limit) + providers
    }
}
