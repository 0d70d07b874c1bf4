import Database

extension Claim.State: SQLValue {}

extension Claim: RowDecodable {
    static let columns: Columns =
        ["claim.id", "claim.need_id"] + Author.columns + [
            "claim.count", "claim.message", "claim.state", "claim.ends_at",
        ]

    private static let sources: SQL = """
        claim JOIN account ON account.id = claim.account_id LEFT JOIN person ON person.account_id = account.id
        """

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), need: try row.next(), helper: try row.next(), count: try row.next(),
            message: try row.next(), state: try row.next(), endsAt: try row.next())
    }

    static func find(_ id: ID<Claim>, in db: Connection) throws -> Claim? {
        try db.first("SELECT \(columns) FROM \(sources) WHERE claim.id = \(id)")
    }

    /// A member's current promise for a need; there is at most one.
    static func find(of account: ID<Account>, at need: ID<Need>, in db: Connection) throws -> Claim? {
        try db.first(
            """
            SELECT \(columns) FROM \(sources) WHERE claim.account_id = \(account) AND claim.need_id = \(need)
                AND claim.state IN ('asked', 'taken', 'brought') LIMIT 1
            """)
    }

    /// The current promises: at most as many as are needed, which is at most a thousand.
    static func all(of need: ID<Need>, in db: Connection) throws -> [Claim] {
        try db.all(
            """
            SELECT \(columns) FROM \(sources) WHERE claim.need_id = \(need) AND claim.state <> 'ended'
            ORDER BY claim.id LIMIT 1000
            """)
    }

    static func live(of account: ID<Account>, in db: Connection) throws -> [Claim] {
        try db.all(
            """
            SELECT \(columns) FROM \(sources) WHERE claim.account_id = \(account)
                AND claim.state IN ('asked', 'taken', 'brought') ORDER BY claim.id LIMIT 200
            """)
    }

    /// A member's promises and offers, oldest first; those for hidden needs are left out because their page isn't
    /// available.
    static func lines(
        of account: ID<Account>, after: Cursor<ID<Claim>>? = nil, in zone: Zone, db: Connection
    ) throws -> Page<ClaimLine> {
        try Page(of: Need.pageSize, by: \.claim) { limit in
            try db.all(
                """
                SELECT claim.id, need.id, need.kind, need.title, claim.state, claim.ends_at,
                    CASE WHEN claim.state <> 'asked' THEN thread.id END, coalesce(side.unread, 0)
                FROM claim JOIN need ON need.id = claim.need_id
                LEFT JOIN thread ON thread.claim_id = claim.id
                LEFT JOIN thread_side AS side ON side.thread_id = thread.id AND side.account_id = \(account)
                WHERE claim.account_id = \(account) AND claim.state IN ('asked', 'taken', 'brought') AND need.listed
                    AND claim.id > \(after?.keys ?? ID(0)) ORDER BY claim.id LIMIT \(limit)
                """
            ) {
                ClaimLine(
                    claim: try $0.next(), need: try $0.next(), kind: try $0.next(), title: try $0.next(),
                    state: try $0.next(), until: zone.day(of: try $0.next()), talk: try $0.next(),
                    unread: try $0.next())
            }
        }
    }

    // MARK: Promises

    /// Promises an amount, but never more than needed: the check and the change are one statement.
    ///
    /// - Throws: `Refused`; `Refusal.notFound`.
    static func make(
        _ count: Int, message: String, of need: ID<Need>, by account: ID<Account>, in tx: Transaction
    ) throws {
        guard let found = try Need.find(need, for: account, isStaff: false, in: tx) else { throw Refusal.notFound }
        guard found.isOpen(at: tx.now), !found.isLasting else { throw Refused.closed }
        guard found.author.account != account else { throw Refused.own }
        guard try find(of: account, at: need, in: tx) == nil else { throw Refused.twice }
        if let hurdle = try hurdle(of: account, at: found, in: tx) { throw hurdle }
        guard try Need.ledger.take("\(count)", where: "id = \(need) AND listed", in: tx) else {
            throw Refused.tooMany(left: found.left)
        }
        let state: State = found.place.isHome ? .asked : .taken
        let id = try tx.insert(
            """
            INSERT INTO claim (need_id, account_id, count, message, state, made_at, ends_at)
            VALUES (\(need), \(account), \(count), \(message), \(state), \(tx.now), \(tx.now + .days(found.days)))
            """)
        if state == .taken { try TalkThread.open(ID<Claim>(id), by: account, in: tx) }
        try NeedNews(found.place.isHome ? .asked : .taken, need, found.title).tell(found.author.account, in: tx)
    }

    /// The obstacle for a member to take a need that others can take; nil if there is none.
    static func hurdle(of account: ID<Account>, at need: Need, in tx: Transaction) throws -> Refused? {
        let times: Int =
            try tx.value("SELECT count(*) FROM claim WHERE need_id = \(need.id) AND account_id = \(account)") ?? 0
        guard times < mostTimes else { return .fickle }
        guard need.place.isHome else { return nil }
        let known: (isConfirmed: Bool, since: Instant)? = try tx.first(
            "SELECT confirmed_at IS NOT NULL, created_at FROM account WHERE id = \(account)"
        ) { (try $0.next(), try $0.next()) }
        guard let known, known.isConfirmed else { return .unconfirmed }
        return known.since > tx.now - Need.acquaintance ? .newcomer : nil
    }

    /// Records the author's answer to a helper who would come to their home.
    ///
    /// - Throws: `Refusal.notFound` if there is no request to them; `Refusal.tooLateToAnswer`.
    static func answer(_ id: ID<Claim>, yes: Bool, by author: ID<Account>, in tx: Transaction) throws -> ID<Need> {
        let (claim, need) = try both(id, in: tx)
        guard need.author.account == author else { throw Refusal.notFound }
        guard claim.state == .asked else {
            // If it was pressed twice, the answer is recorded already.
            guard yes ? claim.state != .ended : claim.state == .ended else { throw Refusal.overtaken(need.link) }
            return need.id
        }
        guard claim.endsAt > tx.now, need.isOpen(at: tx.now) else { throw Refusal.tooLateToAnswer }
        if yes {
            try tx.execute("UPDATE claim SET state = 'taken', ends_at = \(tx.now + .days(need.days)) WHERE id = \(id)")
            try TalkThread.open(id, by: claim.helper.account, in: tx)
            try NeedNews.settleDone(need.id, in: tx)
        } else {
            try end(claim, of: need, in: tx)
            try Undo.keepEnd(of: claim, by: author, in: tx)
        }
        try NeedNews(yes ? .accepted : .declined, need.id, need.title).tell(claim.helper.account, in: tx)
        return need.id
    }

    /// Confirms for the helper or the author that it was brought; once both have, it counts.
    ///
    /// - Returns: The need, and whether it is done now.
    static func done(
        _ id: ID<Claim>, by account: ID<Account>, on day: Day, in tx: Transaction
    ) throws -> (need: ID<Need>, isDone: Bool) {
        let (claim, need) = try both(id, in: tx)
        switch account {
        case claim.helper.account:
            guard claim.state == .taken else {
                guard claim.state == .brought || claim.state == .done else { throw Refusal.overtaken(need.link) }
                return (need.id, claim.state == .done)
            }
            try tx.execute("UPDATE claim SET state = 'brought', brought_at = \(tx.now) WHERE id = \(id)")
            try NeedNews.settleDone(need.id, in: tx)
            try NeedNews(.brought, need.id, need.title).tell(need.author.account, in: tx)
            return (need.id, false)
        case need.author.account:
            guard claim.state == .taken || claim.state == .brought else {
                guard claim.state == .done else { throw Refusal.overtaken(need.link) }
                return (need.id, true)
            }
            try tx.execute("UPDATE claim SET state = 'done', over_at = \(tx.now) WHERE id = \(id)")
            try Need.ledger.giveBack(
                "\(claim.count)", where: "id = \(need.id)", also: ", brought = brought + \(claim.count)", in: tx)
            try MonthTotal.needs.add(1, to: nil, on: day, in: tx)
            try claim.credit(on: day, in: tx)
            try NeedNews.settleDone(need.id, in: tx)
            try NeedNews(.thanked, need.id, need.title).tell(claim.helper.account, in: tx)
            if need.brought + claim.count >= need.wanted { try Need.close(need.id, in: tx) }
            return (need.id, true)
        default: throw Refusal.notFound
        }
    }

    /// Corrects a helper's mistaken confirmation: the promise is open again.
    ///
    /// - Throws: `Refusal.notFound` if it isn't theirs; `Refusal.overtaken` if the author has answered.
    static func notYet(_ id: ID<Claim>, by helper: ID<Account>, in tx: Transaction) throws -> ID<Need> {
        let (claim, need) = try both(id, in: tx)
        guard claim.helper.account == helper else { throw Refusal.notFound }
        guard claim.state == .brought else {
            // If it was pressed twice, the promise is open already.
            guard claim.state == .taken else { throw Refusal.overtaken(need.link) }
            return need.id
        }
        let said: Instant? = try tx.value("SELECT brought_at FROM claim WHERE id = \(id)")
        // A promise that expired meanwhile gets two more days.
        try tx.execute(
            """
            UPDATE claim SET state = 'taken', brought_at = NULL, ends_at = \(max(claim.endsAt, tx.now + .days(2)))
            WHERE id = \(id)
            """)
        try NeedNews(.notYet, need.id, need.title).tell(
            takingBack: NeedNews(.brought, need.id, need.title), of: said ?? tx.now,
            "account.id = \(need.author.account)", in: tx)
        try NeedNews.settleDone(need.id, in: tx)
        return need.id
    }

    /// Its deed in the ledger.
    private static func entry(of id: ID<Claim>, on day: Day) -> Deed.Entry {
        Deed.Entry(act: .need, day: day, once: "claim-\(id)")
    }

    private func credit(on day: Day, in tx: Transaction) throws {
        try Deed.record(Self.entry(of: id, on: day), by: helper.account, in: tx)
    }

    /// Counts a deed again that its helper had undone.
    ///
    /// - Throws: `Refusal.notFound` if it isn't theirs or isn't done.
    static func creditAgain(
        _ id: ID<Claim>, by account: ID<Account>, on day: Day, in tx: Transaction
    ) throws -> ID<Need> {
        guard let claim = try find(id, in: tx), claim.helper.account == account, claim.state == .done else {
            throw Refusal.notFound
        }
        try claim.credit(on: day, in: tx)
        return claim.need
    }

    /// The need for which a deed was recorded, for its helper.
    static func need(of deed: ID<Deed>, by account: ID<Account>, in db: Connection) throws -> ID<Need>? {
        let once: String? = try db.value(
            "SELECT once FROM deed WHERE id = \(deed) AND account_id = \(account) AND act = \(KindAct.need.id)")
        guard let once, once.hasPrefix("claim-"), let id = ID<Claim>(String(once.dropFirst(6))) else { return nil }
        return try find(id, in: db)?.need
    }

    /// The member's latest kept promise for a need.
    static func given(by account: ID<Account>, to need: ID<Need>, in tx: Transaction) throws -> NeedPage.Given? {
        let last: (id: ID<Claim>, count: Int)? = try tx.first(
            """
            SELECT id, count FROM claim WHERE need_id = \(need) AND account_id = \(account) AND state = 'done'
            ORDER BY id DESC LIMIT 1
            """
        ) { (try $0.next(), try $0.next()) }
        guard let last else { return nil }
        let deed: Deed? = try tx.first(
            """
            SELECT \(Deed.columns) FROM deed WHERE account_id = \(account) AND act = \(KindAct.need.id)
                AND once = \("claim-\(last.id)")
            """)
        return NeedPage.Given(
            claim: last.id, count: last.count, deed: deed?.id, isUndoable: deed?.isUndoable(at: tx.now) ?? false)
    }

    /// Ends a promise, at the wish of the helper or the author.
    ///
    /// - Throws: `Refusal.notFound`; `Refusal.overtaken` once it is done, and for the helper once they said so.
    static func cancel(_ id: ID<Claim>, by account: ID<Account>, in tx: Transaction) throws -> ID<Need> {
        let (claim, need) = try both(id, in: tx)
        guard claim.helper.account == account || need.author.account == account else { throw Refusal.notFound }
        guard claim.isLive else {
            guard claim.state == .ended else { throw Refusal.overtaken(need.link) }
            return need.id
        }
        // A page from before still offers to take back what the helper reported as brought since.
        if claim.state == .brought, claim.helper.account == account { throw Refusal.overtaken(need.link) }
        try end(claim, of: need, in: tx)
        try Undo.keepEnd(of: claim, by: account, in: tx)
        let isHelper = claim.helper.account == account
        try news(ofEnd: claim.state, isHelper, need).tell(isHelper ? need.author.account : claim.helper.account, in: tx)
        return need.id
    }

    /// The news for the other person if the helper or the author ends a promise.
    private static func news(ofEnd state: State, _ isHelper: Bool, _ need: Need) -> NeedNews {
        // For something reported as brought that didn't arrive, it doesn't matter whether it is still needed.
        NeedNews(isHelper ? .dropped : state == .brought ? .missed : .declined, need.id, need.title)
    }

    /// Restores a promise that one of the two ended by mistake; the other is notified.
    ///
    /// - Returns: Whether it was restored: it is still needed, and nobody else promised it.
    static func holdAgain(
        _ id: ID<Claim>, as state: State, endedAt: Instant, by account: ID<Account>, in tx: Transaction
    ) throws -> Bool {
        let (claim, need) = try both(id, in: tx)
        let (helper, author) = (claim.helper.account, need.author.account)
        guard helper == account || author == account else { throw Refusal.notFound }
        guard need.isOpen(at: tx.now), claim.endsAt > tx.now || state == .brought,
            try !Block.stands(between: helper, and: author, in: tx),
            // A later refusal counts, and so does a suspension.
            try !tx.exists("SELECT 1 FROM claim WHERE need_id = \(need.id) AND account_id = \(helper) AND id > \(id)"),
            try tx.exists("SELECT 1 FROM account WHERE id = \(helper) AND suspended_at IS NULL AND left_at IS NULL")
        else { return false }
        let count = try tx.execute(
            "UPDATE claim SET state = \(state), over_at = NULL WHERE id = \(id) AND state = 'ended'")
        guard count == 1 else { return false }
        guard try Need.ledger.take("\(claim.count)", where: "id = \(need.id) AND listed", in: tx) else { return false }
        try NeedNews(.resumed, need.id, need.title).tell(
            takingBack: news(ofEnd: state, helper == account, need), of: endedAt,
            "account.id = \(helper == account ? author : helper)", in: tx)
        return true
    }

    /// Restores the promises and offers that were all ended at one time, as far as they are still needed.
    static func holdAllAgain(of account: ID<Account>, endedAt: Instant, in tx: Transaction) throws {
        // An offer that waited for a yes ended at another time: see `end`.
        let asked = endedAt - TalkThread.afterwards
        let ended: [(id: ID<Claim>, wasAsked: Bool)] = try tx.all(
            """
            SELECT id, over_at = \(asked) FROM claim
            WHERE account_id = \(account) AND state = 'ended' AND over_at IN (\(endedAt), \(asked))
            ORDER BY id LIMIT 1000
            """
        ) { (try $0.next(), try $0.next()) }
        for (id, wasAsked) in ended {
            // Each looks anew: the one before may have taken the last.
            let isWanted = try tx.exists(
                """
                SELECT 1 FROM claim JOIN need ON need.id = claim.need_id AND need.listed
                WHERE claim.id = \(id) AND need.promised + need.brought + claim.count <= need.wanted
                """)
            guard isWanted else { continue }
            _ = try holdAgain(id, as: wasAsked ? .asked : .taken, endedAt: endedAt, by: account, in: tx)
        }
    }

    /// Ends a current promise, so that others can take it. If it waited for approval, a conversation from before the
    /// need moved to a home is closed, too.
    static func end(_ claim: Claim, of need: Need, in tx: Transaction) throws {
        let over = claim.state == .asked ? tx.now - TalkThread.afterwards : tx.now
        let count = try tx.execute(
            """
            UPDATE claim SET state = 'ended', over_at = \(over)
            WHERE id = \(claim.id) AND state IN ('asked', 'taken', 'brought')
            """)
        guard count == 1 else { return }
        try Need.ledger.giveBack("\(claim.count)", where: "id = \(need.id)", in: tx)
        try NeedNews.settleDone(need.id, in: tx)
    }

    /// A condition on `account`: they have a promise of a need in one of these states.
    static func helpers(of need: ID<Need>, states: SQL) -> SQL {
        """
        account.id IN (SELECT claim.account_id FROM claim
            WHERE claim.need_id = \(need) AND claim.state IN (\(states)))
        """
    }

    /// Ends all promises and offers of a member who can't keep them.
    static func endAll(of account: ID<Account>, in tx: Transaction) throws {
        for claim in try live(of: account, in: tx) where claim.state != .brought {
            _ = try cancel(claim.id, by: account, in: tx)
        }
    }

    /// Ends the promises between two people after a block; neither is told.
    static func part(_ one: ID<Account>, from other: ID<Account>, in tx: Transaction) throws {
        for (helper, author) in [(one, other), (other, one)] {
            for claim in try live(of: helper, in: tx) {
                guard let need = try Need.find(claim.need, in: tx), need.author.account == author else { continue }
                try end(claim, of: need, in: tx)
            }
        }
    }

    /// Ends expired promises.
    ///
    /// - Returns: The number ended.
    static func lapse(in tx: Transaction) throws -> Int {
        let due: [ID<Claim>] = try tx.all(
            """
            SELECT id FROM claim WHERE state IN ('asked', 'taken') AND ends_at <= \(tx.now) ORDER BY ends_at LIMIT 200
            """
        ) { try $0.next() }
        for id in due {
            let (claim, need) = try both(id, in: tx)
            let wasAsked = claim.state == .asked
            try end(claim, of: need, in: tx)
            try NeedNews(wasAsked ? .unanswered : .lapsed, need.id, need.title).tell(claim.helper.account, in: tx)
            try NeedNews(wasAsked ? .overlooked : .lapsedThere, need.id, need.title).tell(need.author.account, in: tx)
        }
        return try due.count + remindOfEnd(in: tx)
    }

    /// Reminds authors once of each person who waits for their approval.
    ///
    /// - Returns: The number of reminders.
    static func remind(in tx: Transaction) throws -> Int {
        let due: [ID<Claim>] = try tx.all(
            """
            SELECT id FROM claim \(indexedBy: "claim_asked") WHERE state = 'asked' AND reminded_at IS NULL
                AND (made_at <= \(tx.now - YesReminder.patience) OR ends_at <= \(tx.now + YesReminder.lead)
                    AND made_at <= \(tx.now - YesReminder.least))
            LIMIT 200
            """
        ) { try $0.next() }
        for id in due {
            let (_, need) = try both(id, in: tx)
            try tx.execute("UPDATE claim SET reminded_at = \(tx.now) WHERE id = \(id)")
            try NeedNews(.waits, need.id, need.title).tell(need.author.account, in: tx)
        }
        return due.count
    }

    /// Tells the helper and the author a day before a promise expires, except for promises of a single day.
    private static func remindOfEnd(in tx: Transaction) throws -> Int {
        let due: [(id: ID<Claim>, isShort: Bool)] = try tx.all(
            """
            SELECT id, ends_at - made_at <= \(Duration.days(1).wholeMilliseconds) FROM claim
            WHERE state = 'taken' AND NOT is_reminded AND ends_at <= \(tx.now + .days(1)) ORDER BY ends_at LIMIT 200
            """
        ) { (try $0.next(), try $0.next()) }
        for (id, isShort) in due {
            try tx.execute("UPDATE claim SET is_reminded = TRUE WHERE id = \(id)")
            guard !isShort else { continue }
            let (claim, need) = try both(id, in: tx)
            try NeedNews(.ending, need.id, need.title).tell(claim.helper.account, in: tx)
            try NeedNews(.endingThere, need.id, need.title).tell(need.author.account, in: tx)
        }
        return due.count
    }

    private static func both(_ id: ID<Claim>, in db: Connection) throws -> (Claim, Need) {
        guard let claim = try find(id, in: db), let need = try Need.find(claim.need, in: db) else {
            throw Refusal.notFound
        }
        return (claim, need)
    }
}

extension NeedNews {
    /// Records what nobody waits for anymore at a need, after promises of it changed.
    static func settleDone(_ need: ID<Need>, in tx: Transaction) throws {
        let here: SQL = "need_id = \(need)"
        if try !tx.exists("SELECT 1 FROM claim WHERE \(here) AND state = 'asked'") {
            try settle([.asked, .waits], need, in: tx)
        }
        if try !tx.exists("SELECT 1 FROM claim WHERE \(here) AND state = 'brought'") {
            try settle([.brought], need, in: tx)
        }
        let ending: SQL = "SELECT 1 FROM claim WHERE \(here) AND state = 'taken' AND is_reminded"
        if try !tx.exists(ending) { try settle([.endingThere], need, in: tx) }
        try settle([.ending], need, where: "NOT EXISTS (\(ending) AND claim.account_id = notice.account_id)", in: tx)
    }
}

extension Undo {
    /// Stores that a promise to a neighbor was ended.
    fileprivate static func keepEnd(of claim: Claim, by account: ID<Account>, in tx: Transaction) throws {
        try keep(
            .claim, claim.need.rawValue, "",
            [("row", "\(claim.id)"), ("state", claim.state.rawValue), ("at", text(of: tx.now))]
                + (claim.helper.account == account ? [(ownMark, "1")] : []), of: account, in: tx)
    }
}
