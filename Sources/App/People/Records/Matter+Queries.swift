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
    static func raise(_ subject: Subject, of author: ID<Account>, for wait: Wait, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO matter (subject, author_id, waits_for, since) VALUES (\(subject), \(author), \(wait), \(tx.now))
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

    /// Removes content from the queue, and leaves its reports. An account to be deleted keeps waiting for that.
    static func settle(_ subject: Subject, in tx: Transaction) throws {
        let isToBeDeleted = try subject.kind == .person && Decision.removal(of: ID(subject.number), in: tx) != nil
        try tx.execute(
            """
            UPDATE matter SET since = CASE WHEN \(isToBeDeleted) THEN coalesce(since, \(tx.now)) END,
                settled_at = CASE WHEN NOT \(isToBeDeleted) THEN \(tx.now) END, is_grave = FALSE, reports = (
                SELECT count(*) FROM report WHERE report.subject = matter.subject AND verdict IS NULL)
            WHERE subject = \(subject)
            """)
    }

    // MARK: Holding content

    /// Holds content that matches other hidden content of its author: hidden content can't return as a copy, by editing
    /// something else, or by writing it again after deleting the original.
    ///
    /// - Parameter before: The previous text, which isn't a copy; nil for new content.
    /// - Returns: Whether it is held.
    static func keepBackCopy<Content: Reportable>(
        _ kind: Content.Type, _ id: ID<Content.Key>, from before: Exhibit? = nil, in tx: Transaction
    ) throws -> Bool {
        guard let exhibit = try Content.exhibit(id, in: tx) else { return false }
        let marks = Set(exhibit.marks).subtracting(before?.marks ?? [])
        guard !marks.isEmpty else { return false }
        let (subject, author) = (exhibit.subject, exhibit.author.account)
        let hidden: [String] = try tx.all(
            """
            SELECT said FROM decision WHERE author_id = \(author) AND act IN ('hide', 'ask') AND ended_at IS NULL
                AND \(Decision.isAbout(subject.kind)) AND subject <> \(subject) AND said <> ''
            ORDER BY id DESC LIMIT 100
            """
        ) { try $0.next() }
        let known = Set(hidden.flatMap { $0.split(separator: " ").map(String.init) })
        guard !known.isDisjoint(with: marks) else { return false }
        try Content.hide(id, at: tx.now, in: tx)
        try raise(subject, of: author, for: .first, in: tx)
        return true
    }

    /// Holds content that must be reviewed before others see it, according to its `Brake`: the first by a member
    /// without a confirmed address, the first opportunity of an unverified organization, and messages with links.
    ///
    /// - Returns: Whether it is held.
    static func keepBack<Content: Reportable>(
        _ kind: Content.Type, _ id: ID<Content.Key>, of account: ID<Account>, in tx: Transaction
    ) throws -> Bool {
        switch Brake(Content.kind).queue {
        case .none, .all: return false
        case .first: break
        case .links:
            let text = try Content.exhibit(id, in: tx)?.text ?? ""
            guard Newcomer.countLinks(in: text) > 0 else { return false }
        }
        let isUnknown: SQL =
            Content.needsVerified
            ? "NOT EXISTS (SELECT 1 FROM provider WHERE provider.account_id = account.id AND \(Verified.isOn(tx.now)))"
            : "account.confirmed_at IS NULL"
        let isKept = try tx.exists(
            """
            SELECT 1 FROM account WHERE id = \(account) AND \(isUnknown) AND NOT is_staff
                AND NOT EXISTS (\(Content.others(of: account, than: id)))
            """)
        guard isKept else { return false }
        try Content.hide(id, at: tx.now, in: tx)
        try raise(Content.subject(id), of: account, for: .first, in: tx)
        return true
    }

    /// Shows held content, and notifies those who would have been notified at publication.
    static func showKept<Content: Reportable>(_ kind: Content.Type, _ id: ID<Content.Key>, in tx: Transaction) throws {
        // If it was taken back, they were notified when it was first shown.
        let wasShown = try Decision.wasTakenBack(Content.subject(id), in: tx)
        // This is also the reference for letters about new events.
        let isNew = try !wasShown && Content.noteAnnounced(id, in: tx)
        try Content.hide(id, at: nil, in: tx)
        if isNew { try Content.tellShown(id, in: tx) }
    }

    /// Erases old decisions with their reports.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM matter WHERE settled_at < \(tx.now - memory)")
    }
}
