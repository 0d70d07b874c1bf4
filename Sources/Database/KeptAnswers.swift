import Synchronization

/// Answers that stay the same until the next write, found at one version of the data.
final class KeptAnswers: Sendable {
    private struct State {
        /// The version of the data that all of them were found at.
        var version = -1
        var byQuestion: [String: any Sendable] = [:]
    }

    private let state = Mutex(State())

    /// How many are kept; then all are dropped.
    static let most = 200

    /// The answer to a question: the one found before at this version, or what `find` finds.
    ///
    /// - Parameter version: The data's version before the reading began.
    func answer<T: Sendable>(_ question: String, at version: Int, _ find: () throws -> T) rethrows -> T {
        let known = state.withLock { $0.version == version ? $0.byQuestion[question] : nil }
        if let known = known as? T { return known }
        let found = try find()
        state.withLock { state in
            guard state.version <= version else { return }
            if state.version < version || state.byQuestion.count >= Self.most { state = State(version: version) }
            state.byQuestion[question] = found
        }
        return found
    }
}
