import Database

/// When each scheduled job last ran, on any node.
enum JobRun {
    static func note(_ name: String, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO job (name, last_at) VALUES (\(name), \(tx.now))
            ON CONFLICT (name) DO UPDATE SET last_at = excluded.last_at
            """)
    }

    static func all(in db: Connection) throws -> [String: Instant] {
        // Up to a thousand of them are backups.
        let runs = try db.all("SELECT name, last_at FROM job ORDER BY name LIMIT 1200") { row in
            (try row.next() as String, try row.next() as Instant)
        }
        return Dictionary(uniqueKeysWithValues: runs)
    }
}
