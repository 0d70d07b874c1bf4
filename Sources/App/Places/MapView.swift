import Foundation

/// A point on the map. The world is one unit wide and high, with the origin in the north-west corner (Web Mercator,
/// EPSG:3857).
struct MapPoint: Sendable, Hashable {
    /// Outside of 0 to 1 beyond the date line.
    var x: Double
    let y: Double

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    init(_ point: Coordinate) { self.init(latitude: point.latitude, longitude: point.longitude) }

    /// The poles are at infinity, so the map ends where it is square.
    init(latitude: Double, longitude: Double) {
        let sine = sin(min(85.0511, max(-85.0511, latitude)) * .pi / 180)
        self.init(x: longitude / 360 + 0.5, y: 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi))
    }

    var latitude: Double { atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi }
    var longitude: Double { (x - 0.5) * 360 }
}

/// The visible part of the map.
struct MapView: Sendable, Hashable {
    let width: Int
    let height: Int
    let centre: MapPoint
    /// The width of the whole world in pixels.
    let scale: Double

    /// Shows all `points` with a margin, and at least `kilometres` across; the whole world if there are none.
    ///
    /// Zoom levels are quantized to quarters and centers to 80 pixels, so that maps of the same town are often
    /// identical.
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
            // The shorter way around the world.
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

    /// The zoom level of tile maps: at zoom 0 the world is 256 pixels wide.
    var zoom: Double { log2(scale / 256) }

    /// The position of a point, in pixels from the upper left corner.
    func pixel(_ point: MapPoint) -> (x: Double, y: Double) {
        ((point.x - centre.x) * scale + Double(width) / 2, (point.y - centre.y) * scale + Double(height) / 2)
    }

    /// Like ``pixel(_:)``, on the visible copy of the world.
    func pixel(nearest point: Coordinate) -> (x: Double, y: Double) {
        var place = MapPoint(point)
        place.x += (centre.x - place.x).rounded()
        return pixel(place)
    }

    /// The corners in degrees; longitudes exceed 180 if the date line is visible.
    func bounds(times factor: Double = 1) -> (south: Double, west: Double, north: Double, east: Double) {
        let x = Double(width) / scale / 2 * factor
        let y = Double(height) / scale / 2 * factor
        let upper = MapPoint(x: centre.x - x, y: max(0, centre.y - y))
        let lower = MapPoint(x: centre.x + x, y: min(1, centre.y + y))
        return (lower.latitude, upper.longitude, upper.latitude, lower.longitude)
    }

    /// The visible area, scaled by `factor`.
    func box(times factor: Double) -> Box {
        let (south, west, north, east) = bounds(times: factor)
        guard east - west < 360 else { return Box(south: south, west: -180, north: north, east: 180) }
        return Box(
            south: south, west: west < -180 ? west + 360 : west, north: north, east: east > 180 ? east - 360 : east)
    }
}
