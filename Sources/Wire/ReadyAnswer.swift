import HTTPTypes
public import HummingbirdCore
public import NIOCore
import NIOHTTPTypes

/// A whole response, made once and sent to many: its status line and fields are bytes already.
///
/// Only `Date` and what frames the message are added when it is sent.
public struct ReadyAnswer: Sendable {
    /// The status line and the fields, each with its line end.
    let head: ByteBuffer
    let body: ByteBuffer
    let mayHaveBody: Bool
    /// The number of bytes that it has in memory.
    public var bytes: Int { head.readableBytes + body.readableBytes }

    /// - Parameter body: The whole body of `response`, whose fields say how long it is.
    /// - Precondition: The response asks neither to close the connection nor names a date.
    public init(_ response: Response, body: ByteBuffer) {
        precondition(response.headers[.connection] == nil && response.headers[.date] == nil)
        mayHaveBody = response.status.mayHaveBody
        var head = ByteBufferAllocator().buffer(capacity: 1_024)
        let (isSized, _) = head.write(response.head, keepsLength: mayHaveBody)
        precondition(!mayHaveBody || isSized && response.body.contentLength == body.readableBytes)
        self.head = head
        self.body = body
    }
}

/// Looks whether the response to a request is ready, before anything else is done for the request.
///
/// It runs within the read that brought the request, so it must not wait for anything. It is asked only for requests
/// that came in whole.
///
/// - Returns: Nil to have the `Responder` make the response.
public typealias ReadyResponder = @Sendable (_ request: Request, _ channel: any Channel) -> ReadyAnswer?

/// What `RequestHandler` writes.
enum Outgoing: Sendable {
    /// A whole response.
    case ready(ReadyAnswer)
    /// A part of a response.
    case part(HTTPResponsePart)
}
