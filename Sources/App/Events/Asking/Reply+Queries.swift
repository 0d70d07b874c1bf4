import Database

extension Reply: RowDecodable {
    /// `account` and `family` must be joined for the person who answered.
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

    // MARK: Queries

    /// The answers for each person at an event; not queried if it never asked.
    static func all(at event: Event, in tx: Transaction) throws -> [ID<Registration.Person>: [Reply]] {
        guard event.isAsking else { return [:] }
        let replies: [Reply] = try tx.all(
            """
            SELECT \(columns) FROM reply \(giver)
            WHERE reply.event_id = \(event.id) AND reply.erase_at > \(tx.now)
            ORDER BY reply.event_id, reply.id LIMIT 100000
            """)
        return Dictionary(grouping: replies, by: \.person)
    }

    /// A family's people who come to an event or wait for it, with the answers for each.
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

    static func all(for people: [ID<Registration.Person>], in tx: Transaction) throws -> [Reply] {
        guard !people.isEmpty else { return [] }
        return try tx.all(
            """
            SELECT \(columns) FROM reply \(giver)
            WHERE reply.person_id IN \(list: people.padded(to20Or: 100)) AND reply.erase_at > \(tx.now) LIMIT 2000
            """
        ).sorted { $0.id < $1.id }
    }

    /// The current questions that a family has answered at an event already. A required consent only counts if it
    /// hasn't been revoked.
    static func answered(
        _ asks: [Ask], of account: ID<Account>, at event: ID<Event>, in tx: Transaction
    ) throws -> Set<ID<Ask>> {
        let people = try people(of: account, at: event, in: tx).map(\.person)
        let replies = try all(for: people, in: tx)
        return Set(
            asks.filter { ask in
                let isNeeded = ask.kind.isConsent && ask.content.isRequired
                return replies.contains { $0.answers(ask) && ($0.isGiven || !isNeeded) }
            }.map(\.id))
    }

    // MARK: Changes

    /// Stores a parent's answers for a family's people who have a place at an event or wait. An identical answer to the
    /// same text is left unchanged.
    static func store(
        _ entries: [AnswerSheet.Entry], of account: ID<Account>, by giver: ID<Account>, at event: ID<Event>,
        in tx: Transaction
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
                // A given consent isn't cleared but revoked.
                if !ask.kind.isConsent {
                    try tx.execute(
                        """
                        DELETE FROM reply
                        WHERE ask_id = \(ask.id) AND person_id IN (SELECT registration_person.id \(people))
                        """)
                }
                continue
            }
            // A no after a yes: the record of the consent and of its revocation stays.
            if ask.kind.isConsent, answer == no {
                try tx.execute(
                    """
                    UPDATE reply SET taken_back_at = coalesce(taken_back_at, \(tx.now))
                    WHERE ask_id = \(ask.id) AND version = \(ask.version) AND answer = \(yes)
                        AND person_id IN (SELECT registration_person.id \(people))
                    """)
            }
            try tx.execute(
                """
                INSERT INTO reply (
                    person_id, event_id, ask_id, version, kind, is_each, text, answer, giver_id, at, days, erase_at)
                SELECT registration_person.id, event.id, ask.id, ask.version, ask.kind, ask.is_each, ask.text,
                    \(answer), \(giver), \(tx.now), ask.days, event.ends_at + ask.days * \(day)
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
        if !entries.isEmpty { try share(of: account, at: event, in: tx) }
    }

    /// Copies a family's answers about itself to its people who were added later.
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

    /// Stores changed answers at the other dates that a family still has in a term, where the same is asked.
    static func spread(
        _ entries: [AnswerSheet.Entry], of account: ID<Account>, by giver: ID<Account>, from event: Event,
        in tx: Transaction
    ) throws {
        guard let series = event.series, event.isTerm, !entries.isEmpty else { return }
        let held: [ID<Event>] = try tx.all(
            """
            SELECT event.id FROM registration JOIN event ON event.id = registration.event_id
            WHERE registration.account_id = \(account) AND \(Registration.isHeld)
                AND event.series_id = \(series) AND event.id <> \(event.id) AND event.starts_at > \(tx.now)
            LIMIT \(2 * Series.most)
            """
        ) { try $0.next() }
        guard !held.isEmpty else { return }
        let asks = try Ask.all(inSeries: series, in: tx)
        for date in held.uniqued() {
            let same = entries.compactMap { entry in
                asks.first {
                    $0.event == date && $0.ask.family == entry.ask.family && $0.ask.content == entry.ask.content
                }.map { AnswerSheet.Entry(ask: $0.ask, child: entry.child, answer: entry.answer) }
            }
            try store(same, of: account, by: giver, at: date, in: tx)
        }
    }

    /// Revokes a consent at any time: all copies of a family's consent, and at every date of a series where the family
    /// agreed to the same words.
    ///
    /// - Throws: `Refusal.notFound` if it isn't this family's.
    static func takeBack(
        _ id: ID<Reply>, from party: ID<Registration>, of account: ID<Account>, in tx: Transaction
    ) throws {
        let own: Own? = try tx.first(
            """
            SELECT event.id, event.series_id, registration_person.child_id, reply.text, reply.is_each FROM reply
            JOIN registration_person ON registration_person.id = reply.person_id
            JOIN registration ON registration.id = registration_person.registration_id
            JOIN event ON event.id = registration.event_id
            WHERE reply.id = \(id) AND registration.id = \(party) AND registration.account_id = \(account)
                AND reply.kind IN ('agree', 'photo')
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        guard let own else { throw Refusal.notFound }
        let dates: SQL = own.series.map { "IN (SELECT id FROM event WHERE series_id = \($0))" } ?? "= \(own.event)"
        let child: SQL = own.isEach ? own.child.map { " AND registration_person.child_id = \($0)" } ?? "" : ""
        let which: SQL =
            own.isEach && own.child == nil
            ? "id = \(id)"
            : """
            is_each = \(own.isEach) AND text = \(own.text) AND kind IN ('agree', 'photo') AND person_id IN (
                SELECT registration_person.id FROM registration
                JOIN registration_person ON registration_person.registration_id = registration.id\(child)
                WHERE registration.account_id = \(account) AND registration.event_id \(dates))
            """
        try tx.execute(
            """
            UPDATE reply SET taken_back_at = \(tx.now)
            WHERE \(which) AND answer = \(yes) AND taken_back_at IS NULL
            """)
    }

    /// What is read of a consent before it is revoked.
    private typealias Own = (event: ID<Event>, series: ID<Event>?, child: ID<Child>?, text: String, isEach: Bool)

    // MARK: Retention

    /// A day in the unit of instants.
    static let day = Duration.days(1).wholeMilliseconds

    /// Shortens the retention of a question's answers.
    static func keep(_ ask: ID<Ask>, days: Int, in db: Connection) throws {
        try db.execute(
            """
            UPDATE reply SET days = \(days), erase_at = erase_at - (days - \(days)) * \(day)
            WHERE ask_id = \(ask) AND days > \(days)
            """)
    }

    /// Marks the answers of people who left a party for erasure after ten minutes, in case they come back.
    static func part(from party: ID<Registration>, in tx: Transaction) throws {
        let end = tx.now + Undo.time
        try tx.execute(
            """
            UPDATE reply SET erase_at = \(end) WHERE erase_at > \(end) AND person_id IN (
                SELECT id FROM registration_person
                WHERE registration_id = \(party) AND cancelled_at IS NOT NULL)
            """)
    }

    /// Restores the retention of the answers of people who came back.
    static func comeBack(_ people: [ID<Registration.Person>], in db: Connection) throws {
        guard !people.isEmpty else { return }
        try db.execute(
            """
            UPDATE reply SET erase_at = (SELECT event.ends_at FROM event WHERE event.id = reply.event_id)
                + days * \(day)
            WHERE person_id IN \(list: people) AND erase_at > 0
            """)
    }

    /// Adjusts the retention of an event's answers to its new end.
    static func follow(_ event: Event, in db: Connection) throws {
        try db.execute(
            """
            UPDATE reply SET erase_at = \(event.endsAt) + days * \(day)
            WHERE event_id = \(event.id) AND erase_at > 0 AND EXISTS (
                SELECT 1 FROM registration_person
                WHERE registration_person.id = reply.person_id AND registration_person.cancelled_at IS NULL)
            """)
    }

    /// Erases the answers about a child who is deleted.
    static func erase(of child: ID<Child>, in db: Connection) throws {
        try empty("person_id IN (SELECT id FROM registration_person WHERE child_id = \(child))", in: db)
    }

    /// Erases the answers for a canceled event.
    static func erase(of event: ID<Event>, in db: Connection) throws {
        try empty("event_id = \(event)", in: db)
    }

    /// Erases the content of answers immediately; scheduled work deletes the rows and what depends on them.
    static func empty(_ which: SQL, in db: Connection) throws {
        try db.execute("UPDATE reply SET text = '', answer = '', giver_id = NULL, erase_at = 0 WHERE \(which)")
    }

    /// Erases expired answers, and the registrations that were kept only because of them.
    ///
    /// - Parameter past: How long a registration without answers is kept.
    /// - Returns: The number of answers.
    static func eraseOld(past: Duration, in tx: Transaction) throws -> Int {
        var count = 0
        while true {
            let due: [(reply: ID<Reply>, party: ID<Registration>?)] = try tx.all(
                """
                SELECT reply.id, CASE WHEN event.ends_at <= \(tx.now - past) THEN registration.id END FROM reply
                JOIN registration_person ON registration_person.id = reply.person_id
                JOIN registration ON registration.id = registration_person.registration_id
                JOIN event ON event.id = registration.event_id
                WHERE reply.erase_at <= \(tx.now) LIMIT 4000
                """
            ) { (try $0.next(), try $0.next()) }
            guard !due.isEmpty else { return count }
            count += due.count
            for start in stride(from: 0, to: due.count, by: 400) {
                let some = due[start..<min(start + 400, due.count)]
                try tx.execute("DELETE FROM reply WHERE id IN \(list: some.map(\.reply).padded(to: 400))")
            }
            let parties = Array(Set(due.compactMap(\.party)))
            for start in stride(from: 0, to: parties.count, by: 400) {
                let some = parties[start..<min(start + 400, parties.count)]
                let which: SQL = """
                    id IN \(list: some.padded(to: 400)) AND NOT \(isKept) AND NOT EXISTS (
                        SELECT 1 FROM family WHERE family.account_id = registration.account_id AND family.keeps_past)
                    """
                try Notice.erase("registration_id IN (SELECT id FROM registration WHERE \(which))", in: tx)
                try tx.execute("DELETE FROM registration WHERE \(which)")
            }
        }
    }

    /// Whether a `registration` still has answers.
    static let isKept: SQL = """
        EXISTS (SELECT 1 FROM registration_person
            JOIN reply ON reply.person_id = registration_person.id
            WHERE registration_person.registration_id = registration.id)
        """
}

extension FamilyAnswers {
    /// The answers of a registration; not queried if its event never asked.
    init?(_ registration: Registration, in tx: Transaction) throws {
        let event = registration.event
        guard event.isAsking, !event.isForEveryone else { return nil }
        let asks = try Ask.all(of: event, in: tx)
        let people = try Reply.people(of: registration.account, at: event.id, in: tx)
            .filter { $0.party == registration.id }.map { (id: $0.person, name: $0.name) }
        self.init(registration, asks, people: people, try Reply.all(for: people.map(\.id), in: tx), at: tx.now)
    }
}

extension OpenQuestions {
    /// A family's open questions at events for which it can still answer, soonest first.
    static func all(of head: ID<Account>, in tx: Transaction) throws -> [OpenQuestions] {
        var found: [OpenQuestions] = []
        var families: Set<ID<Ask>> = []
        try tx.each(
            """
            SELECT registration.id, ask.id, ask.is_each, \(EventTitle.columns) FROM registration
            JOIN event ON event.id = registration.event_id
            JOIN ask ON ask.event_id = event.id
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL AND registration_person.child_id IS NOT NULL
            WHERE registration.account_id = \(head) AND registration.state = 'confirmed'
                AND event.listed AND event.cancelled_at IS NULL AND event.audience = 'kids'
                AND CASE WHEN event.sessions THEN event.ends_at ELSE event.starts_at END > \(tx.now)
                AND (ask.is_required OR ask.kind IN ('agree', 'photo') AND EXISTS (
                    SELECT 1 FROM draw_event WHERE draw_event.event_id = event.id))
                AND NOT EXISTS (SELECT 1 FROM reply WHERE reply.person_id = registration_person.id
                    AND reply.ask_id = ask.id AND reply.version = ask.version)
            ORDER BY event.starts_at, registration.id, ask.place, ask.id, registration_person.id LIMIT 500
            """
        ) { row in
            let (registration, ask): (ID<Registration>, ID<Ask>) = (try row.next(), try row.next())
            let isEach: Bool = try row.next()
            let title: EventTitle = try row.next()
            guard isEach || families.insert(ask).inserted else { return true }
            if found.last?.registration != registration {
                found.append(OpenQuestions(registration: registration, title: title, count: 0))
            }
            found[found.count - 1].count += 1
            return true
        }
        return found
    }
}

extension AnswerSheet {
    /// The questions that can still be answered for a registration, filled in with the answers so far.
    init?(changing registration: Registration, in tx: Transaction) throws {
        let event = registration.event
        let asks = try Ask.all(of: event, in: tx)
        let people = try Reply.people(of: registration.account, at: event.id, in: tx)
            .filter { $0.party == registration.id }
        let children = Dictionary(people.map { ($0.person, $0.child) }, uniquingKeysWith: { $1 })
        let replies = try Reply.all(for: people.map(\.person), in: tx)
        let (items, given) = Self.items(
            changing: replies.map { ($0, children[$0.person]) }, asks, at: event.id,
            children: people.map { ($0.child, $0.name ?? "") })
        self.init(items, given: given, endingAt: event.endsAt, in: event.clock)
    }

    /// Makes sure that the answered questions are still current.
    ///
    /// - Throws: `Ask.Changed`; then repeat the whole operation.
    func requireCurrent(at event: ID<Event>, in db: Connection) throws {
        let asks = try Ask.all(of: event, in: db)
        for item in items {
            guard let ask = item.asks[event] else { continue }
            guard asks.contains(where: { $0.id == ask.id && $0.version == ask.version }) else { throw Ask.Changed() }
        }
    }
}
