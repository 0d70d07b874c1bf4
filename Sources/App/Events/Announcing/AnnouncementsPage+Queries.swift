import Database

extension Announcement {
    /// Sends a message to the families at an event, and optionally to those waiting; or to the helpers chosen in the
    /// form. Once for each `once`.
    ///
    /// - Returns: Whether it wasn’t sent before.
    /// - Throws: `TooMany`.
    static func send(_ form: AnnouncementForm, about place: Place, once: String, in tx: Transaction) throws -> Bool {
        let about = place.isIt
        if try tx.exists("SELECT 1 FROM announcement WHERE \(about) AND once = \(once)") { return false }
        // The words that a browser brought back with the page, sent again.
        let names = form.readers.map(\.typed).sorted().joined(separator: ",")
        let isEcho = try tx.exists(
            """
            SELECT 1 FROM announcement WHERE \(about) AND at > \(tx.now - SentForm.echo)
                AND subject = \(form.subject) AND body = \(form.body) AND tells_waiting = \(form.tellsWaiting)
                AND readers = \(names)
            """)
        if isEcho { return false }
        let today: Int =
            try tx.value("SELECT count(*) FROM announcement WHERE \(about) AND at > \(tx.now - .days(1))") ?? 0
        guard today < aDay else { throw TooMany() }
        let id = try tx.insert(
            """
            INSERT INTO announcement (event_id, opportunity_id, subject, body, tells_waiting, readers, once, at)
            VALUES (\(place.event), \(place.opportunity), \(form.subject), \(form.body), \(form.tellsWaiting),
                \(names), \(once), \(tx.now))
            """)
        var news = Notice.News(kind: .announced, event: place.event)
        news.subject = id
        switch place {
        case .event(let event):
            try Notice.tell(news, readers(of: event, waiting: form.tellsWaiting), in: tx)
            try tx.execute(
                """
                UPDATE announcement SET families = (SELECT count(*) FROM notice
                    WHERE event_id = \(event) AND kind = \(NoticeKind.announced) AND subject = \(id)
                        AND NOT EXISTS (SELECT 1 FROM guardian WHERE guardian.account_id = notice.account_id))
                WHERE id = \(id)
                """)
        case .help(let opportunity):
            try Notice.tell(news, helpers(form.readers, of: opportunity, at: tx.now), in: tx)
            try tx.execute(
                """
                UPDATE announcement SET families = (SELECT count(*) FROM notice
                    WHERE kind = \(NoticeKind.announced) AND event_id IS NULL AND subject = \(id))
                WHERE id = \(id)
                """)
        }
        return true
    }

    private static func readers(of event: ID<Event>, waiting: Bool) -> SQL {
        let state: SQL = waiting ? Registration.isHeld : "registration.state = 'confirmed'"
        return "account.id IN (SELECT account_id FROM registration WHERE event_id = \(event) AND \(state))"
    }

    /// The number of families at an event, and of others waiting.
    static func readers(of event: ID<Event>, in db: Connection) throws -> (families: Int, waiting: Int) {
        func count(_ waiting: Bool) throws -> Int {
            try db.value(
                """
                SELECT count(*) FROM account
                WHERE \(readers(of: event, waiting: waiting))
                """) ?? 0
        }
        let families = try count(false)
        return (families, try count(true) - families)
    }

    /// A condition on `account`: these helpers, while an organization may write to them.
    private static func helpers(_ readers: [Readers], of opportunity: ID<Opportunity>, at now: Instant) -> SQL {
        let shifts = readers.compactMap(\.shift)
        let past = now - Memory.past
        return """
            account.id IN (
                SELECT signup.account_id FROM signup JOIN shift ON shift.id = signup.shift_id
                WHERE signup.shift_id IN \(list: shifts.padded(to20Or: mostShifts))
                    AND signup.state = 'confirmed' AND shift.opportunity_id = \(opportunity)
                    AND shift.removed_at IS NULL AND shift.ends_at > \(past)
                UNION ALL SELECT signup.account_id FROM signup
                    JOIN opportunity ON opportunity.id = signup.opportunity_id
                WHERE \(readers.contains(.shiftless)) AND signup.opportunity_id = \(opportunity)
                    AND signup.shift_id IS NULL AND signup.state = 'confirmed'
                    AND coalesce(opportunity.closed_at, opportunity.ends_at) > \(past)
                UNION ALL SELECT signup.account_id FROM signup LEFT JOIN shift ON shift.id = signup.shift_id
                WHERE \(readers.contains(.waiting)) AND signup.opportunity_id = \(opportunity)
                    AND signup.state = 'asked' AND (shift.id IS NULL OR shift.starts_at > \(now))
                UNION ALL SELECT shift_wait.account_id FROM shift
                    JOIN shift_wait ON shift_wait.shift_id = shift.id
                WHERE \(readers.contains(.waiting)) AND shift.opportunity_id = \(opportunity)
                    AND shift.starts_at > \(now))
            """
    }

    /// The number of these helpers.
    static func count(_ readers: [Readers], of opportunity: ID<Opportunity>, in tx: Transaction) throws -> Int {
        try tx.value("SELECT count(*) FROM account WHERE \(helpers(readers, of: opportunity, at: tx.now))") ?? 0
    }
}

extension AnnouncementsPage.Circle {
    /// The groups of helpers to write to: first those with upcoming shifts, then waiting ones, then those with past
    /// shifts, the last first.
    fileprivate static func all(of opportunity: Opportunity, in tx: Transaction) throws -> [AnnouncementsPage.Circle] {
        let shifts: [(shift: Shift, count: Int)] = try tx.all(
            """
            SELECT \(Shift.columns), (SELECT count(*) FROM signup
                WHERE signup.shift_id = shift.id AND signup.state = 'confirmed')
            FROM shift
            WHERE shift.opportunity_id = \(opportunity.id) AND shift.removed_at IS NULL
                AND shift.ends_at > \(tx.now - Memory.past)
            ORDER BY shift.starts_at DESC, shift.id DESC LIMIT \(Announcement.mostShifts)
            """
        ) { (try $0.next(), try $0.next()) }
        let all = shifts.reversed().map { shift, count in
            Self(readers: .shift(shift.id), shift: shift, count: count, isAhead: shift.endsAt > tx.now)
        }
        func circle(_ readers: Announcement.Readers, isAhead: Bool) throws -> Self {
            let count = try Announcement.count([readers], of: opportunity.id, in: tx)
            return Self(readers: readers, count: count, isAhead: isAhead)
        }
        let (ahead, past) = (all.filter(\.isAhead), all.filter { !$0.isAhead })
        let others = [try circle(.shiftless, isAhead: true), try circle(.waiting, isAhead: false)]
        return (ahead + others + past.reversed()).filter { $0.count > 0 }
    }
}

extension AnnouncementsPage {
    /// - Parameter host: The account for which they act.
    /// - Throws: `Refusal.notFound` if the reader is neither the organization nor got a message.
    init(_ id: ID<Opportunity>, for account: ID<Account>, as host: ID<Account>, in tx: Transaction) throws {
        guard let opportunity = try Opportunity.find(id, in: tx) else { throw Refusal.notFound }
        guard opportunity.host.id == host else {
            let told: [Announcement] = try tx.all(
                """
                SELECT \(Announcement.columns) FROM notice JOIN announcement ON announcement.id = notice.subject
                WHERE notice.event_id IS NULL AND notice.account_id = \(account)
                    AND notice.kind = \(NoticeKind.announced) AND announcement.opportunity_id = \(id)
                ORDER BY notice.id DESC LIMIT 100
                """)
            // As with an event: a recipient can still read it, regardless of what happens to the opportunity.
            guard !told.isEmpty else { throw Refusal.notFound }
            self.init(place: .help(opportunity), announcements: told, isHost: false)
            return
        }
        let sent: [Announcement] = try tx.all(
            """
            SELECT \(Announcement.columns) FROM announcement
            WHERE opportunity_id = \(id) ORDER BY at DESC, id DESC LIMIT 100
            """)
        let opened: [(id: Int64, count: Int)] = try tx.all(
            """
            SELECT announcement.id,
                (SELECT count(*) FROM notice WHERE notice.kind = \(NoticeKind.announced) AND notice.event_id IS NULL
                    AND notice.subject = announcement.id AND notice.read_at IS NOT NULL)
            FROM announcement WHERE opportunity_id = \(id) ORDER BY at DESC, id DESC LIMIT 100
            """
        ) { (try $0.next(), try $0.next()) }
        let counts = Dictionary(uniqueKeysWithValues: opened.map { ($0.id, $0.count) })
        self.init(
            place: .help(opportunity),
            announcements: sent.map { one in
                var one = one
                one.opened = counts[one.id.rawValue] ?? 0
                return one
            }, isHost: true)
        circles = try Circle.all(of: opportunity, in: tx)
        guests = try Guest.words(counting: Guest.all(of: id, in: tx).count)
    }
}

extension AnnouncementsPage {
    /// - Parameter host: The account for which they act.
    /// - Throws: `Refusal.notFound` if the reader is neither the host nor got a message.
    init(_ id: ID<Event>, for account: ID<Account>, as host: ID<Account>, in db: Connection) throws {
        guard let event = try Event.find(id, in: db) else { throw Refusal.notFound }
        guard event.host.id == host else {
            let told: [Announcement] = try db.all(
                """
                SELECT \(Announcement.columns) FROM notice JOIN announcement ON announcement.id = notice.subject
                WHERE notice.event_id = \(id) AND notice.account_id = \(account)
                    AND notice.kind = \(NoticeKind.announced)
                ORDER BY notice.id DESC LIMIT 100
                """)
            guard !told.isEmpty else { throw Refusal.notFound }
            self.init(place: .event(event), announcements: told, isHost: false)
            return
        }
        let sent: [Announcement] = try db.all(
            """
            SELECT \(Announcement.columns) FROM announcement WHERE event_id = \(id) ORDER BY at DESC, id DESC LIMIT 100
            """)
        // Either parent counts.
        var opened: [Int64: Set<ID<Account>>] = [:]
        try db.each(
            """
            SELECT notice.subject, coalesce(guardian.head_id, notice.account_id)
            FROM notice LEFT JOIN guardian ON guardian.account_id = notice.account_id
            WHERE notice.event_id = \(id) AND notice.kind = \(NoticeKind.announced) AND notice.read_at IS NOT NULL
            LIMIT 100000
            """
        ) { row in
            opened[try row.next(), default: []].insert(try row.next())
            return true
        }
        self.init(
            place: .event(event),
            announcements: sent.map { one in
                var one = one
                one.opened = opened[one.id.rawValue]?.count ?? 0
                return one
            }, isHost: true)
        (families, waiting) = try Announcement.readers(of: id, in: db)
        guests = try Registration.concerned(by: [id], in: db).guestWords
    }
}
