/// The `Content-Disposition` header (RFC 6266).
enum ContentDisposition {
    /// Saves a file under this name: in ASCII for old browsers, and in full (RFC 8187).
    ///
    /// - Parameter kind: The file's extension, such as `csv`.
    static func attachment(_ name: String, kind: StaticString) -> String {
        let words = name.unicodeScalars.map { scalar in
            let category = scalar.properties.generalCategory
            // These characters are special to file systems, or invisible.
            let isUnfit = "/\\:*?\"<>|".unicodeScalars.contains(scalar) || category == .control || category == .format
            return isUnfit ? " " : String(scalar)
        }.joined().split(separator: " ")
        let plain = folded(name).unicodeScalars.map { scalar in
            scalar.isASCII && scalar != " " ? String(scalar) : "-"
        }.joined().split(separator: "-")
        return """
            attachment; filename="\(plain.joined(separator: "-")).\(kind)"; \
            filename*=UTF-8''\(encoded(words.joined(separator: " "))).\(kind)
            """
    }

    /// Percent-encodes every byte that isn't an `attr-char` of RFC 8187.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
