import Database

/// A search whose order isn't that of an index: near a place, and by words with the newest first.
///
/// It first finds IDs with their sort keys, then loads the cards of one page.
struct RankedSearch {
    private let filter: EventFilter
    private let from: Instant
    private let to: Instant?
    private let size: Int
    private let conditions: [SQL]

    /// Finds events that begin at `from` or later and before `to`, and aren't over; `size` is the number wanted.
    init(_ filter: EventFilter, from: Instant, to: Instant?, now: Instant, size: Int) {
        self.filter = filter
        self.from = from
        self.to = to
        self.size = size
        conditions =
            ["event.listed"] + Event.conditions(of: filter, at: now) + Event.towns(of: filter, isLeading: false)
            + filter.tags.map(Event.has)
    }

    /// Up to this many places are queried one by one for their soonest events. If there are more, events are so
    /// frequent that the list of all of them soon has enough matches.
    private static let fewPlaces = 400

    /// How many of them are queried at once if their order doesn't matter.
    private static let together = 20

    /// How many of the soonest events with the words, or of the newest of all, are examined if no index has the order:
    /// more than anyone reads, and still fast.
    private static let window = 2_000

    /// A match.
    private struct Hit {
        let id: ID<Event>
        let startsAt: Instant
        let createdAt: Instant
        let place: ID<Point>?
        var kilometres = 0.0
    }

    func cards(in db: Connection) throws -> [EventCard] { try cards(of: hits(in: db), in: db) }

    /// The number of matches, up to the size; near a place, only in the nearest `fewPlaces` and among `window` events
    /// there.
    func tally(in db: Connection) throws -> Tally {
        guard filter.words.isEmpty, let circle = filter.circle else {
            return Tally(found: try hits(in: db).count, limit: size - 1)
        }
        let time = Event.later("event.starts_at", "event.id", nil, from, to)
        var seen = 0
        var found = 0
        let places = try Point.all(in: 0...circle.kilometres, around: circle.centre, in: db)
        let near = places.prefix(Self.fewPlaces).map(\.id)
        for start in stride(from: 0, to: near.count, by: Self.together) {
            guard seen < Self.window, found < size else { break }
            let some = near[start..<min(start + Self.together, near.count)].padded(to: Self.together)
            try db.each(
                """
                SELECT coalesce(\(conditions.joined(separator: " AND ")), FALSE) FROM event
                WHERE event.point_id IN \(list: some) AND event.listed AND \(time) LIMIT \(Self.window - seen)
                """
            ) { row in
                seen += 1
                if try row.next() { found += 1 }
                return found < size
            }
        }
        return Tally(found: found, limit: size - 1, isWhole: seen < Self.window && places.count <= Self.fewPlaces)
    }

    /// The matches with their positions; near a place, only in the nearest `fewPlaces` and among `window` events there.
    func spots(in db: Connection) throws -> [Event.Spot] {
        guard filter.words.isEmpty, let circle = filter.circle else {
            return try hits(in: db).compactMap { hit in hit.place.map { Event.Spot(event: hit.id, place: $0) } }
        }
        let time = Event.later("event.starts_at", "event.id", nil, from, to)
        var seen = 0
        var found: [Event.Spot] = []
        let places = try Point.all(in: 0...circle.kilometres, around: circle.centre, in: db)
        let near = places.prefix(Self.fewPlaces).map(\.id)
        for start in stride(from: 0, to: near.count, by: Self.together) where seen < Self.window && found.count < size {
            let some = near[start..<min(start + Self.together, near.count)].padded(to: Self.together)
            try db.each(
                """
                SELECT coalesce(\(conditions.joined(separator: " AND ")), FALSE), event.id, event.point_id FROM event
                WHERE event.point_id IN \(list: some) AND event.listed AND \(time) LIMIT \(Self.window - seen)
                """
            ) { row in
                seen += 1
                if try row.next() { found.append(Event.Spot(event: try row.next(), place: try row.next())) }
                return found.count < size
            }
        }
        return found
    }

    private func hits(in db: Connection) throws -> [Hit] {
        switch (SearchWords.query(filter.words), filter.circle, filter.order) {
        case (let words?, _, _): try page(of: found(by: words, in: db))
        case (nil, let circle?, .nearest): try nearest(in: circle, in: db)
        case (nil, let circle?, .soonest): try soonest(in: circle, in: db)
        case (nil, _, _): try page(of: newest(in: db))
        }
    }

    // MARK: Near a place

    /// The events at the nearest place, soonest first, then those at the next. Concentric rings are read one after
    /// another, so that a crowded town's far side is read only when needed.
    private func nearest(in circle: Circle, in db: Connection) throws -> [Hit] {
        let last = filter.after?.keys.0
        var hits: [Hit] = []
        var done = 0.0
        for share in [0.25, 0.5, 1] {
            let reach = circle.kilometres * share
            guard last?.kilometres ?? 0 <= reach else { continue }
            for place in try Point.all(in: done...reach, around: circle.centre, in: db) {
                if let last, (place.kilometres, place.id) < (last.kilometres, last.id) { continue }
                let after = place.id == last?.id ? filter.after : nil
                hits += try soonest(at: place, after: after, before: to, atMost: size - hits.count, in: db)
                guard hits.count < size else { return hits }
            }
            done = reach.nextUp
        }
        return hits
    }

    private func soonest(in circle: Circle, in db: Connection) throws -> [Hit] {
        let places = try Point.all(in: 0...circle.kilometres, around: circle.centre, in: db)
        guard places.count <= Self.fewPlaces else { return try soonest(among: circle, in: db) }
        var hits: [Hit] = []
        var end = to
        for place in places {
            let more = try soonest(at: place, after: filter.after, before: end, atMost: size, in: db)
            guard !more.isEmpty else { continue }
            hits = Array((hits + more).sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }.prefix(size))
            // Events that start after the last one of a full page can't be on it.
            if hits.count == size, let latest = hits.last { end = latest.startsAt + .milliseconds(1) }
        }
        return hits
    }

    private func soonest(
        at place: Point.Nearby, after: EventFilter.Position?, before end: Instant?, atMost count: Int, in db: Connection
    ) throws -> [Hit] {
        let time = Event.later("event.starts_at", "event.id", after, from, end)
        return try db.all(
            """
            SELECT event.id, event.starts_at, event.created_at FROM event
            WHERE event.point_id = \(place.id) AND \(time) AND \(conditions.joined(separator: " AND "))
            ORDER BY event.starts_at, event.id LIMIT \(count)
            """
        ) { row in
            Hit(
                id: try row.next(), startsAt: try row.next(), createdAt: try row.next(), place: place.id,
                kilometres: place.kilometres)
        }
    }

    /// The soonest of all events, without those outside of the area.
    private func soonest(among circle: Circle, in db: Connection) throws -> [Hit] {
        let time = Event.later("event.starts_at", "event.id", filter.after, from, to)
        var hits: [Hit] = []
        // The sign keeps SQLite from scanning the places first.
        try db.each(
            """
            SELECT event.id, event.starts_at, event.created_at, event.point_id, point.latitude, point.longitude
            FROM event JOIN point ON point.id = \(unindexed: "event.point_id")
            WHERE \(time) AND \(conditions.joined(separator: " AND ")) AND \(Self.isIn(circle.box))
            ORDER BY event.starts_at, event.id
            """
        ) { row in
            if let hit = try read(&row) { hits.append(hit) }
            return hits.count < size
        }
        return hits
    }

    // MARK: Within a limited number of events

    /// The soonest events with the words.
    private func found(by words: SearchWords.Query, in db: Connection) throws -> [Hit] {
        var time: SQL = "rowid > \(SearchKey(before: from).rawValue)"
        if let to { time += " AND rowid < \(SearchKey(before: to).rawValue)" }
        return try db.all(
            """
            SELECT event.id, event.starts_at, event.created_at, event.point_id, point.latitude, point.longitude
            FROM (
                SELECT rowid AS key FROM event_search
                WHERE \(SearchIndex.has(words, in: "event_search")) AND \(time)
                ORDER BY rowid LIMIT \(Self.window)
            ) AS found JOIN event ON event.search_key = found.key LEFT JOIN point ON point.id = event.point_id
            WHERE \(conditions.joined(separator: " AND "))
            """, read
        ).compactMap(\.self)
    }

    /// The latest announced events, or the latest in the requested period.
    private func newest(in db: Connection) throws -> [Hit] {
        var stretch: SQL = "listed"
        if let announced = filter.news?.announced {
            stretch += " AND created_at >= \(announced.lowerBound) AND created_at < \(announced.upperBound)"
        }
        let time = Event.later("event.starts_at", "event.id", nil, from, to)
        return try db.all(
            """
            SELECT event.id, event.starts_at, event.created_at, event.point_id, point.latitude, point.longitude
            FROM (
                SELECT id FROM event WHERE \(stretch) ORDER BY created_at DESC, id DESC LIMIT \(Self.window)
            ) AS found JOIN event ON event.id = found.id LEFT JOIN point ON point.id = event.point_id
            WHERE \(time) AND \(conditions.joined(separator: " AND "))
            """, read
        ).compactMap(\.self)
    }

    /// The matches after the previous page, in the order of the list.
    private func page(of hits: [Hit]) -> [Hit] {
        let sorted = hits.sorted(by: precedes)
        guard let (place, at, id) = filter.after?.keys else { return Array(sorted.prefix(size)) }
        let last = Hit(
            id: id, startsAt: at, createdAt: at, place: place?.id, kilometres: place?.kilometres ?? 0)
        return Array(sorted.drop { !precedes(last, $0) }.prefix(size))
    }

    private func precedes(_ one: Hit, _ other: Hit) -> Bool {
        switch filter.order {
        case .soonest: (one.startsAt, one.id) < (other.startsAt, other.id)
        case .newest: (one.createdAt, one.id) > (other.createdAt, other.id)
        case .nearest:
            (one.kilometres, one.place ?? ID(0), one.startsAt, one.id)
                < (other.kilometres, other.place ?? ID(0), other.startsAt, other.id)
        }
    }

    // MARK: Rows

    private static func isIn(_ box: Box) -> SQL {
        let ranges: [SQL] = box.longitudes.map {
            "\(unindexed: "point.longitude") BETWEEN \($0.lowerBound) AND \($0.upperBound)"
        }
        return """
            \(unindexed: "point.latitude") BETWEEN \(box.south) AND \(box.north)
                AND (\(ranges.joined(separator: " OR ")))
            """
    }

    /// The event in a row; nil if it isn't near.
    private func read(_ row: inout Row) throws -> Hit? {
        var hit = Hit(
            id: try row.next(), startsAt: try row.next(), createdAt: try row.next(), place: try row.next())
        if let circle = filter.circle {
            guard let point: Coordinate = try row.next() else { return nil }
            hit.kilometres = point.distance(to: circle.centre)
            guard hit.kilometres <= circle.kilometres else { return nil }
        }
        return hit
    }

    private func cards(of hits: [Hit], in db: Connection) throws -> [EventCard] {
        guard !hits.isEmpty else { return [] }
        let ids = hits.map(\.id).padded(to: size)
        let cards: [EventCard] = try db.all(
            """
            SELECT \(EventCard.columns) FROM event \(EventCard.host) WHERE event.id IN \(list: ids) LIMIT \(size)
            """)
        let found = Dictionary(uniqueKeysWithValues: cards.map { ($0.id, $0) })
        return hits.compactMap { hit in
            var card = found[hit.id]
            card?.distance = filter.distance(hit.kilometres)
            return card
        }
    }
}
