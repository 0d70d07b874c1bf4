/// What holds back what people write who are new here, or whose address isn't confirmed: an entry for each kind of
/// thing that others read.
///
/// How many links there may be is the same for all of them (`Newcomer.problems(in:)`), and so is that search engines
/// are kept from their pages (`Context.page(_:by:)`).
struct Brake: Sendable {
    /// Whether it waits for a look before others see it.
    let queue: Queue
    let pace: Pace

    enum Queue: Sendable {
        /// The first one of somebody whose address isn't confirmed.
        case first
        /// One with a link, of somebody whose address isn't confirmed.
        case links
        /// Each one, by anybody.
        case all
        /// None: it is part of something that waits itself, or for one reader.
        case none
    }

    enum Pace: Sendable {
        /// With all else that is said to people who may not know each other.
        case words
        /// A few a day.
        case things
        /// As many as a plan, or a limit that holds for everybody, has room for.
        case free
    }

    init(_ kind: Subject.Kind) {
        (queue, pace) =
            switch kind {
            case .post: (.first, .words)
            case .comment, .review: (.links, .words)
            // Its host reads it first, and others only what is answered.
            case .question: (.none, .words)
            case .event, .opportunity: (.first, .free)
            case .need: (.first, .things)
            case .act: (.all, .free)
            // A page is what it is: its links are counted.
            case .person, .pet: (.none, .free)
            // Two who said hello to each other are no strangers. A helper may be one, and has the pace of their words
            // until they are answered (`ThreadController`).
            case .message: (.none, .free)
            }
    }
}
