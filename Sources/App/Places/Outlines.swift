import Foundation
import Synchronization

/// The outlines of countries, states and counties, from the files that browsers also load (`Public/map`).
///
/// They are loaded when the first map is drawn.
final class Outlines: Sendable {
    enum Layer: String, CaseIterable {
        /// All countries but the US.
        case countries
        /// Of the US.
        case states, counties
    }

    /// One outline: a closed line.
    struct Ring: Sendable {
        /// The text in its file, without the brackets.
        let text: ArraySlice<UInt8>
        let points: [MapPoint]
        let west: Double
        let east: Double
        let north: Double
        let south: Double
    }

    /// The layers, each loaded on first use.
    final class Layers: Sendable {
        private let folder: String
        private let rings = Mutex<[Layer: [Ring]]>([:])

        /// - Parameter folder: `Public`.
        init(folder: String) { self.folder = folder }

        fileprivate func rings(_ layer: Layer) throws -> [Ring] {
            try rings.withLock { layers in
                if let rings = layers[layer] { return rings }
                let file = URL(filePath: "\(folder)/map/\(layer.rawValue).json")
                let rings = Outlines.rings(in: Array(try Data(contentsOf: file)))
                layers[layer] = rings
                return rings
            }
        }
    }

    private let layers: Layers
    private let grounds = Mutex(Grounds())

    /// A cache of recently drawn grounds: all events in a town share theirs.
    private struct Grounds {
        var byView: [MapView: MapDrawing.Ground] = [:]
        var bytes = 0
    }

    /// The most bytes of paths and names to keep.
    private static let capacity = 8 << 20

    init(_ layers: Layers) { self.layers = layers }

    /// The rings of a layer.
    ///
    /// - Throws: A file error.
    func rings(_ layer: Layer) throws -> [Ring] { try layers.rings(layer) }

    /// The outlines that intersect some surroundings, for scripts: the bounds, then each layer's rings as in its file.
    ///
    /// - Throws: A file error.
    func cut(to part: Surroundings) throws -> [UInt8] {
        let (south, west, north, east) = part.bounds
        let upper = MapPoint(latitude: Double(north), longitude: Double(west))
        let lower = MapPoint(latitude: Double(south), longitude: Double(east))
        var text = Array("{\"bounds\":[[\(south),\(west)],[\(north),\(east)]]".utf8)
        for layer in Layer.allCases {
            text += Array(",\"\(layer.rawValue)\":[".utf8)
            var isFirst = true
            for ring in try rings(layer)
            where ring.west <= lower.x && ring.east >= upper.x && ring.north <= lower.y && ring.south >= upper.y {
                text += Array((isFirst ? "[" : ",[").utf8)
                text += ring.text
                text.append(UInt8(ascii: "]"))
                isFirst = false
            }
            text.append(UInt8(ascii: "]"))
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    /// The ground of a view, drawn by `draw` if it isn't cached.
    func ground(of view: MapView, _ draw: () throws -> MapDrawing.Ground) rethrows -> MapDrawing.Ground {
        if let ground = grounds.withLock({ $0.byView[view] }) { return ground }
        let ground = try draw()
        let size = ground.land.utf8.count + ground.counties.utf8.count + ground.towns.count * 100
        grounds.withLock { grounds in
            if grounds.bytes + size > Self.capacity { grounds = Grounds() }
            if grounds.byView.updateValue(ground, forKey: view) == nil { grounds.bytes += size }
        }
        return ground
    }

    /// Parses `[[x,y,dx,dy,…],…]`: hundredths of a degree of longitude and latitude, the first point, then offsets.
    static func rings(in text: [UInt8]) -> [Ring] {
        text.split(separator: UInt8(ascii: "[")).compactMap { line in
            var numbers: [Int] = []
            var number: Int?
            var sign = 1
            for byte in line {
                switch byte {
                case UInt8(ascii: "-"): sign = -1
                case UInt8(ascii: "0")...UInt8(ascii: "9"): number = (number ?? 0) * 10 + Int(byte - 48)
                default:
                    if let number { numbers.append(sign * number) }
                    number = nil
                    sign = 1
                }
            }
            return Ring(steps: numbers, text: line.prefix { $0 != UInt8(ascii: "]") })
        }
    }
}

extension Outlines.Ring {
    fileprivate init?(steps: [Int], text: ArraySlice<UInt8>) {
        guard steps.count >= 6 else { return nil }
        self.text = text
        var points: [MapPoint] = []
        points.reserveCapacity(steps.count / 2)
        var longitude = 0
        var latitude = 0
        for index in stride(from: 0, to: steps.count - 1, by: 2) {
            longitude += steps[index]
            latitude += steps[index + 1]
            points.append(MapPoint(latitude: Double(latitude) / 100, longitude: Double(longitude) / 100))
        }
        self.points = points
        west = points.lazy.map(\.x).min() ?? 0
        east = points.lazy.map(\.x).max() ?? 0
        north = points.lazy.map(\.y).min() ?? 0
        south = points.lazy.map(\.y).max() ?? 0
    }
}
