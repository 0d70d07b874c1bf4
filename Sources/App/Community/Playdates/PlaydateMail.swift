import Forms
import Templating

// Letters about play dates never contain a message, a place or contact data.

extension LetterText {
    static func playdate(_ kind: NoticeKind, _ detail: String, _ match: ID<PetMatch>) -> LetterText {
        let news = PlaydateNews(kind, detail, match)
        let words = news.words
        return LetterText(
            subject: words, heading: words, lines: [news.more],
            action: Action(name: news.isOfEnded ? "Your matches" : "Open the match", link: news.link),
            answers: .members)
    }
}

/// The content of a notice about a match.
struct PlaydateNews: InboxNews {
    /// The detail for a meeting that is to be moved.
    static let changed = "changed"
    /// The detail for one that waits for an answer, or waited in vain.
    static let waits = "waits"
    static let unanswered = "unanswered"
    /// The detail for one that is canceled because its match ended, or restored with it.
    static let ended = "ended"
    static let resumed = "resumed"

    private let kind: NoticeKind
    private let match: ID<PetMatch>?
    private let parts: [String]

    init(_ kind: NoticeKind, _ detail: String, _ match: ID<PetMatch>?) {
        (self.kind, self.match) = (kind, match)
        parts = detail.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
    }

    init?(_ notice: Notice) { self.init(notice.kind, notice.detail, notice.subject.map { ID($0) }) }

    var link: Link {
        guard !isOfEnded, let match else { return .matches }
        return kind == .met || kind == .meeting ? Link.match(match).fragment("meetings") : .match(match)
    }
    var look: String { kind == .messaged ? "word" : "in" }

    var icon: Icon {
        switch kind {
        case .matched: .wave
        case .messaged: .comment
        default: .paw
        }
    }

    func more(for reader: Zone) -> Words { more }

    /// The other pet, with the day if known: two pets may meet more than once.
    private var meeting: Words {
        Event.name(Words(verbatim: part(1)), on: Day(iso: part(2)))
    }

    /// Whether its match has ended.
    var isOfEnded: Bool { kind == .met && part(0) == Self.ended }

    /// The detail for a canceled or restored meeting: the pet and the time, in the zone in which it was agreed.
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
