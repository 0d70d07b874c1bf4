import Database

extension Tag {
    /// Counts that an event was given the tag.
    static func use(_ name: String, in db: Connection) throws {
        try db.execute(
            "INSERT INTO tag (name, uses) VALUES (\(name), 1) ON CONFLICT (name) DO UPDATE SET uses = tag.uses + 1")
    }

    /// Tags that begin so, by the alphabet; without a beginning the most used ones.
    static func suggestions(for beginning: String, in db: Connection) throws -> [String] {
        guard !beginning.isEmpty else {
            return try db.all("SELECT name FROM tag ORDER BY uses DESC, name DESC LIMIT 24") { try $0.next() }
        }
        return try db.all(
            """
            SELECT name FROM tag WHERE name >= \(beginning) AND name < \(beginning + "\u{10FFFF}")
            ORDER BY name LIMIT 10
            """
        ) { try $0.next() }
    }
}
