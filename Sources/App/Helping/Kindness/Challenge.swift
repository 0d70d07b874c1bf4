import Forms
import Templating

/// A kind act that a member asks a friend to do, through a link that one friend can accept. A friend without an account
/// can sign up with it, so it is also an invitation. Only the token's hash is stored.
struct Challenge: Sendable {
    let id: ID<Challenge>
    let act: ID<KindAct>
    let asker: ID<Account>
    /// The challenger's first name.
    let name: String
    let message: String
    let expiresAt: Instant
    /// Whether a friend accepted it, and the friend; nil if they left.
    let isTaken: Bool
    let taker: ID<Account>?
    let isDone: Bool
    let madeAt: Instant
    /// When a friend accepted it; nil for old ones, for which the time wasn't stored.
    var takenAt: Instant?

    static let lifetime = Invitation.lifetime
    /// The most letters per member and day.
    static let lettersADay = 5
    /// Challenges per page of one's own list.
    static let pageSize = 20

    /// The reasons why a challenge can't be made.
    enum Refused: Error, Equatable {
        /// The limit of open ones is reached; it is lower if the site is by invitation only.
        case tooMany
        /// The member's own address isn't confirmed, so the site sends no letters for them.
        case unconfirmed
        case tooManyLetters
        /// There was a letter to the address within a month, or its reader stopped such letters; the member isn't told.
        case unwelcome

        var words: Words {
            switch self {
            case .tooMany: "Many of your links are open. Take one back first, or wait until one is taken up."
            case .unconfirmed: "Confirm your own address first. Or leave this empty, and send the link yourself."
            case .tooManyLetters:
                """
                We wrote \(Challenge.lettersADay, as: "count") letters for you within a day. Leave this empty, and \
                send the link yourself.
                """
            case .unwelcome:
                "We don’t write to this address at the moment. Leave this empty, and send the link yourself."
            }
        }
    }
}

/// The form for a challenge.
struct ChallengeForm: Form {
    var message: String?
    var to: String?

    static let fields: [Field<ChallengeForm>] = [
        .area("message", \.message, "A word with it", 1...200)
            .hint("At most 200 characters, and no links. Your friend reads it beside the act."),
        .email("to", \.to, "Have us write to them")
            .hint("An e-mail address, if you like. We send one letter, and keep no address that we could read."),
    ]

    func check(_ submission: inout Submission<ChallengeForm>) {
        if let message, Newcomer.hasLink(message) {
            submission.reject(
                \.message, "Please leave links and addresses out: the page shows the act, and no more is needed.")
        }
    }
}

/// A challenge, as the challenger sees it.
struct AskedFriend: Sendable {
    let challenge: Challenge
    /// Nil if staff removed the act from the catalog.
    let act: KindAct?
    /// The friend who accepted it; nil if nobody did, or they left.
    let taker: Author?
    /// Whether the link is still open.
    let isOpen: Bool

    var name: Words { act?.name ?? "An act that isn’t in the catalog anymore" }

    var state: Words {
        if let taker {
            return challenge.isDone
                ? "\(taker.name, as: "name") did it" : "\(taker.name, as: "name") took it up"
        }
        if challenge.isTaken { return "A former member took it up" }
        return isOpen ? "Nobody took it up yet" : "The link is too old"
    }
}

/// `/kindness/acts/{id}/challenge`.
struct ChallengePage: Sendable {
    let act: KindAct
    /// The name that friends see.
    let name: String
    /// Whether the site can send a letter for the challenger.
    let mail: Mail
    /// The link that was just made, with texts for sharing it in other ways.
    var made: Made?

    enum Mail: Sendable { case none, unconfirmed, ready }

    struct Made: Sendable {
        let link: String
        /// A message: the personal text, the act and the link.
        let text: String
        /// The subject for the member's own mail.
        let subject: String
        let isMailed: Bool
    }
}

/// `/challenges/{token}`: a challenge, for its reader.
struct ChallengedPage: Sendable {
    let challenge: Challenge
    let act: KindAct
    let token: String
    let reader: ID<Account>?
    /// The way to get an account.
    let joining: Joining

    var isOwn: Bool { challenge.asker == reader }
    var isTaken: Bool { challenge.taker != nil && challenge.taker == reader }
    var link: Link { .challenge(token) }
    /// The sign-up form, which returns here.
    var signUp: Link { Link.invitation(token).with("next", link.string) }
    var logIn: Link { .logIn(next: link.string) }
}

/// News that a friend did the requested act.
struct ChallengeNews: InboxNews {
    let act: ID<KindAct>
    /// The name of a neighbor's act; empty for one of the built-in catalog.
    let name: String

    init(_ act: KindAct) {
        self.act = act.id
        name = act.written?.name ?? ""
    }

    /// Parses a notice's detail; nil if it is invalid.
    init?(detail: String) {
        let parts = detail.split(separator: "\u{1F}", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let act = ID<KindAct>(parts[0]) else { return nil }
        (self.act, name) = (act, parts[1])
    }

    init?(_ notice: Notice) { self.init(detail: notice.detail) }

    var detail: String { "\(act)\u{1F}\(name)" }
    var link: Link { .myActs }
    var icon: Icon { .heart }
    var words: Words {
        let act = KindAct.listed(act)?.name ?? Words(verbatim: name)
        return "Your friend did it: \(act, as: "act")"
    }
}

extension LetterText {
    static func invited(_ challenge: Challenge, _ act: KindAct, token: String) -> LetterText {
        LetterText(
            subject: "\(challenge.name, as: "name") asks you to do something kind",
            heading: "\(challenge.name, as: "name") asks you: \(act.name, as: "act")",
            lines: [act.description], body: challenge.message,
            action: Action(name: "See it", link: .challenge(token)),
            closing: [
                "The link is for you alone, and works for 14 days.",
                "If you don’t know who that is, you need not do anything.",
            ])
    }

    static func challenged(_ news: ChallengeNews) -> LetterText {
        LetterText(
            subject: news.words, heading: news.words, action: Action(name: "See your acts", link: news.link),
            answers: .members)
    }
}
