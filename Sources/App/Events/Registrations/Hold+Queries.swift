import Database

/// Places held for families that need help with the fee are in `event.held_free` while unused, and counted in
/// `event.taken`, so that statements that take places for others needn't know about them. Those that a family has or
/// was offered are in its `registration.held`. During the hold, both add up to the number that the host holds, or to
/// more if families have more than that.
extension Hold {
    static func find(at event: ID<Event>, in db: Connection) throws -> Hold? {
        try db.first(
            "SELECT held, \(used), held_free, held_until FROM event WHERE id = \(event) AND held_until IS NOT NULL"
        ) {
            Hold(places: try $0.next(), taken: try $0.next(), free: try $0.next(), until: try $0.next())
        }
    }

    /// How many held places families have, or were offered.
    private static let used: SQL = """
        (SELECT CAST(coalesce(sum(registration.held), 0) AS BIGINT) FROM registration
            WHERE registration.event_id = event.id AND registration.state IN ('confirmed', 'offered'))
        """

    static func isOn(at event: ID<Event>, in tx: Transaction) throws -> Bool {
        try tx.exists("SELECT 1 FROM event WHERE id = \(event) AND held > 0 AND held_until > \(tx.now)")
    }

    /// Whether places of an event can be held.
    static func isPossible(at event: Event, in tx: Transaction) throws -> Bool {
        refusal(at: event, isDrawn: try Draw.pending(at: event.id, in: tx) != nil, now: tx.now) == nil
    }

    /// Holds as many places as the host says, until a day. Families keep those they have.
    ///
    /// - Throws: `TooMany` if fewer are free.
    static func set(_ places: Int, until: Instant, at event: ID<Event>, in tx: Transaction) throws {
        // All are released for a moment, within the transaction, before they are held again.
        try release("id = \(event)", also: ", held = \(places), held_until = \(until)", in: tx)
        guard let hold = try find(at: event, in: tx) else { throw Refusal.notFound }
        let free = hold.isOn(at: tx.now) ? max(0, places - hold.taken) : 0
        guard try free == 0 || keep(free, of: event, in: tx) else {
            let left: Int = try tx.value("SELECT spots - taken FROM event WHERE id = \(event)") ?? 0
            throw TooMany(most: hold.taken + max(0, left))
        }
        try Event.offerFreedPlaces(event, in: tx)
    }

    /// The most that can be held.
    struct TooMany: Error {
        let most: Int
    }

    private static func keep(_ count: Int, of event: ID<Event>, in db: Connection) throws -> Bool {
        try Event.ledger.take(
            "\(count)", where: "id = \(event) AND spots IS NOT NULL AND held_free + \(count) <= held",
            also: ", held_free = held_free + \(count)", in: db)
    }

    /// Gives back the places that are held and unused.
    ///
    /// - Parameter events: A condition on `event`.
    private static func release(_ events: SQL, also change: SQL = "", in db: Connection) throws {
        try Event.ledger.giveBack("held_free", where: events, also: ", held_free = 0\(change)", in: db)
    }

    /// Holds places again that a family gave back before the day.
    static func refill(_ event: ID<Event>, in tx: Transaction) throws {
        guard try isOn(at: event, in: tx) else { return }
        try Event.keepOthersOut(of: event, in: tx)
        guard let hold = try find(at: event, in: tx), hold.isOn(at: tx.now) else { return }
        let left: Int = try tx.value("SELECT spots - taken FROM event WHERE id = \(event)") ?? 0
        let missing = min(hold.places - hold.taken - hold.free, left)
        if missing > 0 { _ = try keep(missing, of: event, in: tx) }
    }

    /// Releases the unused places if the day is over. The caller offers them to those waiting.
    ///
    /// - Parameter which: A condition on `event`.
    /// - Returns: The events.
    static func end(_ which: SQL, in tx: Transaction) throws -> [ID<Event>] {
        let due: [ID<Event>] = try tx.all(
            "SELECT id FROM event WHERE held_free > 0 AND held_until <= \(tx.now) AND \(which) LIMIT 1000"
        ) { try $0.next() }
        for event in due { try release("id = \(event)", in: tx) }
        return due
    }

    /// Ends holding places where a change leaves no price to need help with, or no number of places, or has families
    /// register for all dates together. No day is later than the last on which families register, and each ends by the
    /// clock of the place: the caller has not stored another zone yet.
    static func follow(_ event: Event, in db: Connection) throws {
        let isTogether = event.series != nil && event.booking == .together
        if event.spots == nil || event.hasSessions || isTogether || (event.price?.minorUnits ?? 0) == 0 {
            try release(
                "id = \(event.id) AND held_until IS NOT NULL", also: ", held = 0, held_until = NULL", in: db)
        } else {
            guard try find(at: event.id, in: db) != nil else { return }
            try Event.keepOthersOut(of: event.id, in: db)
            let stored: (until: Instant, zone: String)? = try db.first(
                "SELECT held_until, zone FROM event WHERE id = \(event.id) AND held_until IS NOT NULL"
            ) { (try $0.next(), try $0.next()) }
            guard let stored else { return }
            let until = stored.until.moved(from: Zone(stored: stored.zone), to: event.clock)
            try db.execute(
                "UPDATE event SET held_until = \(min(until, closing(of: event))) WHERE id = \(event.id)")
        }
    }

    /// Removes a family's need for help with the fee: its host no longer sees it. The places that it has or was offered
    /// stay, including held ones.
    static func takeBack(at event: ID<Event>, of account: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE registration SET needs_help = FALSE
            WHERE account_id = \(account) AND event_id = \(event) AND needs_help
            """)
    }

    /// Erases which families needed help, some time after the event, even if they keep their records.
    ///
    /// - Returns: The number of families.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute(
            """
            UPDATE registration SET needs_help = FALSE, held = 0
            WHERE (needs_help OR held > 0) AND EXISTS (
                SELECT 1 FROM event WHERE event.id = registration.event_id AND event.ends_at <= \(tx.now - kept))
            """)
    }
}
