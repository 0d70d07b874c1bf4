/// The server that takes messages: `smtp://user:password@mail.example:587` or `smtps://…`.
public struct MailServer: Sendable, Equatable {
    public let host: String
    public let port: Int
    /// Whether the connection is encrypted from its first byte. If not, it must use STARTTLS, except on loopback.
    public let isTLS: Bool
    public let user: String
    let password: String

    /// Parses a URL; nil unless it consists of a host and optionally a port, a user and a password.
    ///
    /// The default port is 587, or 465 for `smtps`. Reserved characters in the user and password are percent-encoded.
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

    /// Whether it is this machine, where nobody can eavesdrop.
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
        // Control characters can't be part of a user name or password.
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// A mailbox: an address, and a name that programs show instead.
public struct Mailbox: Sendable, Equatable {
    public let name: String
    public let address: String

    /// - Returns: Nil for an address that isn't valid in an envelope: without exactly one `@`, with spaces, brackets or
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

    /// Parses `Village <village@example.org>`, or a bare address.
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

    /// The part after the `@`.
    public var host: String { String(address.drop { $0 != "@" }.dropFirst()) }
}
