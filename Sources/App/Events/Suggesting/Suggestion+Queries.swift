import Database

extension Suggestion {
    /// How many of the next events of all tags together are examined, and at least of each tag: with so many, later
    /// ones can wait.
    private static let window = 1_000
    private static let perTag = 25
    /// How many are loaded at once, until there are enough.
    private static let portion = 30
    /// How many of a member's last events determine their tags.
    static let remembered = 200

    /// The events that suit an account best.
    static func all(for taste: Taste, in tx: Transaction) throws -> [Suggestion] {
        var shared: [ID<Event>: (count: Int, startsAt: Instant)] = [:]
        let out = taste.out
        let tags = taste.tags.sorted()
        let most = max(perTag, window / max(1, tags.count))
        for tag in tags {
            try tx.each(
                """
                SELECT event_id, starts_at FROM event_tag WHERE tag = \(tag) AND starts_at > \(tx.now)
                ORDER BY starts_at, event_id LIMIT \(most)
                """
            ) { row in
                let (event, startsAt): (ID<Event>, Instant) = (try row.next(), try row.next())
                if !out.contains(event) { shared[event, default: (0, startsAt)].count += 1 }
                return true
            }
        }
        let order = shared.sorted {
            ($1.value.count, $0.value.startsAt, $0.key) < ($0.value.count, $1.value.startsAt, $1.key)
        }.map(\.key)
        // In the order of the rules, except for overlaps: once there are enough without overlaps, no other comes before
        // them.
        var found: [Candidate] = []
        var free = 0
        for start in stride(from: 0, to: order.count, by: portion) where free < Suggestion.most {
            let next = try candidates(order[start..<min(start + portion, order.count)], in: tx)
            found += next
            free += next.count { !$0.isFull && !taste.isBusy(from: $0.startsAt, to: $0.endsAt) }
        }
        let best = ranked(found, by: taste)
        let cards = try cards(of: best.map(\.id), in: tx)
        return best.compactMap { id, tags in
            cards[id].map { Suggestion(event: $0, tags: tags, source: taste.source(of: tags)) }
        }
    }

    private static func candidates(_ ids: ArraySlice<ID<Event>>, in tx: Transaction) throws -> [Candidate] {
        try tx.all(
            """
            SELECT id, starts_at, ends_at, coalesce(taken >= spots, FALSE) OR coalesce(closes_at <= \(tx.now), FALSE),
                tags
            FROM event
            WHERE id IN \(list: ids.padded(to: portion)) AND listed LIMIT \(portion)
            """
        ) { row in
            Candidate(
                id: try row.next(), startsAt: try row.next(), endsAt: try row.next(), isFull: try row.next(),
                tags: split(try row.next()))
        }
    }

    private static func cards(of ids: [ID<Event>], in db: Connection) throws -> [ID<Event>: EventCard] {
        let cards: [EventCard] = try db.all(
            """
            SELECT \(EventCard.columns) FROM event \(EventCard.host)
            WHERE event.id IN \(list: ids.padded(to: most)) LIMIT \(most)
            """)
        return Dictionary(uniqueKeysWithValues: cards.map { ($0.id, $0) })
    }

    static func split(_ stored: String) -> [String] { stored.split(separator: ",").map(String.init) }

    /// The most popular events of the next seven days, for a visitor without a history.
    static func popular(without less: Set<ID<Event>>, in tx: Transaction) throws -> [Suggestion] {
        let cards: [EventCard] = try tx.all(
            """
            SELECT \(EventCard.columns) FROM event \(EventCard.host)
            WHERE event.listed AND event.starts_at > \(tx.now) AND event.starts_at < \(tx.now + .days(7))
            ORDER BY event.starts_at, event.id LIMIT 500
            """)
        return cards.filter { !$0.isFull && !$0.admission.window.isClosed(at: tx.now) && !less.contains($0.id) }
            .sorted { ($1.taken, $0.startsAt, $0.id) < ($0.taken, $1.startsAt, $1.id) }
            .prefix(most).map { Suggestion(event: $0, tags: [], source: nil) }
    }
}

extension Suggestion.Taste {
    /// The tags of the last events that a member attends or posted.
    static func tags(of account: ID<Account>, in db: Connection) throws -> [String] {
        let joined: [String] = try db.all(
            """
            SELECT event.tags FROM registration JOIN event ON event.id = registration.event_id
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            WHERE \(try Guardian.bookings(of: account, in: db)) AND registration.state = 'confirmed'
            ORDER BY registration.id DESC LIMIT \(Suggestion.remembered)
            """
        ) { try $0.next() }
        let own: [String] = try db.all(
            """
            SELECT event.tags FROM event WHERE event.account_id = \(account)
            ORDER BY event.starts_at DESC, event.id DESC LIMIT \(Suggestion.remembered)
            """
        ) { try $0.next() }
        return (joined + own).flatMap(Suggestion.split)
    }

    /// An account's known interests.
    init(of account: ID<Account>, in tx: Transaction) throws {
        self.init()
        let bookings = try Guardian.bookings(of: account, in: tx)
        known = try tx.all(
            """
            SELECT event.id, \(EventTitle.columns), event.tags FROM registration
            JOIN event ON event.id = registration.event_id
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            WHERE \(bookings) AND registration.state = 'confirmed'
            ORDER BY registration.id DESC LIMIT \(Suggestion.remembered)
            """
        ) { (try $0.next(), try $0.next(), Suggestion.split(try $0.next())) }
        known += try tx.all(
            """
            SELECT event.id, \(EventTitle.columns), event.tags FROM event
            WHERE event.account_id = \(account)
            ORDER BY event.starts_at DESC, event.id DESC LIMIT \(Suggestion.remembered)
            """
        ) { (try $0.next(), try $0.next(), Suggestion.split(try $0.next())) }
        busy = try tx.all(
            """
            SELECT event.starts_at, event.ends_at FROM registration
            JOIN event ON event.id = registration.event_id AND event.ends_at > \(tx.now) AND event.cancelled_at IS NULL
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            WHERE \(bookings) AND registration.state = 'confirmed' LIMIT 1000
            """
        ) { (try $0.next(), try $0.next()) }
        lessTags = Set(try Suggestion.lessTags(of: account, in: tx))
        lessEvents = Set(try Suggestion.lessEvents(of: account, in: tx).map(\.id))
    }
}

extension Suggestion {
    static func lessTags(of account: ID<Account>, in db: Connection) throws -> [String] {
        try db.all(
            "SELECT tag FROM less WHERE account_id = \(account) AND tag IS NOT NULL ORDER BY tag LIMIT \(mostLess)"
        ) { try $0.next() }
    }

    static func lessEvents(of account: ID<Account>, in db: Connection) throws -> [(id: ID<Event>, title: EventTitle)] {
        try db.all(
            """
            SELECT event.id, \(EventTitle.columns) FROM less JOIN event ON event.id = less.event_id
            WHERE less.account_id = \(account) AND less.event_id IS NOT NULL AND event.listed
            ORDER BY less.event_id DESC LIMIT \(mostLess)
            """
        ) { (try $0.next(), try $0.next()) }
    }

    /// The most tags, and the most events, that can be rejected.
    private static let mostLess = 200

    static func lessHelp(of account: ID<Account>, in db: Connection) throws -> [(id: ID<Opportunity>, title: String)] {
        try db.all(
            """
            SELECT opportunity.id, opportunity.title FROM less JOIN opportunity ON opportunity.id = less.opportunity_id
            WHERE less.account_id = \(account) AND less.opportunity_id IS NOT NULL AND opportunity.listed
            ORDER BY less.opportunity_id DESC LIMIT \(mostLess)
            """
        ) { (try $0.next(), try $0.next()) }
    }

    /// Rejects a tag, an event or an opportunity, or restores it.
    static func less(_ wish: Less, isUndone: Bool, of account: ID<Account>, in db: Connection) throws {
        let column: SQL
        let one: SQL
        switch wish {
        case .tag(let name):
            column = "tag"
            one = "\(name)"
        case .event(let id):
            guard try isUndone || db.exists("SELECT 1 FROM event WHERE id = \(id) AND listed") else {
                throw Refusal.notFound
            }
            column = "event_id"
            one = "\(id)"
        case .help(let id):
            guard try isUndone || db.exists("SELECT 1 FROM opportunity WHERE id = \(id) AND listed") else {
                throw Refusal.notFound
            }
            column = "opportunity_id"
            one = "\(id)"
        }
        let kind: SQL = "\(column) IS NOT NULL"
        guard !isUndone else {
            try db.execute("DELETE FROM less WHERE account_id = \(account) AND \(column) = \(one) AND \(kind)")
            return
        }
        let count: Int = try db.value("SELECT count(*) FROM less WHERE account_id = \(account) AND \(kind)") ?? 0
        if count >= mostLess {
            // The oldest one is dropped.
            let first: Int64? = try db.value("SELECT min(id) FROM less WHERE account_id = \(account) AND \(kind)")
            try db.execute("DELETE FROM less WHERE id = \(first)")
        }
        try db.execute(
            """
            INSERT INTO less (account_id, \(column)) VALUES (\(account), \(one)) ON CONFLICT DO NOTHING
            """)
    }
}

extension SuggestionPage {
    /// The suggestions for an account, or for a visitor without one.
    init(for account: ID<Account>?, in tx: Transaction) throws {
        let taste = try account.map { try Suggestion.Taste(of: $0, in: tx) }
        let personal = try taste.map { try Suggestion.all(for: $0, in: tx) } ?? []
        let isPersonal = taste.map { !$0.tags.isEmpty } ?? false
        self.init(
            suggestions: isPersonal
                ? personal : try Suggestion.popular(without: taste?.lessEvents ?? [], in: tx),
            isPersonal: isPersonal,
            lessTags: (taste?.lessTags ?? []).sorted(),
            lessEvents: try account.map { try Suggestion.lessEvents(of: $0, in: tx) } ?? [],
            isSignedIn: account != nil)
    }
}
