import Database

extension Point {
    /// The row of a point, created if necessary.
    static func id(at coordinate: Coordinate, in db: Connection) throws -> ID<Point> {
        if let id: ID<Point> = try db.value(
            """
            SELECT id FROM point WHERE latitude = \(coordinate.latitude) AND longitude = \(coordinate.longitude)
            """)
        {
            return id
        }
        return ID(
            try db.insert(
                """
                INSERT INTO point (latitude, longitude, band)
                VALUES (\(coordinate.latitude), \(coordinate.longitude), \(coordinate.band))
                """))
    }

    /// The places whose distance from `centre` is in `ring`, nearest first. If one band of a ring has more than 5,000,
    /// the rest of it is left out.
    static func all(in ring: ClosedRange<Double>, around centre: Coordinate, in db: Connection) throws -> [Nearby] {
        let box = Circle(centre: centre, kilometres: ring.upperBound).box
        var found: [Nearby] = []
        for band in box.bands {
            for longitudes in box.longitudes {
                try db.each(
                    """
                    SELECT id, latitude, longitude FROM point
                    WHERE band = \(band) AND longitude BETWEEN \(longitudes.lowerBound) AND \(longitudes.upperBound)
                    LIMIT 5000
                    """
                ) { row in
                    let (id, coordinate): (ID<Point>, Coordinate) = (try row.next(), try row.next())
                    let kilometres = coordinate.distance(to: centre)
                    if ring.contains(kilometres) { found.append(Nearby(id: id, kilometres: kilometres)) }
                    return true
                }
            }
        }
        return found.sorted { ($0.kilometres, $0.id) < ($1.kilometres, $1.id) }
    }

    /// How many places are queried at a time.
    private static let together = 50

    /// Visits the places in a circle that have something, from the nearest to the farthest, until a visit returns that
    /// it is enough: most places on the map belong to events.
    ///
    /// - Parameters:
    ///   - turn: The place to continue with.
    ///   - something: What a place must have, as a query on its `point`.
    ///   - most: The most visits.
    static func each(
        in circle: Circle, from turn: Nearby?, with something: SQL, atMost most: Int = .max, in db: Connection,
        _ visit: (Nearby) throws -> Bool
    ) throws {
        var places = try all(in: 0...circle.kilometres, around: circle.centre, in: db)
        if let turn { places = Array(places.drop { ($0.kilometres, $0.id) < (turn.kilometres, turn.id) }) }
        var visited = 0
        for start in stride(from: 0, to: places.count, by: together) {
            let some = places[start..<min(start + together, places.count)]
            let used: [ID<Point>] = try db.all(
                """
                SELECT id FROM point
                WHERE id IN \(list: some.map(\.id).padded(to20Or: together))
                    AND EXISTS (\(something)) LIMIT \(together)
                """
            ) { try $0.next() }
            for place in some where used.contains(place.id) {
                visited += 1
                guard try visit(place), visited < most else { return }
            }
        }
    }

    /// The positions of up to `count` places.
    static func coordinates(
        of ids: [ID<Point>], atMost count: Int, in db: Connection
    ) throws -> [ID<Point>: Coordinate] {
        let ids = ids.prefix(count).padded(to: count)
        var found: [ID<Point>: Coordinate] = [:]
        try db.each(
            "SELECT id, latitude, longitude FROM point WHERE id IN \(list: ids) LIMIT \(count)"
        ) { row in
            let (id, coordinate): (ID<Point>, Coordinate) = (try row.next(), try row.next())
            found[id] = coordinate
            return true
        }
        return found
    }

    static func coordinate(of id: ID<Point>, in db: Connection) throws -> Coordinate? {
        try db.first("SELECT latitude, longitude FROM point WHERE id = \(id)")
    }
}

extension Box {
    /// The bands of latitude it intersects.
    var bands: ClosedRange<Int> { Coordinate.band(of: south)...Coordinate.band(of: north) }
}

extension Coordinate {
    /// The band of latitude, a quarter of a degree, counted from the south pole.
    var band: Int { Self.band(of: latitude) }

    fileprivate static func band(of latitude: Double) -> Int { Int((latitude + 90) * 4) }
}

extension Coordinate: RowDecodable {
    /// The columns of a position; `point` must be joined.
    static let columns: Columns = ["point.latitude", "point.longitude"]

    init(row: inout Row) throws {
        let (latitude, longitude): (Double, Double) = (try row.next(), try row.next())
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw DatabaseError.unreadable("no place on earth: \(latitude), \(longitude)")
        }
        self = coordinate
    }
}
