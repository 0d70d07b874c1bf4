import Forms
import Templating

/// What a parent asks about an event, or any member about one for everybody. Nobody reads who asked: once it is
/// answered everybody reads question and answer, or, where it is private, the asker alone.
struct Question: Sendable {
    let id: ID<Question>
    let event: ID<Event>
    let asker: ID<Account>
    let text: String
    let isPrivate: Bool
    let answer: String
    let askedAt: Instant
    let isClosed: Bool
    let isHidden: Bool

    /// How many fit on one page.
    static let pageSize = 50
    /// Unanswered ones of one family about one event.
    static let mostOpen = 3
    /// How long a question is kept.
    static let memory = Duration.days(365)
    /// Of one family within a day.
    static let mostADay = 10

    var isAnswered: Bool { !answer.isEmpty }
    var isOpen: Bool { !isAnswered && !isClosed && !isHidden }
    var said: HTML { .paragraphs(of: text) }
    var answered: HTML { .paragraphs(of: answer) }
    var link: Link { Link.question(id) }
    /// Where staff looks at it.
    var review: Link { Link.desk(of: id) }

    /// The children whose names stand in a text.
    static func names(_ children: [String], in text: String) -> Bool {
        let words = Set(folded(text).split { !$0.isLetter && !$0.isNumber }.map(String.init))
        return children.contains { name in
            let parts = folded(name).split { !$0.isLetter && !$0.isNumber }.map(String.init)
            return !parts.isEmpty && parts.allSatisfy(words.contains)
        }
    }

    /// There are as many as there may be.
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

/// A question with its event, for those who answer, or for staff.
struct QuestionPage: Sendable {
    let question: Question
    let event: Event
}

extension Link {
    static func questions(_ event: ID<Event>) -> Link { Link.event(event).fragment("questions") }
}
