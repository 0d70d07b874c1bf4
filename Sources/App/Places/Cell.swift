import Foundation

/// A patch of the earth of about two kilometers each way: all that is stored about a pet's location. Distances are
/// measured between the centers of cells, and only reported as a `Reach`.
struct Cell: Hashable, Sendable {
    let row: Int
    let column: Int

    /// Two kilometers in degrees of latitude.
    private static let height = 0.018

    /// The number of cells around the earth in a row.
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

    /// The cell that contains a point.
    init(at point: Coordinate) {
        row = Self.row(at: point.latitude)
        column = Self.column(at: point.longitude, in: row)
    }

    /// The cell with the number stored in the database.
    init(number: Int) { self.init(row: number / 100_000, column: number % 100_000) }

    /// The cell in the middle of the surrounding area of about 20 km each way. Somebody who can change their own
    /// location as often as they like gets no closer than this.
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

    /// The cells within reach but not nearer; the nearest reach includes this cell.
    func cells(in reach: Reach) -> [Cell] {
        var found: [Cell] = []
        let rows = Int(Double(reach.kilometres) / 111 / Self.height) + 1
        for row in max(0, self.row - rows)...min(Self.row(at: 89.999), self.row + rows) {
            let count = Self.columns(in: row)
            let start = Self.column(at: middle.longitude, in: row)
            for step in [1, -1] {
                // In each direction until it is too far, visiting the first cell once.
                var moved = step == 1 ? 0 : 1
                while moved < count {
                    let cell = Cell(row: row, column: ((start + step * moved) % count + count) % count)
                    let distance = distance(to: cell)
                    // The column next to the start may be slightly nearer.
                    if distance > Double(reach.kilometres), moved > 1 { break }
                    if Reach(kilometres: distance) == reach { found.append(cell) }
                    moved += 1
                }
            }
        }
        return Array(Set(found))
    }

    /// The cells within reach as ranges of numbers: adjacent cells in a row have consecutive numbers.
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

/// A distance, so coarse that nobody can be located by it.
enum Reach: Int, CaseIterable, Sendable, Comparable {
    case near = 2
    case close = 5
    case around = 10
    case town = 25
    case far = 50

    var kilometres: Int { rawValue }

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    /// The reach that contains a distance; nil beyond the last one.
    init?(kilometres: Double) {
        guard let band = Self.allCases.first(where: { kilometres <= Double($0.rawValue) }) else { return nil }
        self = band
    }

    /// The next wider one.
    var wider: Reach? { Self.allCases.first { $0 > self } }

    /// The upper limit, rounded.
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
