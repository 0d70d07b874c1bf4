import Database

extension Message.Place {
    /// A condition on `message`: it was written there.
    var holds: SQL {
        switch self {
        case .match(let id): "message.match_id = \(id)"
        case .thread(let id): "message.thread_id = \(id)"
        }
    }

    fileprivate var match: ID<PetMatch>? {
        switch self {
        case .match(let id): id
        case .thread: nil
        }
    }

    fileprivate var thread: ID<TalkThread>? {
        switch self {
        case .match: nil
        case .thread(let id): id
        }
    }
}

extension Message.Place {
    /// The authors of a thread's messages; owners of pets have names of their own.
    fileprivate func authors(of messages: [Message], in db: Connection) throws -> [Author] {
        let authors = Set(messages.map(\.author))
        guard thread != nil, !authors.isEmpty else { return [] }
        return try db.all(
            """
            SELECT \(Author.columns) FROM account LEFT JOIN person ON person.account_id = account.id
            WHERE account.id IN \(list: authors.sorted()) ORDER BY account.id LIMIT 100
            """)
    }
}

extension Message.Place {
    /// Whether those who talk with somebody there aren't told who it is.
    fileprivate func hidesName(of author: ID<Account>, in db: Connection) throws -> Bool {
        guard let thread else { return false }
        return try db.exists(
            "SELECT 1 FROM thread WHERE id = \(thread) AND question_id IS NOT NULL AND account_id = \(author)")
    }
}

extension TalkNews {
    /// Notes that something happened where people talk: it is news to all of them, on every page of theirs that is
    /// open.
    static func note(_ place: Message.Place, in db: Connection) throws {
        switch place {
        case .match(let id):
            try db.execute("DELETE FROM talk_news WHERE match_id = \(id)")
            try db.execute("INSERT INTO talk_news (match_id) VALUES (\(id))")
        case .thread(let id):
            try db.execute("DELETE FROM talk_news WHERE thread_id = \(id)")
            try db.execute("INSERT INTO talk_news (thread_id) VALUES (\(id))")
        }
    }

    /// The latest news in any conversation.
    static func newest(in db: Connection) throws -> ID<TalkNews> {
        try db.value("SELECT max(id) FROM talk_news") ?? ID(0)
    }

    /// The accounts with news in their conversations since.
    static func readers(after last: ID<TalkNews>, in db: Connection) throws -> [ID<Account>] {
        try db.all(
            """
            SELECT match_side.account_id FROM talk_news
            JOIN match_side ON match_side.match_id = talk_news.match_id
            WHERE talk_news.id > \(last)
            UNION ALL
            SELECT thread_side.account_id FROM talk_news
            JOIN thread_side ON thread_side.thread_id = talk_news.thread_id
            JOIN thread ON thread.id = thread_side.thread_id
            WHERE talk_news.id > \(last) AND NOT \(TalkThread.isSilent(for: "thread_side.account_id")) LIMIT 100000
            """
        ) { try $0.next() }
    }

    /// An account's matches with something new since, each with its latest news; the end of a match is news, too.
    static func matches(
        of account: ID<Account>, after last: ID<TalkNews>, in db: Connection
    ) throws -> [(news: ID<TalkNews>, talk: ID<PetMatch>)] {
        try all("match_side", "match_id", of: account, after: last, in: db)
    }

    /// The same for a member's threads about parts of the site that are switched on.
    static func threads(
        of account: ID<Account>, after last: ID<TalkNews>, _ opening: Opening, in db: Connection
    ) throws -> [(news: ID<TalkNews>, talk: ID<TalkThread>)] {
        let isOn: SQL = """
             AND EXISTS (SELECT 1 FROM thread WHERE thread.id = side.thread_id
                AND (thread.claim_id IS NULL OR \(opening.has(.needs)))
                AND (thread.opportunity_id IS NULL OR \(opening.has(.helping)))
                AND NOT \(TalkThread.isSilent(for: "side.account_id")))
            """
        return try all("thread_side", "thread_id", isOn, of: account, after: last, in: db)
    }

    /// - Parameters:
    ///   - sides: The table of those who talk.
    ///   - talk: The column that says where, there and among the news.
    ///   - which: What else holds for a `side`.
    private static func all<Talk>(
        _ sides: SQL, _ talk: SQL, _ which: SQL = "", of account: ID<Account>, after last: ID<TalkNews>,
        in db: Connection
    ) throws -> [(news: ID<TalkNews>, talk: ID<Talk>)] {
        let lines: [(news: ID<TalkNews>?, talk: ID<Talk>)] = try db.all(
            """
            SELECT (SELECT talk_news.id FROM talk_news WHERE talk_news.\(talk) = side.\(talk)), side.\(talk)
            FROM \(sides) AS side WHERE side.account_id = \(account)\(which)
            ORDER BY side.last_at DESC, side.\(talk) DESC LIMIT 100
            """
        ) { (try $0.next(), try $0.next()) }
        return lines.compactMap { news, talk in news.flatMap { $0 > last ? ($0, talk) : nil } }
    }
}

extension Message: RowDecodable {
    static let columns: Columns = [
        "message.id", "message.account_id", "message.text", "message.at", "message.hidden_at IS NOT NULL",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), author: try row.next(), text: try row.next(), at: try row.next(),
            isHidden: try row.next())
    }
}

extension Talk.Said {
    /// A page of messages, newest first.
    init(in place: Message.Place, after: Cursor<ID<Message>>?, db: Connection) throws {
        let messages = try Message.all(in: place, after: after, db: db)
        self.init(
            messages: messages, isNewest: after == nil, isFromBoth: try Message.fromBoth(in: place, db: db),
            authors: try place.authors(of: messages.items, in: db))
    }
}

extension Message {
    /// A place's messages, newest first.
    static func all(in place: Place, after: Cursor<ID<Message>>?, db: Connection) throws -> Page<Message> {
        try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(columns) FROM message WHERE \(place.holds) AND message.id < \(after?.keys ?? ID(.max))
                ORDER BY message.id DESC LIMIT \(limit)
                """)
        }
    }

    /// Whether both sides said something: then links can be followed.
    static func fromBoth(in place: Place, db: Connection) throws -> Bool {
        let one: ID<Account>? =
            switch place {
            case .match:
                try db.value("SELECT account_id FROM message WHERE \(place.holds) ORDER BY id LIMIT 1")
            case .thread(let id): try db.value("SELECT account_id FROM thread WHERE id = \(id)")
            }
        guard let one, try exists(by: one, in: place, db: db) else { return false }
        return try db.exists("SELECT 1 FROM message WHERE \(place.holds) AND account_id <> \(one) LIMIT 1")
    }

    /// Whether an account wrote something there.
    static func exists(by account: ID<Account>, in place: Place, db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM message WHERE \(place.holds) AND account_id = \(account) LIMIT 1")
    }

    /// Stores a message, only once if its form is sent repeatedly, or its text again right after it.
    ///
    /// - Parameter isAnswered: Whether the other side said something.
    /// - Returns: Whether it wasn't there yet.
    /// - Throws: `HasLink`.
    static func store(
        _ text: String, in place: Place, by account: ID<Account>, once: String, tx: Transaction,
        isAnswered: @autoclosure () throws -> Bool
    ) throws -> Bool {
        if try tx.exists("SELECT 1 FROM message WHERE account_id = \(account) AND once = \(once)") { return false }
        // The same text, restored by the browser and sent again.
        let isEcho = try tx.exists(
            """
            SELECT 1 FROM message
            WHERE message.id = (SELECT max(message.id) FROM message WHERE \(place.holds))
                AND account_id = \(account) AND text = \(text) AND at > \(tx.now - SentForm.echo)
            """)
        if isEcho { return false }
        // An answer shows that the other person wants to hear from them.
        if Newcomer.countLinks(in: text) > 0,
            try tx.exists("SELECT 1 FROM account WHERE id = \(account) AND created_at > \(tx.now - trial)"),
            try !isAnswered()
        {
            throw HasLink()
        }
        try tx.execute(
            """
            INSERT INTO message (match_id, thread_id, account_id, text, once, at)
            VALUES (\(place.match), \(place.thread), \(account), \(text), \(once), \(tx.now))
            """)
        try TalkNews.note(place, in: tx)
        return true
    }

    /// Notifies the other person of a message, by mail at most once an hour.
    static func tell(_ news: Notice.News, _ other: ID<Account>, in tx: Transaction) throws {
        var news = news
        news.isOnlyInbox = try tx.exists(
            """
            SELECT 1 FROM letter WHERE account_id = \(other) AND kind = \(news.kind)
                AND subject = \(news.subject) AND created_at > \(tx.now - .hours(1)) LIMIT 1
            """)
        try Notice.tellOnce(news, other, in: tx)
    }

    /// The place of a message.
    fileprivate static func whereabouts(of id: ID<Message>, in db: Connection) throws -> Place? {
        let found: (match: ID<PetMatch>?, thread: ID<TalkThread>?)? = try db.first(
            "SELECT match_id, thread_id FROM message WHERE id = \(id)"
        ) { (try $0.next(), try $0.next()) }
        if let match = found?.match { return Place.match(match) }
        if let thread = found?.thread { return Place.thread(thread) }
        return nil
    }

    /// The messages around a reported one, which is included: the part that staff can read.
    static func around(_ id: ID<Message>, in db: Connection) throws -> [Line] {
        let isReported = try db.exists("SELECT 1 FROM report WHERE report.subject = \(Subject.message(id))")
        guard isReported, let place = try whereabouts(of: id, in: db) else { return [] }
        // Owners of pets have a separate name.
        let name: SQL =
            switch place {
            case .match: "coalesce(owner.name, '')"
            case .thread: Person.shownName
            }
        func lines(_ which: SQL, _ count: Int) throws -> [Line] {
            try db.all(
                """
                SELECT message.id, \(name), message.text, message.at FROM message
                JOIN account ON account.id = message.account_id
                LEFT JOIN person ON person.account_id = message.account_id
                LEFT JOIN owner ON owner.account_id = message.account_id
                WHERE \(place.holds) AND \(which) LIMIT \(count)
                """
            ) { row in
                Line(
                    isMeant: try row.next() as ID<Message> == id, name: try row.next(), text: try row.next(),
                    at: try row.next())
            }
        }
        return try lines("message.id <= \(id) ORDER BY message.id DESC", each + 1).reversed()
            + lines("message.id > \(id) ORDER BY message.id", each)
    }

    /// Whether an account was in the conversation, even if it has ended. If a thread goes on without them, they were
    /// told what was said until then.
    static func wasToldTo(_ account: ID<Account>, _ id: ID<Message>, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM message WHERE message.id = \(id) AND (
                EXISTS (SELECT 1 FROM match_side
                    WHERE match_side.match_id = message.match_id AND match_side.account_id = \(account))
                OR EXISTS (SELECT 1 FROM thread_side
                    WHERE thread_side.thread_id = message.thread_id AND thread_side.account_id = \(account)
                        AND thread_side.last_at >= message.at))
            """)
    }

    /// Erases old messages of matches and promises; empty conversations have no unread messages.
    static func eraseOld(in tx: Transaction) throws -> Int {
        let since = tx.now - memory
        try tx.execute(
            """
            UPDATE match_side SET unread = 0
            WHERE match_id IN (SELECT message.match_id FROM message WHERE message.at < \(since))
                AND NOT EXISTS (SELECT 1 FROM message
                    WHERE message.match_id = match_side.match_id AND message.at >= \(since))
            """)
        try tx.execute(
            """
            UPDATE thread_side SET unread = 0
            WHERE thread_id IN (SELECT message.thread_id FROM message WHERE message.at < \(since))
                AND NOT EXISTS (SELECT 1 FROM message
                    WHERE message.thread_id = thread_side.thread_id AND message.at >= \(since))
            """)
        return try tx.execute("DELETE FROM message WHERE at < \(since)")
    }
}

extension Message: Reportable {
    static var kind: Subject.Kind { .message }
    static var rows: (table: SQL, number: SQL) { ("message", "id") }

    /// A message as an exhibit, for the people in the conversation and for staff.
    static func exhibit(_ id: ID<Message>, in db: Connection) throws -> Exhibit? {
        guard let message: Message = try db.first("SELECT \(columns) FROM message WHERE id = \(id)"),
            let author = try Author.find(message.author, in: db), let place = try whereabouts(of: id, in: db)
        else { return nil }
        var exhibit = Exhibit(subject: .message(id), author: author, text: message.text, link: place.link)
        exhibit.isHidden = message.isHidden
        exhibit.isPrivate = true
        exhibit.isUnnamed = try place.hidesName(of: message.author, in: db)
        return exhibit
    }

    /// Even after the match has ended.
    static func isShown(_ id: ID<Message>, _ exhibit: Exhibit, to reader: Visitor?, in db: Connection) throws -> Bool {
        try reader.map { try wasToldTo($0.account, id, in: db) } ?? false
    }

    /// A conversation is private to its people: they can report what they read there, but don't get to read it again.
    static func text(_ id: ID<Message>, _ exhibit: Exhibit, for reader: Visitor?, in db: Connection) throws -> String {
        reader?.isStaff == true ? exhibit.text : ""
    }
}
