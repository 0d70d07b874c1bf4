import Foundation

/// A point on the earth, in degrees (WGS 84).
struct Coordinate: Sendable, Equatable {
    let latitude: Double
    let longitude: Double

    /// - Returns: Nil outside of -90 to 90 degrees of latitude or -180 to 180 of longitude.
    init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        // Five decimals are about a meter: more would distinguish two entrances of one house.
        self.latitude = (latitude * 100_000).rounded() / 100_000
        self.longitude = (longitude * 100_000).rounded() / 100_000
    }

    /// Parses the formats that map apps copy: `37.3352, -121.8811`, `37.3352° N, 121.8811° W`, `37°20'06.7"N
    /// 121°52'52.0"W`, `(37.3352, -121.8811)`, `geo:37.3352,-121.8811`, and with a decimal comma `37,3352; -121,8811`.
    init?(typed: String) {
        let typed = Self.plain(typed)
        let parts = typed.split { $0.isComma || $0.isSemicolon || $0.isWhitespace }.map { part in
            // `0x1p5` and `1e2` aren't degrees.
            part.utf8.allSatisfy { "+-.0123456789".utf8.contains($0) } ? Double(part) : nil
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// The same with signs for the halves of the earth, degrees with decimals, and points before those.
    private static func plain(_ typed: String) -> String {
        var text = typed.plainSigns.filter { !"()".contains($0) }
        if text.hasPrefix("geo:") { text = String(text.dropFirst(4)) }
        let dms = #/([0-9]{1,3}(?:\.[0-9]+)?)°?(?: *([0-9]{1,2}(?:\.[0-9]+)?)['′’](?: *([0-9.]+)[\x22″”])?)? *([NSEW])/#
        let named = text.matches(of: dms)
        if named.count == 2, "NS".contains(named[0].4), "EW".contains(named[1].4) {
            return named.map { match in
                let parts = [match.1, match.2 ?? "0", match.3 ?? "0"].map { Double($0) ?? .nan }
                let degrees = parts[0] + parts[1] / 60 + parts[2] / 3_600
                return "\("SW".contains(match.4) ? -degrees : degrees)"
            }.joined(separator: " ")
        }
        if text.wholeMatch(of: #/ *[-+]?[0-9]+,[0-9]{3,} *[; ,] *[-+]?[0-9]+,[0-9]{3,} */#) != nil {
            return text.replacing(#/([0-9]),([0-9])/#) { "\($0.1).\($0.2)" }
        }
        return text.replacing("°", with: "")
    }

    /// The format for typing.
    var typed: String { "\(latitude), \(longitude)" }

    /// In degrees, for forms and scripts.
    var written: (latitude: String, longitude: String) { ("\(latitude)", "\(longitude)") }

    /// Kilometers along the surface, by the haversine formula on a sphere of 6,371.0088 km (the mean radius of IUGG):
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

/// An area between two parallels and two meridians, in degrees. If `west` is greater than `east`, it crosses the date
/// line.
struct Box: Sendable, Equatable {
    let south: Double
    let west: Double
    let north: Double
    let east: Double

    /// The ranges of longitude it covers: two if it crosses the date line.
    var longitudes: [ClosedRange<Double>] { west <= east ? [west...east] : [west...180, -180...east] }

    func contains(_ point: Coordinate) -> Bool {
        (south...north).contains(point.latitude) && longitudes.contains { $0.contains(point.longitude) }
    }
}

/// Everything within a distance of a point.
struct Circle: Sendable, Equatable {
    let centre: Coordinate
    let kilometres: Double

    /// The bounding box (J. P. Matuschek, "Finding Points Within a Distance of a Latitude/Longitude Using Bounding
    /// Coordinates"). A circle that contains a pole spans all longitudes.
    var box: Box {
        let degrees = 180 / Double.pi
        let angle = kilometres / 6_371.0088
        let south = centre.latitude - angle * degrees
        let north = centre.latitude + angle * degrees
        guard south > -90, north < 90 else {
            return Box(south: max(-90, south), west: -180, north: min(90, north), east: 180)
        }
        let reach = asin(min(1, sin(angle) / cos(centre.latitude / degrees))) * degrees
        let west = centre.longitude - reach
        let east = centre.longitude + reach
        return Box(
            south: south, west: west < -180 ? west + 360 : west, north: north, east: east > 180 ? east - 360 : east)
    }
}

extension Coordinate {
    /// Parses two form fields, in degrees; nil if one is empty or not a number.
    init?(typed latitude: String?, _ longitude: String?) {
        func number(_ typed: String?) -> Double? {
            typed.flatMap { Double($0.replacing(",", with: ".").filter { !$0.isWhitespace && $0 != "°" }) }
        }
        guard let latitude = number(latitude), let longitude = number(longitude) else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
