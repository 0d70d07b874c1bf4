import Database

extension PushDevice {
    /// Subscribes a browser to push messages.
    ///
    /// - Parameter session: The browser's session.
    static func add(
        endpoint: String, publicKey: String, secret: String, in session: ID<Session>, of account: ID<Account>,
        in tx: Transaction
    ) throws {
        // The address may have been another member's, and the browser may have had another address.
        try tx.execute("DELETE FROM push_subscription WHERE endpoint = \(endpoint)")
        try tx.execute("DELETE FROM push_subscription WHERE session_id = \(session)")
        try tx.execute(
            """
            INSERT INTO push_subscription (account_id, session_id, device, endpoint, public_key, secret, made_at)
            SELECT account_id, id, device, \(endpoint), \(publicKey), \(secret), \(tx.now) FROM session
            WHERE id = \(session) AND account_id = \(account)
            """)
        try tx.execute(
            """
            DELETE FROM push_subscription WHERE account_id = \(account) AND id NOT IN (
                SELECT id FROM push_subscription WHERE account_id = \(account) ORDER BY id DESC LIMIT \(most))
            """)
    }

    /// Replaces a browser's push address, including the waiting messages.
    ///
    /// - Parameter session: The browser's session, so that nobody can renew another one's.
    /// - Returns: Whether `old` was the session's address.
    static func renew(
        _ old: String, endpoint: String, publicKey: String, secret: String, in session: ID<Session>, in db: Connection
    ) throws -> Bool {
        let mine: ID<PushDevice>? = try db.value(
            "SELECT id FROM push_subscription WHERE session_id = \(session) AND endpoint = \(old)")
        guard let mine else { return false }
        // It may have been another member's.
        try db.execute("DELETE FROM push_subscription WHERE endpoint = \(endpoint) AND id <> \(mine)")
        try db.execute(
            """
            UPDATE push_subscription SET endpoint = \(endpoint), public_key = \(publicKey), secret = \(secret)
            WHERE id = \(mine)
            """)
        return true
    }

    /// A member's devices, latest first.
    static func all(of account: ID<Account>, in session: ID<Session>, _ db: Connection) throws -> [PushDevice] {
        try db.all(
            """
            SELECT id, device, made_at, session_id = \(session) FROM push_subscription
            WHERE account_id = \(account) ORDER BY id DESC LIMIT \(most)
            """
        ) {
            PushDevice(id: try $0.next(), device: try $0.next(), madeAt: try $0.next(), isThis: try $0.next())
        }
    }

    static func end(_ id: ID<PushDevice>, of account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM push_subscription WHERE id = \(id) AND account_id = \(account)")
    }

    /// Removes devices that accept nothing anymore.
    static func end(_ devices: [ID<PushDevice>], in db: Connection) throws {
        guard !devices.isEmpty else { return }
        try db.execute("DELETE FROM push_subscription WHERE id IN \(list: devices.padded(to: Push.batch))")
    }
}
