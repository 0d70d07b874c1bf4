import Forms
import Templating

/// A map drawn by the site itself: for browsers without scripts, and for all others until theirs is there.
struct MapDrawing: Sendable {
    let view: MapView
    let ground: Ground
    /// The towns of the ground, their names where no pin covers them.
    let towns: [Town]
    let pins: [Pin]

    /// What lies under the pins.
    struct Ground: Sendable {
        /// The land with its borders, and the counties: what the `d` of an SVG path holds.
        let land: String
        let counties: String
        let towns: [Town]
    }

    /// A town to find one's way by.
    struct Town: Sendable {
        let name: String
        let coordinate: Coordinate
        /// The middle of its name, and the line it stands on.
        var x: Int
        var y: Int
        /// Whether there is room for its name.
        var isShown: Bool

        /// Half as wide as the name: a letter of the map's size is hardly wider than 7 pixels.
        fileprivate var half: Double { Double(name.count) * 3.5 + 4 }
    }

    /// Something on the map.
    struct Place: Sendable {
        let coordinate: Coordinate
        let name: Words
        /// The page of what is there, or of the place on the map.
        let link: Link?
        /// Where it stands in the list beside the map.
        var entry: Link?
        /// Whether the map was opened for it: its pin stands alone, above the others.
        var isChosen = false
        /// What it is called in the list beside the map: its pin stands alone, and shows it.
        var number: Int?
        /// How many things are there.
        var count = 1
    }

    /// One thing on the map, or several that would cover each other.
    struct Pin: Sendable {
        let x: Int
        let y: Int
        let coordinate: Coordinate
        let names: [Words]
        /// Of several, the first in the list.
        let link: Link?
        var isChosen = false
        var number: Int?
        let count: Int

        var isCluster: Bool { count > 1 }

        var label: Words {
            isCluster ? Words("{count} event", plural: "{count} events", count: count) : names[0]
        }
    }

    /// Pixels within which pins become one.
    private static let crowd = 36.0

    /// Draws `places` on a part of the map, with the names of `towns`, which are asked for when this part is new.
    ///
    /// - Throws: what `towns` throws, and a file error when the outlines can't be read.
    init(
        _ places: [Place], in view: MapView, _ outlines: Outlines, towns: () throws -> [Gazetteer.Match]
    ) throws {
        self.view = view
        ground = try outlines.ground(of: view) {
            Ground(
                land: Self.path(try outlines.rings(.countries), in: view)
                    + Self.path(try outlines.rings(.states), in: view),
                counties: view.zoom < 7 ? "" : Self.path(try outlines.rings(.counties), in: view),
                towns: Self.labels(try towns(), in: view))
        }
        pins = Self.pins(places, in: view)
        self.towns = Self.clear(ground.towns, of: pins, in: view)
    }

    var size: String { "0 0 \(view.width) \(view.height)" }

    /// What a map that can be moved asks the outlines of; nil where it begins with more than that.
    var surroundings: Surroundings? { Surroundings(of: view) }

    // The edges in degrees, as scripts read them.
    var south: String { "\(view.bounds().south)" }
    var west: String { "\(view.bounds().west)" }
    var north: String { "\(view.bounds().north)" }
    var east: String { "\(view.bounds().east)" }

    // MARK: Pins

    /// Each place joins the first pin that is near enough, so that no two pins cover each other; but the chosen one
    /// stays by itself, and is drawn last.
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

    /// The names that fit, the larger towns first: none lies over another or over the edge.
    private static func labels(_ towns: [Gazetteer.Match], in view: MapView) -> [Town] {
        var taken: [(left: Double, right: Double, y: Double)] = []
        return towns.map { town in
            // Below its middle, where pins are.
            let (x, middle) = view.pixel(nearest: town.coordinate)
            let y = middle + 22
            var label = Town(name: town.name, coordinate: town.coordinate, x: Int(x), y: Int(y), isShown: false)
            let half = label.half
            label.isShown =
                x > half && x < Double(view.width) - half && y > 20 && y < Double(view.height) - 8 && taken.count < 14
                && !taken.contains { abs($0.y - y) < 20 && $0.left < x + half && $0.right > x - half }
            if label.isShown { taken.append((x - half, x + half, y)) }
            return label
        }
    }

    /// The names, each moved below, above or beside the pin that would cover it, or left out where there is no room for
    /// it. The largest town's stays, behind the pins: nobody knows their way without.
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
            // Where it stands now it may be below its town; a step is as high as a pin.
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

    /// The rings that meet the view, on every copy of the world in sight.
    private static func path(_ rings: [Outlines.Ring], in view: MapView) -> String {
        let x = Double(view.width) / view.scale / 2
        let y = Double(view.height) / view.scale / 2
        let west = view.centre.x - x
        let east = view.centre.x + x
        var path = ""
        for world in [-1.0, 0, 1] {
            // By number: a ring that isn't drawn isn't copied either.
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

    /// Without the points that are nearer than a pixel and a half to the last one.
    private static func thin(_ points: [Pixel]) -> [Pixel] {
        var kept: [Pixel] = []
        for point in points {
            if let last = kept.last, abs(last.x - point.x) + abs(last.y - point.y) < 1.5 { continue }
            kept.append(point)
        }
        return kept
    }

    /// What of a ring is in the view and a rim of eight pixels (I. Sutherland and G. Hodgman, "Reentrant Polygon
    /// Clipping", 1974): the ring is cut at one edge after the other.
    private static func clip(_ ring: [Pixel], to view: MapView) -> [Pixel] {
        let right = Double(view.width) + 8
        let bottom = Double(view.height) + 8
        var ring = cut(ring, { $0.x + 8 })
        ring = cut(ring, { right - $0.x })
        ring = cut(ring, { $0.y + 8 })
        return cut(ring, { bottom - $0.y })
    }

    /// The part of a ring where `distance` isn't negative; it has to change evenly along a line.
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

    /// Writes a ring in whole pixels, each point as a step from the last.
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
