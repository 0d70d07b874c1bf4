import CDeflate

/// A ZIP file (PKWARE's APPNOTE 6.3), made piece by piece. Entries are stored uncompressed, because pictures are
/// compressed already and texts are short.
struct ZIP {
    /// The length so far.
    private var length = 0
    private var directory: [UInt8] = []
    private var count = 0

    /// The bytes that add a file.
    ///
    /// - Parameter name: Its path, in ASCII.
    mutating func entry(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let check = content.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
        // The required version, no flags, stored; 1 January 1980, the earliest date in the format.
        let facts =
            number(20, 2) + number(0, 2) + number(0, 2) + number(0, 2) + number(0x21, 2) + number(Int(check), 4)
            + number(content.count, 4) + number(content.count, 4) + number(name.utf8.count, 2) + number(0, 2)
        directory += number(0x0201_4B50, 4) + number(20, 2) + facts + number(0, 2) + number(0, 2) + number(0, 2)
        directory += number(0, 4) + number(length, 4) + name.utf8
        count += 1
        let piece = number(0x0403_4B50, 4) + facts + name.utf8 + content
        length += piece.count
        return piece
    }

    /// The final bytes.
    var end: [UInt8] {
        directory + number(0x0605_4B50, 4) + number(0, 4) + number(count, 2) + number(count, 2)
            + number(directory.count, 4) + number(length, 4) + number(0, 2)
    }

    /// A number in little-endian order.
    private func number(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
