import Database

extension Node {
    /// Records that this node is alive, and takes or renews the lead if possible.
    ///
    /// - Returns: The term in which it leads; nil if another node does.
    func beat(in db: Connection) throws -> Int64? {
        let (lag, ahead) = (lag.wholeMilliseconds, ahead.wholeMilliseconds)
        try db.execute(
            """
            INSERT INTO node (id, name, version, started_at, seen_at, lag, ahead)
            VALUES (\(id), \(name), \(version), \(SQL.clock), \(SQL.clock), \(lag), \(ahead))
            ON CONFLICT (id) DO UPDATE
            SET seen_at = excluded.seen_at, lag = excluded.lag, ahead = excluded.ahead
            """)
        try db.execute("DELETE FROM node WHERE seen_at < \(SQL.clock) - \(Self.silence.wholeMilliseconds)")
        return try Lease.take(for: id, in: db)
    }

    /// Records that this node is ending, so that another can lead immediately.
    func leave(in db: Connection) throws {
        try db.execute("DELETE FROM node WHERE id = \(id)")
        try db.execute("UPDATE lease SET ends_at = 0 WHERE node_id = \(id)")
    }

    /// All nodes, sorted by name.
    static func all(in db: Connection) throws -> [Node] {
        let nodes: [Node] = try db.all(
            """
            SELECT node.id, node.name, version, started_at, \(SQL.clock) - seen_at, lag, ahead,
                lease.node_id IS NOT NULL
            FROM node LEFT JOIN lease ON lease.node_id = node.id AND lease.ends_at > \(SQL.clock)
            ORDER BY node.id LIMIT 100
            """
        ) { row in
            var node = Node(id: try row.next(), name: try row.next(), version: try row.next())
            node.startedAt = try row.next()
            func time() throws -> Duration { .milliseconds(try row.next() as Int64) }
            (node.seen, node.lag, node.ahead) = (try time(), try time(), try time())
            node.leads = try row.next()
            return node
        }
        return nodes.sorted { $0.name < $1.name }
    }
}
