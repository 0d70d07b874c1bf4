import Forms
import Templating

/// News about a decision, for the author of what it is about.
struct DecisionNews: InboxNews {
    /// The verdict, if a notice says it.
    private let verdict: String
    private let decision: ID<Decision>?

    init?(_ notice: Notice) { (verdict, decision) = (notice.detail, notice.subject.map { ID($0) }) }

    var words: Words {
        switch verdict {
        case "admit": "You are in. Welcome to the village"
        case "refuse": "You weren’t let in"
        case "delete": "Your account is to be deleted"
        case "fine": "Your kind act is in the catalog now"
        case "stands": "Your answer was read"
        default: "Something was decided about what you wrote"
        }
    }

    func more(for reader: Zone) -> Words {
        switch verdict {
        case "stands": "Read what the people who run the site say to it."
        case "admit", "fine": Words(verbatim: "")
        default: "Read why, and answer if you like."
        }
    }

    var link: Link { decision.map { .decision($0) } ?? .inbox }
    var icon: Icon { .shield }
    var look: String { "change" }
}

extension LetterText {
    /// - Parameter seal: Allows reading and answering without a log-in.
    static func decided(_ decision: Decision, _ seal: Seal?) -> LetterText {
        if decision.isUpheld {
            return LetterText(
                subject: "Your answer was read", heading: decision.told,
                lines: ["Somebody who runs the site read your answer. It stays as it was decided:", decision.said],
                action: Action(
                    name: "Read it",
                    link: seal.map { LetterLink.appeal.link(to: decision.id, for: decision.author, $0) }
                        ?? decision.link))
        }
        return LetterText(
            subject: decision.takesAct && decision.isOpen
                ? decision.told
                : Decision.Verdict.aboutAccounts.contains(decision.verdict)
                    ? "About your account" : "About what you wrote",
            heading: decision.told,
            lines: decision.verdict == .admit
                ? ["Everything is open to you from now on."] : decision.saysWhy ? [decision.why] : [],
            action: Action(
                name: decision.canAnswer ? "Read it, and answer" : "Read it",
                link: seal.map { LetterLink.appeal.link(to: decision.id, for: decision.author, $0) } ?? decision.link),
            closing: decision.canAnswer ? ["You can answer once. Somebody who runs the site reads it."] : [])
    }
}
