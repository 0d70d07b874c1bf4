import Database

extension TalkThread {
    // MARK: What each is about

    /// The owner of what a `thread` is about, without joins.
    private static let host: SQL = """
        coalesce(
            (SELECT need.account_id FROM claim JOIN need ON need.id = claim.need_id WHERE claim.id = thread.claim_id),
            (SELECT opportunity.account_id FROM opportunity WHERE opportunity.id = thread.opportunity_id),
            (SELECT event.account_id FROM question JOIN event ON event.id = question.event_id
                WHERE question.id = thread.question_id))
        """

    /// A condition on `thread`: a block separates its guest from this member of the host's team, who hears nothing of
    /// it. The host's own account is told that it has ended.
    static func isSilent(for account: SQL) -> SQL {
        """
        (\(account) <> thread.account_id AND \(account) <> \(host)
            AND CASE WHEN thread.question_id IS NULL
                THEN \(Block.stands(between: account, and: "thread.account_id"))
                ELSE EXISTS (SELECT 1 FROM block WHERE block.account_id = thread.account_id
                    AND block.blocked_id = \(account)) END)
        """
    }

    /// The tables of what a `thread` can be about.
    private static let abouts: SQL = """
        LEFT JOIN claim ON claim.id = thread.claim_id LEFT JOIN need ON need.id = claim.need_id
        LEFT JOIN opportunity ON opportunity.id = thread.opportunity_id
        LEFT JOIN question ON question.id = thread.question_id LEFT JOIN event ON event.id = question.event_id
        """

    /// When a `thread` with `abouts` is over. If a place is given back or refused, the thread ends at once, like after
    /// a no at a home. If the organization calls a shift off, or didn't answer in time, it is over then, and both can
    /// still write `afterwards`.
    private static var overAt: SQL {
        """
        CASE WHEN thread.claim_id IS NOT NULL THEN claim.over_at
            WHEN question.closed_at IS NOT NULL THEN question.closed_at - \(afterwards.wholeMilliseconds)
            WHEN thread.question_id IS NOT NULL THEN coalesce(event.cancelled_at, event.ends_at) ELSE coalesce((
            SELECT max(CASE
                WHEN signup.state IN ('asked', 'confirmed')
                    THEN coalesce(shift.ends_at, opportunity.closed_at, opportunity.ends_at)
                WHEN \(isCalledOff) OR signup.lapsed THEN signup.changed_at
                ELSE signup.changed_at - \(afterwards.wholeMilliseconds) END)
            FROM signup LEFT JOIN shift ON shift.id = signup.shift_id
            WHERE signup.account_id = thread.account_id
                AND \(unindexed: "signup.opportunity_id") = thread.opportunity_id), 0) END
        """
    }

    /// A condition on `signup` and its `shift`: it ended at the very moment when the shift was called off, as each is
    /// when all of it is closed.
    static let isCalledOff: SQL =
        "(signup.state = 'cancelled' AND coalesce(signup.changed_at = shift.removed_at, FALSE))"

    /// Opens the thread of a promise.
    static func open(_ claim: ID<Claim>, by helper: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO thread (claim_id, account_id) VALUES (\(claim), \(helper)) ON CONFLICT (claim_id) DO NOTHING
            """)
    }

    /// Opens the thread of somebody who asks to help, with the organization: one for all their shifts.
    static func open(at opportunity: ID<Opportunity>, by helper: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO thread (opportunity_id, account_id) VALUES (\(opportunity), \(helper))
            ON CONFLICT (opportunity_id, account_id) DO NOTHING
            """)
    }

    /// Opens the thread of a private question.
    static func open(_ question: ID<Question>, by asker: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO thread (question_id, account_id) VALUES (\(question), \(asker))
            ON CONFLICT (question_id) DO NOTHING
            """)
    }

    // MARK: Reading

    /// A thread that this member may read.
    static func find(_ id: ID<TalkThread>, of account: ID<Account>, in db: Connection) throws -> TalkThread? {
        try found("thread.id = \(id)", for: account, in: db).first
    }

    /// The thread of a promise.
    static func id(of claim: ID<Claim>, in db: Connection) throws -> ID<TalkThread>? {
        try db.value("SELECT id FROM thread WHERE claim_id = \(claim)")
    }

    /// A helper's thread with the organization, as the helper sees it.
    static func find(at opportunity: ID<Opportunity>, by helper: ID<Account>, in db: Connection) throws -> TalkThread? {
        try found(
            "thread.opportunity_id = \(opportunity) AND thread.account_id = \(helper)", for: helper, in: db
        ).first
    }

    /// A member's threads about a need: the open ones first, each part with the newest on top.
    static func all(at need: ID<Need>, of account: ID<Account>, in db: Connection) throws -> [TalkThread] {
        let threads = try found(
            """
            thread.id IN (
                SELECT thread.id FROM claim JOIN thread ON thread.claim_id = claim.id WHERE claim.need_id = \(need))
            """, for: account, in: db)
        return threads.filter { $0.overAt == nil } + threads.filter { $0.overAt != nil }
    }

    /// The threads about a way to help, for a member who looks after everything of the organization; none for others.
    static func all(at opportunity: ID<Opportunity>, of account: ID<Account>, in db: Connection) throws -> [TalkThread]
    {
        try found(
            "thread.id IN (SELECT thread.id FROM thread WHERE thread.opportunity_id = \(opportunity))", for: account,
            in: db
        ).filter { !$0.isGuest(account) }
    }

    /// The threads about private questions at an event: all of them for those who look after everything of its host,
    /// otherwise the member's own.
    static func all(at event: ID<Event>, of account: ID<Account>, in db: Connection) throws -> [TalkThread] {
        try found(
            """
            thread.id IN (SELECT thread.id FROM question JOIN thread ON thread.question_id = question.id
                WHERE question.event_id = \(event))
            """, for: account, in: db)
    }

    /// The threads with unread messages, about these parts of the site. Those about a promise are shown beside it
    /// (`Claim.lines`) as long as it is on the list of open promises.
    static func unread(of account: ID<Account>, about modules: Set<Module?>, in db: Connection) throws -> [TalkThread] {
        try found(
            """
            thread.id IN (
                SELECT thread_side.thread_id FROM thread_side
                WHERE thread_side.account_id = \(account) AND thread_side.unread > 0)
            AND (thread.claim_id IS NULL OR need.account_id = \(account)
                OR NOT (need.listed AND claim.state IN ('taken', 'brought')))
            """, for: account, in: db
        ).filter { modules.contains($0.about.module) }
    }

    private static func found(_ which: SQL, for account: ID<Account>, in db: Connection) throws -> [TalkThread] {
        try db.all(
            """
            SELECT thread.id, thread.account_id, host.id, need.id, opportunity.id, question.id, event.id,
                coalesce(need.title, opportunity.title, event.title),
                \(Author.columns),
                CASE WHEN need.id IS NOT NULL THEN NULL WHEN thread.account_id = \(account)
                    THEN provider.organization WHEN opportunity.id IS NOT NULL THEN family.first_name END,
                question.text, question.answer, coalesce(side.unread, 0), \(overAt)
            FROM thread \(abouts)
            LEFT JOIN provider ON provider.account_id = coalesce(opportunity.account_id, event.account_id)
            JOIN account AS host ON host.id = coalesce(need.account_id, opportunity.account_id, event.account_id)
            JOIN account ON account.id =
                CASE WHEN thread.account_id = \(account) THEN host.id ELSE thread.account_id END
            LEFT JOIN person ON person.account_id = account.id LEFT JOIN family ON family.account_id = account.id
            LEFT JOIN thread_side AS side ON side.thread_id = thread.id AND side.account_id = \(account)
            WHERE \(which) AND coalesce(claim.state, '') <> 'asked'
                AND need.hidden_at IS NULL AND opportunity.hidden_at IS NULL
                AND event.hidden_at IS NULL AND question.hidden_at IS NULL
                AND (thread.account_id = \(account) OR host.id = \(account) OR EXISTS (
                    SELECT 1 FROM colleague WHERE colleague.account_id = \(account)
                        AND colleague.host_id = coalesce(opportunity.account_id, event.account_id)
                        AND colleague.duty IN \(list: NoticeKind.wrote.colleagues)))
                AND account.suspended_at IS NULL AND account.left_at IS NULL AND host.suspended_at IS NULL
                AND CASE WHEN thread.question_id IS NULL THEN NOT \(Block.hides("account.id", from: account))
                        AND NOT \(Block.stands(between: "host.id", and: "thread.account_id"))
                    ELSE NOT EXISTS (SELECT 1 FROM block WHERE block.account_id = thread.account_id
                        AND block.blocked_id IN (host.id, \(account))) END
            ORDER BY thread.id DESC LIMIT 1000
            """
        ) { row in
            let (id, guest, host): (ID<TalkThread>, ID<Account>, ID<Account>) =
                (try row.next(), try row.next(), try row.next())
            let (need, opportunity): (ID<Need>?, ID<Opportunity>?) = (try row.next(), try row.next())
            let (question, event): (ID<Question>?, ID<Event>?) = (try row.next(), try row.next())
            let about: About =
                if let need {
                    .need(need)
                } else if let question, let event {
                    .question(question, event)
                } else {
                    .help(opportunity ?? ID(0))
                }
            let title: String = try row.next()
            let (other, called): (Author, String?) = (try row.next(), try row.next())
            let (text, answer): (String?, String?) = (try row.next(), try row.next())
            return TalkThread(
                id: id, about: about, title: title, asked: text.map { PrivateQuestion(text: $0, answer: answer ?? "") },
                guest: guest, host: host, other: other, called: called, unread: try row.next(),
                overAt: try row.next())
        }
    }

    /// Marks a thread as read by somebody.
    static func see(_ id: ID<TalkThread>, by account: ID<Account>, in tx: Transaction) throws {
        try tx.execute("UPDATE thread_side SET unread = 0 WHERE thread_id = \(id) AND account_id = \(account)")
        try Notice.read(beside: [.wrote], about: id.rawValue, of: account, in: tx)
    }

    /// Whether the other side has written, and so wants to hear from this member.
    func isAnswered(to account: ID<Account>, in db: Connection) throws -> Bool {
        let others: SQL =
            isGuest(account) ? "message.account_id <> \(guest)" : "message.account_id = \(guest)"
        return try db.exists("SELECT 1 FROM message WHERE message.thread_id = \(id) AND \(others) LIMIT 1")
    }

    /// The members who answer for the host, without those whom a block separates from the guest.
    fileprivate func hosts(in db: Connection) throws -> [ID<Account>] {
        guard about.hasTeam else { return [host] }
        // A block by the other side would tell it who asks without a name.
        let isBlocked: SQL =
            about.hidesGuest
            ? "EXISTS (SELECT 1 FROM block WHERE block.account_id = \(guest) AND block.blocked_id = account.id)"
            : Block.hides("account.id", from: guest)
        return try db.all(
            """
            SELECT account.id FROM account
            WHERE \(Colleague.told(of: .wrote, at: host, by: guest))
                AND account.suspended_at IS NULL AND account.left_at IS NULL
                AND NOT \(isBlocked)
            ORDER BY account.id LIMIT 100
            """
        ) { try $0.next() }
    }

    // MARK: Ending

    /// Ends what two members say to each other when one blocks the other: open pages hear of it, and the notices go. If
    /// one of them only answers for an organization, its other members go on. A host's block leaves private questions
    /// as they are: it would reveal who asked.
    static func part(_ one: ID<Account>, from other: ID<Account>, in db: Connection) throws {
        let shared: SQL = """
            SELECT thread.id FROM thread_side AS mine
            JOIN thread_side AS theirs ON theirs.thread_id = mine.thread_id AND theirs.account_id = \(other)
            JOIN thread ON thread.id = mine.thread_id
            WHERE mine.account_id = \(one) AND thread.account_id IN (\(one), \(other))
                AND (thread.question_id IS NULL OR thread.account_id = \(one))
            """
        try close("\(shared) AND \(host) IN (\(one), \(other))", in: db)
        try Notice.erase(
            """
            event_id IS NULL AND kind = \(NoticeKind.wrote) AND account_id IN (\(one), \(other))
                AND subject IN (\(shared) AND thread.account_id <> notice.account_id)
            """, in: db)
    }

    /// Ends the threads of a member whom nobody can talk to at the moment. Where they only answer for an organization,
    /// its other members go on.
    static func callOff(of account: ID<Account>, in db: Connection) throws {
        try close(
            """
            SELECT thread.id FROM thread_side AS side JOIN thread ON thread.id = side.thread_id
            WHERE side.account_id = \(account) AND (thread.account_id = \(account) OR \(host) = \(account))
            ORDER BY side.last_at DESC
            """, in: db)
    }

    /// Ends the threads about a need that is hidden, or waits for a yes again.
    static func callOff(at need: ID<Need>, in db: Connection) throws {
        try close(
            """
            SELECT thread.id FROM claim JOIN thread ON thread.claim_id = claim.id
            WHERE claim.need_id = \(need) ORDER BY claim.id DESC
            """, in: db)
    }

    /// Ends the threads about a way to help that is hidden.
    static func callOff(at opportunity: ID<Opportunity>, in db: Connection) throws {
        try close(
            "SELECT thread.id FROM thread WHERE opportunity_id = \(opportunity) ORDER BY account_id", in: db)
    }

    /// Ends the threads about questions at an event that is hidden.
    static func callOff(at event: ID<Event>, in db: Connection) throws {
        try close(ofQuestions(at: event), in: db)
    }

    /// Ends the thread of a private question that is hidden.
    static func callOff(at question: ID<Question>, in db: Connection) throws {
        try close("SELECT thread.id FROM thread WHERE question_id = \(question)", in: db)
    }

    private static func ofQuestions(at event: ID<Event>) -> SQL {
        """
        SELECT thread.id FROM question JOIN thread ON thread.question_id = question.id
        WHERE question.event_id = \(event)
        """
    }

    /// Erases their notices, which lead nowhere now, and tells open pages.
    private static func close(_ threads: SQL, in db: Connection) throws {
        try eraseNotices(of: threads, in: db)
        let threads: [ID<TalkThread>] = try db.all("\(threads) LIMIT 100") { try $0.next() }
        for thread in threads { try TalkNews.note(.thread(thread), in: db) }
    }

    // MARK: Erasing

    /// Erases the threads that ended a while ago.
    ///
    /// - Returns: The number of their messages.
    static func eraseOld(in tx: Transaction) throws -> Int {
        let old: [ID<TalkThread>] = try tx.all(
            """
            SELECT thread.id FROM thread \(abouts)
            WHERE thread.id > 0 AND \(overAt) < \(tx.now - kept) ORDER BY thread.id LIMIT 1000
            """
        ) { try $0.next() }
        return old.isEmpty ? 0 : try erase("SELECT thread.id FROM thread WHERE thread.id IN \(list: old)", in: tx)
    }

    /// Erases the threads about questions at an event that is deleted.
    static func eraseAll(at event: ID<Event>, in db: Connection) throws {
        try erase(ofQuestions(at: event), in: db)
    }

    /// Erases the threads of a member who leaves, with what the others wrote there.
    static func forget(of account: ID<Account>, in db: Connection) throws {
        try erase(
            """
            SELECT thread.id FROM thread WHERE thread.account_id = \(account)
            UNION ALL
            SELECT thread.id FROM need JOIN claim ON claim.need_id = need.id
            JOIN thread ON thread.claim_id = claim.id WHERE need.account_id = \(account)
            UNION ALL
            SELECT thread.id FROM opportunity JOIN thread ON thread.opportunity_id = opportunity.id
            WHERE opportunity.account_id = \(account)
            UNION ALL
            SELECT thread.id FROM event JOIN question ON question.event_id = event.id
            JOIN thread ON thread.question_id = question.id WHERE event.account_id = \(account)
            """, in: db)
    }

    /// A condition on `thread`: it is an organization’s, and this member of its team isn’t the guest.
    static func isOf(_ host: ID<Account>, besides account: ID<Account>) -> SQL {
        """
        thread.account_id <> \(account) AND thread.id IN (
            SELECT thread.id FROM opportunity JOIN thread ON thread.opportunity_id = opportunity.id
            WHERE opportunity.account_id = \(host)
            UNION ALL
            SELECT thread.id FROM event JOIN question ON question.event_id = event.id
            JOIN thread ON thread.question_id = question.id WHERE event.account_id = \(host))
        """
    }

    /// Takes an organization's threads away from a member who may no longer read them.
    static func leave(_ host: ID<Account>, by account: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM thread_side WHERE account_id = \(account)
                AND thread_id IN (SELECT thread.id FROM thread WHERE \(isOf(host, besides: account)))
            """)
    }

    /// Erases threads with their messages and notices.
    @discardableResult private static func erase(_ threads: SQL, in db: Connection) throws -> Int {
        try eraseNotices(of: threads, in: db)
        let count = try db.execute("DELETE FROM message WHERE thread_id IN (\(threads))")
        try db.execute("DELETE FROM talk_news WHERE thread_id IN (\(threads))")
        try db.execute("DELETE FROM thread_side WHERE thread_id IN (\(threads))")
        try db.execute("DELETE FROM thread WHERE id IN (\(threads))")
        return count
    }

    private static func eraseNotices(of threads: SQL, in db: Connection) throws {
        try Notice.erase(
            """
            event_id IS NULL AND kind = \(NoticeKind.wrote)
                AND account_id IN (SELECT thread_side.account_id FROM thread_side WHERE thread_id IN (\(threads)))
                AND subject IN (\(threads))
            """, in: db)
    }
}

extension Message {
    /// Writes a message in a thread, once for each `once`, and notifies the other side, by mail at most once an hour.
    /// When one member of a team answers, what was written before counts as read for the others.
    ///
    /// - Returns: Whether it is new.
    /// - Throws: `Refusal.notFound` if the thread is gone; `TalkThread.IsOver`; `HasLink`.
    @discardableResult static func send(
        _ text: String, in id: ID<TalkThread>, by account: ID<Account>, once: String, tx: Transaction
    ) throws -> Bool {
        guard let thread = try TalkThread.find(id, of: account, in: tx) else { throw Refusal.notFound }
        guard thread.isOpen(at: tx.now) else { throw TalkThread.IsOver() }
        guard
            try store(
                text, in: .thread(id), by: account, once: once, tx: tx,
                isAnswered: try thread.isAnswered(to: account, in: tx))
        else { return false }
        let hosts = try thread.hosts(in: tx)
        let told = thread.isGuest(account) ? hosts.filter { $0 != account } : [thread.guest]
        for one in Set(hosts + [thread.guest, account]) {
            let isTold = told.contains(one)
            try tx.execute(
                """
                INSERT INTO thread_side (thread_id, account_id, last_at, unread)
                VALUES (\(id), \(one), \(tx.now), \(isTold ? 1 : 0))
                ON CONFLICT (thread_id, account_id) DO UPDATE
                SET last_at = excluded.last_at, unread = thread_side.unread + excluded.unread
                """)
            if !isTold, one != account { try TalkThread.see(id, by: one, in: tx) }
        }
        let news = ThreadNews(.wrote, id, thread.title)
        for one in told {
            try tell(Notice.News(kind: news.kind, detail: news.detail, subject: id.rawValue), one, in: tx)
        }
        return true
    }
}

extension ThreadNews {
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        guard let news = ThreadNews(detail: letter.detail, subject: letter.subject),
            try TalkThread.find(news.about, of: reader.account.id, in: tx) != nil
        else { return nil }
        return news.letter
    }
}
