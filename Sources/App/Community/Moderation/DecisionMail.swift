import Forms
import Templating

extension LetterText {
    /// - Parameter seal: What lets it be read and answered without a log-in.
    static func decided(_ decision: Decision, _ seal: Seal?) -> LetterText {
        LetterText(
            subject: "About what you wrote", heading: decision.told, lines: [decision.why],
            action: Action(
                name: "Read it, and answer",
                link: seal.map { DecisionLink(decision.id).link($0) } ?? decision.link),
            closing: ["You can answer once. Somebody who runs the site reads it."])
    }
}
