import Database

extension Around {
    /// - Parameters:
    ///   - day: The current day in the town.
    ///   - zone: The town's zone, in which pets meet.
    init(of member: Visitor, _ opening: Opening, on day: Day, in zone: Zone, tx: Transaction) throws {
        let shared = try member.hostingAlso.map { try Cohost.events(of: $0, in: tx) } ?? []
        let meetings =
            try opening.has(.playdates)
            ? Meeting.lines(
                of: member.account, from: tx.now - Meeting.asked,
                to: zone.instant(day.advanced(by: 8), .midnight), in: tx) : []
        // Elsewhere it may be the previous or the next day.
        let planned = try WeekItem.all(
            of: member.account, head: member.head, announcing: member.acting,
            on: day.advanced(by: -1)..<day.advanced(by: 2), opening, in: zone, and: shared, meetings: meetings, db: tx
        ).filter { $0.schedule.isAround(at: tx.now) }.sorted { $0.schedule.startsAt < $1.schedule.startsAt }
        let (items, changes) = try WeekItem.marked(planned, of: member.account, head: member.head, in: tx)
        let lines = items.compactMap { if case .party(let line) = $0 { line } else { nil } }
        let own = items.compactMap { if case .own(let event) = $0 { event } else { nil } }
        let participants =
            try lines.isEmpty ? [] : Participant.all("registration.id IN \(list: lines.map(\.id))", in: tx)
        let listed = member.isProvider ? own.map(\.id) : []
        let comers =
            try listed.isEmpty ? [] : Participant.all("event.id IN \(list: listed) AND \(Event.hasList)", in: tx)
        self.init(
            parties: lines.map { line in
                Party(line: line, participants: participants.filter { $0.registration == line.id })
            },
            others: items.filter { item in
                switch item {
                case .party, .own: false
                case .activity, .shift, .meeting: true
                }
            },
            events: own.map { event in
                let comers = comers.filter { $0.event == event.id }
                return HostedEvent(event: event, participants: comers.nonEmpty)
            },
            shifts: try opening.has(.helping) && member.isProvider
                ? HostedShift.around(of: member.acting, in: tx) : [],
            meetings: meetings, shared: shared, changes: changes)
    }
}

extension Around.Participant {
    /// The people who have places now.
    fileprivate static func all(_ which: SQL, in db: Connection) throws -> [Self] {
        try db.all(
            """
            SELECT event.id, registration.id,
                coalesce(CASE WHEN registration_person.is_self
                    THEN coalesce(family.first_name || ' ' || family.last_name, account.username) END,
                    guest.name, \(Child.shownName), ''),
                NOT registration_person.is_self AND (guest.id IS NULL OR guest.age IS NOT NULL),
                registration_person.arrived_at IS NOT NULL,
                registration_person.left_at IS NOT NULL,
                coalesce(family.first_name || ' ' || family.last_name, account.username, ''),
                coalesce(family.phone, guest.phone)
            FROM event JOIN registration ON registration.event_id = event.id
            LEFT JOIN account ON account.id = coalesce(registration.guardian_id, registration.account_id)
            LEFT JOIN guest ON guest.registration_id = registration.id
            LEFT JOIN family ON family.account_id = account.id
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            LEFT JOIN child ON child.id = registration_person.child_id
            WHERE registration.state = 'confirmed' AND \(which) LIMIT 2000
            """
        ) { row in
            let (event, registration, name, isChild): (ID<Event>, ID<Registration>, String, Bool) =
                (try row.next(), try row.next(), try row.next(), try row.next())
            let (came, left): (Bool, Bool) = (try row.next(), try row.next())
            return Self(
                event: event, registration: registration, name: name, isChild: isChild,
                presence: left ? .gone : came ? .here : .away, parent: try row.next(), phone: try row.next())
        }
    }
}
