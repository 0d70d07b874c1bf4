import Forms
import Templating

// The words of letters about play dates: never a message, a place or how to reach somebody.

extension LetterText {
    static func playdate(_ kind: NoticeKind, _ detail: String, _ match: ID<PetMatch>) -> LetterText {
        let news = PlaydateNews(kind, detail)
        let words = news.words
        return LetterText(
            subject: words, heading: words, lines: [news.more],
            action: news.isOfEnded
                ? Action(name: "Your matches", link: .matches) : Action(name: "Open the match", link: .match(match)))
    }
}

/// What a notice about a match says.
struct PlaydateNews {
    /// What a notice keeps of a meeting that is to be at another time.
    static let changed = "changed"
    /// What it keeps of one that waits for an answer, or waited in vain.
    static let waits = "waits"
    static let unanswered = "unanswered"
    /// And of one that is off since its match is no longer there, or on again with it.
    static let ended = "ended"
    static let resumed = "resumed"

    private let kind: NoticeKind
    private let parts: [String]

    init(_ kind: NoticeKind, _ detail: String) {
        self.kind = kind
        parts = detail.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
    }

    /// The pet one meets, with the day where it is known: two pets meet more than once.
    private var meeting: Words {
        Event.name(Words(verbatim: part(1)), on: Day(iso: part(2)))
    }

    /// Whether the match that it tells of is gone.
    var isOfEnded: Bool { kind == .met && part(0) == Self.ended }

    /// What a notice keeps of a meeting that is off or on again: which pet, and when, by the clock it was agreed by.
    static func detail(_ what: String, of pet: String, at start: Instant, in zone: Zone?) -> String {
        guard let (day, time) = zone?.local(start) else { return "\(what)\u{1F}\(pet)" }
        return "\(what)\u{1F}\(pet)\u{1F}\(day.iso)\u{1F}\(time.minutes)"
    }

    private var when: Words? {
        guard let day = Day(iso: part(2)), let time = Int(part(3)).flatMap({ TimeOfDay(minutes: $0) }) else {
            return nil
        }
        return "\(day.name, as: "day"), \(time.name, as: "time")"
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
        case .met where part(0) == Self.waits:
            "\(part(1), as: "name") still waits for your answer: when do you meet?"
        case .met where part(0) == Self.unanswered:
            "There was no answer in time: when to meet \(part(1), as: "name")"
        case .met where part(0) == Self.changed:
            "Another time to meet \(part(1), as: "name")? Your answer is awaited"
        case .met where part(0) == Self.ended:
            when.map { "Canceled: the meeting with \(part(1), as: "name") on \($0, as: "when")" }
                ?? "Canceled: the meeting with \(part(1), as: "name")"
        case .met where part(0) == Self.resumed:
            when.map { "On again: the meeting with \(part(1), as: "name") on \($0, as: "when")" }
                ?? "On again: the meeting with \(part(1), as: "name")"
        default:
            switch Meeting.State(rawValue: part(0)) {
            case .canceled? where part(1).isEmpty: "Canceled: a meeting. The other pet is no longer here"
            case .agreed?: "It is agreed when you meet \(meeting, as: "name")"
            case .declined?: "What you proposed doesn’t suit \(part(1), as: "name")"
            case .canceled?: "Canceled: the meeting with \(meeting, as: "name")"
            case .proposed?, nil: "When to meet \(part(1), as: "name")? Your answer is awaited"
            }
        }
    }

    var more: Words {
        switch kind {
        case .matched: "Now you can write to each other."
        case .messaged: "Read it, and answer if you like."
        case .meeting: "See when and where, and say so if you can’t come."
        case .met where isOfEnded: "The meeting is off. Please don’t go there."
        case .met where part(0) == Meeting.Call.after.rawValue: "Your answer stays between you and this site."
        case .met where part(0) == Self.unanswered: "The times you proposed are over. Propose others if you like."
        default: "See it, and answer if you like."
        }
    }
}
