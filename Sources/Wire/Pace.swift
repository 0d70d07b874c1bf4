import HTTPTypes
import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The clocks of one connection. It sits next to the socket, sees the raw bytes in and out, and ends slow connections.
///
/// ``Exchange`` tells it the connection's phase, and learns of a ``Refusal`` that is fired inbound. Each connection has
/// one timer, which is never moved: it checks the clocks at least every half of the shortest time limit, so that no
/// deadline between two checks is missed, and reading and writing cost only an addition.
final class Pace: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The configuration's limits in NIO's units.
    struct Limits: Sendable {
        let firstByte, idle, head, window, drain, stop, look: TimeAmount
        let bodyRate, answerRate, drainBytes: Int

        init(_ configuration: WireConfiguration) {
            firstByte = TimeAmount(configuration.firstByteTime)
            idle = TimeAmount(configuration.idleTime)
            head = TimeAmount(configuration.headTime)
            window = TimeAmount(configuration.rateWindow)
            drain = TimeAmount(configuration.drainTime)
            stop = TimeAmount(configuration.stopTime)
            look = .nanoseconds([firstByte, idle, head, window, drain, stop].map(\.nanoseconds).min()! / 2)
            bodyRate = configuration.bodyRate
            answerRate = configuration.answerRate
            drainBytes = configuration.drainBytes
        }
    }

    /// What the connection waits for.
    enum Phase {
        /// The first byte of a request.
        case idle
        /// The rest of a head.
        case head
        /// The rest of a body.
        case body
        /// The application's response.
        case answer
        /// The client's end: the last response is being sent, and further input is dropped.
        case end
    }

    private let limits: Limits
    private(set) var phase = Phase.idle
    private var phaseSince = NIODeadline.now()
    private var isFirstRequest = true
    /// Whether bytes came in after the request being answered: the next head has begun.
    private var isAhead = false

    /// The body's clock runs only while a read is pending: a slow application isn't the client's fault.
    private var readSince: NIODeadline?
    private var isReading = false
    private var readTime = TimeAmount.zero
    private var readBytes = 0
    /// How many bytes of the body so far aren't content: chunk sizes and extensions, to which no limit of the
    /// application applies. One MiB is enough for 10 MiB in chunks of 80 bytes.
    private var framingBytes = 0
    private static let framingLimit = 1 << 20

    private var bytesWritten = 0
    /// The number of bytes the client had taken at the last check, and its time; nil if nothing was left to take.
    private var taken: (bytes: Int, at: NIODeadline)?

    private var drainedBytes = 0
    private var drainSince: NIODeadline?
    private var stopBy: NIODeadline?
    /// How often a connection is checked while the site stops.
    private static let stopLook = TimeAmount.milliseconds(50)
    private var timer: Scheduled<Void>?

    init(_ limits: Limits) { self.limits = limits }

    // MARK: The interface to the exchange

    /// A head was read, and a body follows (`.body`), or nothing more is expected for now (`.answer`).
    func enter(_ phase: Phase) {
        (self.phase, isAhead, isFirstRequest, framingBytes) = (phase, false, false, 0)
        (readTime, readBytes, readSince) = (.zero, 0, phase == .body && isReading ? .now() : nil)
    }

    /// Counts content of a body.
    func received(_ bytes: Int) {
        readBytes += bytes
        framingBytes -= bytes
    }

    /// The last pending response has been written: the next request may begin, or has begun.
    func answered() {
        (phase, phaseSince, isAhead) = (isAhead ? .head : .idle, .now(), false)
    }

    /// Stops listening: further input is counted and dropped. It is still read, because a client that keeps sending
    /// would never look at the refusal otherwise.
    func deafen(_ context: ChannelHandlerContext) {
        phase = .end
        context.read()
    }

    /// Whether the client has received everything that was written.
    func hasAllTaken(_ context: ChannelHandlerContext) -> Bool { untaken(context) == 0 }

    /// Sends what was written, then the end of the stream, and closes when the client has closed too or its drain time
    /// is over. Closing immediately would discard what the client hasn't read yet.
    func finish(_ context: ChannelHandlerContext) {
        guard drainSince == nil else { return }
        deafen(context)
        let flushed = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        flushed.futureResult.whenComplete { _ in
            let (pace, context) = bound.value
            guard pace.drainSince == nil else { return }
            pace.drainSince = .now()
            context.close(mode: .output, promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: flushed)
    }
}

// MARK: - Handler

extension Pace {
    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = false
        switch phase {
        case .idle:
            (phase, phaseSince) = (.head, .now())
        case .answer:
            isAhead = true
        case .body:
            framingBytes += unwrapInboundIn(data).readableBytes
            if let since = readSince { readTime = readTime + (.now() - since) }
            readSince = nil
        case .head: break
        case .end:
            drainedBytes += unwrapInboundIn(data).readableBytes
            if drainedBytes > limits.drainBytes { context.close(promise: nil) }
            return
        }
        context.fireChannelRead(data)
        if framingBytes > Self.framingLimit, phase == .body {
            context.fireUserInboundEventTriggered(Refusal(status: .badRequest))
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if phase == .end { context.read() }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        isReading = true
        if phase == .body, readSince == nil { readSince = .now() }
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        bytesWritten += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            stopBy = .now() + limits.stop
            timer?.cancel()
            schedule(context, at: .now() + Self.stopLook)
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func start(_ context: ChannelHandlerContext) {
        phaseSince = .now()
        schedule(context, at: phaseSince + limits.look)
    }

    private func schedule(_ context: ChannelHandlerContext, at deadline: NIODeadline) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in look(context) }
    }

    /// Checks every clock, and schedules the next check by the nearest deadline.
    private func look(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        var next = now + limits.look
        let untaken = untaken(context)
        guard keepsTaking(untaken, now, &next), keepsSending(context, isIdle: untaken == 0, now, &next) else {
            context.close(promise: nil)
            return
        }
        schedule(context, at: next)
    }

    /// Whether the client takes its response fast enough, or has none to take.
    private func keepsTaking(_ untaken: Int, _ now: NIODeadline, _ next: inout NIODeadline) -> Bool {
        guard untaken > 0 else {
            taken = nil
            return true
        }
        let bytes = bytesWritten - untaken
        guard let last = taken else {
            taken = (bytes, now)
            return true
        }
        guard now - last.at >= limits.window else {
            next = min(next, last.at + limits.window)
            return true
        }
        guard bytes - last.bytes >= Self.bytes(at: limits.answerRate, for: now - last.at) else { return false }
        taken = (bytes, now)
        return true
    }

    /// Whether the client sends what the phase expects; if not, it has been refused as too slow.
    private func keepsSending(
        _ context: ChannelHandlerContext, isIdle: Bool, _ now: NIODeadline, _ next: inout NIODeadline
    ) -> Bool {
        if let stopBy {
            guard now < stopBy else { return false }
            next = min(next, stopBy, now + Self.stopLook)
        }
        switch phase {
        case .idle:
            // A client that is still reading its last response isn't idle.
            if !isIdle { phaseSince = now }
            let deadline = phaseSince + (isFirstRequest ? limits.firstByte : limits.idle)
            next = min(next, deadline)
            return now < deadline
        case .head:
            let deadline = phaseSince + limits.head
            if now >= deadline { context.fireUserInboundEventTriggered(Refusal(status: .requestTimeout)) }
            next = min(next, now < deadline ? deadline : now + limits.look)
        case .body:
            let time = readTime + (readSince.map { now - $0 } ?? .zero)
            guard time >= limits.window else {
                next = min(next, now + (limits.window - time))
                break
            }
            if readBytes < Self.bytes(at: limits.bodyRate, for: time) {
                context.fireUserInboundEventTriggered(Refusal(status: .requestTimeout))
            }
            (readTime, readBytes, readSince) = (.zero, 0, readSince.map { _ in now })
        case .answer: break
        case .end:
            guard let drainSince else { break }
            // While the site stops, it doesn't wait for a client that has everything and sends nothing.
            if stopBy != nil, isIdle, drainedBytes == 0 { return false }
            next = min(next, drainSince + limits.drain)
            return now < drainSince + limits.drain
        }
        return true
    }

    private static func bytes(at rate: Int, for time: TimeAmount) -> Int {
        Int(Double(rate) * Double(time.nanoseconds) / 1e9)
    }

    /// The written bytes that the client hasn't taken: those in NIO's buffers, and those in the kernel's that the
    /// client hasn't acknowledged. Without the latter, a slow reader of a large response would seem to stall while the
    /// kernel empties megabytes.
    private func untaken(_ context: ChannelHandlerContext) -> Int {
        let buffered = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
        var queued: CInt = 0
        #if canImport(Glibc)
            try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
                if ioctl($0, UInt(TIOCOUTQ), &queued) != 0 { queued = 0 }
            }
        #endif
        return Int(buffered ?? 0) + Int(queued)
    }
}
