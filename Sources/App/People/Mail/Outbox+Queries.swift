import Database

extension Outbox {
    init(_ state: Letter.State, after: Cursor<ID<Letter>>?, hasServer: Bool, in zone: Zone, db: Connection) throws {
        let next: SQL = after.map { " AND id < \($0.keys)" } ?? ""
        let page: Page<Letter> = try Page(of: Self.pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(Letter.columns) FROM letter WHERE \(Self.isIn(state))\(next) ORDER BY id DESC LIMIT \(limit)
                """)
        }
        self.state = state
        rows = page.items.map { LetterRow($0, in: zone) }
        counts = try Letter.State.allCases.map { state in
            (state, try db.value("SELECT count(*) FROM letter WHERE \(Self.isIn(state))") ?? 0)
        }
        self.hasServer = hasServer
        trouble = try Letter.trouble(in: db)
        more = page.more(at: Self.link(state))
    }

    /// Named in the text, so that SQLite needn't prepare the statement anew for the index of letters that wait.
    private static func isIn(_ state: Letter.State) -> SQL {
        switch state {
        case .waiting: "state = 'waiting'"
        case .sent: "state = 'sent'"
        case .failed: "state = 'failed'"
        case .late: "state = 'late'"
        }
    }
}

extension Letter {
    static func find(_ id: ID<Letter>, in db: Connection) throws -> Letter? {
        try db.first("SELECT \(columns) FROM letter WHERE id = \(id)")
    }

    /// Retries a letter immediately, and for as long as a new one; its link isn't extended.
    ///
    /// - Returns: Whether it is retried: not if it would be too late, or was sent meanwhile.
    static func retry(_ letter: Letter, in tx: Transaction) throws -> Bool {
        guard letter.canRetry(at: tx.now) else { return false }
        return try tx.execute(
            """
            UPDATE letter SET state = 'waiting', tries = 0, due_at = \(tx.now),
                ends_at = \(letter.end(retriedAt: tx.now)),
                done_at = NULL
            WHERE id = \(letter.id) AND state IN ('failed', 'waiting')
            """) == 1
    }
}
