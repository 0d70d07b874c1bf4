import Forms
import Templating

/// A host's message to all participants, or an organization's to its helpers.
struct Announcement: Sendable {
    let id: ID<Announcement>
    let subject: String
    let body: String
    let at: Instant
    /// The number of families or helpers who got it.
    let families: Int
    /// How many of them opened the notice.
    var opened = 0

    /// The most per day.
    static let aDay = 3
    /// The most shifts to choose from.
    static let mostShifts = 100

    /// The subject.
    enum Place: Sendable {
        case event(ID<Event>)
        case help(ID<Opportunity>)

        var event: ID<Event>? { if case .event(let id) = self { id } else { nil } }
        var opportunity: ID<Opportunity>? { if case .help(let id) = self { id } else { nil } }
    }

    /// A group of helpers: of a current or past shift, without a shift, or waiting for a place or an answer.
    enum Readers: FormValue, Hashable {
        case shift(ID<Shift>)
        case shiftless, waiting

        init?(typed: String) {
            switch typed {
            case "shiftless": self = .shiftless
            case "waiting": self = .waiting
            default:
                let parts = typed.split(separator: "-")
                guard parts.count == 2, parts[0] == "shift", let id = ID<Shift>(String(parts[1])) else { return nil }
                self = .shift(id)
            }
        }

        var shift: ID<Shift>? { if case .shift(let id) = self { id } else { nil } }

        var typed: String {
            switch self {
            case .shift(let id): "shift-\(id)"
            case .shiftless: "shiftless"
            case .waiting: "waiting"
            }
        }
    }

    var text: HTML { .paragraphs(of: body) }

    func when(at place: Zone, for reader: Zone) -> Words { reader.words(at, besides: place, \.fullName) }

    /// The day's limit is reached.
    struct TooMany: Error {}
}
