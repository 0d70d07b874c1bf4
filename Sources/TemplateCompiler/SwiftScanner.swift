/// Finds where a Swift expression in a template ends. It knows only brackets and strings.
struct SwiftScanner {
    enum Failure: Error {
        case unbalanced(Int)
        case unclosedString(Int)
        case comment(Int)
    }

    /// The maximum size of an expression; it also bounds the work that hostile input can cause.
    static let mostBytes = 20_000

    private let bytes: [UInt8]
    private let limit: Int

    init(_ bytes: [UInt8], upTo end: Int? = nil) {
        self.bytes = bytes
        limit = end ?? bytes.count
    }

    /// What an open bracket or string ends with: a closing byte, or the end of a string.
    private enum Open {
        case bracket(UInt8)
        case string(quotes: Int, hashes: Int)
    }

    /// The offset of the first byte from `start` on, outside of brackets and strings, at which `stop` returns true;
    /// `nil` if there is none.
    func firstOffset(from start: Int, stop: (Int) -> Bool) throws(Failure) -> Int? {
        var open: [(kind: Open, at: Int)] = []
        var offset = start
        let end = min(limit, start + Self.mostBytes)
        while offset < end {
            let byte = bytes[offset]
            if case .string(let quotes, let hashes) = open.last?.kind {
                if byte == .newline, quotes == 1 { throw .unclosedString(open[open.count - 1].at) }
                if byte == UInt8(ascii: "\\"), matches(UInt8(ascii: "#"), hashes, at: offset + 1) {
                    offset += 1 + hashes
                    if offset < end, bytes[offset] == UInt8(ascii: "(") {
                        open.append((.bracket(UInt8(ascii: ")")), offset))
                    } else if offset < end, bytes[offset] == .newline {
                        continue
                    }
                    offset += 1
                } else if byte == UInt8(ascii: "\""), matches(byte, quotes, at: offset),
                    matches(UInt8(ascii: "#"), hashes, at: offset + quotes)
                {
                    open.removeLast()
                    offset += quotes + hashes
                } else {
                    offset += 1
                }
                continue
            }
            if open.isEmpty, stop(offset) { return offset }
            switch byte {
            case UInt8(ascii: "("): open.append((.bracket(UInt8(ascii: ")")), offset))
            case UInt8(ascii: "["): open.append((.bracket(UInt8(ascii: "]")), offset))
            case UInt8(ascii: "{"): open.append((.bracket(UInt8(ascii: "}")), offset))
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                guard case .bracket(byte) = open.last?.kind else { throw .unbalanced(open.last?.at ?? offset) }
                open.removeLast()
            case UInt8(ascii: "/") where bytes.has("//", at: offset) || bytes.has("/*", at: offset):
                throw .comment(offset)
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                let hashes = bytes[offset..<end].prefix { $0 == UInt8(ascii: "#") }.count
                guard offset + hashes < end, bytes[offset + hashes] == UInt8(ascii: "\"") else {
                    offset += hashes
                    continue
                }
                let quotes = matches(UInt8(ascii: "\""), 3, at: offset + hashes) ? 3 : 1
                open.append((.string(quotes: quotes, hashes: hashes), offset))
                offset += hashes + quotes
                continue
            default: break
            }
            offset += 1
        }
        switch open.last {
        case (.bracket, let at)?: throw .unbalanced(at)
        case (.string, let at)?: throw .unclosedString(at)
        case nil: return nil
        }
    }

    /// The parts of `range`, split at commas outside of brackets and strings.
    func parts(of range: Range<Int>) throws(Failure) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = range.lowerBound
        while let comma = try firstOffset(from: start, stop: { bytes[$0] == UInt8(ascii: ",") }) {
            parts.append(start..<comma)
            start = comma + 1
        }
        if !bytes[start..<range.upperBound].allSatisfy(\.isSpace) || !parts.isEmpty {
            parts.append(start..<range.upperBound)
        }
        return parts
    }

    private func matches(_ byte: UInt8, _ count: Int, at offset: Int) -> Bool {
        offset + count <= limit && bytes[offset..<offset + count].allSatisfy { $0 == byte }
    }
}
