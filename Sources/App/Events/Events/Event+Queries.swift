import Database
import FoundationEssentials

extension Event.Audience: SQLValue {}

extension Event: RowDecodable {
    /// Events per page.
    static let pageSize = 20

    static let columns: Columns =
        ["event.id", "event.audience"] + Host.columns + ["event.title"] + Schedule.columns + Venue.columns
        + Admission.columns
        + EventDetails.columns + Picture.columns + [
            "event.taken", "event.cancelled_at", "event.cancel_reason", isHidden, "event.hidden_at IS NOT NULL",
            "event.series_id", "event.sequence", "event.created_at", "event.updated_at",
            "event.asks", Draw.isPending(at: "event.id"),
        ]

    private static let sources: SQL = """
        event JOIN account ON account.id = event.account_id
        LEFT JOIN provider ON provider.account_id = event.account_id
        LEFT JOIN point ON point.id = event.point_id LEFT JOIN picture ON picture.id = event.picture_id
        """

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), audience: try row.next(), host: try row.next(), title: try row.next(),
            schedule: try row.next(), venue: try row.next(), admission: try row.next(), details: try row.next(),
            picture: try row.next(),
            taken: try row.next(), cancelledAt: try row.next(), cancelReason: try row.next(),
            isHidden: try row.next(), isHiddenByStaff: try row.next(), series: try row.next(), sequence: try row.next(),
            createdAt: try row.next(), updatedAt: try row.next(), isAsking: try row.next(),
            isDrawn: try row.next())
    }

    /// The provider's values for the columns.
    private func stored(in db: Connection) throws -> Assignments {
        try [
            "audience": audience, "title": title, "motif": motif.rawValue, "picture_id": picture?.id,
            "is_long": schedule.endDay != nil,
        ] + schedule.stored + venue.stored(in: db) + admission.stored + details.stored
    }

    static func find(_ id: ID<Event>, in db: Connection) throws -> Event? {
        try db.first(
            """
            SELECT \(columns) FROM \(sources) WHERE event.id = \(id)
            """)
    }

    /// One of this host's events.
    ///
    /// - Throws: `Refusal.notFound` if it is somebody else's.
    static func find(_ id: ID<Event>, of host: ID<Account>, in db: Connection) throws -> Event {
        let own: Event? = try db.first(
            "SELECT \(columns) FROM \(sources) WHERE event.id = \(id) AND event.account_id = \(host)")
        guard let own else { throw Refusal.notFound }
        return own
    }

    /// Events by ID, in that order; missing ones are left out.
    static func all(_ ids: [ID<Event>], in db: Connection) throws -> [Event] {
        var found: [ID<Event>: Event] = [:]
        for start in stride(from: 0, to: ids.count, by: pageSize) {
            let portion = ids[start..<min(start + pageSize, ids.count)].padded(to: pageSize)
            let events: [Event] = try db.all(
                """
                SELECT \(columns) FROM \(sources) WHERE event.id IN \(list: portion) LIMIT \(pageSize)
                """)
            for event in events { found[event.id] = event }
        }
        return ids.compactMap { found[$0] }
    }

    /// The first events that match a filter, with all data.
    static func found(by filter: EventFilter, atMost limit: Int, in zone: Zone, in tx: Transaction) throws -> [Event] {
        try all(search(filter, atMost: limit, in: zone, in: tx).cards.map(\.id), in: tx)
    }

    /// A page of the feed plus one event, which shows whether there is a next page.
    ///
    /// Each kind of search reads in the order of the list from its own index: words from the full-text index, otherwise
    /// tag, city, ZIP code, or all. For searches near a place, and words with the newest first, see `RankedSearch`.
    static func search(
        _ filter: EventFilter, atMost limit: Int = pageSize + 1, in zone: Zone, in tx: Transaction
    ) throws -> FoundCards {
        let filter = try filter.located(in: tx)
        // Events and their registration begin and end on whole minutes, so what is found stays the same for a minute.
        let tx = tx.at(tx.now.minute)
        let (from, to) = try stretch(of: filter, in: zone, in: tx)
        guard let trail = Trail(filter, from: from, to: to, now: tx.now) else {
            let near = try lastingNear(filter, before: from, atMost: limit, in: tx)
            let ranked = try RankedSearch(filter, from: from, to: to, now: tx.now, size: limit).cards(in: tx)
            return FoundCards(Array((near + ranked).prefix(limit)))
        }
        let lasting = try lasting(filter, before: from, atMost: limit, in: tx)
        guard lasting.count < limit else { return FoundCards(lasting) }
        let conditions = trail.stretch + trail.conditions
        let found = try list(
            """
            SELECT \(EventCard.columns) FROM \(trail.source) \(EventCard.host)
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(trail.order) LIMIT \(limit - lasting.count)
            """, for: filter, in: tx)
        return lasting.isEmpty ? found : FoundCards(lasting + found.cards)
    }

    /// A list that many ask for is kept until the next write.
    private static func list(_ sql: SQL, for filter: EventFilter, in tx: Transaction) throws -> FoundCards {
        let answer: Answer<[EventCard]> = try tx.keptList(sql, where: filter.mayBeKept)
        return FoundCards(answer.value, number: answer.number)
    }

    /// Events of several days that began before the start of a list by time and aren't over.
    private static func lasting(
        _ filter: EventFilter, before from: Instant, atMost limit: Int, in tx: Transaction
    ) throws -> [EventCard] {
        guard filter.order == .soonest, filter.after.map({ $0.keys.1 < from }) ?? true else { return [] }
        let conditions = lastingConditions(filter, before: from, at: tx.now).joined(separator: " AND ")
        return try list(
            """
            SELECT \(EventCard.columns) FROM event \(EventCard.host) WHERE \(conditions)
            ORDER BY event.starts_at, event.id LIMIT \(limit)
            """, for: filter, in: tx
        ).cards
    }

    /// The same near a place: they come first, on the first page.
    private static func lastingNear(
        _ filter: EventFilter, before from: Instant, atMost limit: Int, in tx: Transaction
    ) throws -> [EventCard] {
        guard let circle = filter.circle, filter.after == nil, filter.order != .newest else { return [] }
        let conditions = lastingConditions(filter, before: from, at: tx.now).joined(separator: " AND ")
        let found = try tx.all(
            """
            SELECT \(EventCard.columns + Coordinate.columns) FROM event \(EventCard.host)
            JOIN point ON point.id = \(unindexed: "event.point_id") WHERE \(conditions)
            ORDER BY event.starts_at, event.id LIMIT \(countedWindow)
            """
        ) { (card: try $0.next() as EventCard, place: try $0.next() as Coordinate) }
        return found.compactMap { card, place -> EventCard? in
            let kilometres = place.distance(to: circle.centre)
            guard kilometres <= circle.kilometres else { return nil }
            var card = card
            card.distance = filter.distance(kilometres)
            return card
        }.prefix(limit).map(\.self)
    }

    private static func lastingConditions(_ filter: EventFilter, before from: Instant, at now: Instant) -> [SQL] {
        let first = from - EventTimes.longestOfDays
        var conditions: [SQL] = [
            "event.listed", "event.is_long", "event.is_long = TRUE",
            later("event.starts_at", "event.id", filter.after, first, from),
            "event.ends_at > \(max(from, now))",
        ]
        conditions += Self.conditions(of: filter, at: now) + towns(of: filter, isLeading: false) + filter.tags.map(has)
        if let words = SearchWords.query(filter.words) {
            conditions.append(
                """
                EXISTS (SELECT 1 FROM event_search
                    WHERE event_search.rowid = event.search_key AND \(SearchIndex.has(words, in: "event_search")))
                """)
        }
        return conditions
    }

    /// The range of starts for a search: from the first current event on, unless it asks for later days.
    private static func stretch(
        of filter: EventFilter, in zone: Zone, in tx: Transaction
    ) throws -> (from: Instant, to: Instant?) {
        var (from, to) = filter.bounds(in: zone, now: tx.now)
        if from <= tx.now { from = try firstRunning(in: tx) ?? tx.now }
        return (from, to)
    }

    /// The start of the first current event. A search that begins there, rather than at the longest possible duration
    /// ago, skips few past events.
    private static func firstRunning(in tx: Transaction) throws -> Instant? {
        try tx.kept(
            """
            SELECT starts_at FROM event
            WHERE listed AND starts_at > \(tx.now - EventTimes.longest) AND starts_at <= \(tx.now)
                AND ends_at > \(tx.now)
            ORDER BY starts_at, id LIMIT 1
            """
        ) { try tx.value($0) }
    }

    /// How many events of an index are examined to count matches.
    private static let countedWindow = 2_000

    /// The number of matches of a search, from its first page on.
    ///
    /// - Parameter page: The matches found so far, one more than shown. Counting continues after them if the list has
    ///   an index's order; with words it stops, because continuing would cost as much as the page.
    static func tally(
        _ filter: EventFilter, behind page: [EventCard] = [], in zone: Zone, in tx: Transaction
    ) throws -> Tally {
        if !page.isEmpty, !filter.words.isEmpty { return Tally(count: page.count - 1, isExact: false) }
        var filter = try filter.located(in: tx).firstPage
        let tx = tx.at(tx.now.minute)
        let (from, to) = try stretch(of: filter, in: zone, in: tx)
        filter.after = page.last.map(filter.position)
        guard let trail = Trail(filter, from: from, to: to, now: tx.now) else {
            let search = RankedSearch(filter.firstPage, from: from, to: to, now: tx.now, size: Tally.limit + 1)
            return try search.tally(in: tx)
        }
        let shown = page.count
        let lasting =
            try lasting(filter, before: from, atMost: Tally.limit + 1 - min(shown, Tally.limit), in: tx).count
        let window = countedWindow - shown
        let (seen, more) = try tx.kept(
            """
            SELECT coalesce(\(trail.conditions.joined(separator: " AND ")), FALSE) FROM \(trail.source)
            WHERE \(trail.stretch.joined(separator: " AND ")) ORDER BY \(trail.order) LIMIT \(window)
            """, where: filter.mayBeKept
        ) { sql in
            var (seen, more) = (0, 0)
            try tx.each(sql) { row in
                seen += 1
                if try row.next() { more += 1 }
                return shown + more <= Tally.limit
            }
            return (seen, more)
        }
        return Tally(found: shown + lasting + more, limit: Tally.limit, isWhole: seen < window)
    }

    /// An event and its position.
    struct Spot: Sendable {
        let event: ID<Event>
        let place: ID<Point>
    }

    /// The most events on a search's map.
    private static let mostSpots = 500

    /// The positions of a search's events, from its first page on, within `countedWindow`.
    static func spots(of filter: EventFilter, in zone: Zone, tx: Transaction) throws -> [Spot] {
        let filter = try filter.located(in: tx).firstPage
        let tx = tx.at(tx.now.minute)
        let (from, to) = try stretch(of: filter, in: zone, in: tx)
        var found = try lastingSpots(of: filter, before: from, in: tx)
        guard let trail = Trail(filter, from: from, to: to, now: tx.now) else {
            let others = try RankedSearch(filter, from: from, to: to, now: tx.now, size: mostSpots).spots(in: tx)
            return Array((found + others).prefix(mostSpots))
        }
        try tx.each(
            """
            SELECT coalesce(\(trail.conditions.joined(separator: " AND ")), FALSE), event.id, event.point_id
            FROM \(trail.source) WHERE \(trail.stretch.joined(separator: " AND ")) ORDER BY \(trail.order)
            LIMIT \(countedWindow)
            """
        ) { row in
            let (fits, event, place): (Bool, ID<Event>, ID<Point>?) =
                (try row.next(), try row.next(), try row.next())
            if fits, let place { found.append(Spot(event: event, place: place)) }
            return found.count < mostSpots
        }
        return found
    }

    /// The positions of events of several days that began before the start of a search and aren't over.
    private static func lastingSpots(
        of filter: EventFilter, before from: Instant, in tx: Transaction
    ) throws -> [Spot] {
        // The newest first are read in another index, together with these.
        guard filter.order != .newest else { return [] }
        let conditions = lastingConditions(filter, before: from, at: tx.now).joined(separator: " AND ")
        let found = try tx.all(
            """
            SELECT event.id, event.point_id, \(Coordinate.columns) FROM event
            JOIN point ON point.id = \(unindexed: "event.point_id") WHERE \(conditions)
            ORDER BY event.starts_at, event.id LIMIT \(mostSpots)
            """
        ) { (spot: Spot(event: try $0.next(), place: try $0.next()), at: try $0.next() as Coordinate) }
        return found.filter { found in
            filter.circle.map { found.at.distance(to: $0.centre) <= $0.kilometres } ?? true
        }.map(\.spot)
    }

    /// The events that a member attends with their family, and those they post or co-host: current and upcoming ones
    /// soonest first, or past ones newest first.
    static func attended(
        by member: Visitor, upcoming isUpcoming: Bool, after: Cursor<Instant, ID<Event>>?, in tx: Transaction
    ) throws -> Page<EventCard> {
        let when = isUpcoming ? isAhead(tx.now) : isOver(tx.now)
        let next: SQL = after.map { " AND \(isBehind($0, upcoming: isUpcoming))" } ?? ""
        let order: SQL = isUpcoming ? "event.starts_at, event.id" : "event.starts_at DESC, event.id DESC"
        let joined: [(id: ID<Event>, at: Instant)] = try tx.all(
            """
            SELECT DISTINCT event.id, event.starts_at FROM registration
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL
            JOIN event ON event.id = registration.event_id AND event.cancelled_at IS NULL AND \(when)\(next)
            WHERE \(Guardian.bookings(of: member.account, in: tx)) AND registration.state = 'confirmed'
            ORDER BY \(order) LIMIT \(pageSize + 1)
            """
        ) { (try $0.next(), try $0.next()) }
        let own: [(id: ID<Event>, at: Instant)] = try tx.all(
            """
            SELECT event.id, event.starts_at FROM event
            WHERE event.account_id = \(member.acting) AND event.cancelled_at IS NULL AND \(when)\(next)
            ORDER BY \(order) LIMIT \(pageSize + 1)
            """
        ) { (try $0.next(), try $0.next()) }
        let shared = try Cohost.events(of: member.account, in: tx)
        let together: [(id: ID<Event>, at: Instant)] =
            try shared.isEmpty
            ? []
            : tx.all(
                """
                SELECT event.id, event.starts_at FROM event
                WHERE event.id IN \(list: shared.padded(to20Or: Cohost.mostEvents))
                    AND event.cancelled_at IS NULL AND \(when)\(next)
                LIMIT \(Cohost.mostEvents)
                """
            ) { (try $0.next(), try $0.next()) }
        let all = Dictionary((joined + own + together).map { ($0.id, $0.at) }) { first, _ in first }
        let sorted = all.map { (id: $0.key, at: $0.value) }.sorted {
            isUpcoming ? ($0.at, $0.id) < ($1.at, $1.id) : ($0.at, $0.id) > ($1.at, $1.id)
        }
        return try Page(of: pageSize, by: \.startsAt, \.id) { limit in
            let ids = sorted.prefix(limit).map(\.id)
            guard !ids.isEmpty else { return [] }
            let cards: [EventCard] = try tx.all(
                """
                SELECT \(EventCard.columns) FROM event \(EventCard.host)
                WHERE event.id IN \(list: ids.padded(to: limit)) LIMIT \(limit)
                """)
            let found = Dictionary(uniqueKeysWithValues: cards.map { ($0.id, $0) })
            return ids.compactMap { found[$0] }
        }
    }

    /// The index that a search follows, and its conditions on each event.
    private struct Trail {
        let source: SQL
        /// The range of the index to read.
        var stretch: [SQL] = ["event.listed"]
        var conditions: [SQL]
        let order: SQL

        /// Nil if no index has the order of the list: see `RankedSearch`.
        init?(_ filter: EventFilter, from: Instant, to: Instant?, now: Instant) {
            let match = SearchWords.query(filter.words)
            let isNewest = filter.order == .newest
            guard filter.circle == nil, match == nil || !isNewest else { return nil }
            conditions = Event.conditions(of: filter, at: now)
            // The index of towns is in order of time, so use it only if no other index leads.
            let isByTown = match == nil && !isNewest && filter.tags.isEmpty
            let towns = Event.towns(of: filter, isLeading: isByTown)
            if isByTown { stretch += towns } else { conditions += towns }
            var tags = filter.tags[...]
            if let match {
                let low =
                    filter.after.map { SearchKey($0.keys.1, $0.keys.2).rawValue } ?? SearchKey(before: from).rawValue
                source = "event_search JOIN event ON event.search_key = event_search.rowid"
                stretch.insert(SearchIndex.has(match, in: "event_search"), at: 0)
                stretch.append("event_search.rowid > \(max(low, SearchKey(before: from).rawValue))")
                if let to { stretch.append("event_search.rowid < \(SearchKey(before: to).rawValue)") }
                order = "event_search.rowid"
            } else if isNewest {
                source = "event"
                // An event of several days may have begun before.
                let first = from <= now ? from - EventTimes.longestOfDays : from
                conditions.append(Event.later("\(unindexed: "event.starts_at")", "event.id", nil, first, to))
                if let (_, at, id) = filter.after?.keys {
                    stretch.append("(event.created_at, event.id) < (\(at), \(id))")
                }
                if let announced = filter.news?.announced {
                    stretch.append("event.created_at >= \(announced.lowerBound)")
                    stretch.append("event.created_at < \(announced.upperBound)")
                }
                order = "event.created_at DESC, event.id DESC"
            } else if let tag = tags.popFirst() {
                source = "event_tag JOIN event ON event.id = event_tag.event_id"
                stretch.append("event_tag.tag = \(tag)")
                stretch.append(Event.later("event_tag.starts_at", "event_tag.event_id", filter.after, from, to))
                order = "event_tag.starts_at, event_tag.event_id"
            } else {
                source = "event"
                if filter.audience == .everyone, towns.isEmpty { stretch.append("event.audience = 'everyone'") }
                stretch.append(Event.later("event.starts_at", "event.id", filter.after, from, to))
                order = "event.starts_at, event.id"
            }
            conditions += tags.map(Event.has)
        }
    }

    /// A filter's conditions on listed events, apart from words, tags, days, towns and distance.
    static func conditions(of filter: EventFilter, at now: Instant) -> [SQL] {
        // An event that hasn't begun isn't over: most indexes contain the start, so the row needn't be read.
        var conditions: [SQL] = ["(event.starts_at > \(now) OR event.ends_at > \(now))"]
        for age in filter.ages {
            conditions.append("(event.age_from IS NULL OR event.age_from <= \(age))")
            conditions.append("(event.age_to IS NULL OR event.age_to >= \(age))")
        }
        if !filter.anyAges.isEmpty {
            let fits: [SQL] = filter.anyAges.map {
                """
                ((event.age_from IS NULL OR event.age_from <= \($0.upperBound))
                    AND (event.age_to IS NULL OR event.age_to >= \($0.lowerBound)))
                """
            }
            conditions.append("(\(fits.joined(separator: " OR ")))")
        }
        // A place that nobody can take anymore isn't free.
        if let places = filter.freePlaces {
            conditions += [
                "(event.spots IS NULL OR event.spots - event.taken >= \(places))", isOpen(now),
                """
                (NOT event.sessions OR EXISTS (SELECT 1 FROM activity WHERE activity.event_id = event.id
                    AND activity.cancelled_at IS NULL AND activity.spots - activity.taken >= \(places)))
                """,
                "(event.closes_at IS NULL OR event.closes_at > \(now))",
            ]
        }
        if filter.isFree { conditions.append(isFree) }
        if filter.leavesOutCanceled { conditions.append("event.cancelled_at IS NULL") }
        if let news = filter.news {
            // Checked for each event in any index; the index of the newest follows only this range.
            conditions += [
                "\(unindexed: "event.created_at") >= \(news.announced.lowerBound)",
                "\(unindexed: "event.created_at") < \(news.announced.upperBound)",
                "\(unindexed: "event.account_id") <> \(news.reader)",
                "NOT \(Block.hides("event.account_id", from: news.reader))",
            ]
        }
        if !filter.amenities.isEmpty {
            let bits = filter.amenities.bits
            conditions.append("event.access & \(bits) = \(bits)")
        }
        if filter.isOnline { conditions.append("event.online_url <> ''") }
        if filter.isCovidSafe { conditions.append("event.covid_safe") }
        if let tag = filter.written?.tag {
            conditions.append("(event.language = \(tag) OR event.other_language = \(tag))")
        }
        if let audience = filter.audience { conditions.append("\(unindexed: "event.audience") = \(audience)") }
        return conditions
    }

    /// This costs nothing: see `EventFacts.isFree`.
    private static let isFree: SQL = "event.price = 0 AND NOT event.pays_what_they_can"

    /// Conditions for the filter's town and ZIP code; the sign is `+` if their indexes aren't to be used.
    static func towns(of filter: EventFilter, isLeading: Bool) -> [SQL] {
        func side(_ expression: SQL) -> SQL { isLeading ? expression : "\(unindexed: expression)" }
        var conditions: [SQL] = []
        if !filter.city.isEmpty { conditions.append("\(side("event.city_key")) = \(Folding.townKey(filter.city))") }
        if !filter.zip.isEmpty {
            // Five digits also match the longer codes that begin with them.
            let digits = String(filter.zip.unicodeScalars.prefix(5))
            conditions.append("\(side("substr(event.zip, 1, 5)")) = \(digits)")
            if filter.zip.unicodeScalars.count > 5 { conditions.append("event.zip = \(filter.zip)") }
        }
        return conditions
    }

    /// The event has this tag.
    static func has(_ tag: String) -> SQL {
        """
        EXISTS (SELECT 1 FROM event_tag AS other WHERE other.tag = \(tag)
            AND other.starts_at = event.starts_at AND other.event_id = event.id)
        """
    }

    /// It starts between `from` and `to`, and after the last event of the previous page.
    static func later(_ start: SQL, _ id: SQL, _ after: EventFilter.Position?, _ from: Instant, _ to: Instant?) -> SQL {
        var sql: SQL =
            if let (_, startsAt, last) = after?.keys, startsAt >= from {
                "(\(start), \(id)) > (\(startsAt), \(last))"
            } else {
                "\(start) >= \(from)"
            }
        if let to { sql += " AND \(start) < \(to)" }
        return sql
    }

    /// It isn't over: an index by start is read from the earliest possible start of a current event on.
    static func isAhead(_ now: Instant) -> SQL {
        "event.starts_at > \(now - EventTimes.longestOfDays) AND event.ends_at > \(now)"
    }

    /// The same for the events of all hosts, as two conditions, of which an event meets at most one: it began recently,
    /// or it lasts several days and began before. So the index by start isn't read for events of the last months.
    static func current(_ now: Instant) -> [SQL] {
        [
            "event.starts_at > \(now - EventTimes.longest) AND event.ends_at > \(now)",
            """
            event.is_long AND event.is_long = TRUE AND event.starts_at > \(now - EventTimes.longestOfDays)
                AND event.starts_at <= \(now - EventTimes.longest) AND event.ends_at > \(now)
            """,
        ]
    }

    /// Places can be taken and given back: until the start, or until the end if late arrival is allowed.
    static func isOpen(_ now: Instant) -> SQL { "\(closing) > \(now)" }

    /// When places can no longer be taken or given back.
    static let closing: SQL = "CASE WHEN event.late THEN event.ends_at ELSE event.starts_at END"

    static func isOver(_ now: Instant) -> SQL { "event.starts_at <= \(now) AND event.ends_at <= \(now)" }

    /// A condition: it comes after the last event of the previous page; upcoming ones soonest first, others newest
    /// first.
    static func isBehind(_ last: Cursor<Instant, ID<Event>>, upcoming: Bool) -> SQL {
        let (startsAt, id) = last.keys
        return "(event.starts_at, event.id) \(upcoming ? ">" as SQL : "<") (\(startsAt), \(id))"
    }

    /// A provider's events visible to visitors: current and upcoming ones soonest first, or past ones newest first.
    static func offered(
        by host: ID<Account>, upcoming: Bool, after: Cursor<Instant, ID<Event>>?, in tx: Transaction
    ) throws -> Page<EventCard> {
        let when = upcoming ? isAhead(tx.now) : isOver(tx.now)
        let next: SQL = after.map { " AND \(isBehind($0, upcoming: upcoming))" } ?? ""
        let order: SQL = upcoming ? "event.starts_at, event.id" : "event.starts_at DESC, event.id DESC"
        return try Page(of: pageSize, by: \.startsAt, \.id) { limit in
            try tx.all(
                """
                SELECT \(EventCard.columns) FROM event \(EventCard.host)
                WHERE event.account_id = \(host) AND \(when) AND event.listed\(next)
                ORDER BY \(order) LIMIT \(limit)
                """)
        }
    }

    /// A host's own events on some days, including those that began earlier, in order.
    ///
    /// - Parameter shared: The events they co-host, see `Cohost.events`, which are included.
    static func own(
        by host: ID<Account>, and shared: [ID<Event>], on days: Range<Day>, in zone: Zone, db: Connection
    ) throws -> [EventCard] {
        let conditions = reaching(into: days, in: zone)
        let mine = try own(
            where: ["event.account_id = \(host)"] + conditions, "event.starts_at, event.id", atMost: 200, in: db)
        guard !shared.isEmpty else { return mine }
        let together = try own(
            where: [Cohost.isOne(of: shared)] + conditions, "event.id", atMost: shared.count, in: db
        ).map { event in
            var event = event
            event.isTogether = true
            return event
        }
        return (mine + together).sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
    }

    /// Conditions for events on some of these days that aren't canceled.
    static func reaching(into days: Range<Day>, in zone: Zone) -> [SQL] {
        // The index contains instants, and a venue's day may begin at another time than the town's.
        let from = zone.instant(days.lowerBound.advanced(by: -EventTimes.mostDays - 2), .midnight)
        let to = zone.instant(days.upperBound.advanced(by: 1), .midnight)
        return [
            "event.starts_at > \(from)", "event.starts_at < \(to)", "event.day < \(days.upperBound)",
            "event.cancelled_at IS NULL",
            "(event.day >= \(days.lowerBound.advanced(by: -1)) OR event.end_day >= \(days.lowerBound))",
        ]
    }

    /// The first day from this one on with a current event of a provider.
    static func nextDay(of host: ID<Account>, from day: Day, in zone: Zone, tx: Transaction) throws -> Day? {
        try tx.value(
            """
            SELECT day FROM event
            WHERE account_id = \(host) AND starts_at > \(zone.instant(day.advanced(by: -2), .midnight))
                AND day >= \(day) AND cancelled_at IS NULL AND ends_at > \(tx.now)
            ORDER BY starts_at, id LIMIT 1
            """)
    }

    private static func own(
        where conditions: [SQL], _ order: SQL, atMost limit: Int, in db: Connection
    ) throws -> [EventCard] {
        let events: [EventCard] = try db.all(
            """
            SELECT \(EventCard.columns) FROM event \(EventCard.host) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(order) LIMIT \(limit)
            """)
        let reasons = try AuditEntry.reasons(forHiding: events.filter(\.isHidden).map(\.id), in: db)
        return events.map { event in
            var event = event
            event.hiddenReason = event.isHidden ? reasons[event.id]?.words : nil
            return event
        }
    }

    static func host(_ account: ID<Account>, in db: Connection) throws -> Host? {
        try db.first(
            """
            SELECT \(Host.columns) FROM account LEFT JOIN provider ON provider.account_id = account.id
            WHERE account.id = \(account)
            """)
    }

    // MARK: Changes

    /// The result of publishing.
    enum Publication: Sendable, Equatable {
        case new(ID<Event>)
        /// The same form was sent before, with this content or another.
        case already(ID<Event>, isSame: Bool)
    }

    /// Publishes a provider's event if its plan has room, and deletes the draft.
    ///
    /// - Parameters:
    ///   - draft: The form's draft, which is deleted.
    ///   - hasBrakes: Whether the first event by a member without a confirmed address is held for review.
    ///   - isTold: Whether host and followers are notified; not for one of several.
    /// - Throws: `Plan.IsFull`.
    static func announce(
        _ event: Event, once: String, draft: Draft.Content? = nil, hasBrakes: Bool = false, isTold: Bool = true,
        in tx: Transaction
    ) throws -> Publication {
        let host = event.host.id
        let isSent = try tx.exists("SELECT 1 FROM event WHERE account_id = \(host) AND once = \(once)")
        if !isSent { try Plan.check([event.day], of: host, in: tx) }
        if let draft, !isSent { try Draft.finish(draft, of: host, in: tx) }
        let publication = try publish(event, once: once, in: tx)
        if case .new(let id) = publication {
            if try Matter.keepBackCopy(Event.self, id, in: tx) { return publication }
            if try hasBrakes && Matter.keepBack(Event.self, id, of: host, in: tx) { return publication }
            guard isTold else { return publication }
            try Notice.tellHost(.init(kind: .published, event: id), in: tx)
            try FollowNews.tell(id, event, in: tx)
        }
        return publication
    }

    /// A condition for an author's other visible events.
    static func others(of account: ID<Account>, than id: ID<Event>) -> SQL {
        """
        SELECT 1 FROM event AS other
        WHERE other.account_id = \(account) AND other.id <> \(id) AND other.hidden_at IS NULL
        """
    }

    /// Publishes the event, once for each `once`.
    ///
    /// - Parameter number: The ID it had before it was deleted.
    static func publish(
        _ event: Event, number: ID<Event>? = nil, once: String, in tx: Transaction
    ) throws -> Publication {
        var event = event
        event.details.tags = try Tag.current(event.tags, in: tx)
        if let id: ID<Event> = try tx.value(
            "SELECT id FROM event WHERE account_id = \(event.host.id) AND once = \(once)"),
            var stored = try find(id, in: tx)
        {
            if event.programme != nil { stored.programme = try Activity.all(of: id, in: tx) }
            stored.asks = try Ask.all(of: stored, in: tx)
            return .already(id, isSame: stored.hasSameContent(as: event))
        }
        if let picture = event.picture { try Picture.describe(picture, in: tx) }
        var stored =
            try event.stored(in: tx) + [
                "account_id": event.host.id, "series_id": event.series, "once": once, "created_at": tx.now,
                "updated_at": tx.now,
            ]
        if let number { stored = stored + ["id": number] }
        let id = ID<Event>(try tx.insert("INSERT INTO event \(values: stored)"))
        try index(event, id, instead: [], in: tx)
        try Activity.save(event.programme, of: id, in: tx)
        try Ask.save(event.asks, of: id, in: tx)
        // The account may have been suspended while the form was being sent.
        try relist("id = \(id)", in: tx)
        if !event.isCancelled, !event.hasSessions {
            try Reminder.schedule(event.schedule, .event(id), in: event.clock, tx: tx)
        }
        return .new(id)
    }

    /// Stores a change of an event, except of its host, and raises its sequence number for calendars.
    ///
    /// - Throws: `TooManyRegistered` if more places are taken than it would have; `Draw.KeepsPlaces` if the change
    ///   conflicts with a draw.
    static func update(_ event: Event, in tx: Transaction) throws {
        let id = event.id
        var event = event
        event.details.tags = try Tag.current(event.tags, in: tx)
        try Hold.follow(event, in: tx)
        guard
            let (taken, title, tags): (Int, String, String) = try tx.first(
                "SELECT taken, title || ' ' || other_title, tags FROM event WHERE id = \(id)",
                {
                    (try $0.next(), try $0.next(), try $0.next())
                })
        else { throw Refusal.notFound }
        if !event.hasSessions, let spots = event.spots, taken > spots {
            throw TooManyRegistered(count: taken, day: event.day)
        }
        try Draw.check(event, in: tx)
        let shown = try Event.exhibit(id, in: tx)
        try CareNote.follow(event, in: tx)
        try Reply.follow(event, in: tx)
        try Favorite.follow(event, in: tx)
        try unindex("id = \(id)", in: tx)
        try tx.execute("DELETE FROM event_tag WHERE event_id = \(id)")
        if let picture = event.picture { try Picture.describe(picture, in: tx) }
        try tx.execute(
            """
            UPDATE event SET \(set: event.stored(in: tx)), sequence = sequence + 1, updated_at = \(tx.now)
            WHERE id = \(id)
            """)
        try index(event, id, instead: [title] + tags.split(separator: ",").map(String.init), in: tx)
        try Activity.save(event.programme, of: id, in: tx)
        // If the sessions don't change, nothing else updates the sums.
        if event.programme == nil { try Activity.addUp(id, in: tx) }
        try Ask.save(event.asks, of: id, in: tx)
        if !event.hasSessions {
            try Reminder.schedule(event.schedule, .event(id), in: event.clock, tx: tx)
        }
        try Registration.shortenOffers(of: event, in: tx)
        try Event.offerFreedPlaces(id, in: tx)
        try Decision.wasChanged(Event.self, id, from: shown, in: tx)
    }

    /// More places are taken than there would be.
    struct TooManyRegistered: Error {
        let count: Int
        let day: Day
    }

    /// Writes its tags and its full-text index entry.
    ///
    /// - Parameter before: Its previous titles and tags, which aren't counted again.
    private static func index(_ event: Event, _ id: ID<Event>, instead before: [String], in db: Connection) throws {
        for tag in event.tags {
            try db.execute(
                "INSERT INTO event_tag (tag, starts_at, event_id) VALUES (\(tag), \(event.startsAt), \(id))")
            if !before.dropFirst().contains(tag) { try Tag.use(tag, in: db) }
        }
        try Vocabulary.use([event.title, event.other?.title ?? ""] + event.tags, instead: before, in: db)
        let key = SearchKey(event.startsAt, id).rawValue
        try db.execute("UPDATE event SET search_key = \(key) WHERE id = \(id)")
        try SearchIndex.insert(event, at: key, in: db)
    }

    /// Removes events from the full-text index.
    static func unindex(_ events: SQL, in db: Connection) throws {
        try db.execute("DELETE FROM event_search WHERE rowid IN (SELECT search_key FROM event WHERE \(events))")
        try SearchIndex.forgetLater(in: db)
    }

    /// Whether an event is hidden from visitors. There are two independent reasons, so that removing one leaves the
    /// other: staff hid the event, or suspended its host's account.
    static let isHidden: SQL = """
        (event.hidden_at IS NOT NULL OR EXISTS (
            SELECT 1 FROM account AS owner WHERE owner.id = event.account_id AND owner.suspended_at IS NOT NULL))
        """

    /// Recomputes whether events are listed: the only place that defines it.
    ///
    /// - Returns: The number of events.
    @discardableResult static func relist(_ events: SQL, in db: Connection) throws -> Int {
        try db.execute(
            "UPDATE event SET listed = (cancelled_at IS NULL AND NOT \(isHidden)) WHERE \(events)")
    }

    /// Hides an event for staff, or shows it again.
    static func hide(_ id: ID<Event>, at instant: Instant?, in tx: Transaction) throws {
        try relisting(id, in: tx) {
            try tx.execute(
                """
                UPDATE event SET hidden_at = \(instant)
                WHERE id = \(id) AND (hidden_at IS NULL) = \(instant != nil)
                """)
            guard try relist("id = \(id)", in: tx) == 1 else { throw Refusal.notFound }
        }
        try TalkThread.callOff(at: id, in: tx)
    }

    /// Sets the announcement time of an event that was held since publication and is about to be shown. One that was
    /// shown before keeps its time, which determines whether its host sees the participants.
    ///
    /// - Returns: Whether nobody had seen it.
    static func noteAnnounced(_ id: ID<Event>, in tx: Transaction) throws -> Bool {
        try tx.execute("UPDATE event SET created_at = \(tx.now) WHERE id = \(id) AND hidden_at = created_at") == 1
    }

    /// Notifies the families at hidden events, each once: their registrations name the contact.
    static func tellHidden(_ events: [ID<Event>], in tx: Transaction) throws {
        try tell(events, "", in: tx)
    }

    /// Notifies the families at events that are shown again, each once.
    static func tellShownAgain(_ events: [ID<Event>], in tx: Transaction) throws {
        try tell(events, Notice.shownAgain, in: tx)
    }

    private static func tell(_ events: [ID<Event>], _ detail: String, in tx: Transaction) throws {
        // What they read before of the same events holds no longer.
        try Notice.settle(.hidden, at: events, in: tx)
        let ahead: [ID<Event>] = try tx.all(
            """
            SELECT id FROM event WHERE id IN \(list: events.padded(to20Or: 400))
                AND ends_at > \(tx.now) AND cancelled_at IS NULL LIMIT 400
            """
        ) { try $0.next() }
        let news = ahead.map { event in
            Notice.News(kind: .hidden, event: event, detail: detail, party: Registration.party(at: event))
        }
        try Notice.tellFamilies(news, in: tx)
    }

    /// An account's events for which families may be registered.
    static func ahead(of host: ID<Account>, in tx: Transaction) throws -> [ID<Event>] {
        try tx.all(
            """
            SELECT id FROM event WHERE account_id = \(host) AND \(isAhead(tx.now)) AND listed
            ORDER BY starts_at, id LIMIT 400
            """
        ) { try $0.next() }
    }

    /// The events hidden by staff, newest first.
    static func hidden(after: Cursor<ID<Event>>?, in db: Connection) throws -> Page<EventCard> {
        let last = after?.keys
        let at: Instant? = try last.flatMap { try db.value("SELECT hidden_at FROM event WHERE id = \($0)") }
        let first = Instant(milliseconds: 0)
        let next: SQL = last.map { " AND (event.hidden_at, event.id) < (\(at ?? first), \($0))" } ?? ""
        return try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(EventCard.columns) FROM event \(EventCard.host) WHERE event.hidden_at IS NOT NULL\(next)
                ORDER BY event.hidden_at DESC, event.id DESC LIMIT \(limit)
                """)
        }
    }

    /// The places of events. Those of an event with sessions are the sums of theirs, see `Activity.addUp`.
    static let ledger = Ledger(table: "event")

    /// That many places if the event counts them itself.
    private static func own(_ count: Int) -> SQL { "CASE WHEN sessions THEN 0 ELSE \(count) END" }

    /// How many can still register; 0 if registration is closed, or the event is hidden or canceled.
    ///
    /// - Parameter withHelp: Whether places held for families that need help with the fee count: see `Hold`.
    static func room(at id: ID<Event>, withHelp: Bool = false, in tx: Transaction) throws -> Int {
        let held: SQL = withHelp ? " + held_free" : ""
        return try tx.value(
            """
            SELECT coalesce(spots - taken, 10000)\(held) FROM event
            WHERE id = \(id) AND NOT sessions AND listed AND \(isOpen(tx.now))
            """) ?? 0
    }

    /// Takes `count` places, or throws `NoRoom`: the check and the change are one statement. If families choose
    /// sessions, the sessions have the places.
    ///
    /// - Parameters:
    ///   - withHelp: Whether a held place may be used if no open one is left: it counts as taken already.
    ///   - isDrawn: Whether the place was drawn: it is theirs although the event may be hidden at the moment.
    /// - Returns: How many of them were held.
    @discardableResult static func takePlaces(
        _ count: Int, of id: ID<Event>, withHelp: Bool = false, isDrawn: Bool = false, in tx: Transaction
    ) throws -> Int {
        if withHelp { try keepOthersOut(of: id, in: tx) }
        let held = withHelp ? max(0, count - max(0, try room(at: id, in: tx))) : 0
        let open = count - held
        let isFree = try ledger.take(
            own(open),
            where: "id = \(id) AND held_free >= \(held) AND \(takesFamilies(isDrawn: isDrawn)) AND \(isOpen(tx.now))",
            also: ", held_free = held_free - \(held)", in: tx)
        guard isFree else { throw NoRoom() }
        return held
    }

    /// A condition on `event`: families may get a place or wait for one. What a draw gives out they get while staff
    /// look at the event, too: it is shown again, or called off.
    static func takesFamilies(isDrawn: Bool) -> SQL { isDrawn ? "event.cancelled_at IS NULL" : "event.listed" }

    /// Lets no other node change the places of an event until this transaction ends: for what looks at them first and
    /// changes them afterward.
    static func keepOthersOut(of id: ID<Event>, in db: Connection) throws {
        try db.execute("UPDATE event SET taken = taken WHERE id = \(id)")
    }

    /// Gives `count` places back.
    static func givePlaces(_ count: Int, of id: ID<Event>, in db: Connection) throws {
        try ledger.giveBack(own(count), where: "id = \(id)", in: db)
    }

    /// There are fewer places than requested, or registration closed, or the event was canceled or hidden meanwhile.
    struct NoRoom: Error {}
}

extension EventCard: RowDecodable {
    static let host: SQL = """
        LEFT JOIN provider ON provider.account_id = event.account_id
        LEFT JOIN picture ON picture.id = event.picture_id
        LEFT JOIN picture AS portrait ON portrait.id = provider.picture_id
        """

    private static let hostName: SQL = """
        coalesce(provider.organization, (SELECT username FROM account WHERE account.id = event.account_id))
        """

    static let columns: Columns =
        ["event.id", hostName, "event.audience", "event.title", "event.synopsis"] + Schedule.columns
        + ["event.place_name", "event.street", "event.city", "event.country"] + Admission.columns + [
            "event.taken", "event.motif", "event.cancelled_at", "NOT event.listed AND event.cancelled_at IS NULL",
            "event.online_url <> ''",
        ] + Picture.columns + ["event.point_id", "event.created_at"] + Portrait.columns + [
            "event.language", "event.other_language", "event.other_title", "event.other_synopsis",
            Draw.isPending(at: "event.id"),
        ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), host: try row.next(), audience: try row.next(), title: try row.next(),
            synopsis: try row.next(), schedule: try row.next(), placeName: try row.next(), street: try row.next(),
            city: try row.next(), country: try row.next(), admission: try row.next(),
            taken: try row.next(), motif: Motif(rawValue: try row.next()) ?? .party, cancelledAt: try row.next(),
            isHidden: try row.next(), isOnline: try row.next(), picture: try row.next(),
            pointID: try row.next(), createdAt: try row.next(), portrait: try row.next(),
            language: WrittenLanguage(typed: try row.next()), other: try WrittenText(other: &row),
            isDrawn: try row.next())
    }
}
