import Foundation

/// A point on the earth, in degrees (WGS 84).
struct Coordinate: Sendable, Equatable {
    let latitude: Double
    let longitude: Double

    /// - Returns: nil outside of -90 to 90 degrees of latitude or -180 to 180 of longitude.
    init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        // Five decimals are a metre: more would tell two entrances of one house apart.
        self.latitude = (latitude * 100_000).rounded() / 100_000
        self.longitude = (longitude * 100_000).rounded() / 100_000
    }

    /// Kilometres along the surface, by the haversine formula on a sphere of 6,371.0088 km (the mean radius of IUGG):
    /// within half a percent.
    func distance(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let northward = (other.latitude - latitude) * radians / 2
        let eastward = (other.longitude - longitude) * radians / 2
        let across = cos(latitude * radians) * cos(other.latitude * radians)
        let chord = sin(northward) * sin(northward) + across * sin(eastward) * sin(eastward)
        return 2 * 6_371.0088 * asin(min(1, chord.squareRoot()))
    }
}
