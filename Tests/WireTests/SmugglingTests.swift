import HummingbirdCore
import Testing

@testable import Wire

/// Requests that two readers could understand differently.
struct Malformed: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: String
    let status: Int
    /// What Hummingbird's own channel makes of it, where that's worse than a refusal.
    let hummingbird: [Int]?
    var testDescription: String { name }

    init(_ name: String, _ bytes: String, _ status: Int = 400, hummingbird: [Int]? = nil) {
        (self.name, self.bytes, self.status, self.hummingbird) = (name, bytes, status, hummingbird)
    }

    static func get(_ name: String, _ fields: String, target: String = "/", hummingbird: [Int]? = nil) -> Self {
        Self(name, "GET \(target) HTTP/1.1\r\n\(fields)\r\n", hummingbird: hummingbird)
    }

    static func post(
        _ name: String, _ fields: String, _ body: String, _ status: Int = 400, hummingbird: [Int]? = nil
    ) -> Self {
        Self(name, "POST /echo HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\(body)", status, hummingbird: hummingbird)
    }

    static func chunks(_ name: String, _ body: String) -> Self {
        post(name, "Transfer-Encoding: chunked\r\n", body)
    }

    static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

    static let all: [Self] = [
        .get("no Host", "", hummingbird: [200]),
        .get("two Hosts", "Host: a\r\nHost: a\r\n", hummingbird: [200]),
        .get("two Hosts that differ", "Host: a\r\nHost: b\r\n", hummingbird: [200]),
        .get("an empty Host", "Host:\r\n", hummingbird: [200]),
        .get("a list of hosts", "Host: a, b\r\n", hummingbird: [200]),
        .get("a Host with a path", "Host: a/b\r\n", hummingbird: [200]),
        .get("a Host with a user", "Host: b@a\r\n", hummingbird: [200]),
        Self("HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n", hummingbird: [200]),
        Self("HTTP/0.9", "GET /\r\n\r\n"),
        Self("HTTP/2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n"),
        Self("HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Self("a TLS hello", "\u{16}\u{3}\u{1}\u{2}\0\u{1}"),
        Self("a small method", "get / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a space before the method", " GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a tab between", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a space behind the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
        Self("CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 501, hummingbird: [200]),
        Self("bare LFs", "GET / HTTP/1.1\nHost: a\n\n"),
        .get("a bare LF behind a field", "Host: a\nX: y\r\n"),
        Self("a bare LF at the end", "GET / HTTP/1.1\r\nHost: a\r\n\n"),
        .get("a bare CR in a field", "Host: a\rX: y\r\n"),
        .get("a folded line", "Host: a\r\nX: y\r\n z\r\n"),
        .get("a folded first line", " Host: a\r\nHost: a\r\n"),
        .get("a space before a colon", "Host : a\r\n"),
        .get("no name", "Host: a\r\n: x\r\n"),
        .get("no colon", "Host: a\r\nx\r\n"),
        .get("NUL in a value", "Host: a\r\nX: a\0b\r\n"),
        .get("NUL in a name", "Host: a\r\nX\0: ab\r\n"),
        .get("DEL in a value", "Host: a\r\nX: a\u{7F}b\r\n"),
        .get("NUL in the target", "Host: a\r\n", target: "/\0"),
        .get("UTF-8 in the target", "Host: a\r\n", target: "/é"),
        .get("a space in the target", "Host: a\r\n", target: "/a b"),
        .get("a fragment in the target", "Host: a\r\n", target: "/#a", hummingbird: [200]),
        .get("another host in the target", "Host: a\r\n", target: "http://b/", hummingbird: [200]),
        .get("a user in the target", "Host: a\r\n", target: "http://b@a/", hummingbird: [200]),
        .get("another scheme in the target", "Host: a\r\n", target: "ftp://a/", hummingbird: [200]),
        .get("a star", "Host: a\r\n", target: "*", hummingbird: [200]),
        .post("a length, then chunks", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n\(smuggled)"),
        .post("chunks, then a length", "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", "0\r\n\r\n\(smuggled)"),
        .post("two equal lengths", "Content-Length: 1\r\nContent-Length: 1\r\n", "x\(smuggled)"),
        .post("two lengths", "Content-Length: 1\r\nContent-Length: 2\r\n", "xy\(smuggled)"),
        .post("a list of lengths", "Content-Length: 1, 1\r\n", "x\(smuggled)"),
        .post("a length with a plus", "Content-Length: +1\r\n", "x\(smuggled)"),
        .post("a length below zero", "Content-Length: -1\r\n", "x\(smuggled)"),
        .post("a length in hexadecimal", "Content-Length: 0x1\r\n", "x\(smuggled)"),
        .post("an empty length", "Content-Length:\r\n", "x\(smuggled)"),
        .post("a length with a space in it", "Content-Length: 1 1\r\n", "x\(smuggled)"),
        .post("a length over 64 bits", "Content-Length: 18446744073709551617\r\n", "x\(smuggled)"),
        .post("xchunked", "Transfer-Encoding: xchunked\r\n", "0\r\n\r\n\(smuggled)", 501),
        .post("identity", "Transfer-Encoding: identity\r\n", "0\r\n\r\n\(smuggled)", 501),
        .post("chunked, identity", "Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n\(smuggled)"),
        .post(
            "gzip, chunked", "Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n\(smuggled)", 501,
            hummingbird: [200, 200]),
        .post("chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n\(smuggled)"),
        .post("chunked, then identity", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "0\r\n\r\n"),
        .post("chunked behind a vertical tab", "Transfer-Encoding: \u{B}chunked\r\n", "0\r\n\r\n\(smuggled)"),
        .post("chunked before a space and a colon", "Transfer-Encoding : chunked\r\n", "0\r\n\r\n\(smuggled)"),
        .post("chunked in quotes", "Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n\(smuggled)", 501),
        Self(
            "chunks in HTTP/1.0",
            "POST /echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(smuggled)"),
        .chunks("a chunk size with 0x", "0x1\r\nx\r\n0\r\n\r\n\(smuggled)"),
        .chunks("a chunk size below zero", "-1\r\nx\r\n0\r\n\r\n\(smuggled)"),
        .chunks("a chunk size with a space", "1 \r\nx\r\n0\r\n\r\n\(smuggled)"),
        .chunks("a chunk size over 64 bits", "10000000000000001\r\nx\r\n0\r\n\r\n\(smuggled)"),
        .chunks("no chunk size", "\r\nx\r\n0\r\n\r\n\(smuggled)"),
        .chunks("bare LFs between chunks", "1\nx\n0\n\n\(smuggled)"),
        .chunks("a bare LF in a chunk extension", "1;a\nx\r\n0\r\n\r\n\(smuggled)"),
        .chunks("a bare CR in a chunk extension", "1;a\rb\r\nx\r\n0\r\n\r\n\(smuggled)"),
        .chunks("nothing behind a chunk", "1\r\nx0\r\n\r\n\(smuggled)"),
        .chunks("a chunk longer than its size", "1\r\nxy\r\n0\r\n\r\n\(smuggled)"),
        .chunks("a length in the trailers", "1\r\nx\r\n0\r\nContent-Length: 5\r\n\r\n\(smuggled)"),
        .chunks("a chunk extension without end", "1;" + String(repeating: "a", count: 2 << 20)),
    ]
}

@Suite struct SmugglingTests {
    @Test(arguments: Malformed.all)
    func `a malformed request gets one refusal in the site's look, and the connection closes`(
        _ request: Malformed
    ) async throws {
        try await Site.with(.test()) { site in
            let peer = try Peer(site.port)
            let text = try await blocking {
                peer.send(request.bytes)
                peer.closeWriting()
                return String(decoding: try peer.readToEnd(), as: UTF8.self)
            }
            #expect(statuses(text) == [request.status])
            #expect(text.contains("X-Look: site") && text.contains("Connection: close"))
            #expect(text.hasSuffix("page \(request.status)"))
            #expect(!site.seen.all.contains { $0.contains("smuggled") || $0.contains("read") })
        }
    }

    @Test(arguments: Malformed.all.filter { $0.hummingbird != nil })
    func `Hummingbird's own channel takes what Wire refuses`(_ request: Malformed) async throws {
        try await Site.with(.http1()) { site in
            let peer = try Peer(site.port)
            let text = try await blocking {
                peer.send(request.bytes)
                peer.closeWriting()
                return String(decoding: try peer.readToEnd(), as: UTF8.self)
            }
            #expect(statuses(text) == request.hummingbird)
        }
    }

    @Test func `what is unusual but clear is answered, and the next request on the connection too`() async throws {
        let next = "GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let requests = [
            "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n": "hello",
            "GET http://A/limits HTTP/1.1\r\nHost: a\r\n\r\n": "0",
            "GET http://a?x HTTP/1.1\r\nHost: a\r\n\r\n": "hello",
            "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n": "hello",
            "GET / HTTP/1.1\r\nHost: [::1]:8080\r\nX: é\r\n\r\n": "hello",
            "GET /echo HTTP/1.1\r\nHost: a \r\nContent-Length: 3 \r\n\r\nabc": "read 3",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \tChunKed\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n":
                "read 3",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;x=y\r\na\r\n0\r\nX: y\r\n\r\n":
                "read 1",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent_Length: 5\r\n\r\n": "read 0",
        ]
        try await Site.with(.test()) { site in
            for (request, answer) in requests {
                let peer = try Peer(site.port)
                let text = try await blocking { try peer.talk(request + next) }
                #expect(statuses(text) == [200, 204], "\(request)")
                #expect(text.contains("\r\n\r\n\(answer)HTTP/1.1 204"), "\(request)")
            }
        }
    }

    @Test func `nothing is answered behind a request that closes, whatever its case and version`() async throws {
        let closing = [
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: CLOSE\r\n\r\n",
            "GET / HTTP/1.0\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n",
        ]
        try await Site.with(.test()) { site in
            for request in closing {
                let peer = try Peer(site.port)
                let text = try await blocking { try peer.talk(request + Malformed.smuggled) }
                #expect(statuses(text) == [200] && text.contains("Connection: close"), "\(request)")
            }
            #expect(!site.seen.all.contains("GET /smuggled"))
        }
    }

    @Test func `answers come in the order of the requests, and a refusal behind them`() async throws {
        try await Site.with(.test()) { site in
            let peer = try Peer(site.port)
            let get = { (path: String) in "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }
            peer.send(get("/gate") + get("/nothing") + get("/early") + "rubbish" + get("/smuggled"))
            #expect(await eventually { !site.seen.all.isEmpty })
            #expect(peer.isSilent)
            site.seen.gate.open()
            let text = try await blocking { String(decoding: try peer.readToEnd(), as: UTF8.self) }
            #expect(statuses(text) == [200, 204, 413, 400])
            #expect(site.seen.all == ["GET /gate", "GET /nothing", "GET /early"])
        }
    }

    @Test func `a request refused in its body isn't answered by the site as well`() async throws {
        try await Site.with(.test()) { site in
            let peer = try Peer(site.port)
            peer.send("POST /gate/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
            #expect(await eventually { !site.seen.all.isEmpty })
            peer.send("rubbish\r\n")
            #expect(try await blocking { try peer.read(until: "page 400") }.contains("HTTP/1.1 400"))
            site.seen.gate.open()
            #expect(await eventually { site.seen.all.contains("cut off: BodyCutOff") })
            peer.closeWriting()
            #expect(try await blocking { try peer.readToEnd() } == [])
        }
    }
}
