import Database

extension Roster {
    /// Those of an event who are in one of its activities, and came to it.
    init(of event: Event, in activity: Activity, at now: Instant, db: Connection) throws {
        let all = try Roster(of: event, withNotes: false, at: now, in: db)
        let zone = event.clock
        let rows: [(person: ID<Registration.Person>, at: Instant?)] = try db.all(
            "SELECT person_id, arrived_at FROM attendance WHERE activity_id = \(activity.id) LIMIT 10000"
        ) { (try $0.next(), try $0.next()) }
        let here = Dictionary(uniqueKeysWithValues: rows.map { ($0.person, $0.at) })
        let parties = all.parties.compactMap { party -> RosterParty? in
            var party = party
            party.children = party.children.compactMap { child in
                guard let arrival = here[child.id] else { return nil }
                var child = child
                (child.arrival, child.departure) = (arrival.map { zone.local($0).time }, nil)
                return child
            }
            return party.children.isEmpty ? nil : party
        }
        self.init(event: event, parties: parties, showsNotes: false, hasNotes: false)
        self.activity = activity
        waiting = try Activity.countWaiting(for: activity.id, in: db)
    }

    /// Notes that somebody came to an activity, or was ticked by mistake.
    static func mark(
        _ person: ID<Registration.Person>, isHere: Bool, in activity: ID<Activity>, at now: Instant, db: Connection
    ) throws {
        let at = isHere ? now : nil
        let count = try db.execute(
            "UPDATE attendance SET arrived_at = \(at) WHERE activity_id = \(activity) AND person_id = \(person)")
        guard count == 1 else { throw Refusal.notFound }
    }
}

extension Activity {
    /// How many people wait for a place.
    static func countWaiting(for id: ID<Activity>, in db: Connection) throws -> Int {
        try db.value("SELECT count(*) FROM activity_wait WHERE activity_id = \(id)") ?? 0
    }
}
