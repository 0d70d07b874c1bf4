import Database

extension Question: RowDecodable {
    static let columns: Columns = [
        "question.id", "question.event_id", "question.account_id", "question.text", "question.is_private",
        "question.answer", "question.answered_at IS NOT NULL", "question.asked_at", "question.closed_at IS NOT NULL",
        "question.hidden_at IS NOT NULL",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), event: try row.next(), asker: try row.next(), text: try row.next(),
            isPrivate: try row.next(), answer: try row.next(), isSettled: try row.next(), askedAt: try row.next(),
            isClosed: try row.next(), isHidden: try row.next())
    }
}

extension Question {
    /// An event's questions visible to a visitor: public answered ones; one's own; all for the host; for staff also
    /// hidden public ones.
    ///
    /// - Parameter isHost: Whether the reader is a co-host, who doesn't see questions to the host only.
    static func all(
        of event: Event, for visitor: Visitor?, asHost isHost: Bool = false, after: Cursor<ID<Question>>?,
        in db: Connection
    ) throws -> Page<Question> {
        let which: SQL =
            if visitor?.editing == event.host.id {
                "TRUE"
            } else if isHost {
                "(NOT is_private OR account_id = \(visitor?.account ?? ID(0)))"
            } else {
                """
                ((NOT is_private AND answered_at IS NOT NULL AND (hidden_at IS NULL OR \(visitor?.isStaff == true)))
                    OR account_id = \(visitor?.account ?? ID(0)))
                """
            }
        return try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(columns) FROM question WHERE event_id = \(event.id) AND \(which)
                    AND id < \(after?.keys ?? ID(.max))
                ORDER BY id DESC LIMIT \(limit)
                """)
        }
    }

    static func find(_ id: ID<Question>, in db: Connection) throws -> Question? {
        try db.first("SELECT \(columns) FROM question WHERE id = \(id)")
    }

    /// A question about one of this host's events.
    static func find(_ id: ID<Question>, to host: ID<Account>, in db: Connection) throws -> Question? {
        try db.first(
            """
            SELECT \(columns) FROM question JOIN event ON event.id = question.event_id
            WHERE question.id = \(id) AND event.account_id = \(host)
            """)
    }

    /// Stores a question and notifies the host; once for each `once`.
    ///
    /// - Throws: `TooMany`.
    static func ask(
        _ form: QuestionForm, about event: ID<Event>, by account: ID<Account>, once: String, in tx: Transaction
    ) throws {
        if try tx.exists("SELECT 1 FROM question WHERE account_id = \(account) AND once = \(once)") { return }
        // The same text, restored by the browser and sent again.
        let isEcho = try tx.exists(
            """
            SELECT 1 FROM question WHERE account_id = \(account) AND asked_at > \(tx.now - SentForm.echo)
                AND event_id = \(event) AND text = \(form.text) AND is_private = \(form.isPrivate)
            """)
        if isEcho { return }
        let (open, today): (Int, Int) =
            try tx.first(
                """
                SELECT count(*) FILTER (WHERE event_id = \(event) AND answered_at IS NULL AND closed_at IS NULL),
                    count(*) FILTER (WHERE asked_at > \(tx.now - .days(1)))
                FROM question WHERE account_id = \(account)
                """, { (try $0.next(), try $0.next()) }) ?? (0, 0)
        guard open < mostOpen, today < mostADay else { throw TooMany() }
        let id = try tx.insert(
            """
            INSERT INTO question (event_id, account_id, text, is_private, once, asked_at)
            VALUES (\(event), \(account), \(form.text), \(form.isPrivate), \(once), \(tx.now))
            """)
        if form.isPrivate { try TalkThread.open(ID<Question>(id), by: account, in: tx) }
        var news = Notice.News(kind: .asked, event: event)
        news.subject = id
        let cohosts = form.isPrivate ? nil : Cohost.accounts(at: event, besides: account)
        try Notice.tellHost(news, and: cohosts, by: account, in: tx)
    }

    /// Stores an answer, possibly replacing one, and notifies the asker.
    /// - Throws: `Closed`.
    static func answer(_ question: Question, _ text: String, in tx: Transaction) throws {
        guard text != question.answer else { return }
        let count = try tx.execute(
            """
            UPDATE question SET answer = \(text), answered_at = \(tx.now)
            WHERE id = \(question.id) AND closed_at IS NULL AND hidden_at IS NULL
            """)
        guard count == 1 else { throw Closed() }
        try Notice.settle(question: question.id.rawValue, at: question.event, in: tx)
        var news = Notice.News(kind: .answered, event: question.event)
        news.subject = question.id.rawValue
        try Notice.tell(news, "account.id = \(question.asker)", in: tx)
    }

    /// Records that the host wrote in the thread of a private question, so that it no longer waits for an answer.
    static func settle(in thread: TalkThread, by account: ID<Account>, tx: Transaction) throws {
        guard case .question(let id, _) = thread.about, !thread.isGuest(account) else { return }
        try tx.execute("UPDATE question SET answered_at = \(tx.now) WHERE id = \(id) AND answered_at IS NULL")
        try untell(id, in: tx)
    }

    /// Records that nobody has to answer a question anymore.
    private static func untell(_ id: ID<Question>, in tx: Transaction) throws {
        guard let event: ID<Event> = try tx.value("SELECT event_id FROM question WHERE id = \(id)") else { return }
        try Notice.settle(question: id.rawValue, at: event, in: tx)
    }

    /// Closes a question, for its asker or its host.
    ///
    /// - Returns: Whether it was open.
    static func close(_ id: ID<Question>, by account: ID<Account>, in tx: Transaction) throws -> Bool {
        let count = try tx.execute(
            """
            UPDATE question SET closed_at = \(tx.now) WHERE id = \(id) AND closed_at IS NULL AND (
                account_id = \(account)
                OR EXISTS (SELECT 1 FROM event WHERE event.id = event_id AND event.account_id = \(account)))
            """)
        if count == 1 { try untell(id, in: tx) }
        return count == 1
    }

    /// Erases old questions.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM question WHERE asked_at < \(tx.now - memory)")
    }

    /// Hides a question with its answer for staff, or shows it again.
    static func hide(_ id: ID<Question>, at instant: Instant?, in tx: Transaction) throws {
        let count = try tx.execute(
            """
            UPDATE question SET hidden_at = \(instant)
            WHERE id = \(id) AND (hidden_at IS NULL) = \(instant != nil)
            """)
        if count == 1 { try TalkThread.callOff(at: id, in: tx) }
    }
}
