import Synchronization

/// The browsers with a stream of events open, each to be woken when there is something new for its member.
///
/// The database has the news, and only the newest of each: a stream that was woken too often, too late or not at all
/// loses nothing and tells nothing twice.
final class Listeners: Sendable {
    /// What a stream is woken for.
    enum Call: Sendable {
        case news
        /// Long enough nothing was sent: is anybody there still, and may they still read?
        case silence
    }

    /// Streams of one account, which has a few devices: browsers share one among their pages.
    static let mostOfOne = 6
    /// How long a stream may be silent: shorter than proxies' patience, which ends at 30 to 60 seconds.
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

    /// Leaves connections for pages: streams take three quarters of them, all together.
    func limit(toMost connections: Int) { state.withLock { $0.most = connections * 3 / 4 } }

    var isEmpty: Bool { state.withLock { $0.count == 0 } }

    func hasRoom(for account: ID<Account>) -> Bool {
        state.withLock { $0.hasRoom(for: account) }
    }

    /// The calls for one more stream, until it isn't read anymore; nil where there is no room.
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

    /// Wakes the streams of these accounts, or all.
    func call(_ accounts: Set<ID<Account>>? = nil, for call: Call = .news) {
        let calls = state.withLock { state in
            guard let accounts else { return state.calls.values.flatMap { Array($0.values) } }
            return accounts.flatMap { account in state.calls[account].map { Array($0.values) } ?? [] }
        }
        // Outside the lock: what ends a stream comes back to `leave`.
        for one in calls { one.yield(call) }
    }
}
