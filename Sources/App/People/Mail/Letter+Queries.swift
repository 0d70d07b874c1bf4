import Database

extension NoticeKind: SQLValue {}
extension Letter.State: SQLValue {}

extension Letter: RowDecodable {
    static let columns: Columns = [
        "letter.id", "letter.kind", "letter.account_id", "letter.address", "letter.event_id",
        "letter.registration_id", "letter.detail", "letter.subject", "letter.secret", "letter.state", "letter.tries",
        "letter.answer",
        "letter.created_at", "letter.due_at", "letter.ends_at", "letter.done_at",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), kind: try row.next(), account: try row.next(), address: try row.next(),
            event: try row.next(), registration: try row.next(), detail: try row.next(), subject: try row.next(),
            secret: try row.next(),
            state: try row.next(), tries: try row.next(), answer: try row.next(), createdAt: try row.next(),
            dueAt: try row.next(), endsAt: try row.next(), doneAt: try row.next())
    }
}

extension Letter {
    // MARK: Writing

    /// Puts a letter about the account itself into the outbox.
    ///
    /// - Parameters:
    ///   - address: The recipient, if it isn't the account's own address.
    ///   - token: The token for the link in it, if there is one.
    ///   - besideOthers: Whether to keep waiting letters of the same kind.
    static func write(
        _ kind: NoticeKind, to account: ID<Account>, address: String? = nil, token: Token?,
        besideOthers: Bool = false, in tx: Transaction
    ) throws {
        // If there are several, only the last one's link works.
        if !besideOthers {
            try tx.execute(
                """
                UPDATE letter SET state = 'late', secret = '', done_at = \(tx.now)
                WHERE account_id = \(account) AND kind = \(kind) AND state = 'waiting'
                """)
        }
        let to: SQL = address.map { "\($0)" } ?? "email"
        try tx.execute(
            """
            INSERT INTO letter (kind, account_id, address, secret, created_at, due_at, ends_at)
            SELECT \(kind), id, \(to), \(token?.text ?? ""), \(tx.now), \(tx.now), \(tx.now + kind.shelfLife)
                FROM account
            WHERE id = \(account)
            """)
        // Links expire soon, so letters that this one waits for are also sent now.
        guard token != nil else { return }
        try tx.execute(
            """
            UPDATE letter SET due_at = \(tx.now)
            WHERE state = 'waiting' AND due_at > \(tx.now)
                AND address = (SELECT \(to) FROM account WHERE account.id = \(account))
            """)
    }

    /// Puts the last letter to a leaving member into the outbox; it belongs to no account.
    static func writeFarewell(to account: ID<Account>, in tx: Transaction) throws {
        let kind = NoticeKind.deleted
        try tx.execute(
            """
            INSERT INTO letter (kind, address, created_at, due_at, ends_at)
            SELECT \(kind), email, \(tx.now), \(tx.now), \(tx.now + kind.shelfLife) FROM account
            WHERE id = \(account) AND left_at IS NULL AND confirmed_at IS NOT NULL
            """)
    }

    /// Puts a daily or weekly letter about several things into the outbox, if its reader wants it.
    ///
    /// - Returns: Whether it was written.
    @discardableResult static func write(
        gathering kind: NoticeKind, _ detail: String, to account: ID<Account>, in tx: Transaction
    ) throws -> Bool {
        let wish: SQL =
            kind.rule(of: .daily) == .never ? Notice.wish(kind, .mail, "account") : " AND \(Digest.isWanted(kind))"
        return try tx.execute(
            """
            INSERT INTO letter (kind, account_id, address, detail, created_at, due_at, ends_at)
            SELECT \(kind), id, email, \(detail), \(tx.now), \(tx.now), \(tx.now + kind.shelfLife) FROM account
            WHERE id = \(account) AND suspended_at IS NULL\(Notice.reached(kind, "account"))\(wish)
            """) == 1
    }

    /// Redirects waiting letters to the current address.
    static func send(lettersTo old: String, of account: ID<Account>, to new: String, in db: Connection) throws {
        try db.execute(
            """
            UPDATE letter SET address = \(new)
            WHERE account_id = \(account) AND state = 'waiting' AND address = \(old)
            """)
    }

    // MARK: Sending

    /// The next letter to send: letters to one address are sent in order.
    static func next(in tx: Transaction) throws -> Letter? {
        try tx.first(
            """
            SELECT \(columns) FROM letter
            WHERE state = 'waiting' AND due_at <= \(tx.now) AND (claimed_until IS NULL OR claimed_until <= \(tx.now))
                AND NOT EXISTS (
                SELECT 1 FROM letter AS ahead
                WHERE ahead.state = 'waiting' AND ahead.address = letter.address AND ahead.id < letter.id)
            ORDER BY due_at, id LIMIT 1
            """)
    }

    /// How long a claim lasts: longer than a mail server may take. After that its node counts as dead.
    static let claimTime = Duration.minutes(2)

    /// Claims the next letter for a node. No other node sends it meanwhile, and in any case it isn't sent again
    /// immediately.
    static func claim(for node: ID<Node>, in tx: Transaction) throws -> Letter? {
        guard let letter = try next(in: tx) else { return nil }
        try tx.execute(
            """
            UPDATE letter SET tries = \(letter.tries + 1), due_at = \(tx.now + pause(after: letter.tries + 1)),
                claimed_by = \(node), claimed_until = \(tx.now + claimTime)
            WHERE id = \(letter.id)
            """)
        return letter
    }

    /// Releases a claimed letter, unless another node has claimed it by now.
    ///
    /// - Returns: Whether the claim was still that node's.
    private static func release(_ letter: Letter, by node: ID<Node>, in db: Connection) throws -> Bool {
        try db.execute(
            """
            UPDATE letter SET claimed_by = NULL, claimed_until = NULL
            WHERE id = \(letter.id) AND claimed_by = \(node)
            """) == 1
    }

    /// Records a letter's final outcome and erases its link, which from then on only its reader has. A refused letter
    /// keeps the link until it expires, for another attempt.
    static func end(_ letter: ID<Letter>, _ state: State, _ answer: String, in tx: Transaction) throws {
        let secret: SQL = state == .failed ? "secret" : "''"
        try tx.execute(
            """
            UPDATE letter SET state = \(state), answer = \(answer), done_at = \(tx.now),
                secret = \(secret), claimed_by = NULL, claimed_until = NULL
            WHERE id = \(letter)
            """)
        if state != .sent { try endInvitations("id = \(letter)", in: tx) }
        try forgetStrangers("id = \(letter)", in: tx)
    }

    /// Ends the links of the site's invitations that didn't arrive, so that their readers can be invited again.
    ///
    /// - Parameter which: A condition on `letter`.
    private static func endInvitations(_ which: SQL, in db: Connection) throws {
        try OneTimeLink.withdraw(
            all: "SELECT subject FROM letter WHERE \(which) AND kind = 'invitedHere'", .siteInvitation, in: db)
    }

    /// Letters to people without an account whose recipients aren't erased yet.
    private static let strangers: SQL = "kind IN ('invited', 'invitedHere', 'deleted', 'decided') AND address <> ''"

    /// Erases the recipients of letters to people without an account.
    ///
    /// - Parameter which: A condition on `letter` for those that are done.
    private static func forgetStrangers(_ which: SQL, in db: Connection) throws {
        try db.execute(
            """
            UPDATE letter SET address = '', secret = '', answer = ''
            WHERE \(which) AND \(strangers)
                AND (kind <> 'decided' OR account_id IS NULL)
            """)
    }

    /// Records why a letter is postponed; later ones to the same address wait with it.
    static func put(off letter: Letter, by node: ID<Node>, _ answer: String, in tx: Transaction) throws {
        guard try release(letter, by: node, in: tx) else { return }
        let due = tx.now + pause(after: letter.tries + 1)
        try tx.execute("UPDATE letter SET answer = \(answer), due_at = \(due) WHERE id = \(letter.id)")
        try tx.execute(
            """
            UPDATE letter SET due_at = \(due)
            WHERE state = 'waiting' AND address = \(letter.address) AND due_at < \(due)
            """)
    }

    /// Returns a letter to the outbox unchanged, because no letter could have been sent.
    static func putBack(_ letter: Letter, by node: ID<Node>, _ answer: String, in db: Connection) throws {
        guard try release(letter, by: node, in: db) else { return }
        try db.execute(
            """
            UPDATE letter SET tries = \(letter.tries), due_at = \(letter.dueAt), answer = \(answer)
            WHERE id = \(letter.id)
            """)
    }

    /// Removes letters from the outbox that would be too late, and erases expired links.
    @discardableResult static func giveUp(in tx: Transaction) throws -> Int {
        let count = try tx.execute(
            """
            UPDATE letter SET state = 'late', done_at = \(tx.now)
            WHERE state = 'waiting' AND ends_at <= \(tx.now)
            """)
        try tx.execute("UPDATE letter SET secret = '' WHERE secret <> '' AND ends_at <= \(tx.now)")
        try endInvitations("state = 'late' AND \(strangers)", in: tx)
        try forgetStrangers("state = 'late'", in: tx)
        return count
    }

    /// Ends letters of a kind that weren't sent before their link was used and no longer works.
    static func forgetSecrets(_ kind: NoticeKind, of account: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE letter SET secret = '', ends_at = created_at
            WHERE account_id = \(account) AND kind = \(kind) AND secret <> ''
            """)
    }

    /// Erases the outcomes of letters after a month.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM letter WHERE created_at < \(tx.now - memory)")
    }

    /// Whether a member wants calendar attachments in letters about registrations. Calendar programs add these without
    /// asking, so an address that may be somebody else's gets none.
    static func hasMoves(_ account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM account WHERE account.id = \(account) AND account.confirmed_at IS NOT NULL
                \(Notice.wish(.registered, .calendar, "account"))
            """)
    }

    // MARK: The mail server

    /// The problem that keeps all letters from being sent; nil if there is none.
    static func trouble(in db: Connection) throws -> String? { try Note.value("mail_trouble", in: db) }

    static func note(trouble: String?, in db: Connection) throws {
        guard try self.trouble(in: db) != trouble else { return }
        if let trouble { try Note.set("mail_trouble", trouble, in: db) } else { try Note.clear("mail_trouble", in: db) }
    }
}

extension LetterText.Answers {
    /// The host of an event, or of a way to help: the organization, if there is one.
    static func host(_ host: ID<Account>?, at event: ID<Event>? = nil, in db: Connection) throws -> Self {
        guard let host, try Account.find(host, in: db)?.suspendedAt == nil,
            let provider = try Provider.find(of: host, in: db)
        else {
            // Questions about a neighbor's event are asked on its page.
            return event == nil ? .site : .members
        }
        return .organization(provider, at: event)
    }
}
