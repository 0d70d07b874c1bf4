import Database

/// A point on the map that events are at.
enum Place {
    /// The row of a point, made when it isn't there.
    static func id(at coordinate: Coordinate, in db: Connection) throws -> ID<Place> {
        if let id: ID<Place> = try db.value(
            """
            SELECT id FROM place WHERE latitude = \(coordinate.latitude) AND longitude = \(coordinate.longitude)
            """)
        {
            return id
        }
        return ID(
            try db.insert(
                """
                INSERT INTO place (latitude, longitude, band)
                VALUES (\(coordinate.latitude), \(coordinate.longitude), \(coordinate.band))
                """))
    }
}

extension Coordinate {
    /// The quarter of a degree of latitude it lies in, from the south pole.
    var band: Int { Int((latitude + 90) * 4) }

    /// Reads latitude and longitude from `column` on; nil where there is none.
    init?(_ row: borrowing Row, from column: Int) throws {
        guard let latitude: Double = try row[column], let longitude: Double = try row[column + 1] else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
