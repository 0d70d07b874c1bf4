import HTTPTypes
public import HummingbirdCore
public import NIOCore
import NIOHTTPTypes

/// Answers a request.
///
/// It runs on the thread of the connection's event loop, so it must not hold it for long. An error ends the connection
/// without a response.
public typealias Responder = @Sendable (_ request: Request, _ channel: any Channel) async throws -> Response

/// Passes the requests of one connection to the application, one after another, and writes its responses.
///
/// A complete request is answered in place: a response that is ready is written at once; otherwise a task begins within
/// `channelRead`, and if it never suspends, it finishes there too. Either way the response leaves in one `writev`.
final class RequestHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = Outgoing
    typealias OutboundOut = Outgoing

    private let ready: ReadyResponder
    private let responder: Responder
    private let executor: LoopExecutor
    private let turns: Turns
    /// Succeeds when the connection is closed and no request is being answered.
    let ended: EventLoopPromise<Void>

    private var context: ChannelHandlerContext?
    /// The request that arrives within one read, as long as it may arrive completely.
    private var arriving: (head: HTTPRequest, body: ByteBuffer)?
    private var isAnswering = false
    /// The body of the request being answered, while more may arrive.
    private var body: BodyStream.Source?
    /// Input after the request being answered.
    private var waiting = CircularBuffer<HTTPRequestPart>(initialCapacity: 2)
    private var isInputClosed = false
    /// Whether a request was passed on within this read or this turn of the loop. The next ones wait for the next turn,
    /// so that a thousand requests sent at once don't hold up the thread.
    private var hadItsTurn = false
    /// Whether it waits for its turn.
    private var isInLine = false

    /// Whether the application reads the body more slowly than it arrives, or not at all.
    private var isBodyFull = false
    private var isReadHeld = false
    /// The most parts to read ahead of the request being answered, give or take one read.
    private static let readAhead = 8

    /// Resumes writing when the client has taken some of the data.
    private var writer: CheckedContinuation<Void, Never>?

    /// The task that answers the request.
    private var task: Task<Void, Never>?
    /// Whether the response is a stream of events: each part is flushed, and it ends when the site stops or the client
    /// leaves.
    private var isEventStream = false
    private var isStopping = false

    init(
        ready: @escaping ReadyResponder = { _, _ in nil }, _ responder: @escaping Responder, in turns: Turns,
        on loop: any EventLoop
    ) {
        self.ready = ready
        self.responder = responder
        self.turns = turns
        executor = LoopExecutor(loop)
        ended = loop.makePromise()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        breakOff()
        self.context = nil
        if !isAnswering { ended.succeed() }
    }
}

// MARK: - Requests

extension RequestHandler {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if waiting.isEmpty, body != nil || !isAnswering && !hadItsTurn { take(part) } else { waiting.append(part) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        startWithStream()
        hadItsTurn = false
        if !isAnswering, !waiting.isEmpty { goOn() }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        isReadHeld = isBodyFull || waiting.count >= Self.readAhead
        if !isReadHeld { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        breakOff()
        if !(error is BodyCutOff) { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed {
            isInputClosed = true
            // The client has closed its side, so it has left.
            endEventStream()
            closeIfDone()
        } else if event is ChannelShouldQuiesceEvent {
            isStopping = true
            endEventStream()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        endEventStream()
        breakOff()
        waiting.removeAll()
        resumeWriter()
        context.fireChannelInactive()
    }

    private func take(_ part: HTTPRequestPart) {
        switch part {
        case .head(let head): arriving = (head, ByteBuffer())
        case .body(var bytes):
            if let body {
                if body.yield(bytes) != .produceMore { isBodyFull = true }
            } else {
                arriving?.body.writeBuffer(&bytes)
            }
        case .end:
            if let body {
                body.finish()
                self.body = nil
                // An ended stream asks for no more input.
                wantBody()
            } else if let (head, bytes) = arriving {
                arriving = nil
                let request = Request(head: head, body: RequestBody(buffer: bytes))
                if !sendReady(request) { start(request) }
            }
        }
    }

    /// Starts a request that has only partly arrived.
    private func startWithStream() {
        guard let (head, bytes) = arriving, let context else { return }
        arriving = nil
        let stream = BodyStream.makeSequence(
            backPressureStrategy: .init(lowWatermark: 2, highWatermark: 10), finishOnDeinit: false,
            delegate: BodyDemand(handler: NIOLoopBound(self, eventLoop: context.eventLoop)))
        body = stream.source
        if bytes.readableBytes > 0 { _ = stream.source.yield(bytes) }
        let expects = head.headerFields[.expect] != nil
        let sequence = BodySequence(stream: stream.sequence, wanting: expects ? context.channel : nil)
        start(Request(head: head, body: RequestBody(asyncSequence: sequence)))
    }

    /// Answers a request whose response is ready, unless the client must first take what was written before.
    ///
    /// - Returns: Whether it is answered.
    private func sendReady(_ request: Request) -> Bool {
        guard let context, context.channel.isWritable, let answer = ready(request, context.channel) else {
            return false
        }
        hadItsTurn = true
        context.writeAndFlush(wrapOutboundOut(.ready(answer)), promise: nil)
        return true
    }

    private func start(_ request: Request) {
        guard let context else { return }
        (isAnswering, hadItsTurn) = (true, true)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let (responder, channel) = (responder, context.channel)
        let task = executor.runHere {
            Task(executorPreference: executor) {
                do {
                    let response = try await responder(request, channel)
                    try await handler.value.begin(response.head)
                    try await response.body.write(AnswerWriter(handler: handler))
                    handler.value.answered()
                } catch {
                    handler.value.answered(isCutOff: true)
                }
            }
        }
        // The task may have finished already.
        guard isAnswering else { return }
        self.task = task
        if isStopping { endEventStream() }
    }

    /// Ends a body that can't be completed, of the request being answered or the one arriving.
    private func breakOff() {
        arriving = nil
        body?.finish(BodyCutOff())
        body = nil
    }

    fileprivate func wantBody() {
        isBodyFull = false
        goOnReading()
    }

    private func goOnReading() {
        guard isReadHeld, let context else { return }
        read(context: context)
    }
}

// MARK: - Answers

extension RequestHandler {
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { resumeWriter() }
        context.fireChannelWritabilityChanged()
    }

    private func resumeWriter() {
        writer?.resume()
        writer = nil
    }

    private func begin(_ head: HTTPResponse) async throws {
        isEventStream = head.headerFields[.contentType] == "text/event-stream"
        try await send(.head(head))
    }

    /// Cancels the writer, because nobody reads on.
    private func endEventStream() {
        if isEventStream { task?.cancel() }
    }

    /// Writes a part of the response; waits while the client takes data more slowly.
    fileprivate func send(_ part: HTTPResponsePart) async throws {
        guard let context else { throw ChannelError.ioOnClosedChannel }
        context.write(wrapOutboundOut(.part(part)), promise: nil)
        if isEventStream { context.flush() }
        guard !context.channel.isWritable else { return }
        context.flush()
        if context.channel.isActive, !context.channel.isWritable {
            await withCheckedContinuation { writer = $0 }
        }
        guard self.context?.channel.isActive == true else { throw ChannelError.ioOnClosedChannel }
    }

    fileprivate func finish() {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(.part(.end(nil))), promise: nil)
    }

    /// The application has finished the request.
    private func answered(isCutOff: Bool = false) {
        (isAnswering, isBodyFull, isEventStream, task) = (false, false, false, nil)
        guard let context else { return ended.succeed() }
        if isCutOff {
            // Later requests couldn't be answered.
            waiting.removeAll()
            context.close(promise: nil)
        }
        // The caller that passed the request on continues itself: `channelReadComplete`, or `takeTurn`.
        guard !executor.isRunningHere else { return }
        goOn()
    }

    /// Continues with the input that has arrived meanwhile.
    private func goOn() {
        if !waiting.isEmpty, !isInLine, let context {
            isInLine = true
            turns.wait(self, on: context.eventLoop)
        }
        goOnReading()
        closeIfDone()
    }

    /// Passes on the next waiting request.
    func takeTurn() {
        (isInLine, hadItsTurn) = (false, false)
        while !isAnswering, !hadItsTurn, let part = waiting.popFirst() { take(part) }
        startWithStream()
        hadItsTurn = false
        if !isAnswering { goOn() }
    }

    /// Closes our side when the client has closed its own and has all its responses.
    private func closeIfDone() {
        guard isInputClosed, !isAnswering, waiting.isEmpty, arriving == nil else { return }
        context?.close(mode: .output, promise: nil)
    }
}

/// Writes the body of a response.
private struct AnswerWriter: ResponseBodyWriter {
    let handler: NIOLoopBound<RequestHandler>

    @concurrent func write(_ buffer: ByteBuffer) async throws { try await handler.value.send(.body(buffer)) }

    @concurrent consuming func finish(_: HTTPFields?) async throws { handler.value.finish() }
}

// MARK: - Bodies

/// The body of a request that didn't arrive in one piece.
private typealias BodyStream = NIOThrowingAsyncSequenceProducer<
    ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, BodyDemand
>

/// Reads more when the application has taken some of the body. Input it doesn't want is left until the response.
private struct BodyDemand: NIOAsyncSequenceProducerDelegate {
    let handler: NIOLoopBound<RequestHandler>

    func produceMore() {
        handler.eventLoop.execute { handler.value.wantBody() }
    }

    func didTerminate() {}
}

/// The stream of a body. If the client waits for 100 Continue, the connection is told when the body is first read, so
/// that the client doesn't send a body that a refusal never looks at.
private struct BodySequence: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    let stream: BodyStream
    let wanting: (any Channel)?

    struct AsyncIterator: AsyncIteratorProtocol {
        let body: BodyStream.AsyncIterator
        var wanting: (any Channel)?

        @concurrent mutating func next() async throws -> ByteBuffer? {
            wanting?.triggerUserOutboundEvent(BodyWanted(), promise: nil)
            wanting = nil
            return try await body.next()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: stream.makeAsyncIterator(), wanting: wanting) }
}
