import Database

extension Digest {
    /// Whether an account wants a daily letter for a kind.
    static func isWanted(_ kind: NoticeKind) -> SQL {
        """
        EXISTS (SELECT 1 FROM notice_choice WHERE notice_choice.account_id = account.id
            AND notice_choice.kind = \(kind) AND notice_choice.channel = \(NoticeKind.Channel.daily)
            AND notice_choice.is_on)
        """
    }

    /// The accounts whose daily letter is due, among those with entries in a table.
    static func readers(of table: SQL, in tx: Transaction) throws -> [ID<Account>] {
        var readers: [ID<Account>] = []
        try tx.each("SELECT account_id FROM \(table) WHERE due_at <= \(tx.now) ORDER BY due_at, account_id LIMIT 1000")
        {
            row in
            let reader: ID<Account> = try row.next()
            if !readers.contains(reader) { readers.append(reader) }
            return true
        }
        return readers
    }

    /// Records a registration for the next daily letter of these accounts, if they want one.
    ///
    /// - Parameter accounts: A condition on `account`.
    static func add(_ event: ID<Event>, of accounts: SQL, in tx: Transaction) throws {
        let wanting: SQL = "\(accounts) AND \(isWanted(.booked))"
        // Few hosts do.
        guard
            let zone: String = try tx.value(
                "SELECT zone FROM event WHERE id = \(event) AND EXISTS (SELECT 1 FROM account WHERE \(wanting))")
        else { return }
        let due = due(after: tx.now, in: Zone(stored: zone))
        try tx.execute(
            """
            INSERT INTO digest (account_id, event_id, count, due_at)
            SELECT account.id, \(event), 1, \(due) FROM account WHERE \(wanting)
            ON CONFLICT (account_id, event_id) DO UPDATE SET count = digest.count + 1
            """)
    }

    /// Writes the letters that are due, each once.
    ///
    /// - Returns: The number of letters.
    @discardableResult static func send(in tx: Transaction) throws -> Int {
        let hosts = try readers(of: "digest", in: tx)
        for host in hosts {
            let lines = try tx.all(
                "SELECT event_id, count FROM digest WHERE account_id = \(host) ORDER BY event_id LIMIT 50"
            ) { Line(event: try $0.next(), count: try $0.next()) }
            // The rest that doesn't fit into one letter follows in the next minute.
            try tx.execute("DELETE FROM digest WHERE account_id = \(host) AND event_id IN \(list: lines.map(\.event))")
            try Letter.write(gathering: .booked, keeping(lines), to: host, in: tx)
        }
        return hosts.count
    }
}
