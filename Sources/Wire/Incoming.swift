import HTTPTypes
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The status with which to refuse a request before the application sees it.
struct Refusal: Error, Equatable {
    let status: HTTPResponse.Status
}

/// A request's head for the application, and what the connection has to know about it.
///
/// NIO's decoder (llhttp in strict mode) has already refused anything that isn't HTTP. This checks what the decoder
/// leaves to others, and what two parsers of the same bytes could understand differently.
struct Incoming {
    let request: HTTPRequest
    /// Whether the connection closes after the response.
    let isLast: Bool
    /// Whether the client waits for 100 Continue before it sends the body.
    let expectsContinue: Bool

    init(_ head: HTTPRequestHead) throws(Refusal) {
        var fields = HTTPFields()
        fields.reserveCapacity(head.headers.count)
        var (host, length, coding, expectation, upgrades) = (String?.none, false, false, String?.none, false)
        for (text, untrimmed) in head.headers {
            guard let name = HTTPField.Name(text) else { throw Refusal(status: .badRequest) }
            // HTTPField removes the trailing space of a value, which NIO leaves.
            let field = HTTPField(name: name, value: untrimmed)
            let value = field.value
            switch name {
            case .host:
                guard host == nil else { throw Refusal(status: .badRequest) }
                host = value
                continue
            case .contentLength:
                // NIO refuses a second length field; a list in one field would have the same effect.
                guard !length, !value.isEmpty, value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
                    throw Refusal(status: .badRequest)
                }
                length = true
            case .transferEncoding:
                guard !coding else { throw Refusal(status: .badRequest) }
                guard value.lowercased() == "chunked" else { throw Refusal(status: .notImplemented) }
                coding = true
            case .expect: expectation = value
            case .upgrade: upgrades = true
            default: break
            }
            fields.append(field)
        }
        // Both length and coding, or a coding with HTTP/1.0, which has none: ways to smuggle requests (RFC 9112 section
        // 6.1).
        let isOld = head.version.minor == 0
        guard !coding || (!length && !isOld) else { throw Refusal(status: .badRequest) }
        guard let host, isHost(host) else { throw Refusal(status: .badRequest) }
        // NIO's decoder stops reading after CONNECT.
        guard head.method != .CONNECT, let method = try? HTTPRequest.Method(head.method) else {
            throw Refusal(status: .notImplemented)
        }
        guard let path = Self.path(head.uri, host: host), isTarget(path, of: method) else {
            throw Refusal(status: .badRequest)
        }
        if let expectation, !isOld, expectation.lowercased() != "100-continue" {
            throw Refusal(status: .expectationFailed)
        }
        request = HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: fields)
        // It also stops reading after an offer to upgrade, which this server never accepts.
        isLast = isOld || upgrades || !head.isKeepAlive
        expectsContinue = expectation != nil && !isOld
    }

    /// The path and query of a target. An absolute target (RFC 9112 section 3.2.2) must name the same host as the Host
    /// field: otherwise a proxy could route by the one and we by the other.
    private static func path(_ target: String, host: String) -> String? {
        if target.utf8.first == UInt8(ascii: "/") || target == "*" { return target }
        guard let scheme = ["http://", "https://"].first(where: { target.lowercased().hasPrefix($0) }) else {
            return nil
        }
        let rest = target.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard authority.lowercased() == host.lowercased() else { return nil }
        let path = rest.dropFirst(authority.count)
        return path.first == "/" ? String(path) : "/" + path
    }
}
