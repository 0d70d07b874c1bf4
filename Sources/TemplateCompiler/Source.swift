/// A place in a template: line and column from 1, the column in bytes, as swiftc counts it.
struct Position: Comparable, Hashable {
    var line = 1
    var column = 1

    static func < (left: Position, right: Position) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// Something wrong with a template.
struct Problem: Error, Hashable, CustomStringConvertible {
    let path: String
    let position: Position
    let reason: String

    /// The common format of compilers, which editors and SwiftPM understand.
    var description: String { "\(path):\(position.line):\(position.column): error: \(reason)" }
}

/// The text of a template: line breaks are `\n`, without a byte order mark.
struct Source {
    /// More problems in one file don't help anyone, and hostile input could produce millions.
    static let mostProblems = 100
    /// The maximum size of a template.
    static let mostBytes = 1_048_576

    let path: String
    let bytes: [UInt8]
    private let lineStarts: [Int]

    /// Line breaks are normalized first; that moves no column, because a line break ends the line.
    init(path: String, bytes raw: [UInt8]) {
        self.path = path
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var starts = [0]
        var index = raw.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while index < raw.count {
            let byte = raw[index]
            index += 1
            if byte == .return {
                if index < raw.count, raw[index] == .newline { index += 1 }
                bytes.append(.newline)
            } else {
                bytes.append(byte)
            }
            if bytes[bytes.count - 1] == .newline { starts.append(bytes.count) }
        }
        self.bytes = bytes
        lineStarts = starts
    }

    /// Problems that make the file unusable as a template.
    func problems() -> [Problem] {
        if bytes.count > Self.mostBytes { return [problem(at: 0, "a template has at most \(Self.mostBytes) bytes")] }
        var problems: [Problem] = []
        if let zero = bytes.firstIndex(of: 0) { problems.append(problem(at: zero, "a NUL byte has no place in HTML")) }
        if let bad = bytes.firstInvalidUTF8() { problems.append(problem(at: bad, "this is not valid UTF-8")) }
        return problems
    }

    func position(of offset: Int) -> Position {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return Position(line: low + 1, column: offset - lineStarts[low] + 1)
    }

    func problem(at offset: Int, _ reason: String) -> Problem {
        Problem(path: path, position: position(of: offset), reason: reason)
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

extension UInt8 {
    static let newline = UInt8(ascii: "\n")
    static let `return` = UInt8(ascii: "\r")

    var isBlank: Bool { self == 0x20 || self == 0x09 }
    /// White space of HTML.
    var isSpace: Bool { isBlank || self == .newline || self == .return || self == 0x0C }
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    /// Whether it can be part of a Swift name; every non-ASCII byte counts.
    var isNamePart: Bool { isLetter || isDigit || self == UInt8(ascii: "_") || self >= 0x80 }
    var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}

extension Collection<UInt8> {
    /// The text with its ASCII letters in lowercase.
    var lowercasedText: String { String(decoding: map(\.lowercased), as: UTF8.self) }
}

extension [UInt8] {
    func has(_ text: StaticString, at offset: Int) -> Bool {
        guard offset + text.utf8CodeUnitCount <= count else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { self[offset + $0] == text.utf8Start[$0] }
    }

    func firstInvalidUTF8() -> Int? {
        var decoder = UTF8()
        var iterator = makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }
}
