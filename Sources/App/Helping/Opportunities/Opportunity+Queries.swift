import Database

extension Opportunity.Kind: SQLValue {}
extension Opportunity.Rhythm: SQLValue {}

extension Shift: RowDecodable {
    static let columns: Columns = [
        "shift.id", "shift.day", "shift.start_minute", "shift.end_minute", "shift.starts_at", "shift.ends_at",
        "shift.spots", "shift.taken", "shift.lead",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), day: try row.next(), start: try row.next(), end: try row.next(),
            startsAt: try row.next(), endsAt: try row.next(), spots: try row.next(), taken: try row.next(),
            lead: try row.next())
    }

    /// An opportunity's shifts that weren't canceled, in order.
    static func all(of opportunity: ID<Opportunity>, in db: Connection) throws -> [Shift] {
        try db.all(
            """
            SELECT \(columns) FROM shift WHERE opportunity_id = \(opportunity) AND removed_at IS NULL
            ORDER BY starts_at DESC, id DESC LIMIT 100
            """
        ).reversed()
    }
}

extension Shift {
    static let ledger = Ledger(table: "shift")

    static func find(_ id: ID<Shift>, in db: Connection) throws -> Shift? {
        try db.first("SELECT \(columns) FROM shift WHERE id = \(id)")
    }
}

extension Thing: RowDecodable {
    static let columns: Columns = ["thing.id", "thing.name", "thing.wanted", "thing.promised"]
    static let ledger = Ledger(table: "thing", taken: "promised", all: "wanted")

    init(row: inout Row) throws {
        self.init(id: try row.next(), name: try row.next(), wanted: try row.next(), promised: try row.next())
    }

    static func all(of opportunity: ID<Opportunity>, in db: Connection) throws -> [Thing] {
        try db.all(
            """
            SELECT \(columns) FROM thing WHERE opportunity_id = \(opportunity) AND removed_at IS NULL
            ORDER BY place, id LIMIT \(Opportunity.mostThings)
            """)
    }
}

extension Opportunity.Fund {
    static let columns: Columns = [
        "opportunity.goal", "opportunity.amount", "opportunity.currency", "opportunity.as_of",
    ]

    /// Nil if no money is asked for.
    fileprivate static func read(_ row: inout Row) throws -> Opportunity.Fund? {
        let (goal, amount, currency, asOf): (Int?, Int?, String, Day?) =
            (try row.next(), try row.next(), try row.next(), try row.next())
        return goal.map { goal in
            Opportunity.Fund(
                goal: Money(minorUnits: goal, currency: currency),
                amount: amount.map { Money(minorUnits: $0, currency: currency) }, asOf: asOf)
        }
    }
}

extension Opportunity {
    static let pageSize = 20

    static let columns: Columns =
        ["opportunity.id", "opportunity.kind"] + Event.Host.columns + [
            "opportunity.title", "opportunity.description", "opportunity.language", "opportunity.conditions",
            "opportunity.url", "opportunity.rhythm", "opportunity.hours", "opportunity.age_from",
            "opportunity.with_adult", "opportunity.at_home", "opportunity.with_children", "opportunity.approval",
        ] + Fund.columns + ["opportunity.until", "opportunity.place_name"] + Address.columns(of: "opportunity") + [
            "opportunity.zone", "opportunity.point_id",
        ] + Coordinate.columns + [
            "opportunity.tags", "opportunity.wanted", "opportunity.promised", "opportunity.ends_at",
            "opportunity.closed_at IS NOT NULL", isHidden, "opportunity.hidden_at IS NOT NULL",
            "opportunity.created_at", "opportunity.updated_at", "opportunity.close_reason",
        ] + Shift.columns

    /// Whether it is hidden from visitors: see `Event.isHidden`.
    static let isHidden: SQL = """
        (opportunity.hidden_at IS NOT NULL OR account.suspended_at IS NOT NULL OR account.left_at IS NOT NULL)
        """

    /// The joins for an opportunity's organization, place and next shift: the first with room, otherwise the first.
    static func sources(_ now: Instant) -> SQL {
        func first(_ condition: SQL) -> SQL {
            """
            (SELECT later.id FROM shift AS later
                WHERE later.opportunity_id = opportunity.id AND later.removed_at IS NULL
                    AND later.starts_at > \(now)\(condition)
                ORDER BY later.starts_at, later.id LIMIT 1)
            """
        }
        return """
            JOIN account ON account.id = opportunity.account_id
            LEFT JOIN provider ON provider.account_id = opportunity.account_id
            LEFT JOIN point ON point.id = opportunity.point_id
            LEFT JOIN shift ON shift.id = coalesce(\(first(" AND later.taken < later.spots")), \(first("")))
            """
    }

    /// Whether there is something left to do or bring.
    static let hasRoom: SQL = """
        CASE WHEN opportunity.kind = 'donate' THEN opportunity.wanted = 0 OR opportunity.promised < opportunity.wanted
            ELSE opportunity.rhythm <> 'shifts' OR shift.taken < shift.spots END
        """

    static func read(_ row: inout Row) throws -> Opportunity {
        Opportunity(
            id: try row.next(), kind: try row.next(), host: try row.next(), title: try row.next(),
            description: try row.next(), language: WrittenLanguage(typed: try row.next()),
            conditions: try row.next(), url: try row.next(), rhythm: try row.next(),
            hours: try row.next(), ageFrom: try row.next(), withAdult: try row.next(), isAtHome: try row.next(),
            isWithChildren: try row.next(), asksFirst: try row.next(), fund: try Fund.read(&row),
            until: try row.next(),
            place: Place(
                name: try row.next(), address: try row.next(), zone: try row.next(), point: try row.next(),
                coordinate: try row.next()),
            tags: (try row.next() as String).parts(at: ",").map(String.init), wanted: try row.next(),
            promised: try row.next(), endsAt: try row.next(), isClosed: try row.next(), isHidden: try row.next(),
            isHiddenByStaff: try row.next(), createdAt: try row.next(), updatedAt: try row.next(),
            closeReason: try row.next(), next: try row.next())
    }

    static func find(_ id: ID<Opportunity>, in tx: Transaction) throws -> Opportunity? {
        try tx.first("SELECT \(columns) FROM opportunity \(sources(tx.now)) WHERE opportunity.id = \(id)", read)
    }

    /// An opportunity that a reader may see: hidden ones are for their organization and staff.
    static func find(_ id: ID<Opportunity>, for reader: Visitor?, in tx: Transaction) throws -> Opportunity? {
        guard let found = try find(id, in: tx) else { return nil }
        if reader?.acting == found.host.id || reader?.isStaff == true { return found }
        if found.isHidden { return nil }
        let isBlocked = try tx.exists(
            "SELECT 1 FROM account WHERE id = \(found.host.id) AND \(Block.hides("account.id", from: reader?.account))")
        return isBlocked ? nil : found
    }

    /// An opportunity in which a member could take part: blocks apply.
    ///
    /// - Throws: `Refusal.notFound`.
    static func reachable(_ id: ID<Opportunity>, by account: ID<Account>, in tx: Transaction) throws -> Opportunity {
        guard let found = try find(id, in: tx), try !Block.stands(between: account, and: found.host.id, in: tx)
        else { throw Refusal.notFound }
        return found
    }

    /// An organization's own.
    static func own(_ id: ID<Opportunity>, of host: ID<Account>, in tx: Transaction) throws -> Opportunity {
        guard let found = try find(id, in: tx), found.host.id == host else { throw Refusal.notFound }
        return found
    }

    /// An organization's current opportunities, newest first.
    static func offered(by host: ID<Account>, atMost limit: Int = 12, in tx: Transaction) throws -> [Opportunity] {
        try tx.all(
            """
            SELECT \(columns) FROM opportunity \(sources(tx.now))
            WHERE opportunity.account_id = \(host) AND opportunity.listed AND opportunity.ends_at > \(tx.now)
            ORDER BY opportunity.id DESC LIMIT \(limit)
            """, read)
    }

    /// All opportunities of an organization, newest first.
    static func all(
        by host: ID<Account>, after: Cursor<ID<Opportunity>>?, in tx: Transaction
    ) throws -> Page<Opportunity> {
        try Page(of: pageSize, by: \.id) { limit in
            try tx.all(
                """
                SELECT \(columns) FROM opportunity \(sources(tx.now))
                WHERE opportunity.account_id = \(host) AND opportunity.id < \(after?.keys ?? ID(.max))
                ORDER BY opportunity.id DESC LIMIT \(limit)
                """, read)
        }
    }

    // MARK: Changes

    /// The result of a sent form.
    enum Outcome: Sendable {
        case new(ID<Opportunity>)
        case already(ID<Opportunity>)
    }

    private func stored(in db: Connection) throws -> Assignments {
        [
            "kind": kind, "title": title, "description": description, "language": language?.tag ?? "",
            "conditions": conditions, "url": url, "rhythm": rhythm, "hours": hours,
            "age_from": ageFrom, "with_adult": withAdult, "at_home": isAtHome,
            "with_children": isWithChildren, "approval": asksFirst, "goal": fund?.goal.minorUnits,
            "amount": fund?.amount?.minorUnits, "currency": fund?.goal.currency ?? "", "as_of": fund?.asOf,
            "until": until, "place_name": place.name, "zone": place.zone,
            "point_id": try place.coordinate.map { try Point.id(at: $0, in: db) },
            "tags": tags.joined(separator: ","), "ends_at": endsAt,
        ] + place.address.stored
    }

    /// The opportunity with the position of its address.
    func located(in db: Connection) throws -> Opportunity {
        var opportunity = self
        opportunity.tags = try Tag.current(tags, in: db)
        guard !place.isEmpty else { return opportunity }
        opportunity.place.coordinate = try Gazetteer.coordinate(of: place.address, in: db)
        return opportunity
    }

    /// Publishes an opportunity, only once if its form is sent repeatedly.
    ///
    /// - Parameters:
    ///   - draft: The form's draft, which is deleted.
    ///   - hasBrakes: Whether the first opportunity of an unverified organization is held for review.
    static func publish(
        _ new: Opportunity, _ shifts: [Shift], _ things: [Thing], once: String,
        draft: Draft.Content? = nil, hasBrakes: Bool = false, in tx: Transaction
    ) throws -> Outcome {
        if let id: ID<Opportunity> = try tx.value(
            "SELECT id FROM opportunity WHERE account_id = \(new.host.id) AND once = \(once)")
        {
            return .already(id)
        }
        let id = ID<Opportunity>(
            try tx.insert(
                """
                INSERT INTO opportunity \(values: new.stored(in: tx) + [
                    "account_id": new.host.id, "once": once, "created_at": tx.now, "updated_at": tx.now,
                ])
                """))
        for shift in shifts { try insert(shift, at: id, in: new.zone, tx: tx) }
        for (place, thing) in things.enumerated() { try insert(thing, place, at: id, in: tx) }
        try index(id, new, in: tx)
        try countThings(of: id, in: tx)
        if let draft { try Draft.finish(draft, of: new.host.id, in: tx) }
        if try Matter.keepBackCopy(Opportunity.self, id, in: tx) { return .new(id) }
        if try !(hasBrakes && Matter.keepBack(Opportunity.self, id, of: new.host.id, in: tx)) {
            try FollowNews.tell(id, new, in: tx)
        }
        return .new(id)
    }

    /// A condition for an organization's other visible opportunities.
    static func others(of account: ID<Account>, than id: ID<Opportunity>) -> SQL {
        """
        SELECT 1 FROM opportunity AS other
        WHERE other.account_id = \(account) AND other.id <> \(id) AND other.hidden_at IS NULL
        """
    }

    private static func insert(_ shift: Shift, at id: ID<Opportunity>, in zone: Zone, tx: Transaction) throws {
        let new = ID<Shift>(
            try tx.insert(
                """
                INSERT INTO shift (opportunity_id, day, start_minute, end_minute, starts_at, ends_at, spots, lead)
                VALUES (\(id), \(shift.day), \(shift.start), \(shift.end), \(shift.startsAt), \(shift.endsAt),
                    \(shift.spots), \(shift.lead))
                """))
        try Reminder.schedule(shift.schedule, .shift(new), in: zone, tx: tx)
    }

    private static func insert(_ thing: Thing, _ place: Int, at id: ID<Opportunity>, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO thing (opportunity_id, name, wanted, place)
            VALUES (\(id), \(thing.name), \(thing.wanted), \(place))
            """)
    }

    /// The things of whole lists.
    static let ledger = Ledger(table: "opportunity", taken: "promised", all: "wanted")

    /// Updates the sums for lists from the rows.
    static func countThings(of id: ID<Opportunity>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE opportunity SET (wanted, promised) = (
                SELECT CAST(coalesce(sum(thing.wanted), 0) AS BIGINT),
                    CAST(coalesce(sum(thing.promised), 0) AS BIGINT)
                FROM thing WHERE thing.opportunity_id = \(id) AND thing.removed_at IS NULL)
            WHERE id = \(id)
            """)
    }

    private static func index(_ id: ID<Opportunity>, _ opportunity: Opportunity, in db: Connection) throws {
        try db.execute("DELETE FROM opportunity_search WHERE rowid = \(id)")
        try db.execute("DELETE FROM opportunity_tag WHERE opportunity_id = \(id)")
        try SearchIndex.insert(
            id, title: opportunity.title, description: opportunity.description, organization: opportunity.host.name,
            city: opportunity.place.address.city, tags: opportunity.tags, in: db)
        for tag in Set(opportunity.tags) {
            try db.execute("INSERT INTO opportunity_tag (tag, opportunity_id) VALUES (\(tag), \(id))")
        }
    }

    /// A shift has more helpers, or a thing more promises, than there would be places.
    struct TooFew: Error {}

    /// Changes an opportunity: removed shifts and things are canceled, and those affected are notified.
    ///
    /// - Throws: `TooFew` if more places have been taken meanwhile than there would be.
    static func update(_ changed: Opportunity, _ shifts: [Shift], _ things: [Thing], in tx: Transaction) throws {
        let id = changed.id
        let shown = try Opportunity.exhibit(id, in: tx)
        let stored = try find(id, in: tx)
        let before = try Shift.all(of: id, in: tx)
        let count = try tx.execute(
            """
            UPDATE opportunity SET \(set: changed.stored(in: tx)), updated_at = \(tx.now), asked_at = NULL
            WHERE id = \(id) AND account_id = \(changed.host.id) AND closed_at IS NULL
            """)
        guard count == 1 else { throw Refusal.tooLate }
        try store(shifts, of: changed, instead: before, of: stored, in: tx)
        try store(things, of: changed, in: tx)
        try index(id, changed, in: tx)
        try countThings(of: id, in: tx)
        try relist("id = \(id)", in: tx)
        try Favorite.follow(id, in: tx)
        try Decision.wasChanged(Opportunity.self, id, from: shown, in: tx)
    }

    /// Stores the shifts of a changed opportunity.
    ///
    /// - Parameters:
    ///   - before: Its shifts before the change.
    ///   - stored: The opportunity before the change.
    /// - Throws: `TooFew`.
    private static func store(
        _ shifts: [Shift], of changed: Opportunity, instead before: [Shift], of stored: Opportunity?, in tx: Transaction
    ) throws {
        let id = changed.id
        let place = stored?.place.line ?? ""
        let kept = shifts.map(\.id).filter { $0.rawValue > 0 }
        var seen: Set<ID<Shift>> = []
        for shift in before where !kept.contains(shift.id) {
            try Signup.callOff(shift, of: changed, in: tx)
        }
        for shift in shifts {
            // Two rows with one ID are two shifts.
            guard shift.id.rawValue > 0, seen.insert(shift.id).inserted else {
                try insert(shift, at: id, in: changed.zone, tx: tx)
                continue
            }
            let count = try tx.execute(
                """
                UPDATE shift SET day = \(shift.day), start_minute = \(shift.start), end_minute = \(shift.end),
                    starts_at = \(shift.startsAt), ends_at = \(shift.endsAt), spots = \(shift.spots),
                    lead = \(shift.lead)
                WHERE id = \(shift.id) AND opportunity_id = \(id) AND taken <= \(shift.spots)
                """)
            guard count == 1 else { throw TooFew() }
            guard let old = before.first(where: { $0.id == shift.id }), old.endsAt > tx.now else { continue }
            if old.startsAt != shift.startsAt || old.endsAt != shift.endsAt {
                try Reminder.schedule(shift.schedule, .shift(shift.id), in: changed.zone, tx: tx)
                // The same time by another clock is another time.
                let clocks = stored.flatMap { stored -> (was: Zone, is: Zone)? in
                    stored.zone.offset(at: old.startsAt) == changed.zone.offset(at: old.startsAt)
                        ? nil : (stored.zone, changed.zone)
                }
                try Signup.tell(
                    .moved, shift, of: changed, before: old.fact(in: clocks?.was),
                    now: shift.fact(in: clocks?.is), in: tx)
                try Companion.follow(shift, in: tx)
            }
            if old.startsAt != shift.startsAt || old.endsAt != shift.endsAt || changed.place.line != place {
                try YoungPerson.follow(shift, of: changed, in: tx)
            }
        }
        if changed.place.line != place { try Signup.tellMoved(changed, from: place, in: tx) }
        // There may be more places now.
        try Shift.offerFreedPlaces(seen, in: tx)
    }

    /// Stores the things of a changed opportunity.
    ///
    /// - Throws: `TooFew`.
    private static func store(_ things: [Thing], of changed: Opportunity, in tx: Transaction) throws {
        let id = changed.id
        let kept = things.map(\.id).filter { $0.rawValue > 0 }
        for thing in try Thing.all(of: id, in: tx) where !kept.contains(thing.id) {
            try Promise.callOff(thing, of: changed, in: tx)
        }
        var seen: Set<ID<Thing>> = []
        for (place, thing) in things.enumerated() {
            guard thing.id.rawValue > 0, seen.insert(thing.id).inserted else {
                try insert(thing, place, at: id, in: tx)
                continue
            }
            let count = try tx.execute(
                """
                UPDATE thing SET name = \(thing.name), wanted = \(thing.wanted), place = \(place)
                WHERE id = \(thing.id) AND opportunity_id = \(id) AND promised <= \(thing.wanted)
                """)
            guard count == 1 else { throw TooFew() }
        }
    }

    /// Closes an opportunity: it leaves the lists, and helpers with upcoming shifts or promises are notified.
    static func close(_ opportunity: Opportunity, reason: String = "", in tx: Transaction) throws {
        let count = try tx.execute(
            """
            UPDATE opportunity SET closed_at = \(tx.now), close_reason = \(reason), updated_at = \(tx.now)
            WHERE id = \(opportunity.id) AND closed_at IS NULL
            """)
        guard count == 1 else { return }
        // Each is notified once, regardless of their number of shifts and promises.
        let why: HelpNews.Fact? = reason.isEmpty ? nil : .text(reason)
        try HelpNews(.calledOff, opportunity.id, opportunity.title, before: why, now: nil).tell(
            helpers(of: opportunity.id, at: tx.now), in: tx)
        for shift in try Shift.all(of: opportunity.id, in: tx) where shift.startsAt > tx.now {
            try Signup.callOff(shift, of: opportunity, isTold: true, in: tx)
        }
        for thing in try Thing.all(of: opportunity.id, in: tx) {
            try Promise.callOff(thing, of: opportunity, isGone: false, in: tx)
        }
        try HelpNews.settleDone(at: opportunity.id, in: tx)
        try HelpNews.settle([.stale], opportunity.id, in: tx)
        try Decision.settle(.opportunity(opportunity.id), in: tx)
        try countThings(of: opportunity.id, in: tx)
        try relist("id = \(opportunity.id)", in: tx)
        try Favorite.follow(opportunity.id, in: tx)
    }

    /// A condition on `account`: they have an upcoming shift at an opportunity, wait for one, or promised something.
    private static func helpers(of id: ID<Opportunity>, at now: Instant) -> SQL {
        """
        account.id IN (
            SELECT signup.account_id FROM signup LEFT JOIN shift ON shift.id = signup.shift_id
            WHERE signup.opportunity_id = \(id) AND signup.state IN ('asked', 'confirmed')
                AND (shift.id IS NULL OR shift.starts_at > \(now))
            UNION ALL SELECT shift_wait.account_id FROM shift_wait JOIN shift ON shift.id = shift_wait.shift_id
            WHERE shift.opportunity_id = \(id)
            UNION ALL SELECT account_id FROM promise WHERE opportunity_id = \(id) AND state = 'open')
        """
    }

    /// The listed opportunities of an organization.
    static func listed(of host: ID<Account>, in db: Connection) throws -> [ID<Opportunity>] {
        try db.all(
            "SELECT id FROM opportunity WHERE account_id = \(host) AND listed ORDER BY id LIMIT 1000"
        ) { try $0.next() }
    }

    /// Notifies those who help at hidden opportunities, or wait to: they keep their places, and learn whom to ask.
    static func tellHidden(_ opportunities: [ID<Opportunity>], in tx: Transaction) throws {
        for id in opportunities {
            guard let opportunity = try find(id, in: tx) else { continue }
            try HelpNews.settle([.shown], id, in: tx)
            try HelpNews(.hidden, id, opportunity.title).tell(helpers(of: id, at: tx.now), in: tx)
        }
    }

    /// Notifies those who help at opportunities that are shown again, or wait to.
    static func tellShownAgain(_ opportunities: [ID<Opportunity>], in tx: Transaction) throws {
        for id in opportunities {
            guard let opportunity = try find(id, in: tx) else { continue }
            try HelpNews.settle([.hidden], id, in: tx)
            try HelpNews(.shown, id, opportunity.title).tell(helpers(of: id, at: tx.now), in: tx)
        }
    }

    /// Extends an opportunity without a last day, once a day.
    ///
    /// - Returns: Whether it is new.
    /// - Throws: `Refusal.tooLate`.
    static func renew(_ opportunity: Opportunity, in tx: Transaction) throws -> Bool {
        guard opportunity.isEndless, !opportunity.isClosed else { throw Refusal.tooLate }
        let count = try tx.execute(
            """
            UPDATE opportunity SET ends_at = \(tx.now + freshness), updated_at = \(tx.now), asked_at = NULL
            WHERE id = \(opportunity.id) AND (ends_at <= \(tx.now + freshness - .days(1)) OR asked_at IS NOT NULL)
            """)
        guard count == 1 else { return false }
        try HelpNews.settle([.stale], opportunity.id, in: tx)
        try relist("id = \(opportunity.id)", in: tx)
        try Favorite.follow(opportunity.id, in: tx)
        return true
    }

    /// Recomputes which opportunities are listed; expired and abandoned ones leave the lists, too.
    static func relist(_ opportunities: SQL, in db: Connection) throws {
        try db.execute(
            """
            UPDATE opportunity SET listed = (closed_at IS NULL AND hidden_at IS NULL AND EXISTS (
                SELECT 1 FROM account AS owner WHERE owner.id = opportunity.account_id
                    AND owner.suspended_at IS NULL AND owner.left_at IS NULL))
            WHERE \(opportunities)
            """)
    }

    /// Hides an opportunity for staff, or shows it again.
    static func hide(_ id: ID<Opportunity>, at instant: Instant?, in tx: Transaction) throws {
        try relisting(id, in: tx) {
            try tx.execute("UPDATE opportunity SET hidden_at = \(instant) WHERE id = \(id)")
            try relist("id = \(id)", in: tx)
        }
        try TalkThread.callOff(at: id, in: tx)
    }

    /// Removes expired opportunities from the lists, and asks organizations about those that would soon expire.
    ///
    /// - Returns: The number removed.
    static func endOld(in tx: Transaction) throws -> Int {
        let stale: [(ID<Opportunity>, ID<Account>, String)] = try tx.all(
            """
            SELECT id, account_id, title FROM opportunity
            WHERE listed AND ends_at > \(tx.now) AND ends_at <= \(tx.now + notice) AND until IS NULL
                AND (rhythm <> 'shifts' OR kind = 'donate') AND asked_at IS NULL
            ORDER BY ends_at LIMIT 200
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        for (id, host, title) in stale {
            try HelpNews(.stale, id, title).tellHost(host, in: tx)
            try tx.execute("UPDATE opportunity SET asked_at = \(tx.now) WHERE id = \(id)")
        }
        let over: [(ID<Opportunity>, ID<Account>, String, Bool)] = try tx.all(
            """
            SELECT id, account_id, title, asked_at IS NOT NULL FROM opportunity
            WHERE listed AND ends_at <= \(tx.now) ORDER BY ends_at LIMIT 500
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        for (id, host, title, wasAsked) in over {
            try tx.execute("UPDATE opportunity SET listed = FALSE WHERE id = \(id)")
            try HelpNews.settle([.stale], id, in: tx)
            // If there was a last day, the end isn't news.
            if wasAsked { try HelpNews(.unlisted, id, title).tellHost(host, in: tx) }
        }
        return over.count
    }

    /// Erases the texts of an organization's opportunities; the numbers stay.
    static func anonymise(of host: ID<Account>, in tx: Transaction) throws {
        try SearchIndex.forgetLater(in: tx)
        let open: [ID<Opportunity>] = try tx.all(
            "SELECT id FROM opportunity WHERE account_id = \(host) ORDER BY id LIMIT 10000"
        ) { try $0.next() }
        for id in open {
            guard let opportunity = try find(id, in: tx) else { continue }
            try close(opportunity, in: tx)
            try tx.execute("DELETE FROM opportunity_search WHERE rowid = \(id)")
            try tx.execute("DELETE FROM opportunity_tag WHERE opportunity_id = \(id)")
            try Notice.erase("event_id IS NULL AND kind = \(NoticeKind.followed) AND subject = \(id)", in: tx)
        }
        try tx.execute(
            """
            UPDATE opportunity SET description = '', language = '', conditions = '', url = '', close_reason = '',
                place_name = '', street = '', zip = '', tags = '', point_id = NULL, listed = FALSE
            WHERE account_id = \(host)
            """)
        // The readers have nothing left to read. Queried one by one, because the index isn't used for several.
        let told: [ID<Announcement>] = try tx.all(
            """
            SELECT announcement.id FROM opportunity JOIN announcement ON announcement.opportunity_id = opportunity.id
            WHERE opportunity.account_id = \(host) LIMIT 10000
            """
        ) { try $0.next() }
        for id in told { try Notice.erase("event_id IS NULL AND kind = 'announced' AND subject = \(id)", in: tx) }
        try tx.execute(
            """
            DELETE FROM announcement
            WHERE opportunity_id IN (SELECT id FROM opportunity WHERE account_id = \(host))
            """)
        try tx.execute(
            """
            UPDATE shift SET lead = ''
            WHERE opportunity_id IN (SELECT id FROM opportunity WHERE account_id = \(host))
            """)
    }
}
