import Database

extension ClaimThread {
    /// A thread that is there for one of its two.
    static func find(_ claim: ID<Claim>, of account: ID<Account>, in db: Connection) throws -> ClaimThread? {
        try found("claim.id = \(claim)", for: account, in: db).first
    }

    /// Those of somebody about something that is needed: what is open first, and what is newer.
    static func all(at need: ID<Need>, of account: ID<Account>, in db: Connection) throws -> [ClaimThread] {
        let threads = try found("claim.need_id = \(need)", for: account, in: db)
        return threads.filter { $0.overAt == nil } + threads.filter { $0.overAt != nil }
    }

    /// Those in which something waits to be read: about what somebody asked for, and about what they promised once
    /// that has left the list of what is open, where it is told as long as it stands there (`Claim.lines`).
    static func unread(of account: ID<Account>, in db: Connection) throws -> [ClaimThread] {
        try found(
            """
            claim.id IN (
                SELECT thread_side.claim_id FROM thread_side
                WHERE thread_side.account_id = \(account) AND thread_side.unread > 0)
            AND (need.account_id = \(account) OR NOT (need.listed AND claim.state IN ('taken', 'brought')))
            """, for: account, in: db)
    }

    private static func found(_ which: SQL, for account: ID<Account>, in db: Connection) throws -> [ClaimThread] {
        try db.all(
            """
            SELECT claim.id, need.id, need.title, \(Author.columns), coalesce(side.unread, 0), claim.over_at
            FROM claim JOIN need ON need.id = claim.need_id
            JOIN account ON account.id =
                CASE WHEN claim.account_id = \(account) THEN need.account_id ELSE claim.account_id END
            LEFT JOIN person ON person.account_id = account.id
            LEFT JOIN thread_side AS side ON side.claim_id = claim.id AND side.account_id = \(account)
            WHERE \(which) AND claim.has_thread AND claim.state <> 'asked' AND need.hidden_at IS NULL
                AND (claim.account_id = \(account) OR need.account_id = \(account))
                AND account.suspended_at IS NULL AND account.left_at IS NULL
                AND NOT \(Block.hides("account.id", from: account))
            ORDER BY claim.id DESC LIMIT 1000
            """
        ) { row in
            ClaimThread(
                claim: try row.next(), need: try row.next(), title: try row.next(), other: try row.next(),
                unread: try row.next(), overAt: try row.next())
        }
    }

    /// Notes that somebody read what is in it.
    static func see(_ claim: ID<Claim>, by account: ID<Account>, at now: Instant, in db: Connection) throws {
        try db.execute("UPDATE thread_side SET unread = 0 WHERE claim_id = \(claim) AND account_id = \(account)")
        try Notice.read(beside: [.wrote], about: claim.rawValue, of: account, at: now, in: db)
    }

    /// Tells open pages that there is nothing more to say between two of whom one blocks the other, and erases what
    /// was told of it.
    static func part(_ one: ID<Account>, from other: ID<Account>, in db: Connection) throws {
        let claims: SQL = """
            SELECT mine.claim_id FROM thread_side AS mine
            JOIN thread_side AS theirs ON theirs.claim_id = mine.claim_id AND theirs.account_id = \(other)
            WHERE mine.account_id = \(one)
            """
        try close(claims, in: db)
    }

    /// Tells open pages that nobody can talk to somebody at the moment, and erases what was told of it.
    static func callOff(of account: ID<Account>, in db: Connection) throws {
        try close("SELECT claim_id FROM thread_side WHERE account_id = \(account) ORDER BY last_at DESC", in: db)
    }

    /// The same of all who talk about something that is needed: it is hidden, or waits for a yes again.
    static func callOff(at need: ID<Need>, in db: Connection) throws {
        try close("SELECT id FROM claim WHERE need_id = \(need) AND has_thread ORDER BY id DESC", in: db)
    }

    /// What was told leads nowhere then.
    private static func close(_ claims: SQL, in db: Connection) throws {
        try eraseNotices(of: claims, in: db)
        let claims: [ID<Claim>] = try db.all("\(claims) LIMIT 100") { try $0.next() }
        for claim in claims { try TalkNews.note(.claim(claim), in: db) }
    }

    // MARK: Erasing

    /// Erases the threads that were over a while ago.
    ///
    /// - Returns: How many messages those had.
    static func eraseOld(at now: Instant, in db: Connection) throws -> Int {
        let old: SQL = "claim.has_thread AND claim.over_at < \(now - kept)"
        let count = try erase("SELECT claim.id FROM claim WHERE \(old)", in: db)
        try db.execute("UPDATE claim SET has_thread = FALSE WHERE \(old)")
        return count
    }

    /// Erases the threads of somebody who leaves, with what the others said there.
    static func forget(of account: ID<Account>, in db: Connection) throws {
        try erase(
            """
            SELECT claim.id FROM claim WHERE claim.account_id = \(account)
            UNION ALL
            SELECT claim.id FROM need JOIN claim ON claim.need_id = need.id WHERE need.account_id = \(account)
            """, in: db)
        try db.execute("UPDATE claim SET has_thread = FALSE WHERE account_id = \(account)")
    }

    /// Erases what was said in the threads of some claims, and what was told of it.
    @discardableResult private static func erase(_ claims: SQL, in db: Connection) throws -> Int {
        try eraseNotices(of: claims, in: db)
        let count = try db.execute("DELETE FROM message WHERE claim_id IN (\(claims))")
        try db.execute("DELETE FROM talk_news WHERE claim_id IN (\(claims))")
        return try count + db.execute("DELETE FROM thread_side WHERE claim_id IN (\(claims))")
    }

    private static func eraseNotices(of claims: SQL, in db: Connection) throws {
        try Notice.erase(
            """
            event_id IS NULL AND kind = \(NoticeKind.wrote)
                AND account_id IN (SELECT thread_side.account_id FROM thread_side WHERE claim_id IN (\(claims)))
                AND subject IN (\(claims))
            """, in: db)
    }
}

extension Message {
    /// Says something in a thread, once however often the form is sent; the other is told, by mail at most once an
    /// hour.
    ///
    /// - Returns: Whether it wasn't there yet.
    /// - Throws: `Refusal.notFound` where the thread is no longer there; `ClaimThread.IsOver`; `HasLink`.
    @discardableResult static func send(
        _ text: String, in claim: ID<Claim>, by account: ID<Account>, once: String, at now: Instant, db: Connection
    ) throws -> Bool {
        guard let thread = try ClaimThread.find(claim, of: account, in: db) else { throw Refusal.notFound }
        guard thread.isOpen(at: now) else { throw ClaimThread.IsOver() }
        let other = thread.other.account
        guard try store(text, in: .claim(claim), by: account, to: other, once: once, at: now, db: db) else {
            return false
        }
        for one in [account, other] {
            try db.execute(
                """
                INSERT INTO thread_side (claim_id, account_id, last_at, unread)
                VALUES (\(claim), \(one), \(now), \(one == other ? 1 : 0))
                ON CONFLICT (claim_id, account_id) DO UPDATE
                SET last_at = excluded.last_at, unread = thread_side.unread + excluded.unread
                """)
        }
        let news = ThreadNews(.wrote, claim, thread.title)
        try tell(
            Notice.News(kind: news.kind, detail: news.detail, subject: claim.rawValue), other, at: now, in: db)
        return true
    }
}
