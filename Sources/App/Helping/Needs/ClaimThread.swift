import Forms
import Templating

/// Where somebody who asked for something and the one who promised it talk to each other: from the promise on, at a
/// home from the yes on, until a while after it is done or over.
struct ClaimThread: Sendable {
    let claim: ID<Claim>
    let need: ID<Need>
    let title: String
    /// The one to whom its reader talks.
    let other: Author
    /// Messages that weren't read yet.
    let unread: Int
    /// When it was done, or over; nil until then.
    let overAt: Instant?

    /// How long after that something can be written, and how long it is kept: longer, so that it can be reported.
    static let afterwards = Duration.days(14)
    static let kept = afterwards + PetMatch.sealed

    var link: Link { .thread(claim) }

    /// Until when something can be written, once it is done or over.
    var openUntil: Instant? { overAt.map { $0 + Self.afterwards } }

    func isOpen(at now: Instant) -> Bool { openUntil.map { $0 > now } ?? true }

    /// Nothing can be written anymore.
    struct IsOver: CountsNothing {
        static var words: Words {
            """
            This is over, so nothing can be written here anymore. Thank you for having been there for each other.
            """
        }
    }
}

/// `/threads/{id}`.
struct ThreadPage: Sendable {
    let thread: ClaimThread
    let talk: Talk

    init(_ thread: ClaimThread, of account: ID<Account>, _ said: Talk.Said, at now: Instant, in zone: Zone) {
        self.thread = thread
        var talk = Talk(
            .claim(thread.claim), of: account, with: thread.other.name, said, page: thread.link, action: thread.link,
            began: "It is promised. Here you can agree on the rest: only the two of you read it.", at: now, in: zone)
        if !thread.isOpen(at: now) {
            talk.closed = ClaimThread.IsOver.words
        } else if let end = thread.openUntil {
            talk.note = """
                This promise is over. You can still write to each other here until \
                \(zone.words(end, \.name), as: "time"), be it only to say thank you.
                """
        }
        self.talk = talk
    }
}

/// What is told of a thread: that there is something new in it, and never what.
struct ThreadNews: TitledNews {
    let what: What
    let about: ID<Claim>
    /// What was asked for.
    let title: String

    enum What: String, Sendable, CaseIterable {
        case wrote
    }

    init(_ what: What, _ about: ID<Claim>, _ title: String) {
        self.what = what
        self.about = about
        self.title = title
    }

    var kind: NoticeKind { .wrote }
    var link: Link { .thread(about) }
    var words: Words { "A message about \(title, as: "title")" }
    var more: Words { "Read it, and answer if you like." }
}

extension LetterText {
    static func thread(_ news: ThreadNews) -> LetterText {
        LetterText(
            subject: news.words, heading: news.words, lines: [news.more],
            action: Action(name: "See it", link: news.link))
    }
}
