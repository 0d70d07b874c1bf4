import Forms
import Templating

/// An act that somebody asks a friend to do, by a link that one friend takes up. A friend without an account signs up
/// by it: it is an invitation, too. Only the hash of its token is stored.
struct Challenge: Sendable {
    let id: ID<Challenge>
    let act: ID<KindAct>
    let asker: ID<Account>
    /// What the asker is called, without the rest of their name.
    let name: String
    let message: String
    let expiresAt: Instant
    /// Whether a friend took it up, and who; nil also of one who has left since.
    let isTaken: Bool
    let taker: ID<Account>?
    let isDone: Bool
    let madeAt: Instant
    /// When a friend took it up; nil of one from before that was kept.
    var takenAt: Instant?

    static let lifetime = Invitation.lifetime
    /// The most of one member that may be open at a time.
    static let most = 20
    /// The most letters that a member can have us write in a day.
    static let lettersADay = 5
    /// How long nobody can have us write to the same address again.
    static let pause = Duration.days(30)
    /// How many fit on a page of one's own list.
    static let pageSize = 20

    /// Why it can't be made.
    enum Refused: Error, Equatable {
        /// There are as many as may be; where one comes in by invitation alone, fewer.
        case tooMany
        /// The site writes to nobody for a member whose own address isn't confirmed.
        case unconfirmed
        case tooManyLetters
        /// Somebody wrote there within a month, or its reader wants no such letters: which is told to nobody.
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

    /// Whether a text leads elsewhere, also where a mail program alone would make a link of it.
    static func hasLink(_ text: String) -> Bool {
        Newcomer.countLinks(in: text) > 0
            || text.lowercased().split(whereSeparator: \.isWhitespace).contains { word in
                word.contains("://") || word.contains("@")
                    || word.firstMatch(of: /[\p{L}\p{N}-]\.\p{L}{2,}/) != nil
            }
    }

    /// What somebody is called by friends: the first word of what they call themselves. It stands in letters to people
    /// who don't know this site, so that a word that leads elsewhere is none.
    static func firstName(_ name: String) -> String {
        let first = name.split(whereSeparator: \.isWhitespace).first.map { String($0.prefix(30)) } ?? ""
        return first.isEmpty || first.contains("/") || hasLink(first) ? "–" : first
    }
}

/// Asking a friend.
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
        if let message, Challenge.hasLink(message) {
            submission.reject(
                \.message, "Please leave links and addresses out: the page shows the act, and no more is needed.")
        }
    }
}

/// What waits for an answer, as the asker sees it.
struct AskedFriend: Sendable {
    let challenge: Challenge
    /// Nil of an act that those who run the site took out of the catalog.
    let act: KindAct?
    /// The friend who took it up; nil while nobody did, and for one who has left since.
    let taker: Author?
    /// Whether the link still waits for somebody.
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
    /// As friends read it.
    let name: String
    /// Whether the site can write for the asker.
    let mail: Mail
    /// The link of the one that was made just now, with its words for other ways to send it.
    var made: Made?

    enum Mail: Sendable { case none, unconfirmed, ready }

    struct Made: Sendable {
        let link: String
        /// What a message says: the word, the act and the link.
        let text: String
        /// The title of a letter one writes oneself.
        let subject: String
        let isMailed: Bool
    }
}

/// `/challenges/{token}`, as somebody sees it.
struct ChallengedPage: Sendable {
    let challenge: Challenge
    let act: KindAct
    let token: String
    let reader: ID<Account>?
    /// How one comes in.
    let joining: Joining

    var isOwn: Bool { challenge.asker == reader }
    var isTaken: Bool { challenge.taker != nil && challenge.taker == reader }
    var link: Link { .challenge(token) }
    /// The form by which one signs up, and back here.
    var signUp: Link { Link.invitation(token).with("next", link.string) }
    var logIn: Link { .logIn(next: link.string) }
}

/// That a friend did what somebody asked.
struct ChallengeNews: Sendable {
    let act: ID<KindAct>
    /// What a neighbor called the act; empty of one that every site has.
    let name: String

    init(_ act: KindAct) {
        self.act = act.id
        name = act.written?.name ?? ""
    }

    /// As a notice keeps it; nil of what isn't one.
    init?(detail: String) {
        let parts = detail.split(separator: "\u{1F}", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let act = ID<KindAct>(parts[0]) else { return nil }
        (self.act, name) = (act, parts[1])
    }

    var detail: String { "\(act)\u{1F}\(name)" }
    var link: Link { .myActs }
    var words: Words {
        let act = KindAct.listed(act)?.name ?? Words(verbatim: name)
        return "Your friend did it: \(act, as: "act")"
    }
}

/// An address that the site wrote to for a member, as the end of a link knows it.
struct WrittenAddress: Sendable {
    /// A hash with the key of this site, from which nobody computes the address.
    let hash: [UInt8]

    private static let purpose = "no-invitations"

    /// What stands behind a plus in front of the at is the same mailbox.
    init(_ address: String, _ seal: Seal) {
        var word = address.lowercased()
        if let at = word.lastIndex(of: "@"), let plus = word[..<at].firstIndex(of: "+"), plus > word.startIndex {
            word.removeSubrange(plus..<at)
        }
        hash = seal.hash(of: word, as: "address")
    }

    /// From a link that ends such letters; nil where the seal isn't ours.
    init?(token: String, _ seal: Seal) {
        guard let text = seal.open(token, of: Self.purpose), let bytes = Base64URL.decode(text), bytes.count == 32
        else { return nil }
        hash = bytes
    }

    func token(_ seal: Seal) -> String { seal.sealed(Base64URL.encode(hash), as: Self.purpose) }
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
        LetterText(subject: news.words, heading: news.words, action: Action(name: "See your acts", link: news.link))
    }
}
