import Database

/// Waiting for a place in a full activity. Each person waits individually, in order of arrival; the first one gets a
/// free place immediately and is notified: at a fair, a place can be given back with one press, and asking would cost
/// time.
extension Activity: PlaceOffering {
    /// An account's people on the waiting lists of each activity of an event.
    static func waiting(
        of account: ID<Account>, at event: ID<Event>, in db: Connection
    ) throws -> [ID<Activity>: Set<Attendee>] {
        try turns(of: account, at: event, in: db).mapValues { Set($0.keys) }
    }

    /// A position on a waiting list.
    struct Turn: Sendable {
        /// The sort key of the list.
        let row: Int64
        let since: Instant
    }

    /// The positions of an account's people on an event's waiting lists.
    static func turns(
        of account: ID<Account>, at event: ID<Event>, in db: Connection
    ) throws -> [ID<Activity>: [Attendee: Turn]] {
        var turns: [ID<Activity>: [Attendee: Turn]] = [:]
        let head = try Guardian.head(of: account, in: db)
        try db.each(
            """
            SELECT activity_wait.activity_id, activity_wait.child_id, activity_wait.account_id, activity_wait.id,
                activity_wait.created_at
            FROM activity_wait JOIN activity ON activity.id = activity_wait.activity_id
            WHERE activity_wait.account_id IN (\(account), \(head)) AND activity.event_id = \(event) LIMIT 2000
            """
        ) { row in
            let activity: ID<Activity> = try row.next()
            let (child, holder): (ID<Child>?, ID<Account>) = (try row.next(), try row.next())
            let turn = Turn(row: try row.next(), since: try row.next())
            if let child {
                turns[activity, default: [:]][.child(child)] = turn
            } else if holder == account {
                turns[activity, default: [:]][.me] = turn
            }
            return true
        }
        return turns
    }

    /// Adds people of an account to a waiting list, unless they are in the activity or wait already.
    ///
    /// - Parameter turn: The position that the only one of them just left.
    /// - Throws: `Attendee.Refused`; `Refusal.notFound` if it is somebody else's child, or there is no such activity.
    static func wait(
        _ people: [Attendee], of account: ID<Account>, for id: ID<Activity>, of event: ID<Event>, turn: Turn? = nil,
        tx: Transaction
    ) throws {
        guard let activity = try find(id, of: event, in: tx), let whole = try Event.find(event, in: tx),
            whole.isForEveryone || whole.hasSessions, !whole.isHidden
        else { throw Refusal.notFound }
        guard activity.isOpen(at: tx.now), whole.isOpen(at: tx.now) else { throw Attendee.Refused.closed }
        let present = try present(of: account, at: event, in: tx)[id] ?? []
        let there = present.union(try waiting(of: account, at: event, in: tx)[id] ?? [])
        let fresh = Set(people).subtracting(there)
        try Attendee.check(fresh, of: account, for: activity, in: tx)
        for attendee in people where fresh.contains(attendee) {
            let holder = try holder(of: attendee, account, in: tx)
            guard try !tx.exists("SELECT 1 FROM activity_wait WHERE \(isOf(attendee, holder, id))") else { continue }
            let row: Assignments = [
                "activity_id": id, "account_id": holder, "child_id": attendee.child,
                "created_at": turn?.since ?? tx.now,
            ]
            try tx.execute("INSERT INTO activity_wait \(values: row + (turn.map { ["id": $0.row] } ?? [:]))")
            if whole.hasSessions, let child = attendee.child {
                try Registration.queue(child, of: holder, at: event, in: tx)
                try CareNote.follow([child], at: event, in: tx)
            }
        }
        try offerFreedPlaces(id, in: tx)
    }

    /// Removes people from a waiting list.
    static func stopWaiting(
        _ people: some Sequence<Attendee>, of account: ID<Account>, for id: ID<Activity>, in tx: Transaction
    ) throws {
        for attendee in people {
            let holder = try holder(of: attendee, account, in: tx)
            try tx.execute("DELETE FROM activity_wait WHERE \(isOf(attendee, holder, id))")
        }
        let event: ID<Event>? = try tx.value(
            """
            SELECT event.id FROM activity JOIN event ON event.id = activity.event_id
            WHERE activity.id = \(id) AND event.sessions
            """)
        guard let event else { return }
        try Registration.tidyQueue(at: event, in: tx)
        try CareNote.follow(people.compactMap(\.child), at: event, in: tx)
    }

    /// An event's activities with room for which people wait.
    static func waitedFor(at event: ID<Event>, in db: Connection) throws -> [ID<Activity>] {
        try db.all(
            """
            SELECT activity.id FROM activity
            WHERE activity.event_id = \(event) AND (activity.spots IS NULL OR activity.taken < activity.spots)
                AND EXISTS (SELECT 1 FROM activity_wait WHERE activity_wait.activity_id = activity.id)
            LIMIT \(20 * most)
            """
        ) { try $0.next() }
    }

    /// Somebody on the waiting list of an activity.
    typealias Candidate = (wait: ID<Wait>, event: ID<Event>, account: ID<Account>, attendee: Attendee)

    /// Adds somebody to the activity, unless they can no longer come.
    static func give(_ next: Candidate, at id: ID<Activity>, in tx: Transaction) throws -> Bool {
        try tx.execute("DELETE FROM activity_wait WHERE id = \(next.wait)")
        guard let activity = try find(id, of: next.event, in: tx),
            try canCome(next.attendee, of: next.account, to: activity, at: next.event, in: tx)
        else {
            try stopWaiting([next.attendee], of: next.account, for: id, in: tx)
            return false
        }
        try enter([next.attendee], of: next.account, in: id, of: next.event, tx: tx)
        let won = Notice.News(kind: .offered, event: next.event, detail: Change.keeping(activity))
        try Notice.tell(won, "account.id = \(next.account)", in: tx)
        return true
    }

    /// Whether somebody waiting still belongs to the account and fits the activity's ages.
    private static func canCome(
        _ attendee: Attendee, of account: ID<Account>, to activity: Activity, at event: ID<Event>, in db: Connection
    ) throws -> Bool {
        guard let whole = try Event.find(event, in: db) else { return false }
        do {
            try Attendee.check([attendee], of: account, for: activity, in: db)
            if !whole.hasSessions, try Attendee.present(of: account, at: event, in: db)[attendee] == nil {
                try Attendee.check([attendee], of: account, for: whole, in: db)
            }
        } catch Attendee.Refused.tooYoungOrOld {
            return false
        } catch Refusal.notFound {
            return false
        }
        return try !whole.hasSessions
            || !clashes(
                activity.id, attendee, with: [present(of: account, at: event, in: db)], at: event, in: db)
    }

    /// The first person who can get a place in an activity. If its event is full, only people at the event can; while
    /// nobody can go to the event, or programs are switched off, only sessions' places are given.
    static func next(for id: ID<Activity>, in tx: Transaction) throws -> Candidate? {
        let kind: SQL =
            try Opening(in: tx).has(.programs) ? "(\(fairs(tx.now)) OR \(sessions(tx.now)))" : sessions(tx.now)
        return try tx.first(
            """
            SELECT activity_wait.id, activity.event_id, activity_wait.account_id, activity_wait.child_id
            \(canHave(kind, tx.now))
                AND activity_wait.activity_id = \(id)
            ORDER BY activity_wait.id LIMIT 1
            """
        ) {
            (
                try $0.next(), try $0.next(), try $0.next(),
                (try $0.next() as ID<Child>?).map(Attendee.child) ?? .me
            )
        }
    }

    /// The events with a free place in an activity that somebody waiting can get.
    static func eventsToPassOn(in tx: Transaction) throws -> Set<ID<Event>> {
        let kinds = [sessions(tx.now)] + (try Opening(in: tx).has(.programs) ? [fairs(tx.now)] : [])
        return Set(
            try kinds.flatMap { kind in
                try tx.all("SELECT activity.event_id \(canHave(kind, tx.now)) LIMIT 1000") { try $0.next() }
            })
    }

    /// Activities that people join while they take place.
    private static func fairs(_ now: Instant) -> SQL { "event.audience = 'everyone' AND activity.ends_at > \(now)" }

    /// Sessions, for which children are registered until they begin; they can't be switched off.
    private static func sessions(_ now: Instant) -> SQL {
        "event.sessions AND event.sessions = TRUE AND activity.starts_at > \(now)"
    }

    /// People waiting for an activity with room, at an open event that has room for them or where they already are. In
    /// this order, because few wait: looked for by event or account, it took 150 ms each minute with 100,000 events.
    private static func canHave(_ kind: SQL, _ now: Instant) -> SQL {
        """
        FROM activity_wait
        CROSS JOIN activity
        CROSS JOIN event
        CROSS JOIN account
        WHERE activity_wait.activity_id > 0 AND activity.id = activity_wait.activity_id
            AND event.id = activity.event_id AND account.id = activity_wait.account_id AND account.suspended_at IS NULL
            AND event.listed AND \(Event.isOpen(now)) AND \(kind)
            AND activity.cancelled_at IS NULL
            AND (activity.spots IS NULL OR activity.taken < activity.spots)
            AND (event.spots IS NULL OR event.taken < event.spots OR EXISTS (
                SELECT 1 FROM registration JOIN registration_person
                    ON registration_person.registration_id = registration.id
                    AND registration_person.cancelled_at IS NULL
                WHERE registration.account_id = activity_wait.account_id AND registration.event_id = event.id
                    AND registration.state = 'confirmed'
                    AND (registration_person.child_id = activity_wait.child_id
                        OR registration_person.is_self AND activity_wait.child_id IS NULL)))
        """
    }

    /// An entry on a waiting list.
    enum Wait {}

    /// The accounts that wait for activities of these events.
    ///
    /// - Parameter events: `= 3`, `IN (3, 4)`.
    static func whoWaits(at events: SQL) -> SQL {
        """
        SELECT activity_wait.account_id FROM activity
        JOIN activity_wait ON activity_wait.activity_id = activity.id WHERE activity.event_id \(events)
        """
    }

    // MARK: Ending

    /// Removes everyone from the waiting lists of past or canceled activities.
    ///
    /// - Parameter event: Only of this event, which is canceled.
    /// - Returns: The number of people.
    @discardableResult static func endWaiting(for event: ID<Event>? = nil, in tx: Transaction) throws -> Int {
        let which: SQL =
            event.map { "activity.event_id = \($0)" }
            ?? "(activity.ends_at <= \(tx.now) OR activity.cancelled_at IS NOT NULL)"
        let over: [(wait: ID<Wait>, event: ID<Event>)] = try tx.all(
            """
            SELECT activity_wait.id, activity.event_id FROM activity_wait
            JOIN activity ON activity.id = activity_wait.activity_id WHERE \(which) LIMIT 10000
            """
        ) { (try $0.next(), try $0.next()) }
        for start in stride(from: 0, to: over.count, by: 400) {
            let some = over[start..<min(start + 400, over.count)].map(\.wait)
            try tx.execute("DELETE FROM activity_wait WHERE id IN \(list: some.padded(to: 400))")
        }
        for event in Set(over.map(\.event)).sorted() {
            try Registration.tidyQueue(at: event, in: tx)
            try CareNote.follow(sessionsOf: event, in: tx)
        }
        return over.count
    }

    /// Removes people who left an event from its activities' waiting lists.
    ///
    /// - Parameter isWhole: Whether the family gave back everything, so that none of its people waits.
    static func endWaiting(leaving party: ID<Registration>, isWhole: Bool, in tx: Transaction) throws {
        guard let event = try Registration.event(of: party, in: tx) else { return }
        // A child who left one party may be in another: those who wait for sessions are.
        let left: SQL = """
            EXISTS (SELECT 1 FROM registration_person AS gone WHERE gone.registration_id = \(party)
                    AND gone.cancelled_at IS NOT NULL AND (gone.child_id = activity_wait.child_id
                        OR gone.is_self AND activity_wait.child_id IS NULL))
                AND NOT EXISTS (SELECT 1 FROM registration_person AS there WHERE there.event_id = \(event)
                    AND there.child_id = activity_wait.child_id AND there.cancelled_at IS NULL)
                AND NOT EXISTS (SELECT 1 FROM registration_person AS me WHERE me.registration_id = \(party)
                    AND me.is_self AND me.cancelled_at IS NULL AND activity_wait.child_id IS NULL)
            """
        try tx.execute(
            """
            DELETE FROM activity_wait
            WHERE account_id = (SELECT account_id FROM registration WHERE id = \(party))
                AND activity_id IN (SELECT activity.id FROM activity WHERE activity.event_id = \(event))
                AND \(isWhole ? "TRUE" : left)
            """)
        try Registration.tidyQueue(at: event, in: tx)
    }

    /// The account under which somebody waits: a child under its family's.
    private static func holder(of attendee: Attendee, _ account: ID<Account>, in db: Connection) throws -> ID<Account> {
        attendee == .me ? account : try Guardian.head(of: account, in: db)
    }

    private static func isOf(_ attendee: Attendee, _ holder: ID<Account>, _ id: ID<Activity>) -> SQL {
        let who: SQL = attendee.child.map { "child_id = \($0)" } ?? "child_id IS NULL"
        return "activity_id = \(id) AND account_id = \(holder) AND \(who)"
    }
}
