import Database

extension Decision.Verdict: SQLValue {}
extension Ground: SQLValue {}

extension Decision: RowDecodable {
    static let columns: Columns = [
        "decision.id", "decision.subject", "decision.author_id",
        "(SELECT username FROM account WHERE account.id = decision.staff_id)", "decision.staff_id", "decision.act",
        "decision.ground", "decision.reason", "decision.until", "decision.at", "decision.ended_at", "decision.answer",
        "decision.answered_at", "decision.reply", "decision.replied_at", "decision.verifies", "decision.kept_back",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), subject: try row.next(), author: try row.next(), staff: try row.next(),
            staffID: try row.next(), verdict: try row.next(), ground: try row.next(), reason: try row.next(),
            until: try row.next(), at: try row.next(), endedAt: try row.next(), answer: try row.next(),
            answeredAt: try row.next(), reply: try row.next(), repliedAt: try row.next(), verifies: try row.next(),
            wasKeptBack: try row.next())
    }
}

extension Decision {
    static func find(_ id: ID<Decision>, in db: Connection) throws -> Decision? {
        try db.first("SELECT \(columns) FROM decision WHERE id = \(id)")
    }

    /// The decisions about an author's content, newest first.
    static func all(about author: ID<Account>, in db: Connection) throws -> [Decision] {
        try db.all("SELECT \(columns) FROM decision WHERE author_id = \(author) ORDER BY id DESC LIMIT 20")
    }

    /// The decision that suspended an account.
    static func suspension(of account: ID<Account>, in db: Connection) throws -> Decision? {
        try db.first(
            """
            SELECT \(columns) FROM decision WHERE author_id = \(account) AND act = 'suspend' AND ended_at IS NULL
            ORDER BY id DESC LIMIT 1
            """)
    }

    /// The newest decision about content that was answered and has no reply yet. Content hidden by members is still to
    /// be decided, considering the author's answer.
    static func unreplied(about subject: Subject, in db: Connection) throws -> Decision? {
        try db.first(
            """
            SELECT \(columns) FROM decision
            WHERE subject = \(subject) AND answered_at IS NOT NULL AND replied_at IS NULL AND ended_at IS NULL
                AND NOT (staff_id IS NULL AND act = 'hide')
            ORDER BY id DESC LIMIT 1
            """)
    }

    /// The newest decision that hides content.
    static func hiding(_ subject: Subject, in db: Connection) throws -> Decision? {
        try db.first(
            """
            SELECT \(columns) FROM decision
            WHERE subject = \(subject) AND act IN ('hide', 'ask') AND ended_at IS NULL ORDER BY id DESC LIMIT 1
            """)
    }

    /// Whether an account has hidden content of that kind, or content that must be changed.
    static func hides(_ kind: Subject.Kind, of account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM decision WHERE author_id = \(account) AND act IN ('hide', 'ask') AND ended_at IS NULL
                AND \(isAbout(kind))
            """)
    }

    /// It is about content of that kind.
    static func isAbout(_ kind: Subject.Kind) -> SQL {
        let subject: SQL = "\(unindexed: "decision.subject")"
        return "\(subject) > \("\(kind.rawValue)-") AND \(subject) < \("\(kind.rawValue).")"
    }

    /// Whether held content was already shown and then hidden again.
    static func wasTakenBack(_ subject: Subject, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM decision
            WHERE subject = \(subject) AND act = 'fine' AND kept_back = \(true) AND ended_at IS NOT NULL
            """)
    }

    /// Handles a requested change: the content is shown again, and reviewed once more. If it now matches other hidden
    /// content, it is held.
    ///
    /// - Parameter before: The previous content, if its kind is checked for copies.
    static func wasChanged<Content: Reportable>(
        _ kind: Content.Type, _ id: ID<Content.Key>, from before: Exhibit? = nil, in tx: Transaction
    ) throws {
        guard let exhibit = try Content.exhibit(id, in: tx) else { return }
        guard let decision = try hiding(exhibit.subject, in: tx), decision.verdict == .ask else {
            if !exhibit.isHidden { _ = try Matter.keepBackCopy(kind, id, from: before, in: tx) }
            return
        }
        let (words, wasKeptBack): (String?, Bool) =
            try tx.first(
                "SELECT words, kept_back FROM decision WHERE id = \(decision.id)",
                { (try $0.next(), try $0.next()) }) ?? (nil, false)
        // An identical text isn't a change.
        guard exhibit.kept != words else { return }
        try tx.execute("UPDATE decision SET ended_at = \(tx.now), words = '' WHERE id = \(decision.id)")
        try Notice.settle(.decided, about: decision.id.rawValue, in: tx)
        if try Matter.keepBackCopy(kind, id, from: before, in: tx) { return }
        if wasKeptBack {
            // Content that only staff have seen keeps waiting.
            if try Matter.keepBack(kind, id, of: decision.author, in: tx) { return }
            try Matter.showKept(kind, id, in: tx)
        } else {
            try Content.hide(id, at: nil, in: tx)
        }
        try Matter.raise(exhibit.subject, of: decision.author, for: .look, in: tx)
    }

    /// Records that content whose author was asked to change it is gone: nothing is left to change.
    static func settle(_ subject: Subject, in tx: Transaction) throws {
        guard let decision = try hiding(subject, in: tx), decision.verdict == .ask else { return }
        try Notice.settle(.decided, about: decision.id.rawValue, in: tx)
    }

    /// Erases old decisions.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM decision WHERE at < \(tx.now - memory)")
    }

    /// The open decision to delete an account.
    static func removal(of account: ID<Account>, in db: Connection) throws -> Decision? {
        try db.first(
            """
            SELECT \(columns) FROM decision
            WHERE author_id = \(account) AND act = 'delete' AND ended_at IS NULL
            """)
    }
}
