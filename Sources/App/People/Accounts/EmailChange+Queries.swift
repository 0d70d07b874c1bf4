import Database

extension EmailChange: RowDecodable {
    static let columns: Columns = [
        "email_change.id", "email_change.account_id", "email_change.old_email", "email_change.new_email",
        "email_change.asked_at",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), account: try row.next(), oldEmail: try row.next(), newEmail: try row.next(),
            askedAt: try row.next())
    }
}

extension EmailChange {
    /// Requests a change to another address: sends a letter with a link there, and ends earlier requests.
    ///
    /// If the address is somebody else's, the request looks the same, but no letter is sent.
    static func ask(for email: String, by account: ID<Account>, in tx: Transaction) throws {
        try endPending(of: account, in: tx)
        let id = ID<EmailChange>(
            try tx.insert(
                """
                INSERT INTO email_change (account_id, old_email, new_email, asked_at)
                SELECT id, email, \(email), \(tx.now) FROM account WHERE id = \(account)
                """))
        let token = Token()
        try ConfirmLink.insert(token, for: account, change: (id, email), in: tx)
        guard try !isTaken(email, besides: account, in: tx) else {
            return try Letter.forgetSecrets(.address, of: account, in: tx)
        }
        try Letter.write(.address, to: account, address: email, token: token, in: tx)
    }

    /// The requested address that isn't confirmed yet.
    static func pending(of account: ID<Account>, in tx: Transaction) throws -> String? {
        try tx.value(
            """
            SELECT new_email FROM email_change
            WHERE account_id = \(account) AND made_at IS NULL AND ended IS NULL
                AND asked_at > \(tx.now - ConfirmLink.lifetime)
            ORDER BY id DESC LIMIT 1
            """)
    }

    /// The mail server's message if it refused the letter to the requested address; nil if it didn't.
    static func refusal(of email: String, askedBy account: ID<Account>, in db: Connection) throws -> String? {
        try db.value(
            """
            SELECT answer FROM letter
            WHERE account_id = \(account) AND kind = \(NoticeKind.address) AND address = \(email) AND state = 'failed'
            ORDER BY id DESC LIMIT 1
            """)
    }

    /// Whether an address is somebody else's, or may become so again.
    static func isTaken(_ email: String, besides account: ID<Account>? = nil, in tx: Transaction) throws -> Bool {
        try tx.exists("SELECT 1 FROM account WHERE email = \(email) AND id <> \(account ?? ID(0))")
            || tx.exists(
                """
                SELECT 1 FROM email_change
                WHERE old_email = \(email) AND account_id <> \(account ?? ID(0))
                    AND undo_until > \(tx.now) AND ended IS NULL
                """)
    }

    /// Makes the new address the account's. The old one is notified, and can undo the change if it was confirmed.
    ///
    /// - Throws: `LinkEnd` if the address has been taken, or was changed otherwise meanwhile.
    static func make(_ id: ID<EmailChange>, in tx: Transaction) throws {
        guard
            let change: EmailChange = try tx.first(
                "SELECT \(columns) FROM email_change WHERE id = \(id) AND made_at IS NULL AND ended IS NULL")
        else { throw LinkEnd(.change, .replaced) }
        guard try !isTaken(change.newEmail, besides: change.account, in: tx) else {
            throw LinkEnd(.change, .taken)
        }
        // It may have been blocked since.
        guard try !MailDomain.isBlocked(change.newEmail, in: tx) else {
            throw LinkEnd(.change, .refused)
        }
        let wasConfirmed = try Account.find(change.account, in: tx)?.confirmedAt != nil
        let count = try tx.execute(
            """
            UPDATE account SET email = \(change.newEmail), confirmed_at = \(tx.now), updated_at = \(tx.now),
                \(Bounce.none)
            WHERE id = \(change.account) AND email = \(change.oldEmail)
            """)
        guard count == 1 else { throw LinkEnd(.change, .replaced) }
        let token = wasConfirmed ? Token() : nil
        try tx.execute(
            """
            UPDATE email_change
            SET made_at = \(tx.now), undo_hash = \(token?.hash), undo_until = \(token.map { _ in tx.now + undoable })
            WHERE id = \(id)
            """)
        try ResetLink.replaceAll(of: change.account, in: tx)
        try Letter.forgetSecrets(.address, of: change.account, in: tx)
        try Letter.send(lettersTo: change.oldEmail, of: change.account, to: change.newEmail, in: tx)
        try Letter.write(.moved, to: change.account, address: change.oldEmail, token: token, besideOthers: true, in: tx)
    }

    /// Sets the address that a member gave to an admin because mail doesn't reach them: it applies immediately and must
    /// be confirmed. The old one is notified as in ``make(_:in:)``.
    ///
    /// - Throws: ``Account/Taken``.
    static func set(_ email: String, of person: Account, in tx: Transaction) throws {
        guard try !MailDomain.isBlocked(email, in: tx) else { throw Account.Taken.domain }
        // Read again, because the member may have confirmed another address while the password was checked.
        let stored: String? = try tx.value("SELECT email FROM account WHERE id = \(person.id)")
        guard stored == person.email, person.email != email, try !isTaken(email, besides: person.id, in: tx)
        else { throw Account.Taken.email }
        try endPending(of: person.id, in: tx)
        let token = person.confirmedAt == nil ? nil : Token()
        try tx.execute(
            """
            INSERT INTO email_change (account_id, old_email, new_email, asked_at, made_at, undo_hash, undo_until)
            VALUES (\(person.id), \(person.email), \(email), \(tx.now), \(tx.now), \(token?.hash),
                \(token.map { _ in tx.now + undoable }))
            """)
        try tx.execute(
            """
            UPDATE account SET email = \(email), confirmed_at = NULL, updated_at = \(tx.now), \(Bounce.none)
            WHERE id = \(person.id)
            """)
        try ResetLink.replaceAll(of: person.id, in: tx)
        try ConfirmLink.replaceAll(of: person.id, in: tx)
        try Letter.send(lettersTo: person.email, of: person.id, to: email, in: tx)
        try ConfirmLink.send(to: person.id, in: tx)
        try Letter.write(.moved, to: person.id, address: person.email, token: token, besideOthers: true, in: tx)
    }

    /// Whether staff set the account's current address.
    static func isByStaff(_ account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM email_change JOIN account ON account.id = email_change.account_id
            WHERE email_change.account_id = \(account) AND email_change.new_email = account.email
                AND email_change.made_at = email_change.asked_at
            """)
    }

    /// The change that a link sent to the old address undoes, or why it no longer does; nil for a link that never
    /// existed.
    static func find(_ token: Token, in tx: Transaction) throws -> LinkState<EmailChange>? {
        try tx.first(
            """
            SELECT email_change.ended, email_change.undo_until, \(columns) FROM email_change
            WHERE email_change.undo_hash = \(token.hash)
            """
        ) { row in
            switch (try row.next() as String?, try row.next() as Instant?) {
            case ("used"?, _): return .ended(LinkEnd(.undo, .used))
            case (.some, _): return .ended(LinkEnd(.undo, .replaced))
            case (nil, let until?) where until > tx.now: return .open(try row.next())
            default: return .ended(LinkEnd(.undo, .tooOld))
            }
        }
    }

    /// Restores the old address, regardless of later changes; ends all sessions and invalidates the password.
    ///
    /// - Parameter token: The token of the link to set a new password.
    static func undo(_ change: EmailChange, token: Token, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE account SET email = \(change.oldEmail), confirmed_at = \(tx.now), updated_at = \(tx.now),
                \(Bounce.none)
            WHERE id = \(change.account)
            """)
        try tx.execute("UPDATE email_change SET ended = 'used' WHERE id = \(change.id)")
        try tx.execute(
            """
            UPDATE email_change SET ended = 'replaced'
            WHERE account_id = \(change.account) AND ended IS NULL AND (id > \(change.id) OR made_at IS NULL)
            """)
        try ConfirmLink.replaceAll(of: change.account, in: tx)
        try Letter.send(lettersTo: change.newEmail, of: change.account, to: change.oldEmail, in: tx)
        try Account.setPassword(Account.nobodysHash, of: change.account, in: tx)
        try Session.endAll(of: change.account, in: tx)
        // A thief may have set it up at the beginning.
        try TwoStep.turnOff(of: change.account, since: change.askedAt - undoable, in: tx)
        try ResetLink.insert(token, for: change.account, in: tx)
    }

    /// Ends earlier requests.
    private static func endPending(of account: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE email_change SET ended = 'replaced'
            WHERE account_id = \(account) AND made_at IS NULL AND ended IS NULL
            """)
    }

    /// Erases old addresses.
    @discardableResult static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM email_change WHERE asked_at < \(tx.now - memory)")
    }
}
