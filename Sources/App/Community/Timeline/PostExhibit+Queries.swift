import Database

extension Post {
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

extension Comment {
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
