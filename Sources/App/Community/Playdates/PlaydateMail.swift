import Forms
import Templating

// What letters about play dates say: never a message's words, a place or how to reach somebody.

extension LetterText {
    static func playdate(_ kind: NoticeKind, _ detail: String, _ match: ID<PetMatch>) -> LetterText {
        let words = PlaydateNews(kind, detail).words
        return LetterText(
            subject: words, heading: words, lines: [PlaydateNews(kind, detail).more],
            action: Action(name: "Open the match", link: .match(match)))
    }
}

/// What a notice about a match says.
struct PlaydateNews {
    /// What a notice keeps of a meeting that is to be at another time.
    static let changed = "changed"

    private let kind: NoticeKind
    private let parts: [String]

    init(_ kind: NoticeKind, _ detail: String) {
        self.kind = kind
        parts = detail.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
    }

    private func part(_ index: Int) -> String { parts.indices.contains(index) ? parts[index] : "" }

    var words: Words {
        switch kind {
        case .matched: "\(part(0), as: "mine") and \(part(1), as: "other") said hello to each other"
        case .messaged: "A message from the family of \(part(0), as: "name")"
        case .meeting:
            Meeting.Call(rawValue: part(0)) == .soon
                ? "Soon you meet \(part(1), as: "name")"
                : "Tomorrow you meet \(part(1), as: "name")"
        case .met where part(0) == Meeting.Call.after.rawValue: "How was it with \(part(1), as: "name")?"
        case .met where part(0) == Self.changed:
            "Another time to meet \(part(1), as: "name")? There are times to choose from"
        default:
            switch Meeting.State(rawValue: part(0)) {
            case .canceled? where part(1).isEmpty: "Canceled: a meeting. The other pet is no longer here"
            case .agreed?: "It is agreed when you meet \(part(1), as: "name")"
            case .declined?: "None of your times suits \(part(1), as: "name")"
            case .canceled?: "Canceled: the meeting with \(part(1), as: "name")"
            case .proposed?, nil: "When to meet \(part(1), as: "name")? There are times to choose from"
            }
        }
    }

    var more: Words {
        switch kind {
        case .matched: "Now you can write to each other."
        case .messaged: "Read it, and answer if you like."
        case .meeting: "See when and where, and say so if you can’t come."
        case .met where part(0) == Meeting.Call.after.rawValue: "Your answer stays between you and this site."
        default: "See it, and answer if you like."
        }
    }
}
