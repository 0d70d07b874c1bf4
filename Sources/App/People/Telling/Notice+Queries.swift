import Database

extension NoticeKind.Channel: SQLValue {}

extension Notice {
    // MARK: Notifying

    /// News to send: its kind, and the event or other `subject` that it is about.
    struct News: Sendable {
        let kind: NoticeKind
        var event: ID<Event>?
        var registration: ID<Registration>?
        var detail = ""
        /// The number of another subject: an edit, an announcement, a question.
        var subject: Int64?
        /// A subquery for the party of each `account` that it leads to, instead of `registration`.
        var party: SQL?
        /// When a letter about it would be too late; nil for the kind's default.
        var endsAt: Instant?
        /// A subquery for the number of dates that it is about for each `account`.
        var times: SQL = "1"
        /// Whether no letter is sent, because one has just said the same.
        var isOnlyInbox = false
    }

    /// Notifies these accounts in the inbox and by mail, as each prefers; news about a family's children also goes to
    /// the other people who look after them.
    ///
    /// - Parameters:
    ///   - accounts: A condition on `account`.
    ///   - before: The accounts that were just told the same about other dates, as a condition on `account`, and those
    ///     dates.
    static func tell(
        _ news: News, _ accounts: SQL, besides before: (accounts: SQL, dates: [ID<Event>])? = nil, in tx: Transaction
    ) throws {
        try tell(news, accounts, besides: before, after: newest(in: tx), in: tx)
    }

    /// - Parameter last: The newest notice so far.
    private static func tell(
        _ news: News, _ accounts: SQL, besides before: (accounts: SQL, dates: [ID<Event>])? = nil,
        after last: ID<Notice>, in tx: Transaction
    ) throws {
        let fresh: SQL = before.map { " AND NOT \($0.accounts)" } ?? ""
        try tell(news, "\(accounts)\(fresh)", "account AS reader ON reader.id = account.id", after: last, in: tx)
        let guardians: SQL =
            "guardian ON guardian.head_id = account.id JOIN account AS reader ON reader.id = guardian.account_id"
        // Most families are looked after by one account, and what follows takes several statements.
        guard news.kind.isOfFamily, let event = news.event,
            try tx.exists("SELECT 1 FROM account JOIN \(guardians) WHERE \(accounts)")
        else { return }
        // A parent may not have been told about any of the children yet, because the other parent is going in person.
        let freshForChildren: SQL =
            before.map {
                " AND NOT (\($0.accounts) AND \(isForChildren("IN \(list: $0.dates.padded(to: 400))")))"
            } ?? ""
        // Parents who are going in person were just told.
        let told: SQL = before.map { " OR \($0.accounts)" } ?? ""
        let isTold: SQL = "EXISTS (SELECT 1 FROM account WHERE account.id = reader.id AND (\(accounts)\(told)))"
        try tell(
            news, "\(accounts) AND \(isForChildren("= \(event)"))\(freshForChildren) AND NOT \(isTold)",
            guardians, after: newest(in: tx), in: tx)
    }

    /// Whether `account` has children at these events: somebody's own participation is private.
    private static func isForChildren(_ events: SQL) -> SQL {
        """
        (EXISTS (SELECT 1 FROM event WHERE event.id \(events) AND audience = 'kids')
            OR EXISTS (SELECT 1 FROM registration JOIN registration_person
                    ON registration_person.registration_id = registration.id
                    AND registration_person.child_id IS NOT NULL AND registration_person.cancelled_at IS NULL
                WHERE registration.account_id = account.id AND registration.event_id \(events))
            OR EXISTS (SELECT 1 FROM activity_wait JOIN activity ON activity.id = activity_wait.activity_id
                WHERE activity_wait.account_id = account.id AND activity_wait.child_id IS NOT NULL
                    AND activity.event_id \(events)))
        """
    }

    /// - Parameters:
    ///   - readers: A join that gives each `account` the `reader` to notify.
    ///   - last: The newest notice so far.
    private static func tell(
        _ news: News, _ accounts: SQL, _ readers: SQL, after last: ID<Notice>, in tx: Transaction
    ) throws {
        let party: SQL = news.party ?? "\(news.registration)"
        if news.kind.rule(of: .inbox) != .never {
            let count = try tx.execute(
                """
                INSERT INTO notice (account_id, kind, event_id, registration_id, detail, subject, times, at)
                SELECT reader.id, \(news.kind), \(news.event), \(party), \(news.detail),
                    \(news.subject), \(news.times), \(tx.now)
                FROM account JOIN \(readers) WHERE \(accounts)\(wish(news.kind, .inbox))
                """)
            if count > 0 {
                // Most news have one reader, whom SQLite finds without a table in memory.
                let told: SQL = "SELECT account_id FROM notice WHERE id > \(last)"
                let isReader: SQL = count == 1 ? "id = (\(told) LIMIT 1)" : "id IN (\(told))"
                try tx.execute("UPDATE account SET unread = unread + 1 WHERE \(isReader)")
            }
            if count > 0, !news.isOnlyInbox {
                let end = news.endsAt ?? tx.now + news.kind.shelfLife
                try Push.write(news.kind, after: last, until: end, in: tx)
            }
        }
        guard !news.isOnlyInbox, news.kind.rule(of: .mail) != .never else { return }
        // Suspended members are told why.
        let open: SQL = news.kind == .decided ? "" : " AND reader.suspended_at IS NULL"
        let each: SQL = news.kind == .booked ? " AND NOT \(Digest.isWanted(.booked))" : ""
        try tx.execute(
            """
            INSERT INTO letter (kind, account_id, address, event_id, registration_id, detail, subject, created_at,
                due_at, ends_at)
            SELECT \(news.kind), reader.id, reader.email, \(news.event), \(party), \(news.detail), \(news.subject),
                \(tx.now), \(tx.now), \(news.endsAt ?? tx.now + news.kind.shelfLife)
            FROM account JOIN \(readers)
            WHERE \(accounts)\(open)\(reached(news.kind))\(each)\(wish(news.kind, .mail))
            """)
    }

    /// A condition that leaves out readers whose mail doesn't arrive: letters without urgency only go to addresses
    /// known to work.
    ///
    /// - Parameter reader: The account's name in the statement.
    static func reached(_ kind: NoticeKind, _ reader: SQL = "reader") -> SQL {
        kind.reachesEveryAddress
            ? "" : " AND \(reader).confirmed_at IS NOT NULL AND \(reader).refused_at IS NULL"
    }

    /// A condition that leaves out readers who don't want it on a channel.
    ///
    /// - Parameter reader: The account's name in the statement.
    static func wish(_ kind: NoticeKind, _ channel: NoticeKind.Channel, _ reader: SQL = "reader") -> SQL {
        let choice: SQL = """
            EXISTS (SELECT 1 FROM notice_choice WHERE notice_choice.account_id = \(reader).id
                AND notice_choice.kind = \(kind) AND notice_choice.channel = \(channel) AND
            """
        return switch kind.rule(of: channel) {
        case .never, .always: ""
        case .chosen: " AND NOT \(choice) NOT notice_choice.is_on)"
        case .wished: " AND \(choice) notice_choice.is_on)"
        }
    }

    /// Records that a party's question was answered or withdrawn.
    static func settle(_ registration: ID<Registration>, in tx: Transaction) throws {
        try settle("registration_id = \(registration) AND kind = \(NoticeKind.offered) AND read_at IS NULL", in: tx)
    }

    /// Records that what this kind of news asked for about `subject` was done or can’t be done anymore: their readers
    /// have nothing left to do.
    ///
    /// - Parameters:
    ///   - what: The word with which the details of these notices begin; nil for all of them.
    ///   - those: A condition on `notice`, where it was done for some of the readers only.
    static func settle(
        _ kind: NoticeKind, _ what: String? = nil, about subject: Int64, where those: SQL = "TRUE", in tx: Transaction
    ) throws {
        let saying: SQL = what.map { "\(position: "\($0 + "\u{1F}")", in: "notice.detail") = 1" } ?? "TRUE"
        try settle(
            """
            notice.event_id IS NULL AND notice.subject = \(subject) AND notice.kind = \(kind)
                AND notice.read_at IS NULL AND \(saying) AND \(those)
            """, in: tx)
    }

    /// Records that a question to an event's host was answered.
    static func settle(question: Int64, at event: ID<Event>, in tx: Transaction) throws {
        try settle(
            """
            event_id = \(event) AND kind = \(NoticeKind.asked) AND \(isAbout(question)) AND read_at IS NULL
            """, in: tx)
    }

    /// Records that what this kind of news said of events is over.
    static func settle(_ kind: NoticeKind, at events: [ID<Event>], in tx: Transaction) throws {
        guard !events.isEmpty else { return }
        try settle("event_id IN \(list: events.padded(to20Or: 400)) AND kind = \(kind) AND read_at IS NULL", in: tx)
    }

    /// - Parameter asked: A condition on unread notices.
    private static func settle(_ asked: SQL, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE account SET unread = unread - (
                SELECT count(*) FROM notice WHERE notice.account_id = account.id AND \(asked))
            WHERE id IN (SELECT account_id FROM notice WHERE \(asked))
            """)
        try tx.execute("UPDATE notice SET read_at = \(tx.now) WHERE \(asked)")
    }

    /// Notifies an event's host and their colleagues. Unread news of a gathered kind is merged into one notice.
    ///
    /// - Parameters:
    ///   - others: A query for the accounts of others who are notified.
    ///   - doer: The member who did it.
    static func tellHost(_ news: News, and others: SQL? = nil, by doer: ID<Account>? = nil, in tx: Transaction) throws {
        guard let event = news.event,
            let host: ID<Account> = try tx.value("SELECT account_id FROM event WHERE id = \(event)")
        else { return }
        // Most hosts are alone, and for a list of readers SQLite makes a table in memory in each of these statements.
        let isAlone = try others == nil && !tx.exists("SELECT 1 FROM colleague WHERE host_id = \(host)")
        let readers: SQL =
            isAlone ? "account.id = \(host)" : Colleague.told(of: news.kind, at: host, and: others, by: doer)
        let last = try newest(in: tx)
        try tell(news, readers, after: last, in: tx)
        if news.kind == .booked { try Digest.add(event, of: readers, in: tx) }
        guard news.kind.isGathered else { return }
        // The new notice replaces the old one at the top of the list; if its reader wants no notice anymore, there is
        // none.
        let isEarlier: SQL = """
            earlier.event_id = \(event) AND earlier.kind = \(news.kind) AND earlier.read_at IS NULL
                AND earlier.id <= \(last)
            """
        let replaced: SQL = """
            SELECT earlier.id FROM notice AS told
            CROSS JOIN notice AS earlier
            WHERE earlier.account_id = told.account_id AND \(isEarlier) AND told.id > \(last)
                AND \(unindexed: "told.event_id") = \(event) AND told.kind = \(news.kind)
            """
        guard try tx.exists(replaced) else { return }
        try tx.execute(
            """
            UPDATE notice SET times = times + coalesce((
                SELECT CAST(sum(earlier.times) AS BIGINT) FROM notice AS earlier
                WHERE earlier.account_id = notice.account_id AND \(isEarlier)), 0)
            WHERE id > \(last) AND \(unindexed: "event_id") = \(event) AND kind = \(news.kind)
            """)
        try erase("notice.id IN (\(replaced))", in: tx)
    }

    /// The condition that a `notice` is about this; for nil, that it is about nothing with a number.
    static func isAbout(_ subject: Int64?) -> SQL {
        subject.map { "notice.subject = \($0)" } ?? "notice.subject IS NULL"
    }

    /// Notifies an account about something repetitive: as long as it is unread, it stays one notice.
    static func tellOnce(_ news: News, _ account: ID<Account>, in tx: Transaction) throws {
        let count = try tx.execute(
            """
            UPDATE notice SET times = times + 1
            WHERE event_id IS NULL AND account_id = \(account) AND kind = \(news.kind) AND \(isAbout(news.subject))
                AND read_at IS NULL
            """)
        if count == 0 { try tell(news, "account.id = \(account)", in: tx) }
    }

    /// The most readers of news that can be undone: a party, a team, the two members of a match.
    private static let mostTakenBack = 100

    /// Notifies accounts that something other than an event has been restored. Readers to whom the inbox hasn't shown
    /// the first notice, nor a letter or a push, aren't told: it is removed from their inbox and the outbox.
    ///
    /// - Parameters:
    ///   - told: The first news, of the same kind, and its time.
    ///   - accounts: A condition on `account`.
    static func tell(
        _ news: News, takingBack told: News, of then: Instant, _ accounts: SQL, in tx: Transaction
    ) throws {
        let readers: [ID<Account>] = try tx.all(
            "SELECT account.id FROM account WHERE \(accounts) LIMIT \(mostTakenBack)"
        ) { try $0.next() }
        func isIt(_ since: SQL) -> SQL {
            """
            kind = \(told.kind) AND subject = \(told.subject) AND detail = \(told.detail) AND \(since) = \(then)
            """
        }
        let isToldInInbox: SQL = "notice.event_id IS NULL AND \(isIt("at"))"
        let heard: [ID<Account>] = try tx.all(
            """
            SELECT account.id FROM account WHERE account.id IN \(list: readers.padded(to: mostTakenBack)) AND (
                EXISTS (SELECT 1 FROM notice WHERE notice.account_id = account.id AND \(isToldInInbox)
                    AND (notice.read_at IS NOT NULL OR notice.is_shown
                        OR EXISTS (SELECT 1 FROM push_subscription
                            WHERE push_subscription.account_id = account.id\(wish(told.kind, .push, "account"))
                                AND NOT EXISTS (SELECT 1 FROM push WHERE push.notice_id = notice.id AND push.tries = 0
                                    AND push.subscription_id = push_subscription.id))))
                OR EXISTS (SELECT 1 FROM letter WHERE letter.account_id = account.id AND \(isIt("created_at"))
                    AND (letter.state <> 'waiting' OR letter.tries > 0)))
            LIMIT \(mostTakenBack)
            """
        ) { try $0.next() }
        let unaware = Array(Set(readers).subtracting(heard)).padded(to: mostTakenBack)
        try erase("notice.account_id IN \(list: unaware) AND \(isToldInInbox)", in: tx)
        try tx.execute("DELETE FROM letter WHERE account_id IN \(list: unaware) AND \(isIt("created_at"))")
        guard !heard.isEmpty else { return }
        try tell(news, "account.id IN \(list: heard.padded(to: mostTakenBack))", in: tx)
    }

    /// Marks a reader's notices of these kinds about something other than an event as read.
    static func read(
        beside kinds: [NoticeKind], about subject: Int64, of account: ID<Account>, in tx: Transaction
    ) throws {
        let count = try tx.execute(
            """
            UPDATE notice SET read_at = \(tx.now)
            WHERE event_id IS NULL AND account_id = \(account) AND kind IN \(list: kinds) AND subject = \(subject)
                AND read_at IS NULL
            """)
        try tx.execute("UPDATE account SET unread = unread - \(count) WHERE id = \(account)")
    }

    // MARK: Reading

    /// The newest notice for anyone.
    static func newest(in db: Connection) throws -> ID<Notice> { try db.value("SELECT max(id) FROM notice") ?? ID(0) }

    /// The accounts notified since.
    static func readers(after last: ID<Notice>, in db: Connection) throws -> [ID<Account>] {
        try db.all("SELECT account_id FROM notice WHERE id > \(last) LIMIT 100000") { try $0.next() }
    }

    static func readAll(of account: ID<Account>, in tx: Transaction) throws {
        try tx.execute("UPDATE notice SET read_at = \(tx.now) WHERE account_id = \(account) AND read_at IS NULL")
        try tx.execute("UPDATE account SET unread = 0 WHERE id = \(account)")
    }

    /// Records that the inbox has listed these notices to an account, whether or not it opens them.
    static func show(_ notices: ClosedRange<ID<Notice>>, to account: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE notice SET is_shown = TRUE WHERE account_id = \(account) AND NOT is_shown
                AND id >= \(notices.lowerBound) AND id <= \(notices.upperBound)
            """)
    }

    // MARK: Erasing

    /// Erases the notices about a deleted event.
    static func erase(about event: ID<Event>, in db: Connection) throws {
        try erase("event_id = \(event)", in: db)
    }

    /// Erases old notices.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try erase("at < \(tx.now - memory)", in: tx)
    }

    /// Erases notices by a condition on `notice`.
    @discardableResult static func erase(_ which: SQL, in db: Connection) throws -> Int {
        try db.execute(
            """
            UPDATE account SET unread = unread - (
                SELECT count(*) FROM notice WHERE notice.account_id = account.id AND read_at IS NULL AND \(which))
            WHERE id IN (SELECT account_id FROM notice WHERE \(which))
            """)
        return try db.execute("DELETE FROM notice WHERE \(which)")
    }

    // MARK: Preferences

    /// Stores whether an account wants a kind on a channel.
    static func choose(
        _ kind: NoticeKind, _ channel: NoticeKind.Channel, _ isOn: Bool, by account: ID<Account>, in db: Connection
    ) throws {
        guard [.chosen, .wished].contains(kind.rule(of: channel)) else { return }
        try db.execute(
            """
            INSERT INTO notice_choice (account_id, kind, channel, is_on)
            VALUES (\(account), \(kind), \(channel), \(isOn))
            ON CONFLICT (account_id, kind, channel) DO UPDATE SET is_on = excluded.is_on
            """)
    }
}
