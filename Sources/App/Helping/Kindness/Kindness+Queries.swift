import Database

extension MyKindness {
    init(of account: ID<Account>, in zone: Zone, _ tx: Transaction) throws {
        let day = zone.day(of: tx.now)
        let chosen = try KindAct.chosen(by: account, in: tx)
        // Longer than the longest day: one that is spent flying west begins in the first zone and ends in the last.
        let deeds = try Deed.recent(of: account, since: tx.now - .hours(52), in: tx)
        let undoable = deeds.filter { $0.isUndoable(at: tx.now) }
        let badges = try undoable.isEmpty ? [] : Standing.badges(of: account, in: tx)
        let written = try KindAct.written(among: chosen + deeds.prefix(KindAct.most).map(\.act), for: account, in: tx)
        let byID = Dictionary(written.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.chosen = Set(chosen)
        acts = chosen.compactMap { KindAct.listed($0) ?? byID[$0] }
        today = deeds.filter { $0.day == day }
        recent = undoable.compactMap { deed in
            (KindAct.listed(deed.act) ?? byID[deed.act]).map { act in
                Recent(
                    deed: deed, name: act.name, badges: badges.filter { $0.deed == deed.id }.map(\.badge),
                    wasYesterday: deed.day < day)
            }
        }
        standing = try Standing.of(account, in: tx)
        let missed = standing.streak.hasGap(before: day)
        streak = standing.streak.seen(on: day, pauses: try missed ? Pause.all(of: account, in: tx) : [])
    }
}

extension FamilyStreak {
    /// Two parents' common streak, as one of them sees it; nil if there is one parent.
    init?(of account: ID<Account>, on today: Day, in db: Connection) throws {
        let head = try Guardian.head(of: account, in: db)
        guard let beside = try Guardian.beside(account, in: db), let second = try Guardian.second(of: head, in: db)
        else { return nil }
        let other = account == head ? second : head
        let since: [(account: ID<Account>, day: Day)] = try db.all(
            "SELECT account_id, since FROM family_streak WHERE account_id IN (\(account), \(other)) LIMIT 2"
        ) { (try $0.next(), try $0.next()) }
        var streak: Streak?
        if since.count == 2, let first = since.map(\.day).max() {
            // Queried for each parent, in the order of an index.
            let days: [Day] = try [account, other].flatMap { parent in
                try db.all(
                    """
                    SELECT DISTINCT day FROM deed WHERE account_id = \(parent) AND day >= \(first)
                    ORDER BY day LIMIT 20000
                    """
                ) { try $0.next() as Day }
            }
            let pauses = try Pause.all(of: account, in: db) + Pause.all(of: other, in: db)
            streak = Streak(of: Set(days).sorted(), pauses: pauses).seen(on: today, pauses: pauses)
        }
        self.init(
            name: beside.name, isMine: since.contains { $0.account == account },
            isTheirs: since.contains { $0.account == other }, streak: streak)
    }

    /// Turns the common streak on or off for one parent, from a day on.
    ///
    /// - Throws: `Refusal.notFound` if there is no other parent.
    static func keep(_ isOn: Bool, by account: ID<Account>, on today: Day, in db: Connection) throws {
        if isOn {
            guard try Guardian.beside(account, in: db) != nil else { throw Refusal.notFound }
            try db.execute(
                """
                INSERT INTO family_streak (account_id, since) VALUES (\(account), \(today))
                ON CONFLICT (account_id) DO NOTHING
                """)
        } else {
            try db.execute("DELETE FROM family_streak WHERE account_id = \(account)")
        }
    }
}

extension ShownKindness {
    init(_ parts: [KindnessPart], of account: ID<Account>, in zone: Zone, _ tx: Transaction) throws {
        guard !parts.isEmpty else { return }
        let standing = try Standing.of(account, in: tx)
        // In the zone of the member who did it, for every reader.
        let own: String = try tx.value("SELECT coalesce(zone, '') FROM account WHERE id = \(account)") ?? ""
        let zone = own.isEmpty ? zone : Zone(stored: own)
        let streak = standing.streak.seen(on: zone.day(of: tx.now), pauses: try Pause.all(of: account, in: tx))
        for part in parts {
            switch part {
            case .level: level = standing.level
            case .badges: badges = try Standing.badges(of: account, in: tx).map { ($0.badge, $0.day) }
            // Of none nothing is said: a streak that was lost shames nobody.
            case .streak: self.streak = streak.length > 0 ? streak.length : nil
            case .record: record = streak.record > 0 ? streak.record : nil
            case .history:
                let deeds: [(act: ID<KindAct>, day: Day)] = try tx.all(
                    """
                    SELECT act, day FROM deed WHERE account_id = \(account)
                    ORDER BY done_at DESC LIMIT \(5 * Self.historySize)
                    """
                ) { (try $0.next(), try $0.next()) }
                let listed = deeds.compactMap { deed in
                    // Meeting a neighbor's need stays private.
                    deed.act == KindAct.need.id ? nil : KindAct.listed(deed.act).map { (name: $0.name, day: deed.day) }
                }
                history = Array(listed.prefix(Self.historySize))
            }
        }
    }
}
