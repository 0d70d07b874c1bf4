import Forms
import Templating

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
