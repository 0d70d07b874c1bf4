import Database

extension StaffAct {
    /// Writes the act down; part of the transaction that carries it out.
    static func record(
        _ verb: Verb, _ subject: String, _ subjectID: Int64, reason: String, ground: Ground? = nil,
        by account: ID<Account>?, at now: Instant, in db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO staff_act (account_id, verb, subject, subject_id, reason, ground, at)
            VALUES (\(account), \(verb), \(subject), \(subjectID), \(reason), \(ground), \(now))
            """)
    }

    /// Why staff hid these events, the last time they did.
    static func reasons(forHiding events: [ID<Event>], in db: Connection) throws -> [ID<Event>: Why] {
        guard !events.isEmpty else { return [:] }
        let found: [(ID<Event>, String, Ground?)] = try db.all(
            """
            SELECT subject_id, reason, ground FROM staff_act WHERE id IN (
                SELECT max(id) FROM staff_act WHERE subject_id IN \(list: events) AND verb = \(Verb.hide)
                GROUP BY subject_id) LIMIT \(events.count)
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        return Dictionary(
            uniqueKeysWithValues: found.map { id, reason, ground in
                (id, Why(reason: reason, ground: ground))
            })
    }

    /// The newest acts.
    static func latest(before id: Int64?, in db: Connection) throws -> [(id: Int64, act: StaffAct)] {
        try latest(51, "staff_act.id < \(id ?? .max)", in: db)
    }

    /// What staff did to an account, or to the plan of its provider; the newest first.
    static func on(_ account: ID<Account>, provider: ID<Provider>?, in db: Connection) throws -> [StaffAct] {
        var acts = try Verb.onAccounts.flatMap { try latest(20, $0, on: account.rawValue, in: db) }
        if let provider { acts += try latest(20, .grantPlan, on: provider.rawValue, in: db) }
        return acts.sorted { $0.id > $1.id }.prefix(20).map(\.act)
    }

    /// What staff did to an event; the newest first.
    static func on(_ event: ID<Event>, in db: Connection) throws -> [StaffAct] {
        let acts = try [Verb.hide, .show].flatMap { try latest(20, $0, on: event.rawValue, in: db) }
        return acts.sorted { $0.id > $1.id }.prefix(20).map(\.act)
    }

    /// Of one kind, on one subject.
    private static func latest(
        _ count: Int, _ verb: Verb, on subject: Int64, in db: Connection
    ) throws -> [(id: Int64, act: StaffAct)] {
        try latest(count, "staff_act.subject_id = \(subject) AND staff_act.verb = \(verb)", in: db)
    }

    private static func latest(
        _ count: Int, _ condition: SQL, in db: Connection
    ) throws -> [(id: Int64, act: StaffAct)] {
        try db.all(
            """
            SELECT staff_act.id, staff_act.at, account.username, staff_act.verb, staff_act.subject,
                staff_act.subject_id, staff_act.reason, staff_act.ground
            FROM staff_act LEFT JOIN account ON account.id = staff_act.account_id
            WHERE \(condition) ORDER BY staff_act.id DESC LIMIT \(count)
            """
        ) {
            (
                try $0.next(),
                StaffAct(
                    at: try $0.next(), by: try $0.next(), verb: try $0.next(),
                    subject: try $0.next(), subjectID: try $0.next(), reason: try $0.next(), ground: try $0.next())
            )
        }
    }
}

extension StaffAct.Verb: SQLValue {}
