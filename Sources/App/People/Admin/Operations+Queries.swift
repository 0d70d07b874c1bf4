import Database

extension RetentionRule {
    /// The number of rows in its first table. Only for staff: it takes longer the larger the town is.
    fileprivate func count(in db: Connection) throws -> Int {
        try db.value("SELECT count(*) FROM \(SQL(stringLiteral: tables[0]))") ?? 0
    }
}

extension Operations {
    /// Facts from the database.
    struct Counted: Sendable {
        let rows: [(keeping: RetentionRule, count: Int)]
        let letters: Letters
        let lastStored: Instant?
        let cluster: Cluster
    }

    /// The nodes of a site with several, and their last jobs.
    struct Cluster: Sendable {
        let nodes: [Node]
        let runs: [String: Instant]

        init(in db: Connection) throws {
            nodes = try Node.all(in: db)
            runs = try JobRun.all(in: db)
        }
    }

    /// The state of letters.
    struct Letters: Sendable {
        let waiting: Int
        let failed: Int
        /// Since when the oldest overdue letter has been waiting.
        let since: Instant?
        /// The problem that keeps all letters from being sent.
        let trouble: String?

        init(in db: Connection) throws {
            waiting = try db.value("SELECT count(*) FROM letter WHERE state = 'waiting'") ?? 0
            failed = try db.value("SELECT count(*) FROM letter WHERE state = 'failed'") ?? 0
            since = try db.value("SELECT min(created_at) FROM letter WHERE state = 'waiting'")
            trouble = try Letter.trouble(in: db)
        }
    }

    static func count(in db: Connection) throws -> Counted {
        Counted(
            rows: try RetentionRule.allCases.map { ($0, try $0.count(in: db)) },
            letters: try Letters(in: db), lastStored: try lastStored(in: db),
            cluster: try Cluster(in: db))
    }

    /// The time of the last sign-up: a clock that is behind it is wrong.
    static func lastStored(in db: Connection) throws -> Instant? {
        try db.value("SELECT created_at FROM account WHERE id = (SELECT max(id) FROM account)")
    }
}

extension KeptNow {
    init(backup: Duration?, in zone: Zone, db: Connection) throws {
        let first: Instant? = try db.value("SELECT erase_at FROM care_note ORDER BY erase_at LIMIT 1")
        self.init(
            children: try db.value("SELECT count(*) FROM child") ?? 0,
            notes: try db.value("SELECT count(*) FROM care_note") ?? 0, erased: first.map { zone.day(of: $0) },
            backup: backup)
    }
}
