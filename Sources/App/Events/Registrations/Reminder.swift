import Forms
import Templating

/// What the families of an event are told shortly before it, each as it chose.
enum Reminder: String, CaseIterable, Sendable {
    case day, hours

    var kind: NoticeKind {
        switch self {
        case .day: .dayBefore
        case .hours: .hoursBefore
        }
    }

    init?(_ kind: NoticeKind) {
        guard let reminder = Self.allCases.first(where: { $0.kind == kind }) else { return nil }
        self = reminder
    }

    /// When it is due: the day before, when a clock at the venue shows the time of the start; or two hours before.
    func due(for schedule: Schedule, in zone: Zone) -> Instant {
        switch self {
        case .day: zone.instant(schedule.day.advanced(by: -1), schedule.start)
        case .hours: schedule.startsAt - .hours(2)
        }
    }

    func due(for event: Event) -> Instant { due(for: event.schedule, in: Zone(identifier: event.zone) ?? .utc) }
}

/// What the link in a reminder opens: giving back all places of the family at that event. Whoever has the letter may,
/// and it opens nothing else.
struct GiveBackLink: Sendable {
    let registration: ID<Registration>

    init(_ registration: ID<Registration>) { self.registration = registration }

    init?(_ token: String, _ seal: Seal) {
        guard let id = seal.open(token, of: "back").flatMap({ ID<Registration>($0) }) else { return nil }
        registration = id
    }

    func link(_ seal: Seal) -> Link { Link("/give-back") / seal.sealed("\(registration)", as: "back") }
}

/// What the link in the letter of an offer opens: the answer to that offer, as long as it lasts.
struct OfferLink: Sendable {
    let registration: ID<Registration>

    init(_ registration: ID<Registration>) { self.registration = registration }

    init?(_ token: String, _ seal: Seal) {
        guard let id = seal.open(token, of: "offer").flatMap({ ID<Registration>($0) }) else { return nil }
        registration = id
    }

    func link(_ seal: Seal) -> Link { Link("/offers") / seal.sealed("\(registration)", as: "offer") }
}

extension Seal {
    /// A word that is good for one purpose: `offer-7.` and 43 characters.
    func sealed(_ word: String, as purpose: String) -> String { sealed("\(purpose)-\(word)") }

    func open(_ text: String, of purpose: String) -> String? {
        guard let word = open(text), word.hasPrefix(purpose + "-") else { return nil }
        return String(word.dropFirst(purpose.count + 1))
    }
}
