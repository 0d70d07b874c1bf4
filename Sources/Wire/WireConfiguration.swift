public import HTTPTypes

/// How the site's server treats a connection: how long it waits, how much it takes, and what its own answers look like.
///
/// The defaults are the site's limits; tests inject small ones.
public struct WireConfiguration: Sendable {
    /// An answer that Wire gives without asking the application: its header fields (without `Connection` and
    /// `Content-Length`, which Wire writes) and its body.
    public typealias Page = (headers: HTTPFields, bytes: [UInt8])

    /// Draws the page for a refusal: 400 (malformed), 408 (too slow), 417 (unknown expectation), 431 (head far over
    /// the limits), 501 (CONNECT, or a transfer coding other than chunked) or 505 (not HTTP/1).
    ///
    /// Called on an event loop, so it must not wait for anything.
    public var page: @Sendable (_ status: HTTPResponse.Status) -> Page

    /// How long a new connection may stay silent before it's closed.
    public var firstByteTime: Duration = .seconds(10)
    /// How long a connection may rest between two requests before it's closed.
    public var idleTime: Duration = .seconds(75)
    /// How long a request's head may take from its first byte to its last; then the answer is 408.
    public var headTime: Duration = .seconds(10)

    /// The window that rates are judged over. It is the grace at the start, and the longest a client may stall.
    public var rateWindow: Duration = .seconds(10)
    /// The least rate, in bytes per second, at which a body must arrive while the server waits for it; below, 408.
    public var bodyRate = 1024
    /// The least rate, in bytes per second, at which a client must take an answer; below, the connection is cut.
    public var answerRate = 1024

    /// How long the server goes on reading, and dropping, what a client sends after the last answer.
    public var drainTime: Duration = .seconds(10)
    /// How many bytes it drops in that time before it closes.
    public var drainBytes = 16 << 20

    /// How long requests may still take after the server was told to stop; then their connections are cut.
    public var stopTime: Duration = .seconds(20)

    /// The site's limits for a head. The decoder lets twice as much through, so that the application judges the parsed
    /// head with ``HeadLimits/check(_:)`` and answers with a page of its own.
    public var limits = HeadLimits()

    /// The open connections, and how many there may be.
    public let connections: Connections

    /// A configuration with the site's limits.
    /// - Parameters:
    ///   - connections: The register of open connections; keep it to ask for their number.
    ///   - page: Draws the page for a refusal.
    public init(
        connections: Connections = Connections(), page: @escaping @Sendable (_ status: HTTPResponse.Status) -> Page
    ) {
        self.connections = connections
        self.page = page
    }
}
