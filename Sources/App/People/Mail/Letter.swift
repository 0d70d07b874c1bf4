import Forms
import Templating

/// A letter in the outbox.
struct Letter: Sendable {
    let id: ID<Letter>
    let kind: NoticeKind
    /// The account of the recipient; nil for a test, or for people without an account.
    let account: ID<Account>?
    let address: String
    let event: ID<Event>?
    let registration: ID<Registration>?
    /// Data that depends on the kind.
    let detail: String
    /// The number of its subject apart from the event.
    let subject: Int64?
    /// The token for the link in it.
    let secret: String
    let state: State
    /// The number of attempts.
    let tries: Int
    /// The server's last answer.
    let answer: String
    let createdAt: Instant
    /// The time of the next attempt.
    let dueAt: Instant
    /// When it would be too late.
    let endsAt: Instant
    let doneAt: Instant?

    /// Whether it tells a reporter without an account about the decision.
    var isAboutReport: Bool { kind == .decided && account == nil }

    enum State: String, Sendable, CaseIterable {
        case waiting, sent, failed
        /// It would have been too late, or its subject no longer exists.
        case late
    }

    /// The pause after the nth attempt: a minute, two, four, up to an hour.
    static func pause(after tries: Int) -> Duration { .minutes(min(60, 1 << min(max(0, tries - 1), 6))) }

    /// The most calendar attachments in a letter.
    static let mostMoves = 50

    /// How long the outcome is stored.
    static let memory = Duration.days(30)

    /// The message ID: the same for each attempt, and unique even across a restored copy of the data.
    ///
    /// - Parameter seal: Marks it, so that only a reader of this letter can report a bounce; nil for a test.
    func messageID(at host: String, _ seal: Seal?) -> String {
        let name = "letter-\(id).\(String(createdAt.milliseconds, radix: 36))"
        return "\(name)\(seal.map { ".\(mark($0))" } ?? "")@\(host)"
    }

    /// The unguessable part of its message ID: 16 hexadecimal digits.
    func mark(_ seal: Seal) -> String {
        hexadecimal(seal.hash(of: "\(id)-\(createdAt.milliseconds)", as: "letter").prefix(8))
    }
}

/// The member who reads a letter, and what else its text depends on.
struct LetterReader: Sendable {
    let account: Account
    /// The reader's own zone, or the site's.
    let zone: Zone
    /// Seals links that work without a log-in; nil for a page that others see.
    let seal: Seal?
    /// The site's country and zone.
    let country: String
    let siteZone: Zone
}

/// A letter's content, for its HTML page and its plain text.
struct LetterText: Sendable {
    /// Never contains a child's name.
    let subject: Words
    /// The first line, in large type.
    let heading: Words
    var lines: [Words] = []
    /// A text by a person, as typed.
    var body = ""
    var facts: [Fact] = []
    /// Lists after the text, each with a heading.
    var sections: [Section] = []
    /// The main button.
    var action: Action?
    /// A secondary button.
    var second: Action?
    /// The text below the buttons.
    var closing: [Words] = []
    /// The event to attach for the reader's calendar.
    var event: ID<Event>?
    /// The recipient of replies.
    var answers = Answers.site

    /// The recipient of replies; nobody reads the sender's own mailbox.
    enum Answers: Sendable {
        /// An organization with a public address.
        case address(String, of: String)
        /// An organization without one, and the page to ask it.
        case page(Link, of: String)
        /// Other members, whose addresses are private: the reader answers on the page that the letter links to.
        case members
        /// The people who run the site.
        case site

        /// An organization, about one of its events or another subject.
        static func organization(_ provider: Provider, at event: ID<Event>?) -> Answers {
            if let email = provider.email, !email.isEmpty { return .address(email, of: provider.organization) }
            return .page(event.map { .questions($0) } ?? .provider(provider.username), of: provider.organization)
        }
    }

    /// A labeled value: when, where, or a value before a change.
    struct Fact: Sendable {
        let name: Words
        var before: Words?
        let words: Words
        /// A link to its page, in a list of several.
        var link: Link?
    }

    /// A list of things of one kind.
    struct Section: Sendable {
        let heading: Words
        let facts: [Fact]
        /// A link to the rest.
        var more: Action?
    }

    struct Action: Sendable {
        let name: Words
        let link: Link
    }
}

/// The context in which letters are drawn.
struct LetterFrame: TemplateFrame {
    let language: Language
    /// The site's public URL.
    let publicURL: String
    let town: Town
    let kind: NoticeKind
    /// The address for unsubscribing with one click; nil if that isn't possible.
    var unsubscribe: String?

    var catalogue: Catalogue? { language.catalogue }
    var locale: String { language.locale }
    var numbers: Numbers { language.numbers }
    var isRightToLeft: Bool { language.isRightToLeft }

    /// The absolute URL of a page.
    func address(of link: Link) -> String { publicURL + link.string }

    /// A sentence about where to reply, and a link.
    func answers(_ answers: LetterText.Answers) -> [Words] {
        let nobody: Words = "Nobody reads answers to this letter."
        switch answers {
        case .address(let email, let name):
            let readable = EmailAddress.readable(email)
            return ["Your answer to this letter goes to \(name, as: "name"), \(readable, as: "email")."]
        case .page(let link, let name):
            return [
                nobody, "To reach \(name, as: "name"), write here:", Words(verbatim: address(of: link)),
            ]
        case .members: return [nobody, "Write on the page that it leads to: others read it there."]
        case .site where !town.email.isEmpty:
            return [nobody, "The people who run this site read \(EmailAddress.readable(town.email), as: "email")."]
        case .site:
            return [nobody, "How to reach the people who run this site:", Words(verbatim: address(of: Link.about))]
        }
    }
}

extension LetterText {
    /// The letter as plain text, with unwrapped lines.
    func plain(in frame: LetterFrame) -> String {
        func text(_ words: Words) -> String { words.letter(in: frame.language) }
        var parts = [text(heading)] + lines.map(text)
        if !body.isEmpty { parts.append(body) }
        func line(_ fact: Fact) -> String {
            let before = fact.before.map { "\(text($0)) → " } ?? ""
            let link = fact.link.map { "\n\(frame.address(of: $0))" } ?? ""
            return "\(text(fact.name)): \(before)\(text(fact.words))\(link)"
        }
        if !facts.isEmpty { parts.append(facts.map(line).joined(separator: "\n")) }
        for section in sections {
            parts.append(([text(section.heading)] + section.facts.map(line)).joined(separator: "\n"))
            if let more = section.more { parts.append("\(text(more.name)):\n\(frame.address(of: more.link))") }
        }
        for action in [action, second].compactMap(\.self) {
            parts.append("\(text(action.name)):\n\(frame.address(of: action.link))")
        }
        parts += closing.map(text)
        parts.append(frame.answers(answers).map(text).joined(separator: "\n"))
        parts.append("-- \n\(text(frame.kind.why))")
        if let unsubscribe = frame.unsubscribe { parts.append("\(text("No more letters like this")):\n\(unsubscribe)") }
        parts.append("\(frame.town.siteName)\n\(frame.publicURL)")
        return parts.joined(separator: "\n\n") + "\n"
    }

    static var test: LetterText {
        LetterText(
            subject: "A test letter from the village", heading: "Letters arrive",
            lines: ["This is the test letter that somebody who runs the site asked for."])
    }
}
