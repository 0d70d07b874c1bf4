import Database

extension Block {
    /// A condition that is true if a reader and an author don't meet, because one of them blocked the other.
    ///
    /// ```swift
    /// "SELECT … FROM post WHERE NOT \(Block.hides("post.account_id", from: reader))"
    /// ```
    ///
    /// - Parameters:
    ///   - author: The column with the author.
    ///   - reader: The reader; visitors without an account block nobody.
    static func hides(_ author: SQL, from reader: ID<Account>?) -> SQL {
        guard let reader else { return "FALSE" }
        return stands(between: "\(reader)", and: author)
    }

    /// A condition: one of the accounts in two columns blocks the other.
    static func stands(between one: SQL, and other: SQL) -> SQL {
        """
        (EXISTS (SELECT 1 FROM block WHERE block.account_id = \(one) AND block.blocked_id = \(other))
            OR EXISTS (SELECT 1 FROM block WHERE block.account_id = \(other) AND block.blocked_id = \(one)))
        """
    }

    /// Whether either of the two blocks the other.
    static func stands(between one: ID<Account>, and other: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM account WHERE id = \(other) AND \(hides("account.id", from: one))")
    }

    /// The people a member blocked, newest members first.
    static func all(by account: ID<Account>, after: Cursor<ID<Account>>?, in db: Connection) throws -> Page<Block> {
        try Page(of: pageSize, by: \.blocked.account) { limit in
            try db.all(
                """
                SELECT \(Author.columns), provider.organization
                FROM block JOIN account ON account.id = block.blocked_id
                LEFT JOIN person ON person.account_id = account.id
                LEFT JOIN provider ON provider.account_id = account.id
                WHERE block.account_id = \(account) AND block.blocked_id < \(after?.keys ?? ID(.max))
                ORDER BY block.blocked_id DESC LIMIT \(limit)
                """
            ) {
                let author: Author = try $0.next()
                return Block(blocked: author, username: author.username, organization: try $0.next())
            }
        }
    }

    /// The account with a user name, unless its member left.
    static func account(named username: String, in db: Connection) throws -> ID<Account>? {
        try db.value("SELECT id FROM account WHERE username = \(username) AND left_at IS NULL")
    }

    /// Removes a block; the other member's own block stays.
    static func remove(_ blocked: ID<Account>, by account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM block WHERE account_id = \(account) AND blocked_id = \(blocked)")
    }

    /// Erases all blocks of a leaving member.
    static func forget(_ account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM block WHERE blocked_id = \(account)")
    }
}
