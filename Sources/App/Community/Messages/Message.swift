import Forms
import Templating

/// The latest event in a conversation: a message, or a change of a meeting. Open pages are told of it.
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

        /// A page that leads to it: a list, because the conversation's own page isn't visible to staff, or after a
        /// block.
        var link: Link {
            switch self {
            case .match: .matches
            case .thread: .inbox
            }
        }

        /// Its name for open pages and news: `matches-3`.
        var topic: String {
            switch self {
            case .match(let id): "matches-\(id)"
            case .thread(let id): "threads-\(id)"
            }
        }
    }

    /// Messages per page.
    static let pageSize = 50
    /// How many messages before and after a reported one staff can read.
    static let each = 5
    /// How long an owner is new and sends fewer hellos, and a member can't send links to somebody who hasn't answered.
    static let trial = Duration.days(2)
    /// How long messages are stored.
    static let memory = Duration.days(365)
    /// How long an ended conversation is kept for reports.
    static let sealed = Duration.days(30)

    /// A message near a reported one.
    struct Line: Sendable {
        /// Whether it is the reported one.
        let isMeant: Bool
        let name: String
        let text: String
        let at: Instant
    }

    /// A newcomer can't send links before the other person has answered.
    struct HasLink: Error {
        static var words: Words {
            """
            Links can be sent once you were answered, or are here for \(Message.trial.inWords, as: "time"). Leave it \
            out.
            """
        }
    }
}

/// The form for a message.
struct MessageForm: Form {
    var text = ""

    static let fields: [Field<MessageForm>] = [
        .area("text", \.text, "Message", 1...2_000).missing("Write something first.")
    ]
}

/// What two sides say to each other, as the page of either shows it.
struct Talk: Sendable {
    /// Its name in the news: see `Message.Place`.
    let topic: String
    /// The other person.
    let other: Words
    /// The page that contains it, to which its form is sent.
    let page: Link
    let action: Link
    /// The text before the first message.
    let began: Words
    /// The part of the page that is updated by news; nil if there is none.
    var beside: String?
    /// Why nothing can be written anymore; nil if it can.
    var closed: Words?
    /// A note for the writer, such as the time limit.
    var note: Words?
    let days: [(id: String, name: Words, messages: [Row])]
    let older: Link?
    /// Whether this page contains the latest message.
    let isNewest: Bool

    struct Row: Sendable {
        let message: Message
        let isMine: Bool
        let time: Words
        let isRead: Bool
        /// The author's name, if it isn't the name of the other side.
        let name: Words?
        /// With its links, once both wrote.
        let body: HTML?

        var anchor: String { "message-\(message.id)" }
    }

    /// A page of a conversation.
    struct Said: Sendable {
        let messages: Page<Message>
        let isNewest: Bool
        /// Whether both people wrote.
        let isFromBoth: Bool
        /// The author's name in a thread.
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

    /// Whether there are no older messages.
    var isWhole: Bool { older == nil }
}
