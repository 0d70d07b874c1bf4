import Database

extension Post.Kind: SQLValue {}
extension Post.Audience: SQLValue {}

extension Author {
    /// Links for the names mentioned in texts, if the reader may visit their pages.
    static func links(in texts: [String], for reader: ID<Account>?, in db: Connection) throws -> Mentioned {
        let names = PostNews.named(in: texts, most: 400)
        guard !names.isEmpty else { return [:] }
        let authors: [Author] = try db.all(
            """
            SELECT \(columns) FROM account LEFT JOIN person ON person.account_id = account.id
            WHERE account.username IN \(list: names) AND account.suspended_at IS NULL
                AND account.waits_since IS NULL AND NOT \(Block.hides("account.id", from: reader))
            LIMIT 400
            """)
        return authors.reduce(into: Mentioned()) { $0[$1.username] = $1.link(forMembers: reader != nil) }
    }
}

extension Post.Happening: RowDecodable {
    static let columns: Columns = ["event.id"] + EventTitle.columns + ["event.day"]

    init(row: inout Row) throws { self.init(id: try row.next(), title: try row.next(), day: try row.next()) }
}

extension Post {
    /// Posts per page.
    static let pageSize = 20

    private static func columns(for reader: ID<Account>?) -> SQL {
        """
        post.id, \(Author.columns), post.text, post.kind, post.audience,
            (SELECT count(*) FROM reaction WHERE reaction.post_id = post.id AND \(isLikeShown(to: reader))),
            (SELECT count(*) FROM comment WHERE comment.post_id = post.id AND \(Comment.isShown(to: reader))),
            post.created_at, post.edited_at, post.hidden_at IS NOT NULL OR account.suspended_at IS NOT NULL,
            EXISTS (SELECT 1 FROM reaction WHERE reaction.post_id = post.id AND reaction.account_id = \(reader)),
            post.shows_children, \(Happening.columns), \(isAsked),
            post.hidden_at IS NOT NULL AND \(Matter.isFirst("'post-' || post.id"))
        """
    }

    /// Whether staff hid it until its author changes it.
    private static let isAsked: SQL = """
        (post.hidden_at IS NOT NULL AND EXISTS (SELECT 1 FROM decision
            WHERE decision.subject = 'post-' || post.id AND decision.act = 'ask' AND decision.ended_at IS NULL))
        """

    private static let sources: SQL = """
        post JOIN account ON account.id = post.account_id LEFT JOIN person ON person.account_id = account.id
        LEFT JOIN event ON event.id = post.event_id AND NOT \(Event.isHidden)
        """

    private static func read(_ row: inout Row) throws -> Post {
        Post(
            id: try row.next(), author: try row.next(), text: try row.next(), kind: try row.next(),
            audience: try row.next(), likes: try row.next(), comments: try row.next(), createdAt: try row.next(),
            editedAt: try row.next(), isHidden: try row.next(), isLiked: try row.next(), showsChildren: try row.next(),
            happening: try row.next(), isAsked: try row.next(), isWaiting: try row.next())
    }

    /// The posts with their photos and mentioned people.
    private static func illustrated(_ posts: [Post], for reader: ID<Account>?, in db: Connection) throws -> [Post] {
        guard !posts.isEmpty else { return [] }
        let ids = posts.map(\.id).padded(to: posts.count > 1 ? pageSize : 1)
        var pictures: [ID<Post>: [Picture]] = [:]
        try db.each(
            """
            SELECT post_picture.post_id, \(Picture.columns) FROM post_picture
            JOIN picture ON picture.id = post_picture.picture_id
            WHERE post_picture.post_id IN \(list: ids)
            ORDER BY post_picture.post_id, post_picture.place LIMIT 100
            """
        ) { row in
            pictures[try row.next(), default: []].append(try row.next())
            return true
        }
        let people = try Author.links(in: posts.map(\.text), for: reader, in: db)
        return posts.map { post in
            var post = post
            post.pictures = pictures[post.id] ?? []
            post.people = people
            return post
        }
    }

    /// A condition: it is in the timeline of a member.
    static func isShown(to reader: ID<Account>?) -> SQL {
        """
        post.hidden_at IS NULL AND account.suspended_at IS NULL
            AND NOT \(Block.hides("post.account_id", from: reader))
        """
    }

    /// The newest post by anyone.
    static func newest(in db: Connection) throws -> ID<Post> { try db.value("SELECT max(id) FROM post") ?? ID(0) }

    /// The newest post by others in a member's timeline; nil if there is none.
    static func newest(for reader: ID<Account>, in db: Connection) throws -> ID<Post>? {
        try db.value(
            """
            SELECT post.id FROM post JOIN account ON account.id = post.account_id
            WHERE post.id < \(ID<Post>(.max)) AND post.account_id <> \(reader) AND \(isShown(to: reader))
            ORDER BY post.id DESC LIMIT 1
            """)
    }

    /// The posts that a reader may see, newest first.
    ///
    /// - Parameter isPublic: Whether to return only public posts.
    static func timeline(
        for reader: ID<Account>?, by author: ID<Account>? = nil, isPublic: Bool = false, after: Cursor<ID<Post>>?,
        in db: Connection
    ) throws -> Page<Post> {
        var conditions: [SQL] = ["post.id < \(after?.keys ?? ID(.max))", isShown(to: reader)]
        if reader == nil || isPublic { conditions.append("post.audience = 'everyone'") }
        if let author { conditions.append("post.account_id = \(author)") }
        let page = try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(columns(for: reader)) FROM \(sources)
                WHERE \(conditions.joined(separator: " AND ")) ORDER BY post.id DESC LIMIT \(limit)
                """, read)
        }
        return try page.changed { try illustrated($0, for: reader, in: db) }
    }

    /// A post, unless a block separates its author from the reader.
    ///
    /// - Parameter isStaff: Whether the reader is staff: blocks don't apply to them.
    static func find(
        _ id: ID<Post>, for reader: ID<Account>?, isStaff: Bool = false, in db: Connection
    ) throws -> Post? {
        let post = try db.first(
            """
            SELECT \(columns(for: reader)) FROM \(sources)
            WHERE post.id = \(id) AND NOT \(Block.hides("post.account_id", from: isStaff ? nil : reader))
            """, read)
        return try illustrated(post.map { [$0] } ?? [], for: reader, in: db).first
    }

    /// Sets a post's photos.
    private static func put(_ pictures: [Picture], into id: ID<Post>, in db: Connection) throws {
        try db.execute("DELETE FROM post_picture WHERE post_id = \(id)")
        for (index, picture) in pictures.enumerated() {
            try Picture.describe(picture, in: db)
            try db.execute(
                """
                INSERT INTO post_picture (post_id, place, picture_id) VALUES (\(id), \(index + 1), \(picture.id))
                """)
        }
    }

    /// A condition for an author's other visible posts.
    static func others(of account: ID<Account>, than id: ID<Post>) -> SQL {
        """
        SELECT 1 FROM post AS other
        WHERE other.account_id = \(account) AND other.id <> \(id) AND other.hidden_at IS NULL
        """
    }

    /// The author of a post; nil if others can't see it.
    static func author(of id: ID<Post>, in db: Connection) throws -> ID<Account>? {
        try db.value("SELECT account_id FROM post WHERE id = \(id) AND hidden_at IS NULL")
    }

    /// Publishes a post, only once if its form is sent repeatedly.
    ///
    /// - Parameter hasBrakes: Whether the first post by a member without a confirmed address is held for review.
    /// - Returns: The post, and whether it was new.
    static func publish(
        _ form: PostForm, with pictures: [Picture] = [], by account: ID<Account>, once: String,
        hasBrakes: Bool = false, in tx: Transaction
    ) throws -> (id: ID<Post>, isNew: Bool) {
        if let sent: ID<Post> = try tx.value("SELECT id FROM post WHERE account_id = \(account) AND once = \(once)") {
            return (sent, false)
        }
        let id = ID<Post>(
            try tx.insert(
                """
                INSERT INTO post (account_id, text, kind, audience, shows_children, event_id, once, created_at)
                VALUES (\(account), \(form.text), \(form.kind), \(form.audience), \(form.showsChildren), \(form.event),
                    \(once), \(tx.now))
                """))
        try put(pictures, into: id, in: tx)
        if try !Matter.keepBackCopy(Post.self, id, in: tx), hasBrakes {
            _ = try Matter.keepBack(Post.self, id, of: account, in: tx)
        }
        try PostNews.tellNamed(in: form.text, at: id, by: account, in: tx)
        return (id, true)
    }

    static func waits(_ id: ID<Post>, in db: Connection) throws -> Bool {
        try Matter.waits(.post(id), in: db) == .first
    }

    /// Changes a post while its author may do so.
    ///
    /// If members have commented on a members-only post, it can't be made public: they addressed members.
    ///
    /// - Throws: `Refusal.notFound` if it is somebody else's or too late; `Heard`.
    static func update(
        _ id: ID<Post>, _ form: PostForm, with pictures: [Picture], by account: ID<Account>, in tx: Transaction
    ) throws {
        let widens =
            try tx.exists("SELECT 1 FROM post WHERE id = \(id) AND audience = 'members'")
            && form.audience == .everyone
        if try widens && tx.exists("SELECT 1 FROM comment WHERE post_id = \(id) AND account_id <> \(account)") {
            throw Heard()
        }
        let shown = try Post.exhibit(id, in: tx)
        let count = try tx.execute(
            """
            UPDATE post SET text = \(form.text), kind = \(form.kind), audience = \(form.audience),
                shows_children = \(form.showsChildren), edited_at = \(tx.now)
            WHERE id = \(id) AND account_id = \(account)
                AND (hidden_at IS NULL AND created_at > \(tx.now - editable) OR \(isAsked))
            """)
        guard count == 1 else { throw Refusal.notFound }
        try put(pictures, into: id, in: tx)
        try Decision.wasChanged(Post.self, id, from: shown, in: tx)
    }

    /// Erases a post with its comments.
    static func delete(_ id: ID<Post>, by account: ID<Account>, in tx: Transaction) throws {
        guard try tx.execute("DELETE FROM post WHERE id = \(id) AND account_id = \(account)") == 1 else { return }
        try PostNews.forget(id, in: tx)
        try Decision.settle(.post(id), in: tx)
        // Nobody needs to review content that nobody read.
        try tx.execute("DELETE FROM matter WHERE subject = \(Subject.post(id)) AND waits_for = 'first'")
    }

    /// Restores a recently deleted post. Mentioned people aren't notified again; open reports return to the queue.
    static func restore(_ post: Kept, of account: ID<Account>, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO post (id, account_id, text, kind, audience, shows_children, event_id, once, created_at,
                edited_at, hidden_at)
            VALUES (\(post.id), \(account), \(post.text), \(post.kind), \(post.audience), \(post.showsChildren),
                (SELECT id FROM event WHERE id = \(post.event)), \(post.once), \(post.createdAt), \(post.editedAt),
                \(post.hiddenAt))
            """)
        try put(try post.pictures.compactMap { try Picture.find($0, of: account, in: tx) }, into: post.id, in: tx)
        let subject = Subject.post(post.id)
        if post.isFirst {
            try Matter.raise(subject, of: account, for: .first, in: tx)
        } else if try Matter.author(of: subject, in: tx) != nil {
            try Matter.raise(subject, of: account, for: .look, in: tx)
        }
    }

    /// Likes or unlikes a post; repeating has no effect.
    static func like(_ id: ID<Post>, _ isOn: Bool, by account: ID<Account>, in tx: Transaction) throws {
        let count =
            isOn
            ? try tx.execute(
                """
                INSERT INTO reaction (post_id, account_id, at) SELECT id, \(account), \(tx.now) FROM post
                    WHERE id = \(id)
                ON CONFLICT (post_id, account_id) DO NOTHING
                """)
            : -(try tx.execute("DELETE FROM reaction WHERE post_id = \(id) AND account_id = \(account)"))
        try tx.execute("UPDATE post SET likes = likes + \(count) WHERE id = \(id)")
    }

    /// A condition on `reaction`: the reader can see the member. Only those are counted.
    private static func isLikeShown(to reader: ID<Account>?) -> SQL {
        "\(Account.isActive("reaction.account_id")) AND NOT \(Block.hides("reaction.account_id", from: reader))"
    }

    /// The members who like a post, newest members first.
    static func admirers(
        of id: ID<Post>, after: Cursor<ID<Account>>?, for reader: ID<Account>?, in db: Connection
    ) throws -> Page<Author> {
        try Page(of: Author.pageSize, by: \.account) { limit in
            try db.all(
                """
                SELECT \(Author.columns) FROM reaction JOIN account ON account.id = reaction.account_id
                LEFT JOIN person ON person.account_id = account.id
                WHERE reaction.post_id = \(id) AND reaction.account_id < \(after?.keys ?? ID(.max))
                    AND \(isLikeShown(to: reader))
                ORDER BY reaction.account_id DESC LIMIT \(limit)
                """)
        }
    }

    /// Hides a post for staff, or shows it again.
    static func hide(_ id: ID<Post>, at instant: Instant?, in tx: Transaction) throws {
        try tx.execute(
            "UPDATE post SET hidden_at = \(instant) WHERE id = \(id) AND (hidden_at IS NULL) = \(instant != nil)")
    }

    /// Notifies the people mentioned in a post that has just become visible.
    static func tellShown(_ id: ID<Post>, in tx: Transaction) throws {
        let found: (account: ID<Account>, text: String)? = try tx.first(
            "SELECT account_id, text FROM post WHERE id = \(id)"
        ) { (try $0.next(), try $0.next()) }
        if let (account, text) = found { try PostNews.tellNamed(in: text, at: id, by: account, in: tx) }
    }
}

extension Comment {
    /// A condition on `comment`: the reader can see it. A hidden comment is only visible to its author.
    static func isShown(to reader: ID<Account>?) -> SQL {
        """
        (comment.hidden_at IS NULL OR comment.account_id = \(reader))
            AND \(Account.isActive("comment.account_id"))
            AND NOT \(Block.hides("comment.account_id", from: reader))
        """
    }

    /// The comments on a post, oldest first.
    static func all(of post: ID<Post>, for reader: ID<Account>?, in db: Connection) throws -> [Comment] {
        let comments: [Comment] = try db.all(
            """
            SELECT comment.id, \(Author.columns), comment.text, comment.created_at, comment.hidden_at IS NOT NULL,
                comment.hidden_at IS NOT NULL AND \(Matter.isFirst("'comment-' || comment.id"))
            FROM comment
            JOIN account ON account.id = comment.account_id LEFT JOIN person ON person.account_id = account.id
            WHERE comment.post_id = \(post) AND \(isShown(to: reader))
            ORDER BY comment.id LIMIT \(limit)
            """
        ) {
            Comment(
                id: try $0.next(), author: try $0.next(), text: try $0.next(), createdAt: try $0.next(),
                isHidden: try $0.next(), isWaiting: try $0.next())
        }
        let people = try Author.links(in: comments.map(\.text), for: reader, in: db)
        return comments.map { comment in
            var comment = comment
            comment.people = people
            return comment
        }
    }

    /// Adds a comment to a post, only once if the form is sent repeatedly.
    ///
    /// - Throws: `TooMany`.
    /// - Parameter hasBrakes: Whether a comment with a link by a member without a confirmed address is held for review.
    /// - Returns: Whether it is held, and whether it was new.
    @discardableResult static func add(
        _ text: String, to post: ID<Post>, by account: ID<Account>, once: String, hasBrakes: Bool = false,
        in tx: Transaction
    ) throws -> (waits: Bool, isNew: Bool) {
        let sent: ID<Comment>? = try tx.value("SELECT id FROM comment WHERE account_id = \(account) AND once = \(once)")
        if let sent { return (try Matter.waits(.comment(sent), in: tx) == .first, false) }
        // The same text, restored by the browser and sent again.
        let said: ID<Comment>? = try tx.value(
            """
            SELECT id FROM comment WHERE account_id = \(account) AND post_id = \(post) AND text = \(text)
                AND created_at > \(tx.now - SentForm.echo) LIMIT 1
            """)
        if let said { return (try Matter.waits(.comment(said), in: tx) == .first, false) }
        guard try tx.exists("SELECT 1 FROM post WHERE id = \(post)") else { throw Refusal.notFound }
        guard try tx.execute("UPDATE post SET comments = comments + 1 WHERE id = \(post) AND comments < \(limit)") == 1
        else { throw TooMany() }
        let id = ID<Comment>(
            try tx.insert(
                """
                INSERT INTO comment (post_id, account_id, text, once, created_at)
                VALUES (\(post), \(account), \(text), \(once), \(tx.now))
                """))
        if try hasBrakes && Matter.keepBack(Comment.self, id, of: account, in: tx) { return (true, true) }
        try tell(id, in: tx)
        return (false, true)
    }

    /// Notifies the post's author and the mentioned people.
    static func tell(_ id: ID<Comment>, in tx: Transaction) throws {
        let found: (post: ID<Post>, account: ID<Account>, text: String)? = try tx.first(
            "SELECT post_id, account_id, text FROM comment WHERE id = \(id)"
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        guard let (post, account, text) = found else { return }
        try PostNews.tellAuthor(of: post, of: account, in: tx)
        try PostNews.tellNamed(in: text, at: post, by: account, in: tx)
    }

    /// Erases a comment at the wish of its author or the post's.
    ///
    /// - Returns: The post.
    /// - Throws: `Refusal.notFound`.
    static func delete(_ id: ID<Comment>, by account: ID<Account>, in db: Connection) throws -> ID<Post> {
        let found: (post: ID<Post>, author: ID<Account>, at: Instant)? = try db.first(
            """
            SELECT post.id, comment.account_id, comment.created_at FROM comment JOIN post ON post.id = comment.post_id
            WHERE comment.id = \(id) AND (comment.account_id = \(account) OR post.account_id = \(account))
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        guard let (post, author, at) = found else { throw Refusal.notFound }
        try db.execute("DELETE FROM comment WHERE id = \(id)")
        // Nobody needs to review content that nobody read.
        try db.execute("DELETE FROM matter WHERE subject = \(Subject.comment(id)) AND waits_for = 'first'")
        try PostNews.forget(commentBy: author, at: at, on: post, in: db)
        try db.execute("UPDATE post SET comments = comments - 1 WHERE id = \(post)")
        return post
    }
}

extension Post.Kept {
    static func find(_ id: ID<Post>, of account: ID<Account>, in db: Connection) throws -> Post.Kept? {
        let isFirst = try Matter.waits(.post(id), in: db) == .first
        var kept = try db.first(
            """
            SELECT text, kind, audience, shows_children, event_id, once, created_at, edited_at, hidden_at,
                likes + comments > 0
            FROM post WHERE id = \(id) AND account_id = \(account)
            """
        ) { row in
            Post.Kept(
                id: id, text: try row.next(), kind: try row.next(), audience: try row.next(),
                showsChildren: try row.next(), event: try row.next(), once: try row.next(), createdAt: try row.next(),
                editedAt: try row.next(), hiddenAt: try row.next(), isFirst: isFirst, isHeard: try row.next())
        }
        kept?.pictures = try db.all(
            "SELECT picture_id FROM post_picture WHERE post_id = \(id) ORDER BY place LIMIT \(Post.mostPictures)"
        ) { try $0.next() }
        return kept
    }
}

extension Comment.Kept {
    static func find(_ id: ID<Comment>, in db: Connection) throws -> Comment.Kept? {
        try db.first("SELECT account_id, text, once, created_at, hidden_at FROM comment WHERE id = \(id)") { row in
            Comment.Kept(
                id: id, author: try row.next(), text: try row.next(), once: try row.next(),
                createdAt: try row.next(), hiddenAt: try row.next())
        }
    }
}

extension Comment {
    /// Restores a recently deleted comment.
    ///
    /// - Returns: Whether it was restored: there is room, its author still exists, and there is no block.
    static func restore(_ comment: Kept, to post: ID<Post>, in tx: Transaction) throws -> Bool {
        let host: ID<Account>? = try tx.value("SELECT account_id FROM post WHERE id = \(post)")
        guard try tx.exists("SELECT 1 FROM account WHERE id = \(comment.author) AND left_at IS NULL"),
            let host, try !Block.stands(between: comment.author, and: host, in: tx),
            try tx.execute("UPDATE post SET comments = comments + 1 WHERE id = \(post) AND comments < \(limit)") == 1
        else { return false }
        try tx.execute(
            """
            INSERT INTO comment (id, post_id, account_id, text, once, created_at, hidden_at)
            VALUES (\(comment.id), \(post), \(comment.author), \(comment.text), \(comment.once),
                \(comment.createdAt), \(comment.hiddenAt))
            """)
        // Open reports about it return to the queue.
        let subject = Subject.comment(comment.id)
        if try Matter.author(of: subject, in: tx) != nil {
            try Matter.raise(subject, of: comment.author, for: .look, in: tx)
        } else if comment.hiddenAt != nil {
            // It was being held when it was deleted.
            try Matter.raise(subject, of: comment.author, for: .first, in: tx)
        }
        return true
    }
}
