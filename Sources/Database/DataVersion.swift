import Synchronization

/// Counts the commits that changed what pages show: those of this program and, as far as it knows, those of other
/// programs on the same server.
///
/// The count is local to this program, because the server's number goes back when a standby takes over that lacks the
/// last commits.
final class DataVersion: Sendable {
    private let value = Atomic<Int>(0)
    private let all = Atomic<Int>(0)
    private let turn = Mutex<Int64?>(nil)

    var count: Int { value.load(ordering: .acquiring) }

    /// The number of this program's commits, including those that changed nothing that pages show.
    var commits: Int { all.load(ordering: .acquiring) }

    /// Records that this program may have committed something.
    func countCommit() { all.add(1, ordering: .releasing) }

    /// The server's number for the last commit that was counted.
    var lastTurn: Int64? { turn.withLock(\.self) }

    /// Records a commit of this program, and with it all earlier ones of other programs.
    func rise(to turn: Int64?) {
        self.turn.withLock { last in
            last = turn ?? last
            value.add(1, ordering: .releasing)
        }
    }

    /// Records that something may have been written.
    func rise() { rise(to: nil) }

    /// Records the number the server reported, unless this program has written since it asked; the next look settles
    /// that.
    ///
    /// - Parameter known: The last known number when the server was asked.
    func rise(to turn: Int64, from known: Int64?) {
        self.turn.withLock { last in
            guard last == known, turn != known else { return }
            last = turn
            value.add(1, ordering: .releasing)
        }
    }
}
