import Database

extension Meeting.State: SQLValue {}
extension Meeting.Again: SQLValue {}

extension Meeting: RowDecodable {
    static let columns: Columns = [
        "meeting.id", "meeting.match_id", "meeting.account_id", "meeting.other_account_id", "meeting.place",
        "meeting.time_1", "meeting.time_2", "meeting.time_3", "meeting.state", "meeting.starts_at", "meeting.reason",
        "meeting.again", "meeting.other_again",
    ]

    init(row: inout Row) throws {
        let (id, match, account): (ID<Meeting>, ID<PetMatch>, ID<Account>) =
            (try row.next(), try row.next(), try row.next())
        let (other, place): (ID<Account>, String) = (try row.next(), try row.next())
        let times: [Instant?] = [try row.next(), try row.next(), try row.next()]
        self.init(
            id: id, match: match, account: account, other: other, place: place, times: times.compactMap(\.self),
            state: try row.next(), startsAt: try row.next(), reason: try row.next(), again: try row.next(),
            otherAgain: try row.next())
    }
}

extension Meeting {
    /// The last few of a match, the newest first.
    static func all(in match: ID<PetMatch>, db: Connection) throws -> [Meeting] {
        try db.all("SELECT \(columns) FROM meeting WHERE match_id = \(match) ORDER BY id DESC LIMIT 5")
    }

    /// One that somebody takes part in, in a match that is there.
    static func find(_ id: ID<Meeting>, of account: ID<Account>, in db: Connection) throws -> Meeting? {
        let meeting: Meeting? = try db.first("SELECT \(columns) FROM meeting WHERE id = \(id)")
        guard let meeting, try PetMatch.other(in: meeting.match, of: account, db) != nil else { return nil }
        return meeting
    }

    /// Places where somebody met already, to choose from.
    static func places(of account: ID<Account>, in db: Connection) throws -> [String] {
        let found: [String] = try db.all(
            """
            SELECT place FROM meeting WHERE account_id = \(account) AND state = 'agreed'
            ORDER BY starts_at DESC LIMIT 10
            """
        ) { try $0.next() }
        return Array(Set(found)).sorted()
    }

    /// Proposes times and a place, once however often the form is sent.
    ///
    /// - Parameter changed: The meeting that was agreed and doesn’t take place then, and why.
    /// - Throws: `Refusal.notFound`; `IsOpen`; `HasChanged`.
    static func propose(
        _ place: String, _ times: [Instant], insteadOf changed: (meeting: Meeting, why: String)? = nil,
        in match: ID<PetMatch>, by account: ID<Account>, once: String, at now: Instant, db: Connection
    ) throws {
        guard let other = try PetMatch.other(in: match, of: account, db), let first = times.first else {
            throw Refusal.notFound
        }
        if try db.exists("SELECT 1 FROM meeting WHERE account_id = \(account) AND once = \(once)") { return }
        if let (meeting, why) = changed {
            guard let current = try find(meeting.id, of: account, in: db), current.state == .agreed,
                current.canCancel(at: now)
            else { throw HasChanged() }
            try end(meeting.id, .canceled, reason: why, in: db)
        }
        if try all(in: match, db: db).contains(where: { $0.isOpen(at: now) }) { throw IsOpen() }
        let isChange = changed != nil
        try db.execute(
            """
            INSERT INTO meeting (match_id, account_id, other_account_id, place, time_1, time_2, time_3, state, once,
                created_at)
            VALUES (\(match), \(account), \(other), \(place), \(first), \(times.dropFirst().first),
                \(times.dropFirst(2).first), 'proposed', \(once), \(now))
            """)
        let words = isChange ? PlaydateNews.changed : State.proposed.rawValue
        try tell(words, match, by: account, to: other, at: now, in: db)
    }

    /// Takes one of the times, or none of them.
    ///
    /// - Throws: `Refusal.notFound` for whoever isn't asked; `HasChanged`.
    static func answer(
        _ id: ID<Meeting>, taking time: Int?, by account: ID<Account>, at now: Instant, in zone: Zone, db: Connection
    ) throws {
        guard let meeting = try find(id, of: account, in: db), meeting.other == account else { throw Refusal.notFound }
        guard meeting.state == .proposed else { throw HasChanged() }
        let chosen = time.flatMap { meeting.times.indices.contains($0) ? meeting.times[$0] : nil }
        if time != nil, chosen.map({ $0 <= now }) ?? true { throw HasChanged() }
        if let chosen {
            let due = next(for: chosen, after: now, in: zone)?.due
            try db.execute(
                "UPDATE meeting SET state = 'agreed', starts_at = \(chosen), due_at = \(due) WHERE id = \(id)")
        } else {
            try end(id, .declined, reason: "", in: db)
        }
        let state: State = chosen == nil ? .declined : .agreed
        try tell(state.rawValue, meeting.match, by: account, to: meeting.account, at: now, in: db)
    }

    private static func end(_ id: ID<Meeting>, _ state: State, reason: String, in db: Connection) throws {
        try db.execute("UPDATE meeting SET state = \(state), reason = \(reason), due_at = NULL WHERE id = \(id)")
    }

    /// Calls it off, with a reason.
    ///
    /// - Throws: `Refusal.notFound`; `HasChanged`.
    static func callOff(
        _ id: ID<Meeting>, reason: String, by account: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        guard let meeting = try find(id, of: account, in: db) else { throw Refusal.notFound }
        guard meeting.canCancel(at: now) else { throw HasChanged() }
        try end(id, .canceled, reason: reason, in: db)
        let other = meeting.account == account ? meeting.other : meeting.account
        try tell(State.canceled.rawValue, meeting.match, by: account, to: other, at: now, in: db)
    }

    /// Notes how it was; what was wrong goes to those who run the site.
    static func answer(
        _ id: ID<Meeting>, _ form: AfterForm, by account: ID<Account>, once: String, at now: Instant,
        in db: Connection
    ) throws {
        guard let meeting = try find(id, of: account, in: db), meeting.asks(account, at: now) else {
            throw Refusal.notFound
        }
        if meeting.account == account {
            try db.execute("UPDATE meeting SET again = \(form.again) WHERE id = \(id)")
        } else {
            try db.execute("UPDATE meeting SET other_again = \(form.again) WHERE id = \(id)")
        }
        guard form.again == .wrong, let match = try PetMatch.find(meeting.match, of: account, in: db),
            let exhibit = try Exhibit.find(.pet(match.other.id), in: db)
        else { return }
        let report = ReportForm(ground: .danger, note: form.note)
        _ = try Report.file(report, about: exhibit, by: account, once: once, at: now, in: db)
    }

    /// Tells one of the two what the other did.
    private static func tell(
        _ what: String, _ match: ID<PetMatch>, by account: ID<Account>, to other: ID<Account>, at now: Instant,
        in db: Connection
    ) throws {
        try db.execute("UPDATE match_side SET last_at = \(now) WHERE match_id = \(match)")
        let detail = "\(what)\u{1F}\(try PetMatch.pet(of: account, in: match, db)?.name ?? "")"
        let news = Notice.News(kind: .met, detail: detail, subject: match.rawValue)
        try Notice.tell(news, "account.id = \(other)", at: now, in: db)
    }

    /// Tells those who would come that nobody else does: a pet or its owner has left, whose name nobody keeps.
    static func callOff(
        _ waiting: [(account: ID<Account>, match: ID<PetMatch>)], at now: Instant, in db: Connection
    ) throws {
        for (account, match) in waiting {
            let news = Notice.News(kind: .met, detail: "\(State.canceled.rawValue)\u{1F}", subject: match.rawValue)
            try Notice.tell(news, "account.id = \(account)", at: now, in: db)
        }
    }

    // MARK: By the clock

    /// Reminds those who meet the day before and two hours before, and asks them two hours after how it was: each once,
    /// whatever was missed meanwhile, and as each of them chose to be told.
    ///
    /// - Returns: of how many meetings.
    static func call(at now: Instant, in zone: Zone, db: Connection) throws -> Int {
        let due: [Meeting] = try db.all(
            "SELECT \(columns) FROM meeting WHERE due_at <= \(now) ORDER BY due_at LIMIT 200")
        for meeting in due {
            let following = meeting.startsAt.flatMap { next(for: $0, after: now, in: zone)?.due }
            try db.execute("UPDATE meeting SET due_at = \(following) WHERE id = \(meeting.id)")
            guard let start = meeting.startsAt, let call = Self.call(for: start, at: now, in: zone) else { continue }
            for (account, other) in [(meeting.account, meeting.other), (meeting.other, meeting.account)] {
                guard try PetMatch.other(in: meeting.match, of: account, db) != nil,
                    let pet = try PetMatch.pet(of: other, in: meeting.match, db),
                    call != .after || meeting.asks(account, at: now)
                else { continue }
                var news = Notice.News(
                    kind: call == .after ? .met : .meeting, detail: "\(call.rawValue)\u{1F}\(pet.name)",
                    subject: meeting.match.rawValue)
                if call != .after { news.endsAt = start }
                try Notice.tell(news, "account.id = \(account)", at: now, in: db)
            }
        }
        return due.count
    }

    // MARK: The week

    /// Somebody's meetings that begin between two moments, and those they are asked about afterwards.
    static func lines(
        of account: ID<Account>, from first: Instant, to last: Instant, in db: Connection
    ) throws -> [MeetingLine] {
        func lines(_ column: SQL) throws -> [(ID<PetMatch>, Meeting)] {
            try db.all(
                """
                SELECT \(columns) FROM meeting
                WHERE \(column) = \(account) AND state = 'agreed' AND starts_at >= \(first) AND starts_at < \(last)
                ORDER BY starts_at LIMIT 20
                """
            ) { row in
                let meeting: Meeting = try row.next()
                return (meeting.match, meeting)
            }
        }
        let meetings = try (lines("account_id") + lines("other_account_id")).sorted {
            ($0.1.startsAt ?? first) < ($1.1.startsAt ?? first)
        }
        return try meetings.compactMap { match, meeting in
            try PetMatch.find(match, of: account, in: db).map {
                MeetingLine(meeting: meeting, match: $0, account: account)
            }
        }
    }
}
