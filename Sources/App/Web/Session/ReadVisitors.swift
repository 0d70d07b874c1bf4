import Synchronization

/// The visitors of sessions that were read a moment ago, so that requests in quick succession read them once.
///
/// A visitor is used again only if nothing at all was committed since it was read. Ending a session and changing
/// somebody's rights are writes, so both take effect from the next request on. If other nodes write as well, no visitor
/// is kept, because this node learns of their writes only later (`Database.commits` is nil).
final class ReadVisitors: Sendable {
    /// A visitor, and when it was read.
    private struct Kept {
        let visitor: Visitor
        let at: Instant
    }

    private struct State {
        /// The number of commits when all of them were read.
        var commits = -1
        var bySession: [[UInt8]: Kept] = [:]
    }

    private let state = Mutex(State())

    /// How long a visitor is kept at most: if an operator ends a session in the file itself, without this program, it
    /// has ended after this time.
    static let longest = Duration.seconds(1)
    /// How many are kept; then all are dropped.
    static let most = 500

    /// The visitor of a session.
    ///
    /// - Parameters:
    ///   - tokenHash: The hash of the session's token; tokens themselves aren't kept.
    ///   - commits: The database's number of commits, read before `read` is called; nil to keep nothing.
    ///   - read: Reads the visitor.
    func visitor(
        _ tokenHash: [UInt8], at now: Instant, after commits: Int?, _ read: () throws -> Visitor?
    ) rethrows -> Visitor? {
        guard let commits else { return try read() }
        let kept = state.withLock { $0.commits == commits ? $0.bySession[tokenHash] : nil }
        if let kept, kept.at <= now, now - kept.at < Self.longest, now < kept.visitor.end { return kept.visitor }
        guard let visitor = try read() else { return nil }
        state.withLock { state in
            // What was read before the last commit is of no use anymore.
            guard state.commits <= commits else { return }
            if state.commits < commits || state.bySession.count >= Self.most { state = State(commits: commits) }
            state.bySession[tokenHash] = Kept(visitor: visitor, at: now)
        }
        return visitor
    }
}
