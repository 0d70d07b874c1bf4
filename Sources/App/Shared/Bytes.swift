// Texts looked at by their bytes: addresses, header fields, and lists in columns. What separates their parts is ASCII,
// and finding characters takes a hundred times as long.

extension StringProtocol {
    /// Its beginning, up to the first such sign; all of it if there is none.
    func before(_ sign: Unicode.Scalar) -> SubSequence {
        self[..<(utf8.firstIndex(of: UInt8(ascii: sign)) ?? endIndex)]
    }

    /// The rest, from the first such sign on; empty if there is none.
    func from(_ sign: Unicode.Scalar) -> SubSequence {
        self[(utf8.firstIndex(of: UInt8(ascii: sign)) ?? endIndex)...]
    }

    /// The parts between such signs, without empty ones.
    func parts(at sign: Unicode.Scalar) -> [SubSequence] {
        utf8.split(separator: UInt8(ascii: sign)).map { self[$0.startIndex..<$0.endIndex] }
    }

    /// Whether the bytes of a text, which isn't empty, follow each other in it.
    func contains(bytesOf text: some StringProtocol) -> Bool {
        var rest = utf8[...]
        guard let first = text.utf8.first else { return true }
        while let place = rest.firstIndex(of: first) {
            rest = rest[place...]
            if rest.starts(with: text.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
