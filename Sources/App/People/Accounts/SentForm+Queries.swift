import Database

extension SentForm {
    /// Records the form within the transaction that carries it out.
    ///
    /// - Returns: Whether it was sent for the first time.
    /// - Throws: `HasOtherWords`; then the form is shown again with its content.
    @discardableResult
    func remember(by account: ID<Account>, in tx: Transaction) throws -> Bool {
        let first: Int64? = try tx.value(
            "SELECT digest FROM sent_form WHERE account_id = \(account) AND once = \(once) AND path = \(path)")
        if let first {
            guard first == digest else { throw HasOtherWords() }
            return false
        }
        try tx.execute(
            """
            INSERT INTO sent_form (account_id, once, path, digest, at)
            VALUES (\(account), \(once), \(path), \(digest), \(tx.now))
            """)
        return true
    }

    /// Makes a form's link within the transaction that stores it: once, and the same link if the form is sent again.
    ///
    /// - Throws: `HasOtherWords`, also if the link was withdrawn since; errors of `make`.
    func makeLink(_ token: Token, by account: ID<Account>, in tx: Transaction, _ make: () throws -> Void) throws {
        if try remember(by: account, in: tx) { return try make() }
        guard try OneTimeLink.isThere(token, in: tx) else { throw HasOtherWords(words: Self.isGone) }
    }

    /// Whether a form with that `once` was sent there before, with any content.
    static func isRemembered(
        _ once: String, at path: String, by account: ID<Account>, in db: Connection
    ) throws -> Bool {
        try db.exists("SELECT 1 FROM sent_form WHERE account_id = \(account) AND once = \(once) AND path = \(path)")
    }

    /// Erases old records.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM sent_form WHERE at < \(tx.now - memory)")
    }
}
