/// What a browser sends back in a `Cookie` field (RFC 6265, section 4.2).
enum Cookie {
    /// The value of the first cookie of that name; nil when there is none. Bytes are compared, so that no mark behind a
    /// `;` or `=` hides it.
    static func value(of name: String, in field: String) -> Substring? {
        for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
            let pair = pair.drop { $0 == UInt8(ascii: " ") }
            let value = pair.dropFirst(name.utf8.count)
            if pair.starts(with: name.utf8), value.first == UInt8(ascii: "=") { return Substring(value.dropFirst()) }
        }
        return nil
    }
}
