import Database

extension AuditEntry {
    /// Records an action, within the transaction that carries it out.
    static func record(
        _ verb: Verb, _ subject: String, _ subjectID: Int64, about: Subject? = nil, of author: ID<Account>? = nil,
        was: String = "", became: String = "", reason: String, ground: Ground? = nil, by account: ID<Account>?,
        in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO staff_act (account_id, verb, subject, subject_id, about, author_id, was, became, reason,
                ground, at)
            VALUES (\(account), \(verb), \(subject), \(subjectID), \(about), \(author), \(was), \(became),
                \(reason), \(ground), \(tx.now))
            """)
    }

    /// The staff member who last did one of these; nil if it was `reader`, or unknown.
    static func last(_ verbs: [Verb], besides reader: ID<Account>, in db: Connection) throws -> String? {
        let found: (ID<Account>?, String?)? = try db.first(
            """
            SELECT account.id, account.username FROM staff_act LEFT JOIN account ON account.id = staff_act.account_id
            WHERE staff_act.id = (SELECT max(id) FROM staff_act WHERE verb IN \(list: verbs))
            """
        ) { (try $0.next(), try $0.next()) }
        return found?.0 == reader ? nil : found?.1
    }

    /// The latest reason why staff hid each of these events.
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

    /// The newest actions, up to a limit.
    static func latest(
        _ count: Int, after: Cursor<ID<AuditEntry>>?, in db: Connection
    ) throws -> [(id: ID<AuditEntry>, act: AuditEntry)] {
        try latest(count, "staff_act.id < \(after?.keys ?? ID(.max))", in: db)
    }

    /// The user names of all staff.
    static func everybody(in db: Connection) throws -> [String] {
        try db.all("SELECT username FROM account WHERE is_staff AND left_at IS NULL ORDER BY username LIMIT 200") {
            try $0.next()
        }
    }

    /// Staff actions on an account or on its provider's plan, newest first.
    static func on(_ account: ID<Account>, provider: ID<Provider>?, in db: Connection) throws -> [AuditEntry] {
        var acts = which(Verb.onAccounts, on: account.rawValue)
        if let provider { acts = "\(acts) UNION ALL \(which([.grantPlan], on: provider.rawValue))" }
        return try latest(20, "staff_act.id IN (\(acts))", in: db).map(\.act)
    }

    /// Staff actions on an event, newest first.
    static func on(_ event: ID<Event>, in db: Connection) throws -> [AuditEntry] {
        try latest(20, "staff_act.id IN (\(which([.hide, .show], on: event.rawValue)))", in: db).map(\.act)
    }

    /// Actions of some kinds on one subject: found through the index by kind, and sorted by `latest`.
    private static func which(_ verbs: [Verb], on subject: Int64) -> SQL {
        "SELECT id FROM staff_act WHERE subject_id = \(subject) AND verb IN \(list: verbs)"
    }

    /// Whether other staff decided anything after this position of the log.
    static func isOvertaken(since last: Int64, besides staff: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM staff_act WHERE id > \(last) AND coalesce(account_id, 0) <> \(staff)")
    }

    /// Other staff's decisions about these things after this position of the log, newest first.
    ///
    /// One's own decisions are left out: pressing the same button twice is no conflict.
    static func all(
        since last: Int64, about topics: [Topic], besides staff: ID<Account>, in db: Connection
    ) throws -> [AuditEntry] {
        guard !topics.isEmpty else { return [] }
        let any: SQL = topics.map { "(\(condition($0)))" as SQL }.joined(separator: " OR ")
        return try latest(
            10, "staff_act.id > \(last) AND coalesce(staff_act.account_id, 0) <> \(staff) AND (\(any))", in: db
        ).map(\.act)
    }

    /// Few lines are newer than a page, so they are scanned in order without an index, as `unindexed` says.
    private static func condition(_ topic: Topic) -> SQL {
        let (about, subject): (SQL, SQL) = (
            "\(unindexed: "staff_act.about")", "\(unindexed: "staff_act.subject_id")"
        )
        let verb: SQL = "\(unindexed: "staff_act.verb")"
        let whole: SQL = "staff_act.subject || \(SQL.unitSeparator)"
        func end(_ name: String) -> SQL { "\(" → " + name) || \(SQL.unitSeparator)" }
        return switch topic {
        case .subject(let person) where person.kind == .person:
            """
            \(about) = \(person) OR \(subject) = \(person.number)
                AND \(verb) IN \(list: Verb.onAccounts + [.hidePage, .showPage])
            """
        case .subject(let subject): "\(about) = \(subject)"
        case .provider(let id):
            "\(subject) = \(id) AND \(verb) IN \(list: Verb.onProviders)"
        case .wave(let id):
            "\(subject) = \(id) AND \(verb) IN \(list: [Verb.stopWave, .undoWave])"
        case .tag(let name):
            """
            (staff_act.subject = \(name) AND \(verb) IN \(list: [Verb.hideTag, .showTag])
                OR (\(position: "\(name + " → ")", in: "staff_act.subject") = 1
                        OR \(position: end(name), in: whole) > 0)
                    AND \(verb) IN \(list: [Verb.mergeTag, .renameTag]))
            """
        case .named(let names, let verbs):
            "staff_act.subject IN \(list: names.sorted()) AND \(verb) IN \(list: verbs)"
        }
    }

    private static func latest(
        _ count: Int, _ condition: SQL, in db: Connection
    ) throws -> [(id: ID<AuditEntry>, act: AuditEntry)] {
        try db.all(
            """
            SELECT staff_act.id, staff_act.at, account.username, staff_act.verb, staff_act.subject,
                staff_act.subject_id, staff_act.about, CASE WHEN author.left_at IS NULL THEN author.username END,
                staff_act.was, staff_act.became, staff_act.reason, staff_act.ground
            FROM staff_act LEFT JOIN account ON account.id = staff_act.account_id
            LEFT JOIN account AS author ON author.id = staff_act.author_id
            WHERE \(condition) ORDER BY staff_act.id DESC LIMIT \(count)
            """
        ) {
            (
                try $0.next(),
                AuditEntry(
                    at: try $0.next(), by: try $0.next(), verb: try $0.next(),
                    subject: try $0.next(), subjectID: try $0.next(), about: try $0.next(),
                    author: try $0.next(), was: try $0.next(), became: try $0.next(),
                    reason: try $0.next(), ground: try $0.next())
            )
        }
    }
}

extension AuditEntry.Verb: SQLValue {}
