import Database

extension Node {
    /// Notes that this node is there, and takes or renews the lead where it may.
    ///
    /// - Returns: The term in which it leads; nil where another one does.
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

    /// Notes that this node ends: another one leads at once.
    func leave(in db: Connection) throws {
        try db.execute("DELETE FROM node WHERE id = \(id)")
        try db.execute("UPDATE lease SET ends_at = 0 WHERE node_id = \(id)")
    }

    /// All of them, by name.
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

/// Which node does what is due by the clock, by the database's own.
enum Lease {
    /// The lead went on to another node.
    struct Lost: Error {}

    private static let clock = "clock"

    /// - Returns: The term; it is another one whenever another node takes over. Nil where another one has it.
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

    /// - Throws: ``Lost`` where the lead went on to another node since: what this one would write, that one does.
    static func require(_ term: Int64, in db: Connection) throws {
        guard try db.value("SELECT term FROM lease WHERE name = \(clock)") == term else { throw Lost() }
    }
}

/// When what is due by the clock was done last, by whichever node.
enum JobRun {
    static func note(_ name: String, at now: Instant, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO job (name, last_at) VALUES (\(name), \(now))
            ON CONFLICT (name) DO UPDATE SET last_at = excluded.last_at
            """)
    }

    static func all(in db: Connection) throws -> [String: Instant] {
        let runs = try db.all("SELECT name, last_at FROM job ORDER BY name LIMIT 200") { row in
            (try row.next() as String, try row.next() as Instant)
        }
        return Dictionary(uniqueKeysWithValues: runs)
    }
}
