import Database

extension Picture: RowDecodable {
    /// Where `picture` is joined.
    static let columns: Columns = [
        "picture.id", "picture.hash", "picture.alt", "picture.width", "picture.height", "picture.focus",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), hash: try row.next(), alt: try row.next(), width: try row.next(),
            height: try row.next(), focus: try row.next())
    }

    /// A picture that this account uploaded; nil for anybody else's.
    static func find(_ id: ID<Picture>, of account: ID<Account>, in db: Connection) throws -> Picture? {
        try db.first(
            """
            SELECT \(columns) FROM picture WHERE picture.id = \(id) AND picture.account_id = \(account)
            """
        )
    }

    /// A picture for what somebody announces: their own, or one of the organization they act for.
    static func find(
        _ id: ID<Picture>, for member: Visitor, at now: Instant, in db: Connection
    ) throws -> Picture? {
        let host = member.acting
        guard host != member.account else { return try find(id, of: host, in: db) }
        return try db.first(
            """
            SELECT \(columns) FROM picture WHERE picture.id = \(id) AND \(isOf(host, at: now))
            """)
    }

    /// Those of these pictures that this account uploaded, in their order.
    static func all(_ ids: [ID<Picture>], of account: ID<Account>, in db: Connection) throws -> [Picture] {
        let found: [Picture] = try db.all(
            """
            SELECT \(columns) FROM picture
            WHERE picture.id IN \(list: ids.padded(to: Post.mostPictures)) AND picture.account_id = \(account) LIMIT 10
            """)
        return ids.compactMap { id in found.first { $0.id == id } }
    }

    /// The files of somebody's pictures.
    static func hashes(of account: ID<Account>, in db: Connection) throws -> [String] {
        let all: [String] = try db.all("SELECT hash FROM picture WHERE account_id = \(account) LIMIT 10000") {
            try $0.next()
        }
        return Set(all).sorted()
    }

    /// Writes down whose picture the file with these sizes is.
    static func insert(
        _ entry: Media.Entry, alt: String, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> Picture {
        let id = try db.insert(
            """
            INSERT INTO picture (account_id, hash, alt, width, height, created_at)
            VALUES (\(account), \(entry.hash), \(alt), \(entry.width), \(entry.height), \(now))
            """)
        return Picture(id: ID(id), hash: entry.hash, alt: alt, width: entry.width, height: entry.height)
    }

    /// Makes a picture of one account another's, which is about to show it. One that is shown already stays where it
    /// is.
    static func give(
        _ id: ID<Picture>, of account: ID<Account>, to other: ID<Account>, in db: Connection
    ) throws {
        guard account != other else { return }
        try db.execute(
            """
            UPDATE picture SET account_id = \(other)
            WHERE id = \(id) AND account_id = \(account) AND \(isUnused)
            """)
    }

    /// Lets a picture that nothing shows for a while stay as long as one that came just now.
    static func touch(_ id: ID<Picture>, of account: ID<Account>, at now: Instant, in db: Connection) throws {
        try db.execute("UPDATE picture SET created_at = \(now) WHERE id = \(id) AND account_id = \(account)")
    }

    /// Writes what it shows, and which part of it matters.
    static func describe(_ picture: Picture, in db: Connection) throws {
        try db.execute(
            """
            UPDATE picture SET alt = \(picture.alt), focus = \(picture.focus)
            WHERE id = \(picture.id) AND (alt <> \(picture.alt) OR focus <> \(picture.focus))
            """)
    }

    /// Gives an organization its picture, or takes it away.
    static func setLogo(_ picture: ID<Picture>?, of account: ID<Account>, in db: Connection) throws {
        try db.execute("UPDATE provider SET picture_id = \(picture) WHERE account_id = \(account)")
    }

    // MARK: Sweeping

    static func exists(hash: String, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM picture WHERE hash = \(hash)")
    }

    /// The last of the next 500 pictures, by which a sweep goes on; nil at the end.
    static func lastOfPage(after id: ID<Picture>, in db: Connection) throws -> ID<Picture>? {
        try db.value(
            """
            SELECT max(id) FROM (SELECT id FROM picture WHERE id > \(id) ORDER BY id LIMIT 500) AS part
            """)
    }

    /// Forgets the pictures from `first` to `last` that came before `instant` and that nothing shows.
    ///
    /// - Returns: How many.
    static func deleteUnused(
        after first: ID<Picture>, to last: ID<Picture>, before instant: Instant, in db: Connection
    ) throws -> Int {
        try db.execute(
            """
            DELETE FROM picture
            WHERE id > \(first) AND id <= \(last) AND created_at < \(instant) AND \(isUnused)
            """)
    }
}

extension Portrait: RowDecodable {
    /// Where `picture` is joined as `portrait`.
    static let columns: Columns = ["portrait.hash"]
    /// A column where `person` is joined, for its owner.
    static let ofPerson: SQL = "(SELECT picture.hash FROM picture WHERE picture.id = person.picture_id)"
    /// The same for others, where `account` is joined, too.
    static let shownOfPerson: SQL = "CASE WHEN \(isShown) THEN \(ofPerson) END"
    /// A condition on `person` and `account`: members see the picture, and where the page is open, everybody.
    static let isShown: SQL = """
        person.shows_picture AND person.hidden_at IS NULL AND account.suspended_at IS NULL
            AND account.left_at IS NULL AND account.waits_since IS NULL
        """
    /// The column of a query over `provider`.
    static let ofProvider: SQL = "(SELECT picture.hash FROM picture WHERE picture.id = provider.picture_id)"

    init(row: inout Row) throws { self.init(hash: try row.next()) }
}
