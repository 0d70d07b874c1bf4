import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Thrown to the application while it reads a body that breaks off: the client closed the connection, the body is
/// malformed, or it comes too slowly. Wire has already responded if possible; nothing written from now on reaches the
/// client.
///
/// Without this error a truncated body would look complete.
public struct BodyCutOff: Error {}

/// Fired outbound when the application first asks for a body whose client waits for 100 Continue.
struct BodyWanted: Sendable {}

/// The requests and responses of one connection. It parses each head strictly, passes requests on, frames responses,
/// refuses requests with a page, and decides which response is the last.
///
/// Responses leave in the order of their requests. A refusal waits for the responses before it, and after a refusal
/// nothing the application writes is sent: a request never gets two responses.
final class Exchange: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = Outgoing
    typealias OutboundOut = IOData

    /// The state of reading: what the next part belongs to.
    private enum Reading { case head, body, nothing }

    /// What is needed of a request in order to frame its response.
    private struct Due {
        let isHead: Bool
        let isOld: Bool
    }

    /// The response being written.
    private struct Answer {
        let isChunked: Bool
        let hasBody: Bool
        let isLast: Bool
    }

    private let pace: Pace
    private let page: @Sendable (HTTPResponse.Status) -> WireConfiguration.Page

    private var reading = Reading.head
    /// Whether the request read last is the connection's last.
    private var isLast = false
    private var isStopping = false
    private var owesContinue = false
    /// The requests whose responses aren't complete, oldest first.
    private var due = CircularBuffer<Due>(initialCapacity: 2)
    private var answer: Answer?
    /// A refusal to send, and the number of responses before it.
    private var refusal: (status: HTTPResponse.Status, after: Int)?
    /// Whether the last response has been written.
    private var isDone = false

    init(pace: Pace, page: @escaping @Sendable (HTTPResponse.Status) -> WireConfiguration.Page) {
        self.pace = pace
        self.page = page
    }
}

// MARK: - Requests

extension Exchange {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), reading) {
        case (.head(let head), .head) where !isLast: read(head, context)
        case (.body(let bytes), .body):
            owe(false)
            pace.received(bytes.readableBytes)
            context.fireChannelRead(wrapInboundOut(.body(bytes)))
        case (.end, .body):
            reading = .head
            owesContinue = false
            pace.enter(.answer)
            // Trailers are dropped: nothing here uses them, and no limit has checked them.
            context.fireChannelRead(wrapInboundOut(.end(nil)))
        default: break
        }
    }

    private func read(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        do throws(Refusal) {
            let incoming = try Incoming(head)
            due.append(Due(isHead: head.method == .HEAD, isOld: head.version.minor == 0))
            isLast = incoming.isLast || isStopping
            reading = .body
            pace.enter(.body)
            owe(incoming.expectsContinue)
            context.fireChannelRead(wrapInboundOut(.head(incoming.request)))
        } catch {
            refuse(error.status, context)
        }
    }

    /// While 100 Continue is owed, the client needn't send anything, so its clock is paused.
    private func owe(_ isOwed: Bool) {
        guard owesContinue != isOwed else { return }
        owesContinue = isOwed
        pace.enter(isOwed ? .answer : .body)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyWanted else { return context.triggerUserOutboundEvent(event, promise: promise) }
        if owesContinue, answer == nil, !isDone {
            owe(false)
            context.writeAndFlush(bytes("HTTP/1.1 100 Continue\r\n\r\n"), promise: nil)
        }
        promise?.succeed()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let refusal as Refusal: refuse(refusal.status, context)
        case is ChannelShouldQuiesceEvent:
            stop(context)
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.headerOverflow: refuse(.requestHeaderFieldsTooLarge, context)
        case is HTTPParserError: refuse(.badRequest, context)
        case is ByteToMessageDecoderError: break
        default:
            cutOff(context)
            context.fireErrorCaught(error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        cutOff(context)
        context.fireChannelInactive()
    }

    /// Stops reading when the server stops; requests that were read are still answered.
    private func stop(_ context: ChannelHandlerContext) {
        isStopping = true
        if !due.isEmpty {
            isLast = true
        } else if pace.phase == .idle {
            if pace.hasAllTaken(context) { context.close(promise: nil) } else { finish(context) }
        }
    }

    private func cutOff(_ context: ChannelHandlerContext) {
        guard reading == .body else { return }
        context.fireErrorCaught(BodyCutOff())
    }
}

// MARK: - Answers

extension Exchange {
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isDone else { return drop(promise) }
        switch unwrapOutboundIn(data) {
        case .ready(let ready): send(ready, context, promise)
        case .part(.head(let head)):
            context.write(wrapOutboundOut(.byteBuffer(begin(head, context))), promise: promise)
        case .part(.body(let body)):
            guard let answer, answer.hasBody, body.readableBytes > 0 else { return drop(promise) }
            guard answer.isChunked else { return context.write(wrapOutboundOut(.byteBuffer(body)), promise: promise) }
            context.write(bytes(String(body.readableBytes, radix: 16) + "\r\n"), promise: nil)
            context.write(wrapOutboundOut(.byteBuffer(body)), promise: nil)
            context.write(bytes("\r\n"), promise: promise)
        case .part(.end):
            guard let answer else { return drop(promise) }
            if answer.isChunked { context.write(bytes("0\r\n\r\n"), promise: promise) } else { drop(promise) }
            end(answer, context)
        }
    }

    /// `RequestHandler` closes our side when everything is answered, and the connection when the application fails.
    /// Neither may cut off a response that is being sent.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch mode {
        case .output:
            finish(context)
            promise?.succeed()
        case .all where answer == nil || isDone:
            finish(context)
            context.channel.closeFuture.cascade(to: promise)
        case .all, .input:
            context.close(mode: mode, promise: promise)
        }
    }

    private func begin(_ head: HTTPResponse, _ context: ChannelHandlerContext) -> ByteBuffer {
        var buffer = context.channel.allocator.buffer(capacity: 512)
        let (isSized, closes) = buffer.write(head, keepsLength: head.status.mayHaveBody)
        if head.headerFields[.date] == nil { buffer.writeString(DateLine.now) }
        guard head.status.kind != .informational, let request = due.first else {
            buffer.writeStaticString("\r\n")
            return buffer
        }
        answer = frame(
            request, mayHaveBody: head.status.mayHaveBody, isSized: isSized, closes: closes, at: &buffer)
        return buffer
    }

    /// Ends a response's head with the fields that frame it.
    private func frame(
        _ request: Due, mayHaveBody: Bool, isSized: Bool, closes: Bool, at buffer: inout ByteBuffer
    ) -> Answer {
        let hasBody = mayHaveBody && !request.isHead
        let isChunked = hasBody && !isSized && !request.isOld
        // A response before the end of the request's body is the last: the rest of the body is drained, then we close.
        let isLast = closes || due.count == 1 && (self.isLast || reading == .body)
        if isChunked { buffer.writeStaticString("Transfer-Encoding: chunked\r\n") }
        buffer.writeStaticString(isLast ? "Connection: close\r\n\r\n" : "\r\n")
        return Answer(isChunked: isChunked, hasBody: hasBody, isLast: isLast)
    }

    /// Writes a whole response that was made before.
    private func send(_ ready: ReadyAnswer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        guard let request = due.first else { return drop(promise) }
        var head = context.channel.allocator.buffer(capacity: ready.head.readableBytes + 96)
        head.writeImmutableBuffer(ready.head)
        head.writeString(DateLine.now)
        let answer = frame(
            request, mayHaveBody: ready.mayHaveBody, isSized: true, closes: false, at: &head)
        if answer.hasBody, ready.body.readableBytes > 0 {
            context.write(wrapOutboundOut(.byteBuffer(head)), promise: nil)
            context.write(wrapOutboundOut(.byteBuffer(ready.body)), promise: promise)
        } else {
            context.write(wrapOutboundOut(.byteBuffer(head)), promise: promise)
        }
        end(answer, context)
    }

    private func end(_ answer: Answer, _ context: ChannelHandlerContext) {
        self.answer = nil
        due.removeFirst()
        refusal?.after -= 1
        if answer.isLast || due.isEmpty && isLast {
            finish(context)
        } else if refusal != nil {
            sendRefusal(context)
        } else if due.isEmpty {
            pace.answered()
        }
    }

    private func drop(_ promise: EventLoopPromise<Void>?) { promise?.succeed() }

    private func finish(_ context: ChannelHandlerContext) {
        isDone = true
        pace.finish(context)
    }

    private func bytes(_ text: String) -> NIOAny { wrapOutboundOut(.byteBuffer(ByteBuffer(string: text))) }
}

// MARK: - Refusals

extension Exchange {
    /// Refuses the request being read. If its head was already passed on, the page replaces the application's response;
    /// if that response has begun, it is completed and is the last.
    private func refuse(_ status: HTTPResponse.Status, _ context: ChannelHandlerContext) {
        guard refusal == nil, !isDone, reading == .body || reading == .head && !isLast else { return }
        pace.deafen(context)
        refusal = (status, after: reading == .body ? due.count - 1 : due.count)
        sendRefusal(context)
        cutOff(context)
        reading = .nothing
    }

    private func sendRefusal(_ context: ChannelHandlerContext) {
        guard let refusal, refusal.after == 0, answer == nil, !isDone else { return }
        let page = page(refusal.status)
        var head = HTTPResponse(status: refusal.status, headerFields: page.headers)
        head.headerFields[.contentLength] = String(page.bytes.count)
        var buffer = context.channel.allocator.buffer(capacity: 512 + page.bytes.count)
        _ = buffer.write(head, keepsLength: true)
        buffer.writeString(DateLine.now)
        buffer.writeStaticString("Connection: close\r\n\r\n")
        if due.first?.isHead != true { buffer.writeBytes(page.bytes) }
        context.write(wrapOutboundOut(.byteBuffer(buffer)), promise: nil)
        finish(context)
    }
}

extension HTTPResponse.Status {
    /// Whether a response with this status has a body, unless the request was HEAD.
    var mayHaveBody: Bool { kind != .informational && self != .noContent && self != .notModified }
}

extension ByteBuffer {
    /// Writes a response's status line and fields, except those that frame the message, which Wire writes itself.
    /// - Returns: Whether the fields include the length, and whether the application asks to close.
    mutating func write(_ head: HTTPResponse, keepsLength: Bool) -> (isSized: Bool, closes: Bool) {
        var (isSized, closes) = (false, false)
        writeStaticString("HTTP/1.1 ")
        writeString(String(head.status.code))
        writeStaticString(" ")
        writeString(head.status.reasonPhrase)
        writeStaticString("\r\n")
        for field in head.headerFields {
            switch field.name {
            case .contentLength:
                guard keepsLength else { continue }
                isSized = true
            case .connection:
                if field.value.lowercased() == "close" { closes = true }
                continue
            case .transferEncoding: continue
            default: break
            }
            writeString(field.name.rawName)
            writeStaticString(": ")
            writeString(field.value)
            writeStaticString("\r\n")
        }
        return (isSized, closes)
    }
}
