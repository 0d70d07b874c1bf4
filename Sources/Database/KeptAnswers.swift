import Synchronization

/// What is asked of the data: the text of a statement, and the values that it is asked with.
struct Question: Hashable, Sendable {
    let text: StatementText
    var arguments: [SQL.Value] = []
    /// Those parts of the statement that PostgreSQL reads in place of SQLite's.
    var others: [Question] = []
}

/// An answer, and the number by which it can be told from all others: two answers of this process with the same number
/// are the same.
public struct Answer<Value: Sendable>: Sendable {
    public let value: Value
    /// Nil for the one who found it, be it kept for others or not: only what is asked for again is worth building upon.
    public let number: Int?
}

/// A state of the data: two reads in the same state find the same, except for quiet writes.
struct DataState: Equatable, Sendable {
    /// Rises with each commit that wasn't quiet.
    let version: Int
    /// When the server started, in µs since 1970: a standby that takes over may have counted otherwise. 0 for a file.
    var serverStart: Int64 = 0

    /// Whether it is known to be earlier than another one.
    func precedes(_ other: DataState) -> Bool { serverStart == other.serverStart && version < other.version }
}

/// Answers that stay the same until the next write, found in one state of the data.
final class KeptAnswers: Sendable {
    private struct State {
        /// The state of the data that all of them were found in.
        var data: DataState?
        var byQuestion: [Question: any Sendable] = [:]
        var weight = 0
    }

    private static let last = Atomic<Int>(0)

    private let state = Mutex(State())

    /// How much is kept, where a single value weighs 1; then all are dropped.
    static let most = 1_000

    /// The answer to a question: the one found before in this state of the data, or what `find` finds.
    ///
    /// - Parameters:
    ///   - data: The state that is read, or an earlier one.
    ///   - weight: What an answer weighs.
    func answer<T: Sendable>(
        _ question: Question, in data: DataState, weight: (T) -> Int = { _ in 1 }, _ find: () throws -> T
    ) rethrows -> Answer<T> {
        let known = state.withLock { $0.data == data ? $0.byQuestion[question] : nil }
        if let known = known as? Answer<T> { return known }
        let value = try find()
        let found = Answer(value: value, number: Self.last.add(1, ordering: .relaxed).newValue)
        let more = weight(value)
        state.withLock { state in
            if let newer = state.data, data.precedes(newer) { return }
            if state.data != data || state.weight + more > Self.most { state = State(data: data) }
            state.byQuestion[question] = found
            state.weight += more
        }
        return Answer(value: value, number: nil)
    }
}
