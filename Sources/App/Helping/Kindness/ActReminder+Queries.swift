import Database

/// The day's kind act in the inbox, and where it is pushed to, at an hour of somebody's choice.
enum ActReminder {
    static func find(of account: ID<Account>, in db: Connection) throws -> TimeOfDay? {
        try db.value("SELECT minute FROM act_reminder WHERE account_id = \(account)").flatMap {
            TimeOfDay(minutes: $0)
        }
    }

    /// Reminds somebody from now on, each day at this time; nil for never.
    static func set(
        _ time: TimeOfDay?, of account: ID<Account>, in zone: Zone, at now: Instant, db: Connection
    ) throws {
        guard let time else {
            try db.execute("DELETE FROM act_reminder WHERE account_id = \(account)")
            return
        }
        try db.execute(
            """
            INSERT INTO act_reminder (account_id, minute, due_at)
            VALUES (\(account), \(time.minutes), \(due(time, after: now, in: zone)))
            ON CONFLICT (account_id) DO UPDATE SET minute = excluded.minute, due_at = excluded.due_at
            """)
    }

    /// When it is this time next.
    static func due(_ time: TimeOfDay, after now: Instant, in zone: Zone) -> Instant {
        let today = zone.instant(zone.day(of: now), time)
        return today > now ? today : zone.instant(zone.day(of: now).advanced(by: 1), time)
    }

    /// Reminds those whose hour has come, but for who did something kind today, or is away. What wasn't read of an
    /// earlier day makes room.
    ///
    /// - Parameter town: The zone of members who chose none.
    /// - Returns: how many hours came.
    static func send(at now: Instant, in town: Zone, db: Connection) throws -> Int {
        let due: [(account: ID<Account>, minute: Int, zone: String?)] = try db.all(
            """
            SELECT act_reminder.account_id, act_reminder.minute, account.zone
            FROM act_reminder JOIN account ON account.id = act_reminder.account_id
            WHERE act_reminder.due_at <= \(now) ORDER BY act_reminder.due_at, act_reminder.account_id LIMIT 1000
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        for (account, minute, name) in due {
            let zone = name.flatMap { Zone(identifier: $0) } ?? town
            let time = TimeOfDay(minutes: minute) ?? .midnight
            try db.execute(
                """
                UPDATE act_reminder SET due_at = \(Self.due(time, after: now, in: zone))
                WHERE account_id = \(account)
                """)
            let today = zone.day(of: now)
            let isQuiet = try db.exists(
                """
                SELECT 1 FROM deed WHERE account_id = \(account) AND day = \(today)
                UNION ALL SELECT 1 FROM pause
                WHERE account_id = \(account) AND first <= \(today) AND last >= \(today)
                UNION ALL SELECT 1 FROM account WHERE id = \(account) AND suspended_at IS NOT NULL
                """)
            if isQuiet { continue }
            try Notice.erase(
                """
                notice.event_id IS NULL AND notice.account_id = \(account) AND notice.kind = \(NoticeKind.dayAct)
                    AND notice.read_at IS NULL
                """, in: db)
            let act = KindAct.ofDay(today).id.rawValue
            try Notice.tell(
                Notice.News(kind: .dayAct, subject: act), "account.id = \(account)", at: now, in: db)
        }
        return due.count
    }
}
