import Database

extension Activity: RowDecodable {
    static let columns: Columns =
        [
            "activity.id", "activity.name", "activity.info", "activity.place", "activity.latitude",
            "activity.longitude",
        ] + Schedule.columns(of: "activity") + [
            "activity.spots", "activity.age_from", "activity.age_to", "activity.taken", "activity.cancelled_at",
        ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(),
            content: Content(
                name: try row.next(), info: try row.next(), place: try row.next(), coordinate: try row.next(),
                schedule: try row.next(),
                spots: try row.next(), ageFrom: try row.next(), ageTo: try row.next()),
            taken: try row.next(), cancelledAt: try row.next())
    }

    static let ledger = Ledger(table: "activity")

    /// An event's program, in order.
    static func all(of event: ID<Event>, in db: Connection) throws -> [Activity] {
        try db.all(
            """
            SELECT \(columns) FROM activity WHERE activity.event_id = \(event)
            ORDER BY activity.starts_at, activity.id LIMIT \(20 * most)
            """)
    }

    /// The sessions of some events, in order, without canceled ones.
    static func sessions(of events: [Event], in db: Connection) throws -> [ID<Event>: [Activity]] {
        let ids = events.filter(\.hasSessions).map(\.id)
        var sessions: [ID<Event>: [Activity]] = [:]
        guard !ids.isEmpty else { return sessions }
        try db.each(
            """
            SELECT activity.event_id, \(columns) FROM activity
            WHERE activity.event_id IN \(list: ids.padded(to: Event.pageSize)) AND activity.cancelled_at IS NULL
            ORDER BY activity.event_id, activity.starts_at, activity.id LIMIT \(Event.pageSize * most)
            """
        ) { row in
            sessions[try row.next(), default: []].append(try row.next())
            return true
        }
        return sessions
    }

    static func find(_ id: ID<Activity>, of event: ID<Event>, in db: Connection) throws -> Activity? {
        try db.first("SELECT \(columns) FROM activity WHERE activity.id = \(id) AND activity.event_id = \(event)")
    }

    // MARK: Changes

    /// Sets an event's program, in the transaction that writes the event.
    ///
    /// A removed activity is deleted, or canceled if people take part in it; participants and waiting people are
    /// notified of moved and canceled activities. Nil leaves everything unchanged.
    ///
    /// - Throws: `Event.TooManyRegistered` if an activity has more participants than it would have places.
    static func save(_ programme: [Activity]?, of event: ID<Event>, in tx: Transaction) throws {
        guard let programme else { return }
        let stored = try all(of: event, in: tx)
        var changes: [(of: Activity, change: Change)] = []
        var kept: Set<ID<Activity>> = []
        for activity in programme {
            // Two rows with one ID are two activities.
            guard let old = stored.first(where: { $0.id == activity.id && !$0.isCancelled }),
                kept.insert(old.id).inserted
            else {
                try tx.execute("INSERT INTO activity \(values: activity.stored + ["event_id": event])")
                continue
            }
            guard old.content != activity.content else { continue }
            if let spots = activity.spots, old.taken > spots {
                throw Event.TooManyRegistered(count: old.taken, day: activity.day)
            }
            try tx.execute("UPDATE activity SET \(set: activity.stored) WHERE id = \(old.id)")
            // Where only the zone of the event is another, those who come are told of that, once.
            if !old.schedule.isSame(byClockAs: activity.schedule) || old.place != activity.place {
                changes.append((old, Change(of: event, old, to: activity)))
            }
        }
        let gone = stored.filter { !kept.contains($0.id) && !$0.isCancelled }
        changes += gone.map { ($0, Change(of: event, $0, to: nil)) }
        for (activity, change) in changes where !activity.isOver(at: tx.now) {
            try Notice.tell(
                .init(kind: .changed, event: event, detail: Change.keeping([change])),
                """
                (account.id IN (SELECT registration.account_id FROM attendance
                    JOIN registration_person ON registration_person.id = attendance.person_id
                    JOIN registration ON registration.id = registration_person.registration_id
                    WHERE attendance.activity_id = \(activity.id))
                OR account.id IN (SELECT account_id FROM activity_wait WHERE activity_id = \(activity.id)))
                """, in: tx)
        }
        // Nobody waits for a removed activity.
        for old in gone {
            if old.taken == 0 {
                try tx.execute("DELETE FROM activity WHERE id = \(old.id)")
            } else {
                try tx.execute("UPDATE activity SET cancelled_at = \(tx.now) WHERE id = \(old.id)")
                try tx.execute("DELETE FROM activity_wait WHERE activity_id = \(old.id)")
            }
        }
        if !gone.isEmpty { try Registration.tidyQueue(at: event, in: tx) }
        if !stored.isEmpty { try CareNote.follow(sessionsOf: event, in: tx) }
        try addUp(event, in: tx)
        try Reminder.scheduleSessions(of: event, in: tx)
    }

    /// Computes the places and taken places of an event with sessions: the only place that does.
    static func addUp(_ event: ID<Event>, in db: Connection) throws {
        // Another node may have changed a session meanwhile: a statement sees what was there when it began.
        guard try db.execute("UPDATE event SET taken = taken WHERE id = \(event) AND sessions") == 1 else { return }
        let sessions: SQL = "FROM activity WHERE activity.event_id = event.id AND activity.cancelled_at IS NULL"
        try db.execute(
            """
            UPDATE event SET spots = (SELECT CAST(sum(activity.spots) AS BIGINT) \(sessions)),
                taken = (SELECT CAST(coalesce(sum(activity.taken), 0) AS BIGINT) \(sessions))
            WHERE id = \(event)
            """)
    }

    private var stored: Assignments {
        [
            "name": content.name, "info": content.info, "place": content.place,
            "latitude": content.coordinate?.latitude, "longitude": content.coordinate?.longitude,
            "spots": content.spots,
            "age_from": content.ageFrom, "age_to": content.ageTo,
        ] + content.schedule.stored
    }

    // MARK: Joining

    /// An account's people in each activity of an event.
    static func present(
        of account: ID<Account>, at event: ID<Event>, in db: Connection
    ) throws -> [ID<Activity>: Set<Attendee>] {
        let people = try Attendee.present(of: account, at: event, in: db)
        let attendees = Dictionary(uniqueKeysWithValues: people.map { ($1.person, $0) })
        var present: [ID<Activity>: Set<Attendee>] = [:]
        guard !people.isEmpty else { return present }
        let ids = attendees.keys.sorted().prefix(100).padded(to: 100)
        try db.each(
            "SELECT activity_id, person_id FROM attendance WHERE person_id IN \(list: ids) LIMIT 20000"
        ) { row in
            let activity: ID<Activity> = try row.next()
            if let attendee = attendees[try row.next()] { present[activity, default: []].insert(attendee) }
            return true
        }
        return present
    }

    /// Adds people of an account to an activity, and thereby to its event: all or none. Existing participants stay;
    /// people on the waiting list come first.
    ///
    /// - Throws: `Attendee.Refused`; `Refusal.notFound` if it is somebody else's child, or there is no such activity.
    static func join(
        _ people: [Attendee], of account: ID<Account>, in id: ID<Activity>, of event: ID<Event>, tx: Transaction
    ) throws {
        try offerFreedPlaces(id, in: tx)
        try enter(people, of: account, in: id, of: event, tx: tx)
    }

    /// Adds people from the waiting list.
    static func enter(
        _ people: [Attendee], of account: ID<Account>, in id: ID<Activity>, of event: ID<Event>, tx: Transaction
    ) throws {
        guard let activity = try find(id, of: event, in: tx) else { throw Refusal.notFound }
        guard activity.isOpen(at: tx.now) else { throw Attendee.Refused.closed }
        let present = try present(of: account, at: event, in: tx)[id] ?? []
        let fresh = people.filter { !present.contains($0) }
        try Attendee.check(Set(fresh), of: account, for: activity, in: tx)
        // Checked before anyone is added to the event for its sake.
        guard activity.placesLeft.map({ $0 >= Set(fresh).count }) ?? true else { throw Attendee.Refused.full }
        let rows = try Attendee.enter(fresh, of: account, at: event, in: tx)
        for person in Set(rows) {
            guard try ledger.take("1", where: "id = \(id) AND cancelled_at IS NULL", in: tx) else {
                throw Attendee.Refused.full
            }
            try tx.execute(
                """
                INSERT INTO attendance (activity_id, person_id, agreed_start)
                VALUES (\(id), \(person), \(activity.startsAt))
                """)
        }
        try addUp(event, in: tx)
        try stopWaiting(fresh, of: account, for: id, in: tx)
    }

    /// Removes people of an account from an activity; they still come to the event, except a child without any session
    /// left. Without a name, the only participant is meant.
    ///
    /// - Throws: `Refusal.tooLate` once a session has begun; `Attendee.Refused.closed` once an activity is over;
    ///   `.nobody` if it is unclear which of several is meant.
    static func leave(
        _ people: [Attendee], of account: ID<Account>, from id: ID<Activity>, of event: ID<Event>, tx: Transaction
    ) throws {
        guard let activity = try find(id, of: event, in: tx), let whole = try Event.find(event, in: tx) else {
            throw Refusal.notFound
        }
        if whole.hasSessions, activity.hasStarted(at: tx.now) { throw Refusal.tooLate }
        guard !activity.isOver(at: tx.now) else { throw Attendee.Refused.closed }
        let present = try present(of: account, at: event, in: tx)[id] ?? []
        guard !people.isEmpty || present.count < 2 else { throw Attendee.Refused.nobody }
        let leaving = people.isEmpty ? present : present.intersection(people)
        let rows = try Attendee.present(of: account, at: event, in: tx).filter { leaving.contains($0.key) }
        let count = try tx.execute(
            """
            DELETE FROM attendance WHERE activity_id = \(id) AND person_id IN \(list: rows.values.map(\.person))
            """)
        try ledger.giveBack("\(count)", where: "id = \(id)", in: tx)
        try addUp(event, in: tx)
        if whole.hasSessions {
            try leaveWithoutSession(rows.values, in: tx)
            try CareNote.follow(leaving.compactMap(\.child), at: event, in: tx)
        }
        try offerFreedPlaces(id, in: tx)
    }

    /// Gives back the registrations of children without any session left, unless they wait for another.
    private static func leaveWithoutSession(_ places: some Collection<Attendee.Place>, in tx: Transaction) throws {
        for (party, places) in Dictionary(grouping: places, by: \.party) {
            let idle = try places.map(\.person).filter { person in
                try !tx.exists(
                    """
                    SELECT 1 FROM attendance JOIN activity ON activity.id = attendance.activity_id
                    WHERE person_id = \(person) AND activity.cancelled_at IS NULL
                    """)
            }
            let gone = try Registration.unseat(idle, from: party, in: tx)
            try Registration.part("id IN \(list: gone)", from: party, in: tx)
        }
    }

    /// Removes people who left an event from its activities and waiting lists, which frees the places. All ways of
    /// leaving an event use this; `Event.offerFreedPlaces` then assigns the places.
    ///
    /// - Parameter isWhole: Whether the family gave back everything.
    static func follow(leaving party: ID<Registration>, isWhole: Bool = false, in tx: Transaction) throws {
        try endWaiting(leaving: party, isWhole: isWhole, in: tx)
        let gone: SQL = """
            SELECT id FROM registration_person WHERE registration_id = \(party) AND cancelled_at IS NOT NULL
            """
        try ledger.giveBack(
            "(SELECT count(*) FROM attendance WHERE attendance.activity_id = activity.id AND person_id IN (\(gone)))",
            where: "id IN (SELECT activity_id FROM attendance WHERE person_id IN (\(gone)))", in: tx)
        try tx.execute("DELETE FROM attendance WHERE person_id IN (\(gone))")
        try Registration.event(of: party, in: tx).map { try addUp($0, in: tx) }
    }
}

extension Event {
    /// Loads the program, if there may be one.
    mutating func readProgramme(in db: Connection) throws {
        if isForEveryone || hasSessions { programme = try Activity.all(of: id, in: db) }
    }

    /// Makes sure that an event can be changed in this way: registered families either chose sessions or didn't.
    ///
    /// - Throws: `SessionsAreFixed`.
    func requireSessions(as changed: Event, in db: Connection) throws {
        guard hasSessions != changed.hasSessions else { return }
        if hasSessions { throw SessionsAreFixed.toTheLast }
        if series != nil { throw SessionsAreFixed.bySeries }
        let concerned = try Registration.concerned(by: [id], in: db)
        guard concerned.isNobody, concerned.guests == 0 else { throw SessionsAreFixed.byFamilies }
    }
}
