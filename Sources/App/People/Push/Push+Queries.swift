import Database

extension Push: RowDecodable {
    static let columns: Columns = [
        "push.id", "push.subscription_id", "push.tries", "push.ends_at", "push_subscription.endpoint",
        "push_subscription.public_key", "push_subscription.secret", "account.language", "account.unread", "notice.id",
        "notice.kind", "notice.event_id", "notice.subject",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), device: try row.next(), tries: try row.next(), endsAt: try row.next(),
            endpoint: try row.next(), publicKey: try row.next(), secret: try row.next(), language: try row.next(),
            unread: try row.next(), notice: try row.next(), kind: try row.next(), event: try row.next(),
            subject: try row.next())
    }
}

extension Push {
    /// Queues pushes for the notices of a kind that were written after `last`, for members who want them.
    static func write(_ kind: NoticeKind, after last: ID<Notice>, until end: Instant, in tx: Transaction) throws {
        guard kind.rule(of: .push) != .never else { return }
        try tx.execute(
            """
            INSERT INTO push (notice_id, subscription_id, due_at, ends_at)
            SELECT notice.id, push_subscription.id, \(tx.now), \(min(end, tx.now + longest))
            FROM notice CROSS JOIN account AS reader CROSS JOIN push_subscription
            WHERE notice.id > \(last) AND reader.id = notice.account_id AND push_subscription.account_id = reader.id
                AND reader.suspended_at IS NULL AND reader.left_at IS NULL\(Notice.wish(kind, .push))
            """)
    }

    static func areDue(in tx: Transaction) throws -> Bool {
        try tx.exists("SELECT 1 FROM push WHERE due_at <= \(tx.now)")
    }

    /// Claims due pushes: nothing else takes them until they are sent, or the claim times out.
    static func claim(in tx: Transaction) throws -> [ID<Push>] {
        try tx.all(
            """
            UPDATE push SET tries = tries + 1, due_at = \(tx.now + patience)
            WHERE id IN (SELECT id FROM push WHERE due_at <= \(tx.now) ORDER BY due_at, id LIMIT \(batch))
                AND due_at <= \(tx.now)
            RETURNING id
            """
        ) { try $0.next() }
    }

    /// The pushes that are still useful, with their content; the others end. Notices that were read meanwhile aren't
    /// pushed, and nothing is pushed to suspended members.
    static func sendable(_ taken: [ID<Push>], in tx: Transaction) throws -> [Push] {
        let pushes: [Push] = try tx.all(
            """
            SELECT \(columns) FROM push JOIN push_subscription ON push_subscription.id = push.subscription_id
                JOIN notice ON notice.id = push.notice_id JOIN account ON account.id = push_subscription.account_id
            WHERE push.id IN \(list: taken.padded(to: batch)) AND push.ends_at > \(tx.now) AND notice.read_at IS NULL
                AND account.suspended_at IS NULL AND account.left_at IS NULL
            ORDER BY push.id LIMIT \(batch)
            """)
        let left = Set(taken).subtracting(pushes.map(\.id))
        try end(Array(left), in: tx)
        return pushes
    }

    /// Ends pushes that arrived or are no longer wanted.
    static func end(_ pushes: [ID<Push>], in db: Connection) throws {
        guard !pushes.isEmpty else { return }
        try db.execute("DELETE FROM push WHERE id IN \(list: pushes.padded(to: batch))")
    }

    /// Postpones a push, and everything else for its browser that isn't postponed further already.
    static func put(off push: Push, until due: Instant, in db: Connection) throws {
        try db.execute("UPDATE push SET due_at = \(due) WHERE subscription_id = \(push.device) AND due_at < \(due)")
    }
}
