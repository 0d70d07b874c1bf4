import Database

extension Decision {
    // MARK: Making decisions

    /// Carries out a staff decision about content: the one way to do so. It is logged, the author is notified, and the
    /// matter leaves the queue.
    ///
    /// - Returns: Nil if somebody else decided first.
    /// - Throws: The errors of `plan`.
    @discardableResult
    static func make(
        _ ruling: Ruling, about subject: Subject, by staff: ID<Account>, in tx: Transaction
    ) throws -> ID<Decision>? {
        let exhibit = try Exhibit.find(subject, in: tx)
        guard let author = try exhibit?.author.account ?? Matter.author(of: subject, in: tx) else {
            throw Refusal.notFound
        }
        let facts = try Facts(subject, exhibit, of: author, by: staff, in: tx)
        switch try plan(ruling, about: facts) {
        case .nothing: return nil
        case .reply(let answered):
            try reply(ruling, to: answered, by: staff, in: tx)
            return answered.id
        case .orders(let orders, let isWhole):
            let made = try orders.map { try carryOut($0, about: facts, exhibit, in: tx) }
            return isWhole ? made.last : nil
        }
    }

    private static func carryOut(
        _ order: Order, about facts: Facts, _ exhibit: Exhibit?, in tx: Transaction
    ) throws -> ID<Decision> {
        let (subject, author, ruling) = (facts.subject, facts.author, order.ruling)
        switch order.display {
        case .hide: try Exhibit.hide(subject, at: tx.now, in: tx)
        case .show: try Exhibit.hide(subject, at: nil, in: tx)
        case .showFirst: try subject.kind.reportable.showKept(subject, in: tx)
        case nil: break
        }
        var verifies = false
        if ruling.verdict == .fine, subject.kind == .need, try Need.verify(ID(subject.number), in: tx) {
            verifies = true
            try NeedNews(.verified, ID(subject.number), exhibit?.title ?? "").tell(author, in: tx)
        }
        if ruling.verdict == .limit {
            try tx.execute("UPDATE account SET limited_until = \(tx.now + .days(ruling.days)) WHERE id = \(author)")
        }
        if ruling.verdict == .admit { _ = try Account.admit(author, in: tx) }
        // A new decision about visibility replaces earlier ones; the author's restrictions are independent.
        if order.endsDisplay {
            try tx.execute(
                """
                UPDATE decision SET ended_at = \(tx.now)
                WHERE subject = \(subject) AND ended_at IS NULL AND act IN ('hide', 'ask', 'fine')
                """)
        }
        if let ended = order.endsOfAuthor {
            try tx.execute(
                """
                UPDATE decision SET ended_at = \(tx.now)
                WHERE author_id = \(author) AND \(unindexed: "act") = \(ended) AND ended_at IS NULL
                """)
        }
        let id = try insert(
            ruling, about: subject, of: author, by: facts.staff, isKeptBack: order.isKeptBack,
            verifies: verifies, in: tx)
        // This also replies to the author's answer.
        try tx.execute(
            """
            UPDATE decision SET replied_at = \(tx.now)
            WHERE subject = \(subject) AND id <> \(id) AND answered_at IS NOT NULL AND replied_at IS NULL
            """)
        if order.settles {
            try Matter.settle(subject, isFine: ruling.verdict == .fine, words: exhibit?.kept, in: tx)
        }
        if ruling.verdict == .delete { try Matter.raise(.person(author), of: author, for: .removal, in: tx) }
        try AuditEntry.record(
            verifies ? .verifyPlace : .doing(ruling.verdict, to: subject.kind),
            try AuditEntry.subject(of: ruling.verdict, exhibit, subject, author, in: tx),
            ruling.verdict.isOnAccount ? author.rawValue : subject.number, about: subject, of: author,
            reason: ruling.reason,
            ground: ruling.verdict == .fine || ruling.verdict == .admit ? nil : ruling.ground, by: facts.staff, in: tx)
        if order.tells {
            let takesAct = ruling.verdict == .fine && order.isKeptBack && subject.kind == .act
            let isSaid = takesAct || Verdict.aboutAccounts.contains(ruling.verdict)
            try tell(id, author, isSaid ? ruling.verdict : nil, in: tx)
        }
        if ruling.verdict == .suspend {
            // The log-in page needs the seal to let them answer.
            _ = try Seal.make(in: tx)
            try Account.suspend(author, in: tx)
        }
        return id
    }

    /// Replies to an answer: the decision is revoked, or stands for a reason.
    private static func reply(
        _ ruling: Ruling, to decision: Decision, by staff: ID<Account>, in tx: Transaction
    ) throws {
        if decision.author == staff { throw Refusal.notAllowed }
        try tx.execute("UPDATE decision SET reply = \(ruling.reason), replied_at = \(tx.now) WHERE id = \(decision.id)")
        if ruling.verdict == .lift { return try undo(decision.id, reason: ruling.reason, by: staff, in: tx) }
        let rights = try Rights(of: staff, over: decision.author, in: tx)
        if decision.verdict.isOnAccount { try rights.require(\.mayJudge) }
        try rights.require(\.mayRule)
        try settleAnswered(decision.subject, of: decision.author, in: tx)
        let author: String = try tx.value("SELECT username FROM account WHERE id = \(decision.author)") ?? ""
        try AuditEntry.record(
            .uphold, author, decision.author.rawValue, about: decision.subject, of: decision.author,
            reason: ruling.reason, by: staff, in: tx)
        try tell(decision.id, decision.author, .stands, in: tx)
    }

    /// Removes answered content from the queue, unless it also waits for something else.
    private static func settleAnswered(_ subject: Subject, of author: ID<Account>, in tx: Transaction) throws {
        try Matter.settle(subject, in: tx)
        if try unreplied(about: subject, in: tx) != nil {
            try Matter.raise(subject, of: author, for: .answer, in: tx)
        }
        try Report.raiseOpen(about: subject, of: author, in: tx)
    }

    /// Hides content that several members reported, until staff look at it.
    static func hideForNow(_ exhibit: Exhibit, _ ground: Ground, in tx: Transaction) throws {
        try Exhibit.hide(exhibit.subject, at: tx.now, in: tx)
        let ruling = Ruling(verdict: .hide, ground: ground)
        let id = try insert(ruling, about: exhibit.subject, of: exhibit.author.account, by: nil, in: tx)
        try tell(id, exhibit.author.account, in: tx)
    }

    private static func insert(
        _ ruling: Ruling, about subject: Subject, of author: ID<Account>, by staff: ID<Account>?,
        isKeptBack: Bool = false, verifies: Bool = false, in tx: Transaction
    ) throws -> ID<Decision> {
        let until = ruling.verdict == .limit ? tx.now + .days(ruling.days) : nil
        let exhibit = try ruling.verdict.hides ? Exhibit.find(subject, in: tx) : nil
        // Kept for comparison, so that the same text once more doesn't count as a change.
        let words = ruling.verdict == .ask ? exhibit?.kept ?? "" : ""
        // To recognize the content if its author posts it again.
        let marks = exhibit?.marks ?? []
        return ID(
            try tx.insert(
                """
                INSERT INTO decision (subject, author_id, staff_id, act, ground, reason, until, words, said,
                    kept_back, verifies, at)
                VALUES (\(subject), \(author), \(staff), \(ruling.verdict), \(ruling.ground), \(ruling.reason),
                    \(until), \(words), \(marks.joined(separator: " ")), \(isKeptBack), \(verifies), \(tx.now))
                """))
    }

    private static func tell(
        _ id: ID<Decision>, _ author: ID<Account>, _ verdict: Verdict? = nil, in tx: Transaction
    ) throws {
        var news = Notice.News(kind: .decided, detail: verdict?.rawValue ?? "")
        news.subject = id.rawValue
        try Notice.tell(news, "account.id = \(author)", in: tx)
    }

    // MARK: Revoking decisions

    /// Revokes a decision and notifies the author; revoking twice has no further effect.
    static func undo(_ id: ID<Decision>, reason: String, by staff: ID<Account>, in tx: Transaction) throws {
        guard let decision = try find(id, in: tx) else { throw Refusal.notFound }
        guard decision.canUndo else { return }
        if decision.author == staff, decision.staffID != staff { throw Refusal.notAllowed }
        let rights = try Rights(of: staff, over: decision.author, in: tx)
        if decision.verdict.isOnAccount { try rights.require(\.mayJudge) }
        if decision.staffID != nil { try rights.require(\.mayRule) }
        try tx.execute("UPDATE decision SET ended_at = \(tx.now), words = '' WHERE id = \(id)")
        let exhibit = try Exhibit.find(decision.subject, in: tx)
        switch decision.verdict {
        case .hide, .ask: if exhibit != nil { try Exhibit.hide(decision.subject, at: nil, in: tx) }
        case .limit: try tx.execute("UPDATE account SET limited_until = NULL WHERE id = \(decision.author)")
        case .suspend:
            try Account.restore(decision.author, in: tx)
            if try Account.waits(decision.author, in: tx) { try Account.ask(decision.author, in: tx) }
        case .fine:
            try tx.execute("UPDATE matter SET fine_words = NULL WHERE subject = \(decision.subject)")
            if decision.wasKeptBack, exhibit != nil {
                try Exhibit.hide(decision.subject, at: tx.now, in: tx)
                try Matter.raise(decision.subject, of: decision.author, for: .first, in: tx)
            }
            if decision.subject.kind == .need { try Need.unverify(ID(decision.subject.number), in: tx) }
        case .refuse: try Account.ask(decision.author, in: tx)
        case .delete:
            try Matter.settle(.person(decision.author), in: tx)
            // It may also wait for something else.
            if try Account.waits(decision.author, in: tx) { try Account.ask(decision.author, in: tx) }
            try Report.raiseOpen(about: .person(decision.author), of: decision.author, in: tx)
            if try unreplied(about: .person(decision.author), in: tx) != nil {
                try Matter.raise(.person(decision.author), of: decision.author, for: .answer, in: tx)
            }
        case .note, .admit, .lift, .stands: break
        }
        // The members' reports were wrong then, so new reports start from zero.
        if decision.staffID == nil {
            try Matter.settle(decision.subject, isFine: true, words: nil, in: tx)
        } else if decision.answeredAt != nil {
            try settleAnswered(decision.subject, of: decision.author, in: tx)
        }
        try AuditEntry.record(
            decision.verifies ? .unverifyPlace : .undoing(decision.verdict, to: decision.subject.kind),
            try AuditEntry.subject(of: decision.verdict, exhibit, decision.subject, decision.author, in: tx),
            decision.verdict.isOnAccount ? decision.author.rawValue : decision.subject.number, about: decision.subject,
            of: decision.author, reason: reason, by: staff, in: tx)
        if decision.verdict != .fine || decision.wasKeptBack || decision.verifies {
            try tell(id, decision.author, in: tx)
        }
    }

    /// Shows content again that staff hid by any decision.
    static func show(_ subject: Subject, reason: String, by staff: ID<Account>, in tx: Transaction) throws {
        if let decision = try hiding(subject, in: tx) {
            return try undo(decision.id, reason: reason, by: staff, in: tx)
        }
        // It was hidden before decisions were recorded.
        guard let exhibit = try Exhibit.find(subject, in: tx), exhibit.isHidden else { return }
        try Exhibit.hide(subject, at: nil, in: tx)
        try AuditEntry.record(
            .undoing(.hide, to: subject.kind),
            try AuditEntry.subject(of: .hide, exhibit, subject, exhibit.author.account, in: tx), subject.number,
            about: subject, of: exhibit.author.account, reason: reason, by: staff, in: tx)
    }

    /// Lifts an account's suspension by any decision.
    static func restore(_ account: Account, reason: String, by staff: ID<Account>, in tx: Transaction) throws {
        let open = try all(about: account.id, in: tx).first { $0.verdict == .suspend && $0.isOpen }
        if let open { return try undo(open.id, reason: reason, by: staff, in: tx) }
        guard try Account.restore(account.id, in: tx) else { return }
        try AuditEntry.record(.restore, account.username, account.id.rawValue, reason: reason, by: staff, in: tx)
    }

    // MARK: The author

    /// Stores the author's one answer to a decision, which then waits for staff.
    ///
    /// - Throws: `Refusal.notFound` if it was answered already.
    static func answer(_ id: ID<Decision>, _ text: String, in tx: Transaction) throws {
        guard let decision = try find(id, in: tx), decision.canAnswer else { throw Refusal.notFound }
        try tx.execute("UPDATE decision SET answer = \(text), answered_at = \(tx.now) WHERE id = \(id)")
        try Matter.raise(decision.subject, of: decision.author, for: .answer, in: tx)
    }
}

extension Decision.Facts {
    init(
        _ subject: Subject, _ exhibit: Exhibit?, of author: ID<Account>, by staff: ID<Account>, in db: Connection
    ) throws {
        self.init(
            subject: subject, author: author, staff: staff,
            rights: try Decision.Rights(of: staff, over: author, in: db))
        thing = exhibit.map { Thing(isHidden: $0.isHidden, version: $0.version) }
        waitsFor = try Matter.waits(subject, in: db)
        isEntry = try subject == .person(author) && Account.waits(author, in: db)
        if !isEntry { answered = try Decision.unreplied(about: subject, in: db) }
        hiding = try Decision.hiding(subject, in: db)
        isSuspended = try db.exists("SELECT 1 FROM account WHERE id = \(author) AND suspended_at IS NOT NULL")
        isLeaving = try Decision.removal(of: author, in: db) != nil
    }
}

extension Decision.Rights {
    init(of staff: ID<Account>, over author: ID<Account>, in db: Connection) throws {
        self.init(
            isOfStaff: try db.exists("SELECT 1 FROM account WHERE id = \(author) AND is_staff"),
            isOfAdmin: try Role.find(of: author, in: db) == .admin,
            isOfLastAdmin: try Role.isLastAdmin(author, in: db),
            isByAdmin: try Role.find(of: staff, in: db) == .admin, isOwn: author == staff)
    }
}

extension AuditEntry {
    /// The object's name in the log: an account, an event's title, or nothing.
    fileprivate static func subject(
        of verdict: Decision.Verdict, _ exhibit: Exhibit?, _ subject: Subject, _ author: ID<Account>, in db: Connection
    ) throws -> String {
        if verdict.isOnAccount {
            return try db.value("SELECT username FROM account WHERE id = \(author)") ?? ""
        }
        return exhibit.map(subject.kind.reportable.logName) ?? ""
    }
}

extension ModerationCounts {
    init(in db: Connection) throws {
        var rows: [Row] = []
        try db.each("SELECT verb, ground, count(*) FROM staff_act GROUP BY verb, ground LIMIT 200") { row in
            let (name, ground, count): (String, Ground?, Int) = (try row.next(), try row.next(), try row.next())
            guard let verb = AuditEntry.Verb(rawValue: name), let short = verb.short else { return true }
            if rows.last?.verb != verb { rows.append(Row(verb: verb, name: short)) }
            rows[rows.count - 1].count += count
            if let ground { rows[rows.count - 1].grounds.append((ground, count)) }
            return true
        }
        self.init(
            rows: rows, reports: try db.value("SELECT count(*) FROM report") ?? 0,
            waiting: try Matter.waiting(in: db))
    }
}
