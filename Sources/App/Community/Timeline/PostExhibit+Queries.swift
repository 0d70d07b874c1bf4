import Database

extension Post: Reportable {
    static var kind: Subject.Kind { .post }
    static var rows: (table: SQL, number: SQL) { ("post", "id") }

    static func isShown(_ id: ID<Post>, _ exhibit: Exhibit, to reader: Visitor?, in db: Connection) throws -> Bool {
        try Post.find(id, for: reader?.account, in: db)?.isVisible(to: reader) ?? false
    }

    /// What staff see of it; nil if it is gone.
    static func exhibit(_ id: ID<Post>, in db: Connection) throws -> Exhibit? {
        let found: (String, Bool)? = try db.first(
            "SELECT text, hidden_at IS NOT NULL FROM post WHERE id = \(id)"
        ) { (try $0.next(), try $0.next()) }
        guard let (text, isHidden) = found, let post = try Post.find(id, for: nil, in: db) else { return nil }
        var exhibit = Exhibit(subject: .post(id), author: post.author, text: text, link: post.link)
        exhibit.recognized = [text]
        exhibit.pictures = post.pictures
        exhibit.isHidden = isHidden
        return exhibit
    }
}

extension Comment: Reportable {
    static var kind: Subject.Kind { .comment }
    static var rows: (table: SQL, number: SQL) { ("comment", "id") }

    static func isShown(_ id: ID<Comment>, _ exhibit: Exhibit, to reader: Visitor?, in db: Connection) throws -> Bool {
        let post: ID<Post>? = try db.value(
            """
            SELECT comment.post_id FROM comment JOIN account ON account.id = comment.account_id
            WHERE comment.id = \(id) AND comment.hidden_at IS NULL AND account.suspended_at IS NULL
                AND NOT \(Block.hides("comment.account_id", from: reader?.account))
            """)
        return try post.flatMap { try Post.find($0, for: reader?.account, in: db) }?.isVisible(to: reader) ?? false
    }

    static func tellShown(_ id: ID<Comment>, in tx: Transaction) throws {
        try tell(id, in: tx)
    }

    /// What staff see of it; nil if it is gone.
    static func exhibit(_ id: ID<Comment>, in db: Connection) throws -> Exhibit? {
        let found: (ID<Account>, ID<Post>, String, Bool)? = try db.first(
            "SELECT account_id, post_id, text, hidden_at IS NOT NULL FROM comment WHERE id = \(id)"
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        guard let (account, post, text, isHidden) = found, let author = try Author.find(account, in: db) else {
            return nil
        }
        var exhibit = Exhibit(
            subject: .comment(id), author: author, text: text, link: .comments(of: post))
        exhibit.isHidden = isHidden
        return exhibit
    }
}
