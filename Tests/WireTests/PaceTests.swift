import HTTPTypes
import HummingbirdCore
import NIOCore
import Testing

@testable import Wire

/// Each clock cuts its own kind of slow client. The twin is a client that does the same to Hummingbird's own channel,
/// and began earlier: when Wire's is cut, the twin is still served.
@Suite struct PaceTests {
    static let short = Duration.milliseconds(300)
    static let head = "GET / HTTP/1.1\r\nHost: a\r\n"

    @Test func `a head that stops halfway is answered 408 in the site's look`() async throws {
        try await Site.with(.http1()) { twin in
            try await Site.with(.test { $0.headTime = Self.short }) { site in
                let (patient, peer) = (try Peer(twin.port), try Peer(site.port))
                patient.send(Self.head)
                let text = try await blocking { try peer.talk(Self.head) }
                #expect(statuses(text) == [408] && text.contains("X-Look: site") && text.hasSuffix("page 408"))
                #expect(patient.isSilent)
                patient.send("\r\n")
                #expect(try await blocking { try patient.read(until: "hello") }.contains("200"))
            }
        }
    }

    @Test func `a head that drips is answered 408`() async throws {
        try await Site.with(.test { $0.headTime = Self.short }) { site in
            let peer = try Peer(site.port)
            let text = try await blocking {
                peer.send(Self.head + "X: ")
                while peer.isSilent {
                    peer.send("x")
                    drip()
                }
                return String(decoding: try peer.readToEnd(), as: UTF8.self)
            }
            #expect(statuses(text) == [408])
        }
    }

    @Test func `a connection that never says a word is closed without an answer`() async throws {
        try await Site.with(.http1()) { twin in
            try await Site.with(.test { $0.firstByteTime = Self.short }) { site in
                let (patient, peer) = (try Peer(twin.port), try Peer(site.port))
                #expect(try await blocking { try peer.readToEnd() } == [])
                #expect(patient.isSilent)
            }
        }
    }

    @Test func `a connection is closed when it rests too long between requests`() async throws {
        try await Site.with(.test { $0.idleTime = Self.short }) { site in
            let peer = try Peer(site.port)
            let text = try await blocking { try peer.talk(Self.head + "\r\n" + Self.head + "\r\n") }
            #expect(statuses(text) == [200, 200] && !text.contains("Connection: close"))
        }
    }

    @Test func `an application that takes its time is no idle client`() async throws {
        try await Site.with(
            .test {
                $0.firstByteTime = Self.short
                $0.idleTime = Self.short
                $0.headTime = Self.short
            }
        ) {
            site in
            let (peer, clock) = (try Peer(site.port), try Peer(site.port))
            peer.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
            // Both clocks have run out when a second connection has been idle for as long.
            _ = try await blocking { try clock.talk(Self.head + "\r\n") }
            #expect(peer.isSilent)
            site.seen.gate.open()
            #expect(try await blocking { try peer.read(until: "hello") }.contains("200"))
        }
    }

    @Test func `a body that stops halfway is answered 408, and the application learns that it's cut off`() async throws
    {
        try await Site.with(.http1()) { twin in
            try await Site.with(.test { $0.rateWindow = Self.short }) { site in
                let (patient, peer) = (try Peer(twin.port), try Peer(site.port))
                let request = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab"
                patient.send(request)
                let text = try await blocking { try peer.talk(request) }
                #expect(statuses(text) == [408] && text.hasSuffix("page 408"))
                #expect(await eventually { site.seen.all.contains("cut off: BodyCutOff") })
                #expect(patient.isSilent)
                patient.send("c")
                #expect(try await blocking { try patient.read(until: "read 3") }.contains("200"))
            }
        }
    }

    @Test(arguments: ["x", "1;a=b\r\nx\r\n"])
    func `a body that drips below the least rate is cut, which an idle timer doesn't do`(_ drop: String) async throws {
        var idle = HTTP1Channel.Configuration()
        idle.idleTimeout = .seconds(3)
        let framing = drop == "x" ? "Content-Length: 100000" : "Transfer-Encoding: chunked"
        let pulse = Pulse()
        let beating = Task { await pulse.run() }
        defer { beating.cancel() }
        try await Site.with(.http1(configuration: idle)) { twin in
            try await Site.with(.test { $0.rateWindow = .seconds(4) }) { site in
                let (patient, peer) = (try Peer(twin.port), try Peer(site.port))
                let (text, isServed) = try await blocking {
                    for one in [patient, peer] { one.send("POST /echo HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n") }
                    var (last, pause) = (ContinuousClock.now, Duration.zero)
                    while peer.isSilent {
                        for one in [patient, peer] { one.send(drop) }
                        drip()
                        pause = max(pause, ContinuousClock.now - last)
                        last = ContinuousClock.now
                    }
                    // A machine that has much to do pauses for longer than the twin's timer lets anybody: this client,
                    // or the application that reads the body.
                    let isServed = patient.isSilent || max(pause, pulse.longestPause) > .seconds(1)
                    return (String(decoding: try peer.readToEnd(), as: UTF8.self), isServed)
                }
                #expect(statuses(text) == [408])
                #expect(isServed)
            }
        }
    }

    @Test func `a body that drips above the least rate is read to its end`() async throws {
        try await Site.with(
            .test {
                // Two bytes are due in each window, and thirty come: a machine with much to do is no slow client.
                $0.rateWindow = .seconds(2)
                $0.bodyRate = 1
            }
        ) { site in
            let peer = try Peer(site.port)
            let text = try await blocking {
                peer.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\nConnection: close\r\n\r\n")
                for _ in 0..<50 {
                    peer.send("x")
                    drip(60)
                }
                return String(decoding: try peer.readToEnd(), as: UTF8.self)
            }
            #expect(statuses(text) == [200] && text.hasSuffix("read 50"))
        }
    }

    @Test func `a client whose body the application doesn't read isn't slow`() async throws {
        try await Site.with(.test { $0.rateWindow = Self.short }) { site in
            let (peer, clock) = (try Peer(site.port), try Peer(site.port))
            let size = 4 << 20
            let body = [UInt8](repeating: 0, count: size)
            async let text = blocking {
                peer.send("POST /gate/echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\nConnection: close\r\n\r\n")
                peer.send(body)
                return String(decoding: try peer.readToEnd(), as: UTF8.self)
            }
            #expect(await eventually { !site.seen.all.isEmpty })
            // Three windows pass for clients that are slow.
            for _ in 0..<3 {
                let slow = try await blocking {
                    try clock.isSilent
                        ? Peer(site.port).talk("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab") : ""
                }
                #expect(statuses(slow) == [408])
            }
            site.seen.gate.open()
            let answer = try await text
            #expect(answer.hasSuffix("read \(size)"), "\(answer), \(site.seen.all)")
        }
    }

    @Test func `a client that doesn't take its answer is cut`() async throws {
        let connections = Connections()
        try await Site.with(.http1()) { twin in
            try await Site.with(.wire(.test(connections) { $0.rateWindow = Self.short })) { site in
                let request = "GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                let patient = try Peer(twin.port, receiveBuffer: 1 << 12)
                let peer = try Peer(site.port, receiveBuffer: 1 << 12)
                patient.send(request)
                peer.send(request)
                #expect(await eventually { !site.seen.all.isEmpty })
                #expect(await eventually { connections.count == 0 })
                #expect(try await blocking { try peer.readToEnd().count } < Site.bigSize)
                #expect(try await blocking { try patient.readToEnd().count } > Site.bigSize)
            }
        }
    }

    @Test func `a slow but steady reader of a large answer gets all of it`() async throws {
        try await Site.with(
            .test {
                $0.rateWindow = .milliseconds(400)
                $0.idleTime = .milliseconds(400)
            }
        ) { site in
            let peer = try Peer(site.port, receiveBuffer: 1 << 14)
            peer.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
            let bytes = try await blocking {
                try peer.readToEnd {
                    drip(2)
                }
            }
            #expect(bytes.count > Site.bigSize)
        }
    }

    @Test func `what comes in behind an early refusal is drained to the limit, then the connection closes`()
        async throws
    {
        let size = 32 << 20
        let body = [UInt8](repeating: 0, count: size)
        let request = "POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n"
        try await Site.with(.test { $0.drainBytes = 1 << 20 }) { site in
            let peer = try Peer(site.port)
            peer.send(request)
            #expect(try await blocking { try peer.read(until: "too large") }.contains("Connection: close"))
            #expect(try await blocking { peer.send(body) } == false)
        }
        // Hummingbird swallows all of it, and whatever else is announced.
        try await Site.with(.http1()) { twin in
            let patient = try Peer(twin.port)
            patient.send(request)
            #expect(try await blocking { try patient.read(until: "too large") }.contains("413"))
            #expect(try await blocking { patient.send(body) })
        }
    }

    @Test func `a client that sends on gets to see its refusal, though the application doesn't read`() async throws {
        try await Site.with(.test { $0.drainBytes = 64 << 20 }) { site in
            let peer = try Peer(site.port)
            peer.send("POST /gate/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            #expect(await eventually { !site.seen.all.isEmpty })
            let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0, count: 1 << 16) + Array("\r\n".utf8)
            let rest = [UInt8](repeating: 0, count: 16 << 20)
            let text = try await blocking {
                peer.send(Array("1\r\nx\r\nrubbish".utf8) + chunk)
                #expect(peer.send(rest))
                peer.closeWriting()
                return String(decoding: try peer.readToEnd(), as: UTF8.self)
            }
            #expect(statuses(text) == [400])
        }
    }

    @Test func `a client that neither sends nor closes behind an early refusal is closed`() async throws {
        try await Site.with(.test { $0.drainTime = Self.short }) { site in
            let peer = try Peer(site.port)
            let text = try await blocking {
                try peer.talk("POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
            }
            #expect(statuses(text) == [413])
            // The server's side of the socket is gone, not half of it: it answers with a reset.
            try await blocking { while peer.send("x") { drip(1) } }
        }
    }
}

@Suite struct ExpectationTests {
    let head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n"

    @Test func `100 Continue is sent when the body is first asked for, which Hummingbird doesn't do`() async throws {
        try await Site.with(.http1()) { twin in
            try await Site.with(.test()) { site in
                let (patient, peer) = (try Peer(twin.port), try Peer(site.port))
                patient.send(head + "Expect: 100-continue\r\n\r\n")
                peer.send(head + "Expect: 100-Continue\r\n\r\n")
                let continued = try await blocking { try peer.read(until: "\r\n\r\n") }
                #expect(continued == "HTTP/1.1 100 Continue\r\n\r\n")
                let text = try await blocking { try peer.talk("abc") }
                #expect(statuses(text) == [200] && text.hasSuffix("read 3"))
                #expect(await eventually { !twin.seen.all.isEmpty })
                #expect(patient.isSilent)
            }
        }
    }

    @Test func `a client that was told to continue and doesn't is too slow`() async throws {
        try await Site.with(.test { $0.rateWindow = PaceTests.short }) { site in
            let peer = try Peer(site.port)
            #expect(
                statuses(try await blocking { try peer.talk(head + "Expect: 100-continue\r\n\r\n") }) == [100, 408])
        }
    }

    @Test func `an early refusal spares the client the body`() async throws {
        try await Site.with(.test { $0.drainTime = PaceTests.short }) { site in
            let peer = try Peer(site.port)
            let request = "POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
            let text = try await blocking { try peer.talk(request) }
            #expect(statuses(text) == [413] && text.contains("Connection: close"))
        }
    }

    @Test func `a client that doesn't wait for 100 Continue isn't sent it`() async throws {
        try await Site.with(.test()) { site in
            let peer = try Peer(site.port)
            let request = head.replacing("/echo", with: "/gate/echo") + "Expect: 100-continue\r\n\r\nabc"
            peer.send(request)
            #expect(await eventually { !site.seen.all.isEmpty })
            site.seen.gate.open()
            #expect(statuses(try await blocking { try peer.talk("") }) == [200])
        }
    }

    @Test func `an unknown expectation is refused with 417`() async throws {
        try await Site.with(.test()) { site in
            let peer = try Peer(site.port)
            let text = try await blocking { try peer.talk(head + "Expect: 200-ok\r\n\r\nabc") }
            #expect(statuses(text) == [417] && text.hasSuffix("page 417") && site.seen.all.isEmpty)
        }
    }
}
