/// A JSON value, for linked data on a page.
public enum JSON: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number with a fraction; infinity and NaN, which JSON doesn't have, are written as `null`.
    case number(Double)
    case string(String)
    case array([JSON])
    /// Members in the order in which they are written.
    case object([(name: String, value: JSON)])
}

extension JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { (name: $0.0, value: $0.1) })
    }
}

/// Linked data for `<script type="application/ld+json">`.
public struct JSONLD: Sendable {
    let value: JSON

    public init(_ value: JSON) { self.value = value }
}

extension JSON {
    /// The value as JSON (RFC 8259) that can't end an element of a page: `< > &` and the line separators U+2028 and
    /// U+2029 are `\u` escapes.
    public var text: String { written { String(decoding: $0, as: UTF8.self) } }

    /// The same JSON as UTF-8.
    public var bytes: [UInt8] { written { [UInt8]($0) } }

    private func written<Result>(_ use: (UnsafeRawBufferPointer) -> Result) -> Result {
        var buffer = HTMLBuffer(capacity: 1 << 10)
        buffer.write(self)
        return buffer.withBytes(use)
    }
}

extension HTMLBuffer {
    /// Adds linked data inside `<script type="application/ld+json">`.
    public mutating func json(_ value: JSONLD) { write(value.value) }

    fileprivate mutating func write(_ value: JSON) {
        switch value {
        case .null: markup("null")
        case .bool(let bool): markup(bool ? "true" : "false")
        case .integer(let integer): self.integer(integer)
        case .number(let number): append(verbatim: number.isFinite ? number.description : "null")
        case .string(let string): write(quoted: string)
        case .array(let elements):
            append(byte: UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { append(byte: UInt8(ascii: ",")) }
                write(element)
            }
            append(byte: UInt8(ascii: "]"))
        case .object(let members):
            append(byte: UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { append(byte: UInt8(ascii: ",")) }
                write(quoted: member.name)
                append(byte: UInt8(ascii: ":"))
                write(member.value)
            }
            append(byte: UInt8(ascii: "}"))
        }
    }

    private mutating func write(quoted string: String) {
        var string = string
        append(byte: UInt8(ascii: "\""))
        string.withUTF8 { text in
            guard let start = text.baseAddress else { return }
            // Bytes that need no escape are copied in one run.
            var plain = 0
            var place = 0
            while place < text.count {
                let byte = text[place]
                guard let length = Self.escapedLength(of: byte, at: place, in: text) else {
                    place += 1
                    continue
                }
                append(start + plain, place - plain)
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    append(byte: UInt8(ascii: "\\"))
                    append(byte: byte)
                case 0xE2:
                    markup("\\u202")
                    append(byte: Self.hexadecimal(text[place + 2] & 15))
                default:
                    markup("\\u00")
                    append(byte: Self.hexadecimal(byte >> 4))
                    append(byte: Self.hexadecimal(byte & 15))
                }
                place += length
                plain = place
            }
            append(start + plain, text.count - plain)
        }
        append(byte: UInt8(ascii: "\""))
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
    }

    /// The number of bytes at `place` to write as an escape; nil for none.
    private static func escapedLength(of byte: UInt8, at place: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0..<0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "&"):
            1
        // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
        case 0xE2 where place + 2 < text.count && text[place + 1] == 0x80 && text[place + 2] & 0xFE == 0xA8: 3
        default: nil
        }
    }
}
