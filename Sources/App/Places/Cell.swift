import Foundation

/// A patch of the earth, about two kilometers each way: all that is kept of where a pet lives. Every distance is told
/// from the middle of one to the middle of another, and only as a `Reach`.
struct Cell: Hashable, Sendable {
    let row: Int
    let column: Int

    /// Two kilometers in degrees of latitude.
    private static let height = 0.018

    /// How many cells go around the earth in a row.
    private static func columns(in row: Int) -> Int {
        max(1, Int(360 * cos(latitude(of: row) * .pi / 180) / height))
    }

    private static func latitude(of row: Int) -> Double { min(90, (Double(row) + 0.5) * height - 90) }

    private static func row(at latitude: Double) -> Int { Int((latitude + 90) / height) }

    private static func column(at longitude: Double, in row: Int) -> Int {
        let count = columns(in: row)
        return min(count - 1, Int((longitude + 180) / 360 * Double(count)))
    }

    init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }

    /// The one a point lies in.
    init(at point: Coordinate) {
        row = Self.row(at: point.latitude)
        column = Self.column(at: point.longitude, in: row)
    }

    /// As the database keeps it.
    init(number: Int) { self.init(row: number / 100_000, column: number % 100_000) }

    /// The one in the middle of the county around it, some 20 km each way: as near as anybody gets who may say as often
    /// as they like where they live.
    var county: Cell {
        func rounded(_ degrees: Double) -> Double { (degrees * 5).rounded() / 5 }
        let point = Coordinate(latitude: rounded(middle.latitude), longitude: rounded(middle.longitude))
        return point.map { Cell(at: $0) } ?? self
    }

    var number: Int { row * 100_000 + column }

    var middle: Coordinate {
        let longitude = (Double(column) + 0.5) / Double(Self.columns(in: row)) * 360 - 180
        return Coordinate(latitude: Self.latitude(of: row), longitude: longitude)!
    }

    func distance(to other: Cell) -> Double { middle.distance(to: other.middle) }

    /// Those in reach and no nearer, itself among the nearest.
    func cells(in reach: Reach) -> [Cell] {
        var found: [Cell] = []
        let rows = Int(Double(reach.kilometres) / 111 / Self.height) + 1
        for row in max(0, self.row - rows)...min(Self.row(at: 89.999), self.row + rows) {
            let count = Self.columns(in: row)
            let start = Self.column(at: middle.longitude, in: row)
            for step in [1, -1] {
                // Each way until it is too far; the first one once.
                var moved = step == 1 ? 0 : 1
                while moved < count {
                    let cell = Cell(row: row, column: ((start + step * moved) % count + count) % count)
                    let distance = distance(to: cell)
                    // Beside the start the next column may be nearer by a little.
                    if distance > Double(reach.kilometres), moved > 1 { break }
                    if Reach(kilometres: distance) == reach { found.append(cell) }
                    moved += 1
                }
            }
        }
        return Array(Set(found))
    }

    /// The same as runs of numbers: those beside each other in a row follow each other.
    func runs(in reach: Reach) -> [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for number in cells(in: reach).map(\.number).sorted() {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs
    }
}

/// How far away something is, told so coarsely that nobody is found by it.
enum Reach: Int, CaseIterable, Sendable, Comparable {
    case near = 2
    case close = 5
    case around = 10
    case town = 25
    case far = 50

    var kilometres: Int { rawValue }

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    /// The band a distance lies in; nil beyond the last one.
    init?(kilometres: Double) {
        guard let band = Self.allCases.first(where: { kilometres <= Double($0.rawValue) }) else { return nil }
        self = band
    }

    /// The next wider one.
    var wider: Reach? { Self.allCases.first { $0 > self } }

    /// Rounded, as a person says it.
    func number(in unit: Distance.Unit) -> Int {
        guard unit == .miles else { return rawValue }
        return switch self {
        case .near: 1
        case .close: 3
        case .around: 6
        case .town: 15
        case .far: 30
        }
    }
}
