import Database

extension Wave {
    /// What somebody wrote that isn't hidden, as far as it is hidden with them.
    private static func things(of account: ID<Account>, in db: Connection) throws -> [Subject] {
        let kinds: [(Subject.Kind, SQL)] = [
            (.event, "event WHERE account_id = \(account) AND hidden_at IS NULL"),
            (.post, "post WHERE account_id = \(account) AND hidden_at IS NULL"),
            (.comment, "comment WHERE account_id = \(account) AND hidden_at IS NULL"),
            (.question, "question WHERE account_id = \(account) AND hidden_at IS NULL"),
            (.pet, "pet WHERE account_id = \(account) AND hidden_at IS NULL"),
            (.message, "message WHERE account_id = \(account) AND hidden_at IS NULL"),
            (.opportunity, "opportunity WHERE account_id = \(account) AND hidden_at IS NULL"),
            (.review, "review WHERE account_id = \(account) AND hidden_at IS NULL"),
            (.need, "need WHERE account_id = \(account) AND hidden_at IS NULL"),
        ]
        var found: [Subject] = []
        for (kind, rows) in kinds {
            let ids: [Int64] = try db.all("SELECT id FROM \(rows) LIMIT \(mostThings)") { try $0.next() }
            found += ids.compactMap { Subject(rawValue: "\(kind.rawValue)-\($0)") }
        }
        if try db.exists("SELECT 1 FROM person WHERE account_id = \(account) AND hidden_at IS NULL") {
            found.append(.person(account))
        }
        return found
    }

    /// Suspends accounts, hides what they wrote, and blocks a mail domain: all or nothing. Who runs the site is left
    /// out, and who is suspended already.
    ///
    /// - Throws: `MailDomain.Unblockable`.
    /// - Returns: nil where there was nothing to do.
    @discardableResult
    static func stop(
        _ people: [ID<Account>], ground: Ground, reason: String, domain: MailDomain?, by staff: ID<Account>,
        at now: Instant, in db: Connection
    ) throws -> ID<Wave>? {
        let chosen = try people.prefix(most).compactMap { try Account.find($0, in: db) }
            .filter { !$0.isStaff && $0.suspendedAt == nil }
        guard !chosen.isEmpty else { return nil }
        let id = ID<Wave>(
            try db.insert(
                """
                INSERT INTO wave (staff_id, ground, reason, accounts, things, at)
                VALUES (\(staff), \(ground), \(reason), \(chosen.count), 0, \(now))
                """))
        var count = 0
        for account in chosen {
            for subject in try things(of: account.id, in: db) {
                try Exhibit.hide(subject, at: now, in: db)
                try put(subject, into: id, in: db)
                try Matter.settle(subject, isFine: false, words: nil, at: now, in: db)
                count += 1
            }
            let ruling = Decision.Ruling(act: .suspend, ground: ground, reason: reason)
            if let decision = try Decision.make(ruling, about: .person(account.id), by: staff, at: now, in: db) {
                try db.execute(
                    "INSERT INTO wave_part (wave_id, subject) VALUES (\(id), \("decision-\(decision)"))")
            }
        }
        try db.execute("UPDATE wave SET things = \(count) WHERE id = \(id)")
        try StaffAct.record(
            .stopWave, "", id.rawValue, reason: reason, ground: ground, by: staff, at: now,
            in: db)
        if let domain {
            let why = reason.isEmpty ? ground.rawValue : reason
            try MailDomain.block(domain, reason: why, wave: id, by: staff, at: now, in: db)
        }
        return id
    }

    private static func put(_ subject: Subject, into wave: ID<Wave>, in db: Connection) throws {
        try db.execute("INSERT INTO wave_part (wave_id, subject) VALUES (\(wave), \(subject))")
    }

    /// Takes back all that was done to a wave, but for what was decided anew since; the same twice is once.
    static func undo(_ id: ID<Wave>, by staff: ID<Account>, at now: Instant, in db: Connection) throws {
        guard let wave = try find(id, in: db) else { throw Refusal.notFound }
        guard try db.execute("UPDATE wave SET ended_at = \(now) WHERE id = \(id) AND ended_at IS NULL") == 1 else {
            return
        }
        let parts: [String] = try db.all(
            "SELECT subject FROM wave_part WHERE wave_id = \(id) LIMIT \(most * mostThings * 10)"
        ) { try $0.next() }
        for part in parts {
            if let subject = Subject(rawValue: part) {
                let isDecided = try db.exists(
                    """
                    SELECT 1 FROM decision WHERE subject = \(subject) AND act IN ('hide', 'ask') AND ended_at IS NULL
                    """)
                guard !isDecided, try Exhibit.find(subject, in: db)?.isHidden == true else { continue }
                try Exhibit.hide(subject, at: nil, in: db)
            } else if part.hasPrefix("decision-"), let decision = ID<Decision>(String(part.dropFirst(9))) {
                guard try Decision.find(decision, in: db) != nil else { continue }
                try Decision.undo(decision, reason: "", by: staff, at: now, in: db)
            }
        }
        for domain in wave.domains { try MailDomain.unblock(domain, reason: "", by: staff, at: now, in: db) }
        try StaffAct.record(
            .undoWave, "", id.rawValue, reason: "", by: staff, at: now, in: db)
    }

    // MARK: Looking

    private static let columns: SQL = """
        wave.id, account.username, wave.ground, wave.reason, wave.accounts, wave.things, wave.at, wave.ended_at
        """

    private static func read(_ row: inout Row, _ domains: [ID<Wave>: [String]]) throws -> Wave {
        let id: ID<Wave> = try row.next()
        return Wave(
            id: id, staff: try row.next(), ground: try row.next(), reason: try row.next(), accounts: try row.next(),
            things: try row.next(), domains: domains[id] ?? [], at: try row.next(), endedAt: try row.next())
    }

    private static func domains(in db: Connection) throws -> [ID<Wave>: [String]] {
        var found: [ID<Wave>: [String]] = [:]
        try db.each(
            "SELECT wave_id, domain FROM blocked_domain WHERE wave_id IS NOT NULL ORDER BY wave_id LIMIT 500"
        ) { row in
            found[try row.next(), default: []].append(try row.next())
            return true
        }
        return found
    }

    static func find(_ id: ID<Wave>, in db: Connection) throws -> Wave? {
        let domains = try domains(in: db)
        return try db.first(
            """
            SELECT \(columns) FROM wave LEFT JOIN account ON account.id = wave.staff_id WHERE wave.id = \(id)
            """
        ) { try read(&$0, domains) }
    }

    /// The newest.
    static func latest(in db: Connection) throws -> [Wave] {
        let domains = try domains(in: db)
        return try db.all(
            """
            SELECT \(columns) FROM wave LEFT JOIN account ON account.id = wave.staff_id
            WHERE wave.id > 0 ORDER BY wave.id DESC LIMIT \(pageSize)
            """
        ) { try read(&$0, domains) }
    }

    /// Whom and what it would concern.
    static func preview(_ people: [ID<Account>], in db: Connection) throws -> WavePreview {
        let chosen = try people.prefix(most).compactMap { try Account.find($0, in: db) }
            .filter { !$0.isStaff && $0.suspendedAt == nil }
        var things = 0
        var domains: [String: Int] = [:]
        for account in chosen {
            things += try self.things(of: account.id, in: db).count
            if let domain = MailDomain(account.email)?.name { domains[domain, default: 0] += 1 }
        }
        let frequent = domains.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(10)
        return WavePreview(
            people: chosen, things: things,
            domains: try frequent.map { name, count in
                (name, count, try Account.count(at: name, in: db) - count)
            })
    }
}
