import Forms
import Templating

/// What happened in a talk last: something was said, or a meeting changed. Pages that stay open hear of it.
enum TalkNews {}

/// What somebody says to the other side.
struct Message: Sendable {
    let id: ID<Message>
    let author: ID<Account>
    let text: String
    let at: Instant
    let isHidden: Bool

    /// Where two sides talk.
    enum Place: Sendable {
        /// The owners of two pets that match.
        case match(ID<PetMatch>)
        /// Two sides about something that is promised, a sign-up, or a private question.
        case thread(ID<TalkThread>)

        /// Where one comes to it: a list, since its own page isn't there for staff, nor after a block.
        var link: Link {
            switch self {
            case .match: .matches
            case .thread: .inbox
            }
        }

        /// As a page that stays open and the news of it name it: `matches-3`.
        var topic: String {
            switch self {
            case .match(let id): "matches-\(id)"
            case .thread(let id): "threads-\(id)"
            }
        }
    }

    /// Messages a page.
    static let pageSize = 50
    /// How many before a reported one, and after it, are read by those who decide about it.
    static let each = 5

    /// What was said around a reported one.
    struct Line: Sendable {
        /// Whether it is the one.
        let isMeant: Bool
        let name: String
        let text: String
        let at: Instant
    }

    /// A newcomer sends no links before the other one has answered.
    struct HasLink: Error {
        static var words: Words {
            """
            Links can be sent once you were answered, or are here for \(Owner.trial.inWords, as: "time"). Leave it \
            out.
            """
        }
    }

    /// Whether a text leads elsewhere.
    static func hasLink(_ text: String) -> Bool {
        let folded = text.lowercased()
        return ["http:", "https:", "www."].contains { folded.contains($0) }
    }
}

/// Saying something to the other one.
struct MessageForm: Form {
    var text = ""

    static let fields: [Field<MessageForm>] = [
        .area("text", \.text, "Message", 1...2_000).missing("Write something first.")
    ]
}

/// What two sides say to each other, as the page of either shows it.
struct Talk: Sendable {
    /// As the news of it name it: see `Message.Place`.
    let topic: String
    /// The one the reader talks to.
    let other: Words
    /// The page that shows it, and where its form goes.
    let page: Link
    let action: Link
    /// What stands before the first word.
    let began: Words
    /// The part of the page that follows what is new; nil where nothing else does.
    var beside: String?
    /// Why nothing can be written anymore; nil as long as something can.
    var closed: Words?
    /// What else is to be known by somebody who writes, such as until when they can.
    var note: Words?
    let days: [(id: String, name: Words, messages: [Row])]
    let older: Link?
    /// Whether what is said last stands here, and not only what was said before.
    let isNewest: Bool

    struct Row: Sendable {
        let message: Message
        let isMine: Bool
        let time: Words
        let isRead: Bool
        /// Who said it, where that isn't what the other side is called.
        let name: Words?
        /// With its links, once both wrote.
        let body: HTML?

        var anchor: String { "message-\(message.id)" }
    }

    /// What stands on a page of it.
    struct Said: Sendable {
        let messages: Page<Message>
        let isNewest: Bool
        /// Whether both wrote.
        let isFromBoth: Bool
        /// Who said it, in a thread.
        var authors: [Author] = []
    }

    /// - Parameters:
    ///   - names: What those are called who aren't called as the other side is.
    ///   - readUpTo: Up to which message the other one has read, where they show it.
    init(
        _ place: Message.Place, of account: ID<Account>, with other: Words, _ said: Said, page: Link, action: Link,
        began: Words, names: [ID<Account>: Words] = [:], readUpTo: ID<Message>? = nil, at now: Instant, in zone: Zone
    ) {
        topic = place.topic
        self.other = other
        self.page = page
        self.action = action
        self.began = began
        isNewest = said.isNewest
        older = said.messages.more(at: page)
        let today = zone.day(of: now)
        var days: [(day: Day, rows: [Row])] = []
        for message in said.messages.items.reversed() {
            let (day, time) = zone.local(message.at)
            if days.last?.day != day { days.append((day, [])) }
            let isMine = message.author == account
            days[days.count - 1].rows.append(
                Row(
                    message: message, isMine: isMine, time: time.name,
                    isRead: isMine && (readUpTo.map { $0 >= message.id } ?? false),
                    name: names[message.author],
                    body: said.isFromBoth ? .paragraphs(of: message.text) : nil))
        }
        self.days = days.map {
            (id: "day-\($0.day.iso)", name: $0.day == today ? "Today" : $0.day.name, messages: $0.rows)
        }
    }

    /// Where older messages end.
    var isWhole: Bool { older == nil }
}
