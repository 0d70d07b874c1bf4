import Database

extension PostNews {
    /// Tells a post's author that somebody said something to it; once, until it is read.
    static func tellAuthor(
        of post: ID<Post>, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        guard let author = try Post.author(of: post, in: db), author != account,
            try !Block.stands(between: account, and: author, in: db),
            let news = try PostNews(.answered, post, by: account, in: db)
        else { return }
        let told = Notice.News(kind: news.kind, detail: news.detail, subject: post.rawValue)
        try Notice.tellOnce(told, author, at: now, in: db)
    }

    /// Tells whom a text names, where they may read it; whose post it is knows already, and so does who was told that
    /// the post names them.
    static func tellNamed(
        in text: String, at post: ID<Post>, by account: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        let names = named(in: [text], most: mostNamed)
        guard !names.isEmpty, let author = try Post.author(of: post, in: db),
            let news = try PostNews(.named, post, by: account, in: db)
        else { return }
        // Asked before any is told: letters follow the notices, of which none may be there.
        let readers: [ID<Account>] = try db.all(
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
        for reader in readers { try news.tell(reader, at: now, in: db) }
    }

    /// Takes back what was told of a post that is gone.
    static func forget(_ post: ID<Post>, in db: Connection) throws {
        try Notice.erase("event_id IS NULL AND kind = \(NoticeKind.talked) AND subject = \(post)", in: db)
    }

    /// Takes back what was told of all posts of somebody who is gone.
    static func forgetAll(of account: ID<Account>, in db: Connection) throws {
        try Notice.erase(
            """
            event_id IS NULL AND kind = \(NoticeKind.talked)
                AND subject IN (SELECT id FROM post WHERE account_id = \(account))
            """, in: db)
    }

    private init?(_ what: What, _ post: ID<Post>, by account: ID<Account>, in db: Connection) throws {
        guard let name = try Author.find(account, in: db)?.chosenName else { return nil }
        self.init(what, post, name)
    }
}
