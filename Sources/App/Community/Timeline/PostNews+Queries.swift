import Database

extension PostNews {
    /// Notifies a post's author of a comment; one notice until it is read.
    static func tellAuthor(of post: ID<Post>, of account: ID<Account>, in tx: Transaction) throws {
        guard let author = try Post.author(of: post, in: tx), author != account,
            try !Block.stands(between: account, and: author, in: tx)
        else { return }
        try Notice.tellOnce(PostNews(.answered, post, by: account).news, author, in: tx)
    }

    /// Notifies the people mentioned in a text, if they may read it, except the post's author and those already
    /// notified that the post mentions them.
    static func tellNamed(in text: String, at post: ID<Post>, by account: ID<Account>, in tx: Transaction) throws {
        let names = named(in: [text], most: mostNamed)
        guard !names.isEmpty, let author = try Post.author(of: post, in: tx) else { return }
        let news = PostNews(.named, post, by: account)
        // Queried before notifying: letters follow the notices, which may not exist.
        let readers: [ID<Account>] = try tx.all(
            """
            SELECT account.id FROM account
            WHERE account.username IN \(list: names) AND account.id NOT IN (\(account), \(author))
                AND account.left_at IS NULL AND account.suspended_at IS NULL AND account.waits_since IS NULL
                AND NOT EXISTS (
                    SELECT 1 FROM notice WHERE notice.event_id IS NULL AND notice.account_id = account.id
                        AND notice.kind = \(news.kind) AND notice.subject = \(post) AND notice.detail = \(news.detail))
                AND NOT \(Block.hides("account.id", from: account)) AND NOT \(Block.hides("account.id", from: author))
            LIMIT \(mostNamed)
            """
        ) { try $0.next() }
        for reader in readers { try Notice.tell(news.news, "account.id = \(reader)", in: tx) }
    }

    /// Removes the notices about a deleted post.
    static func forget(_ post: ID<Post>, in db: Connection) throws {
        try Notice.erase("event_id IS NULL AND kind = \(NoticeKind.talked) AND subject = \(post)", in: db)
    }

    /// Removes unread notices about a deleted comment, for the people it mentions and the post's author. If a notice
    /// represents several comments, its count is reduced.
    ///
    /// - Parameter at: When it was written.
    static func forget(commentBy account: ID<Account>, at: Instant, on post: ID<Post>, in db: Connection) throws {
        let named = PostNews(.named, post, by: account)
        try Notice.erase(
            """
            event_id IS NULL AND kind = \(named.kind) AND subject = \(post) AND at = \(at)
                AND detail = \(named.detail)
            """, in: db)
        guard let author = try Post.author(of: post, in: db), author != account else { return }
        let told: (id: ID<Notice>, times: Int, since: Instant, detail: String)? = try db.first(
            """
            SELECT id, times, at, detail FROM notice
            WHERE event_id IS NULL AND account_id = \(author) AND kind = \(named.kind) AND subject = \(post)
                AND read_at IS NULL AND at <= \(at) ORDER BY id DESC LIMIT 1
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        guard let told, PostNews(detail: told.detail, subject: post.rawValue)?.what == .answered else { return }
        // The authors of the remaining comments since then.
        let other: ID<Account>? = try db.value(
            """
            SELECT account_id FROM comment
            WHERE post_id = \(post) AND created_at >= \(told.since) AND account_id <> \(author) ORDER BY id LIMIT 1
            """)
        guard told.times > 1, let other else {
            try Notice.erase("id = \(told.id)", in: db)
            return
        }
        try db.execute(
            """
            UPDATE notice SET times = \(told.times - 1), detail = \(PostNews(.answered, post, by: other).detail)
            WHERE id = \(told.id)
            """)
    }

    /// Removes the notices of two people about each other after a block: not even a count hints at them.
    static func part(_ one: ID<Account>, from other: ID<Account>, in db: Connection) throws {
        for (reader, author) in [(one, other), (other, one)] {
            let several: [(id: ID<Notice>, post: ID<Post>, since: Instant)] = try db.all(
                """
                SELECT id, subject, at FROM notice
                WHERE account_id = \(reader) AND event_id IS NULL AND kind = \(NoticeKind.talked) AND times > 1
                ORDER BY id DESC LIMIT 50
                """
            ) { (try $0.next(), try $0.next(), try $0.next()) }
            for notice in several { try count(notice.id, on: notice.post, since: notice.since, for: reader, in: db) }
            let details = What.allCases.map { PostNews($0, ID(0), by: author).detail }
            try Notice.erase(
                """
                account_id = \(reader) AND event_id IS NULL AND kind = \(NoticeKind.talked) AND times = 1
                    AND detail IN \(list: details)
                """, in: db)
        }
    }

    /// Recounts a notice of several comments by what its reader can see; removes it if nothing is left.
    private static func count(
        _ notice: ID<Notice>, on post: ID<Post>, since: Instant, for reader: ID<Account>, in db: Connection
    ) throws {
        let authors: [ID<Account>] = try db.all(
            """
            SELECT comment.account_id FROM comment
            WHERE comment.post_id = \(post) AND comment.created_at >= \(since) AND comment.account_id <> \(reader)
                AND \(Comment.isShown(to: reader))
            ORDER BY comment.id DESC LIMIT \(Comment.limit)
            """
        ) { try $0.next() }
        guard let last = authors.first else {
            try Notice.erase("id = \(notice)", in: db)
            return
        }
        try db.execute(
            """
            UPDATE notice SET times = \(authors.count), detail = \(PostNews(.answered, post, by: last).detail)
            WHERE id = \(notice)
            """)
    }

    /// Removes the notices about all posts of a former member.
    static func forgetAll(of account: ID<Account>, in db: Connection) throws {
        try Notice.erase(
            """
            event_id IS NULL AND kind = \(NoticeKind.talked)
                AND subject IN (SELECT id FROM post WHERE account_id = \(account))
            """, in: db)
    }

    private var news: Notice.News { Notice.News(kind: kind, detail: detail, subject: about.rawValue) }
}

extension PostNews {
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        guard var news = PostNews(detail: letter.detail, subject: letter.subject) else { return nil }
        if let author = try Author.find(news.author, in: tx) { news.name = author.name }
        return .post(news)
    }
}
