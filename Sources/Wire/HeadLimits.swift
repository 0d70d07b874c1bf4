public import HTTPTypes

/// Limits on a request's head, checked after parsing so that the refusal can be an ordinary page.
public struct HeadLimits: Sendable {
    /// The longest request target, in bytes; longer is 414.
    public var urlBytes = 8 << 10
    /// The most bytes of header fields, names and values together; more is 431.
    public var fieldBytes = 32 << 10
    /// The most header fields; more is 431.
    public var fields = 100

    /// The site's limits: 8 KiB of URL, 32 KiB and 100 header fields.
    public init() {}

    /// The status with which to refuse a head; nil if it is acceptable.
    ///
    /// 400: no Host or several (RFC 9112 section 3.2), a target that isn't a path, or a character in it that must be
    /// percent-encoded. 414 and 431: over the limits. 501: a method that the site doesn't use.
    public func check(_ request: HTTPRequest) -> HTTPResponse.Status? {
        guard let host = request.authority, isHost(host) else { return .badRequest }
        guard let path = request.path, isTarget(path, of: request.method) else { return .badRequest }
        guard path.utf8.count <= urlBytes else { return .uriTooLong }
        // The first Host isn't among the fields.
        var (bytes, count) = ("host".utf8.count + host.utf8.count, 1)
        for field in request.headerFields {
            guard field.name != .host else { return .badRequest }
            bytes += field.name.rawName.utf8.count + field.value.utf8.count
            count += 1
        }
        guard bytes <= fieldBytes, count <= fields else { return .requestHeaderFieldsTooLarge }
        switch request.method {
        case .get, .head, .post, .put, .patch, .delete, .options, .trace: return nil
        default: return .notImplemented
        }
    }
}

extension HTTPField.Name {
    /// The field that names the authority in HTTP/1; HTTPTypes has no constant for it.
    static let host = HTTPField.Name("Host")!
}

/// Whether a Host value is a host and optionally a port in the characters of RFC 3986 section 3.2.2. An empty one isn't
/// this site's, and user information or a list of hosts is a way to confuse caches.
func isHost(_ host: String) -> Bool {
    !host.isEmpty
        && host.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                true
            default: false
            }
        }
}

/// Whether a target is a path with an optional query in visible ASCII (RFC 9112 section 3.2.1), or `*` for OPTIONS.
func isTarget(_ target: String, of method: HTTPRequest.Method) -> Bool {
    guard target.utf8.first == UInt8(ascii: "/") else { return target == "*" && method == .options }
    return target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
}
