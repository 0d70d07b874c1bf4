import Forms
import Templating

/// Names anything that a person wrote: `post-7`.
enum Subject: Hashable, Sendable {
    case event(ID<Event>)
    case post(ID<Post>)
    case comment(ID<Comment>)
    /// What somebody says of themselves, and of their organization.
    case person(ID<Account>)
    case question(ID<Question>)

    enum Kind: String, CaseIterable, Sendable {
        case event, post, comment, person, question

        /// In a sentence: `your post`.
        var name: Words {
            switch self {
            case .event: Words("event")
            case .post: Words("post")
            case .comment: Words("comment")
            case .person: Words("page")
            case .question: Words("question")
            }
        }

        /// As a heading.
        var title: Words {
            switch self {
            case .event: "Event"
            case .post: "Post"
            case .comment: "Comment"
            case .person: "Page of a member"
            case .question: "Question about an event"
            }
        }

        var icon: Icon {
            switch self {
            case .event: .calendar
            case .post: .people
            case .comment: .comment
            case .person: .me
            case .question: .help
            }
        }

        /// What can be decided about it. Who wrote a comment or a question can't change it.
        var acts: [Decision.Act] {
            switch self {
            case .event, .post, .person: Decision.Act.allCases
            case .comment, .question: Decision.Act.allCases.filter { $0 != .ask }
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
        }
    }

    /// The number of its row.
    var number: Int64 {
        switch self {
        case .event(let id): id.rawValue
        case .post(let id): id.rawValue
        case .comment(let id): id.rawValue
        case .person(let id): id.rawValue
        case .question(let id): id.rawValue
        }
    }

    /// Where everybody reports it.
    var reportLink: Link { Link("/reports/new").with("about", rawValue) }

    /// Where its author changes it.
    var editLink: Link {
        switch self {
        case .event(let id): Link.event(id) / "edit"
        case .post(let id): Link("/posts") / id / "edit"
        case .person: Link("/me/profile")
        case .comment, .question: Link("/inbox")
        }
    }

    /// Where those who run the site decide about it.
    var queueLink: Link { Link("/admin/queue") / rawValue }
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
            }
        guard let found, found.rawValue == rawValue else { return nil }
        self = found
    }
}

/// What somebody wrote, as it is now.
struct Exhibit: Sendable {
    let subject: Subject
    let author: Author
    /// An event's title, the event of a question; empty for what has none.
    var title = ""
    /// All of its words.
    var text: String
    /// Its photos.
    var pictures: [Picture] = []
    /// The page that shows it.
    let link: Link
    /// Whether it was hidden by a decision.
    var isHidden = false
    /// Whether it is between two people: others read it only once one of them reported it.
    var isPrivate = false
    /// How many families are registered.
    var families = 0

    /// So much of it is kept with a report.
    var kept: String { String(text.prefix(6_000)) }

    var body: HTML { .paragraphs(of: text) }
}

extension Link {
    static func comments(of post: ID<Post>) -> Link { (Link("/posts") / post).fragment("comments") }
    static func person(_ username: String) -> Link { Link("/people") / username }
    static func question(_ id: ID<Question>, about event: ID<Event>) -> Link {
        Link.event(event).fragment("question-\(id)")
    }
}
