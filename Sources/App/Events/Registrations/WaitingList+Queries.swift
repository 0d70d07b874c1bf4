import Database

/// Parties wait as a whole, in order of arrival. A free place is offered to the first party it is enough for, in the
/// transaction that frees it, and counts as taken from then on. So no place is offered twice, and none stays empty
/// while a party waits that could use it, except for up to a minute if it became free by other means (see
/// `tidyWaiting`).
///
/// A party that needs more places at once than are free is passed over once. From then on free places are kept for it,
/// counted as taken like offered ones, until there are enough; close to the event they go to the first party they are
/// enough for.
///
/// Places that become free too late for an answer aren't offered to one party: all waiting parties they are enough for
/// are notified, and the first to accept gets them; others can register, too.
extension Registration {
    /// Removes a child from an event's waiting list because the child got a place by other means.
    static func stopWaiting(
        _ child: ID<Child>, of account: ID<Account>, at event: ID<Event>, in tx: Transaction
    ) throws {
        let waiting: ID<Registration>? = try tx.value(
            """
            SELECT registration.id FROM registration_person
            JOIN registration ON registration.id = registration_person.registration_id
            WHERE registration_person.event_id = \(event) AND registration_person.child_id = \(child)
                AND registration_person.cancelled_at IS NULL AND registration.account_id = \(account)
                AND registration.state IN ('waiting', 'offered')
            """)
        guard let waiting else { return }
        try giveBack(waiting, children: [child], of: account, in: tx)
    }

    /// The number of people in a party who haven't given their place back, and still exist.
    static let size: SQL = """
        (SELECT count(*) FROM registration_person AS one
            WHERE one.registration_id = registration.id AND one.cancelled_at IS NULL
                AND (one.child_id IS NOT NULL OR one.is_self))
        """

    /// A party that has places, waits for the event or for sessions, or has an offer.
    static let isHeld: SQL = "registration.state IN ('confirmed', 'waiting', 'offered', 'queued')"

    /// Suspended members can't answer.
    fileprivate static let canAnswer: SQL = """
        NOT EXISTS (SELECT 1 FROM account WHERE account.id = registration.account_id AND suspended_at IS NOT NULL)
        """

    /// Adds a party to the waiting list.
    ///
    /// - Throws: `Event.NoRoom` if it could never have room, or registration has closed; `ChildrenChanged`.
    static func wait(
        _ children: ArraySlice<ID<Child>>, of account: ID<Account>, at event: ID<Event>, _ manner: Manner,
        needsHelp: Bool = false, isDrawn: Bool = false, once: String, in tx: Transaction
    ) throws -> ID<Registration> {
        let isPossible = try tx.exists(
            """
            SELECT 1 FROM event
            WHERE id = \(event) AND \(Event.takesFamilies(isDrawn: isDrawn)) AND \(Event.isOpen(tx.now))
                AND (spots IS NULL OR spots >= \(manner == .fits ? 1 : children.count))
            """)
        guard isPossible else { throw Event.NoRoom() }
        let id = try insert(children, of: account, at: event, needsHelp: needsHelp, once: once, in: tx)
        try tx.execute(
            "UPDATE registration SET state = 'waiting', turn = id, fits = \(manner == .fits) WHERE id = \(id)")
        return id
    }

    /// Notifies all waiting parties for which the free places are enough that the first to accept gets them: once, and
    /// again if more have been given back since.
    ///
    /// - Returns: The number of parties notified.
    fileprivate static func tellOfLast(at event: ID<Event>, in tx: Transaction) throws -> Int {
        let givenBack: Instant =
            try tx.value("SELECT max(cancelled_at) FROM registration_person WHERE event_id = \(event)")
            ?? Instant(milliseconds: 0)
        let parties: [(id: ID<Registration>, account: ID<Account>)] = try tx.all(
            """
            SELECT id, account_id FROM registration
            WHERE event_id = \(event) AND state = 'waiting' AND NOT EXISTS (
                SELECT 1 FROM notice WHERE notice.registration_id = registration.id
                    AND notice.kind = \(NoticeKind.offered) AND notice.detail = \(Notice.anybodys)
                    AND notice.at >= \(givenBack))
            ORDER BY turn, id LIMIT 1000
            """
        ) { (try $0.next(), try $0.next()) }
        var told = 0
        for (id, account) in parties {
            guard let offer = try offer(to: id, in: tx) else { continue }
            try tell(account, of: offer, for: id, at: event, Notice.anybodys, in: tx)
            told += 1
        }
        return told
    }

    private static func tell(
        _ account: ID<Account>, of offer: Offer, for id: ID<Registration>, at event: ID<Event>, _ detail: String,
        in tx: Transaction
    ) throws {
        // The link in the letter needs the seal.
        _ = try Seal.make(in: tx)
        var news = Notice.News(kind: .offered, event: event, registration: id, detail: detail)
        news.endsAt = offer.endsAt
        try Notice.tell(news, "account.id = \(account)", in: tx)
    }

    /// Records that parties were passed over because a newly registered family got places that were too few for them.
    static func notePassed(at event: ID<Event>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE registration SET passed_over = TRUE
            WHERE event_id = \(event) AND state = 'waiting' AND NOT fits AND NOT passed_over
            """)
    }

    /// A condition on `registration`: it is too late to keep places until there are enough.
    fileprivate static func isLate(in tx: Transaction) throws -> SQL {
        """
        EXISTS (SELECT 1 FROM event WHERE event.id = registration.event_id AND NOT \(try Event.canKeep(in: tx)))
        """
    }

    /// Keeps places for a party that needs more of them at once.
    fileprivate static func keep(
        _ places: Int, for id: ID<Registration>, at event: ID<Event>, in tx: Transaction
    ) throws {
        try Event.takePlaces(places, of: event, in: tx)
        try tx.execute("UPDATE registration SET offered = offered + \(places) WHERE id = \(id)")
    }

    /// Releases places kept for parties that don't have enough of them.
    ///
    /// - Parameter which: A condition on `registration`.
    fileprivate static func giveBackKept(_ which: SQL, in db: Connection) throws {
        let kept: [(party: ID<Registration>, event: ID<Event>, places: Int)] = try db.all(
            """
            SELECT registration.id, registration.event_id, registration.offered FROM registration
            WHERE registration.state = 'waiting' AND registration.offered > 0 AND \(which) LIMIT 1000
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        for (party, event, places) in kept {
            try Event.givePlaces(places, of: event, in: db)
            try db.execute("UPDATE registration SET offered = 0 WHERE id = \(party)")
        }
    }

    /// Offers places to a party.
    fileprivate static func promise(_ places: Int, to id: ID<Registration>, in tx: Transaction) throws {
        guard
            let (event, account, closing): (ID<Event>, ID<Account>, Instant) = try tx.first(
                """
                SELECT event.id, registration.account_id, \(Event.closing)
                FROM registration JOIN event ON event.id = registration.event_id WHERE registration.id = \(id)
                """, { (try $0.next(), try $0.next(), try $0.next()) })
        else { throw Refusal.notFound }
        let end = Offer.end(from: tx.now, closing: closing, usual: try Offer.usual(in: tx))
        try holdOffer(places, to: id, at: event, until: end, in: tx)
        try tell(account, of: Offer(places: places, endsAt: end), for: id, at: event, "\(places)", in: tx)
    }

    /// Keeps places for a party until it has answered.
    private static func holdOffer(
        _ places: Int, to id: ID<Registration>, at event: ID<Event>, until end: Instant, in tx: Transaction
    ) throws {
        // Some may be kept for it already.
        let kept: Int =
            try tx.value("SELECT offered FROM registration WHERE id = \(id) AND state = 'waiting'") ?? 0
        let held = try Event.takePlaces(places - kept, of: event, withHelp: try needsHelp(id, in: tx), in: tx)
        try tx.execute(
            """
            UPDATE registration SET state = 'offered', offered = \(places), held = held + \(held),
                offer_ends_at = \(end), updated_at = \(tx.now)
            WHERE id = \(id)
            """)
    }

    /// Renews an offer that a family just declined, with the same deadline, if the places are free.
    ///
    /// - Parameter extra: The number of places by which the event grows again, as it had for this party.
    /// - Throws: `Event.NoRoom`; `Offer.IsOver`; `ChildrenChanged` if one of the children waits or has a place again.
    static func offerAgain(
        _ places: Int, to id: ID<Registration>, _ people: [ID<Person>], extra: Int = 0, until end: Instant,
        in tx: Transaction
    ) throws {
        guard end > tx.now else { throw Offer.IsOver() }
        let event = try returning(people, to: id, in: tx)
        if extra > 0 { try grow(event, by: extra, for: id, in: tx) }
        try holdOffer(places, to: id, at: event, until: end, in: tx)
        try tx.execute("UPDATE registration_person SET cancelled_at = NULL WHERE id IN \(list: people)")
        try Reply.comeBack(people, in: tx)
    }

    /// Accepts an offer, or places open to anyone, for a party.
    ///
    /// - Parameter children: The children who get the places, if there are too few. The others keep waiting, and unused
    ///   places go to the next party.
    /// - Throws: `Offer.IsOver` if the time is over, the offer was declined, or the event is closed;
    ///   `Offer.NamesNobody` if no children are named, or too many.
    static func accept(
        _ id: ID<Registration>, children: [ID<Child>] = [], of account: ID<Account>, in tx: Transaction
    ) throws {
        let event: ID<Event>? = try tx.value(
            """
            SELECT event.id FROM registration JOIN event ON event.id = registration.event_id
            WHERE registration.id = \(id) AND registration.account_id = \(account) AND \(canAnswer)
                AND event.listed AND \(Event.isOpen(tx.now))
            """)
        guard let event, let offer = try offer(to: id, in: tx) else { throw Offer.IsOver() }
        let places = offer.places
        let people: [(id: ID<Person>, child: ID<Child>?)] = try tx.all(
            """
            SELECT id, child_id FROM registration_person
            WHERE registration_id = \(id) AND cancelled_at IS NULL AND child_id IS NOT NULL ORDER BY id LIMIT 30
            """
        ) { (try $0.next(), try $0.next()) }
        if people.count > places {
            let coming = people.filter { $0.child.map(children.contains) ?? false }
            guard (1...places).contains(coming.count) else { throw Offer.NamesNobody() }
            let rest = people.map(\.id).filter { person in !coming.contains { $0.id == person } }
            try keepTurn(of: rest, from: id, in: tx)
        }
        if !offer.isPromised { try holdOffer(places, to: id, at: event, until: offer.endsAt, in: tx) }
        try releaseOffer(id, in: tx)
        try tx.execute(
            """
            UPDATE registration SET state = 'confirmed', offered = 0, offer_ends_at = NULL, turn = NULL, extra = 0,
                updated_at = \(tx.now)
            WHERE id = \(id)
            """)
        try Notice.settle(id, in: tx)
        try tell(of: id, by: account, at: event, in: tx)
        try Event.offerFreedPlaces(event, in: tx)
    }

    /// Moves some people of a party to a separate party in the same position of the waiting list.
    private static func keepTurn(of people: [ID<Person>], from id: ID<Registration>, in tx: Transaction) throws {
        let waiting = ID<Registration>(
            try tx.insert(
                """
                INSERT INTO registration (
                    event_id, account_id, guardian_id, state, fits, turn, needs_help, once, created_at, updated_at)
                SELECT event_id, account_id, guardian_id, 'waiting', fits, turn, needs_help, once || '-' || id,
                    created_at, \(tx.now)
                FROM registration WHERE id = \(id)
                """))
        try tx.execute("UPDATE registration_person SET registration_id = \(waiting) WHERE id IN \(list: people)")
    }

    /// Scheduled work: ends unanswered offers, ends waiting for closed events, and offers places that became free by
    /// other means than being given back, for example because an event was hidden for a while.
    ///
    /// - Returns: The number of parties affected.
    @discardableResult static func tidyWaiting(in tx: Transaction) throws -> Int {
        try holdBack(in: tx)
        try giveBackKept("(NOT \(canAnswer) OR \(try isLate(in: tx)))", in: tx)
        let due = try endOffers("TRUE", in: tx)
        var events = Set(due)
        events.formUnion(try Hold.end("TRUE", in: tx))
        let over: [(party: ID<Registration>, event: ID<Event>, account: ID<Account>, isPublic: Bool)] = try tx.all(
            """
            SELECT registration.id, event.id, registration.account_id, event.listed AND event.cancelled_at IS NULL
            FROM registration JOIN event ON event.id = registration.event_id
            WHERE registration.state = 'waiting' AND NOT \(Event.isOpen(tx.now)) LIMIT 1000
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        for (party, event, account, isPublic) in over {
            if isPublic {
                var news = Notice.News(kind: .lapsed, event: event, detail: Notice.inVain)
                news.isOnlyInbox = true
                try Notice.tell(news, "account.id = \(account)", in: tx)
            }
            try part("TRUE", from: party, isWhole: true, in: tx)
        }
        try tx.each(
            """
            SELECT DISTINCT registration.event_id FROM registration JOIN event ON event.id = registration.event_id
            WHERE registration.state = 'waiting' AND event.listed
                AND (event.spots IS NULL OR event.taken < event.spots + event.held_free)
            LIMIT 1000
            """
        ) { row in
            events.insert(try row.next())
            return true
        }
        events.formUnion(try Activity.eventsToPassOn(in: tx))
        let ended = try Activity.endWaiting(in: tx)
        let told = try Event.offerFreedPlaces(events, in: tx)
        return due.count + over.count + ended + told
    }

    /// Ends offers that weren't or can't be answered, and notifies the parties.
    ///
    /// - Parameter which: A condition on `registration`.
    /// - Returns: The event of each.
    @discardableResult static func endOffers(_ which: SQL, in tx: Transaction) throws -> [ID<Event>] {
        let due = try tx.all(
            """
            SELECT id, event_id, account_id FROM registration
            WHERE \(which) AND state = 'offered' AND (offer_ends_at <= \(tx.now) OR NOT \(canAnswer)) LIMIT 1000
            """
        ) {
            (
                id: try $0.next() as ID<Registration>, event: try $0.next() as ID<Event>,
                account: try $0.next() as ID<Account>
            )
        }
        for offer in due {
            try part("TRUE", from: offer.id, isWhole: true, in: tx)
            try Notice.tell(.init(kind: .lapsed, event: offer.event), "account.id = \(offer.account)", in: tx)
        }
        return due.map(\.event)
    }

    /// Releases the places offered to a suspended member, or kept for them.
    static func endOffers(of account: ID<Account>, in tx: Transaction) throws {
        let which: SQL = "registration.account_id = \(account)"
        let kept: [ID<Event>] = try tx.all(
            """
            SELECT event_id FROM registration WHERE \(which) AND state = 'waiting' AND offered > 0 LIMIT 1000
            """
        ) { try $0.next() }
        try giveBackKept(which, in: tx)
        let ended = try endOffers(which, in: tx)
        try Event.offerFreedPlaces(kept + ended, in: tx)
    }

    /// Returns parties to their positions whose offers can't be accepted now because staff hid the event. When it is
    /// shown again, the places are offered again.
    private static func holdBack(in tx: Transaction) throws {
        let held: [(party: ID<Registration>, event: ID<Event>, places: Int)] = try tx.all(
            """
            SELECT registration.id, event.id, registration.offered
            FROM registration JOIN event ON event.id = registration.event_id
            WHERE registration.state = 'offered' AND registration.offer_ends_at IS NOT NULL AND NOT event.listed
                AND event.cancelled_at IS NULL AND \(Event.isOpen(tx.now))
            LIMIT 1000
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        for (party, event, places) in held {
            try givePlaces(places, from: party, of: event, in: tx)
            try tx.execute(
                """
                UPDATE registration SET state = 'waiting', offered = 0, offer_ends_at = NULL, turn = coalesce(turn, id),
                    updated_at = \(tx.now)
                WHERE id = \(party)
                """)
            try Notice.settle(party, in: tx)
        }
    }

    /// Ends waiting for a canceled event.
    static func endWaiting(for event: ID<Event>, in tx: Transaction) throws {
        let parties: [ID<Registration>] = try tx.all(
            "SELECT id FROM registration WHERE event_id = \(event) AND state IN ('waiting', 'offered') LIMIT 10000"
        ) { try $0.next() }
        for party in parties { try part("TRUE", from: party, isWhole: true, in: tx) }
        try Activity.endWaiting(for: event, in: tx)
    }

    /// Shortens the offers of a moved event to its new end of registration.
    static func shortenOffers(of event: Event, in db: Connection) throws {
        let closing = event.takesLate ? event.endsAt : event.startsAt
        try db.execute(
            """
            UPDATE registration SET offer_ends_at = \(closing)
            WHERE event_id = \(event.id) AND state = 'offered' AND offer_ends_at > \(closing)
            """)
    }

    /// Removes a party from the list for its family, and offers its places to the next one. A party that has got its
    /// places keeps them.
    static func leave(_ id: ID<Registration>, of account: ID<Account>, in tx: Transaction) throws {
        let event: ID<Event>? = try tx.value(
            """
            SELECT event_id FROM registration
            WHERE id = \(id) AND account_id = \(account) AND state IN ('waiting', 'offered')
            """)
        guard let event else { return }
        try part("TRUE", from: id, isWhole: true, in: tx)
        try Event.offerFreedPlaces(event, in: tx)
    }

    /// A party’s position on the waiting list; nil if it isn't waiting.
    static func turn(of id: ID<Registration>, of account: ID<Account>, in db: Connection) throws -> Int64? {
        try db.first(
            """
            SELECT turn FROM registration
            WHERE id = \(id) AND account_id = \(account) AND state IN ('waiting', 'offered')
            """
        ) { try $0.next() as Int64? } ?? nil
    }

    /// Returns a party that just left the list to its old position, and gives it free places if it is next.
    ///
    /// - Returns: Whether there is still something to wait for.
    /// - Throws: `ChildrenChanged` if one of the children waits or has a place again.
    static func waitAgain(
        _ id: ID<Registration>, _ people: [ID<Person>], turn: Int64, in tx: Transaction
    ) throws -> Bool {
        let event = try returning(people, to: id, in: tx)
        let count = try tx.execute(
            """
            UPDATE registration SET state = 'waiting', turn = \(turn), offered = 0, updated_at = \(tx.now)
            WHERE id = \(id) AND state = 'cancelled'
                AND EXISTS (SELECT 1 FROM event WHERE event.id = event_id AND event.listed AND NOT event.sessions
                    AND \(Event.isOpen(tx.now)))
            """)
        guard count == 1 else { return false }
        try tx.execute("UPDATE registration_person SET cancelled_at = NULL WHERE id IN \(list: people)")
        try Reply.comeBack(people, in: tx)
        try Event.offerFreedPlaces(event, in: tx)
        return true
    }

    /// Adds places to an event for a party that is invited out of turn.
    static func grow(_ event: ID<Event>, by extra: Int, for id: ID<Registration>, in tx: Transaction) throws {
        let count = try tx.execute(
            """
            UPDATE event SET spots = spots + \(extra), sequence = sequence + 1, updated_at = \(tx.now)
            WHERE id = \(event) AND spots + \(extra) <= 10000
            """)
        if count == 1 { try tx.execute("UPDATE registration SET extra = extra + \(extra) WHERE id = \(id)") }
    }

    /// Removes the places by which an event grew for a party that doesn't come, as far as they are free.
    static func shrink(after id: ID<Registration>, in tx: Transaction) throws {
        let found: (event: ID<Event>, extra: Int)? = try tx.first(
            "SELECT event_id, extra FROM registration WHERE id = \(id) AND extra > 0"
        ) { (try $0.next(), try $0.next()) }
        guard let (event, extra) = found else { return }
        try tx.execute("UPDATE registration SET extra = 0 WHERE id = \(id)")
        try tx.execute(
            """
            UPDATE event SET spots = CASE WHEN spots - \(extra) >= taken AND spots > \(extra) THEN spots - \(extra)
                    WHEN taken > 0 THEN taken ELSE 1 END,
                sequence = sequence + 1, updated_at = \(tx.now)
            WHERE id = \(event) AND spots IS NOT NULL
            """)
    }

    /// The number of places by which the event grew for a party.
    static func extra(for id: ID<Registration>, in db: Connection) throws -> Int {
        try db.value("SELECT extra FROM registration WHERE id = \(id)") ?? 0
    }

    /// Releases places offered to a party beyond the number of people who still want to come.
    static func releaseOffer(_ id: ID<Registration>, in tx: Transaction) throws {
        guard
            let (event, offered, party): (ID<Event>, Int, Int) = try tx.first(
                "SELECT event_id, offered, \(size) FROM registration WHERE id = \(id)",
                { (try $0.next(), try $0.next(), try $0.next()) })
        else { return }
        let count = offered - min(offered, party)
        try givePlaces(count, from: id, of: event, in: tx)
        try tx.execute("UPDATE registration SET offered = offered - \(count) WHERE id = \(id)")
    }

    // MARK: Queries

    /// The number of parties before this one, without those that need more places than the event has.
    static func ahead(of id: ID<Registration>, in db: Connection) throws -> Int {
        try db.value(
            """
            SELECT count(*) FROM registration AS mine JOIN registration ON registration.event_id = mine.event_id
            JOIN event ON event.id = mine.event_id
            WHERE mine.id = \(id) AND registration.state = 'waiting'
                AND (registration.turn, registration.id) < (mine.turn, mine.id)
                AND (registration.fits OR event.spots IS NULL OR \(size) <= event.spots)
            """) ?? 0
    }

    /// A party's open offer; close to the event, free places that are enough for a waiting party.
    static func offer(to id: ID<Registration>, in tx: Transaction) throws -> Offer? {
        let promised = try tx.first(
            """
            SELECT offered, offer_ends_at FROM registration
            WHERE id = \(id) AND state = 'offered' AND offer_ends_at > \(tx.now)
            """
        ) { Offer(places: try $0.next(), endsAt: try $0.next()) }
        return try promised ?? lastOffers(to: [id], in: tx)[id]
    }

    /// The places that are free shortly before the event, for those of these parties that fit in.
    static func lastOffers(to parties: [ID<Registration>], in tx: Transaction) throws -> [ID<Registration>: Offer] {
        guard !parties.isEmpty else { return [:] }
        var offers: [ID<Registration>: Offer] = [:]
        // As in `Event.room`.
        let room: SQL = """
            CASE WHEN NOT event.sessions AND event.listed AND \(Event.isOpen(tx.now))
                THEN coalesce(event.spots - event.taken, 10000)
                    + CASE WHEN registration.needs_help THEN event.held_free ELSE 0 END
                ELSE 0 END
            """
        try tx.each(
            """
            SELECT registration.id, \(Event.closing), CASE WHEN fits THEN 1 ELSE \(size) END, \(size),
                registration.offered, \(room)
            FROM registration JOIN event ON event.id = registration.event_id
            WHERE registration.id IN \(list: parties) AND registration.state = 'waiting' AND \(canAnswer)
                AND NOT \(Event.isOpen(tx.now + Offer.shortest))
            """
        ) { row in
            let (id, closing): (ID<Registration>, Instant) = (try row.next(), try row.next())
            let (least, size, kept): (Int, Int, Int) = (try row.next(), try row.next(), try row.next())
            let room = try row.next() + kept
            if size > 0, room >= least {
                offers[id] = Offer(places: min(size, room), endsAt: closing, isPromised: false)
            }
            return true
        }
        return offers
    }

    /// The waiting parties and offers of an event. An offer counts until its deadline, even if it is passed on later.
    struct Queue {
        /// The number of waiting parties.
        let waiting: Int
        /// The number of open offers.
        let offered: Int
        /// The number of places in expired offers.
        let lapsed: Int

        var parties: Int { waiting + offered }
        /// The part of these places that nobody waits for.
        var free: Int { waiting == 0 ? lapsed : 0 }
        /// Whether it may be the turn of a party that hasn't been notified.
        var isDue: Bool { waiting > 0 || lapsed > 0 }

        init(for event: ID<Event>, in tx: Transaction) throws {
            let isOver: SQL = "state = 'offered' AND offer_ends_at <= \(tx.now)"
            // From 'offered' to 'waiting', which each event's page asks for: for a list of states SQLite would make a
            // table in memory each time.
            let found: (Int?, Int?, Int?)? = try tx.first(
                """
                SELECT CAST(sum(CASE WHEN state = 'waiting' THEN 1 ELSE 0 END) AS BIGINT),
                    CAST(sum(CASE WHEN state = 'offered' AND offer_ends_at > \(tx.now) THEN 1 ELSE 0 END) AS BIGINT),
                    CAST(sum(CASE WHEN \(isOver) THEN offered ELSE 0 END) AS BIGINT)
                FROM registration WHERE event_id = \(event) AND state >= 'offered'
                """
            ) { (try $0.next(), try $0.next(), try $0.next()) }
            (waiting, offered, lapsed) = (found?.0 ?? 0, found?.1 ?? 0, found?.2 ?? 0)
        }
    }
}

extension Event: PlaceOffering {
    static func prepareLine(for event: ID<Event>, in tx: Transaction) throws {
        try Registration.giveBackKept(
            "registration.event_id = \(event) AND \(try Registration.isLate(in: tx))", in: tx)
    }

    /// There is still enough time to keep places for a party until there are enough: the time for an answer, and more.
    fileprivate static func canKeep(in tx: Transaction) throws -> SQL {
        isOpen(tx.now + (try Offer.usual(in: tx)) + Offer.patience)
    }

    /// The party that gets free places, or for which they are kept; nobody when it is too late for an answer.
    static func next(for event: ID<Event>, in tx: Transaction) throws -> Candidate? {
        let free = try tx.first(
            """
            SELECT spots, coalesce(spots - taken, 10000), held_free, \(try canKeep(in: tx)) FROM event
            WHERE id = \(event) AND NOT sessions AND listed AND \(isOpen(tx.now + Offer.shortest))
            """
        ) {
            FreePlaces(
                spots: try $0.next(), room: try $0.next(), held: try $0.next(), canBeKept: try $0.next())
        }
        guard let free else { return nil }
        var found: Candidate?
        var passed: [ID<Registration>] = []
        try tx.each(
            """
            SELECT id, \(Registration.size), fits, offered, passed_over, needs_help FROM registration
            WHERE event_id = \(event) AND state = 'waiting' AND \(Registration.canAnswer)
            ORDER BY turn, id LIMIT 10000
            """
        ) { row in
            let id: ID<Registration> = try row.next()
            let use = free.use(
                by: FreePlaces.Party(
                    size: try row.next(), takesFewer: try row.next(), kept: try row.next(),
                    wasPassedOver: try row.next(), needsHelp: try row.next()))
            switch use {
            case .offered, .kept: found = (id, use)
            case .tooFew: passed.append(id)
            case .useless: break
            }
            return found == nil
        }
        // If nobody else gets them, nobody was passed over.
        if found != nil {
            for party in passed { try tx.execute("UPDATE registration SET passed_over = TRUE WHERE id = \(party)") }
        }
        return found
    }

    /// A party in the line, and what is done with free places for it.
    typealias Candidate = (party: ID<Registration>, use: FreePlaces.Use)

    static func give(_ candidate: Candidate, at event: ID<Event>, in tx: Transaction) throws -> Bool {
        switch candidate.use {
        case .offered(let places):
            try Registration.promise(places, to: candidate.party, in: tx)
            return true
        case .kept(let places): try Registration.keep(places, for: candidate.party, at: event, in: tx)
        case .tooFew, .useless: break
        }
        return false
    }

    /// When it is too late for an answer, all are told; free places of activities go to those who wait for them.
    static func follow(lineFor event: ID<Event>, in tx: Transaction) throws -> Int {
        let hasTime = try tx.exists(
            "SELECT 1 FROM event WHERE id = \(event) AND \(isOpen(tx.now + Offer.shortest))")
        let told = try hasTime ? 0 : Registration.tellOfLast(at: event, in: tx)
        return try told + Activity.offerFreedPlaces(Activity.waitedFor(at: event, in: tx), in: tx)
    }
}

extension Offer {
    /// The configured time for an answer, if there is enough time.
    static func usual(in db: Connection) throws -> Duration {
        try Note.value("offer_hours", in: db).flatMap { Int($0) }.map { .hours($0) } ?? usual
    }

    /// Stores that time. Every start does, and waits for the disk only if it is another.
    static func use(hours: Int, in db: Connection) throws {
        guard try Note.value("offer_hours", in: db) != "\(hours)" else { return }
        try Note.set("offer_hours", "\(hours)", in: db)
    }

    /// The offer is over.
    struct IsOver: Error {}

    /// No children are named, or too many.
    struct NamesNobody: Error {}
}

extension WaitingList {
    /// An event's waiting list, or its next page.
    init(of event: Event, after: Cursor<ID<Registration>, ID<Registration>>?, in tx: Transaction) throws {
        let next: SQL =
            after.map { " AND (registration.turn, registration.id) > (\($0.keys.0), \($0.keys.1))" } ?? ""
        let waiting = try Page(of: Self.pageSize, by: \.turn, \.registration) { limit in
            try Self.parties(
                of: event.id, "registration.state = 'waiting'\(next)", "registration.turn, registration.id",
                limit, in: tx)
        }
        let offered =
            after == nil
            ? try Self.parties(
                of: event.id, "registration.state = 'offered' AND registration.offer_ends_at > \(tx.now)",
                "registration.id", 1_000, in: tx) : []
        let answers = try Answers(at: event, in: tx)
        self.init(
            event: event, parties: (offered + waiting.items).map(answers.told),
            sessions: event.hasSessions && after == nil ? try Self.sessions(of: event.id, answers, in: tx) : [],
            held: try Hold.find(at: event.id, in: tx)?.free ?? 0, more: waiting.more(at: Self.link(event.id)))
    }

    /// What those answered who wait for an event, while it takes place.
    private struct Answers {
        let asks: [Ask]
        let replies: [ID<Registration.Person>: [Reply]]
        /// Whether places were drawn by lot: nobody was asked before.
        let wasDrawn: Bool
        /// The children of each party, in the order in which they were registered.
        var people: [ID<Registration>: [ID<Registration.Person>]] = [:]

        init(at event: Event, in tx: Transaction) throws {
            asks = event.isCancelled ? [] : try Ask.all(of: event, in: tx)
            replies = asks.isEmpty ? [:] : try Reply.all(at: event, in: tx)
            wasDrawn = try !asks.isEmpty && Draw.wasHeld(at: event.id, in: tx)
            guard !asks.isEmpty else { return }
            try tx.each(
                """
                SELECT registration_person.registration_id, registration_person.id FROM registration_person
                JOIN registration ON registration.id = registration_person.registration_id
                WHERE registration_person.event_id = \(event.id) AND registration_person.cancelled_at IS NULL
                    AND registration_person.child_id IS NOT NULL AND registration.state IN ('waiting', 'offered')
                LIMIT 10000
                """
            ) { row in
                let party: ID<Registration> = try row.next()
                people[party, default: []].append(try row.next())
                return true
            }
        }

        func told(_ party: WaitingParty) -> WaitingParty {
            guard !asks.isEmpty else { return party }
            var party = party
            let people = (self.people[party.registration] ?? []).sorted()
            let asked: Asked = wasDrawn && people.allSatisfy { replies[$0] == nil } ? .never : .once
            party.answers = people.enumerated().map { index, person in
                WaitingAnswers(asks, replies[person] ?? [], of: asked, number: people.count > 1 ? index + 1 : nil)
            }
            // What a family answered for itself stands at each of its people.
            party.ofFamily = AnswerLine.all(asks, people.first.flatMap { replies[$0] } ?? [], isEach: false, of: asked)
            return party
        }

        /// - Parameter isThere: Whether the child has a place in another session: then the family is told of new
        ///   questions.
        func told(_ turn: Session.Turn, of person: ID<Registration.Person>?, isThere: Bool) -> Session.Turn {
            guard !asks.isEmpty else { return turn }
            let replies = person.flatMap { self.replies[$0] } ?? []
            let asked: Asked = isThere ? .always : .once
            var turn = turn
            turn.answers = [WaitingAnswers(asks, replies, of: asked)]
            turn.ofFamily = AnswerLine.all(asks, replies, isEach: false, of: asked)
            return turn
        }
    }

    private static func sessions(of event: ID<Event>, _ answers: Answers, in db: Connection) throws -> [Session] {
        var sessions: [Session] = []
        var last: ID<Activity>?
        try db.each(
            """
            SELECT activity.id, activity.name, family.first_name || ' ' || family.last_name, activity_wait.created_at,
                (SELECT person.id FROM registration_person AS person
                    WHERE person.event_id = activity.event_id AND person.child_id = activity_wait.child_id
                        AND person.cancelled_at IS NULL LIMIT 1),
                EXISTS (SELECT 1 FROM registration_person AS person
                    JOIN registration ON registration.id = person.registration_id
                    WHERE person.event_id = activity.event_id AND person.child_id = activity_wait.child_id
                        AND person.cancelled_at IS NULL AND registration.state = 'confirmed')
            FROM activity JOIN activity_wait ON activity_wait.activity_id = activity.id
            JOIN family ON family.account_id = activity_wait.account_id
            WHERE activity.event_id = \(event) ORDER BY activity.starts_at, activity.id, activity_wait.id LIMIT 10000
            """
        ) { row in
            let (id, name): (ID<Activity>, String) = (try row.next(), try row.next())
            if id != last { sessions.append(Session(name: name)) }
            last = id
            let turn = Session.Turn(parent: try row.next(), since: try row.next())
            sessions[sessions.count - 1].turns.append(answers.told(turn, of: try row.next(), isThere: try row.next()))
            return true
        }
        return sessions
    }

    private static func parties(
        of event: ID<Event>, _ condition: SQL, _ order: SQL, _ limit: Int, in db: Connection
    ) throws -> [WaitingParty] {
        try db.all(
            """
            SELECT registration.id, family.first_name || ' ' || family.last_name, \(Registration.size),
                registration.fits, registration.created_at, registration.offer_ends_at,
                coalesce(registration.turn, registration.id), registration.passed_over, registration.offered,
                registration.needs_help
            FROM registration JOIN family ON family.account_id = registration.account_id
            WHERE registration.event_id = \(event) AND \(condition) ORDER BY \(order) LIMIT \(limit)
            """
        ) {
            WaitingParty(
                registration: try $0.next(), parent: try $0.next(), children: try $0.next(), takesFewer: try $0.next(),
                since: try $0.next(), offerEndsAt: try $0.next(), turn: try $0.next(),
                wasPassedOver: try $0.next(), kept: try $0.next(), needsHelp: try $0.next())
        }
    }

    /// Offers places to a party out of turn. If there are too few, the event gets more.
    ///
    /// - Throws: `Refusal.notFound` if the party doesn't wait for it; `Event.NoRoom` if registration has closed.
    static func invite(_ id: ID<Registration>, to event: ID<Event>, in tx: Transaction) throws {
        try Event.keepOthersOut(of: event, in: tx)
        guard
            let (size, isOffered): (Int, Bool) = try tx.first(
                """
                SELECT \(Registration.size), state = 'offered' FROM registration
                WHERE id = \(id) AND event_id = \(event) AND state IN ('waiting', 'offered')
                """, { (try $0.next(), try $0.next()) }), size > 0
        else { throw Refusal.notFound }
        // It was pressed twice.
        if isOffered { return }
        guard let before = try Event.find(event, in: tx) else { throw Refusal.notFound }
        let kept: Int = try tx.value("SELECT offered FROM registration WHERE id = \(id)") ?? 0
        let held = try Registration.needsHelp(id, in: tx) ? Hold.find(at: event, in: tx)?.free ?? 0 : 0
        if let spots = before.spots, before.taken - held + size - kept > spots {
            try Registration.grow(event, by: before.taken - held + size - kept - spots, for: id, in: tx)
        }
        if let after = try Event.find(event, in: tx) {
            try Change.record(Change.between(before, after), of: [before], in: tx)
        }
        try Registration.promise(size, to: id, in: tx)
    }
}
