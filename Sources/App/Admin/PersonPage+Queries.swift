import Database

extension PersonPage {
    init(_ account: Account, at now: Instant, in zone: Zone, db: Connection) throws {
        self.account = account
        let id = account.id
        let created: Instant = try db.value("SELECT created_at FROM account WHERE id = \(id)") ?? now
        since = zone.day(of: created).fullName
        family = try Family.find(of: id, in: db)
        provider = try Provider.find(of: id, in: db)
        events = try Events(of: provider?.id, at: now, in: db)
        registrations = try Registrations(of: family?.id, at: now, in: db)
        devices = try Session.all(of: id, in: db).map { session in
            let (day, time) = zone.local(session.seenAt)
            return Device(name: session.device, seen: "\(day.fullName), \(time.name)")
        }
        acts = try StaffAct.on(id, provider: provider?.id, in: db).map { StaffLogRow($0, in: zone) }
    }
}

extension PersonPage.Events {
    init(of provider: ID<Provider>?, at now: Instant, in db: Connection) throws {
        func count(_ condition: SQL) throws -> Int {
            guard let provider else { return 0 }
            return try db.value("SELECT count(*) FROM event WHERE provider_id = \(provider) AND \(condition)") ?? 0
        }
        coming = try count("starts_at >= \(now) AND cancelled_at IS NULL")
        over = try count("starts_at < \(now) AND cancelled_at IS NULL")
        canceled = try count("cancelled_at IS NOT NULL")
        hidden = try count("hidden_at IS NOT NULL")
    }
}

extension PersonPage.Registrations {
    init(of family: ID<Family>?, at now: Instant, in db: Connection) throws {
        func count(_ condition: SQL) throws -> Int {
            guard let family else { return 0 }
            return try db.value(
                """
                SELECT count(*) FROM registration JOIN event ON event.id = registration.event_id
                WHERE registration.family_id = \(family) AND \(condition)
                """) ?? 0
        }
        coming = try count("registration.state = 'confirmed' AND event.starts_at >= \(now)")
        all = try count("registration.state = 'confirmed'")
        givenBack = try count("registration.state = 'cancelled'")
    }
}

extension StaffAct {
    /// What staff did to an account, or to the plan of its provider; the newest first.
    static func on(_ account: ID<Account>, provider: ID<Provider>?, in db: Connection) throws -> [StaffAct] {
        var acts = try latest(20, verbs: [.resetLink, .suspend, .restore], on: account.rawValue, in: db)
        if let provider { acts += try latest(20, verbs: [.grantPlan], on: provider.rawValue, in: db) }
        return Array(acts.sorted { $0.at > $1.at }.prefix(20))
    }

    private static func latest(
        _ count: Int, verbs: [Verb], on subject: Int64, in db: Connection
    ) throws -> [StaffAct] {
        try verbs.flatMap { verb in
            try db.all(
                """
                SELECT staff_act.at, account.username, staff_act.verb, staff_act.subject, staff_act.subject_id,
                    staff_act.reason
                FROM staff_act LEFT JOIN account ON account.id = staff_act.account_id
                WHERE staff_act.subject_id = \(subject) AND staff_act.verb = \(verb)
                ORDER BY staff_act.id DESC LIMIT \(count)
                """
            ) {
                StaffAct(
                    at: try $0[0], by: try $0[1] as String? ?? "the command line", verb: try $0[2],
                    subject: try $0[3], subjectID: try $0[4], reason: try $0[5])
            }
        }
    }
}
