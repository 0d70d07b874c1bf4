import Database

extension MapPage {
    /// The page for a filter; the event around which it searches comes first.
    init(_ asked: EventFilter, in zone: Zone, outlines: Outlines, tx: Transaction) throws {
        let (filter, answer) = try EventFilter.search(asked, atMost: Self.size + 1, in: zone, tx: tx)
        let first = answer.cards
        let page = Page(first, of: Self.size, by: filter.position)
        more = page.more(at: filter.firstPage.link)
        if filter.after == nil, filter.problems.isEmpty {
            tally =
                page.isLast
                ? Tally(count: first.count, isExact: true)
                : try Event.tally(filter, behind: first, in: zone, in: tx)
            advice = try Advice(filter, isEmpty: first.isEmpty, in: zone, tx: tx)
        }
        var found = page.items
        if let id = filter.event, filter.circle != nil, filter.after == nil, var event = try Event.card(id, in: tx) {
            event.distance = filter.distance(0)
            found = [event] + found.filter { $0.id != id }
        }
        let coordinates = try Point.coordinates(of: found.compactMap(\.pointID), atMost: Self.size + 1, in: tx)
        spots = found.map { event in Spot(event, at: event.pointID.flatMap { coordinates[$0] }, now: tx.now) }
        self.filter = filter
        if more != nil || filter.after != nil {
            others = try Self.others(filter, besides: found, in: zone, tx: tx)
        }
        drawing = try MapDrawing(
            spots.compactMap { spot in
                spot.coordinate.map {
                    .init(
                        coordinate: $0, name: spot.label, link: spot.event.link, entry: spot.event.entry,
                        isChosen: spot.event.id == filter.event)
                }
            }
                + others.map { others in
                    .init(
                        coordinate: others.coordinate, name: others.words, link: filter.around(others.event),
                        count: others.count)
                }, around: filter.circle, country: filter.country, outlines: outlines, in: tx)
    }
}

extension MapPage {
    /// The places of the filter's events that aren't in `page`, those with the soonest events first.
    private static func others(
        _ filter: EventFilter, besides page: [EventCard], in zone: Zone, tx: Transaction
    ) throws -> [Others] {
        let shown = Set(page.map(\.id))
        var order: [ID<Point>] = []
        var places: [ID<Point>: (event: ID<Event>, count: Int)] = [:]
        for spot in try Event.spots(of: filter, in: zone, tx: tx) where !shown.contains(spot.event) {
            if places[spot.place] == nil {
                guard order.count < mostPlaces else { continue }
                order.append(spot.place)
            }
            places[spot.place, default: (spot.event, 0)].count += 1
        }
        guard !order.isEmpty else { return [] }
        let coordinates = try Point.coordinates(of: order, atMost: mostPlaces, in: tx)
        return order.compactMap { id in
            guard let place = places[id], let coordinate = coordinates[id] else { return nil }
            return Others(coordinate: coordinate, count: place.count, event: place.event)
        }
    }
}

extension MapDrawing {
    /// The view: around the chosen place, otherwise all places, otherwise `circle`, the latest event, or the country;
    /// at least the given number of kilometers across.
    init(
        _ places: [Place], around circle: Circle? = nil, country: String, kilometres: Double = 5, height: Int = 440,
        outlines: Outlines,
        in db: Connection
    ) throws {
        let chosen = places.filter(\.isChosen)
        var points = (chosen.isEmpty ? places : chosen).map(\.coordinate)
        var kilometres = kilometres
        if points.isEmpty, let circle {
            points = [circle.centre]
            kilometres = circle.kilometres * 2
        } else if points.isEmpty, let last = try Event.lastPlace(in: db) {
            points = [last]
            kilometres = max(kilometres, 16)
        } else if points.isEmpty, country == "US" {
            points = Self.unitedStates
        }
        let view = MapView(points, kilometres: kilometres, width: 640, height: height)
        try self.init(places, in: view, outlines) {
            // More than fit at once, because zooming in shows more.
            try Gazetteer.towns(in: view.box(times: 2), atMost: 40, in: db)
        }
    }

    /// Two corners of the contiguous states.
    private static let unitedStates = [
        Coordinate(latitude: 49.4, longitude: -124.8), Coordinate(latitude: 24.5, longitude: -66.9),
    ].compactMap(\.self)
}

extension EventPage {
    /// The page with a map of its place; a preview always has one, to place the pin.
    func mapped(_ outlines: Outlines, in db: Connection) throws -> EventPage {
        let isPreview = decision == .preview
        var page = self
        if let pins = programme?.pins, !pins.isEmpty {
            page.ground = try MapDrawing(
                pins, country: event.address.country, kilometres: 0.3, height: 360, outlines: outlines, in: db)
        }
        guard event.isInPerson, event.coordinate != nil || isPreview else { return page }
        let link = isPreview ? nil : event.mapLink
        func map(kilometres: Double) throws -> MapDrawing {
            try MapDrawing(
                event.coordinate.map { [.init(coordinate: $0, name: event.place, link: link)] } ?? [],
                country: event.address.country, kilometres: kilometres, height: 280, outlines: outlines, in: db)
        }
        // A part of the town; far from all towns, large enough to show one.
        var drawing = try map(kilometres: 16)
        if !drawing.towns.contains(where: \.isShown) { drawing = try map(kilometres: 40) }
        page.map = drawing
        return page
    }

    /// The page with a map of an activity's place, if it isn't the event's.
    func mapped(at activity: Activity, _ outlines: Outlines, in db: Connection) throws -> EventPage {
        guard let pin = activity.pin(at: event) else { return try mapped(outlines, in: db) }
        var page = self
        page.map = try MapDrawing(
            [pin], country: event.address.country, kilometres: 4, height: 280, outlines: outlines, in: db)
        return page
    }
}

extension Event {
    /// The position of the latest event in the site's town.
    fileprivate static func lastPlace(in db: Connection) throws -> Coordinate? {
        try db.first(
            """
            SELECT \(Coordinate.columns)
            FROM (SELECT point_id FROM event WHERE listed ORDER BY created_at DESC, id DESC LIMIT 20) AS last
            JOIN point ON point.id = last.point_id LIMIT 1
            """)
    }

    /// A publicly visible event for a list.
    static func card(_ id: ID<Event>, in db: Connection) throws -> EventCard? {
        try db.first(
            """
            SELECT \(EventCard.columns) FROM event \(EventCard.host) WHERE event.id = \(id) AND NOT \(isHidden)
            """)
    }
}
