import Database

extension News {
    /// What is new for the owner of a session.
    ///
    /// - Parameters:
    ///   - last: The message told last; nil begins with now.
    ///   - opening: What is switched off has no news.
    /// - Returns: nil when the session has ended.
    static func find(
        for session: ID<Session>, after last: ID<Message>?, _ opening: Opening, at now: Instant, in db: Connection
    ) throws -> News? {
        guard let (account, unread) = try Session.owner(of: session, at: now, in: db) else { return nil }
        let post = try opening.has(.timeline) ? Post.newest(for: account, in: db) : nil
        guard let last else {
            return News(unread: unread, post: post, matches: [], last: try Message.newest(in: db))
        }
        let said = try opening.has(.playdates) ? Message.unread(by: account, after: last, in: db) : []
        return News(
            unread: unread, post: post, matches: said.map(\.match), last: said.map(\.message).max() ?? last)
    }

    /// Up to where the site's news were looked at.
    struct Marks: Sendable {
        let notice: ID<Notice>
        let message: ID<Message>
        let post: ID<Post>

        init(in db: Connection) throws {
            notice = try Notice.newest(in: db)
            message = try Message.newest(in: db)
            post = try Post.newest(in: db)
        }

        /// Who was told something since.
        func told(in db: Connection) throws -> Set<ID<Account>> {
            Set(try Notice.readers(after: notice, in: db) + Message.readers(after: message, in: db))
        }
    }
}
