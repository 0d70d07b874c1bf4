/// What lies around a point where two whole degrees meet: all that most maps of a town show. Maps of the same town have
/// them in common, so that a browser asks for their outlines once.
struct Surroundings: Sendable, Equatable {
    let latitude: Int
    let longitude: Int

    /// - Returns: nil outside of the map.
    init?(latitude: Int, longitude: Int) {
        guard (-85...85).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Those of the middle of a view; nil where it shows more than they hold.
    init?(of view: MapView) {
        let (latitude, longitude) = (view.centre.latitude.rounded(), view.centre.longitude.rounded())
        self.init(latitude: Int(latitude), longitude: Int(longitude))
        let (shown, held) = (view.bounds(), bounds)
        guard Double(held.south) < shown.south, Double(held.west) < shown.west, Double(held.north) > shown.north,
            Double(held.east) > shown.east
        else { return nil }
    }

    /// About 220 kilometers to the north and the south, and as much to the east and the west in the middle of Europe.
    var bounds: (south: Int, west: Int, north: Int, east: Int) {
        (latitude - 2, longitude - 3, latitude + 2, longitude + 3)
    }
}
