import Database

extension Reply: RowDecodable {
    /// Where `account` and `family` are those of who answered.
    static let columns: Columns = [
        "reply.id", "reply.person_id", "reply.ask_id", "reply.version", "reply.kind", "reply.text", "reply.is_each",
        "reply.days", "reply.answer",
        """
        CASE WHEN account.left_at IS NULL
            THEN coalesce(family.first_name || ' ' || family.last_name, account.username) END
        """,
        "reply.at", "reply.taken_back_at", "reply.erase_at",
    ]

    private static let giver: SQL = """
        LEFT JOIN account ON account.id = reply.giver_id LEFT JOIN family ON family.account_id = reply.giver_id
        """

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), person: try row.next(), ask: try row.next(), version: try row.next(),
            content: Ask.Content(
                kind: try row.next(), text: try row.next(), isEach: try row.next(), days: try row.next()),
            answer: try row.next(), giver: try row.next(), at: try row.next(), takenBackAt: try row.next(),
            eraseAt: try row.next())
    }

    // MARK: Reading

    /// What was answered for each person of an event; nothing is looked for where it never asked.
    static func all(at event: Event, now: Instant, in db: Connection) throws -> [ID<Registration.Person>: [Reply]] {
        guard event.isAsking else { return [:] }
        let replies: [Reply] = try db.all(
            """
            SELECT \(columns) FROM reply \(giver)
            WHERE reply.event_id = \(event.id) AND reply.erase_at > \(now)
            ORDER BY reply.event_id, reply.id LIMIT 100000
            """)
        return Dictionary(grouping: replies, by: \.person)
    }

    /// Those of a family who come to an event or wait for it, and what was answered for each.
    static func people(
        of account: ID<Account>, at event: ID<Event>, in db: Connection
    ) throws -> [(person: ID<Registration.Person>, child: ID<Child>, party: ID<Registration>, name: String?)] {
        try db.all(
            """
            SELECT registration_person.id, registration_person.child_id, registration.id, \(Registration.name)
            FROM registration
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL AND registration_person.child_id IS NOT NULL
            JOIN child ON child.id = registration_person.child_id
            WHERE registration.account_id = \(account) AND \(Registration.isHeld)
                AND registration.event_id = \(event) LIMIT 100
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
    }

    static func all(
        for people: [ID<Registration.Person>], now: Instant, in db: Connection
    ) throws -> [Reply] {
        guard !people.isEmpty else { return [] }
        return try db.all(
            """
            SELECT \(columns) FROM reply \(giver)
            WHERE reply.person_id IN \(list: people.padded(to20Or: 100)) AND reply.erase_at > \(now) LIMIT 2000
            """
        ).sorted { $0.id < $1.id }
    }

    /// The questions that a family has answered at an event already, as they are asked now. A consent that the host
    /// needs counts only while it stands.
    static func answered(
        _ asks: [Ask], of account: ID<Account>, at event: ID<Event>, now: Instant, in db: Connection
    ) throws -> Set<ID<Ask>> {
        let people = try people(of: account, at: event, in: db).map(\.person)
        let replies = try all(for: people, now: now, in: db)
        return Set(
            asks.filter { ask in
                let isNeeded = ask.kind.isConsent && ask.content.isRequired
                return replies.contains { $0.answers(ask) && ($0.isGiven || !isNeeded) }
            }.map(\.id))
    }

    // MARK: Writing

    /// Stores what a parent answered for the people of a family at an event: those who have a place or wait. What
    /// stands there with the same words and answer already stays as it was given.
    static func store(
        _ entries: [AnswerSheet.Entry], of account: ID<Account>, by giver: ID<Account>, at event: ID<Event>,
        now: Instant, in db: Connection
    ) throws {
        for entry in entries {
            let ask = entry.ask
            let child: SQL = entry.child.map { " AND registration_person.child_id = \($0)" } ?? ""
            let people: SQL = """
                FROM registration
                JOIN registration_person ON registration_person.registration_id = registration.id
                    AND registration_person.cancelled_at IS NULL AND registration_person.child_id IS NOT NULL\(child)
                WHERE registration.account_id = \(account) AND \(Registration.isHeld)
                    AND registration.event_id = \(event)
                """
            guard let answer = entry.answer else {
                // A consent that was given isn't emptied, but taken back.
                if !ask.kind.isConsent {
                    try db.execute(
                        """
                        DELETE FROM reply
                        WHERE ask_id = \(ask.id) AND person_id IN (SELECT registration_person.id \(people))
                        """)
                }
                continue
            }
            // No after yes: that it was given stays written down, and that it was taken back.
            if ask.kind.isConsent, answer == no {
                try db.execute(
                    """
                    UPDATE reply SET taken_back_at = coalesce(taken_back_at, \(now))
                    WHERE ask_id = \(ask.id) AND version = \(ask.version) AND answer = \(yes)
                        AND person_id IN (SELECT registration_person.id \(people))
                    """)
            }
            try db.execute(
                """
                INSERT INTO reply (
                    person_id, event_id, ask_id, version, kind, is_each, text, answer, giver_id, at, days, erase_at)
                SELECT registration_person.id, event.id, ask.id, ask.version, ask.kind, ask.is_each, ask.text,
                    \(answer), \(giver), \(now), ask.days, event.ends_at + ask.days * \(day)
                FROM ask JOIN event ON event.id = ask.event_id
                JOIN registration ON registration.event_id = event.id
                JOIN registration_person ON registration_person.registration_id = registration.id
                    AND registration_person.cancelled_at IS NULL AND registration_person.child_id IS NOT NULL\(child)
                WHERE ask.id = \(ask.id) AND registration.account_id = \(account) AND \(Registration.isHeld)
                ON CONFLICT (person_id, ask_id) DO UPDATE SET version = excluded.version, kind = excluded.kind,
                    is_each = excluded.is_each, text = excluded.text, answer = excluded.answer,
                    giver_id = excluded.giver_id, at = excluded.at, taken_back_at = NULL, days = excluded.days,
                    erase_at = excluded.erase_at
                WHERE (reply.answer <> excluded.answer OR reply.version <> excluded.version
                        OR reply.taken_back_at IS NOT NULL)
                    AND NOT (reply.version = excluded.version AND reply.answer = \(yes) AND excluded.answer = \(no)
                        AND reply.kind IN ('agree', 'photo'))
                """)
        }
        if !entries.isEmpty { try share(of: account, at: event, in: db) }
    }

    /// What a family answered for itself holds for those of it who come later, too.
    static func share(of account: ID<Account>, at event: ID<Event>, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO reply (
                person_id, event_id, ask_id, version, kind, is_each, text, answer, giver_id, at, taken_back_at, days,
                erase_at)
            SELECT registration_person.id, known.event_id, known.ask_id, known.version, known.kind, known.is_each,
                known.text, known.answer, known.giver_id, known.at, known.taken_back_at, known.days, known.erase_at
            FROM registration
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL AND registration_person.child_id IS NOT NULL
            JOIN registration AS other ON other.account_id = registration.account_id
                AND other.event_id = registration.event_id
            JOIN registration_person AS sibling ON sibling.registration_id = other.id
                AND sibling.cancelled_at IS NULL
            JOIN reply AS known ON known.person_id = sibling.id AND NOT known.is_each AND known.ask_id IS NOT NULL
            WHERE registration.account_id = \(account) AND \(Registration.isHeld)
                AND registration.event_id = \(event)
            ON CONFLICT (person_id, ask_id) DO NOTHING
            """)
    }

    /// Takes a consent back, at any time: of a family's all that stand for it.
    ///
    /// - Throws: `Refusal.notFound` where it is none of this family's.
    static func takeBack(
        _ id: ID<Reply>, from party: ID<Registration>, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        let own: (ask: ID<Ask>?, text: String, isEach: Bool)? = try db.first(
            """
            SELECT reply.ask_id, reply.text, reply.is_each FROM reply
            JOIN registration_person ON registration_person.id = reply.person_id
            JOIN registration ON registration.id = registration_person.registration_id
            WHERE reply.id = \(id) AND registration.id = \(party) AND registration.account_id = \(account)
                AND reply.kind IN ('agree', 'photo')
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        guard let own else { throw Refusal.notFound }
        let which: SQL =
            own.isEach
            ? "id = \(id)"
            : """
            NOT is_each AND text = \(own.text) AND kind IN ('agree', 'photo') AND person_id IN (
                SELECT registration_person.id FROM registration
                JOIN registration_person ON registration_person.registration_id = registration.id
                WHERE registration.account_id = \(account) AND registration.event_id = (
                    SELECT event_id FROM registration AS this WHERE this.id = \(party)))
            """
        try db.execute(
            """
            UPDATE reply SET taken_back_at = \(now)
            WHERE \(which) AND answer = \(yes) AND taken_back_at IS NULL
            """)
    }

    // MARK: Keeping

    /// A day as instants count.
    static let day = Duration.days(1).wholeMilliseconds

    /// Keeps what was answered to a question shorter than was said.
    static func keep(_ ask: ID<Ask>, days: Int, in db: Connection) throws {
        try db.execute(
            """
            UPDATE reply SET days = \(days), erase_at = erase_at - (days - \(days)) * \(day)
            WHERE ask_id = \(ask) AND days > \(days)
            """)
    }

    /// Those who left a party may come back for ten minutes, and their answers with them; then these go.
    static func part(from party: ID<Registration>, at now: Instant, in db: Connection) throws {
        let end = now + Undo.time
        try db.execute(
            """
            UPDATE reply SET erase_at = \(end) WHERE erase_at > \(end) AND person_id IN (
                SELECT id FROM registration_person
                WHERE registration_id = \(party) AND cancelled_at IS NOT NULL)
            """)
    }

    /// The answers of people who came back are kept as they were.
    static func comeBack(_ people: [ID<Registration.Person>], in db: Connection) throws {
        guard !people.isEmpty else { return }
        try db.execute(
            """
            UPDATE reply SET erase_at = (SELECT event.ends_at FROM event WHERE event.id = reply.event_id)
                + days * \(day)
            WHERE person_id IN \(list: people) AND erase_at > 0
            """)
    }

    /// Lets the answers of an event that moved go by its new end.
    static func follow(_ event: Event, in db: Connection) throws {
        try db.execute(
            """
            UPDATE reply SET erase_at = \(event.endsAt) + days * \(day)
            WHERE event_id = \(event.id) AND erase_at > 0 AND EXISTS (
                SELECT 1 FROM registration_person
                WHERE registration_person.id = reply.person_id AND registration_person.cancelled_at IS NULL)
            """)
    }

    /// Erases what was answered about a child that leaves the site.
    static func erase(of child: ID<Child>, in db: Connection) throws {
        try empty("person_id IN (SELECT id FROM registration_person WHERE child_id = \(child))", in: db)
    }

    /// Erases what was answered for an event that does not take place.
    static func erase(of event: ID<Event>, in db: Connection) throws {
        try empty("event_id = \(event)", in: db)
    }

    /// Erases what answers say at once; the clock erases the rows, and what hangs on them.
    static func empty(_ which: SQL, in db: Connection) throws {
        try db.execute("UPDATE reply SET text = '', answer = '', giver_id = NULL, erase_at = 0 WHERE \(which)")
    }

    /// Erases the answers whose day has come, and the registrations that were only kept for them.
    ///
    /// - Parameter past: So long a registration is kept without answers.
    /// - Returns: how many answers.
    static func eraseOld(past: Duration, at now: Instant, in db: Connection) throws -> Int {
        var count = 0
        while true {
            let due: [(reply: ID<Reply>, party: ID<Registration>?)] = try db.all(
                """
                SELECT reply.id, CASE WHEN event.ends_at <= \(now - past) THEN registration.id END FROM reply
                JOIN registration_person ON registration_person.id = reply.person_id
                JOIN registration ON registration.id = registration_person.registration_id
                JOIN event ON event.id = registration.event_id
                WHERE reply.erase_at <= \(now) LIMIT 4000
                """
            ) { (try $0.next(), try $0.next()) }
            guard !due.isEmpty else { return count }
            count += due.count
            for start in stride(from: 0, to: due.count, by: 400) {
                let some = due[start..<min(start + 400, due.count)]
                try db.execute("DELETE FROM reply WHERE id IN \(list: some.map(\.reply).padded(to: 400))")
            }
            let parties = Array(Set(due.compactMap(\.party)))
            for start in stride(from: 0, to: parties.count, by: 400) {
                let some = parties[start..<min(start + 400, parties.count)]
                let which: SQL = """
                    id IN \(list: some.padded(to: 400)) AND NOT \(isKept) AND NOT EXISTS (
                        SELECT 1 FROM family WHERE family.account_id = registration.account_id AND family.keeps_past)
                    """
                try Notice.erase("registration_id IN (SELECT id FROM registration WHERE \(which))", in: db)
                try db.execute("DELETE FROM registration WHERE \(which)")
            }
        }
    }

    /// Whether a `registration` has answers that are still kept.
    static let isKept: SQL = """
        EXISTS (SELECT 1 FROM registration_person
            JOIN reply ON reply.person_id = registration_person.id
            WHERE registration_person.registration_id = registration.id)
        """
}

extension FamilyAnswers {
    /// What stands at a registration; nothing is looked for where its event never asked.
    init?(_ registration: Registration, at now: Instant, in db: Connection) throws {
        let event = registration.event
        guard event.isAsking, !event.isForEveryone else { return nil }
        let asks = try Ask.all(of: event, in: db)
        let people = try Reply.people(of: registration.account, at: event.id, in: db)
            .filter { $0.party == registration.id }.map { (id: $0.person, name: $0.name) }
        self.init(
            registration, asks, people: people, try Reply.all(for: people.map(\.id), now: now, in: db), at: now)
    }
}

extension AnswerSheet {
    /// What can still be answered at a registration, filled with what was.
    init?(changing registration: Registration, at now: Instant, in db: Connection) throws {
        let event = registration.event
        let asks = try Ask.all(of: event, in: db)
        let people = try Reply.people(of: registration.account, at: event.id, in: db)
            .filter { $0.party == registration.id }
        let children = Dictionary(people.map { ($0.person, $0.child) }, uniquingKeysWith: { $1 })
        let replies = try Reply.all(for: people.map(\.person), now: now, in: db)
        let (items, given) = Self.items(
            changing: replies.map { ($0, children[$0.person]) }, asks, at: event.id,
            children: people.map { ($0.child, $0.name ?? "") })
        self.init(items, given: given, endingAt: event.endsAt, in: event.clock)
    }

    /// Makes sure that what was answered is still what is asked.
    ///
    /// - Throws: `Ask.Changed`, and the whole has to be done again.
    func requireCurrent(at event: ID<Event>, in db: Connection) throws {
        let asks = try Ask.all(of: event, in: db)
        for item in items {
            guard let ask = item.asks[event] else { continue }
            guard asks.contains(where: { $0.id == ask.id && $0.version == ask.version }) else { throw Ask.Changed() }
        }
    }
}
