import Database

extension Meeting.State: SQLValue {}
extension Meeting.Again: SQLValue {}

extension Meeting: RowDecodable {
    static let columns: Columns = [
        "meeting.id", "meeting.match_id", "meeting.account_id", "meeting.other_account_id", "meeting.place",
        "meeting.time_1", "meeting.time_2", "meeting.time_3", "meeting.state", "meeting.starts_at", "meeting.reason",
        "meeting.again", "meeting.other_again", "meeting.lapsed",
    ]

    init(row: inout Row) throws {
        let (id, match, account): (ID<Meeting>, ID<PetMatch>, ID<Account>) =
            (try row.next(), try row.next(), try row.next())
        let (other, place): (ID<Account>, String) = (try row.next(), try row.next())
        let times: [Instant?] = [try row.next(), try row.next(), try row.next()]
        self.init(
            id: id, match: match, account: account, other: other, place: place, times: times.compactMap(\.self),
            state: try row.next(), startsAt: try row.next(), reason: try row.next(), again: try row.next(),
            otherAgain: try row.next(), isLapsed: try row.next())
    }
}

extension Meeting {
    /// A match's latest meetings, newest first.
    static func all(in match: ID<PetMatch>, db: Connection) throws -> [Meeting] {
        try db.all("SELECT \(columns) FROM meeting WHERE match_id = \(match) ORDER BY id DESC LIMIT 5")
    }

    /// A meeting of an account, in an existing match.
    static func find(_ id: ID<Meeting>, of account: ID<Account>, in db: Connection) throws -> Meeting? {
        let meeting: Meeting? = try db.first("SELECT \(columns) FROM meeting WHERE id = \(id)")
        guard let meeting, try PetMatch.other(in: meeting.match, of: account, db) != nil else { return nil }
        return meeting
    }

    /// Places of an account's earlier meetings, to choose from.
    static func places(of account: ID<Account>, in db: Connection) throws -> [String] {
        let found: [String] = try db.all(
            """
            SELECT place FROM meeting WHERE account_id = \(account) AND state = 'agreed'
            ORDER BY starts_at DESC LIMIT 10
            """
        ) { try $0.next() }
        return Array(Set(found)).sorted()
    }

    /// Proposes times and a place, only once if the form is sent repeatedly.
    ///
    /// - Parameter changed: The agreed meeting that this one replaces, and the reason.
    /// - Returns: Whether it was new.
    /// - Throws: `Refusal.notFound`; `IsOpen`; `HasChanged`.
    @discardableResult static func propose(
        _ place: String, _ times: [Instant], insteadOf changed: (meeting: Meeting, why: String)? = nil,
        in match: ID<PetMatch>, by account: ID<Account>, once: String, tx: Transaction
    ) throws -> Bool {
        guard let other = try PetMatch.other(in: match, of: account, tx), let first = times.first else {
            throw Refusal.notFound
        }
        if try tx.exists("SELECT 1 FROM meeting WHERE account_id = \(account) AND once = \(once)") { return false }
        if let (meeting, why) = changed {
            guard let current = try find(meeting.id, of: account, in: tx), current.state == .agreed,
                current.canCancel(at: tx.now)
            else { throw HasChanged() }
            try end(meeting.id, .canceled, reason: why, in: tx)
        }
        if try all(in: match, db: tx).contains(where: { $0.isOpen(at: tx.now) }) { throw IsOpen() }
        let isChange = changed != nil
        let last = times.max() ?? first
        try tx.execute(
            """
            INSERT INTO meeting (match_id, account_id, other_account_id, place, time_1, time_2, time_3, state, once,
                created_at, due_at)
            VALUES (\(match), \(account), \(other), \(place), \(first), \(times.dropFirst().first),
                \(times.dropFirst(2).first), 'proposed', \(once), \(tx.now),
                \(YesReminder.due(askedAt: tx.now, endsAt: last) ?? last))
            """)
        let words = isChange ? PlaydateNews.changed : State.proposed.rawValue
        try tell(words, match, by: account, to: other, in: tx)
        return true
    }

    /// Accepts one of the times, or none.
    ///
    /// - Throws: `Refusal.notFound` for a member who wasn't asked; `HasChanged`.
    static func answer(
        _ id: ID<Meeting>, taking time: Int?, by account: ID<Account>, in zone: Zone, tx: Transaction
    ) throws {
        guard let meeting = try find(id, of: account, in: tx), meeting.other == account else { throw Refusal.notFound }
        guard meeting.state == .proposed else { throw HasChanged() }
        let chosen = time.flatMap { meeting.times.indices.contains($0) ? meeting.times[$0] : nil }
        if time != nil, chosen.map({ $0 <= tx.now }) ?? true { throw HasChanged() }
        if let chosen {
            let due = next(for: chosen, after: tx.now, in: zone)?.due
            try tx.execute(
                """
                UPDATE meeting SET state = 'agreed', starts_at = \(chosen), due_at = \(due), zone = \(zone.identifier)
                WHERE id = \(id)
                """)
            try settleProposal(id, in: tx)
        } else {
            try end(id, .declined, reason: "", in: tx)
        }
        let state: State = chosen == nil ? .declined : .agreed
        try tell(state.rawValue, meeting.match, by: account, to: meeting.account, on: chosen.map(zone.day(of:)), in: tx)
    }

    private static func end(_ id: ID<Meeting>, _ state: State, reason: String, in tx: Transaction) throws {
        try tx.execute("UPDATE meeting SET state = \(state), reason = \(reason), due_at = NULL WHERE id = \(id)")
        try settleProposal(id, in: tx)
    }

    /// Records that nobody has to answer a proposal anymore; a match has one at a time.
    private static func settleProposal(_ id: ID<Meeting>, in tx: Transaction) throws {
        guard let match: ID<PetMatch> = try tx.value("SELECT match_id FROM meeting WHERE id = \(id)") else { return }
        for what in [State.proposed.rawValue, PlaydateNews.changed, PlaydateNews.waits] {
            try Notice.settle(.met, what, about: match.rawValue, in: tx)
        }
    }

    /// Cancels a meeting, with a reason.
    ///
    /// - Throws: `Refusal.notFound`; `HasChanged`.
    static func callOff(
        _ id: ID<Meeting>, reason: String, by account: ID<Account>, in zone: Zone, tx: Transaction
    ) throws {
        guard let meeting = try find(id, of: account, in: tx) else { throw Refusal.notFound }
        guard meeting.canCancel(at: tx.now) else { throw HasChanged() }
        try end(id, .canceled, reason: reason, in: tx)
        let other = meeting.account == account ? meeting.other : meeting.account
        try tell(
            State.canceled.rawValue, meeting.match, by: account, to: other,
            on: meeting.startsAt.map(zone.day(of:)), in: tx)
    }

    /// A meeting that was open when its match ended, with the data to restore it.
    struct Ended: Sendable {
        let id: ID<Meeting>
        let state: State
        /// When the next reminder was due.
        let due: Instant?

        /// An open meeting; nil if it isn't open.
        static func find(_ id: ID<Meeting>, in db: Connection) throws -> Ended? {
            try db.first(
                "SELECT id, state, due_at FROM meeting WHERE id = \(id) AND state IN ('proposed', 'agreed')"
            ) { Ended(id: try $0.next(), state: try $0.next(), due: try $0.next()) }
        }

        /// The format for undoing.
        var text: String { "\(id) \(state.rawValue) \(due?.milliseconds ?? 0)" }

        init(id: ID<Meeting>, state: State, due: Instant?) {
            self.id = id
            self.state = state
            self.due = due
        }

        init?(_ text: String) {
            let parts = text.split(separator: " ").map(String.init)
            guard parts.count == 3, let id = ID<Meeting>(parts[0]), let state = State(rawValue: parts[1]),
                let due = Int64(parts[2])
            else { return nil }
            self.init(id: id, state: state, due: due > 0 ? Instant(milliseconds: due) : nil)
        }
    }

    /// Restores a recently canceled meeting, and notifies the other person.
    ///
    /// - Returns: Whether it was restored: its time is in the future, there is no other open meeting, and the match
    ///   exists.
    static func reinstate(
        _ meeting: Ended, in match: ID<PetMatch>, by account: ID<Account>, tx: Transaction
    ) throws -> Bool {
        guard let other = try PetMatch.other(in: match, of: account, tx),
            try !all(in: match, db: tx).contains(where: { $0.isOpen(at: tx.now) }),
            try resume(meeting, by: account, in: tx)
        else { return false }
        if meeting.state == .agreed {
            try TalkNews.note(.match(match), in: tx)
        } else {
            try tell(PlaydateNews.resumed, match, by: account, to: other, in: tx)
        }
        return true
    }

    /// Cancels the open meetings of a match that has ended; a person who would wait in vain is told only that it is
    /// canceled.
    @discardableResult static func end(
        in match: ID<PetMatch>, by account: ID<Account>, tx: Transaction
    ) throws -> [Ended] {
        let open: [Ended] = try tx.all(
            """
            SELECT id, state, due_at FROM meeting WHERE match_id = \(match) AND state IN ('proposed', 'agreed')
            ORDER BY id LIMIT 20
            """
        ) { Ended(id: try $0.next(), state: try $0.next(), due: try $0.next()) }
        for one in open {
            try end(one.id, .canceled, reason: "", in: tx)
            if one.state == .agreed { try tell(PlaydateNews.ended, of: one.id, by: account, in: tx) }
        }
        return open
    }

    /// Restores a meeting if it is in the future.
    ///
    /// - Parameter ended: When its match ended, if the meeting is restored with it.
    @discardableResult static func resume(
        _ meeting: Ended, endedAt ended: Instant? = nil, by account: ID<Account>, in tx: Transaction
    ) throws -> Bool {
        let count = try tx.execute(
            """
            UPDATE meeting SET state = \(meeting.state), due_at = \(meeting.due), reason = ''
            WHERE id = \(meeting.id) AND state = 'canceled'
                AND (starts_at > \(tx.now)
                    OR starts_at IS NULL AND (time_1 > \(tx.now) OR time_2 > \(tx.now) OR time_3 > \(tx.now)))
            """)
        if count == 1, meeting.state == .agreed {
            try tell(PlaydateNews.resumed, of: meeting.id, endedAt: ended, by: account, in: tx)
        }
        return count == 1
    }

    /// Notifies the other person that a meeting is canceled or restored, with its time.
    ///
    /// - Parameter ended: When it was canceled, if it is restored.
    private static func tell(
        _ what: String, of id: ID<Meeting>, endedAt ended: Instant? = nil, by account: ID<Account>, in tx: Transaction
    ) throws {
        guard let meeting: Meeting = try tx.first("SELECT \(columns) FROM meeting WHERE id = \(id)"),
            let start = meeting.startsAt, start > tx.now,
            let zone: String = try tx.value("SELECT zone FROM meeting WHERE id = \(id)")
        else { return }
        let other = meeting.account == account ? meeting.other : meeting.account
        let pet = try PetMatch.pet(of: account, in: meeting.match, tx)?.name ?? ""
        func news(_ what: String) -> Notice.News {
            Notice.News(
                kind: .met, detail: PlaydateNews.detail(what, of: pet, at: start, in: Zone(identifier: zone)),
                subject: meeting.match.rawValue)
        }
        guard let ended else { return try Notice.tell(news(what), "account.id = \(other)", in: tx) }
        try Notice.tell(news(what), takingBack: news(PlaydateNews.ended), of: ended, "account.id = \(other)", in: tx)
    }

    /// Stores how it was.
    ///
    /// - Returns: After a problem the other pet, to be reported to staff.
    static func answer(
        _ id: ID<Meeting>, _ form: AfterForm, by account: ID<Account>, in tx: Transaction
    ) throws -> Exhibit? {
        guard let meeting = try find(id, of: account, in: tx), meeting.asks(account, at: tx.now) else {
            throw Refusal.notFound
        }
        if meeting.account == account {
            try tx.execute("UPDATE meeting SET again = \(form.again) WHERE id = \(id)")
        } else {
            try tx.execute("UPDATE meeting SET other_again = \(form.again) WHERE id = \(id)")
        }
        try Notice.settle(
            .met, Call.after.rawValue, about: meeting.match.rawValue, where: "notice.account_id = \(account)", in: tx)
        guard form.again == .wrong else { return nil }
        return try PetMatch.find(meeting.match, of: account, in: tx).flatMap { try Pet.exhibit($0.other.id, in: tx) }
    }

    /// Notifies one of the two of what the other did.
    ///
    /// - Parameter day: The day of the meeting, or the day it would have been.
    private static func tell(
        _ what: String, _ match: ID<PetMatch>, by account: ID<Account>, to other: ID<Account>, on day: Day? = nil,
        in tx: Transaction
    ) throws {
        try tx.execute("UPDATE match_side SET last_at = \(tx.now) WHERE match_id = \(match)")
        try TalkNews.note(.match(match), in: tx)
        let name = try PetMatch.pet(of: account, in: match, tx)?.name ?? ""
        let detail = "\(what)\u{1F}\(name)" + (day.map { "\u{1F}\($0.iso)" } ?? "")
        let news = Notice.News(kind: .met, detail: detail, subject: match.rawValue)
        try Notice.tell(news, "account.id = \(other)", in: tx)
    }

    /// Tells those who would come that nobody else will: a pet or its owner has left, and no name is stored.
    static func callOff(_ waiting: [(account: ID<Account>, match: ID<PetMatch>)], in tx: Transaction) throws {
        for (account, match) in waiting {
            let news = Notice.News(kind: .met, detail: "\(State.canceled.rawValue)\u{1F}", subject: match.rawValue)
            try Notice.tell(news, "account.id = \(account)", in: tx)
        }
    }

    // MARK: Reminders

    /// Reminds both people the day before and two hours before, and asks them two hours afterwards how it was; each
    /// once, even after an interruption, on the channels they chose.
    ///
    /// - Returns: The number of meetings.
    static func call(in zone: Zone, tx: Transaction) throws -> Int {
        let due: [Meeting] = try tx.all(
            "SELECT \(columns) FROM meeting WHERE due_at <= \(tx.now) ORDER BY due_at LIMIT 200")
        for meeting in due where meeting.state == .proposed { try urge(meeting, in: tx) }
        for meeting in due where meeting.state != .proposed {
            let following = meeting.startsAt.flatMap { next(for: $0, after: tx.now, in: zone)?.due }
            try tx.execute("UPDATE meeting SET due_at = \(following) WHERE id = \(meeting.id)")
            guard let start = meeting.startsAt, let call = Self.call(for: start, at: tx.now, in: zone) else { continue }
            for (account, other) in [(meeting.account, meeting.other), (meeting.other, meeting.account)] {
                guard try PetMatch.other(in: meeting.match, of: account, tx) != nil,
                    let pet = try PetMatch.pet(of: other, in: meeting.match, tx),
                    call != .after || meeting.asks(account, at: tx.now)
                else { continue }
                var news = Notice.News(
                    kind: call == .after ? .met : .meeting, detail: "\(call.rawValue)\u{1F}\(pet.name)",
                    subject: meeting.match.rawValue)
                if call != .after { news.endsAt = start }
                try Notice.tell(news, "account.id = \(account)", in: tx)
            }
        }
        return due.count
    }

    /// Reminds a person of a proposal; once all times are over, the proposer is told that there was no answer.
    private static func urge(_ meeting: Meeting, in tx: Transaction) throws {
        let isOver = meeting.lastTime <= tx.now
        if isOver {
            try tx.execute(
                "UPDATE meeting SET state = 'declined', lapsed = TRUE, due_at = NULL WHERE id = \(meeting.id)")
            try settleProposal(meeting.id, in: tx)
        } else {
            try tx.execute("UPDATE meeting SET due_at = \(meeting.lastTime) WHERE id = \(meeting.id)")
        }
        // If it was long ago, nobody waits for the answer.
        guard meeting.lastTime > tx.now - .days(1) else { return }
        let (reader, other) = isOver ? (meeting.account, meeting.other) : (meeting.other, meeting.account)
        guard try PetMatch.other(in: meeting.match, of: reader, tx) != nil,
            let pet = try PetMatch.pet(of: other, in: meeting.match, tx)
        else { return }
        let what = isOver ? PlaydateNews.unanswered : PlaydateNews.waits
        let news = Notice.News(
            kind: .met, detail: "\(what)\u{1F}\(pet.name)", subject: meeting.match.rawValue)
        try Notice.tell(news, "account.id = \(reader)", in: tx)
    }

    // MARK: The week

    /// An account's meetings that begin in a period, and those they will be asked about afterwards.
    static func lines(
        of account: ID<Account>, from first: Instant, to last: Instant, in db: Connection
    ) throws -> [MeetingLine] {
        // There is an index in this order for each side.
        func side(_ column: SQL) -> SQL {
            """
            SELECT \(columns) FROM meeting
            WHERE \(column) = \(account) AND state = 'agreed' AND starts_at >= \(first) AND starts_at < \(last)
            """
        }
        let meetings: [Meeting] = try db.all(
            """
            \(side("account_id")) UNION ALL \(side("other_account_id"))
            ORDER BY starts_at, id LIMIT 100
            """)
        let matches = try PetMatch.all(meetings.map(\.match), of: account, in: db)
        return meetings.compactMap { meeting in
            matches[meeting.match].map { MeetingLine(meeting: meeting, match: $0, account: account) }
        }
    }
}
