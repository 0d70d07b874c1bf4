import HTTPTypes
import HummingbirdCore
import NIOCore
import Testing

@testable import Wire

@Suite struct StopTests {
    @Test func `idle connections close when the server stops, and the server ends`() async throws {
        try await Site.with(.test()) { site in
            let (peer, fresh) = (try Peer(site.port), try Peer(site.port))
            peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await blocking { try peer.read(until: "hello") }
            await site.stop()
            #expect(try await blocking { try peer.readToEnd() + (try fresh.readToEnd()) } == [])
            peer.closeWriting()
            fresh.closeWriting()
            #expect(await eventually { site.seen.stopped.isOpen })
        }
    }

    @Test func `a stream of events comes as it is written, and ends when the server stops or its client left`()
        async throws
    {
        try await Site.with(.test()) { site in
            let peer = try Peer(site.port)
            peer.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await blocking { try peer.read(until: "data: 1") }
            do {
                let gone = try Peer(site.port)
                gone.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try await blocking { try gone.read(until: "data: 1") }
            }
            #expect(await eventually { site.seen.all.filter { $0 == "ended" }.count == 1 })
            await site.stop()
            let rest = try await blocking { String(decoding: try peer.readToEnd(), as: UTF8.self) }
            #expect(rest.hasSuffix("0\r\n\r\n"))
            peer.closeWriting()
            #expect(await eventually { site.seen.stopped.isOpen })
        }
    }

    @Test func `requests whose heads were read are answered, the last with Connection close`() async throws {
        try await Site.with(.test()) { site in
            let (peer, idle) = (try Peer(site.port), try Peer(site.port))
            peer.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\nGET /chunks HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await eventually { !site.seen.all.isEmpty })
            await site.stop()
            _ = try await blocking { try idle.readToEnd() }
            #expect(peer.isSilent)
            site.seen.gate.open()
            let text = try await blocking {
                defer { peer.closeWriting() }
                return String(decoding: try peer.readToEnd(), as: UTF8.self)
            }
            #expect(statuses(text) == [200, 200])
            let answers = text.split(separator: "HTTP/1.1 ")
            #expect(!answers[0].contains("Connection: close") && answers[1].contains("Connection: close"))
            #expect(await eventually { site.seen.stopped.isOpen })
        }
    }

    @Test(arguments: ["GET P HTTP/1.1", "HEAD P HTTP/1.1", "GET P HTTP/1.0"])
    func `an answer that is ready is framed as one that is made`(line: String) async throws {
        try await Site.with(.ready) { site in
            func answers(_ path: String) async throws -> String {
                let peer = try Peer(site.port)
                let request = line.replacing("P ", with: "\(path) ", maxReplacements: 1) + "\r\nHost: a\r\n"
                peer.send("\(request)\r\n\(request)Connection: close\r\n\r\n")
                let text = try await blocking { String(decoding: try peer.readToEnd(), as: UTF8.self) }
                return text.replacing(/Date: [^\r]+\r\n/, with: "Date\r\n")
            }
            let made = try await answers("/")
            #expect(try await answers("/ready") == made)
            #expect(made.contains("Date\r\n") && made.contains("Content-Length: 5\r\n"))
            #expect(made.contains("hello") == line.hasPrefix("GET"))
            #expect(!site.seen.all.contains { $0.contains("/ready") }, "nobody was asked to make it")
        }
    }

    @Test func `a head that has begun when the server stops is answered when it's complete`() async throws {
        try await Site.with(.test()) { site in
            let peer = try Peer(site.port)
            peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await blocking { try peer.read(until: "hello") }
            let other = try Peer(site.port)
            peer.send("GET / HTTP/1.1\r\n")
            // When a later request is answered, the half of the first has been read.
            other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await blocking { try other.read(until: "hello") }
            await site.stop()
            _ = try await blocking { try other.readToEnd() }
            peer.send("Host: a\r\n\r\n")
            let text = try await blocking { String(decoding: try peer.readToEnd(), as: UTF8.self) }
            #expect(statuses(text) == [200] && text.contains("Connection: close"))
        }
    }

    @Test func `a slow reader gets all of a large answer while the server stops, Hummingbird truncates it`()
        async throws
    {
        for (server, isWhole) in [(TestServer.test(), true), (.http1(), false)] {
            try await Site.with(server) { site in
                let (peer, idle) = (try Peer(site.port, receiveBuffer: 1 << 14), try Peer(site.port))
                peer.send("GET /gate/big HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await eventually { !site.seen.all.isEmpty })
                await site.stop()
                _ = try await blocking { try idle.readToEnd() }
                site.seen.gate.open()
                let count = try await blocking {
                    defer { peer.closeWriting() }
                    return try peer.readToEnd {
                        drip(1)
                    }.count
                }
                #expect((count > Site.bigSize) == isWhole)
                #expect(await eventually { site.seen.stopped.isOpen })
            }
        }
    }

    @Test func `a stuck upload doesn't hold the server beyond its limit, as it does Hummingbird`() async throws {
        try await Site.with(.http1()) { twin in
            try await Site.with(.test { $0.stopTime = PaceTests.short }) { site in
                let (patient, peer) = (try Peer(twin.port), try Peer(site.port))
                for (server, client) in [(twin, patient), (site, peer)] {
                    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
                    #expect(await eventually { !server.seen.all.isEmpty })
                    await server.stop()
                }
                #expect(await eventually { site.seen.stopped.isOpen })
                #expect(site.seen.all.contains("cut off: BodyCutOff"))
                #expect(!twin.seen.stopped.isOpen)
            }
        }
    }
}

@Suite struct AnswerTests {
    @Test func `an answer to HEAD has the fields of one to GET, and no body`() async throws {
        let requests = ["/", "/chunks", "/nothing", "/missing"].map { "HEAD \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
        let last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        try await Site.with(.test()) { site in
            let peer = try Peer(site.port)
            let text = try await blocking { try peer.talk(requests.joined() + last) }
            #expect(statuses(text) == [200, 200, 204, 200, 200])
            let answers = text.split(separator: "HTTP/1.1 ")
            #expect(answers.dropLast().allSatisfy { $0.hasSuffix("\r\n\r\n") })
            #expect(answers[0].contains("Content-Length: 5"))
            #expect(!answers[1].contains("Transfer-Encoding") && !answers[2].contains("Content-Length"))
        }
        // Hummingbird leaves it to the application, and its encoder sends the last chunk.
        try await Site.with(.http1()) { twin in
            let peer = try Peer(twin.port)
            let text = try await blocking { try peer.talk(requests[1] + last) }
            #expect(text.contains("one"))
        }
    }

    @Test func `an answer without a length is sent in chunks, and to HTTP 1.0 until the end`() async throws {
        try await Site.with(.test()) { site in
            let peer = try Peer(site.port)
            let new = try await blocking {
                try peer.talk("GET /chunks HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            }
            #expect(
                new.contains("Transfer-Encoding: chunked") && new.hasSuffix("\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n")
            )
            let old = try Peer(site.port)
            let text = try await blocking { try old.talk("GET /chunks HTTP/1.0\r\nHost: a\r\n\r\n") }
            #expect(!text.contains("Transfer-Encoding") && text.hasSuffix("\r\n\r\nonetwo"))
        }
    }

    @Test func `a client that has sent its last byte still gets a large answer whole`() async throws {
        try await Site.with(.test()) { site in
            let peer = try Peer(site.port, receiveBuffer: 1 << 14)
            peer.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
            peer.closeWriting()
            #expect(try await blocking { try peer.readToEnd().count } > Site.bigSize)
        }
    }

    @Test func `a body whose client goes away isn't taken for whole`() async throws {
        try await Site.with(.test()) { site in
            let peer = try Peer(site.port)
            peer.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
            peer.closeWriting()
            #expect(await eventually { site.seen.all.contains("cut off: BodyCutOff") })
            #expect(!site.seen.all.contains { $0.hasPrefix("read") })
        }
    }

    @Test func `the application sees the client's own address`() async throws {
        try await Site.with(.test()) { site in
            let peer = try Peer(site.port)
            let text = try await blocking {
                try peer.talk("GET /address HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            }
            #expect(text.hasSuffix("\r\n\r\n\(peer.port)"))
        }
    }
}

@Suite struct LimitTests {
    @Test func `heads up to twice the limits reach the application, which judges them`() async throws {
        let long = String(repeating: "a", count: 9_000)
        let heads = [
            "GET /limits HTTP/1.1\r\nHost: a\r\n": 0,
            "GET /limits?\(long) HTTP/1.1\r\nHost: a\r\n": 414,
            "GET /limits HTTP/1.1\r\nHost: a\r\nX: \(long)\(long)\(long)\(long)\r\n": 431,
            "GET /limits HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: a\r\n", count: 100): 431,
        ]
        try await Site.with(.test()) { site in
            for (head, status) in heads {
                let peer = try Peer(site.port)
                let text = try await blocking { try peer.talk(head + "Connection: close\r\n\r\n") }
                #expect(statuses(text) == [200] && text.hasSuffix("\r\n\r\n\(status)"))
            }
        }
    }

    @Test func `a head beyond twice the limits is refused with 431 in the site's look`() async throws {
        let heads = [
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 90_000))\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: a\r\n", count: 250) + "\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 90_000),
        ]
        try await Site.with(.test()) { site in
            for head in heads {
                let peer = try Peer(site.port)
                let text = try await blocking {
                    peer.send(head)
                    peer.closeWriting()
                    return String(decoding: try peer.readToEnd(), as: UTF8.self)
                }
                #expect(statuses(text) == [431] && text.hasSuffix("page 431"))
            }
        }
        try await Site.with(.http1()) { twin in
            let peer = try Peer(twin.port)
            let text = try await blocking { try peer.talk(heads[0]) }
            #expect(statuses(text) == [400] && text.hasSuffix("\r\n\r\n"), "a bare 400")
        }
    }

    @Test func `the limits for a head are judged one by one`() {
        func check(
            _ path: String = "/", _ method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:], host: String? = "a"
        ) -> Int? {
            HeadLimits().check(
                HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: fields))?.code
        }
        let name = HTTPField.Name("X")!
        #expect(check() == nil)
        #expect(check("/" + String(repeating: "a", count: 8_191)) == nil)
        #expect(check("/" + String(repeating: "a", count: 8_192)) == 414)
        #expect(check(host: nil) == 400)
        #expect(check(host: "a b") == 400)
        #expect(check("/", .get, [.host: "a"]) == 400)
        #expect(check("/a b") == 400)
        #expect(check("/\u{1}a") == 400)
        #expect(check("http://a/") == 400)
        #expect(check("*") == 400)
        #expect(check("*", .options) == nil)
        // "Host" and "a" count as well.
        #expect(check("/", .get, [name: String(repeating: "a", count: 32_768 - 6)]) == nil)
        #expect(check("/", .get, [name: String(repeating: "a", count: 32_768 - 5)]) == 431)
        #expect(check("/", .get, HTTPFields(repeatElement(HTTPField(name: name, value: ""), count: 99))) == nil)
        #expect(check("/", .get, HTTPFields(repeatElement(HTTPField(name: name, value: ""), count: 100))) == 431)
        #expect(check("/", HTTPRequest.Method("BREW")!) == 501)
    }

    @Test func `a client has so many connections and no more, until it closes one`() async throws {
        let connections = Connections(limitPerClient: 2)
        try await Site.with(.wire(.test(connections))) { site in
            let first = try Peer(site.port)
            let second = try Peer(site.port)
            #expect(await eventually { connections.count == 2 })
            let third = try Peer(site.port)
            #expect(try await blocking { try third.readToEnd() } == [])
            #expect(second.isSilent && connections.count == 2)
            first.closeWriting()
            #expect(await eventually { connections.count == 1 })
            let fourth = try Peer(site.port)
            let text = try await blocking { try fourth.talk("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") }
            #expect(statuses(text) == [200])
        }
    }

    @Test func `a trusted proxy has as many connections as there are, and all together no more`() async throws {
        let connections = Connections(limit: 3, limitPerClient: 1, trusted: [AddressRange("127.0.0.0/8")!])
        try await Site.with(.wire(.test(connections))) { site in
            let peers = try (0..<3).map { _ in try Peer(site.port) }
            #expect(await eventually { connections.count == 3 })
            let fourth = try Peer(site.port)
            #expect(try await blocking { try fourth.readToEnd() } == [])
            #expect(peers.allSatisfy { $0.isSilent })
        }
    }

    @Test func `address ranges are read as CIDR and hold what they say`() throws {
        let ten = try #require(AddressRange("10.1.2.3/8"))
        #expect(ten.contains("10.255.0.1") && !ten.contains("11.0.0.1") && !ten.contains("::10.0.0.1"))
        #expect(ten.contains("::ffff:10.0.0.1"))
        #expect(try #require(AddressRange("0.0.0.0/0")).contains("255.255.255.255"))
        #expect(!(try #require(AddressRange("0.0.0.0/0")).contains("::1")))
        #expect(try #require(AddressRange("::/0")).contains("2001:db8::1"))
        #expect(try #require(AddressRange("2001:db8:0:1::/65")).contains("2001:db8:0:1:7fff::"))
        #expect(!(try #require(AddressRange("2001:db8:0:1::/65")).contains("2001:db8:0:1:8000::")))
        #expect(AddressRange("::1") == AddressRange("::1/128"))
        for text in ["", "10", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/", "::/129", "a", "10.0.0.0/8/8"]
        {
            #expect(AddressRange(text) == nil, "\(text)")
        }
        let client = { AddressRange(clientAt: try! SocketAddress(ipAddress: $0, port: 1)) }
        #expect(client("2001:db8::1") == client("2001:db8::2") && client("2001:db8::1") != client("2001:db8:0:1::1"))
        #expect(client("10.0.0.1") == client("::ffff:10.0.0.1") && client("10.0.0.1") != client("10.0.0.2"))
        #expect(AddressRange(clientAt: try SocketAddress(unixDomainSocketPath: "a")) == nil)
    }

    @Test func `the file limit is raised to the most that is allowed`() {
        let limit = raiseFileLimit()
        #expect(limit > 0 && raiseFileLimit() == limit)
    }
}
