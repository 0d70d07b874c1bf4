import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

@testable import Wire

/// A server with a tiny site on a free port, and what the site saw.
struct Site: Sendable {
    let port: Int
    let seen: Seen
    private let group: ServiceGroup

    /// One loop: when one connection has noticed something that happened to all, so have the others.
    private static let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    /// For twins, and for sites that keep their loop busy: short time limits on the other one are for slow clients.
    private static let otherLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Tells the server to stop, and doesn't wait.
    func stop() async { await group.triggerGracefulShutdown() }

    /// What the site saw, and what tests steer it with.
    final class Seen: Sendable {
        private let notes = Mutex<[String]>([])
        /// `/gate` answers when this opens.
        let gate = Gate()
        /// Opens when the server has stopped.
        let stopped = Gate()

        var all: [String] { notes.withLock { $0 } }
        func note(_ text: String) { notes.withLock { $0.append(text) } }
    }

    /// Runs `body` against a server, and stops it.
    static func with(
        _ server: TestServer, _ body: (Site) async throws -> Void
    ) async throws {
        let seen = Seen()
        let ports = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "site")
        logger.logLevel = .critical
        let service = try server.builder({ try await answer($0, $1, seen) }).buildServer(
            configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: 0)),
            eventLoopGroup: server.isApart ? otherLoop : loop, logger: logger,
            responder: { request, writer, channel in
                let response = try await answer(request, channel, seen)
                try await writer.write(response: response.head, body: response.body)
            },
            onServerRunning: { ports.continuation.yield($0.localAddress!.port!) })
        let group = ServiceGroup(configuration: .init(services: [service], logger: logger))
        let run = Task {
            defer { seen.stopped.open() }
            try await group.run()
        }
        var iterator = ports.stream.makeAsyncIterator()
        let site = Site(port: await iterator.next()!, seen: seen, group: group)
        do {
            try await body(site)
        } catch {
            seen.gate.open()
            run.cancel()
            throw error
        }
        seen.gate.open()
        run.cancel()
        _ = await run.result
    }

    @concurrent private static func answer(
        _ request: Request, _ channel: any Channel, _ seen: Seen
    ) async throws -> Response {
        seen.note("\(request.method) \(request.head.path ?? "")")
        var (status, body) = (HTTPResponse.Status.ok, ResponseBody(byteBuffer: ByteBuffer(string: "hello")))
        switch request.uri.path {
        case "/big": body = ResponseBody(byteBuffer: ByteBuffer(repeating: UInt8(ascii: "b"), count: bigSize))
        case "/busy":
            let end = NIODeadline.now() + .milliseconds(1)
            while NIODeadline.now() < end {}
        case "/gate", "/gate/big":
            await seen.gate.wait()
            if request.uri.path == "/gate/big" {
                body = ResponseBody(byteBuffer: ByteBuffer(repeating: UInt8(ascii: "b"), count: bigSize))
            }
        case "/gate/echo":
            await seen.gate.wait()
            fallthrough
        case "/echo":
            var bytes = 0
            do {
                for try await part in request.body { bytes += part.readableBytes }
            } catch {
                seen.note("cut off: \(type(of: error))")
                throw error
            }
            seen.note("read \(bytes)")
            body = ResponseBody(byteBuffer: ByteBuffer(string: "read \(bytes)"))
        case "/early": (status, body) = (.contentTooLarge, ResponseBody(byteBuffer: ByteBuffer(string: "too large")))
        case "/chunks":
            body = ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "one"))
                try await writer.write(ByteBuffer(string: "two"))
                try await writer.finish(nil)
            }
        case "/events":
            let response = Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in
                    let (calls, call) = AsyncStream.makeStream(of: Void.self)
                    try await writer.write(ByteBuffer(string: "data: 1\n\n"))
                    for await _ in calls {}
                    withExtendedLifetime(call) {}
                    seen.note("ended")
                    try await writer.finish(nil)
                })
            return response
        case "/nothing": (status, body) = (.noContent, ResponseBody())
        case "/address": body = ResponseBody(byteBuffer: ByteBuffer(string: "\(channel.remoteAddress!.port!)"))
        case "/limits":
            body = ResponseBody(byteBuffer: ByteBuffer(string: "\(HeadLimits().check(request.head)?.code ?? 0)"))
        default: break
        }
        return Response(status: status, body: body)
    }

    static let bigSize = 8 << 20
}

/// Something that happens once and is waited for.
final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    var isOpen: Bool { state.withLock { $0.isOpen } }

    func open() {
        let waiting = state.withLock { state in
            defer { state = (true, []) }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

extension WireConfiguration {
    /// Generous limits with a page that tests recognize; `change` makes one of them small.
    static func test(
        _ connections: Connections = Connections(), _ change: (inout WireConfiguration) -> Void = { _ in }
    ) -> WireConfiguration {
        var configuration = WireConfiguration(connections: connections) { status in
            ([HTTPField.Name("X-Look")!: "site"], Array("page \(status.code)".utf8))
        }
        let long = Duration.seconds(600)
        configuration.firstByteTime = long
        configuration.idleTime = long
        configuration.headTime = long
        configuration.rateWindow = long
        configuration.drainTime = .seconds(60)
        change(&configuration)
        return configuration
    }
}

/// Wire, or for a twin the server that Hummingbird brings.
struct TestServer: Sendable {
    /// Whether it runs on a loop apart from that of the tests with short time limits.
    var isApart = false
    let builder: @Sendable (@escaping Responder) -> HTTPServerBuilder

    static func wire(_ configuration: WireConfiguration) -> TestServer {
        TestServer { .wire(configuration, responder: $0) }
    }

    static func test(_ change: (inout WireConfiguration) -> Void = { _ in }) -> TestServer {
        .wire(.test(Connections(), change))
    }

    /// One that has the answer to `/ready` ready, which is the answer to `/`.
    static var ready: TestServer {
        let hello = ByteBuffer(string: "hello")
        let answer = ReadyAnswer(Response(status: .ok, body: ResponseBody(byteBuffer: hello)), body: hello)
        return TestServer {
            .wire(.test(), ready: { request, _ in request.uri.path == "/ready" ? answer : nil }, responder: $0)
        }
    }

    /// One that many requests keep busy.
    static var busy: TestServer {
        TestServer(isApart: true) { .wire(.test(), responder: $0) }
    }

    static func http1(configuration: HTTP1Channel.Configuration = .init()) -> TestServer {
        TestServer(isApart: true) { _ in .http1(configuration: configuration) }
    }
}
