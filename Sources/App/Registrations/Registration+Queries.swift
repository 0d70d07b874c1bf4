import Database

extension Registration {
    // MARK: Writing

    /// Registers the children, all or nobody, in the writer's one transaction.
    ///
    /// - Throws: `Event.NoRoom` when there are fewer places; `ChildrenChanged` when one of them has a place or is gone.
    static func insert(
        _ children: [ID<Child>], of family: ID<Family>, at event: ID<Event>, once: String, now: Instant,
        in db: Connection
    ) throws -> ID<Registration> {
        if let earlier = try sent(once, by: family, in: db) { return earlier }
        try Event.takePlaces(children.count, of: event, at: now, in: db)
        let id = ID<Registration>(
            try db.insert(
                """
                INSERT INTO registration (event_id, family_id, state, once, created_at, updated_at)
                VALUES (\(event), \(family), 'confirmed', \(once), \(now), \(now))
                """))
        for child in children {
            do {
                try db.execute(
                    """
                    INSERT INTO registration_person (registration_id, event_id, child_id)
                    VALUES (\(id), \(event), \(child))
                    """)
            } catch DatabaseError.constraint(.unique), DatabaseError.constraint(.foreignKey) {
                throw ChildrenChanged()
            }
        }
        return id
    }

    /// Meanwhile one of the children got a place at the event, or was removed.
    struct ChildrenChanged: Error {}

    /// Gives back the places of these children, or of the whole party; what is given back already stays so.
    static func giveBack(
        _ id: ID<Registration>, children: [ID<Child>], of family: ID<Family>, at now: Instant, in db: Connection
    ) throws {
        guard
            let event: ID<Event> = try db.value(
                """
                SELECT event.id FROM registration JOIN event ON event.id = registration.event_id
                WHERE registration.id = \(id) AND registration.family_id = \(family) AND event.starts_at > \(now)
                """)
        else { throw Refusal.notFound }
        let chosen: SQL = children.isEmpty ? "" : " AND child_id IN \(list: children)"
        let count = try db.execute(
            """
            UPDATE registration_person SET cancelled_at = \(now)
            WHERE registration_id = \(id) AND cancelled_at IS NULL\(chosen)
            """)
        guard count > 0 else { return }
        try Event.givePlaces(count, of: event, in: db)
        try db.execute(
            """
            UPDATE registration SET updated_at = \(now), state = CASE WHEN EXISTS (
                SELECT 1 FROM registration_person WHERE registration_id = \(id) AND cancelled_at IS NULL
            ) THEN 'confirmed' ELSE 'cancelled' END
            WHERE id = \(id)
            """)
    }

    /// Gives back every future place of a child that leaves.
    static func giveBack(everyPlaceOf child: ID<Child>, from now: Instant, in db: Connection) throws {
        let parties = try db.all(
            """
            SELECT registration.id, registration.family_id FROM registration_person
            JOIN registration ON registration.id = registration_person.registration_id
            JOIN event ON event.id = registration.event_id
            WHERE registration_person.child_id = \(child) AND registration_person.cancelled_at IS NULL
                AND event.starts_at > \(now)
            LIMIT 1000
            """
        ) { (try $0[0] as ID<Registration>, try $0[1] as ID<Family>) }
        for (id, family) in parties { try giveBack(id, children: [child], of: family, at: now, in: db) }
    }

    // MARK: Reading

    /// The registration that the form with this `once` made when it was sent before.
    static func sent(_ once: String, by family: ID<Family>, in db: Connection) throws -> ID<Registration>? {
        try db.value("SELECT id FROM registration WHERE family_id = \(family) AND once = \(once)")
    }

    static func find(_ id: ID<Registration>, of family: ID<Family>, in db: Connection) throws -> Registration? {
        guard
            let (event, state): (ID<Event>, String) = try db.first(
                "SELECT event_id, state FROM registration WHERE id = \(id) AND family_id = \(family)",
                { (try $0[0], try $0[1]) }),
            let event = try Event.find(event, in: db)
        else { return nil }
        return Registration(
            id: id, event: event, family: family, isCancelled: state == "cancelled", people: try people(of: id, in: db))
    }

    private static func people(of id: ID<Registration>, in db: Connection) throws -> [Person] {
        try db.all(
            """
            SELECT registration_person.child_id, child.nickname, registration_person.cancelled_at
            FROM registration_person LEFT JOIN child ON child.id = registration_person.child_id
            WHERE registration_person.registration_id = \(id) ORDER BY registration_person.id LIMIT 30
            """
        ) { Person(child: try $0[0], name: try $0[1], isCancelled: (try $0[2] as Instant?) != nil) }
    }

    /// The children of a family who are registered at an event.
    static func children(of family: ID<Family>, at event: ID<Event>, in db: Connection) throws -> Set<ID<Child>> {
        Set(
            try db.all(
                """
                SELECT registration_person.child_id FROM registration
                JOIN registration_person ON registration_person.registration_id = registration.id
                WHERE registration.family_id = \(family) AND registration.state = 'confirmed'
                    AND registration.event_id = \(event) AND registration_person.cancelled_at IS NULL
                    AND registration_person.child_id IS NOT NULL
                LIMIT 100
                """
            ) { try $0[0] as ID<Child> })
    }

    static func confirmed(of family: ID<Family>, at event: ID<Event>, in db: Connection) throws -> [ID<Registration>] {
        try db.all(
            """
            SELECT id FROM registration
            WHERE family_id = \(family) AND state = 'confirmed' AND event_id = \(event) ORDER BY id LIMIT 20
            """
        ) { try $0[0] }
    }

    /// One line of "my registrations" and of My week.
    struct Line: Sendable {
        let id: ID<Registration>
        let event: ID<Event>
        let title: String
        let day: Day
        let start: TimeOfDay
        let end: TimeOfDay?
        let address: Address
        let isCancelled: Bool
        let tags: [String]
        var names: [String]

        var time: String { end.map { "\(start.name) to \($0.name)" } ?? start.name }
        var poster: Poster { Poster(about: [title] + tags) }
        var who: String { names.joined(separator: ", ") }
    }

    /// A family's registrations: those to come soonest first, or those that were, newest first.
    static func lines(
        of family: ID<Family>, upcoming: Bool, now: Instant, in db: Connection
    ) throws -> [Line] {
        let when: SQL = upcoming ? "event.ends_at >= \(now)" : "event.ends_at < \(now)"
        let order: SQL = upcoming ? "event.starts_at, registration.id" : "event.starts_at DESC, registration.id DESC"
        return try lines(
            "registration.family_id = \(family) AND registration.state = 'confirmed' AND \(when)", order, in: db)
    }

    /// The future places of a child.
    static func upcoming(of child: ID<Child>, from now: Instant, in db: Connection) throws -> [Line] {
        try lines(
            """
            registration.id IN (SELECT registration_id FROM registration_person
                WHERE child_id = \(child) AND cancelled_at IS NULL) AND event.starts_at > \(now)
            """, "event.starts_at, registration.id", in: db)
    }

    private static func lines(_ condition: SQL, _ order: SQL, in db: Connection) throws -> [Line] {
        var lines: [Line] = []
        try db.each(
            """
            SELECT registration.id, event.id, event.title, event.day, event.start_minute, event.end_minute,
                event.street, event.city, event.state, event.zip, event.country, event.cancelled_at, child.nickname, event.tags
            FROM registration
            JOIN event ON event.id = registration.event_id
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            LEFT JOIN child ON child.id = registration_person.child_id
            WHERE \(condition) ORDER BY \(order), registration_person.id LIMIT 1000
            """
        ) { row in
            let id: ID<Registration> = try row[0]
            let name: String = try row[12] as String? ?? "a child"
            let tags: String = try row[13]
            if lines.last?.id == id {
                lines[lines.count - 1].names.append(name)
            } else {
                lines.append(
                    Line(
                        id: id, event: try row[1], title: try row[2], day: try row[3], start: try row[4],
                        end: try row[5],
                        address: Address(
                            street: try row[6], city: try row[7], state: try row[8], zip: try row[9],
                            country: try row[10]),
                        isCancelled: (try row[11] as Instant?) != nil,
                        tags: tags.split(separator: ",").map(String.init), names: [name]))
            }
            return true
        }
        return lines
    }

    /// Who comes to an event, party by party, in the order they registered.
    static func roster(of event: ID<Event>, in db: Connection) throws -> [RosterParty] {
        guard let day: Day = try db.value("SELECT day FROM event WHERE id = \(event)") else { return [] }
        var parties: [RosterParty] = []
        try db.each(
            """
            SELECT registration.id, family.first_name, family.last_name, family.phone, account.email, child.nickname,
                child.birth_month, child.birth_year, child.id
            FROM registration
            JOIN family ON family.id = registration.family_id
            JOIN account ON account.id = family.account_id
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            LEFT JOIN child ON child.id = registration_person.child_id
            WHERE registration.event_id = \(event) AND registration.state = 'confirmed'
            ORDER BY registration.id LIMIT 10000
            """
        ) { row in
            let id: ID<Registration> = try row[0]
            let month: Int? = try row[6]
            let year: Int? = try row[7]
            let childID: ID<Child>? = try row[8]
            let name: String? = try row[5]
            let child =
                if let month, let year, let childID, let name {
                    RosterChild(
                        name: name,
                        age: Child(id: childID, nickname: name, birthMonth: month, birthYear: year).age(on: day))
                } else {
                    RosterChild(name: "a child", age: "")
                }
            if parties.last?.registration == id {
                parties.append(parties.removeLast().adding(child))
            } else {
                parties.append(
                    RosterParty(
                        registration: id, parent: "\(try row[1] as String) \(try row[2] as String)",
                        phone: try row[3], email: try row[4], children: [child]))
            }
            return true
        }
        return parties
    }
}

extension RosterParty {
    fileprivate func adding(_ child: RosterChild) -> RosterParty {
        RosterParty(
            registration: registration, parent: parent, phone: phone, email: email, children: children + [child])
    }
}
