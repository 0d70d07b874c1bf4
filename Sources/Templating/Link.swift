/// The address of a page of this site, or a checked one elsewhere, to put in a URL attribute.
public struct Link: Sendable, Hashable {
    /// The URL, percent-encoded, not yet escaped for HTML.
    public let string: String

    private init(unchecked string: String) { self.string = string }

    /// The address without its query and fragment.
    public var path: String {
        let end = string.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        return String(string[..<(end ?? string.endIndex)])
    }

    /// The address without its fragment.
    public var top: Link {
        let end = string.utf8.firstIndex(of: UInt8(ascii: "#"))
        return Link(unchecked: String(string[..<(end ?? string.endIndex)]))
    }

    /// A page of this site: `Link("/events")`, a place on the page: `Link("#main")`, or a page elsewhere that the
    /// source names.
    public init(_ path: StaticString) { string = path.description }

    /// A path of this site with its query, as received in a request.
    ///
    /// It can't lead elsewhere: leading slashes and backslashes become one slash, and characters that aren't allowed in
    /// a URL are percent-encoded.
    public init(path: String) {
        let rest = Substring(path.utf8.drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
        string = "/" + Self.encode(rest) { $0 > 0x20 && $0 < 0x7F && !Self.unfit.contains($0) }
    }

    /// A page of this site whose path and query came from outside, as in `next`; `nil` for anything that a browser
    /// could interpret as another site's address, and for characters that must be percent-encoded.
    public init?(onSite path: String) {
        guard path.hasPrefix("/"), !path.hasPrefix("//"), path.utf8.count <= 8 << 10,
            path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        string = path
    }

    /// A page elsewhere; `nil` unless `url` is a plain http, https, mailto or tel URL: with a host, and without a user
    /// name, spaces or control characters.
    public init?(outside url: String) {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isPlain(url) else { return nil }
        let scheme = url[..<colon].lowercased()
        let rest = Substring(url.utf8[colon...].dropFirst())
        switch scheme {
        case "http", "https":
            let host = Substring(rest.utf8.dropFirst(2).prefix { !"/?#".utf8.contains($0) })
            guard rest.hasPrefix("//"), !host.isEmpty, Self.isHost(host) else { return nil }
        case "mailto", "tel":
            guard !rest.isEmpty else { return nil }
        default:
            return nil
        }
        string = scheme + url[colon...]
    }

    /// A geographic position in degrees for a phone's map app (RFC 5870); `label` is the text the app searches for
    /// there, such as an address.
    public init(geo point: (latitude: Double, longitude: Double), label: String) {
        let place = "\(point.latitude),\(point.longitude)"
        string = "geo:\(place)?q=" + Self.encode(label.isEmpty ? place : label, keeping: Self.isUnreserved)
    }

    /// Subscribes a calendar app to a calendar: the same address with the scheme `webcal:`. `nil` unless `url` uses
    /// http or https.
    public init?(subscribingTo url: String) {
        guard let link = Link(outside: url), link.string.hasPrefix("http"), let colon = url.firstIndex(of: ":") else {
            return nil
        }
        string = "webcal" + url[colon...]
    }

    /// The secret for an authenticator app, as the key URI that such apps understand.
    ///
    /// - Parameter secret: In base 32, without spaces.
    public init(oneTimeCodes secret: String, of account: String, at issuer: String) {
        func encoded(_ text: String) -> String { Self.encode(text, keeping: Self.isUnreserved) }
        string =
            "otpauth://totp/\(encoded(issuer)):\(encoded(account))?secret=\(encoded(secret))&issuer=\(encoded(issuer))"
    }

    /// Appends a segment: `Link("/events") / event.id`.
    @inlinable
    public static func / (link: Link, segment: some LosslessStringConvertible) -> Link { link.appending(segment) }

    /// Appends a segment, percent-encoded.
    ///
    /// An empty segment, `.` and `..` would be resolved by browsers however they are spelled, so they become U+FFFD and
    /// lead to *not found* rather than to another page.
    @inlinable
    public func appending(_ segment: some LosslessStringConvertible) -> Link { appending(text: segment.description) }

    @usableFromInline
    func appending(text: String) -> Link {
        let kept = text.isEmpty || text == "." || text == ".." ? "\u{FFFD}" : text
        return inserting(before: "?", "#") { path in
            path = Self.joined(path, kept)
        }
    }

    /// A path and one more segment of it, written at once: a page has hundreds.
    private static func joined(_ path: String, _ segment: String) -> String {
        let hasSlash = path.utf8.last == UInt8(ascii: "/")
        // What isn't kept becomes three bytes.
        return String(unsafeUninitializedCapacity: path.utf8.count + segment.utf8.count * 3 + 1) { bytes in
            var end = bytes.initialize(fromContentsOf: path.utf8)
            if !hasSlash { put(UInt8(ascii: "/"), into: bytes, &end) }
            put(segment, keeping: isUnreserved, into: bytes, &end)
            return end
        }
    }

    /// Adds a query item, both sides percent-encoded; a `nil` value adds nothing.
    @inlinable
    public func with(_ name: String, _ value: (some LosslessStringConvertible)?) -> Link {
        value.map { with(name, text: $0.description) } ?? self
    }

    @usableFromInline
    func with(_ name: String, text: String) -> Link { with([(name, text)]) }

    /// Adds query items, percent-encoded.
    public func with(_ items: [(name: String, value: String)]) -> Link {
        guard !items.isEmpty else { return self }
        return inserting(before: "#", "#") { link in link = Self.joined(link, items) }
    }

    /// An address and more items of its query.
    private static func joined(_ link: String, _ items: [(name: String, value: String)]) -> String {
        var mark = link.utf8.hasAll { $0 != UInt8(ascii: "?") } ? UInt8(ascii: "?") : UInt8(ascii: "&")
        let most = items.reduce(link.utf8.count) { $0 + ($1.name.utf8.count + $1.value.utf8.count) * 3 + 2 }
        return String(unsafeUninitializedCapacity: most) { bytes in
            var end = bytes.initialize(fromContentsOf: link.utf8)
            for item in items {
                put(mark, into: bytes, &end)
                put(item.name, keeping: isUnreserved, into: bytes, &end)
                put(UInt8(ascii: "="), into: bytes, &end)
                put(item.value, keeping: isUnreserved, into: bytes, &end)
                mark = UInt8(ascii: "&")
            }
            return end
        }
    }

    /// Adds or replaces the fragment.
    public func fragment(_ name: String) -> Link {
        let end = string.utf8.firstIndex(of: UInt8(ascii: "#")) ?? string.endIndex
        return Link(unchecked: string[..<end] + "#" + Self.encode(name, keeping: Self.isUnreserved))
    }

    /// The address with text that `add` inserts before the first of two characters, or at the end.
    private func inserting(before one: Unicode.Scalar, _ other: Unicode.Scalar, _ add: (inout String) -> Void) -> Link {
        let (one, other) = (UInt8(ascii: one), UInt8(ascii: other))
        let hasNone = string.utf8.hasAll { $0 != one && $0 != other }
        guard !hasNone, let end = string.utf8.firstIndex(where: { $0 == one || $0 == other }) else {
            var longer = string
            add(&longer)
            return Link(unchecked: longer)
        }
        var longer = String(string[..<end])
        add(&longer)
        longer += string[end...]
        return Link(unchecked: longer)
    }
}

extension Link {
    /// Whether `host` is a name or an IP address, optionally with a numeric port.
    private static func isHost(_ host: Substring) -> Bool {
        let name: Substring
        let rest: Substring
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            name = host[..<end].dropFirst()
            rest = host[end...].dropFirst()
        } else {
            name = host.prefix { $0 != ":" }
            rest = host[name.endIndex...]
        }
        let port = rest.dropFirst()
        let isPort = rest.isEmpty || rest.hasPrefix(":") && port.utf8.count <= 5 && UInt16(port) != nil
        return isPort && !name.isEmpty && !name.utf8.contains { "@()<>\"'{}|^`".utf8.contains($0) }
    }

    /// Whether it has no white space, control characters, hidden characters or backslashes.
    private static func isPlain(_ url: String) -> Bool {
        // Most URLs are ASCII, which needs no Unicode tables.
        url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
            || url.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && !isHidden($0) && $0 != "\\" }
    }

    /// Whether a URL is allowed in a URL attribute: relative, or with the scheme http, https, mailto or tel.
    ///
    /// Browsers skip spaces and control characters before a scheme and tabs within it. Here they make the scheme
    /// unknown, so the URL is refused.
    static func isAllowed(_ url: some StringProtocol) -> Bool {
        for (index, byte) in zip(url.utf8.indices, url.utf8) {
            switch byte {
            case UInt8(ascii: ":"): return ["http", "https", "mailto", "tel"].contains(url[..<index].lowercased())
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return true
            default: continue
            }
        }
        return true
    }

    /// Unreserved characters of RFC 3986, section 2.3.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Printing ASCII characters that RFC 3986 doesn't allow in a URL.
    private static let unfit = Array("\"<>\\^`{|}".utf8)

    /// `text` with every byte that is not kept written as `%XX`.
    static func encode(_ text: some StringProtocol, keeping isKept: (UInt8) -> Bool) -> String {
        if text.utf8.hasAll(isKept) { return String(text) }
        // What isn't kept becomes three bytes.
        return String(unsafeUninitializedCapacity: text.utf8.count * 3) { bytes in
            var end = 0
            put(text, keeping: isKept, into: bytes, &end)
            return end
        }
    }

    /// Writes `text` there, with every byte that is not kept as `%XX`.
    @inline(__always)
    private static func put(
        _ text: some StringProtocol, keeping isKept: (UInt8) -> Bool, into bytes: UnsafeMutableBufferPointer<UInt8>,
        _ end: inout Int
    ) {
        for byte in text.utf8 {
            if isKept(byte) {
                put(byte, into: bytes, &end)
            } else {
                put(UInt8(ascii: "%"), into: bytes, &end)
                put(digit(byte >> 4), into: bytes, &end)
                put(digit(byte & 15), into: bytes, &end)
            }
        }
    }

    @inline(__always)
    private static func put(_ byte: UInt8, into bytes: UnsafeMutableBufferPointer<UInt8>, _ end: inout Int) {
        bytes[end] = byte
        end += 1
    }

    private static func digit(_ number: UInt8) -> UInt8 {
        number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "A") + number - 10
    }

    /// Characters that are invisible or change the direction of the text after them, and so can disguise an address.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        return category == .control || category == .format
    }
}

extension Collection<UInt8> {
    /// Whether all bytes satisfy a condition. Texts whose bytes lie side by side, as nearly all do, are read there,
    /// which takes a fraction of the time of one index after the other.
    @inline(__always)
    func hasAll(_ condition: (UInt8) -> Bool) -> Bool {
        withContiguousStorageIfAvailable { bytes in
            for byte in bytes where !condition(byte) { return false }
            return true
        } ?? allSatisfy(condition)
    }
}
