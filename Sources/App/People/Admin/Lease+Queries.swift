import Database

/// The lease on the scheduled work, by the database's clock.
enum Lease {
    /// Another node took the lead.
    struct Lost: Error {}

    private static let clock = "clock"

    /// - Returns: The term, which changes whenever another node takes over; nil if another node leads.
    static func take(for node: ID<Node>, in db: Connection) throws -> Int64? {
        try db.value(
            """
            INSERT INTO lease (name, node_id, term, ends_at)
            VALUES (\(clock), \(node), 1, \(SQL.clock) + \(Node.lease.wholeMilliseconds))
            ON CONFLICT (name) DO UPDATE SET
                term = CASE WHEN lease.node_id = excluded.node_id THEN lease.term ELSE lease.term + 1 END,
                node_id = excluded.node_id, ends_at = excluded.ends_at
            WHERE lease.node_id = excluded.node_id OR lease.ends_at <= \(SQL.clock)
            RETURNING term
            """)
    }

    /// - Throws: ``Lost`` if another node took the lead and therefore does this work.
    static func require(_ term: Int64, in db: Connection) throws {
        guard try db.value("SELECT term FROM lease WHERE name = \(clock)") == term else { throw Lost() }
    }
}
