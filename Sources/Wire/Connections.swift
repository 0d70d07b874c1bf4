import NIOCore
import Synchronization

/// Counts the open connections, in total and per client, and refuses new ones beyond the limits.
public final class Connections: Sendable {
    /// The most connections at a time.
    public let limit: Int
    /// The most connections of one client at a time. An IPv6 client is its /64 network.
    public let limitPerClient: Int
    private let trusted: [AddressRange]
    private let open = Mutex(Open())

    private struct Open {
        var total = 0
        var perClient: [AddressRange: Int] = [:]
    }

    /// An empty register.
    /// - Parameters:
    ///   - limit: The most connections at a time.
    ///   - limitPerClient: The most connections of one client at a time.
    ///   - trusted: Proxies, which carry many clients' connections: only `limit` applies to them.
    public init(limit: Int = 8_192, limitPerClient: Int = 64, trusted: [AddressRange] = []) {
        self.limit = limit
        self.limitPerClient = limitPerClient
        self.trusted = trusted
    }

    /// How many connections are open.
    public var count: Int { open.withLock { $0.total } }

    /// Counts a channel until it closes.
    /// - Returns: False if a limit is reached; then the channel isn't counted.
    func admit(_ channel: any Channel) -> Bool {
        let client = channel.remoteAddress.flatMap { address in
            trusted.contains { $0.contains(address) } ? nil : AddressRange(clientAt: address)
        }
        let isAdmitted = open.withLock { open in
            guard open.total < limit else { return false }
            if let client {
                let count = open.perClient[client, default: 0]
                guard count < limitPerClient else { return false }
                open.perClient[client] = count + 1
            }
            open.total += 1
            return true
        }
        guard isAdmitted else { return false }
        channel.closeFuture.whenComplete { _ in self.release(client) }
        return true
    }

    private func release(_ client: AddressRange?) {
        open.withLock { open in
            open.total -= 1
            guard let client, let count = open.perClient[client] else { return }
            open.perClient[client] = count == 1 ? nil : count - 1
        }
    }
}
