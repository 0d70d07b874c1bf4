/// The area around a point with whole degrees, which covers most maps of a town. Maps of the same town share it, so
/// that browsers load its outlines once.
struct Surroundings: Sendable, Equatable {
    let latitude: Int
    let longitude: Int

    /// - Returns: Nil outside of the map.
    init?(latitude: Int, longitude: Int) {
        guard (-85...85).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The surroundings of a view's center; nil if the view shows more.
    init?(of view: MapView) {
        let (latitude, longitude) = (view.centre.latitude.rounded(), view.centre.longitude.rounded())
        self.init(latitude: Int(latitude), longitude: Int(longitude))
        let (shown, held) = (view.bounds(), bounds)
        guard Double(held.south) < shown.south, Double(held.west) < shown.west, Double(held.north) > shown.north,
            Double(held.east) > shown.east
        else { return nil }
    }

    /// About 220 kilometers to the north and south, and, at the latitude of central Europe, as much to the east and
    /// west.
    var bounds: (south: Int, west: Int, north: Int, east: Int) {
        (latitude - 2, longitude - 3, latitude + 2, longitude + 3)
    }
}
