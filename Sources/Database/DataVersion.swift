import Synchronization

/// Counts what was written that pages show, by this program or, as far as it knows, by another to the same database of
/// a server.
///
/// The count is this program's own: the server's number goes back when a standby takes over that lacks the last
/// commits.
final class DataVersion: Sendable {
    private let value = Atomic<Int>(0)
    private let turn = Mutex<Int64?>(nil)

    var count: Int { value.load(ordering: .acquiring) }

    /// The server's number of the last commit that was counted.
    var lastTurn: Int64? { turn.withLock(\.self) }

    /// Notes a commit of this program. Those of others before it count with it.
    func rise(to turn: Int64?) {
        self.turn.withLock { last in
            last = turn ?? last
            value.add(1, ordering: .releasing)
        }
    }

    /// Notes that something may have been written.
    func rise() { rise(to: nil) }

    /// Notes what the server was found to say, unless this program wrote since it was asked: then the next look will
    /// tell.
    ///
    /// - Parameter known: The last number when it was asked.
    func rise(to turn: Int64, from known: Int64?) {
        self.turn.withLock { last in
            guard last == known, turn != known else { return }
            last = turn
            value.add(1, ordering: .releasing)
        }
    }
}
