import Database

extension Keeping {
    /// How many rows there are of its kind, in its first table. For staff only: it takes longer the larger the town is.
    fileprivate func count(in db: Connection) throws -> Int {
        try db.value("SELECT count(*) FROM \(SQL(stringLiteral: tables[0]))") ?? 0
    }
}

extension Operations {
    /// What the database knows of it.
    struct Counted: Sendable {
        let rows: [(keeping: Keeping, count: Int)]
        let waiting: Int
        let failed: Int
        let trouble: String?
    }

    static func count(in db: Connection) throws -> Counted {
        Counted(
            rows: try Keeping.allCases.map { ($0, try $0.count(in: db)) },
            waiting: try db.value("SELECT count(*) FROM letter WHERE state = 'waiting'") ?? 0,
            failed: try db.value("SELECT count(*) FROM letter WHERE state = 'failed'") ?? 0,
            trouble: try Letter.trouble(in: db))
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
