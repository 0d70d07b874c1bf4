import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A parsed response.
struct Reply: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]
}

/// A visitor's browser: keeps cookies, follows a 303 and a 307, sends an Origin with each POST, and runs no scripts.
final class Browser: Sendable {
    let port: Int
    /// The scheme, host and port of the site as this visitor knows it.
    let origin: String
    private let cookies = Mutex<[String: String]>([:])
    /// Headers that are sent with every request, such as `X-Forwarded-For`.
    private let extra: [String: String]

    init(port: Int, origin: String? = nil, sending extra: [String: String] = [:]) {
        self.port = port
        self.origin = origin ?? "http://127.0.0.1:\(port)"
        self.extra = extra
    }

    var host: String { String(origin.drop { $0 != "/" }.dropFirst(2)) }

    func cookie(_ name: String) -> String? { cookies.withLock { $0[name] } }

    func keep(_ name: String, _ value: String?) { cookies.withLock { $0[name] = value } }

    /// Another browser with the same cookies: a second tab, or a thief's copy.
    func copy() -> Browser {
        let copy = Browser(port: port, origin: origin, sending: extra)
        for (name, value) in cookies.withLock({ $0 }) { copy.keep(name, value) }
        return copy
    }

    /// Opens a page and follows redirects.
    func visit(_ path: some StringProtocol, _ headers: [String: String] = [:]) async throws -> Page {
        try await follow(send("GET", path, headers))
    }

    /// Sends a form and follows redirects.
    func post(
        _ path: some StringProtocol, _ pairs: [(name: String, value: String)], _ headers: [String: String] = [:]
    ) async throws -> Page {
        var page = try await submit(path, pairs, headers)
        // The form is sent once more, to another address.
        if page.status == 307, let location = page.location { page = try await submit(location, pairs, headers) }
        return try await follow(page)
    }

    /// Sends a form with files and follows redirects. A file input without a file sends an empty one.
    func post(
        _ path: some StringProtocol, _ pairs: [(name: String, value: String)], _ files: [(name: String, SentFile?)],
        _ headers: [String: String] = [:]
    ) async throws -> Page {
        let boundary = "----village-test"
        var body: [UInt8] = []
        for (name, value) in pairs {
            let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n"
            body += Array("\(head)\(value)\r\n".utf8)
        }
        for (name, file) in files {
            let file = file ?? SentFile("", [])
            let head = """
                --\(boundary)\r\nContent-Disposition: form-data; name="\(name)"; filename="\(file.name)"\r
                Content-Type: application/octet-stream\r\n\r\n
                """
            body += Array(head.utf8) + file.bytes + Array("\r\n".utf8)
        }
        body += Array("--\(boundary)--\r\n".utf8)
        var headers = headers
        headers["Content-Type"] = "multipart/form-data; boundary=\(boundary)"
        return try await follow(send("POST", path, headers, body))
    }

    /// Sends a form and returns its response without following redirects.
    func submit(
        _ path: some StringProtocol, _ pairs: [(name: String, value: String)], _ headers: [String: String] = [:]
    ) async throws -> Page {
        var headers = headers
        headers["Content-Type"] = headers["Content-Type"] ?? "application/x-www-form-urlencoded"
        return try await send("POST", path, headers, Array(Self.encode(pairs).utf8))
    }

    /// Sends one request and returns its response. A header with an empty value is left out.
    func send(
        _ method: String, _ path: some StringProtocol, _ headers: [String: String] = [:], _ body: [UInt8]? = nil
    ) async throws -> Page {
        let path = String(path.prefix { $0 != "#" })
        var fields = ["Host": host, "Connection": "close", "Accept": "text/html", "User-Agent": "Firefox on Linux"]
        if method == "POST" { fields["Origin"] = origin }
        if let body { fields["Content-Length"] = String(body.count) }
        let jar = cookies.withLock { $0 }
        if !jar.isEmpty { fields["Cookie"] = jar.map { "\($0)=\($1)" }.sorted().joined(separator: "; ") }
        fields.merge(extra) { $1 }
        fields.merge(headers) { $1 }
        let head = fields.filter { !$0.value.isEmpty }.map { "\($0): \($1)\r\n" }.sorted().joined()
        let reply = try await talk("\(method) \(path) HTTP/1.1\r\n\(head)\r\n", body ?? [])
        for (name, value) in reply.headers where name == "set-cookie" { keep(value) }
        return Page(reply, at: path, in: self)
    }

    /// Sends exactly these bytes over a new connection.
    func talk(_ head: String, _ body: [UInt8] = []) async throws -> Reply {
        let bytes = try await exchange(Array(head.utf8) + body, port: port)
        guard let reply = Reply(bytes) else { throw Unanswered(head: head) }
        return reply
    }

    /// Opens a stream of events, and yields each one as it arrives. Ends with the connection, or after a while.
    func listen(_ path: String, _ headers: [String: String] = [:]) -> AsyncStream<String> {
        let jar = cookies.withLock { $0 }
        var fields = ["Host": host, "Accept": "text/event-stream"].merging(headers) { $1 }
        fields["Cookie"] = jar.map { "\($0)=\($1)" }.sorted().joined(separator: "; ")
        let head = fields.map { "\($0): \($1)\r\n" }.sorted().joined()
        let (events, lines) = AsyncStream.makeStream(of: String.self)
        let request = Array("GET \(path) HTTP/1.1\r\n\(head)\r\n".utf8)
        connect(to: port) { Listener(request, lines) }.whenFailure { _ in lines.finish() }
        return events
    }

    private func follow(_ first: Page) async throws -> Page {
        var page = first
        var redirects: [String] = []
        while page.status == 303, let location = page.location, redirects.count < 5 {
            redirects.append(location)
            page = try await send("GET", location)
        }
        page.redirects = redirects
        return page
    }

    private func keep(_ line: String) {
        let parts = line.split(separator: ";").map { $0.drop { $0 == " " } }
        let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        keep(String(pair[0]), parts.contains("Max-Age=0") ? nil : String(pair[1]))
    }

    /// Encodes a form as browsers do (URL standard, `application/x-www-form-urlencoded`).
    static func encode(_ pairs: [(name: String, value: String)]) -> String {
        func encode(_ text: String) -> String {
            text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    String(UnicodeScalar(byte))
                case UInt8(ascii: " "): "+"
                default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
                }
            }.joined()
        }
        return pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }
}

/// A file that a visitor chooses to upload.
struct SentFile: Sendable {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// The server closed the connection without a response, or sent something that isn't a response.
struct Unanswered: Error {
    let head: String
}

extension Reply {
    /// Parses a response that ends when its connection closes.
    fileprivate init?(_ bytes: [UInt8]) {
        // Without optimization, checking every position took a fiftieth of the time of all tests.
        guard let end = Data(bytes).range(of: Data("\r\n\r\n".utf8))?.lowerBound else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count > 1, words[0] == "HTTP/1.1", let status = Int(words[1]) else { return nil }
        self.status = status
        headers = lines.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            return (name.lowercased(), String(line[name.endIndex...].dropFirst().drop { $0 == " " }))
        }
        let rest = bytes[(end + 4)...]
        let comesInPieces = headers.contains { $0.name == "transfer-encoding" && $0.value == "chunked" }
        body = comesInPieces ? Self.joined(rest) : Array(rest)
    }

    /// The content of a chunked body (RFC 9112, 7.1), up to the last complete chunk.
    private static func joined(_ pieces: ArraySlice<UInt8>) -> [UInt8] {
        var (body, rest) = ([UInt8](), pieces)
        while let end = rest.firstIndex(of: UInt8(ascii: "\r")),
            let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), size > 0,
            rest.endIndex >= end + 4 + size
        {
            body += rest[(end + 2)..<(end + 2 + size)]
            rest = rest[(end + 4 + size)...]
        }
        return body
    }
}

/// Sends bytes over a new connection and returns everything that arrives until the other side closes.
private func exchange(_ bytes: [UInt8], port: Int) async throws -> [UInt8] {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let answer = loop.makePromise(of: ByteBuffer.self)
    let patience = loop.scheduleTask(in: .seconds(30)) { answer.fail(ChannelError.connectTimeout(.seconds(30))) }
    defer { patience.cancel() }
    // The bytes are sent as soon as the connection is open, however long this task waits for its turn, because the
    // server soon closes silent connections.
    connect(to: port) { Exchange(bytes, answer) }.whenFailure { answer.fail($0) }
    return Array(buffer: try await answer.futureResult.get())
}

private func connect(
    to port: Int, _ handler: @escaping @Sendable () -> any ChannelHandler
) -> EventLoopFuture<any Channel> {
    ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(handler()) }
        }
        .connect(host: "127.0.0.1", port: port)
}

/// Sends at once, and passes on each event that arrives.
private final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let sent: [UInt8]
    private let lines: AsyncStream<String>.Continuation
    private var heard = ""

    init(_ sent: [UInt8], _ lines: AsyncStream<String>.Continuation) { (self.sent, self.lines) = (sent, lines) }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        lines.onTermination = { _ in channel.close(promise: nil) }
        _ = context.eventLoop.scheduleTask(in: .seconds(30)) { channel.close(promise: nil) }
        channel.writeAndFlush(ByteBuffer(bytes: sent), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        heard += String(buffer: unwrapInboundIn(data))
        // The framing of chunks between events isn't a line of an event.
        while let end = heard.firstIndex(of: "\n") {
            let line = heard[..<end]
            if line.hasPrefix("data: ") { lines.yield(String(line.dropFirst(6))) }
            heard = String(heard[heard.index(after: end)...])
        }
    }

    func channelInactive(context: ChannelHandlerContext) { lines.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Sends at once, and reads until the other side closes.
private final class Exchange: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let sent: [UInt8]
    private let answer: EventLoopPromise<ByteBuffer>
    private var heard = ByteBuffer()

    init(_ sent: [UInt8], _ answer: EventLoopPromise<ByteBuffer>) { (self.sent, self.answer) = (sent, answer) }

    func channelActive(context: ChannelHandlerContext) {
        // The server may answer and close before it has read everything.
        context.channel.writeAndFlush(ByteBuffer(bytes: sent), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        heard.writeBuffer(&part)
    }

    func channelInactive(context: ChannelHandlerContext) { answer.succeed(heard) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
