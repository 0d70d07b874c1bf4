import Forms
import Templating

/// A map drawn by the site itself: for browsers without scripts, and for others until the script has loaded.
struct MapDrawing: Sendable {
    let view: MapView
    let ground: Ground
    /// The towns on the ground; their names are shown unless a pin covers them.
    let towns: [Town]
    let pins: [Pin]

    /// The map under the pins: all that is the same for every map of this view, made once.
    struct Ground: Sendable {
        /// The land with its borders, and the counties: each is an SVG path's `d`.
        let land: String
        let counties: String
        let towns: [Town]
        /// The bounds in degrees, for scripts.
        let south: String
        let west: String
        let north: String
        let east: String
        /// The area whose outlines an interactive map loads; nil if the map starts with a larger one.
        let surroundings: Surroundings?

        fileprivate init(of view: MapView, land: String, counties: String, towns: [Town]) {
            (self.land, self.counties, self.towns) = (land, counties, towns)
            let bounds = view.bounds()
            (south, west, north, east) = ("\(bounds.south)", "\(bounds.west)", "\(bounds.north)", "\(bounds.east)")
            surroundings = Surroundings(of: view)
        }
    }

    /// A town for orientation.
    struct Town: Sendable {
        let name: String
        /// In degrees, for scripts.
        let latitude: String
        let longitude: String
        /// The center of its name, and the name's baseline.
        var x: Int
        var y: Int
        /// Whether there is room for its name.
        var isShown = false
        /// Half the width of the name: at this size a letter is about 7 pixels wide.
        fileprivate let half: Double

        fileprivate init(_ town: Gazetteer.Match, x: Int, y: Int) {
            name = town.name
            (latitude, longitude) = town.coordinate.written
            (self.x, self.y) = (x, y)
            half = Double(name.count) * 3.5 + 4
        }
    }

    /// Something on the map.
    struct Place: Sendable {
        let coordinate: Coordinate
        let name: Words
        /// The page about it, or a page about its place on the map.
        let link: Link?
        /// Its entry in the list beside the map.
        var entry: Link?
        /// Whether the map was opened for it: its pin is separate and above the others.
        var isChosen = false
        /// Its number in the list beside the map: its pin is separate and shows the number.
        var number: Int?
        /// The number of things there.
        var count = 1
    }

    /// A pin for one thing on the map, or for several that would overlap.
    struct Pin: Sendable {
        let x: Int
        let y: Int
        let coordinate: Coordinate
        let names: [Words]
        /// If there are several, the first in the list.
        let link: Link?
        var isChosen = false
        var number: Int?
        let count: Int

        var isCluster: Bool { count > 1 }

        var label: Words {
            isCluster ? Words("{count} event", plural: "{count} events", count: count) : names[0]
        }
    }

    /// The distance in pixels below which pins are merged.
    private static let crowd = 36.0

    /// Draws `places` on a part of the map, with the names of `towns`, which is only called if this part isn't cached.
    ///
    /// - Throws: The errors of `towns`, and a file error if the outlines can't be read.
    init(_ places: [Place], in view: MapView, _ outlines: Outlines, towns: () throws -> [Gazetteer.Match]) throws {
        self.view = view
        ground = try outlines.ground(of: view) {
            Ground(
                of: view,
                land: Self.path(try outlines.rings(.countries), in: view)
                    + Self.path(try outlines.rings(.states), in: view),
                counties: view.zoom < 7 ? "" : Self.path(try outlines.rings(.counties), in: view),
                towns: Self.labels(try towns(), in: view))
        }
        pins = Self.pins(places, in: view)
        self.towns = Self.clear(ground.towns, of: pins, in: view)
    }

    var size: String { "0 0 \(view.width) \(view.height)" }

    // MARK: Pins

    /// Each place joins the first pin that is close enough, so that no two pins overlap. The chosen one stays separate
    /// and is drawn last.
    private static func pins(_ places: [Place], in view: MapView) -> [Pin] {
        var crowds: [(x: Double, y: Double, places: [Place])] = []
        for place in places where !place.isChosen && place.number == nil {
            let (x, y) = view.pixel(nearest: place.coordinate)
            if let number = crowds.firstIndex(where: { abs($0.x - x) < crowd && abs($0.y - y) < crowd }) {
                crowds[number].places.append(place)
            } else {
                crowds.append((x, y, [place]))
            }
        }
        for place in places where place.isChosen || place.number != nil {
            let (x, y) = view.pixel(nearest: place.coordinate)
            crowds.append((x, y, [place]))
        }
        return crowds.map { crowd in
            let first = crowd.places[0]
            return Pin(
                x: Int(crowd.x), y: Int(crowd.y), coordinate: first.coordinate, names: crowd.places.map(\.name),
                link: crowd.places.count == 1 ? first.link : first.entry ?? first.link, isChosen: first.isChosen,
                number: first.number, count: crowd.places.reduce(0) { $0 + $1.count })
        }
    }

    // MARK: Towns

    /// The names that fit, larger towns first, without overlapping each other or the edge.
    private static func labels(_ towns: [Gazetteer.Match], in view: MapView) -> [Town] {
        var taken: [(left: Double, right: Double, y: Double)] = []
        return towns.map { town in
            // Below the location, because pins are above it.
            let (x, middle) = view.pixel(nearest: town.coordinate)
            let y = middle + 22
            var label = Town(town, x: Int(x), y: Int(y))
            let half = label.half
            label.isShown =
                x > half && x < Double(view.width) - half && y > 20 && y < Double(view.height) - 8 && taken.count < 14
                && !taken.contains { abs($0.y - y) < 20 && $0.left < x + half && $0.right > x - half }
            if label.isShown { taken.append((x - half, x + half, y)) }
            return label
        }
    }

    /// The names without those that pins cover: each is moved below, above or beside the pin, or hidden if there is no
    /// room. The largest town's name stays, behind the pins, for orientation.
    private static func clear(_ towns: [Town], of pins: [Pin], in view: MapView) -> [Town] {
        var towns = towns
        func isFree(_ number: Int, at x: Int, _ y: Int) -> Bool {
            let town = towns[number]
            let isInView =
                y > 20 && y < view.height - 8 && Double(x) > town.half && Double(x) < Double(view.width) - town.half
            return isInView
                && !pins.contains { pin in
                    let radius = pin.isCluster || pin.isChosen ? 16 : 11
                    return abs(Double(pin.x - x)) < town.half + Double(radius) && abs(pin.y + 3 - y) < radius + 7
                }
                && !towns.indices.contains { other in
                    other != number && towns[other].isShown && abs(towns[other].y - y) < 20
                        && abs(Double(towns[other].x - x)) < town.half + towns[other].half
                }
        }
        let largest = towns.firstIndex(where: \.isShown)
        for number in towns.indices where towns[number].isShown {
            // The name may already be below its town; a step is the height of a pin.
            let aside = Int(towns[number].half) + 20
            let ways = [(0, 0), (0, 22), (0, -40), (aside, -16), (-aside, -16)].map {
                (towns[number].x + $0.0, towns[number].y + $0.1)
            }
            if let way = ways.first(where: { isFree(number, at: $0.0, $0.1) }) {
                (towns[number].x, towns[number].y) = way
            } else {
                towns[number].isShown = number == largest
            }
        }
        return towns
    }

    // MARK: Outlines

    private typealias Pixel = (x: Double, y: Double)

    /// The rings that intersect the view, on every visible copy of the world.
    private static func path(_ rings: [Outlines.Ring], in view: MapView) -> String {
        let x = Double(view.width) / view.scale / 2
        let y = Double(view.height) / view.scale / 2
        let west = view.centre.x - x
        let east = view.centre.x + x
        var path = ""
        for world in [-1.0, 0, 1] {
            // By index, so that a ring that isn't drawn isn't copied.
            for number in rings.indices
            where rings[number].west + world <= east && rings[number].east + world >= west
                && rings[number].north <= view.centre.y + y && rings[number].south >= view.centre.y - y
            {
                let pixels = rings[number].points.map { view.pixel(MapPoint(x: $0.x + world, y: $0.y)) }
                append(clip(thin(pixels), to: view), to: &path)
            }
        }
        return path
    }

    /// Removes points closer than a pixel and a half to the previous one.
    private static func thin(_ points: [Pixel]) -> [Pixel] {
        var kept: [Pixel] = []
        for point in points {
            if let last = kept.last, abs(last.x - point.x) + abs(last.y - point.y) < 1.5 { continue }
            kept.append(point)
        }
        return kept
    }

    /// The part of a ring inside the view plus a margin of eight pixels (I. Sutherland and G. Hodgman, "Reentrant
    /// Polygon Clipping", 1974): the ring is clipped at one edge after another.
    private static func clip(_ ring: [Pixel], to view: MapView) -> [Pixel] {
        let right = Double(view.width) + 8
        let bottom = Double(view.height) + 8
        var ring = cut(ring, { $0.x + 8 })
        ring = cut(ring, { right - $0.x })
        ring = cut(ring, { $0.y + 8 })
        return cut(ring, { bottom - $0.y })
    }

    /// The part of a ring where `distance` isn't negative; it must be linear along a line.
    private static func cut(_ ring: [Pixel], _ distance: (Pixel) -> Double) -> [Pixel] {
        guard var last = ring.last else { return [] }
        var kept: [Pixel] = []
        for point in ring {
            let (before, now) = (distance(last), distance(point))
            if (before < 0) != (now < 0) {
                let share = before / (before - now)
                kept.append((last.x + (point.x - last.x) * share, last.y + (point.y - last.y) * share))
            }
            if now >= 0 { kept.append(point) }
            last = point
        }
        return kept
    }

    /// Writes a ring in whole pixels, each point relative to the previous one.
    private static func append(_ ring: [Pixel], to path: inout String) {
        guard ring.count > 2 else { return }
        var last = (x: Int(ring[0].x.rounded()), y: Int(ring[0].y.rounded()))
        path += "M\(last.x) \(last.y)l"
        for point in ring.dropFirst() {
            let next = (x: Int(point.x.rounded()), y: Int(point.y.rounded()))
            guard next != last else { continue }
            path += "\(next.x - last.x) \(next.y - last.y) "
            last = next
        }
        path += "z"
    }
}
