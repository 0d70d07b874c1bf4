import Database

extension Account {
    /// The e-mail address or user name is taken, or the address's domain is blocked.
    enum Taken: Error { case email, username, domain }

    /// Adds an account, or throws `Taken`.
    static func insert(
        email: String, username: String, passwordHash: String, role: Role = .member, in tx: Transaction
    ) throws -> ID<Account> {
        guard try !EmailChange.isTaken(email, in: tx) else { throw Taken.email }
        guard try !isResting(username, in: tx) else { throw Taken.username }
        do {
            return ID(
                try tx.insert(
                    """
                    INSERT INTO account (email, username, password, is_staff, is_admin, created_at, updated_at)
                    VALUES (\(email), \(username), \(passwordHash), \(role.isStaff), \(role == .admin), \(tx.now),
                        \(tx.now))
                    """))
        } catch DatabaseError.constraint(.unique(let columns)) {
            throw columns.contains("account.email") ? Taken.email : .username
        }
    }

    /// A user name like one that is taken, with a digit behind it; nil if those are taken too.
    static func freeName(like username: String, in tx: Transaction) throws -> String? {
        let names = (2...9).map { "\(username.prefix(28))\($0)" }
        let taken: [String] = try tx.all(
            "SELECT username FROM account WHERE username IN \(list: names) ORDER BY username LIMIT \(names.count)"
        ) { try $0.next() }
        let resting = try resting(names, in: tx)
        return names.first { !taken.contains($0) && !resting.contains($0) }
    }

    // MARK: Names of members who left

    /// Keeps the user name of a member who leaves from being taken by another person, if others may have met them.
    static func rest(nameOf id: ID<Account>, in tx: Transaction) throws {
        let username: String? = try tx.value(
            "SELECT username FROM account WHERE id = \(id) AND waits_since IS NULL AND left_at IS NULL")
        guard let username else { return }
        let hash = hash(ofName: username, try Seal.make(in: tx))
        try tx.execute(
            """
            INSERT INTO former_name (hash, until) VALUES (\(hash), \(tx.now + nameRest))
            ON CONFLICT (hash) DO UPDATE SET until = excluded.until
            """)
    }

    private static func isResting(_ username: String, in tx: Transaction) throws -> Bool {
        try !resting([username], in: tx).isEmpty
    }

    /// Finds those among some user names that members had who left.
    private static func resting(_ names: [String], in tx: Transaction) throws -> Set<String> {
        guard let seal = try Seal(in: tx) else { return [] }
        let hashes = names.map { hash(ofName: $0, seal) }
        let found: [[UInt8]] = try tx.all(
            "SELECT hash FROM former_name WHERE hash IN \(list: hashes) AND until > \(tx.now) LIMIT \(names.count)"
        ) { try $0.next() }
        return Set(zip(names, hashes).filter { found.contains($0.1) }.map(\.0))
    }

    private static func hash(ofName username: String, _ seal: Seal) -> [UInt8] {
        seal.hash(of: username, as: "former name")
    }

    /// Erases what may be taken again.
    static func eraseFormerNames(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM former_name WHERE until <= \(tx.now)")
    }

    /// Records that mail to the address reaches the account.
    static func confirm(_ account: ID<Account>, in tx: Transaction) throws {
        try tx.execute("UPDATE account SET confirmed_at = \(tx.now), \(Bounce.none) WHERE id = \(account)")
    }

    /// The data of an account that a log-in needs.
    struct Credentials: Sendable {
        let id: ID<Account>
        var passwordHash: String
        let isSuspended: Bool
        let lastHat: Hat?
        let isStaff: Bool
        /// Whether the second step is required.
        let hasTwoStep: Bool

        fileprivate static let columns: SQL = """
            id, password, suspended_at, last_hat, is_staff, EXISTS (
                SELECT 1 FROM two_step WHERE two_step.account_id = account.id AND turned_on_at IS NOT NULL)
            """

        fileprivate init(row: inout Row) throws {
            (id, passwordHash) = (try row.next(), try row.next())
            isSuspended = (try row.next() as Instant?) != nil
            (lastHat, isStaff, hasTwoStep) = (try row.next(), try row.next(), try row.next())
        }

        /// Whether the password that was compared is still the account's, and may open it.
        func isStillRight(in db: Connection) throws -> Bool {
            try db.exists(
                """
                SELECT 1 FROM account
                WHERE id = \(id) AND password = \(passwordHash) AND suspended_at IS NULL AND left_at IS NULL
                """)
        }
    }

    /// The account with this e-mail address or user name, both in lowercase.
    static func credentials(for login: String, in db: Connection) throws -> Credentials? {
        try db.first(
            """
            SELECT \(Credentials.columns) FROM account
            WHERE \(login.contains("@") ? "email" as SQL : "username") = \(login) AND left_at IS NULL
            """, Credentials.init)
    }

    /// The credentials of a known account.
    static func credentials(of id: ID<Account>, in db: Connection) throws -> Credentials? {
        try db.first("SELECT \(Credentials.columns) FROM account WHERE id = \(id)", Credentials.init)
    }

    static func passwordHash(of id: ID<Account>, in db: Connection) throws -> String? {
        try db.value("SELECT password FROM account WHERE id = \(id)")
    }

    static func find(_ id: ID<Account>, in db: Connection) throws -> Account? {
        try db.first(
            """
            SELECT \(columns) FROM account
            WHERE id = \(id) AND left_at IS NULL
            """, read)
    }

    /// The accounts in a list that still exist.
    static func all(_ ids: [ID<Account>], in db: Connection) throws -> [Account] {
        try db.all(
            """
            SELECT \(columns) FROM account
            WHERE id IN \(list: ids) AND left_at IS NULL ORDER BY id LIMIT \(ids.count)
            """, read)
    }

    /// A condition: the account in this column isn't suspended, so its content is shown.
    static func isActive(_ account: SQL) -> SQL {
        "NOT EXISTS (SELECT 1 FROM account AS actor WHERE actor.id = \(account) AND actor.suspended_at IS NOT NULL)"
    }

    /// The hash of an unknown password, at the standard cost.
    static let nobodysHash =
        "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    /// Stores the same password under another hash.
    ///
    /// - Returns: Whether it was still the account's.
    static func rehash(_ old: String, as new: String, of id: ID<Account>, in db: Connection) throws -> Bool {
        try db.execute("UPDATE account SET password = \(new) WHERE id = \(id) AND password = \(old)") == 1
    }

    /// Sets a new password and ends other links for setting one.
    static func setPassword(_ hash: String, of id: ID<Account>, in tx: Transaction) throws {
        try tx.execute("UPDATE account SET password = \(hash), updated_at = \(tx.now) WHERE id = \(id)")
        try ResetLink.replaceAll(of: id, in: tx)
        try PendingLogIn.endAll(of: id, in: tx)
    }

    static func hasAdmin(in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM account WHERE is_admin LIMIT 1")
    }

    static func exists(in db: Connection) throws -> Bool { try db.exists("SELECT 1 FROM account LIMIT 1") }

    /// - Throws: `Refusal.limited` for a member whom staff restricted to reading.
    static func requireWriting(_ id: ID<Account>, in tx: Transaction) throws {
        let until: Instant? = try tx.value("SELECT limited_until FROM account WHERE id = \(id)")
        if let until, until > tx.now { throw Refusal.limited(until: until) }
    }

    /// The number of accounts with an address at a domain.
    static func count(at domain: String, in db: Connection) throws -> Int {
        try db.value(
            """
            SELECT count(*) FROM account
            WHERE id > 0 AND left_at IS NULL AND substr(email, \(position: "'@'", in: "email") + 1) = \(domain)
            """) ?? 0
    }

    static let pageSize = 50

    /// Indexes the names in an account's profiles, by which staff search.
    static func indexNames(of id: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM person_word WHERE account_id = \(id)")
        let words = try names(of: id, in: db).flatMap { SearchWords.keys(of: $0) }
        for word in Set(words).sorted().prefix(60) {
            try db.execute("INSERT INTO person_word (word, account_id) VALUES (\(word), \(id))")
        }
    }

    /// The names in an account's profiles.
    static func names(of id: ID<Account>, in db: Connection) throws -> [String] {
        let family = try Family.find(of: id, in: db)
        let provider = try Provider.find(of: id, in: db)
        return [family?.firstName, family?.lastName, provider?.firstName, provider?.lastName, provider?.organization]
            .compactMap(\.self)
    }

    /// The version of the name index; a change rewrites all of it.
    private static let nameIndex = "keys \(SearchWords.edition)"

    static func namesAreIndexed(in db: Connection) throws -> Bool {
        try Note.value("name_index", in: db) == nameIndex
    }

    /// Indexes the names of the next accounts.
    ///
    /// - Returns: The last of them; nil if there are no more, and then the index is marked as complete.
    static func indexNames(after last: ID<Account>, in db: Connection) throws -> ID<Account>? {
        let ids: [ID<Account>] = try db.all(
            "SELECT id FROM account WHERE id > \(last) ORDER BY id LIMIT 500"
        ) { try $0.next() }
        for id in ids { try indexNames(of: id, in: db) }
        if ids.isEmpty { try Note.set("name_index", nameIndex, in: db) }
        return ids.last
    }

    static let columns: SQL =
        """
        account.id, account.email, account.username, \(Role.columns), suspended_at, confirmed_at, waits_since,
            refused_at, refusal
        """

    static func read(_ row: inout Row) throws -> Account {
        Account(
            id: try row.next(), email: try row.next(), username: try row.next(), role: try row.next(),
            suspendedAt: try row.next(), confirmedAt: try row.next(), waitsSince: try row.next(),
            bounce: try Bounce(of: &row))
    }
}

// MARK: - One-time links

/// A one-time link that sets a new password, from a letter or from staff; only its token's hash is stored.
enum ResetLink {
    static let lifetime = Duration.minutes(30)
    /// Short, because others may see the letter.
    static let lifetimeByMail = Duration.minutes(15)

    /// Makes a link for the account. It ends earlier ones, which can say so for a month.
    ///
    /// - Parameters:
    ///   - isMailed: Whether it is only sent to the account's address in a letter.
    ///   - others: How many of the latest earlier links keep working.
    static func insert(
        _ token: Token, for account: ID<Account>, isMailed: Bool = false, beside others: Int = 0, in tx: Transaction
    ) throws {
        let lifetime = isMailed ? lifetimeByMail : lifetime
        try OneTimeLink.withdrawAll(.reset, of: account, butLast: others, in: tx)
        if others == 0 { try Letter.forgetSecrets(.reset, of: account, in: tx) }
        let email: String? = isMailed ? try tx.value("SELECT email FROM account WHERE id = \(account)") : nil
        try OneTimeLink.insert(token, .reset, of: account, detail: email ?? "", until: tx.now + lifetime, in: tx)
    }

    /// The account whose password the link sets, or why it no longer does; nil for a link that never existed.
    static func find(_ token: Token, in tx: Transaction) throws -> LinkState<OneTimeLink>? {
        try OneTimeLink.find(token, .reset, in: tx)
    }

    static func replaceAll(of account: ID<Account>, in db: Connection) throws {
        try OneTimeLink.withdrawAll(.reset, of: account, in: db)
        try Letter.forgetSecrets(.reset, of: account, in: db)
    }
}

/// The link that creates the first admin, printed at the start while there is none.
enum SetupLink {
    /// The link that is valid until there is an admin: the one that was shown before, or a new one if there is none or
    /// the key has changed.
    static func token(of key: SiteKey, in tx: Transaction) throws -> Token {
        let told: (hash: [UInt8], made: Instant)? = try tx.first(
            "SELECT token_hash, created_at FROM setup_link WHERE ended IS NULL ORDER BY id DESC LIMIT 1"
        ) { row in (try row.next(), try row.next()) }
        if let told, key.setupToken(at: told.made).hash == told.hash { return key.setupToken(at: told.made) }
        try tx.execute("UPDATE setup_link SET ended = 'replaced' WHERE ended IS NULL")
        let token = key.setupToken(at: tx.now)
        try tx.execute("INSERT INTO setup_link (token_hash, created_at) VALUES (\(token.hash), \(tx.now))")
        return token
    }

    /// Whether the link creates an admin, or why it no longer does; nil for a link that never existed.
    static func find(_ token: Token, in db: Connection) throws -> LinkState<Token>? {
        try db.first("SELECT ended FROM setup_link WHERE token_hash = \(token.hash)") { row in
            switch try row.next() as String? {
            case nil: return .open(token)
            case "used"?: return .ended(LinkEnd(.setup, .used))
            case .some: return .ended(LinkEnd(.setup, .replaced))
            }
        }
    }

    /// Ends the link because there is an admin.
    static func end(in db: Connection) throws { try db.execute("UPDATE setup_link SET ended = 'used'") }
}
