public import HTTPTypes

/// The settings of the site's server: time limits, size limits, and the pages of its own responses.
///
/// The defaults are the site's limits; tests inject small ones.
public struct WireConfiguration: Sendable {
    /// A response that Wire gives without the application: header fields (without `Connection` and `Content-Length`,
    /// which Wire adds) and a body.
    public typealias Page = (headers: HTTPFields, bytes: [UInt8])

    /// Draws the page for a refusal: 400 (malformed), 408 (too slow), 417 (unknown expectation), 431 (head far over
    /// the limits), 501 (CONNECT, or a transfer coding other than chunked) or 505 (not HTTP/1).
    ///
    /// Called on an event loop, so it must not block.
    public var page: @Sendable (_ status: HTTPResponse.Status) -> Page

    /// How long a new connection may stay silent before it's closed.
    public var firstByteTime: Duration = .seconds(10)
    /// How long a connection may be idle between two requests before it's closed.
    public var idleTime: Duration = .seconds(75)
    /// How long a request's head may take from its first byte to its last; longer is 408.
    public var headTime: Duration = .seconds(10)

    /// The period over which rates are measured. It is also the grace period at the start, and the longest stall.
    public var rateWindow: Duration = .seconds(10)
    /// The minimum rate, in bytes per second, at which a body must arrive while the server waits for it; below, 408.
    public var bodyRate = 1024
    /// The minimum rate, in bytes per second, at which a client must take a response; below, the connection is cut.
    public var answerRate = 1024

    /// How long the server keeps reading and dropping input after the last response.
    public var drainTime: Duration = .seconds(10)
    /// How many bytes it drops before it closes.
    public var drainBytes = 16 << 20

    /// How long requests may take after the server was told to stop; then their connections are cut.
    public var stopTime: Duration = .seconds(20)

    /// The limits for a head. The decoder allows twice as much, so that the application can check the parsed head with
    /// ``HeadLimits/check(_:)`` and respond with a page of its own.
    public var limits = HeadLimits()

    /// The counter of open connections, with their limits.
    public let connections: Connections

    /// A configuration with the site's limits.
    /// - Parameters:
    ///   - connections: The counter of open connections; keep it to read their number.
    ///     - page: Draws the page for a refusal.
    public init(
        connections: Connections = Connections(), page: @escaping @Sendable (_ status: HTTPResponse.Status) -> Page
    ) {
        self.connections = connections
        self.page = page
    }
}
