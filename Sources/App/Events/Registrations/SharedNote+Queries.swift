import Database

extension CareNote {
    /// Copies the notes about a party's children to its registration, with the start of the event, or of each session,
    /// to which the parent agreed; not if it is over for the child, or canceled.
    static func share(_ registration: ID<Registration>, in tx: Transaction) throws {
        let end = end(of: "registration_person.id")
        try tx.execute("UPDATE registration SET asks_again = FALSE WHERE id = \(registration)")
        try tx.execute(
            """
            INSERT INTO care_note (person_id, event_id, allergies, emergency_phone, collectors, erase_at, agreed_start)
            SELECT registration_person.id, event.id, child.allergies, child.emergency_phone, child.collectors,
                \(end) + \(kept.wholeMilliseconds), event.starts_at
            FROM registration_person JOIN child ON child.id = registration_person.child_id
            JOIN event ON event.id = registration_person.event_id
            WHERE registration_person.registration_id = \(registration) AND registration_person.cancelled_at IS NULL
                AND (child.allergies <> '' OR child.emergency_phone <> '' OR child.collectors <> '')
                AND event.cancelled_at IS NULL AND \(end) > \(tx.now)
            ON CONFLICT (person_id) DO NOTHING
            """)
        try tx.execute(
            """
            UPDATE attendance SET agreed_start = (
                SELECT activity.starts_at FROM activity WHERE activity.id = attendance.activity_id)
            WHERE person_id IN (SELECT id FROM registration_person WHERE registration_id = \(registration))
            """)
    }

    /// When an event ends for a child: with its last session that the child has or waits for, if it has sessions; null
    /// if there is none.
    ///
    /// - Parameter person: The column with the row of the child; `event` is the event.
    private static func end(of person: SQL) -> SQL {
        """
        CASE WHEN event.sessions THEN (
            SELECT max(activity.ends_at) FROM registration_person AS own
            JOIN activity ON activity.event_id = own.event_id AND activity.cancelled_at IS NULL
            WHERE own.id = \(person) AND activity.id IN (
                SELECT attendance.activity_id FROM attendance WHERE attendance.person_id = \(person)
                UNION ALL SELECT activity_wait.activity_id FROM activity_wait
                WHERE activity_wait.child_id = own.child_id))
        ELSE event.ends_at END
        """
    }

    /// Asks whether to share the notes of these parties again after they got their place back. Only the parent can:
    /// meanwhile the event may have moved, or the parent stopped sharing.
    static func askAgain(_ registrations: [ID<Registration>], in db: Connection) throws {
        guard !registrations.isEmpty else { return }
        try db.execute("UPDATE registration SET asks_again = TRUE WHERE id IN \(list: registrations)")
    }

    /// Whether notes about any of these people are shared.
    static func isShared(of people: [ID<Registration.Person>], in db: Connection) throws -> Bool {
        guard !people.isEmpty else { return false }
        return try db.exists("SELECT 1 FROM care_note WHERE person_id IN \(list: people) LIMIT 1")
    }

    /// Removes notes from a party's registration, about those children or all.
    static func erase(from registration: ID<Registration>, cancelledOnly: Bool = false, in db: Connection) throws {
        let condition: SQL = cancelledOnly ? " AND cancelled_at IS NOT NULL" : ""
        try db.execute(
            """
            DELETE FROM care_note WHERE person_id IN (
                SELECT id FROM registration_person WHERE registration_id = \(registration)\(condition))
            """)
    }

    /// Erases the shared notes for a canceled event.
    static func erase(of event: ID<Event>, in db: Connection) throws {
        try db.execute("DELETE FROM care_note WHERE event_id = \(event)")
    }

    /// Stops sharing at the parent's wish.
    static func withdraw(from registration: ID<Registration>, in db: Connection) throws {
        try db.execute("UPDATE registration SET asks_again = FALSE WHERE id = \(registration)")
        try erase(from: registration, in: db)
    }

    /// Adjusts the retention of a moved event's notes to a day after its new end. If it moved too far from the start to
    /// which the parent agreed, in one or several steps, they are erased and the parent is asked again. With sessions,
    /// the moves of those count instead.
    static func follow(_ event: Event, in db: Connection) throws {
        guard !event.hasSessions else { return }
        let moved: SQL = "abs(care_note.agreed_start - \(event.startsAt)) > \(ahead.wholeMilliseconds)"
        try askAgain(moved, at: event.id, in: db)
        try db.execute("UPDATE care_note SET erase_at = \(event.endsAt + kept) WHERE event_id = \(event.id)")
    }

    /// Does the same after sessions of an event were moved or canceled.
    static func follow(sessionsOf event: ID<Event>, in tx: Transaction) throws {
        guard try tx.exists("SELECT 1 FROM event WHERE id = \(event) AND sessions") else { return }
        let moved: SQL = """
            care_note.person_id IN (SELECT attendance.person_id FROM activity
                JOIN attendance ON attendance.activity_id = activity.id
                WHERE activity.event_id = \(event) AND activity.cancelled_at IS NULL
                    AND abs(attendance.agreed_start - activity.starts_at) > \(ahead.wholeMilliseconds))
            """
        try askAgain(moved, at: event, in: tx)
        try adjust("care_note.event_id = \(event)", in: tx)
    }

    /// Adjusts the retention of the notes about children who have, or wait for, other sessions of an event than before:
    /// a day after the last one.
    static func follow(_ children: [ID<Child>], at event: ID<Event>, in tx: Transaction) throws {
        guard !children.isEmpty else { return }
        let theirs: SQL = """
            care_note.person_id IN (SELECT registration_person.id FROM registration_person
                WHERE registration_person.event_id = \(event) AND registration_person.child_id IN \(list: children)
                    AND registration_person.cancelled_at IS NULL)
            """
        try adjust(theirs, in: tx)
    }

    /// Notes about a child without any session are due at once.
    private static func adjust(_ notes: SQL, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE care_note SET erase_at = coalesce((
                SELECT \(end(of: "care_note.person_id")) + \(kept.wholeMilliseconds)
                FROM event WHERE event.id = care_note.event_id), \(tx.now))
            WHERE \(notes)
            """)
    }

    /// Erases these notes, and asks the parents again.
    private static func askAgain(_ notes: SQL, at event: ID<Event>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE registration SET asks_again = TRUE WHERE id IN (
                SELECT registration_person.registration_id FROM registration_person
                JOIN care_note ON care_note.person_id = registration_person.id
                WHERE care_note.event_id = \(event) AND \(notes))
            """)
        try db.execute("DELETE FROM care_note WHERE care_note.event_id = \(event) AND \(notes)")
    }

    /// Erases notes a day after their event, or after the child's last session there.
    ///
    /// - Returns: The number of children.
    @discardableResult static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM care_note WHERE erase_at <= \(tx.now)")
    }

    /// The parties that share notes about a child.
    static func registrations(sharing child: ID<Child>, in db: Connection) throws -> [ID<Registration>] {
        try db.all(
            """
            SELECT registration_person.registration_id FROM registration_person
            JOIN care_note ON care_note.person_id = registration_person.id
            WHERE registration_person.child_id = \(child) LIMIT \(Registration.mostOfChild)
            """
        ) { try $0.next() }
    }

    /// Whether a party shares notes, and whether there are any to share, about children for whom the event isn't over.
    static func sharing(of registration: ID<Registration>, in tx: Transaction) throws -> Registration.Sharing {
        let parties = try tx.all(
            """
            SELECT care_note.person_id, child.allergies, child.emergency_phone, child.collectors,
                registration.asks_again, \(end(of: "registration_person.id")) > \(tx.now)
            FROM registration_person JOIN registration ON registration.id = registration_person.registration_id
            JOIN event ON event.id = registration_person.event_id
            JOIN child ON child.id = registration_person.child_id
            LEFT JOIN care_note ON care_note.person_id = registration_person.id
            WHERE registration_person.registration_id = \(registration) AND registration_person.cancelled_at IS NULL
            LIMIT 30
            """
        ) { row in
            (
                isShared: (try row.next() as Int64?) != nil,
                hasNotes: !(try row.next() as CareNote).isEmpty,
                asksAgain: try row.next() as Bool,
                isAhead: try row.next() as Bool? ?? false
            )
        }
        let open = parties.filter { $0.hasNotes && !$0.isShared && $0.isAhead }
        if open.contains(where: \.asksAgain) { return .asksAgain }
        if parties.contains(where: \.isShared) { return .on }
        return open.isEmpty ? .nothing : .off
    }
}

extension RosterView.Kind: SQLValue {}

extension RosterView {
    /// Logs a view of the list, and whose notes were shown. A view of notes that showed none isn't logged.
    static func record(
        _ kind: Kind, of event: ID<Event>, showing notes: [ID<Registration>] = [], by account: ID<Account>,
        in tx: Transaction
    ) throws {
        if kind == .notes, notes.isEmpty { return }
        let view = try tx.insert(
            """
            INSERT INTO roster_view (event_id, account_id, kind, at)
            VALUES (\(event), \(account), \(kind), \(tx.now))
            """)
        try tx.execute(
            """
            INSERT INTO roster_note (view_id, registration_id)
            SELECT \(view), id FROM registration
            WHERE event_id = \(event) AND state = 'confirmed' AND id IN \(list: notes.padded(to20Or: 1_000))
            """)
    }

    /// The latest views of an event's list since a party is on it, newest first, with and without notes.
    static func all(
        of event: ID<Event>, for registration: ID<Registration>, since instant: Instant, in db: Connection
    ) throws -> [RosterView] {
        try db.all(
            """
            SELECT roster_view.at, roster_view.kind, roster_note.view_id IS NOT NULL,
                CASE WHEN account.left_at IS NULL THEN
                    coalesce(provider.first_name || ' ' || provider.last_name, \(Person.shownName)) END
            FROM roster_view LEFT JOIN roster_note
                ON roster_note.view_id = roster_view.id AND roster_note.registration_id = \(registration)
            LEFT JOIN account ON account.id = roster_view.account_id
            LEFT JOIN provider ON provider.account_id = account.id
            LEFT JOIN person ON person.account_id = account.id
            WHERE roster_view.event_id = \(event) AND roster_view.at >= \(instant)
                AND (roster_view.kind <> 'notes' OR roster_note.view_id IS NOT NULL)
            ORDER BY roster_view.at DESC LIMIT 20
            """
        ) {
            RosterView(at: try $0.next(), kind: try $0.next(), hasNotes: try $0.next(), name: try $0.next())
        }
    }
}
