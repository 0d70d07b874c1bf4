import Database

extension Desk {
    /// Counts everything; only for staff, because it takes longer the larger the town is.
    init(at now: Instant, in db: Connection) throws {
        func count(_ rows: SQL) throws -> Int { try db.value("SELECT count(*) FROM \(rows)") ?? 0 }
        people = try count("account")
        newThisWeek = try count("account WHERE created_at > \(now - .days(7))")
        families = try count("family")
        providers = try count("provider")
        comingEvents = try Event.current(now).map { try count("event WHERE listed AND \($0)") }.reduce(0, +)
        hiddenEvents = try count("event WHERE hidden_at IS NOT NULL")
        suspended = try count("account WHERE suspended_at IS NOT NULL")
        refused = try count("account WHERE refused_at IS NOT NULL")
        waiting = try Matter.waiting(in: db)
        hasColleague = try count("account WHERE is_staff AND suspended_at IS NULL AND left_at IS NULL") > 1
        hasTestedMail = try Note.isSet("mail_tested", in: db)
        hasChosenModules = try Note.isSet(Self.chosenModules, in: db)
        hasChosenDoor = try Note.isSet("town_joining", in: db)
        plans = try Plan.allCases.filter { $0 != .basic }.map { plan in
            (plan: plan, providers: try count("provider WHERE plan = \(plan)"))
        }.filter { $0.providers > 0 }
    }
}
