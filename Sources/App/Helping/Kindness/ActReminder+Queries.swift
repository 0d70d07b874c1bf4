import Database

/// The daily kind act in the inbox, and as a push message, at an hour of the member's choice.
enum ActReminder {
    static func find(of account: ID<Account>, in db: Connection) throws -> TimeOfDay? {
        try db.value("SELECT minute FROM act_reminder WHERE account_id = \(account)").flatMap {
            TimeOfDay(minutes: $0)
        }
    }

    /// Sets the daily time of a member's reminder; nil for never.
    static func set(_ time: TimeOfDay?, of account: ID<Account>, in zone: Zone, tx: Transaction) throws {
        guard let time else {
            try tx.execute("DELETE FROM act_reminder WHERE account_id = \(account)")
            return
        }
        try tx.execute(
            """
            INSERT INTO act_reminder (account_id, minute, due_at)
            VALUES (\(account), \(time.minutes), \(due(time, after: tx.now, in: zone)))
            ON CONFLICT (account_id) DO UPDATE SET minute = excluded.minute, due_at = excluded.due_at
            """)
    }

    /// Moves a member's reminder to the same time of day in another zone.
    static func renew(of account: ID<Account>, in zone: Zone, tx: Transaction) throws {
        guard let time = try find(of: account, in: tx) else { return }
        try set(time, of: account, in: zone, tx: tx)
    }

    /// Moves the reminders of all members without a zone of their own, after the town's zone changed.
    static func renewAll(in town: Zone, tx: Transaction) throws {
        var last = ID<Account>(0)
        while true {
            let next: [(account: ID<Account>, minute: Int)] = try tx.all(
                """
                SELECT act_reminder.account_id, act_reminder.minute
                FROM act_reminder JOIN account ON account.id = act_reminder.account_id
                WHERE act_reminder.account_id > \(last) AND account.zone IS NULL
                ORDER BY act_reminder.account_id LIMIT \(batch)
                """
            ) { (try $0.next(), try $0.next()) }
            for (minute, members) in Dictionary(grouping: next, by: \.minute) {
                try putOff(members.map(\.account).padded(to: batch), to: minute, in: town, tx: tx)
            }
            guard next.count == batch, let end = next.last?.account else { return }
            last = end
        }
    }

    /// Sets the next time of members' reminders to this minute of the day.
    private static func putOff(_ members: [ID<Account>], to minute: Int, in zone: Zone, tx: Transaction) throws {
        let next = due(TimeOfDay(minutes: minute) ?? .midnight, after: tx.now, in: zone)
        try tx.execute("UPDATE act_reminder SET due_at = \(next) WHERE account_id IN \(list: members)")
    }

    /// The next occurrence of a time of day.
    static func due(_ time: TimeOfDay, after now: Instant, in zone: Zone) -> Instant {
        let today = zone.instant(zone.day(of: now), time)
        return today > now ? today : zone.instant(zone.day(of: now).advanced(by: 1), time)
    }

    /// How many reminders are processed at a time; the rest follows in the next minute.
    static let batch = 500

    /// Sends due reminders, except to members who did something kind today or are away. Unread reminders of earlier
    /// days are removed.
    ///
    /// - Parameter town: The zone of members without their own.
    /// - Returns: The number of due reminders.
    static func send(in town: Zone, tx: Transaction) throws -> Int {
        let due: [(account: ID<Account>, hour: Hour)] = try tx.all(
            """
            SELECT act_reminder.account_id, act_reminder.minute, account.zone
            FROM act_reminder JOIN account ON account.id = act_reminder.account_id
            WHERE act_reminder.due_at <= \(tx.now) ORDER BY act_reminder.due_at, act_reminder.account_id LIMIT \(batch)
            """
        ) { (try $0.next(), Hour(minute: try $0.next(), zone: try $0.next())) }
        // Most members share a time and zone.
        for (hour, members) in Dictionary(grouping: due, by: \.hour) {
            let zone = hour.zone.flatMap { Zone(identifier: $0) } ?? town
            try remind(members.map(\.account), hour.minute, in: zone, tx: tx)
        }
        return due.count
    }

    /// A time of day and a zone.
    private struct Hour: Hashable {
        let minute: Int
        let zone: String?
    }

    private static func remind(_ members: [ID<Account>], _ minute: Int, in zone: Zone, tx: Transaction) throws {
        let members = members.padded(to: batch)
        try putOff(members, to: minute, in: zone, tx: tx)
        try Notice.erase(
            """
            notice.event_id IS NULL AND notice.account_id IN \(list: members) AND notice.kind = \(NoticeKind.dayAct)
                AND notice.read_at IS NULL
            """, in: tx)
        let today = zone.day(of: tx.now)
        try Notice.tell(
            Notice.News(kind: .dayAct, subject: KindAct.ofDay(today).id.rawValue),
            """
            account.id IN \(list: members) AND account.suspended_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM deed WHERE deed.account_id = account.id AND deed.day = \(today))
                AND NOT EXISTS (
                    SELECT 1 FROM pause
                    WHERE pause.account_id = account.id AND pause.first <= \(today) AND pause.last >= \(today))
            """, in: tx)
    }
}
