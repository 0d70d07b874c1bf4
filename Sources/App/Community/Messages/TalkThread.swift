import Forms
import Templating

/// A conversation about one thing between two sides: somebody who came to it (`guest`), and its owner (`host`).
struct TalkThread: Sendable {
    let id: ID<TalkThread>
    let about: About
    /// The title of the thing it is about.
    let title: String
    /// The private question that it began with, if there is one.
    let asked: PrivateQuestion?
    /// The person who promised something, signed up, or asked.
    let guest: ID<Account>
    /// The owner of the need, the opportunity, or the event.
    let host: ID<Account>
    /// The account at the other end: the host’s for the guest, the guest’s for all others.
    let other: Author
    /// The other side's name if it isn't the account's: the organization's, or the first name that a helper gave it.
    let called: String?
    /// The number of messages that the reader hasn’t read yet.
    let unread: Int
    /// When the thing was or will be over; nil if that isn't known yet.
    let overAt: Instant?

    /// A private question, and its answer if there is one.
    struct PrivateQuestion: Sendable {
        let text: String
        let answer: String

        var said: HTML { .paragraphs(of: text) }
        var answered: HTML { .paragraphs(of: answer) }
    }

    /// What two sides can talk about. The comments say who they are, and when the conversation begins and ends; for the
    /// database `TalkThread.overAt` says it.
    enum About: Sendable {
        /// Between the author of a need and the neighbor who promised it: from the promise on, for a home from the
        /// author's yes on, until it is done or over.
        case need(ID<Need>)
        /// Between somebody whose sign-up to help waits for a yes, and all who look after everything of the
        /// organization: from the sign-up on until the last shift is over. It ends at once if the place is given back
        /// or the answer is no, and when the shift begins if there was no answer in time.
        case help(ID<Opportunity>)
        /// Between an unnamed person with a private question about an event, and all who look after everything of its
        /// host: until the event is over or called off. It ends at once if the question is closed.
        case question(ID<Question>, ID<Event>)

        /// The part of the site it belongs to; nil if that can’t be switched off.
        var module: Module? {
            switch self {
            case .need: .needs
            case .help: .helping
            case .question: nil
            }
        }

        /// What it is about.
        var link: Link {
            switch self {
            case .need(let id): .need(id)
            case .help(let id): .opportunity(id)
            case .question(let id, let event): .question(id, about: event)
            }
        }

        /// Whether several may answer for the host, each under their own name.
        var hasTeam: Bool {
            switch self {
            case .need: false
            case .help, .question: true
            }
        }

        /// Whether the host isn’t told who the guest is.
        var hidesGuest: Bool {
            switch self {
            case .need, .help: false
            case .question: true
            }
        }

        /// The note above the first message.
        fileprivate var began: Words {
            switch self {
            case .need: "It is promised. Here you can agree on the rest: only the two of you read it."
            case .help:
                """
                Here you can ask, and agree on the rest. It is read by the one who signed up, and by those who look \
                after everything of the organization.
                """
            case .question:
                """
                Here you can ask and answer further. It is read by the one who asked, whose name isn’t shown, and by \
                those who look after everything of the host.
                """
            }
        }

        /// The reason why nothing can be written anymore.
        var closed: Words {
            switch self {
            case .need:
                """
                This is over, so nothing can be written here anymore. Thank you for having been there for each other.
                """
            case .help, .question: "This is over, so nothing can be written here anymore."
            }
        }

        /// The note that it is over, and until when one can still write.
        fileprivate func lasts(until end: Words) -> Words {
            switch self {
            case .need:
                """
                This promise is over. You can still write to each other here until \(end, as: "time"), even if it’s \
                just to say thank you.
                """
            case .help, .question:
                """
                This is over. You can still write to each other here until \(end, as: "time"), even if it’s just to \
                say thank you.
                """
            }
        }
    }

    /// How long one can write after its end, and how long it is kept: longer, so that it can be reported.
    static let afterwards = Duration.days(14)
    static let kept = afterwards + Message.sealed

    var link: Link { .thread(id) }
    /// The name of the other side.
    var name: Words {
        if about.hidesGuest, isGuest(other.account) { return "Somebody who asked" }
        return called.map { Words(verbatim: $0) } ?? other.name
    }

    /// The heading of its page.
    var heading: Words {
        about.hidesGuest && isGuest(other.account)
            ? "Messages with somebody who asked" : "Messages with \(name, as: "name")"
    }

    /// Whether somebody is the one who came to it.
    func isGuest(_ account: ID<Account>) -> Bool { account == guest }

    /// Where its reader came from.
    func back(for reader: ID<Account>) -> (link: Link, name: Words) {
        switch about {
        case .need: (about.link, "What is needed")
        case .help where isGuest(reader): (about.link, "All about it")
        case .help: (about.link / "signups", "Who helps")
        case .question: (about.link, "Questions")
        }
    }

    /// Until when one can write, once the end is known.
    var openUntil: Instant? { overAt.map { $0 + Self.afterwards } }

    func isOpen(at now: Instant) -> Bool { openUntil.map { $0 > now } ?? true }

    /// Nothing can be written anymore.
    struct IsOver: CountsNothing {}
}

/// `/threads/{id}`.
struct ThreadPage: Sendable {
    let thread: TalkThread
    let talk: Talk
    let back: (link: Link, name: Words)
    /// Whether it leads back to the list of those who help its reader, which is among their own pages.
    let isOfOwnHelp: Bool
    /// Whether its reader knows the other side, and can report it as a person.
    let knowsOther: Bool
    /// Whether its reader can block the other side: the two whom it is about, not who answers for one of them.
    let canBlock: Bool

    init(_ thread: TalkThread, of account: ID<Account>, _ said: Talk.Said, at now: Instant, in zone: Zone) {
        self.thread = thread
        back = thread.back(for: account)
        isOfOwnHelp = if case .help = thread.about { !thread.isGuest(account) } else { false }
        knowsOther = thread.isGuest(account) || !thread.about.hidesGuest
        canBlock = knowsOther && (thread.isGuest(account) || account == thread.host)
        var names: [ID<Account>: Words] = [:]
        if thread.about.hasTeam {
            for author in said.authors where author.account != thread.guest { names[author.account] = author.name }
        }
        var talk = Talk(
            .thread(thread.id), of: account, with: thread.name, said, page: thread.link, action: thread.link,
            began: thread.about.began, names: names, at: now, in: zone)
        if !thread.isOpen(at: now) {
            talk.closed = thread.about.closed
        } else if let over = thread.overAt, over <= now, let end = thread.openUntil {
            talk.note = thread.about.lasts(until: zone.words(end, \.name))
        }
        self.talk = talk
    }
}

/// What is told of a thread: that there is something new in it, and never what.
struct ThreadNews: TitledNews {
    let what: What
    let about: ID<TalkThread>
    /// What it is about.
    let title: String

    enum What: String, Sendable, CaseIterable {
        case wrote
    }

    init(_ what: What, _ about: ID<TalkThread>, _ title: String) {
        self.what = what
        self.about = about
        self.title = title
    }

    var kind: NoticeKind { .wrote }
    var link: Link { .thread(about) }
    var words: Words { "A message about \(title, as: "title")" }
    var more: Words { "Read it, and answer if you like." }
    var icon: Icon { .comment }
    var look: String { "word" }
    var button: Words { "See it" }
    var answers: LetterText.Answers { .members }
}
