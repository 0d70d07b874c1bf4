import Forms
import Templating

/// A parent's question about an event, or any member's about a community event. Nobody sees who asked. Once it is
/// answered, everyone sees question and answer, or only the asker if it is private.
struct Question: Sendable {
    let id: ID<Question>
    let event: ID<Event>
    let asker: ID<Account>
    let text: String
    let isPrivate: Bool
    let answer: String
    /// Whether the host answered it, here or in its messages.
    let isSettled: Bool
    let askedAt: Instant
    let isClosed: Bool
    let isHidden: Bool

    /// Questions per page.
    static let pageSize = 50
    /// The most unanswered questions of a family about one event.
    static let mostOpen = 3
    /// How long a question is stored.
    static let memory = Duration.days(365)
    /// The most of one family per day.
    static let mostADay = 10

    var isAnswered: Bool { !answer.isEmpty }
    var isOpen: Bool { !isSettled && !isClosed && !isHidden }
    var said: HTML { .paragraphs(of: text) }
    var answered: HTML { .paragraphs(of: answer) }
    var link: Link { Link.question(id) }
    /// The page where staff review it.
    var review: Link { Link.desk(of: id) }

    /// Whether a text contains any of the children's names.
    static func names(_ children: [String], in text: String) -> Bool {
        let words = Set(folded(text).split { !$0.isLetter && !$0.isNumber }.map(String.init))
        return children.contains { name in
            let parts = folded(name).split { !$0.isLetter && !$0.isNumber }.map(String.init)
            return !parts.isEmpty && parts.allSatisfy(words.contains)
        }
    }

    /// The limit is reached.
    struct TooMany: Error {}
    /// It was closed or hidden meanwhile.
    struct Closed: Error {}
}

struct QuestionForm: Form {
    var text = ""
    var isPrivate = false

    static let fields: [Field<QuestionForm>] = [
        .area("text", \.text, "Your question", 5...1_000)
            .hint("Your name isn’t shown. Others read it once it is answered: please name no child."),
        .checkbox("private", \.isPrivate, "Only for the host and me"),
    ]
}

struct AnswerForm: Form {
    var text = ""

    static let fields: [Field<AnswerForm>] = [
        .area("text", \.text, "Your answer", 2...2_000).hint("Plain text; a web address becomes a link.")
    ]
}

/// A question with its event, for the host or staff.
struct QuestionPage: Sendable {
    let question: Question
    let event: Event
}

extension Link {
    static func questions(_ event: ID<Event>) -> Link { Link.event(event).fragment("questions") }
}
