/// The format of cookies (RFC 6265, section 4).
enum Cookie {
    /// A cookie's full name. Over https it gets a prefix if browsers accept one, which makes them require Secure, the
    /// whole site as its path, and no domain (RFC 6265bis).
    static func name(_ name: String, in settings: Settings) -> String {
        settings.isHTTPS ? "__Host-\(name)" : name
    }

    /// The `Set-Cookie` line of a cookie that scripts can't read.
    ///
    /// - Parameter seconds: How long it is kept: until the browser is closed if nil; 0 deletes it.
    static func line(_ name: String, _ value: String, seconds: Int?, in settings: Settings) -> String {
        "\(Self.name(name, in: settings))=\(value); Path=/\(seconds.map { "; Max-Age=\($0)" } ?? "")"
            + "; HttpOnly; SameSite=Lax\(settings.isHTTPS ? "; Secure" : "")"
    }

    /// The value of the first cookie with that name; nil if there is none. Bytes are compared, so that a combining mark
    /// after `;` or `=` can't hide it.
    static func value(of name: String, in field: String) -> Substring? {
        for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
            let pair = pair.drop { $0 == UInt8(ascii: " ") }
            let value = pair.dropFirst(name.utf8.count)
            if pair.starts(with: name.utf8), value.first == UInt8(ascii: "=") { return Substring(value.dropFirst()) }
        }
        return nil
    }
}
