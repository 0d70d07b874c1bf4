import Database

extension Matter {
    /// The queue: the most urgent first, and of those the oldest.
    static func waiting(for show: Show?, after: Cursor<Subject>?, in db: Connection) throws -> Page<Matter> {
        let last = after?.keys
        let shown: SQL = show.map { " AND \(condition($0))" } ?? ""
        let place: (Bool, Instant)? = try last.flatMap { last in
            try db.first("SELECT is_grave, since FROM matter WHERE subject = \(last) AND since IS NOT NULL") {
                (try $0.next(), try $0.next())
            }
        }
        var next: SQL = ""
        if let last, let (isGrave, since) = place {
            next = """
                 AND (matter.is_grave < \(isGrave)
                    OR (matter.is_grave = \(isGrave) AND (matter.since, matter.subject) > (\(since), \(last))))
                """
        }
        return try Page(of: pageSize, by: \.subject) { limit in
            try db.all(
                """
                SELECT \(columns) FROM matter JOIN account ON account.id = matter.author_id
                LEFT JOIN person ON person.account_id = account.id
                WHERE matter.since IS NOT NULL\(shown)\(next)
                ORDER BY matter.is_grave DESC, matter.since, matter.subject LIMIT \(limit)
                """)
        }
    }

    /// The first matters in the queue.
    static func first(_ most: Int, for show: Show?, in db: Connection) throws -> [Subject] {
        var subjects: [Subject] = []
        var page = try waiting(for: show, after: nil, in: db)
        while true {
            subjects += page.items.map(\.subject)
            guard subjects.count < most, !page.isLast, let last = subjects.last else { break }
            page = try waiting(for: show, after: Cursor(last), in: db)
        }
        return Array(subjects.prefix(most))
    }

    /// A condition: the matter is of this kind.
    private static func condition(_ show: Show) -> SQL {
        let waits: SQL = "matter.waits_for = \(show.wait)"
        let isPlace: SQL = """
            EXISTS (SELECT 1 FROM need WHERE need.is_lasting AND need.id =
                CASE WHEN matter.subject LIKE 'need-%' THEN CAST(substr(matter.subject, 6) AS INTEGER) END)
            """
        return switch show {
        case .reports, .answer, .entry, .removal: waits
        case .first: "\(waits) AND matter.subject NOT LIKE 'act-%'"
        case .acts: "\(waits) AND matter.subject LIKE 'act-%'"
        case .look: "\(waits) AND NOT \(isPlace)"
        case .places: "\(waits) AND \(isPlace)"
        }
    }

    /// The numbers by kind.
    static func waitingByKind(in db: Connection) throws -> [(show: Show, count: Int)] {
        let counts = Show.allCases.map { "count(*) FILTER (WHERE \(condition($0)))" as SQL }.joined(separator: ", ")
        return try db.first("SELECT \(counts) FROM matter WHERE matter.since IS NOT NULL") { row in
            try Show.allCases.map { ($0, try row.next()) }
        } ?? []
    }

    /// Removes content from the queue, and marks its reports as right or wrong.
    ///
    /// - Parameters:
    ///   - isFine: Whether it was found fine, so that the same text can't be reported again.
    ///   - words: The text that was found fine.
    static func settle(_ subject: Subject, isFine: Bool, words: String?, in tx: Transaction) throws {
        try Report.decide("(\(subject))", isRight: !isFine, in: tx)
        if isFine, let words {
            let owner = try author(of: subject, in: tx) ?? Exhibit.find(subject, in: tx)?.author.account
            try tx.execute(
                """
                INSERT INTO matter (subject, author_id, waits_for, fine_words, settled_at)
                SELECT \(subject), account.id, 'look', \(words), \(tx.now) FROM account
                WHERE account.id = \(owner)
                ON CONFLICT (subject) DO UPDATE SET fine_words = excluded.fine_words
                """)
        }
        try settle(subject, in: tx)
    }

    /// Shows an author's held content, because the address was confirmed or the organization verified.
    static func showFirst(of account: ID<Account>, isVerified: Bool = false, in tx: Transaction) throws {
        let kept: [Subject] = try tx.all(
            """
            SELECT subject FROM matter
            WHERE author_id = \(account) AND waits_for = 'first' AND since IS NOT NULL
                AND subject NOT LIKE 'act-%' LIMIT 100
            """
        ) { try $0.next() }
        // A kind act is for everyone, so it is reviewed even if its author is trusted.
        for subject in kept {
            let kind = subject.kind.reportable
            if kind.needsVerified, !isVerified { continue }
            // Staff want to see it once more, or it may be a copy of something they hid.
            if try Decision.wasTakenBack(subject, in: tx) || Decision.hides(subject.kind, of: account, in: tx) {
                continue
            }
            if try kind.exhibit(subject, in: tx) != nil { try kind.showKept(subject, in: tx) }
            try settle(subject, in: tx)
        }
    }

    /// Removes a leaving member's name and note from their reports, and erases decisions about them and the reported
    /// texts that are deleted with them. What waits only for a reply to their answer is settled.
    static func forget(_ account: ID<Account>, in tx: Transaction) throws {
        try tx.execute("UPDATE report SET account_id = NULL, note = '' WHERE account_id = \(account)")
        let isGone: SQL = """
            author_id = \(account) AND subject NOT LIKE 'post-%' AND subject NOT LIKE 'comment-%'
                AND subject NOT LIKE 'act-%'
            """
        try tx.execute("UPDATE report SET words = '' WHERE subject IN (SELECT subject FROM matter WHERE \(isGone))")
        try tx.execute("UPDATE matter SET fine_words = NULL WHERE \(isGone)")
        try tx.execute("DELETE FROM decision WHERE author_id = \(account)")
        try tx.execute("DELETE FROM matter WHERE subject = \(Subject.person(account))")
        try tx.execute(
            """
            UPDATE matter SET since = NULL, settled_at = \(tx.now), is_grave = FALSE
            WHERE author_id = \(account) AND waits_for = \(Wait.answer) AND since IS NOT NULL AND reports = 0
            """)
    }
}

extension QueuePage {
    /// The beginning of content for a list; nil if it is gone.
    fileprivate static func beginning(of exhibit: Exhibit?, _ subject: Subject, _ author: Author) -> String? {
        exhibit.map { exhibit in
            // Messages between two people are only read one by one, which is logged.
            if subject.kind == .message { return author.username }
            let text = exhibit.title.isEmpty ? exhibit.text : exhibit.title
            return text.isEmpty ? author.username : String(text.prefix(80))
        }
    }

    init(_ show: Matter.Show?, after: Cursor<Subject>?, in zone: Zone, db: Connection) throws {
        let page = try Matter.waiting(for: show, after: after, in: db)
        rows = try page.items.map { matter in
            let exhibit = try Exhibit.find(matter.subject, in: db)
            return Row(
                matter: matter,
                beginning: Self.beginning(of: exhibit, matter.subject, matter.author),
                since: zone.words(matter.since, \.shortName))
        }
        counts = try Matter.waitingByKind(in: db)
        self.show = show
        let first: Instant? = try db.value("SELECT min(since) FROM matter WHERE since IS NOT NULL")
        oldest = first.map { zone.words($0, \.shortName) }
        more = page.more(at: QueuePage.link(show))
    }
}

extension ManyPage {
    init(_ subjects: [Subject], _ form: ManyForm, by staff: ID<Account>, in db: Connection) throws {
        rows = try subjects.compactMap { subject in
            let waitsFor = try Matter.waits(subject, in: db)
            // Matters that are one's own, need a second person or were answered must be reviewed one by one.
            guard let account = try Matter.author(of: subject, in: db), account != staff, waitsFor != .removal,
                try Decision.unreplied(about: subject, in: db) == nil,
                let author = try Author.find(account, in: db)
            else { return nil }
            let isEntry = try subject == .person(account) && Account.waits(account, in: db)
            let exhibit = try Exhibit.find(subject, in: db)
            return Row(
                subject: subject, author: author, beginning: QueuePage.beginning(of: exhibit, subject, author),
                isEntry: isEntry, isFirst: waitsFor == .first, isLasting: exhibit?.isLasting ?? false,
                version: exhibit?.version ?? "",
                rulings: form.rulings(isEntry: isEntry, isThere: exhibit != nil))
        }
        leftOut = subjects.count - rows.count
    }

    /// Decides about each of them, or none.
    ///
    /// - Parameter seen: The versions that the moderator saw.
    /// - Throws: `Decision.Changed`.
    static func decide(
        _ subjects: [Subject], _ form: ManyForm, seen: [String], by staff: ID<Account>, in tx: Transaction
    ) throws {
        for row in try ManyPage(subjects, form, by: staff, in: tx).rows {
            for ruling in row.rulings {
                var ruling = ruling
                ruling.seen = seen.contains(row.seen) ? row.version : ""
                try Decision.make(ruling, about: row.subject, by: staff, in: tx)
            }
            guard !row.isEntry else { continue }
            // Matters that somebody else has decided by now aren't waiting anymore.
            try Matter.settle(row.subject, isFine: form.verdict == .fine, words: nil, in: tx)
        }
    }
}

extension MatterPage {
    /// - Throws: `Refusal.notFound` if it never existed, or if it is between two people and neither reported it.
    init(_ subject: Subject, for reader: ID<Account>, in zone: Zone, tx: Transaction) throws {
        let exhibit = try Exhibit.find(subject, in: tx)
        let known = try Matter.author(of: subject, in: tx)
        guard let account = exhibit?.author.account ?? known, let author = try Author.find(account, in: tx),
            exhibit?.isPrivate != true || known != nil
        else { throw Refusal.notFound }
        self.subject = subject
        self.exhibit = exhibit
        self.author = author
        history = try History(of: account, in: zone, tx: tx)
        reports = try Report.open(about: subject, in: tx).map { report in
            ReportRow(
                report: report, time: zone.words(report.at, \.shortName),
                hasChanged: exhibit.map { $0.kept != report.words } ?? true)
        }
        if subject.kind == .message {
            around = try Message.around(ID(subject.number), in: tx).map {
                LineRow(line: $0, time: zone.words($0.at, \.shortName))
            }
        }
        waitsFor = try Matter.waits(subject, in: tx)
        removal = try Removal.open(of: account, in: zone, db: tx)
        isOfAdmin =
            try account != reader && Role.find(of: account, in: tx) == .admin
            && Role.find(of: reader, in: tx) != .admin
        isEntry = try subject == .person(account) && Account.waits(account, in: tx)
        answered = try isEntry ? nil : Decision.unreplied(about: subject, in: tx)
        inviter = try isEntry ? InvitationTree(around: account, in: zone, db: tx).inviter : nil
        decisions = try Decision.all(about: account, in: tx).map {
            DecisionRow(decision: $0, time: zone.words($0.at, \.shortName))
        }
        isOwnDecision = decisions.contains {
            $0.decision.subject == subject && $0.decision.answeredAt != nil && $0.decision.isOpen
                && $0.decision.staffID == reader
        }
    }
}

extension MatterPage.History {
    init(of account: ID<Account>, in zone: Zone, tx: Transaction) throws {
        func count(_ rows: SQL) throws -> Int { try tx.value("SELECT count(*) FROM \(rows)") ?? 0 }
        let (created, limited, suspended): (Instant, Instant?, Instant?) =
            try tx.first("SELECT created_at, limited_until, suspended_at FROM account WHERE id = \(account)") {
                (try $0.next(), try $0.next(), try $0.next())
            } ?? (tx.now, nil, nil)
        self.init(
            since: zone.day(of: created).fullName, posts: try count("post WHERE account_id = \(account)"),
            comments: try count("comment WHERE account_id = \(account)"),
            events: try count("event WHERE account_id = \(account)"),
            decisions: try count("decision WHERE author_id = \(account) AND act <> 'fine'"),
            isSuspended: suspended != nil,
            limitedUntil: limited.flatMap { $0 > tx.now ? zone.words($0, \.shortName) : nil })
    }
}
