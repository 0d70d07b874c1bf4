import Database

extension Lottery {
    /// The published data of a draw.
    init(of draw: ID<Draw>, in db: Connection) throws {
        var gone: Set<ID<Event>> = []
        let pots: [Pot] = try db.all(
            """
            SELECT number, places, gone FROM draw_event WHERE draw_id = \(draw) AND places IS NOT NULL
            ORDER BY number LIMIT \(Draw.mostEvents)
            """
        ) { row in
            let pot = Pot(event: try row.next(), places: try row.next())
            if try row.next() as Bool { gone.insert(pot.event) }
            return pot
        }
        var units: [Unit] = []
        try db.each(
            """
            SELECT code, seats, is_first, wishes FROM draw_unit WHERE draw_id = \(draw)
            ORDER BY code LIMIT \(Draw.most)
            """
        ) { row in
            let (code, seats, isFirst): (String, Int, Bool) = (try row.next(), try row.next(), try row.next())
            let wishes = (try row.next() as String).split(separator: " ").compactMap { ID<Event>(String($0)) }
            units.append(Unit(code: code, seats: seats, isFirst: isFirst, wishes: wishes))
            return true
        }
        self.init(pots: pots, units: units, gone: gone)
    }
}

// MARK: - Sealing and assigning, step by step

extension Draw {
    /// How much to process in one transaction.
    static let atOnce = 200

    /// The draws to be sealed now, or whose places must be assigned; not while their host is suspended.
    static func due(in tx: Transaction) throws -> [Draw] {
        try tx.all(
            """
            SELECT \(columns) FROM \(sources)
            WHERE draw.done_at IS NULL AND draw.until_at <= \(tx.now) AND account.suspended_at IS NULL
                AND (draw.sealed_at IS NULL OR draw.drawn_at IS NOT NULL)
            ORDER BY draw.until_at, draw.id LIMIT 20
            """)
    }

    /// Records the wishes of some more families without names; they can't be changed from then on.
    ///
    /// - Parameters:
    ///   - last: The last sheet processed; nil at the beginning.
    ///   - count: How many to process at once.
    /// - Returns: The last one; nil if there are no more.
    func seal(behind last: Int64?, atMost count: Int = Draw.atOnce, in tx: Transaction) throws -> Int64? {
        guard sealedAt == nil else { return nil }
        if last == nil {
            // The host may have taken wishes for longer since the draw was read.
            guard try tx.exists("SELECT 1 FROM draw WHERE id = \(id) AND until_at <= \(tx.now)") else { return nil }
            try tx.execute("DELETE FROM draw_unit WHERE draw_id = \(id)")
            try tx.execute(
                """
                UPDATE draw_event SET places = (SELECT event.spots FROM event WHERE event.id = draw_event.event_id
                    AND event.cancelled_at IS NULL)
                WHERE draw_id = \(id)
                """)
        }
        let sheets: [(id: Int64, code: String, isTogether: Bool, zip: String)] = try tx.all(
            """
            SELECT wish_sheet.id, wish_sheet.code, wish_sheet.together, coalesce(family.zip, '') FROM wish_sheet
            LEFT JOIN family ON family.account_id = wish_sheet.account_id
            WHERE wish_sheet.draw_id = \(id) AND wish_sheet.id > \(last ?? 0)
            ORDER BY wish_sheet.id LIMIT \(count)
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        guard let first = sheets.first, let end = sheets.last else { return nil }
        // Wishes for events canceled meanwhile are left out.
        var lists: [Int64: [Int: [ID<Event>]]] = [:]
        try tx.each(
            """
            SELECT wish.sheet_id, wish.number, wish.event_id FROM wish
            JOIN draw_event ON draw_event.event_id = \(unindexed: "wish.event_id") AND draw_event.places IS NOT NULL
            WHERE wish.sheet_id BETWEEN \(first.id) AND \(end.id) AND \(unindexed: "draw_event.draw_id") = \(id)
            ORDER BY wish.sheet_id, wish.number, wish.rank LIMIT \(count * Child.limit * 10)
            """
        ) { row in
            let (sheet, number, event): (Int64, Int, ID<Event>) = (try row.next(), try row.next(), try row.next())
            lists[sheet, default: [:]][number, default: []].append(event)
            return true
        }
        for sheet in sheets {
            guard let own = lists[sheet.id] else { continue }
            let isFirst = self.isFirst(zip: sheet.zip)
            if sheet.isTogether, let wishes = own.values.first {
                let unit = Lottery.Unit(code: sheet.code, seats: own.count, isFirst: isFirst, wishes: wishes)
                try write(unit, of: sheet.id, child: 0, in: tx)
                continue
            }
            for (number, wishes) in own.sorted(by: { $0.key < $1.key }) {
                let unit = Lottery.Unit(code: "\(sheet.code)-\(number)", seats: 1, isFirst: isFirst, wishes: wishes)
                try write(unit, of: sheet.id, child: number, in: tx)
            }
        }
        return end.id
    }

    private func write(_ unit: Lottery.Unit, of sheet: Int64, child: Int, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO draw_unit (draw_id, code, seats, is_first, wishes, sheet_id, number)
            VALUES (\(id), \(unit.code), \(unit.seats), \(unit.isFirst),
                \(unit.wishes.map { "\($0)" }.joined(separator: " ")), \(sheet), \(child))
            """)
    }

    /// Publishes the hash and the number of recorded units.
    func publish(_ hash: String, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE draw SET hash = \(hash), sealed_at = \(tx.now),
                families = (SELECT count(*) FROM wish_sheet WHERE wish_sheet.draw_id = \(id)),
                wishes = (SELECT count(*) FROM draw_unit WHERE draw_unit.draw_id = \(id))
            WHERE id = \(id) AND sealed_at IS NULL AND until_at <= \(tx.now)
            """)
    }

    /// Assigns some more places, then positions on waiting lists, in the order of the lots; then notifies families.
    /// Progress is recorded in the same transaction, so that each step happens once despite interruptions.
    ///
    /// - Parameter most: How many units to process at once.
    /// - Returns: The progress; nil when everything is done.
    func carryOut(
        _ lottery: Lottery, _ result: Lottery.Result, from progress: Int, atMost most: Int = Draw.atOnce,
        in tx: Transaction
    ) throws -> Int? {
        let count = result.order.count
        guard progress < 2 * count else { return try tellSome(most, in: tx) ? progress : nil }
        let next = min(progress + most, progress < count ? count : 2 * count)
        let isOurs = try tx.execute(
            """
            UPDATE draw SET progress = \(next)
            WHERE id = \(id) AND progress = \(progress) AND drawn_at IS NOT NULL AND done_at IS NULL
            """)
        guard isOurs == 1 else { return nil }
        let events = Dictionary(
            try Event.all(lottery.pots.map(\.event), in: tx).map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
        for position in progress..<next {
            let number = result.order[position % count]
            let unit = lottery.units[number]
            guard let party = try party(of: unit.code, in: tx) else { continue }
            if position < count {
                guard let event = result.places[number].flatMap({ events[$0] }) else { continue }
                try seat(party, unit.code, at: event, in: tx)
            } else {
                // It waits for the events it preferred to its result.
                for event in unit.wishes.prefix(while: { $0 != result.places[number] }) {
                    guard let event = events[event], !lottery.gone.contains(event.id) else { continue }
                    try wait(party, unit.code, at: event, in: tx)
                }
            }
        }
        return next
    }

    /// The family of a unit, and its remaining children.
    private struct Party {
        let account: ID<Account>
        let children: [Child]
    }

    /// Nil if the family left or is suspended, or removed all of its children from the draw.
    private func party(of code: String, in db: Connection) throws -> Party? {
        let found: [(account: ID<Account>, family: ID<Family>, child: ID<Child>)] = try db.all(
            """
            SELECT wish_sheet.account_id, child.family_id, child.id
            FROM draw_unit JOIN wish_sheet ON wish_sheet.id = draw_unit.sheet_id
            JOIN wish ON wish.sheet_id = wish_sheet.id AND (draw_unit.number = 0 OR wish.number = draw_unit.number)
            JOIN child ON child.id = wish.child_id
            JOIN account ON account.id = wish_sheet.account_id
            JOIN family ON family.id = child.family_id AND family.account_id = wish_sheet.account_id
            WHERE draw_unit.draw_id = \(id) AND draw_unit.code = \(code) AND account.suspended_at IS NULL LIMIT 100
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        guard let first = found.first else { return nil }
        let named = Set(found.map(\.child))
        let children = try Child.all(of: first.family, in: db).filter { named.contains($0.id) }
        return children.isEmpty ? nil : Party(account: first.account, children: children)
    }

    /// The children who can come to an event by age and have nothing there yet.
    private func fitting(_ party: Party, at event: Event, in tx: Transaction) throws -> [ID<Child>] {
        let held = try Registration.children(of: party.account, at: event.id, in: tx)
        return party.children.filter { held[$0.id] == nil && event.fits($0.ages(on: event.day)) }.map(\.id)
    }

    /// The `once` of a unit's registration at an event. No form can have one with a period: otherwise a family, which
    /// knows its code, could register elsewhere with it, and the draw could never be completed.
    private func once(_ code: String, at event: Event) -> String { "draw.\(id).\(code).\(event.id)" }

    /// Registers a unit like a registration; a family that is no longer entitled gets no place, which goes to those
    /// waiting.
    private func seat(_ party: Party, _ code: String, at event: Event, in tx: Transaction) throws {
        let children = try fitting(party, at: event, in: tx)
        guard !children.isEmpty else { return }
        do {
            try Event.takePlaces(children.count, of: event.id, isDrawn: true, in: tx)
        } catch is Event.NoRoom {
            return
        }
        _ = try Registration.insert(
            children[...], of: party.account, at: event.id, once: once(code, at: event), in: tx)
    }

    private func wait(_ party: Party, _ code: String, at event: Event, in tx: Transaction) throws {
        let children = try fitting(party, at: event, in: tx)
        guard !children.isEmpty else { return }
        do {
            _ = try Registration.wait(
                children[...], of: party.account, at: event.id, .whole, isDrawn: true, once: once(code, at: event),
                in: tx)
        } catch is Event.NoRoom {
            // It was canceled meanwhile, or has too few places.
        }
    }

    /// Notifies some more families of their result, each once; with the last one the draw is complete.
    ///
    /// - Returns: Whether there are more.
    private func tellSome(_ most: Int, in tx: Transaction) throws -> Bool {
        let sheets: [(id: Int64, account: ID<Account>, event: ID<Event>?)] = try tx.all(
            """
            SELECT wish_sheet.id, wish_sheet.account_id,
                (SELECT wish.event_id FROM wish WHERE wish.sheet_id = wish_sheet.id
                    ORDER BY wish.number, wish.rank LIMIT 1)
            FROM wish_sheet WHERE wish_sheet.draw_id = \(id) AND NOT wish_sheet.told
            ORDER BY wish_sheet.id LIMIT \(most)
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        for sheet in sheets {
            try tx.execute("UPDATE wish_sheet SET told = TRUE WHERE id = \(sheet.id)")
            guard let event = sheet.event else { continue }
            try Self.tell(.drawn, of: id, event: event, "account.id = \(sheet.account)", in: tx)
        }
        guard sheets.count < most else { return true }
        try tx.execute("UPDATE draw SET done_at = \(tx.now) WHERE id = \(id) AND done_at IS NULL")
        // Places that were left free go to those waiting.
        let events = try Self.events(of: id, in: tx)
        for event in events { try Event.offerFreedPlaces(event.id, in: tx) }
        // Families that got a place where nothing is shown at the moment read whom to ask.
        try Event.tellHidden(events.filter(\.isHidden).map(\.id), in: tx)
        return false
    }
}
