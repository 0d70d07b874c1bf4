import Synchronization

/// The open event streams of browsers, to be woken when there is something new for their member.
///
/// The news is in the database, and only the newest of each kind: a stream that is woken too often, too late or not at
/// all loses nothing and repeats nothing.
final class Listeners: Sendable {
    /// The reason to wake a stream.
    enum Call: Sendable {
        case news
        /// Nothing was sent for a while: check that the reader is still there and may still read.
        case silence
    }

    /// The most streams of an account, which has few devices: a browser's pages share one.
    static let mostOfOne = 6
    /// How long a stream may be silent: less than proxies' time limits of 30 to 60 seconds.
    static let silence = Duration.seconds(25)

    private let state = Mutex(State())

    private struct State {
        var next = 0
        var calls: [ID<Account>: [Int: AsyncStream<Call>.Continuation]] = [:]
        var count = 0
        var most = Int.max

        func hasRoom(for account: ID<Account>) -> Bool {
            count < most && (calls[account]?.count ?? 0) < Listeners.mostOfOne
        }
    }

    /// Limits all streams together to three quarters of the connections, to leave some for pages.
    func limit(toMost connections: Int) { state.withLock { $0.most = connections * 3 / 4 } }

    var isEmpty: Bool { state.withLock { $0.count == 0 } }

    func hasRoom(for account: ID<Account>) -> Bool {
        state.withLock { $0.hasRoom(for: account) }
    }

    /// The calls for a new stream, until it is no longer read; nil if there is no room.
    func join(_ account: ID<Account>) -> AsyncStream<Call>? {
        let (stream, calls) = AsyncStream.makeStream(of: Call.self, bufferingPolicy: .bufferingNewest(1))
        let number: Int? = state.withLock { state in
            guard state.hasRoom(for: account) else { return nil }
            state.next += 1
            state.count += 1
            state.calls[account, default: [:]][state.next] = calls
            return state.next
        }
        guard let number else { return nil }
        calls.onTermination = { [weak self] _ in self?.leave(account, number) }
        return stream
    }

    private func leave(_ account: ID<Account>, _ number: Int) {
        state.withLock { state in
            guard state.calls[account]?.removeValue(forKey: number) != nil else { return }
            state.count -= 1
            if state.calls[account]?.isEmpty == true { state.calls[account] = nil }
        }
    }

    /// Wakes the streams of these accounts, or all streams.
    func call(_ accounts: Set<ID<Account>>? = nil, for call: Call = .news) {
        let calls = state.withLock { state in
            guard let accounts else { return state.calls.values.flatMap { Array($0.values) } }
            return accounts.flatMap { account in state.calls[account].map { Array($0.values) } ?? [] }
        }
        // Outside the lock, because ending a stream calls `leave`.
        for one in calls { one.yield(call) }
    }
}
