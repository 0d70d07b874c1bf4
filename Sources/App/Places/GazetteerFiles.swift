import FoundationEssentials

/// A bundled edition of the gazetteer: two gzipped lists in `Public/places`.
struct GazetteerFiles: Sendable {
    /// Mapped, because each start looks at their last bytes only.
    private let cities: Data
    private let codes: Data

    /// The lists are damaged.
    struct Unreadable: Error {}

    /// - Parameter folder: `Public`.
    /// - Throws: A file error.
    init(folder: String) throws {
        cities = try Data(contentsOf: URL(filePath: folder + "/places/cities.csv.gz"), options: .mappedIfSafe)
        codes = try Data(contentsOf: URL(filePath: folder + "/places/us-zips.csv.gz"), options: .mappedIfSafe)
    }

    /// Identifies the edition: the last eight bytes of each file are the checksum and length of its content (RFC 1952).
    var name: String { (cities.suffix(8) + codes.suffix(8)).map { String($0, radix: 16) }.joined(separator: "-") }

    /// The towns, largest first: name, country, region, latitude, longitude, population, time zone.
    var towns: [[String]] { get throws { try Self.lines(of: cities) } }

    /// The ZIP codes: code, town, state, latitude, longitude, time zone.
    var zips: [[String]] { get throws { try Self.lines(of: codes) } }

    /// The cells of a CSV file (RFC 4180) without its header; no cell may contain a line end.
    private static func lines(of packed: Data) throws -> [[String]] {
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
