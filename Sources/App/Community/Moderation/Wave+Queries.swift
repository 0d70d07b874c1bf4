import Database

extension Wave {
    /// The numbers of the hidden content of a kind.
    private static func parts(_ kind: Subject.Kind, of wave: ID<Wave>) -> SQL {
        "(SELECT number FROM wave_part WHERE wave_id = \(wave) AND kind = \(kind.rawValue))"
    }

    /// The accounts in a list that can be suspended: neither staff nor already suspended.
    private static func chosen(of people: [ID<Account>], in db: Connection) throws -> [Account] {
        try Account.all(people.prefix(most).padded(to: most), in: db).filter { !$0.isStaff && $0.suspendedAt == nil }
    }

    /// Their content that isn't hidden.
    private static func open(_ kind: Subject.Kind, of people: [Account]) -> SQL {
        """
        FROM \(kind.reportable.rows.table)
        WHERE account_id IN \(list: people.map(\.id).padded(to: most)) AND hidden_at IS NULL LIMIT \(mostOfKind)
        """
    }

    /// Suspends accounts, hides their content, and blocks mail domains: everything or nothing. Staff and suspended
    /// accounts are left out.
    ///
    /// - Throws: `MailDomain.Unblockable`.
    /// - Returns: Nil if there was nothing to do.
    @discardableResult
    static func stop(
        _ people: [ID<Account>], ground: Ground, reason: String, domains: [MailDomain], by staff: ID<Account>,
        in tx: Transaction
    ) throws -> ID<Wave>? {
        let chosen = try chosen(of: people, in: tx)
        guard !chosen.isEmpty else { return nil }
        let id = ID<Wave>(
            try tx.insert(
                """
                INSERT INTO wave (staff_id, ground, reason, accounts, things, at)
                VALUES (\(staff), \(ground), \(reason), \(chosen.count), 0, \(tx.now))
                """))
        // Before hiding the content: this notifies families, and removes it from the lists.
        let ruling = Decision.Ruling(verdict: .suspend, ground: ground, reason: reason)
        for account in chosen {
            guard let decision = try Decision.make(ruling, about: .person(account.id), by: staff, in: tx)
            else { continue }
            try tx.execute("INSERT INTO wave_part (wave_id, kind, number) VALUES (\(id), 'decision', \(decision))")
        }
        var count = 0
        for kind in Subject.Kind.allCases { count += try hide(kind, of: chosen, as: id, in: tx) }
        try takeOut(whatWaitsOf: chosen, as: id, in: tx)
        try tx.execute("UPDATE wave SET things = \(count) WHERE id = \(id)")
        try AuditEntry.record(.stopWave, "", id.rawValue, reason: reason, ground: ground, by: staff, in: tx)
        let why = reason.isEmpty ? ground.rawValue : reason
        for domain in domains { try MailDomain.block(domain, reason: why, wave: id, by: staff, in: tx) }
        return id
    }

    /// Removes matters about their content from the queue, such as unseen and reported posts. The wave records what
    /// they waited for: `first post`.
    private static func takeOut(whatWaitsOf people: [Account], as wave: ID<Wave>, in tx: Transaction) throws {
        let waiting: [(subject: Subject, wait: Matter.Wait)] = try tx.all(
            """
            SELECT subject, waits_for FROM matter
            WHERE author_id IN \(list: people.map(\.id).padded(to: most)) AND since IS NOT NULL LIMIT \(mostOfKind)
            """
        ) { (try $0.next(), try $0.next()) }
        for (subject, wait) in waiting where subject.kind != .person {
            try tx.execute(
                """
                INSERT INTO wave_part (wave_id, kind, number)
                VALUES (\(wave), \("\(wait.rawValue) \(subject.kind.rawValue)"), \(subject.number))
                """)
            try Matter.settle(subject, isFine: false, words: nil, in: tx)
        }
    }

    /// Puts these matters back into the queue, with what was reported about them: nobody judged that by itself.
    private static func putBack(_ wave: Wave, in tx: Transaction) throws {
        let parts: [(kind: String, number: Int64)] = try tx.all(
            """
            SELECT kind, number FROM wave_part WHERE wave_id = \(wave.id) AND kind LIKE '% %' LIMIT \(mostOfKind)
            """
        ) { (try $0.next(), try $0.next()) }
        for (kind, number) in parts {
            let words = kind.split(separator: " ").map(String.init)
            guard words.count == 2, let wait = Matter.Wait(rawValue: words[0]),
                let subject = Subject(rawValue: "\(words[1])-\(number)"),
                let exhibit = try Exhibit.find(subject, in: tx)
            else { continue }
            try Matter.raise(subject, of: exhibit.author.account, for: wait, in: tx)
            try Report.reopen(subject, decidedAt: wave.at, in: tx)
        }
    }

    /// - Returns: The number of items hidden.
    private static func hide(
        _ kind: Subject.Kind, of people: [Account], as wave: ID<Wave>, in tx: Transaction
    ) throws -> Int {
        let (table, number) = kind.reportable.rows
        let count = try tx.execute(
            """
            INSERT INTO wave_part (wave_id, kind, number)
            SELECT \(wave), \(kind.rawValue), \(number) \(open(kind, of: people))
            """)
        guard count > 0 else { return 0 }
        try tx.execute("UPDATE \(table) SET hidden_at = \(tx.now) WHERE \(number) IN \(parts(kind, of: wave))")
        try kind.reportable.recount(parts(kind, of: wave), in: tx)
        return count
    }

    /// Revokes everything done to a wave, except where a new decision was made since; doing so twice has no further
    /// effect.
    static func undo(_ id: ID<Wave>, by staff: ID<Account>, in tx: Transaction) throws {
        guard let wave = try find(id, in: tx) else { throw Refusal.notFound }
        guard try tx.execute("UPDATE wave SET ended_at = \(tx.now) WHERE id = \(id) AND ended_at IS NULL") == 1 else {
            return
        }
        for kind in Subject.Kind.allCases { try show(kind, of: wave, in: tx) }
        let decisions: [ID<Decision>] = try tx.all(
            "SELECT number FROM wave_part WHERE wave_id = \(id) AND kind = 'decision' LIMIT \(most)"
        ) { try $0.next() }
        for decision in decisions where try Decision.find(decision, in: tx) != nil {
            try Decision.undo(decision, reason: "", by: staff, in: tx)
        }
        try putBack(wave, in: tx)
        for domain in wave.domains { try MailDomain.unblock(domain, reason: "", by: staff, in: tx) }
        try AuditEntry.record(.undoWave, "", id.rawValue, reason: "", by: staff, in: tx)
    }

    /// Shows content again that was hidden by the wave and by nothing else since.
    private static func show(_ kind: Subject.Kind, of wave: Wave, in db: Connection) throws {
        let (table, number) = kind.reportable.rows
        let parts = parts(kind, of: wave.id)
        let count = try db.execute(
            """
            UPDATE \(table) SET hidden_at = NULL
            WHERE \(number) IN \(parts) AND hidden_at = \(wave.at)
                AND NOT EXISTS (SELECT 1 FROM decision
                    WHERE decision.subject = \(kind.rawValue) || '-' || \(table).\(number)
                        AND decision.act IN ('hide', 'ask') AND decision.ended_at IS NULL)
            """)
        if count > 0 { try kind.reportable.recount(parts, in: db) }
    }

    // MARK: Queries

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

    /// The newest waves.
    static func latest(in db: Connection) throws -> [Wave] {
        let domains = try domains(in: db)
        return try db.all(
            """
            SELECT \(columns) FROM wave LEFT JOIN account ON account.id = wave.staff_id
            WHERE wave.id > 0 ORDER BY wave.id DESC LIMIT \(pageSize)
            """
        ) { try read(&$0, domains) }
    }

    /// The people and content that would be affected.
    static func preview(_ people: [ID<Account>], in db: Connection) throws -> WavePreview {
        let chosen = try chosen(of: people, in: db)
        let things = try Subject.Kind.allCases.reduce(0) { sum, kind in
            sum + (try db.value("SELECT count(*) FROM (SELECT 1 \(open(kind, of: chosen))) AS part") ?? 0)
        }
        var domains: [String: Int] = [:]
        for account in chosen {
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
