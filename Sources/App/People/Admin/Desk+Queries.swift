import Database

extension Desk {
    /// Counts everything; only for staff, because it takes longer the larger the town is.
    init(in tx: Transaction) throws {
        func count(_ rows: SQL) throws -> Int { try tx.value("SELECT count(*) FROM \(rows)") ?? 0 }
        people = try count("account")
        newThisWeek = try count("account WHERE created_at > \(tx.now - .days(7))")
        families = try count("family")
        providers = try count("provider")
        comingEvents = try Event.current(tx.now).map { try count("event WHERE listed AND \($0)") }.reduce(0, +)
        hiddenEvents = try count("event WHERE hidden_at IS NOT NULL")
        suspended = try count("account WHERE suspended_at IS NOT NULL")
        refused = try count("account WHERE refused_at IS NOT NULL")
        waiting = try Matter.waiting(in: tx)
        hasColleague = try count("account WHERE is_staff AND suspended_at IS NULL AND left_at IS NULL") > 1
        hasTestedMail = try Note.isSet("mail_tested", in: tx)
        hasChosenModules = try Note.isSet(Self.chosenModules, in: tx)
        hasChosenDoor = try Note.isSet("town_joining", in: tx)
        plans = try Plan.allCases.filter { $0 != .basic }.map { plan in
            (plan: plan, providers: try count("provider WHERE plan = \(plan)"))
        }.filter { $0.providers > 0 }
    }
}
