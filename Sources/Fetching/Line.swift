import Dispatch
import Synchronization

/// A queue of fetches, worked off in order by a limited number of threads that may block.
final class Line: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var busy = 0
    }

    /// The queue of this process: the limit applies to the machine, not to one caller.
    static let shared = Line(4)
    /// That of hosts which an operator named: nobody who logs in at one waits for strangers' slow hosts.
    static let named = Line(4)

    private let width: Int
    private let queue = DispatchQueue(label: "fetch", qos: .utility, attributes: .concurrent)
    private let state = Mutex(State())

    init(_ width: Int) { self.width = width }

    /// Runs `work` on a thread as soon as one is free.
    func run(_ work: @escaping @Sendable () -> Void) {
        let begins = state.withLock { state in
            state.waiting.append(work)
            guard state.busy < width else { return false }
            state.busy += 1
            return true
        }
        if begins { queue.async { while let next = self.next() { next() } } }
    }

    /// How many fetches wait for a thread.
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
