import Database

extension Badge: SQLValue {}

extension Deed: RowDecodable {
    static let columns: Columns = [
        "deed.id", "deed.act", "deed.day", "deed.points", "deed.note", "deed.has_children", "deed.level",
        "deed.done_at",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), act: try row.next(), day: try row.next(), points: try row.next(),
            note: try row.next(), isWithChildren: try row.next(), level: try row.next(), doneAt: try row.next())
    }
}

extension Deed {
    // MARK: Doing

    /// A deed to record.
    struct Entry: Sendable {
        let act: KindAct
        let day: Day
        var note = ""
        var isWithChildren = false
        /// Whether the page showed the act as not done on that day: if it has been done by now, nothing more is
        /// recorded.
        var isFirst = false
        let once: String
    }

    /// Records a deed with all of its effects, only once if its form is sent repeatedly.
    ///
    /// - Returns: Whether it was new.
    @discardableResult
    static func record(_ entry: Entry, by account: ID<Account>, in tx: Transaction) throws -> Bool {
        let act = entry.act
        if try tx.exists(
            "SELECT 1 FROM deed WHERE account_id = \(account) AND act = \(act.id) AND once = \(entry.once)")
        {
            return false
        }
        let times: Int =
            try tx.value(
                "SELECT count(*) FROM deed WHERE account_id = \(account) AND day = \(entry.day) AND act = \(act.id)")
            ?? 0
        if entry.isFirst, times > 0 { return false }
        let before = try Standing.of(account, in: tx)
        let points = times < KindAct.mostWithPoints ? act.points : 0
        var after = before
        after.points += points
        after.acts += 1
        after.withChildren += entry.isWithChildren ? 1 : 0
        after.themes |= act.theme.bit
        after.needs += act.id == KindAct.need.id ? 1 : 0
        let level = after.level.number > before.level.number ? after.level.number : 0
        let id = ID<Deed>(
            try tx.insert(
                """
                INSERT INTO deed (account_id, kind, act, theme, day, points, is_of_day, has_children, note, level, once,
                    done_at)
                VALUES (\(account), 'act', \(act.id), \(act.theme), \(entry.day), \(points),
                    \(KindAct.ofDay(entry.day).id == act.id), \(entry.isWithChildren), \(entry.note), \(level),
                    \(entry.once), \(tx.now))
                """))
        // The reminder of the day's act has done its work.
        try Notice.read(beside: [.dayAct], about: KindAct.ofDay(entry.day).id.rawValue, of: account, in: tx)
        try after.countDays(of: account, in: tx)
        try after.save(of: account, in: tx)
        try award(after, for: id, on: entry.day, to: account, in: tx)
        try TownTotal.add(1, act.theme, on: entry.day, in: tx)
        try Challenge.done(act, as: id, by: account, in: tx)
        return true
    }

    /// Awards badges that have been reached.
    fileprivate static func award(
        _ standing: Standing, for deed: ID<Deed>?, on day: Day, to account: ID<Account>, in db: Connection
    ) throws {
        for badge in Badge.allCases where standing.count(of: badge.measure) >= badge.number {
            try db.execute(
                """
                INSERT INTO badge (account_id, kind, deed_id, day) VALUES (\(account), \(badge), \(deed), \(day))
                ON CONFLICT (account_id, kind) DO NOTHING
                """)
        }
    }

    /// Undoes a recent deed with all of its effects.
    ///
    /// - Throws: `Refusal.notFound` if it isn't theirs; `TooLate`.
    static func undo(_ id: ID<Deed>, of account: ID<Account>, in tx: Transaction) throws {
        let found: (deed: Deed, theme: KindAct.Theme)? = try tx.first(
            "SELECT \(columns), deed.theme FROM deed WHERE id = \(id) AND account_id = \(account)"
        ) { (try $0.next(), try $0.next()) }
        guard let (deed, theme) = found else { throw Refusal.notFound }
        guard deed.isUndoable(at: tx.now) else { throw TooLate() }
        try Challenge.undone(id, in: tx)
        try tx.execute("DELETE FROM deed WHERE id = \(id)")
        var standing = try Standing.of(account, in: tx)
        standing.points -= deed.points
        standing.acts -= 1
        standing.withChildren -= deed.isWithChildren ? 1 : 0
        standing.needs -= deed.act == KindAct.need.id ? 1 : 0
        if try !tx.exists("SELECT 1 FROM deed WHERE account_id = \(account) AND theme = \(theme) LIMIT 1") {
            standing.themes &= ~theme.bit
        }
        try standing.countDays(of: account, in: tx)
        try standing.save(of: account, in: tx)
        // A badge that was removed with it may have been earned without it.
        let last: (ID<Deed>, Day)? = try tx.first(
            "SELECT id, day FROM deed WHERE account_id = \(account) ORDER BY done_at DESC, id DESC LIMIT 1"
        ) { (try $0.next(), try $0.next()) }
        if let (last, day) = last { try award(standing, for: last, on: day, to: account, in: tx) }
        try TownTotal.add(-1, theme, on: deed.day, in: tx)
    }

    // MARK: Queries

    /// A member's deeds recorded since `instant`, newest first.
    static func recent(of account: ID<Account>, since instant: Instant, in db: Connection) throws -> [Deed] {
        try db.all(
            """
            SELECT \(columns) FROM deed WHERE account_id = \(account) AND done_at > \(instant)
            ORDER BY done_at DESC LIMIT 200
            """)
    }

    static let pageSize = 50

    /// When a member did an act, newest first.
    static func all(
        of account: ID<Account>, _ act: ID<KindAct>, after: Cursor<ID<Deed>>?, in db: Connection
    ) throws -> Page<Deed> {
        try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(columns) FROM deed
                WHERE account_id = \(account) AND act = \(act) AND id < \(after?.keys ?? ID(.max))
                ORDER BY id DESC LIMIT \(limit)
                """)
        }.changed { deeds in deeds.sorted { ($0.day, $0.id) > ($1.day, $1.id) } }
    }

    static func find(_ id: ID<Deed>, of account: ID<Account>, in db: Connection) throws -> Deed? {
        try db.first("SELECT \(columns) FROM deed WHERE id = \(id) AND account_id = \(account)")
    }

    /// The days from `first` on with deeds by a member.
    static func days(of account: ID<Account>, from first: Day, in db: Connection) throws -> Set<Day> {
        Set(
            try db.all(
                "SELECT DISTINCT day FROM deed WHERE account_id = \(account) AND day >= \(first) ORDER BY day LIMIT 40"
            ) { try $0.next() })
    }
}

extension Standing {
    static func of(_ account: ID<Account>, in db: Connection) throws -> Standing {
        try db.first(
            """
            SELECT points, acts, with_children, themes, needs, friends, streak_length, streak_record, streak_rests,
                streak_first, streak_last, day_length, day_record, day_rests, day_first, day_last
            FROM standing WHERE account_id = \(account)
            """
        ) { row in
            func streak() throws -> Streak {
                Streak(
                    length: try row.next(), record: try row.next(), rests: try row.next(), first: try row.next(),
                    last: try row.next())
            }
            return Standing(
                points: try row.next(), acts: try row.next(), withChildren: try row.next(), themes: try row.next(),
                needs: try row.next(), friends: try row.next(), streak: try streak(), streakOfDay: try streak())
        } ?? Standing()
    }

    fileprivate func save(of account: ID<Account>, in db: Connection) throws {
        let stored: Assignments = [
            "points": points, "acts": acts, "with_children": withChildren, "themes": themes,
            "needs": needs, "friends": friends,
            "streak_length": streak.length, "streak_record": streak.record, "streak_rests": streak.rests,
            "streak_first": streak.first, "streak_last": streak.last, "day_length": streakOfDay.length,
            "day_record": streakOfDay.record, "day_rests": streakOfDay.rests, "day_first": streakOfDay.first,
            "day_last": streakOfDay.last,
        ]
        try db.execute(
            """
            INSERT INTO standing \(values: stored + ["account_id": account])
            ON CONFLICT (account_id) DO UPDATE SET \(set: stored)
            """)
    }

    /// Counts the days with deeds, which are read from an index, one entry per day.
    fileprivate mutating func countDays(of account: ID<Account>, in db: Connection) throws {
        let pauses = try Pause.all(of: account, in: db)
        let days: [Day] = try db.all(
            "SELECT DISTINCT day FROM deed WHERE account_id = \(account) ORDER BY day LIMIT 40000"
        ) { try $0.next() }
        let daysOfDay: [Day] = try db.all(
            "SELECT DISTINCT day FROM deed WHERE account_id = \(account) AND is_of_day ORDER BY day LIMIT 40000"
        ) { try $0.next() }
        streak = Streak(of: days, pauses: pauses)
        streakOfDay = Streak(of: daysOfDay, pauses: pauses)
    }

    /// Counts the people a member invited once they confirm their address, and awards badges for them.
    static func countFriends(of account: ID<Account>, on day: Day, in db: Connection) throws {
        var standing = try of(account, in: db)
        standing.friends =
            try db.value(
                "SELECT count(*) FROM account WHERE inviter_id = \(account) AND confirmed_at IS NOT NULL") ?? 0
        try standing.save(of: account, in: db)
        try Deed.award(standing, for: nil, on: day, to: account, in: db)
    }

    /// A member's badges, each with its day.
    static func badges(
        of account: ID<Account>, in db: Connection
    ) throws -> [(badge: Badge, day: Day, deed: ID<Deed>?)] {
        try db.all("SELECT kind, day, deed_id FROM badge WHERE account_id = \(account) LIMIT 100") {
            (try $0.next(), try $0.next(), try $0.next())
        }
    }
}

extension TownTotal {
    fileprivate static func add(_ count: Int, _ theme: KindAct.Theme, on day: Day, in db: Connection) throws {
        let month = day.firstOfMonth
        try db.execute(
            """
            INSERT INTO town_total (month, theme, count) VALUES (\(month), \(theme), 0)
            ON CONFLICT (month, theme) DO NOTHING
            """)
        try db.execute(
            "UPDATE town_total SET count = count + \(count) WHERE month = \(month) AND theme = \(theme)")
    }

    /// The town's total in a day's month, the most frequent theme first.
    static func of(_ day: Day, in db: Connection) throws -> TownTotal {
        let month = day.firstOfMonth
        let found: [(theme: KindAct.Theme, count: Int)] = try db.all(
            "SELECT theme, count FROM town_total WHERE month = \(month) AND count > 0 LIMIT 20"
        ) { (try $0.next(), try $0.next()) }
        return TownTotal(month: month, themes: found.sorted { $0.count > $1.count })
    }
}
