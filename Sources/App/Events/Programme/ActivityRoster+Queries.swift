import Database

extension Roster {
    /// The participants of an activity, and whether they came.
    init(of event: Event, in activity: Activity, withNotes: Bool, tx: Transaction) throws {
        let all = try Roster(of: event, withNotes: withNotes && event.hasSessions, in: tx)
        let zone = event.clock
        let rows: [(person: ID<Registration.Person>, at: Instant?)] = try tx.all(
            "SELECT person_id, arrived_at FROM attendance WHERE activity_id = \(activity.id) LIMIT 10000"
        ) { (try $0.next(), try $0.next()) }
        let here = Dictionary(uniqueKeysWithValues: rows.map { ($0.person, $0.at) })
        let parties = all.parties.compactMap { party -> RosterParty? in
            var party = party
            party.children = party.children.compactMap { child in
                guard let arrival = here[child.id] else { return nil }
                var child = child
                (child.arrival, child.departure) = (arrival.map { zone.local($0).time }, nil)
                // A fair's notes are only in the list of the whole event.
                child.hasNote = child.hasNote && event.hasSessions
                return child
            }
            return party.children.isEmpty ? nil : party
        }
        self.init(event: event, parties: parties, withNotes: all.withNotes, asks: all.asks)
        self.activity = activity
        waiting = try Activity.countWaiting(for: activity.id, in: tx)
    }

    /// Records that somebody came to an activity, or that this was a mistake. A child who came to a session also came
    /// to the event.
    static func mark(
        _ person: ID<Registration.Person>, isHere: Bool, in activity: ID<Activity>, of event: Event, tx: Transaction
    ) throws {
        let at = isHere ? tx.now : nil
        let count = try tx.execute(
            "UPDATE attendance SET arrived_at = \(at) WHERE activity_id = \(activity) AND person_id = \(person)")
        guard count == 1 else { throw Refusal.notFound }
        guard event.hasSessions else { return }
        let came = try tx.exists("SELECT 1 FROM attendance WHERE person_id = \(person) AND arrived_at IS NOT NULL")
        try mark(person, came ? .here : .away, at: event.id, in: tx)
    }
}

extension Activity {
    /// The activities of each person at an event, in order.
    static func held(at event: ID<Event>, in db: Connection) throws -> [ID<Registration.Person>: [Held]] {
        var held: [ID<Registration.Person>: [Held]] = [:]
        try db.each(
            """
            SELECT attendance.person_id, activity.name, activity.starts_at, attendance.agreed_start, activity.ends_at
            FROM activity
            JOIN attendance ON attendance.activity_id = activity.id
            WHERE activity.event_id = \(event) AND activity.cancelled_at IS NULL
            ORDER BY activity.starts_at, activity.id LIMIT 100000
            """
        ) { row in
            held[try row.next(), default: []].append(
                Held(name: try row.next(), time: (max(try row.next(), try row.next()), try row.next())))
            return true
        }
        return held
    }

    /// The number of families waiting for an event's sessions.
    static func countWaiting(at event: ID<Event>, in db: Connection) throws -> Int {
        let families: [ID<Account>] = try db.all(
            """
            SELECT activity_wait.account_id FROM activity
            JOIN activity_wait ON activity_wait.activity_id = activity.id WHERE activity.event_id = \(event) LIMIT 10000
            """
        ) { try $0.next() }
        return Set(families).count
    }

    /// The number of people waiting for a place.
    static func countWaiting(for id: ID<Activity>, in db: Connection) throws -> Int {
        try db.value("SELECT count(*) FROM activity_wait WHERE activity_id = \(id)") ?? 0
    }
}
