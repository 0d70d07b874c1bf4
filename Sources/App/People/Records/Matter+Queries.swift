import Database

extension Subject: SQLValue {}
extension Matter.Wait: SQLValue {}

extension Matter: RowDecodable {
    static let columns: Columns =
        ["matter.subject", "matter.waits_for", "matter.is_grave", "matter.since", "matter.reports"] + Author.columns

    init(row: inout Row) throws {
        let (subject, waitsFor, isGrave): (Subject, Wait, Bool) = (try row.next(), try row.next(), try row.next())
        let (since, reports): (Instant, Int) = (try row.next(), try row.next())
        self.init(
            subject: subject, author: try row.next(), waitsFor: waitsFor, isGrave: isGrave, since: since,
            reports: reports)
    }
}

extension Matter {
    /// Whether a matter is waiting.
    static let isWaiting: SQL = "matter.since IS NOT NULL"

    /// The number of waiting matters.
    static func waiting(in db: Connection) throws -> Int {
        try db.value("SELECT count(*) FROM matter WHERE \(isWaiting)") ?? 0
    }

    /// Adds content to the queue; if it waits already, it keeps its place. A pending deletion of an account takes
    /// precedence over anything else it waits for.
    static func raise(
        _ subject: Subject, of author: ID<Account>, for wait: Wait, at now: Instant, in db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO matter (subject, author_id, waits_for, since) VALUES (\(subject), \(author), \(wait), \(now))
            ON CONFLICT (subject) DO UPDATE SET since = coalesce(matter.since, excluded.since), settled_at = NULL,
                waits_for = CASE WHEN matter.since IS NULL OR excluded.waits_for = \(Wait.removal)
                    THEN excluded.waits_for ELSE matter.waits_for END
            """)
    }

    /// What content waits for; nil if it isn't in the queue.
    static func waits(_ subject: Subject, in db: Connection) throws -> Wait? {
        try db.value("SELECT waits_for FROM matter WHERE subject = \(subject) AND since IS NOT NULL")
    }

    /// A condition: it is an author's first, and waits to be shown.
    static func isFirst(_ subject: SQL) -> SQL {
        """
        EXISTS (SELECT 1 FROM matter
            WHERE matter.subject = \(subject) AND matter.waits_for = 'first' AND matter.since IS NOT NULL)
        """
    }

    /// The author according to the queue.
    static func author(of subject: Subject, in db: Connection) throws -> ID<Account>? {
        try db.value("SELECT author_id FROM matter WHERE subject = \(subject)")
    }

    /// Erases old decisions with their reports.
    static func eraseOld(at now: Instant, in db: Connection) throws -> Int {
        try db.execute("DELETE FROM matter WHERE settled_at < \(now - memory)")
    }
}
