import Database

extension Reminder: SQLValue {}

extension Reminder {
    /// The occasion of a reminder.
    enum Occasion {
        case event(ID<Event>)
        case shift(ID<Shift>)
        case session(ID<Activity>)

        /// Where it is stored: the table, the column of the occasion, and its ID.
        fileprivate var place: (table: SQL, column: SQL, number: Int64) {
            switch self {
            case .event(let id): ("reminder", "event_id", id.rawValue)
            case .shift(let id): ("shift_reminder", "shift_id", id.rawValue)
            case .session(let id): ("session_reminder", "activity_id", id.rawValue)
            }
        }
    }

    /// Schedules reminders for the families at an event, or the helpers in a shift, by its current time. Reminders that
    /// would be due already are skipped: the host who moved it has told them.
    static func schedule(_ schedule: Schedule, _ occasion: Occasion, in zone: Zone, tx: Transaction) throws {
        let (table, column, number) = occasion.place
        for reminder in allCases {
            let due = reminder.due(for: schedule, in: zone)
            if due > tx.now {
                try tx.execute(
                    """
                    INSERT INTO \(table) (\(column), lead, due_at) VALUES (\(number), \(reminder), \(due))
                    ON CONFLICT (\(column), lead) DO UPDATE SET due_at = excluded.due_at
                    """)
            } else {
                try tx.execute(
                    """
                    DELETE FROM \(table) WHERE \(column) = \(number) AND lead = \(reminder) AND due_at <> \(due)
                    """)
            }
        }
    }

    /// Deletes the reminders of a canceled event.
    static func forget(_ event: ID<Event>, in db: Connection) throws {
        try db.execute("DELETE FROM reminder WHERE event_id = \(event)")
    }

    /// Sends due reminders of things that haven't begun, only once after an interruption. A family that registers later
    /// isn't reminded of what it just did.
    ///
    /// - Returns: The number of events.
    @discardableResult static func send(in tx: Transaction) throws -> Int {
        try tx.execute(
            """
            DELETE FROM reminder
            WHERE due_at <= \(tx.now) AND event_id IN (SELECT id FROM event WHERE starts_at <= \(tx.now))
            """)
        let due = try tx.all(
            """
            SELECT reminder.event_id, reminder.lead, event.starts_at
            FROM reminder JOIN event ON event.id = reminder.event_id
            WHERE reminder.due_at <= \(tx.now) AND event.listed ORDER BY reminder.due_at, reminder.event_id LIMIT 200
            """
        ) {
            (event: try $0.next() as ID<Event>, reminder: try $0.next() as Reminder, start: try $0.next() as Instant)
        }
        // The links in notices and letters need the seal.
        if !due.isEmpty { _ = try Seal.make(in: tx) }
        for one in due {
            try tx.execute("DELETE FROM reminder WHERE event_id = \(one.event) AND lead = \(one.reminder)")
            var news = Notice.News(kind: one.reminder.kind, event: one.event)
            news.party = Registration.party(at: one.event)
            news.endsAt = one.start
            try Notice.tell(
                news,
                """
                account.suspended_at IS NULL AND account.id IN (
                    SELECT account_id FROM registration
                    WHERE event_id = \(one.event) AND state = 'confirmed')\(one.reminder.others(at: one.start, tx.now))
                """, in: tx)
        }
        return due.count
    }

    /// After an interruption only a few hours may be left: the later reminder is sent, and the earlier one only to
    /// people who don't want the later one.
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
    /// A party: its account, its event, and its state.
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

    /// The party for the reader of a letter, who registered or looks after the same children.
    ///
    /// - Throws: `Refusal.notFound` for anyone else.
    static func holder(of id: ID<Registration>, for reader: ID<Account>, in db: Connection) throws -> Holder {
        guard let holder = try holder(of: id, in: db),
            try holder.account == reader || Guardian.head(of: reader, in: db) == holder.account
        else { throw Refusal.notFound }
        return holder
    }

    /// Gives back all of a family's places at an event, which can be undone. At an event for everyone, only what the
    /// letter's reader may give back: a parent's own place is theirs alone.
    static func giveBackAll(
        of account: ID<Account>, by reader: ID<Account>, at event: ID<Event>, in tx: Transaction
    ) throws {
        guard let stored = try Event.find(event, in: tx), stored.isOpen(at: tx.now) else { return }
        if stored.hasSessions {
            let children = try Attendee.present(of: reader, at: event, in: tx).keys.compactMap(\.child)
            return try Undo.givingBack(sessionsOf: children, of: reader, at: event, in: tx)
        }
        if stored.isForEveryone {
            let people = try Attendee.present(of: reader, at: event, in: tx).keys
            return people.isEmpty ? () : try Undo.leaving(Array(people), of: reader, from: event, in: tx)
        }
        for id in try confirmed(of: account, at: event, in: tx) {
            guard let party = try find(id, of: account, in: tx), party.canGiveBack(at: tx.now) else { continue }
            try Undo.givingBack(party, children: [], of: account, in: tx)
        }
    }

    /// The number of a family's places at an event.
    static func places(of account: ID<Account>, at event: ID<Event>, in db: Connection) throws -> Int {
        try db.value(
            """
            SELECT CAST(coalesce(sum(\(size)), 0) AS BIGINT) FROM registration
            WHERE account_id = \(account) AND state = 'confirmed' AND event_id = \(event)
            """) ?? 0
    }
}
