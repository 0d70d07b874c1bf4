import FoundationEssentials

/// An edition of the gazetteer as it comes with the program: two lists packed with gzip, in `Public/places`.
struct GazetteerFiles: Sendable {
    private let cities: [UInt8]
    private let codes: [UInt8]

    /// The lists aren't what they should be.
    struct Unreadable: Error {}

    /// - Parameter folder: `Public`.
    /// - Throws: a file error when one can't be read.
    init(folder: String) throws {
        cities = Array(try Data(contentsOf: URL(filePath: folder + "/places/cities.csv.gz")))
        codes = Array(try Data(contentsOf: URL(filePath: folder + "/places/us-zips.csv.gz")))
    }

    /// Tells editions apart: the last eight bytes of each file, which are check sum and length of what is packed
    /// (RFC 1952).
    var name: String { (cities.suffix(8) + codes.suffix(8)).map { String($0, radix: 16) }.joined(separator: "-") }

    /// Largest first: name, country, region, latitude, longitude, population, time zone.
    var towns: [[String]] { get throws { try Self.lines(of: cities) } }

    /// ZIP code, town, state, latitude, longitude, time zone.
    var zips: [[String]] { get throws { try Self.lines(of: codes) } }

    /// The cells of a CSV file's lines (RFC 4180) behind its first; no cell has a line end in it.
    private static func lines(of packed: [UInt8]) throws -> [[String]] {
        guard let text = packed.withUnsafeBytes({ Gzip.unpack($0) }) else { throw Unreadable() }
        return text.split(separator: UInt8(ascii: "\n")).dropFirst().map { line in
            var cells: [String] = []
            var cell: [UInt8] = []
            var isQuoted = false
            for byte in line where byte != UInt8(ascii: "\r") {
                switch byte {
                case UInt8(ascii: "\""): isQuoted.toggle()
                case UInt8(ascii: ",") where !isQuoted:
                    cells.append(String(decoding: cell, as: UTF8.self))
                    cell.removeAll(keepingCapacity: true)
                default: cell.append(byte)
                }
            }
            return cells + [String(decoding: cell, as: UTF8.self)]
        }
    }
}
