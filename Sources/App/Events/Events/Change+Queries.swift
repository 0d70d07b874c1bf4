import Database

extension Change.What: SQLValue {}

extension Change {
    /// Writes a receipt of what changed, where families have registered for what isn't over.
    static func record(from old: Event, to new: Event, at now: Instant, in db: Connection) throws {
        try record(between(old, new), of: old, at: now, in: db)
    }

    /// Writes a receipt of what becomes of an event, where families have registered for what isn't over, and tells
    /// them.
    static func record(_ changes: [Change], of old: Event, at now: Instant, in db: Connection) throws {
        guard !changes.isEmpty, !old.isOver(at: now), try Event.hasRegistrations(old.id, in: db) else { return }
        for change in changes {
            try db.execute(
                """
                INSERT INTO change (event_id, at, what, said_before, says_now)
                VALUES (\(old.id), \(now), \(change.what), \(change.before), \(change.now))
                """)
        }
        let isCancelled = changes.contains { $0.what == .time && $0.now.isEmpty }
        try Notice.tellFamilies(
            .init(
                kind: isCancelled ? .cancelled : .changed, event: old.id,
                detail: isCancelled ? "" : Change.keeping(changes)), at: now, in: db)
    }

    /// What changed since a family registered and it hasn't seen yet: of all its events that aren't over, or of one.
    static func unseen(
        by account: ID<Account>, of event: ID<Event>? = nil, at now: Instant, in db: Connection
    ) throws -> [Change] {
        let only: SQL = event.map { " AND registration.event_id = \($0)" } ?? ""
        // The newest, in the order in which they came.
        return merged(
            try db.all(
                """
                SELECT change.event_id, change.what, change.said_before, change.says_now, change.id FROM registration
                JOIN event ON event.id = registration.event_id AND event.ends_at > \(now)
                JOIN change ON change.event_id = registration.event_id AND change.at > registration.created_at
                WHERE registration.account_id = \(account) AND registration.state = 'confirmed'\(only)
                    AND NOT EXISTS (SELECT 1 FROM change_seen
                        WHERE change_seen.account_id = \(account) AND change_seen.change_id = change.id)
                ORDER BY change.id DESC LIMIT 200
                """
            ) {
                Change(
                    event: try $0.next(), what: try $0.next(), before: try $0.next(), now: try $0.next(),
                    last: try $0.next())
            }
            .reversed())
    }

    /// The e-mail addresses of the families who haven't seen yet what changed: of an event, or of any date of its
    /// series, that isn't over. Nobody writes to those that are suspended.
    static func addresses(unawareOf event: Event, at now: Instant, in db: Connection) throws -> [String] {
        let dates: SQL =
            event.series.map {
                """
                SELECT id FROM event WHERE series_id = \($0) AND \(Event.isAhead(now)) ORDER BY starts_at, id LIMIT 400
                """
            } ?? "SELECT id FROM event WHERE id = \(event.id) AND ends_at > \(now)"
        let found: [String] = try db.all(
            """
            SELECT account.email FROM registration
            JOIN account ON account.id = registration.account_id
            WHERE registration.event_id IN (\(dates)) AND registration.state = 'confirmed'
                AND account.suspended_at IS NULL
                AND EXISTS (SELECT 1 FROM change
                    WHERE change.event_id = registration.event_id AND change.at > registration.created_at
                        AND NOT EXISTS (SELECT 1 FROM change_seen
                            WHERE change_seen.account_id = registration.account_id
                                AND change_seen.change_id = change.id))
            LIMIT 10000
            """
        ) { try $0.next() }
        return Set(found).sorted()
    }

    /// Notes that a family that registered has seen what changed, up to the last change that its page told of.
    static func see(
        _ event: ID<Event>, upTo last: ID<Change>, by account: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO change_seen (account_id, change_id, at)
            SELECT \(account), change.id, \(now) FROM change
            WHERE change.event_id = \(event) AND change.id <= \(last) AND EXISTS (
                SELECT 1 FROM registration WHERE registration.event_id = \(event)
                    AND registration.account_id = \(account))
            ON CONFLICT (account_id, change_id) DO NOTHING
            """)
    }
}
