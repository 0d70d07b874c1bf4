import Database

extension Reminder: SQLValue {}

extension Reminder {
    /// Of what people are reminded.
    enum Occasion {
        case event(ID<Event>)
        case shift(ID<Shift>)
        case session(ID<Activity>)

        /// Where it is noted: the table, the column of what it is about, its number.
        fileprivate var place: (table: SQL, column: SQL, number: Int64) {
            switch self {
            case .event(let id): ("reminder", "event_id", id.rawValue)
            case .shift(let id): ("shift_reminder", "shift_id", id.rawValue)
            case .session(let id): ("session_reminder", "activity_id", id.rawValue)
            }
        }
    }

    /// Notes when the families of an event, or those in a shift, are to be reminded, now that it is when it is. What
    /// would have been due already isn't: the host who moved it told them.
    static func schedule(
        _ schedule: Schedule, _ occasion: Occasion, in zone: Zone, at now: Instant, db: Connection
    ) throws {
        let (table, column, number) = occasion.place
        for reminder in allCases {
            let due = reminder.due(for: schedule, in: zone)
            if due > now {
                try db.execute(
                    """
                    INSERT INTO \(table) (\(column), lead, due_at) VALUES (\(number), \(reminder), \(due))
                    ON CONFLICT (\(column), lead) DO UPDATE SET due_at = excluded.due_at
                    """)
            } else {
                try db.execute(
                    """
                    DELETE FROM \(table) WHERE \(column) = \(number) AND lead = \(reminder) AND due_at <> \(due)
                    """)
            }
        }
    }

    /// Forgets to remind of an event that doesn't take place.
    static func forget(_ event: ID<Event>, in db: Connection) throws {
        try db.execute("DELETE FROM reminder WHERE event_id = \(event)")
    }

    /// Reminds of what is due and hasn't begun: once, whatever was missed meanwhile. A family that registers afterward
    /// isn't reminded of what it just did.
    ///
    /// - Returns: of how many events.
    @discardableResult static func send(at now: Instant, in db: Connection) throws -> Int {
        try db.execute(
            """
            DELETE FROM reminder
            WHERE due_at <= \(now) AND event_id IN (SELECT id FROM event WHERE starts_at <= \(now))
            """)
        let due = try db.all(
            """
            SELECT reminder.event_id, reminder.lead, event.starts_at
            FROM reminder JOIN event ON event.id = reminder.event_id
            WHERE reminder.due_at <= \(now) AND event.listed ORDER BY reminder.due_at, reminder.event_id LIMIT 200
            """
        ) {
            (event: try $0.next() as ID<Event>, reminder: try $0.next() as Reminder, start: try $0.next() as Instant)
        }
        // What the links in notices and letters are sealed with.
        if !due.isEmpty { _ = try Seal.make(in: db) }
        for one in due {
            try db.execute(
                "DELETE FROM reminder WHERE event_id = \(one.event) AND lead = \(one.reminder)")
            var news = Notice.News(kind: one.reminder.kind, event: one.event)
            news.isOfParty = true
            news.endsAt = one.start
            try Notice.tell(
                news,
                """
                account.suspended_at IS NULL AND account.id IN (
                    SELECT account_id FROM registration
                    WHERE event_id = \(one.event) AND state = 'confirmed')\(one.reminder.others(at: one.start, now))
                """, at: now, in: db)
        }
        return due.count
    }

    /// After a stop only some hours may be left: the nearer one is told, the other to those who don't want that.
    func others(at start: Instant, _ now: Instant) -> SQL {
        guard self == .day, start - now < .hours(6) else { return "" }
        return """
             AND EXISTS (SELECT 1 FROM notice_choice WHERE notice_choice.account_id = reader.id
                AND notice_choice.kind = \(NoticeKind.hoursBefore) AND notice_choice.channel = 'inbox'
                AND NOT notice_choice.is_on)
            """
    }
}

extension Registration {
    /// A party: its account, its event, and what became of it.
    struct Holder: Sendable {
        let account: ID<Account>
        let event: ID<Event>
        let state: State
    }

    static func holder(of id: ID<Registration>, in db: Connection) throws -> Holder? {
        try db.first("SELECT account_id, event_id, state FROM registration WHERE id = \(id)") {
            Holder(account: try $0.next(), event: try $0.next(), state: try $0.next())
        }
    }

    /// The same for the reader of a letter, who registered or still looks after the children with the one who did.
    ///
    /// - Throws: `Refusal.notFound` for anybody else.
    static func holder(
        of id: ID<Registration>, for reader: ID<Account>, in db: Connection
    ) throws -> Holder {
        guard let holder = try holder(of: id, in: db),
            try holder.account == reader || Guardian.head(of: reader, in: db) == holder.account
        else { throw Refusal.notFound }
        return holder
    }

    /// Gives back every place of a family at an event, so that it can be taken back. Of an event for everyone that is
    /// what the reader of the letter may give back: a parent's own place is that parent's alone.
    static func giveBackAll(
        of account: ID<Account>, by reader: ID<Account>, at event: ID<Event>, now: Instant, in db: Connection
    ) throws {
        guard let stored = try Event.find(event, in: db), stored.isOpen(at: now) else { return }
        if stored.hasSessions {
            let children = try Attendee.present(of: reader, at: event, in: db).keys.compactMap(\.child)
            return try Undo.givingBack(sessionsOf: children, of: reader, at: event, at: now, in: db)
        }
        if stored.isForEveryone {
            let people = try Attendee.present(of: reader, at: event, in: db).keys
            return people.isEmpty ? () : try Undo.leaving(Array(people), of: reader, from: event, at: now, in: db)
        }
        for id in try confirmed(of: account, at: event, in: db) {
            guard let party = try find(id, of: account, at: now, in: db), party.canGiveBack(at: now) else { continue }
            try Undo.givingBack(party, children: [], of: account, at: now, in: db)
        }
    }

    /// How many places a family has at an event.
    static func places(of account: ID<Account>, at event: ID<Event>, in db: Connection) throws -> Int {
        try db.value(
            """
            SELECT CAST(coalesce(sum(\(size)), 0) AS BIGINT) FROM registration
            WHERE account_id = \(account) AND state = 'confirmed' AND event_id = \(event)
            """) ?? 0
    }
}
