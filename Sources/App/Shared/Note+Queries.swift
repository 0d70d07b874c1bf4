import Database

extension Note {
    static func set(_ name: String, _ value: String, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO note (name, value) VALUES (\(name), \(value))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
    }

    static func clear(_ name: String, in db: Connection) throws {
        try db.execute("DELETE FROM note WHERE name = \(name)")
    }

    static func value(_ name: String, in db: Connection) throws -> String? {
        try db.value("SELECT value FROM note WHERE name = \(name)")
    }

    /// The notes that the site caches: its settings, and whether it is the demo.
    static func settings(in db: Connection) throws -> [String: String] {
        let notes = try db.all(
            """
            SELECT name, value FROM note
            WHERE name = 'demo' OR name >= 'site_' AND name < 'site`' OR name >= 'town_' AND name < 'town`'
            LIMIT 100
            """
        ) { (try $0.next() as String, try $0.next() as String) }
        return Dictionary(uniqueKeysWithValues: notes)
    }

    static func isSet(_ name: String, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM note WHERE name = \(name)")
    }
}
