/// Reads numbers from a file; nil beyond its end.
struct ByteReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var end: Int { bytes.count }

    subscript(place: Int) -> Int? { bytes.indices.contains(place) ? Int(bytes[place]) : nil }

    /// A big-endian number of `count` bytes.
    func big(_ count: Int, at place: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A little-endian number of `count` bytes.
    func little(_ count: Int, at place: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    func says(_ pattern: [UInt8], at place: Int) -> Bool { bytes.dropFirst(place).starts(with: pattern) }

    func says(_ word: StaticString, at place: Int) -> Bool {
        says(Array(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)), at: place)
    }
}
