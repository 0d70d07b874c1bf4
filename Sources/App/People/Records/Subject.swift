import Forms
import Templating

/// Identifies content by a person: `post-7`.
enum Subject: Hashable, Sendable {
    case event(ID<Event>)
    case post(ID<Post>)
    case comment(ID<Comment>)
    /// A member's page and their organization's.
    case person(ID<Account>)
    case question(ID<Question>)
    case pet(ID<Pet>)
    /// A message from one pet owner to another.
    case message(ID<Message>)
    case opportunity(ID<Opportunity>)
    case review(ID<Review>)
    case need(ID<Need>)
    /// A kind act written for everyone.
    case act(ID<KindAct.Written>)

    enum Kind: String, CaseIterable, Sendable {
        case event, post, comment, person, question, pet, message, opportunity, review, need, act

        /// For sentences: `your post`.
        var name: Words {
            switch self {
            case .event: Words("event")
            case .post: Words("post")
            case .comment: Words("comment")
            case .person: Words("page")
            case .question: Words("question")
            case .pet: Words("pet")
            case .message: Words("message")
            case .opportunity: Words("listing")
            case .review: Words("review")
            case .need: Words("need")
            case .act: "kind act"
            }
        }

        /// For headings.
        var title: Words {
            switch self {
            case .event: "Event"
            case .post: "Post"
            case .comment: "Comment"
            case .person: "Page of a member"
            case .question: "Question about an event"
            case .pet: "Pet"
            case .message: "Message between two members"
            case .opportunity: "Way to help"
            case .review: "Review of an organization"
            case .need: "Need around the corner"
            case .act: "Kind act"
            }
        }

        var icon: Icon {
            switch self {
            case .event: .calendar
            case .post: .people
            case .comment: .comment
            case .person: .me
            case .question: .help
            case .pet: .paw
            case .message: .comment
            case .opportunity: .hands
            case .review: .star
            case .need: .gift
            case .act: .heart
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

    var kind: Kind {
        switch self {
        case .event: .event
        case .post: .post
        case .comment: .comment
        case .person: .person
        case .question: .question
        case .pet: .pet
        case .message: .message
        case .opportunity: .opportunity
        case .review: .review
        case .need: .need
        case .act: .act
        }
    }

    /// The number of the row.
    var number: Int64 {
        switch self {
        case .event(let id): id.rawValue
        case .post(let id): id.rawValue
        case .comment(let id): id.rawValue
        case .person(let id): id.rawValue
        case .question(let id): id.rawValue
        case .pet(let id): id.rawValue
        case .message(let id): id.rawValue
        case .opportunity(let id): id.rawValue
        case .review(let id): id.rawValue
        case .need(let id): id.rawValue
        case .act(let id): id.rawValue
        }
    }

    /// The page for reporting it.
    var reportLink: Link { Link.newReport.with("about", rawValue) }

    /// The page where staff decide about it.
    var queueLink: Link { Link.queue / rawValue }
}

extension Subject: RawRepresentable {
    var rawValue: String { "\(kind.rawValue)-\(number)" }

    init?(rawValue: String) {
        let parts = rawValue.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
        let number = String(parts[1])
        let found: Subject? =
            switch kind {
            case .event: ID(number).map(Subject.event)
            case .post: ID(number).map(Subject.post)
            case .comment: ID(number).map(Subject.comment)
            case .person: ID(number).map(Subject.person)
            case .question: ID(number).map(Subject.question)
            case .pet: ID(number).map(Subject.pet)
            case .message: ID(number).map(Subject.message)
            case .opportunity: ID(number).map(Subject.opportunity)
            case .review: ID(number).map(Subject.review)
            case .need: ID(number).map(Subject.need)
            case .act: ID(number).map(Subject.act)
            }
        guard let found, found.rawValue == rawValue else { return nil }
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
