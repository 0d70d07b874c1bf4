import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Wire

/// On a loop that does nothing by itself: what is answered there was answered where it stood.
@Suite struct DispatchTests {
    private func channel(
        ready: @escaping ReadyResponder = { _, _ in nil }, _ responder: @escaping Responder
    ) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(
            RequestHandler(ready: ready, responder, in: Turns(), on: channel.eventLoop))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func send(_ path: String, body: String? = nil, to channel: EmbeddedChannel) throws {
        let head = HTTPRequest(method: body == nil ? .get : .post, scheme: "http", authority: "a", path: path)
        channel.pipeline.fireChannelRead(HTTPRequestPart.head(head))
        if let body { channel.pipeline.fireChannelRead(HTTPRequestPart.body(ByteBuffer(string: body))) }
        channel.pipeline.fireChannelRead(HTTPRequestPart.end(nil))
        channel.pipeline.fireChannelReadComplete()
    }

    /// A channel on which the head of a POST came in, whose body is read when the gate opens.
    private func beginsToPost() throws -> (EmbeddedChannel, Gate) {
        let gate = Gate()
        let channel = try channel { request, _ in
            await gate.wait()
            return try await Self.echo(request)
        }
        let head = HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/")
        channel.pipeline.fireChannelRead(HTTPRequestPart.head(head))
        channel.pipeline.fireChannelReadComplete()
        return (channel, gate)
    }

    /// The parts that were written since: a body as its text, `|` at an end.
    private func written(by channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let part = try channel.readOutbound(as: Outgoing.self) {
            switch part {
            case .ready(let answer): text += "ready \(String(buffer: answer.body))|"
            case .part(.head): break
            case .part(.body(let bytes)): text += String(buffer: bytes)
            case .part(.end): text += "|"
            }
        }
        return text
    }

    private static func echo(_ request: Request) async throws -> Response {
        var text = request.uri.path
        for try await bytes in request.body { text += String(buffer: bytes) }
        return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    @Test func `a request that is here as a whole is answered where it stands, one that waits when the loop goes on`()
        throws
    {
        let channel = try channel { request, _ in
            if request.uri.path == "/wait" { await Task.yield() }
            return try await Self.echo(request)
        }
        defer { _ = try? channel.finish() }
        try send("/1", to: channel)
        #expect(try written(by: channel) == "/1|")
        try send("/2", body: "!", to: channel)
        #expect(try written(by: channel) == "/2!|")

        try send("/wait", to: channel)
        try send("/behind", to: channel)
        #expect(try written(by: channel) == "")
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(try written(by: channel) == "/wait|/behind|")
    }

    /// The answer that is ready for `/ready`.
    private static func ready(_ request: Request) -> ReadyAnswer? {
        guard request.uri.path == "/ready" else { return nil }
        let body = ByteBuffer(string: "page")
        return ReadyAnswer(Response(status: .ok, body: ResponseBody(byteBuffer: body)), body: body)
    }

    @Test func `what is ready is written without a task, in its turn, and not before its client takes more`() throws {
        let channel = try channel(
            ready: { request, _ in Self.ready(request) },
            { request, _ in
                if request.uri.path == "/wait" { await Task.yield() }
                return try await Self.echo(request)
            })
        defer { _ = try? channel.finish() }
        try send("/ready", to: channel)
        #expect(try written(by: channel) == "ready page|")
        // Behind an answer that waits it waits, too.
        try send("/wait", to: channel)
        try send("/ready", to: channel)
        #expect(try written(by: channel) == "")
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(try written(by: channel) == "/wait|ready page|")
        // While the client takes nothing, it is answered by a task, which waits for it.
        channel.isWritable = false
        try send("/ready", to: channel)
        #expect(try written(by: channel) == "")
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(try written(by: channel) == "/ready|")
    }

    @Test func `of requests that come in at once each waits for a turn of the loop, so that others have theirs`() throws
    {
        let channel = try channel { request, _ in try await Self.echo(request) }
        defer { _ = try? channel.finish() }
        for path in ["/1", "/2", "/3"] {
            let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: path)
            channel.pipeline.fireChannelRead(HTTPRequestPart.head(head))
            channel.pipeline.fireChannelRead(HTTPRequestPart.end(nil))
        }
        channel.pipeline.fireChannelReadComplete()
        #expect(try written(by: channel) == "/1|")
        // All that the loop has to do now doesn't bring the next.
        channel.embeddedEventLoop.run()
        #expect(try written(by: channel) == "")
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(try written(by: channel) == "/2|/3|")
    }

    @Test func `a body that isn't here as a whole comes as a stream, and its end before the next request`() throws {
        let channel = try channel { request, _ in try await Self.echo(request) }
        defer { _ = try? channel.finish() }
        let head = HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/")
        channel.pipeline.fireChannelRead(HTTPRequestPart.head(head))
        channel.pipeline.fireChannelReadComplete()
        for text in ["a", "b", "c"] {
            channel.pipeline.fireChannelRead(HTTPRequestPart.body(ByteBuffer(string: text)))
            channel.pipeline.fireChannelReadComplete()
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        }
        #expect(try written(by: channel) == "")
        channel.pipeline.fireChannelRead(HTTPRequestPart.end(nil))
        try send("/next", to: channel)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(try written(by: channel) == "/abc|/next|")
    }

    @Test func `a body is read no faster than it's wanted`() throws {
        let (channel, gate) = try beginsToPost()
        defer { _ = try? channel.finish() }
        let reads = ReadCount()
        try channel.pipeline.syncOperations.addHandler(reads, position: .first)
        for count in 1...20 {
            channel.pipeline.fireChannelRead(HTTPRequestPart.body(ByteBuffer(string: "\(count)")))
            channel.read()
        }
        #expect(reads.count < 20)
        let before = reads.count
        gate.open()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(reads.count > before)
        channel.pipeline.fireChannelRead(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(try written(by: channel).hasSuffix("1920|"))
    }

    @Test func `a connection reads on behind a body that came faster than it was wanted`() throws {
        let (channel, gate) = try beginsToPost()
        defer { _ = try? channel.finish() }
        for _ in 0..<12 { channel.pipeline.fireChannelRead(HTTPRequestPart.body(ByteBuffer(string: "x"))) }
        channel.pipeline.fireChannelRead(HTTPRequestPart.end(nil))
        channel.pipeline.fireChannelReadComplete()
        gate.open()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(try written(by: channel) == "/xxxxxxxxxxxx|")
        let reads = ReadCount()
        try channel.pipeline.syncOperations.addHandler(reads, position: .first)
        channel.read()
        #expect(reads.count == 1)
    }

    @Test func `what came in behind a request that failed is not carried out`() throws {
        let seen = Site.Seen()
        let channel = try channel { request, _ in
            seen.note(request.uri.path)
            await Task.yield()
            throw BodyCutOff()
        }
        defer { _ = try? channel.finish() }
        try send("/fails", to: channel)
        try send("/behind", to: channel)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(seen.all == ["/fails"])
    }

    @Test func `many who send hundreds of requests at once don't keep others from theirs`() async throws {
        try await Site.with(.busy) { site in
            let peers = try (0..<8).map { _ in try Peer(site.port) }
            let more = String(repeating: "GET /busy HTTP/1.1\r\nHost: a\r\n\r\n", count: 100)
            let other = try Peer(site.port)
            for peer in peers { peer.send(more) }
            other.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            _ = try await blocking { try other.readToEnd() }
            // It came in behind hundreds of others, and didn't wait for them.
            let rank = try #require(site.seen.all.firstIndex(of: "GET /"))
            #expect(rank < 400)
        }
    }

    @Test func `five hundred requests in one piece are answered in their order`() async throws {
        try await Site.with(.busy) { site in
            let peer = try Peer(site.port)
            let more = String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 500)
            peer.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await eventually { !site.seen.all.isEmpty })
            let sent = Task { try await blocking { peer.send(more + "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n") } }
            site.seen.gate.open()
            let text = try await blocking { try peer.read(until: " 204 ") }
            #expect(try await sent.value)
            #expect(statuses(text) == Array(repeating: 200, count: 501) + [204])
        }
    }

    @Test func `dates are written as HTTP wants them`() {
        #expect(DateLine.line(784_111_777) == "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n")
        #expect(DateLine.line(1_835_395_200) == "Date: Tue, 29 Feb 2028 00:00:00 GMT\r\n")
    }
}

private final class ReadCount: ChannelOutboundHandler {
    typealias OutboundIn = Outgoing
    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}
