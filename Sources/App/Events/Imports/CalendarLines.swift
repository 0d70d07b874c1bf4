/// An iCalendar property: `DTSTART;TZID=Europe/Berlin:20261130T180000`.
struct ContentLine: Sendable {
    /// The number of its first line in the file.
    let number: Int
    /// In uppercase.
    let name: String
    /// By name in uppercase.
    private(set) var parameters: [String: String] = [:]
    private var value: ArraySlice<UInt8>

    /// The value as text, with escapes unchanged.
    var text: String { ForeignText.decoded(value) }

    /// Nil unless it has the form `NAME;PARAMETER=value:value`.
    fileprivate init?(_ bytes: [UInt8], number: Int) {
        let nameEnd = bytes.firstIndex { !Self.isOfName($0) } ?? bytes.count
        guard nameEnd > 0 else { return nil }
        self.number = number
        name = String(decoding: bytes[..<nameEnd], as: UTF8.self).uppercased()
        var place = nameEnd
        while place < bytes.count, bytes[place] == UInt8(ascii: ";") {
            let start = place + 1
            place = start
            while place < bytes.count, !"=;:".utf8.contains(bytes[place]) { place += 1 }
            let key = bytes[start..<place]
            guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { continue }
            place += 1
            var value: [UInt8] = []
            var isQuoted = false
            while place < bytes.count, isQuoted || !";:".utf8.contains(bytes[place]) {
                // Quotes may contain characters that otherwise end a value.
                if bytes[place] == UInt8(ascii: "\"") { isQuoted.toggle() } else { value.append(bytes[place]) }
                place += 1
            }
            if parameters.count < 20 {
                parameters[ForeignText.decoded(key).uppercased()] = ForeignText.decoded(value)
            }
        }
        guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { return nil }
        value = bytes[(place + 1)...]
        // An unquoted name such as (UTC+01:00) Berlin was cut at its colon.
        if let cut = parameters["TZID"], cut.hasPrefix("("), !cut.contains(")"),
            let colon = value.lastIndex(of: UInt8(ascii: ":"))
        {
            parameters["TZID"] = cut + ":" + ForeignText.decoded(value[..<colon])
            value = value[(colon + 1)...]
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The properties of a file, one after another.
///
/// Folded lines are joined as bytes (RFC 5545, section 3.1), because programs fold within characters. Line ends of any
/// system are accepted, and lines that aren't properties are skipped.
struct CalendarLines {
    private let bytes: [UInt8]
    private var place = 0
    private var line = 0

    init(_ bytes: [UInt8]) { self.bytes = ForeignText.plainBytes(bytes) }

    /// The next property; nil at the end.
    mutating func next() -> ContentLine? {
        while let first = physical() {
            let number = line
            var content = Array(bytes[first])
            while true {
                let before = (place, line)
                guard let more = physical() else { break }
                // Some programs write two line ends, which separates a line from its continuation.
                if more.isEmpty { continue }
                guard bytes[more.lowerBound] == 0x20 || bytes[more.lowerBound] == 0x09 else {
                    (place, line) = before
                    break
                }
                content += bytes[(more.lowerBound + 1)..<more.upperBound]
            }
            if let property = ContentLine(content, number: number) { return property }
        }
        return nil
    }

    /// The next line of the file, without its end.
    private mutating func physical() -> Range<Int>? {
        guard place < bytes.count else { return nil }
        let start = place
        while place < bytes.count, bytes[place] != 10, bytes[place] != 13 { place += 1 }
        let end = place
        if place < bytes.count {
            place += bytes[place] == 13 && place + 1 < bytes.count && bytes[place + 1] == 10 ? 2 : 1
        }
        line += 1
        return start..<end
    }
}
