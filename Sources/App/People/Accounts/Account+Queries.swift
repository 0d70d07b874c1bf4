import Database

extension Account {
    /// Somebody else has this e-mail address or user name, or the address is of a mail domain that is blocked.
    enum Taken: Error { case email, username, domain }

    /// Adds an account, or throws `Taken`.
    static func insert(
        email: String, username: String, passwordHash: String, role: Role = .member, at now: Instant,
        in db: Connection
    ) throws -> ID<Account> {
        guard try !EmailChange.isTaken(email, at: now, in: db) else { throw Taken.email }
        do {
            return ID(
                try db.insert(
                    """
                    INSERT INTO account (email, username, password, is_staff, is_admin, created_at, updated_at)
                    VALUES (\(email), \(username), \(passwordHash), \(role.isStaff), \(role == .admin), \(now),
                        \(now))
                    """))
        } catch DatabaseError.constraint(.unique(let columns)) {
            throw columns.contains("account.email") ? Taken.email : .username
        }
    }

    /// The address is known to reach its account.
    static func confirm(_ account: ID<Account>, at now: Instant, in db: Connection) throws {
        try db.execute("UPDATE account SET confirmed_at = \(now), \(Bounce.none) WHERE id = \(account)")
    }

    /// What a log-in needs to know of an account.
    struct Credentials: Sendable {
        let id: ID<Account>
        var passwordHash: String
        let isSuspended: Bool
        let lastHat: Hat?
        let isStaff: Bool
        /// Whether a code is asked for after the password.
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

    /// The account with this e-mail address or user name, both in lower case.
    static func credentials(for login: String, in db: Connection) throws -> Credentials? {
        try db.first(
            """
            SELECT \(Credentials.columns) FROM account
            WHERE \(login.contains("@") ? "email" as SQL : "username") = \(login) AND left_at IS NULL
            """, Credentials.init)
    }

    /// Those of an account that is known already.
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

    /// Those of a list who are still here.
    static func all(_ ids: [ID<Account>], in db: Connection) throws -> [Account] {
        try db.all(
            """
            SELECT \(columns) FROM account
            WHERE id IN \(list: ids) AND left_at IS NULL ORDER BY id LIMIT \(ids.count)
            """, read)
    }

    /// A condition: the account in this column isn't suspended, so that what it says and does is shown.
    static func isActive(_ account: SQL) -> SQL {
        "NOT EXISTS (SELECT 1 FROM account AS actor WHERE actor.id = \(account) AND actor.suspended_at IS NOT NULL)"
    }

    /// The hash of a password that nobody knows, at the standard cost.
    static let nobodysHash =
        "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    /// Stores the same password under another hash.
    ///
    /// - Returns: Whether it still was the account's.
    static func rehash(_ old: String, as new: String, of id: ID<Account>, in db: Connection) throws -> Bool {
        try db.execute("UPDATE account SET password = \(new) WHERE id = \(id) AND password = \(old)") == 1
    }

    /// Sets a new password; links that would set another open nothing anymore.
    static func setPassword(_ hash: String, of id: ID<Account>, at now: Instant, in db: Connection) throws {
        try db.execute("UPDATE account SET password = \(hash), updated_at = \(now) WHERE id = \(id)")
        try ResetLink.replaceAll(of: id, in: db)
        try PendingLogIn.endAll(of: id, in: db)
    }

    static func hasAdmin(in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM account WHERE is_admin LIMIT 1")
    }

    static func exists(in db: Connection) throws -> Bool { try db.exists("SELECT 1 FROM account LIMIT 1") }

    /// People of whom each word begins the user name, the e-mail address, or a word of their names or of their
    /// organization's; by user name.
    static func search(
        _ text: String, only: PeopleToLookAfter.Only? = nil, after: Cursor<String>?, in db: Connection
    ) throws -> Page<Account> {
        var conditions: [SQL] = ["username > \(after?.keys ?? "")", "left_at IS NULL"]
        if let only { conditions.append(only.condition) }
        for typed in text.split(whereSeparator: \.isWhitespace).prefix(4) {
            let name = name(typed: String(typed))
            let word = SearchWords.ofName(String(typed)).joined()
            // The plus keeps to the order of the user names, so that nothing is sorted.
            conditions.append(
                """
                \(unindexed: "id") IN (
                    SELECT id FROM account WHERE username >= \(name) AND username < \(name + "\u{10FFFF}")
                    UNION ALL SELECT id FROM account WHERE email >= \(name) AND email < \(name + "\u{10FFFF}")
                    UNION ALL SELECT account_id FROM person_word
                        WHERE \(word) <> '' AND word >= \(word) AND word < \(word + "\u{10FFFF}"))
                """)
        }
        return try Page(of: pageSize, by: \.username) { limit in
            try db.all(
                """
                SELECT \(columns) FROM account
                WHERE \(conditions.joined(separator: " AND ")) ORDER BY username LIMIT \(limit)
                """, read)
        }
    }

    /// Those who came last; of those at a mail domain, invited by somebody, or with an open matter,
    /// if so asked.
    /// For staff only: a domain is looked for in all addresses.
    static func newest(
        at domain: MailDomain? = nil, invitedBy inviter: ID<Account>? = nil,
        only: PeopleToLookAfter.Only? = nil, after: Cursor<ID<Account>>?, in db: Connection
    ) throws -> Page<Account> {
        var conditions: [SQL] = ["account.id < \(after?.keys ?? ID(.max))", "left_at IS NULL"]
        if let domain { conditions.append("substr(email, \(position: "'@'", in: "email") + 1) = \(domain.name)") }
        if let inviter { conditions.append("inviter_id = \(inviter)") }
        if let only { conditions.append(only.condition) }
        return try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(columns) FROM account
                WHERE \(conditions.joined(separator: " AND ")) ORDER BY account.id DESC LIMIT \(limit)
                """, read)
        }
    }

    /// - Throws: `Refusal.limited` for a member whom staff let only read for now.
    static func requireWriting(_ id: ID<Account>, at now: Instant, in db: Connection) throws {
        let until: Instant? = try db.value("SELECT limited_until FROM account WHERE id = \(id)")
        if let until, until > now { throw Refusal.limited(until: until) }
    }

    /// How many have an address there.
    static func count(at domain: String, in db: Connection) throws -> Int {
        try db.value(
            """
            SELECT count(*) FROM account
            WHERE id > 0 AND left_at IS NULL AND substr(email, \(position: "'@'", in: "email") + 1) = \(domain)
            """) ?? 0
    }

    static let pageSize = 50

    /// Writes down the words that staff find somebody by: those of the names in both profiles.
    static func indexNames(of id: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM person_word WHERE account_id = \(id)")
        let words = try names(of: id, in: db).flatMap { SearchWords.keys(of: $0) }
        for word in Set(words).sorted().prefix(60) {
            try db.execute("INSERT INTO person_word (word, account_id) VALUES (\(word), \(id))")
        }
    }

    /// The names in both profiles.
    static func names(of id: ID<Account>, in db: Connection) throws -> [String] {
        let family = try Family.find(of: id, in: db)
        let provider = try Provider.find(of: id, in: db)
        return [family?.firstName, family?.lastName, provider?.firstName, provider?.lastName, provider?.organization]
            .compactMap(\.self)
    }

    /// How the names are indexed; another word for it has all of them indexed anew.
    private static let nameIndex = "keys \(SearchWords.edition)"

    static func namesAreIndexed(in db: Connection) throws -> Bool {
        try Note.value("name_index", in: db) == nameIndex
    }

    /// Indexes the names of the next accounts.
    ///
    /// - Returns: The last of them; nil when there are no more, and then it is noted that all are indexed.
    static func indexNames(after last: ID<Account>, in db: Connection) throws -> ID<Account>? {
        let ids: [ID<Account>] = try db.all(
            "SELECT id FROM account WHERE id > \(last) ORDER BY id LIMIT 500"
        ) { try $0.next() }
        for id in ids { try indexNames(of: id, in: db) }
        if ids.isEmpty { try Note.set("name_index", nameIndex, in: db) }
        return ids.last
    }

    /// Suspends an account: its sessions end, and its events leave the lists.
    ///
    /// - Returns: Whether it wasn't suspended before.
    @discardableResult
    static func suspend(_ id: ID<Account>, at now: Instant, in db: Connection) throws -> Bool {
        let count = try db.execute(
            "UPDATE account SET suspended_at = \(now) WHERE id = \(id) AND suspended_at IS NULL")
        guard count == 1 else { return false }
        try Session.endAll(of: id, in: db)
        let events = try Event.ahead(of: id, at: now, in: db)
        try Event.relist("account_id = \(id)", in: db)
        try Opportunity.relist("account_id = \(id)", in: db)
        try Need.relist("account_id = \(id)", in: db)
        try Event.tellHidden(events, at: now, in: db)
        // A place kept for somebody who can't come goes to somebody else.
        try Registration.endOffers(of: id, at: now, in: db)
        try Promise.endAll(of: id, at: now, in: db)
        try Claim.endAll(of: id, at: now, in: db)
        try PetMatch.callOff(of: id, at: now, in: db)
        try TalkThread.callOff(of: id, in: db)
        return true
    }

    /// Takes a suspension back, and shows the events again that it hid; what staff hid stays hidden.
    ///
    /// - Returns: Whether it was suspended.
    @discardableResult
    static func restore(_ id: ID<Account>, in db: Connection) throws -> Bool {
        let count = try db.execute(
            "UPDATE account SET suspended_at = NULL WHERE id = \(id) AND suspended_at IS NOT NULL")
        guard count == 1 else { return false }
        try Event.relist("account_id = \(id)", in: db)
        try Opportunity.relist("account_id = \(id)", in: db)
        try Need.relist("account_id = \(id)", in: db)
        return true
    }

    private static let columns: SQL =
        """
        account.id, account.email, account.username, \(Role.columns), suspended_at, confirmed_at, waits_since,
            refused_at, refusal
        """

    private static func read(_ row: inout Row) throws -> Account {
        Account(
            id: try row.next(), email: try row.next(), username: try row.next(), role: try row.next(),
            suspendedAt: try row.next(), confirmedAt: try row.next(), waitsSince: try row.next(),
            bounce: try Bounce(of: &row))
    }
}

// MARK: - One-time links

/// A link that sets a new password once, from a letter or handed over by staff; only the hash of its token is stored.
enum ResetLink {
    static let lifetime = Duration.minutes(30)
    /// In a letter, which others may come to see.
    static let lifetimeByMail = Duration.minutes(15)

    /// A new link for the account; earlier ones are void, and for a month they can say so.
    ///
    /// - Parameters:
    ///   - isMailed: Whether it goes to the account's address, in a letter, and nowhere else.
    ///   - others: How many of the earlier ones, the last, go on working.
    static func insert(
        _ token: Token, for account: ID<Account>, isMailed: Bool = false, beside others: Int = 0,
        at now: Instant, in db: Connection
    ) throws {
        let lifetime = isMailed ? lifetimeByMail : lifetime
        try OneTimeLink.withdrawAll(.reset, of: account, butLast: others, in: db)
        if others == 0 { try Letter.forgetSecrets(.reset, of: account, in: db) }
        let email: String? = isMailed ? try db.value("SELECT email FROM account WHERE id = \(account)") : nil
        try OneTimeLink.insert(token, .reset, of: account, detail: email ?? "", until: now + lifetime, in: db)
    }

    /// The account whose password the link sets, or why it sets none anymore; nil for a link that never was.
    static func find(_ token: Token, at now: Instant, in db: Connection) throws -> LinkState<OneTimeLink>? {
        try OneTimeLink.find(token, .reset, at: now, in: db)
    }

    /// The link did what it is for. One that came in a letter also showed that the address reaches its account.
    static func use(_ link: OneTimeLink, on today: Day, at now: Instant, in db: Connection) throws {
        try OneTimeLink.use(link.id, in: db)
        let isNews = try db.exists(
            """
            SELECT 1 FROM account
            WHERE id = \(link.account) AND email = \(link.detail) AND confirmed_at IS NULL
            """)
        guard isNews else { return }
        try Account.confirm(link.account, at: now, in: db)
        try ConfirmLink.follow(link.account, on: today, at: now, in: db)
    }

    static func replaceAll(of account: ID<Account>, in db: Connection) throws {
        try OneTimeLink.withdrawAll(.reset, of: account, in: db)
        try Letter.forgetSecrets(.reset, of: account, in: db)
    }
}

/// The link that makes the first admin, printed at the start while there is none.
enum SetupLink {
    /// The link that holds until there is an admin: the one that was told before, or a new one where there is none, or
    /// the key is another one by now.
    static func token(of key: SiteKey, at now: Instant, in db: Connection) throws -> Token {
        let told: (hash: [UInt8], made: Instant)? = try db.first(
            "SELECT token_hash, created_at FROM setup_link WHERE ended IS NULL ORDER BY id DESC LIMIT 1"
        ) { row in (try row.next(), try row.next()) }
        if let told, key.setupToken(at: told.made).hash == told.hash { return key.setupToken(at: told.made) }
        try db.execute("UPDATE setup_link SET ended = 'replaced' WHERE ended IS NULL")
        let token = key.setupToken(at: now)
        try db.execute("INSERT INTO setup_link (token_hash, created_at) VALUES (\(token.hash), \(now))")
        return token
    }

    /// Whether the link makes an admin, or why it makes none anymore; nil for a link that never was.
    static func find(_ token: Token, in db: Connection) throws -> LinkState<Token>? {
        try db.first("SELECT ended FROM setup_link WHERE token_hash = \(token.hash)") { row in
            switch try row.next() as String? {
            case nil: return .open(token)
            case "used"?: return .ended(LinkEnd(.setup, .used))
            case .some: return .ended(LinkEnd(.setup, .replaced))
            }
        }
    }

    /// There is an admin: no link makes another.
    static func end(in db: Connection) throws { try db.execute("UPDATE setup_link SET ended = 'used'") }
}
