/// The weight of a preference in an HTTP field: `q=0.5` (RFC 9110, section 12.4.2).
enum QualityValue {
    /// The weight in thousandths; nil if it is malformed.
    static func thousandths(of text: Substring.UTF8View) -> Int? {
        let text = trimmed(text)
        guard let start = text.first, start | 0x20 == UInt8(ascii: "q"), text.dropFirst().first == UInt8(ascii: "=")
        else {
            return nil
        }
        let number = text.dropFirst(2)
        guard (1...5).contains(number.count), number.dropFirst().first ?? UInt8(ascii: ".") == UInt8(ascii: ".") else {
            return nil
        }
        var thousandths = 0
        var unit = 1_000
        for (place, byte) in number.enumerated() where place != 1 {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            thousandths += Int(byte - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return thousandths <= 1_000 ? thousandths : nil
    }

    /// The text without surrounding blanks.
    static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let start = text.drop(while: isBlank)
        return start.prefix(start.count - start.reversed().prefix(while: isBlank).count)
    }
}
