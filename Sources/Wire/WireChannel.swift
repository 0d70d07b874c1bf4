public import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

extension HTTPServerBuilder {
    /// The site's server for `Application(server:)`: HTTP/1 with timers on the raw bytes, limits, and strict parsing of
    /// requests.
    ///
    /// - Parameters:
    ///   - configuration: The limits and pages.
    ///   - ready: Gives the responses that are ready, before a task is made.
    ///   - responder: Answers all other requests. It replaces the application's own responder, which writes through an
    ///     asynchronous channel at a higher cost than most responses.
    public static func wire(
        _ configuration: WireConfiguration, ready: @escaping ReadyResponder = { _, _ in nil },
        responder: @escaping Responder
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { _ in WireChannel(configuration: configuration, ready: ready, responder: responder) }
    }
}

/// Sets up the connections that the server accepts.
///
/// The pipeline, from the socket inwards: ``Pace`` (clocks on raw bytes), NIO's decoder, ``Exchange`` (requests in,
/// answers out), and ``RequestHandler``, which has the application answer.
struct WireChannel: ServerChildChannel {
    /// A connection, and a future for its end.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let ended: EventLoopFuture<Void>
    }

    private let configuration: WireConfiguration
    private let paceLimits: Pace.Limits
    private let ready: ReadyResponder
    private let responder: Responder
    private let turns = TurnsOfLoops()

    init(configuration: WireConfiguration, ready: @escaping ReadyResponder, responder: @escaping Responder) {
        self.configuration = configuration
        self.paceLimits = Pace.Limits(configuration)
        self.ready = ready
        self.responder = responder
    }

    /// Builds the pipeline of an accepted connection, or closes it if a limit is reached.
    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        guard configuration.connections.admit(channel) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        return channel.eventLoop.makeCompletedFuture {
            let pace = Pace(paceLimits)
            let handler = RequestHandler(
                ready: ready, responder, in: turns.turns(of: channel.eventLoop), on: channel.eventLoop)
            let pipeline = channel.pipeline.syncOperations
            do {
                try pipeline.addHandler(pace)
                try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: decoderLimits)))
                try pipeline.addHandler(Exchange(pace: pace, page: configuration.page))
                try pipeline.addHandler(handler)
            } catch {
                handler.ended.succeed()
                throw error
            }
            return Value(channel: channel, ended: handler.ended.futureResult)
        }
    }

    /// Waits until the connection has ended. If the server is canceled, it stops reading.
    func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            try? await value.ended.get()
        } onCancel: {
            value.channel.close(mode: .input, promise: nil)
        }
    }

    /// Twice the site's limits. NIO counts the target as a separate field and also in the list.
    private var decoderLimits: NIOHTTPDecoderLimitConfiguration {
        let limits = configuration.limits
        var decoder = NIOHTTPDecoderLimitConfiguration()
        decoder.maxHeaderFieldSize = 2 * max(limits.urlBytes, limits.fieldBytes)
        decoder.maxHeaderListSize = 2 * (limits.urlBytes + limits.fieldBytes)
        decoder.maxHeaderFieldCount = 2 * limits.fields
        return decoder
    }
}
