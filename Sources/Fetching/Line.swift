import Dispatch
import Synchronization

/// Those who wait for a document. Each is worked off on a thread that may wait; so many at a time, the others in order.
final class Line: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var busy = 0
    }

    /// The one of this process: how many are asked at once is the machine's, not one caller's.
    static let shared = Line(4)
    /// That of hosts which an operator named: nobody who logs in at one waits for strangers' slow hosts.
    static let named = Line(4)

    private let width: Int
    private let queue = DispatchQueue(label: "fetch", qos: .utility, attributes: .concurrent)
    private let state = Mutex(State())

    init(_ width: Int) { self.width = width }

    /// Has a thread do it as soon as one is free.
    func run(_ work: @escaping @Sendable () -> Void) {
        let begins = state.withLock { state in
            state.waiting.append(work)
            guard state.busy < width else { return false }
            state.busy += 1
            return true
        }
        if begins { queue.async { while let next = self.next() { next() } } }
    }

    /// How many wait for a thread.
    var waiting: Int { state.withLock { $0.waiting.count } }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.busy -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
