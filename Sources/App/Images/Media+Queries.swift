import Database

extension Media.Entry {
    /// The number of entries a sweep examines at a time.
    static let pageSize = 200

    /// The position of a sweep.
    struct Place: Sendable {
        let storedAt: Instant
        let hash: String
    }

    /// The entry with that hash, marked as newly stored; nil if there is none.
    static func touch(_ hash: String, in tx: Transaction) throws -> Media.Entry? {
        try tx.execute("UPDATE media SET stored_at = \(tx.now) WHERE hash = \(hash)")
        return try tx.first("SELECT hash, width, height FROM media WHERE hash = \(hash)") { row in
            Media.Entry(hash: try row.next(), width: try row.next(), height: try row.next())
        }
    }

    /// Stores the entry with its sizes; the same file may have been stored twice meanwhile.
    func insert(_ sizes: [Picture.Size: [UInt8]], in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO media (hash, width, height, stored_at) VALUES (\(hash), \(width), \(height), \(tx.now))
            ON CONFLICT (hash) DO UPDATE SET stored_at = excluded.stored_at
            """)
        for (size, bytes) in sizes {
            try tx.execute(
                """
                INSERT INTO media_size (hash, size, bytes) VALUES (\(hash), \(size.rawValue), \(bytes))
                ON CONFLICT (hash, size) DO NOTHING
                """)
        }
    }

    static func bytes(_ hash: String, _ size: Picture.Size, in db: Connection) throws -> [UInt8]? {
        try db.value("SELECT bytes FROM media_size WHERE hash = \(hash) AND size = \(size.rawValue)")
    }

    /// Entries stored before `instant`, the oldest first.
    static func stored(before instant: Instant, after place: Place?, in db: Connection) throws -> [Place] {
        let after: SQL = place.map { "(stored_at, hash) > (\($0.storedAt), \($0.hash)) AND" } ?? ""
        return try db.all(
            """
            SELECT stored_at, hash FROM media WHERE \(after) stored_at < \(instant)
            ORDER BY stored_at, hash LIMIT \(pageSize)
            """
        ) { Place(storedAt: try $0.next(), hash: try $0.next()) }
    }

    /// Removes those of `hashes` that haven't been stored again since.
    ///
    /// - Returns: The number removed.
    static func delete(_ hashes: [String], storedBefore instant: Instant, in db: Connection) throws -> Int {
        try hashes.reduce(0) { count, hash in
            try count + db.execute("DELETE FROM media WHERE hash = \(hash) AND stored_at < \(instant)")
        }
    }
}
