import Database

extension News {
    /// The news for the owner of a session.
    ///
    /// - Parameters:
    ///   - last: The last news sent; nil starts now.
    ///   - opening: Modules that are switched off have no news.
    /// - Returns: Nil if the session has ended.
    static func find(
        for session: ID<Session>, after last: ID<TalkNews>?, _ opening: Opening, in tx: Transaction
    ) throws -> News? {
        guard let (account, unread) = try Session.owner(of: session, in: tx) else { return nil }
        let post = try opening.has(.timeline) ? Post.newest(for: account, in: tx) : nil
        guard let last else {
            return News(unread: unread, post: post, threads: [], matches: [], last: try TalkNews.newest(in: tx))
        }
        let matches = try opening.has(.playdates) ? TalkNews.matches(of: account, after: last, in: tx) : []
        let threads = try TalkNews.threads(of: account, after: last, opening, in: tx)
        return News(
            unread: unread, post: post, threads: threads.map(\.talk), matches: matches.map(\.talk),
            last: (matches.map(\.news) + threads.map(\.news)).max() ?? last)
    }

    /// The position up to which the site's news has been seen.
    struct Marks: Sendable {
        let notice: ID<Notice>
        let talk: ID<TalkNews>
        let post: ID<Post>

        init(in db: Connection) throws {
            notice = try Notice.newest(in: db)
            talk = try TalkNews.newest(in: db)
            post = try Post.newest(in: db)
        }

        /// The accounts with news since.
        func told(in db: Connection) throws -> Set<ID<Account>> {
            Set(try Notice.readers(after: notice, in: db) + TalkNews.readers(after: talk, in: db))
        }
    }
}
