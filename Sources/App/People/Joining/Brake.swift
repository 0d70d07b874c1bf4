/// Limits on the content of newcomers and of members without a confirmed address: an entry for each kind of content
/// that others read.
///
/// The limit on links is the same for all (`Newcomer.problems(in:)`), and so is the exclusion from search engines
/// (`Context.page(_:by:)`).
struct Brake: Sendable {
    /// When it is reviewed before others see it.
    let queue: Queue
    let pace: Pace

    enum Queue: Sendable {
        /// The first one by a member without a confirmed address.
        case first
        /// One with a link by a member without a confirmed address.
        case links
        /// Each one, by anyone.
        case all
        /// Never: it belongs to content that is itself reviewed, or has only one reader.
        case none
    }

    enum Pace: Sendable {
        /// Counted with other messages to people who may be strangers.
        case words
        /// A few per day.
        case things
        /// No limit apart from the plan's or a general one.
        case free
    }

    init(_ kind: Subject.Kind) {
        (queue, pace) =
            switch kind {
            case .post: (.first, .words)
            case .comment, .review: (.links, .words)
            // The host reads it first, and others see only answered questions.
            case .question: (.none, .words)
            case .event, .opportunity: (.first, .free)
            case .need: (.first, .things)
            case .act: (.all, .free)
            // A page is limited only by its links.
            case .person, .pet: (.none, .free)
            // Two people who said hello to each other aren't strangers. A helper may be one, and is limited by the pace
            // of messages until answered (`ThreadController`).
            case .message: (.none, .free)
            }
    }
}
