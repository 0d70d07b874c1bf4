import Database

extension TownLetter.Topic: SQLValue {}

extension TownLetter: RowDecodable {
    static let columns: Columns = [
        "town_letter.id", "town_letter.topic", "town_letter.title", "town_letter.body", "town_letter.at",
        "town_letter.count", "town_letter.ended_at", "town_letter.is_stopped",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), topic: try row.next(), title: try row.next(), body: try row.next(),
            at: try row.next(), count: try row.next(), endedAt: try row.next(), isStopped: try row.next())
    }
}

extension TownLetter {
    // MARK: Reading

    static func find(_ id: ID<TownLetter>, in db: Connection) throws -> TownLetter? {
        try db.first("SELECT \(columns) FROM town_letter WHERE id = \(id)")
    }

    /// All letters, newest first.
    static func all(after: Cursor<ID<TownLetter>>?, in db: Connection) throws -> Page<TownLetter> {
        try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(columns) FROM town_letter WHERE id < \(after?.keys ?? ID(.max))
                ORDER BY id DESC LIMIT \(limit)
                """)
        }
    }

    /// The sources and conditions of a query for members who chose a topic and whom mail reaches.
    private static func readers(of topic: Topic) -> SQL {
        """
        notice_choice JOIN account ON account.id = notice_choice.account_id
        WHERE notice_choice.kind = \(topic.kind) AND notice_choice.channel = \(NoticeKind.Channel.mail)
            AND notice_choice.is_on AND account.suspended_at IS NULL AND account.left_at IS NULL
            AND account.waits_since IS NULL\(Notice.reached(topic.kind, "account"))
        """
    }

    /// For each topic, the number of readers, and the time of the next possible letter if it must wait.
    static func state(of topics: [Topic], in tx: Transaction) throws -> [(topic: Topic, readers: Int, next: Instant?)] {
        let counts: [SQL] = topics.map { "(SELECT count(*) FROM \(readers(of: $0)))" }
        guard !counts.isEmpty else { return [] }
        let sizes: [Int] =
            try tx.first("SELECT \(counts.joined(separator: ", "))") { row in
                try topics.map { _ in try row.next() }
            } ?? []
        let last: [(Topic, Instant)] = try tx.all(
            "SELECT topic, at FROM town_letter WHERE \(isRecent(at: tx.now)) LIMIT 100"
        ) { (try $0.next(), try $0.next()) }
        return zip(topics, sizes).map { topic, readers in
            (topic, readers, last.filter { $0.0 == topic }.map { $0.1 + pause }.max())
        }
    }

    /// Whether a letter is so recent that its topic must wait; one that was stopped before anyone got it doesn't count.
    private static func isRecent(at now: Instant) -> SQL {
        "town_letter.at > \(now - pause) AND NOT (town_letter.is_stopped AND town_letter.count = 0)"
    }

    // MARK: Sending

    /// Starts sending a letter, after which its topic must wait for a week.
    ///
    /// - Throws: `Obstacle`; and then nothing is stored.
    @discardableResult
    static func send(_ form: TownLetterForm, in tx: Transaction) throws -> ID<TownLetter> {
        let last: Instant? = try tx.value(
            "SELECT max(at) FROM town_letter WHERE topic = \(form.topic) AND \(isRecent(at: tx.now))")
        if let last { throw Obstacle.resting(until: last + pause) }
        // Its topic would rest for nothing.
        guard try tx.exists("SELECT 1 FROM \(readers(of: form.topic))") else { throw Obstacle.noReaders }
        let before: ID<TownLetter> =
            try tx.value("SELECT max(id) FROM town_letter WHERE topic = \(form.topic)") ?? ID(0)
        // If another node sends one at this moment, both follow the same letter, and the second is refused.
        let isFirst =
            try tx.execute(
                """
                INSERT INTO town_letter (topic, follows, title, body, at)
                VALUES (\(form.topic), \(before), \(form.title), \(form.body), \(tx.now))
                ON CONFLICT (topic, follows) DO NOTHING
                """) == 1
        let sent: ID<TownLetter>? = try tx.value(
            "SELECT id FROM town_letter WHERE topic = \(form.topic) AND follows = \(before)")
        guard isFirst, let sent else { throw Obstacle.resting(until: tx.now + pause) }
        return sent
    }

    /// Puts the next part of each letter being sent into the outbox, as far as there is room, and ends letters that all
    /// have received.
    ///
    /// - Returns: The number of letters.
    static func goOn(in tx: Transaction) throws -> Int {
        let open: [(id: ID<TownLetter>, topic: Topic, reached: ID<Account>)] = try tx.all(
            "SELECT id, topic, reached FROM town_letter WHERE ended_at IS NULL ORDER BY id LIMIT 20"
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        return try open.reduce(0) { count, letter in
            try count + goOn(letter.id, letter.topic, after: letter.reached, in: tx)
        }
    }

    private static func goOn(
        _ id: ID<TownLetter>, _ topic: Topic, after reached: ID<Account>, in tx: Transaction
    ) throws -> Int {
        // Letters that a mail server postponed don't hold up the others for days.
        let (waiting, due): (Int, Int) =
            try tx.first(
                """
                SELECT count(*), count(*) FILTER (WHERE due_at <= \(tx.now)) FROM letter WHERE \(waits(id, topic))
                """, { (try $0.next(), try $0.next()) }) ?? (0, 0)
        let room = min(batch - due, mostPutOff - waiting)
        guard room > 0 else { return 0 }
        let next: [ID<Account>] = try tx.all(
            """
            SELECT notice_choice.account_id FROM \(readers(of: topic)) AND notice_choice.account_id > \(reached)
            ORDER BY notice_choice.account_id LIMIT \(room)
            """
        ) { try $0.next() }
        let end: Instant? = next.isEmpty && waiting == 0 ? tx.now : nil
        // Does nothing if another node was first, or the letter was stopped.
        let isOurs =
            try tx.execute(
                """
                UPDATE town_letter SET reached = \(next.last ?? reached), count = count + \(next.count),
                    ended_at = \(end)
                WHERE id = \(id) AND reached = \(reached) AND ended_at IS NULL
                """) == 1
        guard isOurs, !next.isEmpty else { return 0 }
        try tx.execute(
            """
            INSERT INTO letter (kind, account_id, address, subject, created_at, due_at, ends_at)
            SELECT \(topic.kind), id, email, \(id), \(tx.now), \(tx.now), \(tx.now + topic.kind.shelfLife) FROM account
            WHERE id IN \(list: next.padded(to: batch))
            """)
        return next.count
    }

    /// A condition on `letter`: it is part of this mailing and hasn't been sent.
    private static func waits(_ id: ID<TownLetter>, _ topic: Topic) -> SQL {
        "letter.state = 'waiting' AND letter.kind = \(topic.kind) AND letter.subject = \(id.rawValue)"
    }

    /// Stops a letter while it is being sent: waiting letters are removed from the outbox, except those being sent
    /// right now.
    ///
    /// - Returns: Whether it was still being sent.
    static func stop(_ letter: TownLetter, in tx: Transaction) throws -> Bool {
        let isOurs =
            try tx.execute(
                """
                UPDATE town_letter SET ended_at = \(tx.now), is_stopped = TRUE
                WHERE id = \(letter.id) AND ended_at IS NULL
                """) == 1
        guard isOurs else { return false }
        let count = try tx.execute(
            """
            DELETE FROM letter WHERE \(waits(letter.id, letter.topic))
                AND (letter.claimed_until IS NULL OR letter.claimed_until <= \(tx.now))
            """)
        try tx.execute("UPDATE town_letter SET count = count - \(count) WHERE id = \(letter.id)")
        return true
    }
}

extension TownLetter: Told {
    /// The letter's text for a reader; nil if it was stopped, or the reader no longer wants it.
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        let wish = Notice.wish(letter.kind, .mail, "account")
        guard let sent = try letter.subject.flatMap({ try find(ID($0), in: tx) }), sent.topic.kind == letter.kind,
            !sent.isStopped,
            try tx.exists("SELECT 1 FROM account WHERE account.id = \(reader.account.id)\(wish)")
        else { return nil }
        return .town(sent.title, sent.body)
    }
}
