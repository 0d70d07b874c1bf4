import Database

extension Report: RowDecodable {
    static let columns: Columns =
        ["report.ground", "report.note", "report.words", "report.at", "report.email"] + [
            """
            CASE WHEN account.id IS NULL THEN 0 ELSE
                (SELECT count(*) FROM report AS other WHERE other.account_id = account.id AND other.verdict = 'right')
            END
            """,
            """
            CASE WHEN account.id IS NULL THEN 0 ELSE
                (SELECT count(*) FROM report AS other WHERE other.account_id = account.id AND other.verdict = 'wrong')
            END
            """,
        ] + Author.columns

    init(row: inout Row) throws {
        let (ground, note, words, at): (Ground, String, String, Instant) =
            (try row.next(), try row.next(), try row.next(), try row.next())
        let email: String = try row.next()
        let (right, wrong): (Int, Int) = (try row.next(), try row.next())
        self.init(
            ground: ground, note: note, words: words, at: at, reporter: try row.next(), email: email,
            decided: right + wrong, right: right)
    }
}

extension Report {
    /// The undecided reports about content, oldest first.
    static func open(about subject: Subject, in db: Connection) throws -> [Report] {
        try db.all(
            """
            SELECT \(columns) FROM report LEFT JOIN account ON account.id = report.account_id
            LEFT JOIN person ON person.account_id = account.id
            WHERE report.subject = \(subject) AND report.verdict IS NULL ORDER BY report.id LIMIT \(limit)
            """)
    }

    /// Puts content with undecided reports back into the queue.
    static func raiseOpen(about subject: Subject, of author: ID<Account>, in tx: Transaction) throws {
        guard try tx.exists("SELECT 1 FROM report WHERE subject = \(subject) AND verdict IS NULL") else { return }
        try Matter.raise(subject, of: author, for: .reports, in: tx)
    }

    /// Stores a report with the current text: once for each `once`, and one per member until it is decided.
    ///
    /// Enough reports by trusted members hide the content; among friends who invited each other, one counts. An event
    /// with registered families is never hidden this way.
    static func file(
        _ form: ReportForm, about exhibit: Exhibit, by account: ID<Account>?, once: String, in tx: Transaction
    ) throws -> Outcome {
        // Read again, because somebody may have registered since it was shown.
        guard let exhibit = try Exhibit.find(exhibit.subject, in: tx) else { throw Refusal.notFound }
        let subject = exhibit.subject
        guard account != exhibit.author.account else { return .own }
        if try tx.exists("SELECT 1 FROM report WHERE once = \(once)") { return .taken }
        if try tx.exists("SELECT 1 FROM matter WHERE subject = \(subject) AND fine_words = \(exhibit.kept)") {
            return .foundFine
        }
        if try isKnown(form, about: subject, by: account, once: once, in: tx) { return .taken }
        try Matter.raise(subject, of: exhibit.author.account, for: .reports, in: tx)
        try tx.execute(
            """
            UPDATE matter SET reports = reports + 1, is_grave = is_grave OR \(form.ground == .danger)
            WHERE subject = \(subject)
            """)
        try tx.execute(
            """
            INSERT INTO report (subject, account_id, ground, note, words, once, at, email)
            VALUES (\(subject), \(account), \(form.ground), \(form.note ?? ""), \(exhibit.kept), \(once), \(tx.now),
                \(account == nil ? form.email ?? "" : ""))
            """)
        // The link to the outcome needs the seal.
        if account == nil { _ = try Seal.make(in: tx) }
        if !exhibit.isHidden, exhibit.families == 0, try countTrusted(about: subject, in: tx) >= enough {
            try Decision.hideForNow(exhibit, form.ground, in: tx)
        }
        return .taken
    }

    /// Whether the same sender has reported this already, and it isn't decided yet.
    ///
    /// Without an account, the address shows that somebody went back and sent the same again; without an address, the
    /// same words shortly afterwards.
    private static func isKnown(
        _ form: ReportForm, about subject: Subject, by account: ID<Account>?, once: String, in tx: Transaction
    ) throws -> Bool {
        if let account {
            return try tx.exists(
                """
                SELECT 1 FROM report
                WHERE subject = \(subject) AND account_id = \(account) AND verdict IS NULL
                """)
        }
        let sender: SQL =
            form.email.map { "email <> '' AND email = \($0)" } ?? "email = '' AND at > \(tx.now - again)"
        let count = try tx.execute(
            """
            UPDATE report SET once = \(once) WHERE id = (
                SELECT min(id) FROM report
                WHERE subject = \(subject) AND account_id IS NULL AND \(sender)
                    AND ground = \(form.ground) AND note = \(form.note ?? "") AND verdict IS NULL)
            """)
        return count > 0
    }

    /// The number of trusted members with undecided reports; friends who invited each other count once.
    private static func countTrusted(about subject: Subject, in tx: Transaction) throws -> Int {
        let branches: [ID<Account>] = try tx.all(
            """
            SELECT coalesce(account.branch_id, account.id) FROM report JOIN account ON account.id = report.account_id
            WHERE report.subject = \(subject) AND report.verdict IS NULL AND account.confirmed_at IS NOT NULL
                AND account.suspended_at IS NULL AND account.created_at <= \(tx.now - trial)
                AND NOT EXISTS (SELECT 1 FROM report AS other
                    WHERE other.account_id = account.id AND other.verdict = 'wrong')
            LIMIT 200
            """
        ) { try $0.next() }
        return Set(branches).count
    }

    // MARK: The outcome

    /// The report made by a form with this `once`.
    static func find(once: String, in db: Connection) throws -> ID<Report>? {
        try db.value("SELECT id FROM report WHERE once = \(once)")
    }

    /// The outcome of a report.
    static func answer(to id: ID<Report>, in db: Connection) throws -> ReportAnswer? {
        let found: (verdict: String?, at: Instant, isWritten: Bool)? = try db.first(
            "SELECT verdict, coalesce(decided_at, at), email <> '' FROM report WHERE id = \(id)"
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        return found.map {
            ReportAnswer(wasRight: $0.verdict.map { $0 == "right" }, at: $0.at, isWritten: $0.isWritten)
        }
    }

    /// Marks reports as right or wrong; a reporter who left an address gets one letter, and the address is erased.
    ///
    /// - Parameter subjects: A list in parentheses.
    static func decide(_ subjects: SQL, isRight: Bool, in tx: Transaction) throws {
        let kind = NoticeKind.decided
        try tx.execute(
            """
            INSERT INTO letter (kind, address, subject, created_at, due_at, ends_at)
            SELECT \(kind), email, id, \(tx.now), \(tx.now), \(tx.now + kind.shelfLife) FROM report
            WHERE subject IN \(subjects) AND verdict IS NULL AND email <> ''
            """)
        try tx.execute(
            """
            UPDATE report SET verdict = \(isRight ? "right" : "wrong"), decided_at = \(tx.now), email = ''
            WHERE subject IN \(subjects) AND verdict IS NULL
            """)
    }

    /// Opens the reports again that were found right at that time together with everything else of their author, since
    /// that was taken back. Somebody who reported it anew since has one report.
    static func reopen(_ subject: Subject, decidedAt then: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE report SET verdict = NULL, decided_at = NULL
            WHERE subject = \(subject) AND verdict = 'right' AND decided_at = \(then)
                AND NOT EXISTS (SELECT 1 FROM report AS later WHERE later.subject = report.subject
                    AND later.account_id = report.account_id AND later.verdict IS NULL)
            """)
        let open: SQL = "FROM report WHERE report.subject = matter.subject AND report.verdict IS NULL"
        try tx.execute(
            """
            UPDATE matter SET reports = (SELECT count(*) \(open)),
                is_grave = EXISTS (SELECT 1 \(open) AND report.ground = 'danger')
            WHERE subject = \(subject)
            """)
    }
}
