import Forms
import Templating

/// Identifies content by a person: `post-7`.
struct Subject: Hashable, Sendable {
    let kind: Kind
    /// The number of the row.
    let number: Int64

    enum Kind: String, CaseIterable, Sendable {
        case event, post, comment, person, question, pet, message, opportunity, review, need, act

        /// For sentences: `your post`.
        var name: Words { look.name }
        /// For headings.
        var title: Words { look.title }
        var icon: Icon { look.icon }

        private var look: (name: Words, title: Words, icon: Icon) {
            switch self {
            case .event: (Words("event"), "Event", .calendar)
            case .post: (Words("post"), "Post", .people)
            case .comment: (Words("comment"), "Comment", .comment)
            case .person: (Words("page"), "Page of a member", .me)
            case .question: (Words("question"), "Question about an event", .help)
            case .pet: (Words("pet"), "Pet", .paw)
            case .message: (Words("message"), "Message between two members", .comment)
            case .opportunity: (Words("listing"), "Way to help", .hands)
            case .review: (Words("review"), "Review of an organization", .star)
            case .need: (Words("need"), "Need around the corner", .gift)
            case .act: (Words("kind act"), "Kind act", .heart)
            }
        }

        /// The possible verdicts. The author of a comment, a question or an act can't change it.
        var verdicts: [Decision.Verdict] {
            switch self {
            case .event, .post, .person, .pet, .opportunity, .review, .need: Decision.Verdict.usual
            case .comment, .question, .message, .act: Decision.Verdict.usual.filter { $0 != .ask }
            }
        }
    }

    static func event(_ id: ID<Event>) -> Subject { Subject(kind: .event, number: id.rawValue) }
    static func post(_ id: ID<Post>) -> Subject { Subject(kind: .post, number: id.rawValue) }
    static func comment(_ id: ID<Comment>) -> Subject { Subject(kind: .comment, number: id.rawValue) }
    /// A member's page and their organization's.
    static func person(_ id: ID<Account>) -> Subject { Subject(kind: .person, number: id.rawValue) }
    static func question(_ id: ID<Question>) -> Subject { Subject(kind: .question, number: id.rawValue) }
    static func pet(_ id: ID<Pet>) -> Subject { Subject(kind: .pet, number: id.rawValue) }
    /// A message from one member to another.
    static func message(_ id: ID<Message>) -> Subject { Subject(kind: .message, number: id.rawValue) }
    static func opportunity(_ id: ID<Opportunity>) -> Subject { Subject(kind: .opportunity, number: id.rawValue) }
    static func review(_ id: ID<Review>) -> Subject { Subject(kind: .review, number: id.rawValue) }
    static func need(_ id: ID<Need>) -> Subject { Subject(kind: .need, number: id.rawValue) }
    /// A kind act written for everyone.
    static func act(_ id: ID<KindAct.Written>) -> Subject { Subject(kind: .act, number: id.rawValue) }

    /// The page for reporting it.
    var reportLink: Link { Link.newReport.with("about", rawValue) }

    /// The page where staff decide about it.
    var queueLink: Link { Link.queue / rawValue }
}

extension Subject: RawRepresentable {
    var rawValue: String { "\(kind.rawValue)-\(number)" }

    init?(rawValue: String) {
        let parts = rawValue.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let id = ID<Subject>(String(parts[1]))
        else { return nil }
        let found = Subject(kind: kind, number: id.rawValue)
        guard found.rawValue == rawValue else { return nil }
        self = found
    }
}

extension Link {
    static func comments(of post: ID<Post>) -> Link { Link.post(post).fragment("comments") }
    static func question(_ id: ID<Question>, about event: ID<Event>) -> Link {
        Link.event(event).fragment("question-\(id)")
    }
}

extension Subject: CursorKey {
    init(cursor text: String) throws(UnreadableCursor) {
        guard let subject = Subject(rawValue: text) else { throw UnreadableCursor() }
        self = subject
    }

    var cursor: String { rawValue }
}
