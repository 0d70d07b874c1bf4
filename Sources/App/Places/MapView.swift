import Foundation

/// A point of the map: the world one wide and one high, its north-west corner the origin (Web Mercator, EPSG:3857).
struct MapPoint: Sendable, Hashable {
    /// Beyond 0 to 1 on the other side of the date line.
    var x: Double
    let y: Double

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    init(_ point: Coordinate) { self.init(latitude: point.latitude, longitude: point.longitude) }

    /// The poles are at infinity: the map ends where it is as high as wide.
    init(latitude: Double, longitude: Double) {
        let sine = sin(min(85.0511, max(-85.0511, latitude)) * .pi / 180)
        self.init(x: longitude / 360 + 0.5, y: 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi))
    }

    var latitude: Double { atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi }
    var longitude: Double { (x - 0.5) * 360 }
}

/// The part of the map that a drawing shows.
struct MapView: Sendable, Hashable {
    let width: Int
    let height: Int
    let centre: MapPoint
    /// Pixels the whole world is wide.
    let scale: Double

    /// Shows all `points` with some room around them, and at least `kilometres` across; the whole world without any.
    ///
    /// Quarters of zoom levels, and middles 80 pixels apart, so that maps of the same town are often the same.
    init(_ points: [Coordinate], kilometres: Double, width: Int, height: Int) {
        self.width = width
        self.height = height
        guard let first = points.first.map({ MapPoint($0) }) else {
            centre = MapPoint(latitude: 25, longitude: 0)
            scale = Double(width)
            return
        }
        var west = first.x
        var east = first.x
        var north = first.y
        var south = first.y
        for point in points.lazy.map({ MapPoint($0) }) {
            // The shorter way round.
            let x = point.x + (first.x - point.x).rounded()
            west = min(west, x)
            east = max(east, x)
            north = min(north, point.y)
            south = max(south, point.y)
        }
        let middle = MapPoint(x: (west + east) / 2, y: (north + south) / 2)
        let least = kilometres / (40_075 * cos(middle.latitude * .pi / 180))
        let across = max(east - west, least) * 1.25
        let down = max(south - north, least * Double(height) / Double(width)) * 1.4
        let exact = min(Double(width) / across, Double(height) / down)
        scale = max(Double(width), exp2((log2(exact) * 4).rounded(.down) / 4))
        let step = 80 / scale
        centre = MapPoint(x: (middle.x / step).rounded() * step, y: (middle.y / step).rounded() * step)
    }

    /// As tile maps count: at zoom 0 the world is 256 pixels wide.
    var zoom: Double { log2(scale / 256) }

    /// Where a point is drawn, in pixels from the upper left corner.
    func pixel(_ point: MapPoint) -> (x: Double, y: Double) {
        ((point.x - centre.x) * scale + Double(width) / 2, (point.y - centre.y) * scale + Double(height) / 2)
    }

    /// As ``pixel(_:)``, on that copy of the world which is in sight.
    func pixel(nearest point: Coordinate) -> (x: Double, y: Double) {
        var place = MapPoint(point)
        place.x += (centre.x - place.x).rounded()
        return pixel(place)
    }

    /// The corners in degrees; the longitudes go beyond 180 where the date line is in sight.
    func bounds(times factor: Double = 1) -> (south: Double, west: Double, north: Double, east: Double) {
        let x = Double(width) / scale / 2 * factor
        let y = Double(height) / scale / 2 * factor
        let upper = MapPoint(x: centre.x - x, y: max(0, centre.y - y))
        let lower = MapPoint(x: centre.x + x, y: min(1, centre.y + y))
        return (lower.latitude, upper.longitude, upper.latitude, lower.longitude)
    }

    /// What is in sight, `factor` times as wide and high.
    func box(times factor: Double) -> Box {
        let (south, west, north, east) = bounds(times: factor)
        guard east - west < 360 else { return Box(south: south, west: -180, north: north, east: 180) }
        return Box(
            south: south, west: west < -180 ? west + 360 : west, north: north, east: east > 180 ? east - 360 : east)
    }
}
