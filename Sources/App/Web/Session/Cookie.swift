/// How what a browser keeps for the site travels (RFC 6265, section 4).
enum Cookie {
    /// What browsers call a cookie. Over https, where they accept that, with the prefix by which they insist on Secure,
    /// the whole site, and no domain (RFC 6265bis).
    static func name(_ name: String, in settings: Settings) -> String {
        settings.isHTTPS ? "__Host-\(name)" : name
    }

    /// The `Set-Cookie` line of a cookie that no script reads.
    ///
    /// - Parameter seconds: How long it is kept: until the browser is closed if nil, no longer if 0.
    static func line(_ name: String, _ value: String, seconds: Int?, in settings: Settings) -> String {
        "\(Self.name(name, in: settings))=\(value); Path=/\(seconds.map { "; Max-Age=\($0)" } ?? "")"
            + "; HttpOnly; SameSite=Lax\(settings.isHTTPS ? "; Secure" : "")"
    }

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
