import Forms
import Templating

/// News that another parent started or stopped looking after the same children.
struct GuardianNews: InboxNews {
    private let kind: NoticeKind

    init?(_ notice: Notice) { kind = notice.kind }

    var words: Words { kind.name }
    var link: Link { .guardian }
    var icon: Icon { .mail }

    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        .guardian(isOn: letter.kind == .guardianOn)
    }
}

extension LetterText {
    static func guardian(isOn: Bool) -> LetterText {
        let subject: Words =
            isOn ? "Your invitation was accepted" : "You no longer look after the same children on the site"
        return LetterText(
            subject: subject, heading: subject,
            lines: [
                isOn
                    ? "From now on the other parent sees your children here too, and can register them."
                    : "The other parent ended it. Your page says which children are on your list."
            ],
            action: Action(name: "Look at your list", link: isOn ? .guardian : Link.children),
            closing: isOn ? ["If you invited nobody, end it there, and change your password."] : [])
    }
}
