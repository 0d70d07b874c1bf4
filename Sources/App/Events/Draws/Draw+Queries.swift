import Database

extension Draw: RowDecodable {
    static let columns: Columns = [
        "draw.id", "draw.account_id", "coalesce(provider.organization, account.username)", "draw.title",
        "draw.first_zips", "draw.last_day", "draw.until_at", "draw.sealed_at", "draw.hash",
        "draw.families", "draw.wishes", "draw.seed", "draw.drawn_at", "draw.done_at", "draw.progress",
        "account.suspended_at IS NOT NULL",
    ]

    static let sources: SQL = """
        draw JOIN account ON account.id = draw.account_id
        LEFT JOIN provider ON provider.account_id = draw.account_id
        """

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), host: try row.next(), hostName: try row.next(), title: try row.next(),
            firstZIPs: (try row.next() as String).split(separator: "\n").map(String.init), lastDay: try row.next(),
            until: try row.next(), sealedAt: try row.next(), hash: try row.next(),
            families: try row.next(), wishes: try row.next(), seed: try row.next(), drawnAt: try row.next(),
            doneAt: try row.next(), progress: try row.next(), isHidden: try row.next())
    }
}

extension Draw {
    // MARK: Queries

    static func find(_ id: ID<Draw>, in db: Connection) throws -> Draw? {
        try db.first("SELECT \(columns) FROM \(sources) WHERE draw.id = \(id)")
    }

    /// The draw for an event's places, until it is complete.
    static func pending(at event: ID<Event>, in db: Connection) throws -> Draw? {
        try db.first(
            """
            SELECT \(columns) FROM \(sources) JOIN draw_event ON draw_event.draw_id = draw.id
            WHERE draw_event.event_id = \(event) AND draw.done_at IS NULL
            """)
    }

    /// The draws for some of these events.
    static func pending(at events: [Event], in db: Connection) throws -> [ID<Event>: ID<Draw>] {
        var draws: [ID<Event>: ID<Draw>] = [:]
        guard !events.isEmpty else { return draws }
        try db.each(
            """
            SELECT draw_event.event_id, draw.id FROM draw_event JOIN draw ON draw.id = draw_event.draw_id
            WHERE draw_event.event_id IN \(list: events.map(\.id).padded(to: Event.pageSize))
                AND draw.done_at IS NULL LIMIT \(Event.pageSize)
            """
        ) { row in
            let event: ID<Event> = try row.next()
            draws[event] = try row.next()
            return true
        }
        return draws
    }

    /// Whether an event's places are assigned by a draw that isn't complete: there is no registration before.
    ///
    /// - Parameter event: The column with its ID.
    static func isPending(at event: SQL) -> SQL {
        """
        EXISTS (SELECT 1 FROM draw_event JOIN draw ON draw.id = draw_event.draw_id
            WHERE draw_event.event_id = \(event) AND draw.done_at IS NULL)
        """
    }

    /// Whether an event's places were drawn, or are to be.
    static func wasHeld(at event: ID<Event>, in db: Connection) throws -> Bool {
        try db.value("SELECT EXISTS (SELECT 1 FROM draw_event WHERE draw_event.event_id = \(event))") ?? false
    }

    /// A host's draws, newest first.
    static func all(of host: ID<Account>, in db: Connection) throws -> [Draw] {
        try db.all(
            """
            SELECT \(columns) FROM \(sources) WHERE draw.account_id = \(host)
            ORDER BY draw.id DESC LIMIT \(mostListed)
            """)
    }

    /// A host's events whose places can be drawn: upcoming events for children with a limited number of places, all of
    /// them free, and no registrations; without sessions and held places, and registered date by date.
    static func candidates(of host: ID<Account>, in tx: Transaction) throws -> [Event] {
        let ids: [ID<Event>] = try tx.all(
            """
            SELECT event.id FROM event
            WHERE event.account_id = \(host) AND event.starts_at > \(tx.now) AND event.audience = 'kids'
                AND event.listed AND event.cancelled_at IS NULL AND event.spots IS NOT NULL AND NOT event.sessions
                AND event.booking = 'each' AND event.held = 0 AND event.taken = 0
                AND NOT EXISTS (SELECT 1 FROM registration WHERE registration.event_id = event.id)
                AND NOT EXISTS (SELECT 1 FROM draw_event WHERE draw_event.event_id = event.id)
            ORDER BY event.starts_at, event.id LIMIT \(mostEvents)
            """
        ) { try $0.next() }
        return try Event.all(ids, in: tx)
    }

    /// A draw's events, in order of time.
    static func events(of id: ID<Draw>, in db: Connection) throws -> [Event] {
        let ids: [ID<Event>] = try db.all(
            """
            SELECT event.id FROM draw_event JOIN event ON event.id = draw_event.event_id
            WHERE draw_event.draw_id = \(id) AND NOT draw_event.gone LIMIT \(mostEvents)
            """
        ) { try $0.next() }
        return try Event.all(ids, in: db).sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
    }

    /// A family's code in the public lists; nil if it has no wishes.
    func code(of family: ID<Account>, in db: Connection) throws -> String? {
        try db.value("SELECT code FROM wish_sheet WHERE draw_id = \(id) AND account_id = \(family)")
    }

    // MARK: Changes

    /// The draw made by an earlier submission of the form with this `once`.
    static func sent(_ once: String, by host: ID<Account>, in db: Connection) throws -> ID<Draw>? {
        try db.value("SELECT id FROM draw WHERE account_id = \(host) AND once = \(once)")
    }

    /// Publishes a draw.
    ///
    /// - Returns: Its ID, or that of the draw made by an earlier submission of the form.
    /// - Throws: `Refusal.overtaken` if one of the events can't be drawn anymore.
    static func create(
        _ form: DrawForm, until: Instant, of host: ID<Account>, once: String, in tx: Transaction
    ) throws -> ID<Draw> {
        if let earlier = try sent(once, by: host, in: tx) { return earlier }
        let open = Set(try candidates(of: host, in: tx).map(\.id))
        guard let lastDay = form.lastDay, !form.events.isEmpty, form.events.allSatisfy(open.contains) else {
            throw Refusal.overtaken(.newDraw)
        }
        let id = ID<Draw>(
            try tx.insert(
                """
                INSERT INTO draw (account_id, title, first_zips, last_day, until_at, once, created_at)
                VALUES (\(host), \(form.title), \(form.zips.joined(separator: "\n")), \(lastDay), \(until), \(once),
                    \(tx.now))
                """))
        for event in Set(form.events).sorted() {
            try tx.execute("INSERT INTO draw_event (draw_id, number, event_id) VALUES (\(id), \(event), \(event))")
        }
        return id
    }

    /// Cancels a draw, so that families can register for its events, and notifies families with wishes.
    ///
    /// - Throws: `Refusal.tooLate` once the draw has taken place.
    static func callOff(_ id: ID<Draw>, of host: ID<Account>, in tx: Transaction) throws {
        guard let draw = try find(id, in: tx), draw.host == host else { throw Refusal.notFound }
        guard draw.canBeCalledOff else { throw Refusal.tooLate }
        try end(id, in: tx)
    }

    /// Takes wishes for longer, and notifies families that sent some.
    ///
    /// - Returns: Whether that is new.
    /// - Throws: `Refusal.tooLate` once the time for wishes is over; `Refusal.overtaken` if an event begins before.
    func extend(to day: Day, until: Instant, in tx: Transaction) throws -> Bool {
        try Self.requireOpen(id, in: tx)
        let events = try Self.events(of: id, in: tx).filter { !$0.isCancelled }
        guard events.allSatisfy({ $0.startsAt > until }) else { throw Refusal.overtaken(link) }
        let count = try tx.execute(
            """
            UPDATE draw SET last_day = \(day), until_at = \(until) WHERE id = \(id) AND until_at < \(until)
            """)
        guard count == 1 else { return false }
        try Self.tell(
            .later, of: id, event: events.first { !$0.isHidden }?.id,
            "account.id IN (SELECT account_id FROM wish_sheet WHERE wish_sheet.draw_id = \(id))", in: tx)
        return true
    }

    /// Cancels all incomplete draws of a leaving host.
    static func callOffAll(of host: ID<Account>, in tx: Transaction) throws {
        let open: [ID<Draw>] = try tx.all(
            "SELECT id FROM draw WHERE account_id = \(host) AND done_at IS NULL ORDER BY id LIMIT 1000"
        ) { try $0.next() }
        for id in open { try end(id, in: tx) }
    }

    /// Notifies families with wishes that there is no draw, and erases it.
    private static func end(_ id: ID<Draw>, in tx: Transaction) throws {
        // Earlier notices also link to the event, because the draw's page is gone.
        let event = try events(of: id, in: tx).first { !$0.isCancelled && !$0.isHidden }?.id
        try tx.execute(
            """
            UPDATE notice SET event_id = \(event), subject = NULL
            WHERE kind = \(NoticeKind.drawn) AND subject = \(id)
                AND event_id IN (SELECT event_id FROM draw_event WHERE draw_id = \(id))
            """)
        try tell(
            .off, of: nil, event: event,
            "account.id IN (SELECT account_id FROM wish_sheet WHERE wish_sheet.draw_id = \(id))", in: tx)
        try tx.execute("DELETE FROM draw WHERE id = \(id)")
    }

    /// Stores the seed, once. Events canceled by then are excluded.
    ///
    /// - Throws: `Refusal.overtaken` if there is a seed already, or the wishes aren't sealed yet.
    static func draw(_ id: ID<Draw>, by seed: String, in tx: Transaction) throws {
        let count = try tx.execute(
            """
            UPDATE draw SET seed = \(seed), drawn_at = \(tx.now)
            WHERE id = \(id) AND sealed_at IS NOT NULL AND drawn_at IS NULL
            """)
        guard count == 1 else { throw Refusal.overtaken(.draw(id)) }
        try tx.execute(
            """
            UPDATE draw_event SET gone = TRUE
            WHERE draw_id = \(id) AND NOT EXISTS (SELECT 1 FROM event
                WHERE event.id = draw_event.event_id AND event.cancelled_at IS NULL AND event.starts_at > \(tx.now))
            """)
    }

    /// Makes sure that an event still fits its draw after a change: with a limited number of places, without sessions,
    /// registered date by date, and after the deadline for wishes. After the deadline the number of places is fixed,
    /// because it is published.
    ///
    /// - Throws: `KeepsPlaces`.
    static func check(_ event: Event, in tx: Transaction) throws {
        let found: (draw: ID<Draw>, until: Instant, spots: Int?)? = try tx.first(
            """
            SELECT draw.id, draw.until_at, event.spots FROM draw_event JOIN draw ON draw.id = draw_event.draw_id
            JOIN event ON event.id = draw_event.event_id
            WHERE draw_event.event_id = \(event.id) AND draw.done_at IS NULL
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        guard let found else { return }
        guard event.booking == .each else { throw KeepsPlaces(isTogether: true) }
        guard let spots = event.spots, !event.hasSessions else { throw KeepsPlaces() }
        if spots != found.spots {
            guard try isOpen(found.draw, in: tx) else { throw KeepsPlaces() }
        }
        guard event.startsAt > found.until else { throw KeepsPlaces(isEarly: true) }
    }

    /// Makes sure, within the transaction that does it, that a colleague still is one; what those who run the
    /// site do for a host stands in their log.
    func authorize(_ verb: TeamAct.Verb, by member: Visitor, in tx: Transaction) throws {
        guard member.acting == host else {
            let act: AuditEntry.Verb = verb == .drew ? .drawLots : .endDraw
            return try AuditEntry.record(act, title, id.rawValue, of: host, reason: "", by: member.account, in: tx)
        }
        try Colleague.authorize(verb, title, by: member, in: tx)
    }

    /// Whether sealing hasn't begun, within the transaction that depends on it: sealing takes several transactions, for
    /// some of which this one may have waited.
    private static func isOpen(_ id: ID<Draw>, in tx: Transaction) throws -> Bool {
        try tx.exists(
            """
            SELECT 1 FROM draw WHERE draw.id = \(id) AND draw.until_at > \(tx.now) AND draw.sealed_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM draw_event
                    WHERE draw_event.draw_id = draw.id AND draw_event.places IS NOT NULL)
            """)
    }

    /// Makes sure, within the transaction that changes a wish, that sealing hasn't begun.
    ///
    /// - Throws: `Refusal.tooLate`.
    static func requireOpen(_ id: ID<Draw>, in tx: Transaction) throws {
        guard try isOpen(id, in: tx) else { throw Refusal.tooLate }
    }

    // MARK: Notifying

    /// Notifies families about a draw.
    ///
    /// - Parameters:
    ///   - event: The event for the notice; nil if all are canceled.
    ///   - accounts: A condition on `account`.
    static func tell(
        _ news: DrawNews.What, of id: ID<Draw>?, event: ID<Event>?, _ accounts: SQL, in tx: Transaction
    ) throws {
        try Notice.tell(
            .init(kind: .drawn, event: event, detail: news.rawValue, subject: id?.rawValue), accounts, in: tx)
    }

    /// Notifies families that one of their wishes is canceled, while they can still wish for another event.
    static func tellOfLost(_ event: ID<Event>, in tx: Transaction) throws {
        guard let draw = try pending(at: event, in: tx), try isOpen(draw.id, in: tx) else { return }
        try tell(
            .lost, of: draw.id, event: event,
            """
            account.id IN (SELECT wish_sheet.account_id FROM wish_sheet JOIN wish ON wish.sheet_id = wish_sheet.id
                WHERE wish_sheet.draw_id = \(draw.id) AND wish.event_id = \(event))
            """, in: tx)
    }

    /// A family's wishes, child by child, in order.
    static func wishes(of family: ID<Account>, in id: ID<Draw>, db: Connection) throws -> [DrawPage.Wished] {
        var lists: [DrawPage.Wished] = []
        var last: Int?
        try db.each(
            """
            SELECT wish.number, child.nickname, event.cancelled_at IS NOT NULL, \(EventTitle.columns)
            FROM wish JOIN event ON event.id = wish.event_id JOIN child ON child.id = wish.child_id
            WHERE wish.sheet_id = (SELECT id FROM wish_sheet WHERE draw_id = \(id) AND account_id = \(family))
            ORDER BY wish.number, wish.rank LIMIT 1000
            """
        ) { row in
            let (number, child): (Int, String) = (try row.next(), try row.next())
            let isOff: Bool = try row.next()
            let title: EventTitle = try row.next()
            if number != last { lists.append(DrawPage.Wished(child: child)) }
            last = number
            lists[lists.count - 1].events.append((title: title.words, isOff: isOff))
            return true
        }
        return lists
    }

    /// A family's places and waiting list entries at a draw's events.
    static func held(by family: ID<Account>, in id: ID<Draw>, db: Connection) throws -> [DrawPage.Held] {
        try db.all(
            """
            SELECT registration.id, \(EventTitle.columns), \(Registration.size), registration.state,
                (SELECT count(*) FROM ask WHERE ask.event_id = event.id AND NOT EXISTS (
                    SELECT 1 FROM registration_person
                    JOIN reply ON reply.person_id = registration_person.id AND reply.ask_id = ask.id
                    WHERE registration_person.registration_id = registration.id))
            FROM draw_event JOIN registration ON registration.event_id = draw_event.event_id
            JOIN event ON event.id = registration.event_id
            WHERE draw_event.draw_id = \(id) AND registration.account_id = \(family) AND \(Registration.isHeld)
            ORDER BY event.starts_at, registration.id LIMIT 200
            """
        ) { row in
            let number: ID<Registration> = try row.next()
            let title: EventTitle = try row.next()
            let count: Int = try row.next()
            let state: Registration.State = try row.next()
            return DrawPage.Held(
                registration: number, title: title.words, count: count, isWaiting: state != .confirmed,
                open: try row.next())
        }
    }

    /// The names of a family's children in its places and waiting list entries at a draw's events.
    static func names(by family: ID<Account>, in id: ID<Draw>, db: Connection) throws -> [ID<Registration>: [String]] {
        var names: [ID<Registration>: [String]] = [:]
        try db.each(
            """
            SELECT registration.id, child.nickname
            FROM draw_event JOIN registration ON registration.event_id = draw_event.event_id
            JOIN registration_person ON registration_person.registration_id = registration.id
            JOIN child ON child.id = registration_person.child_id
            WHERE draw_event.draw_id = \(id) AND registration.account_id = \(family) AND \(Registration.isHeld)
                AND registration_person.cancelled_at IS NULL
            LIMIT 1000
            """
        ) { row in
            let (registration, name): (ID<Registration>, String) = (try row.next(), try row.next())
            names[registration, default: []].append(name)
            return true
        }
        return names.mapValues { $0.sorted() }
    }

    // MARK: Erasing

    /// Erases wishes a while after the draw is complete, and the anonymous lines later. A draw without a seed a while
    /// after the deadline is canceled, so that families can register.
    static func eraseOld(in tx: Transaction) throws -> Int {
        let undrawn: [ID<Draw>] = try tx.all(
            """
            SELECT id FROM draw WHERE done_at IS NULL AND until_at <= \(tx.now - memory)
                AND coalesce(drawn_at, until_at) <= \(tx.now - memory)
            ORDER BY until_at LIMIT 1
            """
        ) { try $0.next() }
        for id in undrawn { try end(id, in: tx) }
        return try undrawn.count
            + tx.execute(
                """
                DELETE FROM wish_sheet WHERE draw_id IN (SELECT id FROM draw
                    WHERE done_at IS NOT NULL AND done_at <= \(tx.now - memory))
                """)
            + tx.execute(
                """
                DELETE FROM draw_unit WHERE draw_id IN (SELECT id FROM draw
                    WHERE done_at IS NOT NULL AND done_at <= \(tx.now - lineMemory))
                """)
    }
}

extension DrawPage {
    /// A draw's page for this reader.
    ///
    /// - Throws: `Refusal.notFound` if its host is suspended, or there is no draw.
    init(_ id: ID<Draw>, for visitor: Visitor?, in tx: Transaction) throws {
        guard let draw = try Draw.find(id, in: tx) else { throw Refusal.notFound }
        let isOwn = visitor.map { $0.isProvider && !$0.onlyLooks && $0.acting == draw.host } ?? false
        let isStaff = visitor?.isStaff == true
        guard !draw.isHidden || isOwn || isStaff else { throw Refusal.notFound }
        let numbers: [(number: ID<Event>, places: Int?, isGone: Bool)] = try tx.all(
            """
            SELECT number, places, gone FROM draw_event WHERE draw_id = \(id) ORDER BY number
            LIMIT \(Draw.mostEvents)
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        let events = Dictionary(
            try Event.all(numbers.map(\.number), in: tx).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let families: Int = try draw.families ?? tx.value("SELECT count(*) FROM wish_sheet WHERE draw_id = \(id)") ?? 0
        let wishes = draw.wishes ?? 0
        let isErased = try wishes > 0 && !tx.exists("SELECT 1 FROM draw_unit WHERE draw_id = \(id)")
        self.init(
            draw: draw, phase: draw.phase(at: tx.now),
            events: numbers.map { number, places, isGone in
                let event = events[number]
                return Line(
                    number: number, event: event?.isHidden == true ? nil : event, places: places,
                    isGone: isGone || event.map(\.isCancelled) ?? true)
            },
            families: families, wishes: wishes, isErased: isErased)
        guard let visitor else { return }
        self.isOwn = isOwn
        isHost = isOwn || visitor.isAdmin
        guard visitor.family != nil else { return }
        isFamily = true
        code = try draw.code(of: visitor.head, in: tx)
        if code != nil { wished = try Draw.wishes(of: visitor.head, in: id, db: tx) }
        guard phase == .done else { return }
        held = try Draw.held(by: visitor.head, in: id, db: tx)
        let names = try Draw.names(by: visitor.head, in: id, db: tx)
        for index in held.indices { held[index].names = names[held[index].registration] ?? [] }
    }
}

extension DrawNews {
    /// A letter about a draw; nil if the wishes were withdrawn.
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        guard let what = What(rawValue: letter.detail),
            let event = try letter.event.flatMap({ try Event.find($0, in: tx) }), !event.isOver(at: tx.now)
        else { return nil }
        let draw = try letter.subject.flatMap { try Draw.find(ID($0), in: tx) }
        guard var text = try text(what, draw, event, to: reader.account.id, in: tx) else { return nil }
        text.answers = try .host(event.host.id, at: event.id, in: tx)
        return text
    }

    private static func text(
        _ what: What, _ draw: Draw?, _ event: Event, to reader: ID<Account>, in db: Connection
    ) throws -> LetterText? {
        guard let draw else { return what == .off ? .drawn(what, nil, code: nil, held: [], event) : nil }
        let family = try Guardian.head(of: reader, in: db)
        guard let code = try draw.code(of: family, in: db) else { return nil }
        let held = what == .drawn ? try Draw.held(by: family, in: draw.id, db: db) : []
        return .drawn(what, draw, code: code, held: held, event)
    }
}
