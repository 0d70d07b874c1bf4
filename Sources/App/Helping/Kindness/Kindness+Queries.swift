import Database

extension MyKindness {
    init(of account: ID<Account>, at now: Instant, in zone: Zone, _ db: Connection) throws {
        let day = zone.day(of: now)
        let chosen = try Act.chosen(by: account, in: db)
        let own = try Act.own(of: account, in: db)
        let byID = Dictionary(own.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        // Longer than the longest day.
        let deeds = try Deed.recent(of: account, since: now - .hours(26), in: db)
        let badges = try Standing.badges(of: account, in: db)
        self.chosen = Set(chosen)
        acts = chosen.compactMap { Act.listed($0) ?? byID[$0] }
        today = deeds.filter { $0.day == day }
        recent = deeds.filter { $0.isUndoable(at: now) }.compactMap { deed in
            (Act.listed(deed.act) ?? byID[deed.act]).map { act in
                Recent(
                    deed: deed, name: act.name, badges: badges.filter { $0.deed == deed.id }.map(\.badge),
                    wasYesterday: deed.day < day)
            }
        }
        standing = try Standing.of(account, in: db)
        streak = standing.streak.seen(on: day, pauses: try Pause.all(of: account, in: db))
    }
}
