import Database

extension Account {
    /// Somebody else has this e-mail address or user name.
    enum Taken: Error { case email, username }

    /// Adds an account, or throws `Taken`.
    static func insert(
        email: String, username: String, passwordHash: String, isStaff: Bool = false, at now: Instant,
        in db: Connection
    ) throws -> ID<Account> {
        do {
            return ID(
                try db.insert(
                    """
                    INSERT INTO account (email, username, password, is_staff, created_at, updated_at)
                    VALUES (\(email), \(username), \(passwordHash), \(isStaff), \(now), \(now))
                    """))
        } catch DatabaseError.constraint(.unique(let columns)) {
            throw columns.contains("account.email") ? Taken.email : .username
        }
    }

    /// What a log-in needs to know of an account.
    struct Credentials: Sendable {
        let id: ID<Account>
        let passwordHash: String
        let isSuspended: Bool
        let lastHat: Hat?
    }

    /// The account with this e-mail address or user name, both in lower case.
    static func credentials(for login: String, in db: Connection) throws -> Credentials? {
        try db.first(
            """
            SELECT id, password, suspended_at, last_hat FROM account
            WHERE \(login.contains("@") ? "email" as SQL : "username") = \(login)
            """
        ) {
            Credentials(
                id: try $0[0], passwordHash: try $0[1], isSuspended: (try $0[2] as Instant?) != nil, lastHat: try $0[3])
        }
    }

    static func passwordHash(of id: ID<Account>, in db: Connection) throws -> String? {
        try db.value("SELECT password FROM account WHERE id = \(id)")
    }

    static func find(_ id: ID<Account>, in db: Connection) throws -> Account? {
        try db.first(
            "SELECT id, email, username, is_staff, suspended_at FROM account WHERE id = \(id)", read)
    }

    /// Sets a new password; links that would set another open nothing any more.
    static func setPassword(_ hash: String, of id: ID<Account>, at now: Instant, in db: Connection) throws {
        try db.execute("UPDATE account SET password = \(hash), updated_at = \(now) WHERE id = \(id)")
        try db.execute("DELETE FROM reset_link WHERE account_id = \(id)")
    }

    static func hasStaff(in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM account WHERE is_staff LIMIT 1")
    }

    static func exists(in db: Connection) throws -> Bool { try db.exists("SELECT 1 FROM account LIMIT 1") }

    /// People whose e-mail address or user name begins with `text`, by user name.
    static func search(_ text: String, after: String?, in db: Connection) throws -> [Account] {
        let low = text.lowercased()
        let isEmail = low.contains("@")
        let column: SQL = isEmail ? "email" : "username"
        return try db.all(
            """
            SELECT id, email, username, is_staff, suspended_at FROM account
            WHERE \(column) >= \(low) AND \(column) < \(low + "\u{10FFFF}") AND \(column) > \(after ?? "")
            ORDER BY \(column) LIMIT 50
            """, read)
    }

    /// Suspends an account: its sessions end, and its events leave the lists.
    static func suspend(_ id: ID<Account>, at now: Instant, in db: Connection) throws {
        try db.execute("UPDATE account SET suspended_at = \(now) WHERE id = \(id)")
        try Session.endAll(of: id, in: db)
        try db.execute(
            """
            UPDATE event SET hidden_at = \(now), listed = FALSE
            WHERE hidden_at IS NULL AND provider_id IN (SELECT id FROM provider WHERE account_id = \(id))
            """)
    }

    /// Takes a suspension back, and shows the events again that it hid; what staff hid before stays hidden.
    static func restore(_ id: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE event SET hidden_at = NULL, listed = cancelled_at IS NULL
            WHERE hidden_at = (SELECT suspended_at FROM account WHERE id = \(id))
                AND provider_id IN (SELECT id FROM provider WHERE account_id = \(id))
            """)
        try db.execute("UPDATE account SET suspended_at = NULL WHERE id = \(id)")
    }

    private static func read(_ row: borrowing Row) throws -> Account {
        Account(
            id: try row[0], email: try row[1], username: try row[2], isStaff: try row[3], suspendedAt: try row[4])
    }
}

// MARK: - One-time links

/// A link that sets a new password once, handed over by staff; only the hash of its token is stored.
enum ResetLink {
    static let lifetime = Duration.minutes(30)

    /// A new link for the account; earlier ones are void.
    static func insert(_ token: Token, for account: ID<Account>, at now: Instant, in db: Connection) throws {
        try db.execute("DELETE FROM reset_link WHERE account_id = \(account)")
        try db.execute(
            """
            INSERT INTO reset_link (token_hash, account_id, expires_at)
            VALUES (\(token.hash), \(account), \(now + lifetime))
            """)
    }

    static func account(_ token: Token, at now: Instant, in db: Connection) throws -> ID<Account>? {
        try db.value(
            "SELECT account_id FROM reset_link WHERE token_hash = \(token.hash) AND expires_at > \(now)")
    }
}

/// The link that makes the first admin, printed at the start while there is none.
enum SetupLink {
    /// Replaces the link; it holds until there is an admin.
    static func replace(_ token: Token, at now: Instant, in db: Connection) throws {
        try db.execute("DELETE FROM setup_link")
        try db.execute("INSERT INTO setup_link (token_hash, created_at) VALUES (\(token.hash), \(now))")
    }

    static func exists(_ token: Token, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM setup_link WHERE token_hash = \(token.hash)")
    }

    static func clear(in db: Connection) throws { try db.execute("DELETE FROM setup_link") }
}
