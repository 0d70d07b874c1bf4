import HTTPTypes
public import HummingbirdCore
public import Logging
public import NIOCore
import NIOHTTP1
public import NIOHTTPTypes

extension HTTPServerBuilder {
    /// The site's server for `Application(server:)`: HTTP/1 with timers on the raw bytes, limits and a strict reading
    /// of requests.
    public static func wire(_ configuration: WireConfiguration) -> HTTPServerBuilder {
        HTTPServerBuilder { WireChannel(responder: $0, configuration: configuration) }
    }
}

/// What the server does with a connection it accepted.
///
/// The pipeline, from the socket inwards: ``Pace`` (clocks on raw bytes), NIO's decoder, ``Exchange`` (requests in,
/// answers out), and the asynchronous channel that Hummingbird's own loop reads from.
public struct WireChannel: HTTPChannelHandler {
    /// The channel that Hummingbird hands on to the application's request context.
    public typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    /// Answers a request.
    public let responder: Responder
    private let configuration: WireConfiguration
    private let paceLimits: Pace.Limits

    init(responder: @escaping Responder, configuration: WireConfiguration) {
        self.configuration = configuration
        self.paceLimits = Pace.Limits(configuration)
        self.responder = { request, writer, channel in
            guard request.headers[.expect] != nil else { return try await responder(request, writer, channel) }
            var request = request
            request.body = RequestBody(asyncSequence: ExpectedBody(body: request.body, channel: channel))
            try await responder(request, writer, channel)
        }
    }

    /// Builds the pipeline of an accepted connection, or closes it when there are enough.
    public func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        guard configuration.connections.admit(channel) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        return channel.eventLoop.makeCompletedFuture {
            let pace = Pace(paceLimits)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(pace)
            try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: decoderLimits)))
            try pipeline.addHandler(Exchange(pace: pace, page: configuration.page))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    /// Answers the requests of one connection in turn until it closes, on the thread of the connection's event loop:
    /// most answers take less time than to wake another thread and be woken by it.
    public func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
            await handleHTTP(asyncChannel: value, logger: logger)
        }
    }

    /// Twice the site's limits. NIO counts the target as a field of its own, and in the list.
    private var decoderLimits: NIOHTTPDecoderLimitConfiguration {
        let limits = configuration.limits
        var decoder = NIOHTTPDecoderLimitConfiguration()
        decoder.maxHeaderFieldSize = 2 * max(limits.urlBytes, limits.fieldBytes)
        decoder.maxHeaderListSize = 2 * (limits.urlBytes + limits.fieldBytes)
        decoder.maxHeaderFieldCount = 2 * limits.fields
        return decoder
    }
}

/// The body of a request with `Expect: 100-continue`: it tells the connection when it is first asked for, so that a
/// refusal which never looks at the body spares the client sending it.
private struct ExpectedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    let body: RequestBody
    let channel: any Channel

    struct AsyncIterator: AsyncIteratorProtocol {
        var body: RequestBody.AsyncIterator
        var channel: (any Channel)?

        @concurrent mutating func next() async throws -> ByteBuffer? {
            channel?.triggerUserOutboundEvent(BodyWanted(), promise: nil)
            channel = nil
            return try await body.next()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body.makeAsyncIterator(), channel: channel) }
}
