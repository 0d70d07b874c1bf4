import Database

extension WrittenAddress {
    /// Permanently stops such letters to the reader from anyone.
    func refuse(in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO written_address (hash, written_at, refused_at) VALUES (\(hash), \(tx.now), \(tx.now))
            ON CONFLICT (hash) DO UPDATE SET refused_at = coalesce(written_address.refused_at, excluded.refused_at)
            """)
    }

    /// Whether the reader stopped such letters.
    func isRefused(in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM written_address WHERE hash = \(hash) AND refused_at IS NOT NULL")
    }

    /// Erases the records of addresses that may be written to again.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute(
            "DELETE FROM written_address WHERE refused_at IS NULL AND written_at < \(tx.now - pause)")
    }
}
