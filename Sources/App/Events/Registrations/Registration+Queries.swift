import Database

extension Registration.State: SQLValue {}

extension Registration {
    // MARK: Changes

    /// Registers the children if there are places for them, and notifies their parent and the event's host.
    ///
    /// - Parameter once: Of a form that wasn't sent before: see `sent`.
    /// - Returns: The result of `insert`.
    /// - Throws: The errors of `insert`.
    static func register(
        _ children: [ID<Child>], of account: ID<Account>, at event: ID<Event>, manner: Manner = .whole,
        waits: Bool = false, needsHelp: Bool = false, sharesNotes: Bool, once: String, in tx: Transaction
    ) throws -> ID<Registration> {
        let (id, isSeated) = try add(
            children, of: account, at: event, manner: manner, waits: waits, needsHelp: needsHelp,
            sharesNotes: sharesNotes, once: once, in: tx)
        if isSeated { try tell(of: id, by: account, at: event, in: tx) }
        return id
    }

    /// Notifies the family and the host of registrations.
    static func tell(of id: ID<Registration>, by account: ID<Account>, at event: ID<Event>, in tx: Transaction) throws {
        try Notice.tell(.init(kind: .registered, event: event, registration: id), "account.id = \(account)", in: tx)
        try Notice.tellHost(.init(kind: .booked, event: event), by: account, in: tx)
    }

    /// Records that the second parent sent the form with this `once`: the host can contact that parent.
    static func note(
        _ guardian: ID<Account>, registered once: String, of account: ID<Account>, in db: Connection
    ) throws {
        try db.execute(
            """
            UPDATE registration SET guardian_id = \(guardian)
            WHERE account_id = \(account) AND once IN (\(once), \(restOnce(once)))
            """)
    }

    /// The `once` for the part of a party that waits while the others have places.
    private static func restOnce(_ once: String) -> String { once + "-rest" }

    static func event(of id: ID<Registration>, in db: Connection) throws -> ID<Event>? {
        try db.value("SELECT event_id FROM registration WHERE id = \(id)")
    }

    /// The number of places in a registration.
    static func places(of id: ID<Registration>, in db: Connection) throws -> Int {
        try db.value("SELECT \(size) FROM registration WHERE id = \(id) AND state = 'confirmed'") ?? 0
    }

    /// Registers the children in one transaction: all or none, or as many as there are places for.
    ///
    /// - Parameters:
    ///   - manner: What to do if there aren't enough places. With `.fits` the first children get places, and the others
    ///     wait.
    ///   - waits: Whether the party waits if there is no room.
    ///   - needsHelp: Whether the family needs help with the fee. If places are held for that purpose, this is
    ///     recorded,
    ///     and the family can get them, too.
    /// - Returns: The registration with places, otherwise the waiting one.
    /// - Throws: `Event.NoRoom` if there are too few places; `ChildrenChanged` if one of the children already has a
    ///   place or waits, or was deleted.
    static func insert(
        _ children: [ID<Child>], of account: ID<Account>, at event: ID<Event>, manner: Manner = .whole,
        waits: Bool = false, needsHelp: Bool = false, sharesNotes: Bool = false, once: String, in tx: Transaction
    ) throws -> ID<Registration> {
        if let earlier = try sent(once, by: account, in: tx) { return earlier }
        return try add(
            children, of: account, at: event, manner: manner, waits: waits, needsHelp: needsHelp,
            sharesNotes: sharesNotes, once: once, in: tx
        ).id
    }

    /// `insert`, for a form that wasn't sent before.
    ///
    /// - Returns: Also whether the registration has places.
    private static func add(
        _ children: [ID<Child>], of account: ID<Account>, at event: ID<Event>, manner: Manner, waits: Bool,
        needsHelp: Bool, sharesNotes: Bool, once: String, in tx: Transaction
    ) throws -> (id: ID<Registration>, isSeated: Bool) {
        try Window.check(event, for: account, in: tx)
        // Held places are open to everyone from their day on.
        _ = try Hold.end("id = \(event)", in: tx)
        let needsHelp = try needsHelp && Hold.isOn(at: event, in: tx)
        // Waiting parties come first: places may have become free in a way that is offered only within the next minute.
        if try Queue(for: event, in: tx).isDue {
            try endOffers("event_id = \(event)", in: tx)
            try Event.offerFreedPlaces(event, in: tx)
        }
        let room = try Event.room(at: event, withHelp: needsHelp, in: tx)
        let seated = room >= children.count ? children.count : manner == .fits ? room : 0
        let mayWait = manner == .fits || waits
        guard seated > 0 || mayWait else { throw Event.NoRoom() }
        var id: ID<Registration>?
        if seated > 0 {
            let held = try Event.takePlaces(seated, of: event, withHelp: needsHelp, in: tx)
            if held < seated { try notePassed(at: event, in: tx) }
            id = try insert(
                children.prefix(seated), of: account, at: event, needsHelp: needsHelp, held: held, once: once, in: tx)
            if sharesNotes, let id { try CareNote.share(id, in: tx) }
        }
        let rest = children.dropFirst(seated)
        if let id, rest.isEmpty { return (id, true) }
        let waiting = try wait(
            rest, of: account, at: event, manner, needsHelp: needsHelp, once: id == nil ? once : restOnce(once), in: tx)
        // Notes are shared only once there is a place, after asking.
        if sharesNotes { try CareNote.askAgain([waiting], in: tx) }
        return (id ?? waiting, id != nil)
    }

    /// Stores a party with places.
    ///
    /// - Parameter held: How many of them were held for families that need help with the fee.
    static func insert(
        _ children: ArraySlice<ID<Child>>, of account: ID<Account>, at event: ID<Event>, needsHelp: Bool = false,
        held: Int = 0, once: String, in tx: Transaction
    ) throws -> ID<Registration> {
        let id = ID<Registration>(
            try tx.insert(
                """
                INSERT INTO registration (event_id, account_id, state, needs_help, held, once, created_at, updated_at)
                VALUES (\(event), \(account), 'confirmed', \(needsHelp), \(held), \(once), \(tx.now), \(tx.now))
                """))
        for child in children {
            do {
                try tx.execute(
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

    /// One of the children has got a place at the event meanwhile, or was deleted.
    struct ChildrenChanged: Error {}

    /// Gives back the places of these children, or of the whole party; doing so twice has no further effect. A waiting
    /// party leaves the list. Free places are offered to those waiting.
    static func giveBack(
        _ id: ID<Registration>, children: [ID<Child>], of account: ID<Account>, in tx: Transaction
    ) throws {
        let event: ID<Event>? = try tx.value(
            """
            SELECT event.id FROM registration JOIN event ON event.id = registration.event_id
            WHERE registration.id = \(id) AND registration.account_id = \(account) AND \(Event.isOpen(tx.now))
            """)
        guard let event else { throw Refusal.notFound }
        let chosen: SQL = children.isEmpty ? "TRUE" : "child_id IN \(list: children)"
        guard try part(chosen, from: id, isWhole: children.isEmpty, in: tx) else { return }
        try Event.offerFreedPlaces(event, in: tx)
    }

    /// Takes people out of a party, with their answers and what is shared about them. It gives back the places that it
    /// no longer needs, and ends with its last person. The caller offers the places to those who wait.
    ///
    /// - Parameters:
    ///   - people: A condition on `registration_person`.
    ///   - isWhole: Whether these are all.
    /// - Returns: Whether there was anything to give back.
    @discardableResult static func part(
        _ people: SQL, from id: ID<Registration>, isWhole: Bool = false, in tx: Transaction
    ) throws -> Bool {
        guard
            let (event, state): (ID<Event>, State) = try tx.first(
                "SELECT event_id, state FROM registration WHERE id = \(id)", { (try $0.next(), try $0.next()) }),
            state != .cancelled
        else { return false }
        let count = try tx.execute(
            """
            UPDATE registration_person SET cancelled_at = \(tx.now), shows_name = FALSE
            WHERE registration_id = \(id) AND cancelled_at IS NULL AND \(people)
            """)
        guard count > 0 || isWhole else { return false }
        try tx.execute("UPDATE registration SET updated_at = \(tx.now) WHERE id = \(id)")
        // Nobody who waits for the event is in an activity.
        if state == .confirmed || state == .queued { try Activity.follow(leaving: id, isWhole: isWhole, in: tx) }
        try Reply.part(from: id, in: tx)
        switch state {
        case .confirmed: try givePlaces(count, from: id, of: event, in: tx)
        case .offered, .waiting: try releaseOffer(id, in: tx)
        case .queued, .cancelled: break
        }
        try CareNote.erase(from: id, cancelledOnly: true, in: tx)
        let left: Int = try tx.value("SELECT \(size) FROM registration WHERE id = \(id)") ?? 0
        guard left == 0 else { return true }
        try shrink(after: id, in: tx)
        try Notice.settle(id, in: tx)
        try tx.execute("UPDATE registration SET state = 'cancelled', offer_ends_at = NULL WHERE id = \(id)")
        return true
    }

    /// Gives back all upcoming places of a child who is deleted.
    ///
    /// - Returns: The places; a waiting party had none.
    @discardableResult static func giveBack(everyPlaceOf child: ID<Child>, in tx: Transaction) throws -> [ID<Person>] {
        let places = try tx.all(
            """
            SELECT registration_person.id, registration.id, registration.account_id, registration.state
            FROM registration_person
            JOIN registration ON registration.id = registration_person.registration_id
            JOIN event ON event.id = registration.event_id
            WHERE registration_person.child_id = \(child) AND registration_person.cancelled_at IS NULL
                AND \(Event.isOpen(tx.now))
            ORDER BY registration_person.id DESC LIMIT \(mostOfChild)
            """
        ) {
            (
                person: try $0.next() as ID<Person>, party: try $0.next() as ID<Registration>,
                account: try $0.next() as ID<Account>, state: try $0.next() as State
            )
        }
        for place in places { try giveBack(place.party, children: [child], of: place.account, in: tx) }
        return places.filter { $0.state == .confirmed }.map(\.person)
    }

    /// Restores places that were given back: all or none, if they are free, by the rules of registration.
    ///
    /// - Throws: `Event.NoRoom`; `ChildrenChanged` if one of the children has a place again, or was deleted.
    static func takeBack(_ people: [ID<Person>], of id: ID<Registration>, in tx: Transaction) throws {
        let event = try returning(people, to: id, in: tx)
        // Its sessions must be chosen again.
        if try Event.find(event, in: tx)?.hasSessions == true { throw Event.NoRoom() }
        let held = try Event.takePlaces(people.count, of: event, withHelp: try needsHelp(id, in: tx), in: tx)
        try tx.execute("UPDATE registration_person SET cancelled_at = NULL WHERE id IN \(list: people)")
        try Reply.comeBack(people, in: tx)
        try tx.execute(
            """
            UPDATE registration SET state = 'confirmed', held = held + \(held), updated_at = \(tx.now) WHERE id = \(id)
            """)
    }

    /// The event of a party to which these people can return.
    ///
    /// - Throws: `ChildrenChanged` if one of them is there again already, or was deleted.
    static func returning(_ people: [ID<Person>], to id: ID<Registration>, in db: Connection) throws -> ID<Event> {
        let isThere =
            try db.value(
                """
                SELECT count(*) FROM registration_person WHERE id IN \(list: people) AND registration_id = \(id)
                    AND cancelled_at IS NOT NULL AND (child_id IS NOT NULL OR is_self) AND NOT EXISTS (
                        SELECT 1 FROM registration_person AS other WHERE other.event_id = registration_person.event_id
                            AND other.child_id = registration_person.child_id AND other.cancelled_at IS NULL)
                    AND NOT EXISTS (
                        SELECT 1 FROM registration_person AS other
                        WHERE other.registration_id = registration_person.registration_id AND other.is_self
                            AND registration_person.is_self AND other.cancelled_at IS NULL)
                """) == people.count
        let event = try event(of: id, in: db)
        guard isThere, !people.isEmpty, let event else { throw ChildrenChanged() }
        return event
    }

    /// Restores the child of some rows after a deletion was undone.
    static func put(_ child: ID<Child>, into people: [ID<Person>], in db: Connection) throws {
        guard !people.isEmpty else { return }
        try db.execute(
            "UPDATE registration_person SET child_id = \(child) WHERE id IN \(list: people) AND child_id IS NULL")
    }

    /// Gives back places of a party, including its held ones, which are held again until their day.
    static func givePlaces(_ count: Int, from id: ID<Registration>, of event: ID<Event>, in tx: Transaction) throws {
        try Event.givePlaces(count, of: event, in: tx)
        let held: Int = try tx.value("SELECT held FROM registration WHERE id = \(id)") ?? 0
        guard min(count, held) > 0 else { return }
        try tx.execute("UPDATE registration SET held = held - \(min(count, held)) WHERE id = \(id)")
        try Hold.refill(event, in: tx)
    }

    // MARK: Queries

    /// Whether a family needs help with the fee.
    static func needsHelp(_ id: ID<Registration>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM registration WHERE id = \(id) AND needs_help")
    }

    /// A person's name: empty for the parent in person, NULL for a deleted child.
    static let name: SQL = "CASE WHEN registration_person.is_self THEN '' ELSE \(Child.shownName) END"

    /// The registration made by an earlier submission of the form with this `once`.
    static func sent(_ once: String, by account: ID<Account>, in db: Connection) throws -> ID<Registration>? {
        try db.value("SELECT id FROM registration WHERE account_id = \(account) AND once = \(once)")
    }

    static func find(_ id: ID<Registration>, of account: ID<Account>, in tx: Transaction) throws -> Registration? {
        guard
            let (number, state, createdAt, hasTurn, fits, needsHelp): (ID<Event>, State, Instant, Bool, Bool, Bool) =
                try tx.first(
                    """
                    SELECT event_id, state, created_at, turn IS NOT NULL, fits, needs_help FROM registration
                    WHERE id = \(id) AND account_id = \(account)
                    """,
                    { (try $0.next(), try $0.next(), try $0.next(), try $0.next(), try $0.next(), try $0.next()) }),
            let event = try Event.find(number, in: tx)
        else { return nil }
        var registration = Registration(
            id: id, event: event, account: account, state: state, people: try people(of: id, in: tx),
            createdAt: createdAt, sharing: try CareNote.sharing(of: id, in: tx),
            changes: try Change.unseen(by: account, of: event.id, in: tx))
        registration.hasWaited = hasTurn
        registration.takesFewer = fits
        registration.needsHelp = needsHelp
        if state == .waiting {
            registration.ahead = try ahead(of: id, in: tx)
            let (wasPassedOver, kept): (Bool, Int) =
                try tx.first("SELECT passed_over, offered FROM registration WHERE id = \(id)") {
                    (try $0.next(), try $0.next())
                } ?? (false, 0)
            (registration.wasPassedOver, registration.kept) = (wasPassedOver, kept)
        }
        if registration.isWaiting { registration.offer = try offer(to: id, in: tx) }
        // Shown as it will be within a minute, when the place has been offered to others.
        if state == .offered, registration.offer == nil { registration.state = .cancelled }
        return registration
    }

    /// The people in a party who have a place: all, or those among these children.
    static func holders(
        of id: ID<Registration>, _ children: [ID<Child>], in db: Connection
    ) throws -> [(id: ID<Person>, name: String?)] {
        let chosen: SQL = children.isEmpty ? "" : " AND registration_person.child_id IN \(list: children)"
        return try db.all(
            """
            SELECT registration_person.id, \(name) FROM registration_person
            LEFT JOIN child ON child.id = registration_person.child_id
            WHERE registration_person.registration_id = \(id) AND registration_person.cancelled_at IS NULL\(chosen)
            ORDER BY registration_person.id LIMIT 30
            """
        ) { (try $0.next(), try $0.next()) }
    }

    /// The most rows read about a child: more than a childhood has.
    static let mostOfChild = 1_000

    /// All rows about a child, including past events.
    static func rows(of child: ID<Child>, in db: Connection) throws -> [ID<Person>] {
        try db.all(
            "SELECT id FROM registration_person WHERE child_id = \(child) ORDER BY id DESC LIMIT \(mostOfChild)"
        ) { try $0.next() }
    }

    /// These people, each with its party. Whether the event of any of these people has questions.
    static func isAsked(_ people: [ID<Person>], in db: Connection) throws -> Bool {
        guard !people.isEmpty else { return false }
        return try db.exists(
            """
            SELECT 1 FROM registration_person JOIN event ON event.id = registration_person.event_id
            WHERE registration_person.id IN \(list: people) AND event.asks
            """)
    }

    static func parties(
        of people: [ID<Person>], in db: Connection
    ) throws -> [(person: ID<Person>, party: ID<Registration>)] {
        guard !people.isEmpty else { return [] }
        return try db.all(
            "SELECT id, registration_id FROM registration_person WHERE id IN \(list: people) LIMIT \(people.count)"
        ) { (try $0.next(), try $0.next()) }
    }

    private static func people(of id: ID<Registration>, in db: Connection) throws -> [Person] {
        try db.all(
            """
            SELECT registration_person.child_id, \(name), registration_person.cancelled_at
            FROM registration_person LEFT JOIN child ON child.id = registration_person.child_id
            WHERE registration_person.registration_id = \(id) ORDER BY registration_person.id LIMIT 30
            """
        ) { Person(child: try $0.next(), name: try $0.next(), isCancelled: (try $0.next() as Instant?) != nil) }
    }

    /// A family's children who have a place at an event or wait for one, each with the party.
    static func children(
        of account: ID<Account>, at event: ID<Event>, in tx: Transaction
    ) throws -> [ID<Child>: (party: ID<Registration>, state: State)] {
        let found = try tx.all(
            """
            SELECT registration_person.child_id, registration.id, registration.state FROM registration
            JOIN registration_person ON registration_person.registration_id = registration.id
            WHERE registration.account_id = \(account) AND registration.state IN ('confirmed', 'waiting', 'offered')
                AND (registration.state <> 'offered' OR registration.offer_ends_at > \(tx.now))
                AND registration.event_id = \(event) AND registration_person.cancelled_at IS NULL
                AND registration_person.child_id IS NOT NULL
            LIMIT 100
            """
        ) {
            (
                child: try $0.next() as ID<Child>, party: try $0.next() as ID<Registration>,
                state: try $0.next() as State
            )
        }
        return Dictionary(found.map { ($0.child, ($0.party, $0.state)) }) { first, _ in first }
    }

    static func confirmed(
        of account: ID<Account>, at event: ID<Event>, in db: Connection
    ) throws -> [ID<Registration>] {
        try db.all(
            """
            SELECT id FROM registration
            WHERE account_id = \(account) AND state = 'confirmed' AND event_id = \(event) ORDER BY id LIMIT 20
            """
        ) { try $0.next() }
    }

    /// How many families have places at any of these events.
    static func families(at events: [ID<Event>], in db: Connection) throws -> Int {
        try concerned(by: events, in: db).families
    }

    /// How many families a change of these events affects.
    static func concerned(by events: [ID<Event>], in db: Connection) throws -> Concerned {
        guard !events.isEmpty else { return Concerned(families: 0, waiting: 0, people: nil, guests: 0) }
        let padded = events.padded(to20Or: 400)
        var (families, waiting): (Set<ID<Account>>, Set<ID<Account>>) = ([], [])
        try db.each(
            """
            SELECT account_id, state FROM registration
            WHERE event_id IN \(list: padded) AND \(isHeld) AND account_id IS NOT NULL LIMIT 100000
            """
        ) { row in
            let (account, state): (ID<Account>, State) = (try row.next(), try row.next())
            if state == .confirmed { families.insert(account) } else { waiting.insert(account) }
            return true
        }
        let isForEveryone = try db.exists(
            "SELECT 1 FROM event WHERE id IN \(list: padded) AND audience = 'everyone'")
        let people: Int? =
            isForEveryone
            ? try db.value(
                """
                SELECT count(*) FROM registration JOIN registration_person
                    ON registration_person.registration_id = registration.id
                        AND registration_person.cancelled_at IS NULL
                WHERE registration.event_id IN \(list: padded) AND registration.state = 'confirmed'
                    AND registration.account_id IS NOT NULL
                """) ?? 0
            : nil
        return Concerned(
            families: families.count, waiting: waiting.subtracting(families).count, people: people,
            guests: try Guest.count(at: events, in: db))
    }

    /// A line in “my registrations” and My week.
    struct Line: Sendable {
        let id: ID<Registration>
        let event: ID<Event>
        let eventTitle: EventTitle
        let schedule: Schedule
        let address: Address
        let isCancelled: Bool
        /// The reason for canceling it.
        let cancelReason: String
        /// The organization's phone number, if there is one.
        let phone: String
        /// Whether its page is hidden from visitors: staff hid it, or suspended its provider.
        let isHidden: Bool
        let motif: Motif
        /// Whether the provider checked somebody in the party in.
        let wasTicked: Bool
        let state: State
        /// The deadline for answering an offer.
        let offerEndsAt: Instant?
        /// The place's time zone.
        let zone: String
        let isForEveryone: Bool
        /// Whether its sessions determine when the children are there.
        let hasSessions: Bool
        /// Its position on the map.
        let coordinate: Coordinate?
        /// The series, if its dates form one line because families may register for them together.
        let course: ID<Event>?
        var names: [String?]
        /// The other dates of that series, in a list of courses.
        var later: [Line] = []
        /// The changes since the registration that the family hasn't seen.
        var changes: [Change] = []
        /// The open places that a waiting party can take close to the event.
        var lastOffer: Offer?

        var day: Day { schedule.day }
        /// Whether one of the dates that it stands for has changes that the family hasn't seen.
        var hasLaterChanges: Bool { later.contains { !$0.changes.isEmpty } }
        var start: TimeOfDay { schedule.start }
        var end: TimeOfDay? { schedule.end }
        var startsAt: Instant { schedule.startsAt }
        var endsAt: Instant { schedule.endsAt }

        func hasStarted(at now: Instant) -> Bool { startsAt <= now }

        func isOver(at now: Instant) -> Bool { endsAt <= now }

        /// Whether it begins within an hour, is taking place, or has just ended: somebody may be late or pick a child
        /// up, and call.
        func isAround(at now: Instant) -> Bool {
            startsAt <= now + Schedule.margin && now < endsAt + .days(1) && !isCancelled
        }

        /// Whether it was canceled and the family hasn't seen that yet.
        var isNewlyCanceled: Bool { isCancelled && !changes.isEmpty }
    }

    /// Registrations per page.
    static let pageSize = 50

    /// A family's registrations after the last one of the previous page: current and upcoming ones soonest first, or
    /// attended ones newest first.
    ///
    /// With a `day`, registrations on that day are listed first until midnight even if they are over, because somebody
    /// may have to pick a child up, or call.
    ///
    /// If families may register for a series' dates together, the first represents all upcoming ones and contains the
    /// others; with a `day`, each is a line.
    ///
    /// Attended events are past ones at which the child was checked in; if the provider checked nobody in, all with a
    /// registration.
    ///
    /// - Parameters:
    ///   - head: The account under which the children they look after are registered.
    ///   - changes: What the family hasn't seen, if that was read already.
    static func lines(
        of account: ID<Account>, head: ID<Account>, upcoming: Bool, day: Day? = nil,
        after: Cursor<Instant, ID<Registration>>? = nil, knowing changes: [Change]? = nil, in tx: Transaction
    ) throws -> Page<Line> {
        let ofDay: SQL = day.map { " OR event.day >= \($0)" } ?? ""
        let when: SQL =
            upcoming
            ? "(event.ends_at > \(tx.now)\(ofDay))"
            : """
            event.ends_at <= \(tx.now) AND event.cancelled_at IS NULL
                AND (registration_person.arrived_at IS NOT NULL OR NOT EXISTS (
                    SELECT 1 FROM registration_person AS other WHERE other.event_id = event.id
                        AND other.cancelled_at IS NULL AND other.arrived_at IS NOT NULL))
            """
        let order: SQL = upcoming ? "event.starts_at, registration.id" : "event.starts_at DESC, registration.id DESC"
        let next: SQL =
            after.map {
                " AND (event.starts_at, registration.id) \(upcoming ? ">" as SQL : "<") (\($0.keys.0), \($0.keys.1))"
            } ?? ""
        let bookings = Guardian.bookings(of: account, head: head)
        let isFirst: SQL = upcoming && day == nil ? " AND NOT \(follows(at: tx.now))" : ""
        let found = try lines(
            "\(bookings) AND registration.state = 'confirmed' AND \(when)\(isFirst)\(next)", order, in: tx)
        let page = Page(found, of: pageSize, by: { Cursor($0.startsAt, $0.id) })
        guard upcoming, !page.items.isEmpty else { return page }
        let unseen = try changes ?? Change.unseen(byFamilyOf: account, head: head, in: tx)
        return try page.changed { lines in
            let courses = day == nil ? lines.compactMap(\.course) : []
            guard !courses.isEmpty else { return marked(lines, with: unseen) }
            let all = try self.lines(
                """
                \(bookings) AND registration.state = 'confirmed' AND event.ends_at > \(tx.now)
                    AND event.cancelled_at IS NULL AND event.series_id IN \(list: courses)
                """, "event.starts_at, registration.id", in: tx)
            let known = Set(lines.map(\.id))
            return Line.courses(marked(lines + all.filter { !known.contains($0.id) }, with: unseen))
        }
    }

    /// Whether an earlier date of the same course represents a registration.
    private static func follows(at now: Instant) -> SQL {
        """
        (event.booking <> 'each' AND event.cancelled_at IS NULL AND EXISTS (
            SELECT 1 FROM registration AS sooner JOIN event AS date ON date.id = sooner.event_id
            WHERE sooner.account_id = registration.account_id AND sooner.state = 'confirmed'
                AND date.series_id = event.series_id AND date.ends_at > \(now) AND date.cancelled_at IS NULL
                AND (date.starts_at, sooner.id) < (event.starts_at, registration.id)))
        """
    }

    /// A family's places and waiting list entries at a series' current dates, in order.
    static func lines(of account: ID<Account>, inSeries series: ID<Event>, in tx: Transaction) throws -> [Line] {
        try lines(
            """
            registration.account_id = \(account) AND \(isHeld) AND event.series_id = \(series)
                AND event.ends_at > \(tx.now)
                AND (registration.offer_ends_at IS NULL OR registration.offer_ends_at > \(tx.now))
            """, "event.starts_at, registration.id", in: tx)
    }

    /// A family's registrations on some days, including those that began earlier, in order. Without changes: see
    /// `marked`.
    ///
    /// - Parameter head: The account under which the children they look after are registered.
    static func lines(
        of account: ID<Account>, head: ID<Account>, on days: Range<Day>, in db: Connection
    ) throws -> [Line] {
        try lines(
            """
            \(Guardian.bookings(of: account, head: head)) AND registration.state = 'confirmed'
                AND (event.day >= \(days.lowerBound.advanced(by: -1)) OR event.end_day >= \(days.lowerBound))
                AND event.day < \(days.upperBound)
            """, "event.starts_at, registration.id", in: db)
    }

    /// A family's waiting list entries and unanswered offers, soonest first.
    static func waiting(of account: ID<Account>, in tx: Transaction) throws -> [Line] {
        let found = try lines(
            """
            registration.account_id = \(account) AND registration.state IN ('waiting', 'offered', 'queued')
                AND \(Event.isOpen(tx.now)) AND (registration.offer_ends_at IS NULL
                    OR registration.offer_ends_at > \(tx.now))
            """, "event.starts_at, registration.id", in: tx)
        // Places that are free but no longer offered can only be at events that begin soon.
        let soon = found.filter { $0.state == .waiting && $0.startsAt <= tx.now + Offer.shortest }
        let offers = try lastOffers(to: soon.map(\.id), in: tx)
        return found.map { line in
            var line = line
            line.lastOffer = offers[line.id]
            return line
        }
    }

    /// The first day from this one on with a current registration of a family.
    ///
    /// - Parameter head: The account under which the children they look after are registered.
    static func nextDay(of account: ID<Account>, head: ID<Account>, from day: Day, in tx: Transaction) throws -> Day? {
        try tx.value(
            """
            SELECT event.day FROM registration JOIN event ON event.id = registration.event_id
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            WHERE \(Guardian.bookings(of: account, head: head)) AND registration.state = 'confirmed'
                AND event.day >= \(day) AND event.ends_at > \(tx.now)
            ORDER BY event.day LIMIT 1
            """)
    }

    /// The lines, each with its changes among those that the family hasn't seen.
    static func marked(_ lines: [Line], with changes: [Change]) -> [Line] {
        lines.map { line in
            var line = line
            line.changes = changes.filter { $0.event == line.event }
            return line
        }
    }

    /// A child's places that are given back when the child is deleted.
    static func upcoming(of child: ID<Child>, in tx: Transaction) throws -> [Line] {
        try lines(
            """
            registration.id IN (SELECT registration_id FROM registration_person
                WHERE child_id = \(child) AND cancelled_at IS NULL) AND \(Event.isOpen(tx.now))
            """, "event.starts_at, registration.id", in: tx)
    }

    private static func lines(_ condition: SQL, _ order: SQL, in db: Connection) throws -> [Line] {
        var lines: [Line] = []
        try db.each(
            """
            SELECT registration.id, \(name), event.id, \(EventTitle.columns), \(Schedule.columns), \(Address.columns),
                event.cancelled_at, event.cancel_reason, coalesce(provider.phone, ''),
                NOT event.listed AND event.cancelled_at IS NULL, event.motif,
                registration_person.arrived_at IS NOT NULL, registration.state, registration.offer_ends_at, event.zone,
                event.audience = 'everyone', event.sessions, \(Coordinate.columns),
                CASE WHEN event.booking <> 'each' AND event.cancelled_at IS NULL THEN event.series_id END
            FROM registration
            JOIN event ON event.id = registration.event_id
            LEFT JOIN point ON point.id = event.point_id
            LEFT JOIN provider ON provider.account_id = event.account_id
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            LEFT JOIN child ON child.id = registration_person.child_id
            WHERE \(condition) ORDER BY \(order), registration_person.id LIMIT \(Series.most * Child.limit)
            """
        ) { row in
            let id: ID<Registration> = try row.next()
            let name: String? = try row.next()
            if lines.last?.id == id {
                lines[lines.count - 1].names.append(name)
            } else {
                lines.append(
                    Line(
                        id: id, event: try row.next(), eventTitle: try row.next(),
                        schedule: try row.next(), address: try row.next(),
                        isCancelled: (try row.next() as Instant?) != nil, cancelReason: try row.next(),
                        phone: try row.next(), isHidden: try row.next(),
                        motif: Motif(rawValue: try row.next()) ?? .party,
                        wasTicked: try row.next(), state: try row.next(), offerEndsAt: try row.next(),
                        zone: try row.next(), isForEveryone: try row.next(), hasSessions: try row.next(),
                        coordinate: try row.next(),
                        course: try row.next(), names: [name]))
            }
            return true
        }
        return lines
    }
}
