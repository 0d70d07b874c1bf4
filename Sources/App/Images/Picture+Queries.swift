import Database

extension Picture: RowDecodable {
    /// `picture` must be joined.
    static let columns: Columns = [
        "picture.id", "picture.hash", "picture.alt", "picture.width", "picture.height", "picture.focus",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), hash: try row.next(), alt: try row.next(), width: try row.next(),
            height: try row.next(), focus: try row.next())
    }

    /// A picture that this account uploaded; nil if it is somebody else's.
    static func find(_ id: ID<Picture>, of account: ID<Account>, in db: Connection) throws -> Picture? {
        try db.first(
            """
            SELECT \(columns) FROM picture WHERE picture.id = \(id) AND picture.account_id = \(account)
            """
        )
    }

    /// Those of these pictures that this account uploaded, in order.
    static func all(_ ids: [ID<Picture>], of account: ID<Account>, in db: Connection) throws -> [Picture] {
        let found: [Picture] = try db.all(
            """
            SELECT \(columns) FROM picture
            WHERE picture.id IN \(list: ids.padded(to: mostOfOne)) AND picture.account_id = \(account) LIMIT 10
            """)
        return ids.compactMap { id in found.first { $0.id == id } }
    }

    /// The hashes of an account's pictures.
    static func hashes(of account: ID<Account>, in db: Connection) throws -> [String] {
        let all: [String] = try db.all("SELECT hash FROM picture WHERE account_id = \(account) LIMIT 10000") {
            try $0.next()
        }
        return Set(all).sorted()
    }

    /// Records the owner of the file with these sizes.
    static func insert(
        _ entry: Media.Entry, alt: String, of account: ID<Account>, in tx: Transaction
    ) throws -> Picture {
        let id = try tx.insert(
            """
            INSERT INTO picture (account_id, hash, alt, width, height, created_at)
            VALUES (\(account), \(entry.hash), \(alt), \(entry.width), \(entry.height), \(tx.now))
            """)
        return Picture(id: ID(id), hash: entry.hash, alt: alt, width: entry.width, height: entry.height)
    }

    /// Transfers a picture to another account that is about to show it. A picture that is already shown stays.
    static func give(_ id: ID<Picture>, of account: ID<Account>, to other: ID<Account>, in db: Connection) throws {
        guard account != other else { return }
        try db.execute(
            """
            UPDATE picture SET account_id = \(other)
            WHERE id = \(id) AND account_id = \(account) AND \(isUnused)
            """)
    }

    /// Resets the age of an unused picture, so that it isn't swept soon.
    static func touch(_ id: ID<Picture>, of account: ID<Account>, in tx: Transaction) throws {
        try tx.execute("UPDATE picture SET created_at = \(tx.now) WHERE id = \(id) AND account_id = \(account)")
    }

    /// Updates the description and the focus.
    static func describe(_ picture: Picture, in db: Connection) throws {
        try db.execute(
            """
            UPDATE picture SET alt = \(picture.alt), focus = \(picture.focus)
            WHERE id = \(picture.id) AND (alt <> \(picture.alt) OR focus <> \(picture.focus))
            """)
    }

    /// Sets or removes an organization's picture.
    ///
    /// - Returns: Whether it looks different from before.
    static func setLogo(_ picture: Picture?, of account: ID<Account>, in db: Connection) throws -> Bool {
        let before: String? = try db.value(
            """
            SELECT picture.hash FROM provider JOIN picture ON picture.id = provider.picture_id
            WHERE provider.account_id = \(account)
            """)
        guard before != picture?.hash else { return false }
        try db.execute("UPDATE provider SET picture_id = \(picture?.id) WHERE account_id = \(account)")
        return true
    }

    // MARK: Sweeping

    static func exists(hash: String, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM picture WHERE hash = \(hash)")
    }

    /// The last of the next 500 pictures, as a sweep's position; nil at the end.
    static func lastOfPage(after id: ID<Picture>, in db: Connection) throws -> ID<Picture>? {
        try db.value(
            """
            SELECT max(id) FROM (SELECT id FROM picture WHERE id > \(id) ORDER BY id LIMIT 500) AS part
            """)
    }

    /// Deletes the unused pictures from `first` to `last` that were uploaded before `instant`.
    ///
    /// - Returns: The number deleted.
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
    /// `picture` must be joined as `portrait`.
    static let columns: Columns = ["portrait.hash"]
    /// The owner's view of a person's picture, as a column; `person` must be joined.
    static let ofPerson: SQL = "(SELECT picture.hash FROM picture WHERE picture.id = person.picture_id)"
    /// Others' view of it; `account` must be joined, too.
    static let shownOfPerson: SQL = "CASE WHEN \(isShown) THEN \(ofPerson) END"
    /// A condition on `person` and `account`: members see the picture, and everyone does if the page is public.
    static let isShown: SQL = """
        person.shows_picture AND person.hidden_at IS NULL AND account.suspended_at IS NULL
            AND account.left_at IS NULL AND account.waits_since IS NULL
        """
    /// A provider's picture, as a column of a query over `provider`.
    static let ofProvider: SQL = "(SELECT picture.hash FROM picture WHERE picture.id = provider.picture_id)"

    init(row: inout Row) throws { self.init(hash: try row.next()) }
}
