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
    let bytes: [UInt8]

    public init(_ value: JSON) { bytes = value.bytes }
}

extension JSON {
    /// The value as JSON (RFC 8259) that can't end an element of a page: `< > &` and the line separators U+2028 and
    /// U+2029 are `\u` escapes.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The same JSON as UTF-8.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1 << 10)
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let bool): bytes += (bool ? "true" : "false").utf8
        case .integer(let integer): bytes += String(integer).utf8
        case .number(let number): bytes += (number.isFinite ? number.description : "null").utf8
        case .string(let string): Self.write(string, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func write(_ string: String, to bytes: inout [UInt8]) {
        var string = string
        bytes.append(UInt8(ascii: "\""))
        string.withUTF8 { text in
            // Bytes that need no escape are copied in one run.
            var plain = 0
            var place = 0
            while place < text.count {
                let byte = text[place]
                guard let length = escapedLength(of: byte, at: place, in: text) else {
                    place += 1
                    continue
                }
                bytes.append(contentsOf: text[plain..<place])
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    bytes.append(UInt8(ascii: "\\"))
                    bytes.append(byte)
                case 0xE2:
                    bytes += "\\u202".utf8
                    bytes.append(digits[Int(text[place + 2] & 15)])
                default:
                    bytes += "\\u00".utf8
                    bytes.append(digits[Int(byte >> 4)])
                    bytes.append(digits[Int(byte & 15)])
                }
                place += length
                plain = place
            }
            bytes.append(contentsOf: text[plain...])
        }
        bytes.append(UInt8(ascii: "\""))
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
