import HTTPTypes
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A status that a request is refused with before the application sees it.
struct Refusal: Error, Equatable {
    let status: HTTPResponse.Status
}

/// A request's head as the application gets it, and what the connection has to know of it.
///
/// NIO's decoder (llhttp in its strict mode) has already refused what isn't HTTP at all; here stands what it leaves to
/// others and what two readers of the same bytes could understand differently.
struct Incoming {
    let request: HTTPRequest
    /// The connection closes after the answer.
    let isLast: Bool
    /// The client waits for 100 Continue before it sends the body.
    let expectsContinue: Bool

    init(_ head: HTTPRequestHead) throws(Refusal) {
        var fields = HTTPFields()
        fields.reserveCapacity(head.headers.count)
        var (host, length, coding, expectation, upgrades) = (String?.none, false, false, String?.none, false)
        for (text, untrimmed) in head.headers {
            guard let name = HTTPField.Name(text) else { throw Refusal(status: .badRequest) }
            // HTTPField takes away the space behind a value, which NIO leaves.
            let field = HTTPField(name: name, value: untrimmed)
            let value = field.value
            switch name {
            case .host:
                guard host == nil else { throw Refusal(status: .badRequest) }
                host = value
                continue
            case .contentLength:
                // NIO lets no second one through; a list in one field would be the same.
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
        // Both lengths, or a coding that HTTP/1.0 doesn't know: RFC 9112 section 6.1, the smuggler's tools.
        let isOld = head.version.minor == 0
        guard !coding || (!length && !isOld) else { throw Refusal(status: .badRequest) }
        guard let host, isHost(host) else { throw Refusal(status: .badRequest) }
        // NIO's decoder doesn't read on after CONNECT.
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
        // Nor does it read on behind an offer to upgrade, which this server never takes.
        isLast = isOld || upgrades || !head.isKeepAlive
        expectsContinue = expectation != nil && !isOld
    }

    /// The path and query of a target. One with a scheme and a host (RFC 9112 section 3.2.2) has to name the same host
    /// as the Host field: we refuse what a proxy could have routed by one and we by the other.
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
