import Database

extension Programme {
    /// An event's program, for an account or a visitor without one; nil if there is none.
    init?(
        of event: Event, for account: ID<Account>?, filter: ProgrammeFilter, plans: [TimeSlot], in tx: Transaction
    ) throws {
        guard event.isForEveryone || event.hasSessions else { return nil }
        let activities = try Activity.all(of: event.id, in: tx)
        guard !activities.isEmpty else { return nil }
        self.init(
            activities, of: event, filter: filter, children: try account.map { try Attendee.children(of: $0, in: tx) },
            present: try account.map { try Activity.present(of: $0, at: event.id, in: tx) } ?? [:],
            waiting: try account.map { try Activity.waiting(of: $0, at: event.id, in: tx) } ?? [:], plans: plans,
            at: tx.now)
    }
}

extension Activity {
    /// The activities on some days of an account and the children it looks after, including those that began earlier,
    /// in order.
    ///
    /// - Parameter head: The account under which these children are registered.
    static func lines(
        of account: ID<Account>, head: ID<Account>, on days: Range<Day>, in db: Connection
    ) throws -> [ActivityLine] {
        try lines(
            """
            \(Guardian.bookings(of: account, head: head)) AND registration.state = 'confirmed'
                AND (activity.day >= \(days.lowerBound.advanced(by: -1)) OR activity.end_day >= \(days.lowerBound))
                AND activity.day < \(days.upperBound)
            """, in: db)
    }

    /// The activities that end after a time, for calendars.
    static func lines(
        of account: ID<Account>, child: ID<Child>? = nil, at event: ID<Event>? = nil, from start: Instant,
        in db: Connection
    ) throws -> [ActivityLine] {
        let one: SQL = child.map { " AND registration_person.child_id = \($0)" } ?? ""
        let there: SQL = event.map { " AND registration.event_id = \($0)" } ?? ""
        return try lines(
            """
            \(try Guardian.bookings(of: account, in: db)) AND registration.state = 'confirmed'
                AND activity.ends_at >= \(start)\(one)\(there)
            """, in: db)
    }

    private static func lines(_ condition: SQL, in db: Connection) throws -> [ActivityLine] {
        var lines: [ActivityLine] = []
        try db.each(
            """
            SELECT \(Activity.columns), \(Registration.name), event.id, event.title, \(Address.columns), event.motif,
                event.cancelled_at IS NOT NULL, event.sessions, \(Coordinate.columns),
                event.zone
            FROM registration
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            JOIN attendance ON attendance.person_id = registration_person.id
            JOIN activity ON activity.id = attendance.activity_id
            JOIN event ON event.id = activity.event_id
            LEFT JOIN point ON point.id = event.point_id
            LEFT JOIN child ON child.id = registration_person.child_id
            WHERE \(condition) ORDER BY activity.starts_at, activity.id, registration_person.id
            LIMIT \(ICalendar.mostRows)
            """
        ) { row in
            let activity: Activity = try row.next()
            let name: String? = try row.next()
            if lines.last?.activity.id == activity.id {
                lines[lines.count - 1].names.append(name)
            } else {
                lines.append(
                    ActivityLine(
                        activity: activity, names: [name], event: try row.next(), title: try row.next(),
                        address: try row.next(), motif: Motif(rawValue: try row.next()) ?? .party,
                        isEventCancelled: try row.next(), isSession: try row.next(),
                        coordinate: try row.next(), zone: try row.next()))
            }
            return true
        }
        return lines
    }
}
