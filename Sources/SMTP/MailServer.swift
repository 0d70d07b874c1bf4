/// Where letters are handed over: `smtp://user:password@mail.example:587` or `smtps://…`.
public struct MailServer: Sendable, Equatable {
    public let host: String
    public let port: Int
    /// Whether the connection is encrypted from its first byte; else it has to become so, but for loopback.
    public let isTLS: Bool
    public let user: String
    let password: String

    /// Reads a URL; nil unless it names a host, and perhaps a port, a user and a password, and nothing else.
    ///
    /// The port is 587 without one, and 465 for `smtps`. What has a meaning in a URL is percent-encoded in user and
    /// password.
    public init?(url: String) {
        let isTLS = url.hasPrefix("smtps://")
        guard isTLS || url.hasPrefix("smtp://") else { return nil }
        var rest = url.dropFirst(isTLS ? 8 : 7)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        var (user, password) = ("", "")
        if let at = rest.lastIndex(of: "@") {
            let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), let secret = Self.decode(parts.count > 1 ? parts[1] : "") else {
                return nil
            }
            (user, password) = (name, secret)
            rest = rest[rest.index(after: at)...]
        }
        var port = isTLS ? 465 : 587
        if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
            guard let number = Int(rest[colon...].dropFirst()), (1...65_535).contains(number) else { return nil }
            port = number
            rest = rest[..<colon]
        }
        let isAddress = rest.hasPrefix("[") && rest.hasSuffix("]")
        let signs = isAddress ? rest.dropFirst().dropLast() : rest
        guard !signs.isEmpty,
            signs.utf8.allSatisfy({ byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: isAddress && byte == 0x3A
                }
            })
        else { return nil }
        host = String(rest)
        self.port = port
        self.isTLS = isTLS
        self.user = user
        self.password = password
    }

    /// Whether it is this machine, where nobody can listen in between.
    public var isLoopback: Bool {
        host == "localhost" || host == "[::1]"
            || host.hasPrefix("127.") && host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    }

    /// The server without its secrets: `smtps://mail.example:465`.
    public var name: String { "\(isTLS ? "smtps" : "smtp")://\(host):\(port)" }

    private static func decode(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(Substring(rest.prefix(2)), radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        // None of these can be part of a name that a server asks for.
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// A letter box: an address, and a name that programs show in its place.
public struct Mailbox: Sendable, Equatable {
    public let name: String
    public let address: String

    /// - Returns: nil for an address that couldn't stand on an envelope: without one `@`, with blanks, brackets,
    ///   control characters, or longer than 254 bytes.
    public init?(_ address: String, name: String = "") {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("-") }), address.utf8.count <= 254,
            address.unicodeScalars.allSatisfy({ scalar in
                scalar.value > 0x20 && scalar.value != 0x7F && !"<>()[]\\,;:\"".unicodeScalars.contains(scalar)
                    && !(0x80...0x9F).contains(scalar.value) && !scalar.properties.isWhitespace
            })
        else { return nil }
        self.name = name
        self.address = address
    }

    /// Reads `Village <village@example.org>`, or an address alone.
    public init?(text: String) {
        guard let open = text.lastIndex(of: "<") else {
            self.init(text)
            return
        }
        guard text.hasSuffix(">") else { return nil }
        var name = text[..<open].drop { $0 == " " }
        while name.hasSuffix(" ") { name = name.dropLast() }
        if name.count > 1, name.hasPrefix("\""), name.hasSuffix("\"") { name = name.dropFirst().dropLast() }
        self.init(String(text[open...].dropFirst().dropLast()), name: String(name))
    }

    /// The part behind the `@`.
    public var host: String { String(address.drop { $0 != "@" }.dropFirst()) }
}
