import Forms
import Templating

/// The private address of a calendar, for the calendar program on a phone.
///
/// Whoever has it sees when and where somebody is, so it is shown once, and one press makes it worthless.
struct CalendarLink: Sendable {
    let scope: Scope
    /// When it was made; nil while there is none.
    let since: Instant?

    /// Whose plans a calendar holds.
    enum Scope: Sendable, Equatable {
        /// All that has a time for an account, its shifts and meetings too.
        case account
        /// Where the account's family is registered, and what it joined.
        case family
        /// The same of one child.
        case child(ID<Child>, name: String)

        var name: Words {
            switch self {
            case .account: "All that I have planned"
            case .family: "What my family goes to"
            case .child(_, let name): Words(verbatim: name)
            }
        }

        var about: Words {
            switch self {
            case .account: "Events, activities, shifts and play dates: yours and your children’s."
            case .family: "What you and your children are registered for and joined."
            case .child: "What this child is registered for and joined: for grandparents, or who fetches it."
            }
        }

        /// As its form sends it: `account`, `family`, `child-3`.
        var text: String {
            switch self {
            case .account: "account"
            case .family: "family"
            case .child(let id, _): "child-\(id)"
            }
        }

        var child: ID<Child>? { if case .child(let id, _) = self { id } else { nil } }
    }

    /// How far back a calendar reaches.
    static let past = Duration.days(90)

    /// A child as a calendar names it, which lies about on screens: `Ana Ortiz` is `A.O.`.
    static func initials(of nickname: String) -> String {
        nickname.split { !$0.isLetter && !$0.isNumber }.prefix(3).map { "\($0.first!.uppercased())." }.joined()
    }
}

/// Where a family is registered, as its calendar shows it.
struct Booking: Sendable {
    let event: ID<Event>
    /// The nicknames of those who come.
    var children: [String] = []
    /// How often something about it changed: registrations made, and places given back.
    var changes = 0
    var updatedAt: Instant
}

extension EventCalendar.Entry {
    /// The event in the calendar of a family that is registered.
    init(_ event: Event, _ booking: Booking) {
        self.init(event)
        who = booking.children.map(CalendarLink.initials).filter { !$0.isEmpty }.joined(separator: ", ")
        isCancelled = event.isCancelled || booking.children.isEmpty
        sequence = event.sequence + booking.changes
        updatedAt = max(event.updatedAt, booking.updatedAt)
        isPrivate = !booking.children.isEmpty
    }

    /// An activity that somebody of the family is in.
    init(_ event: Event, _ line: ActivityLine) {
        self.init(event, line.activity)
        who = line.names.compactMap { $0.map(CalendarLink.initials) }.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// A shift that somebody took; nil of help that has none.
    init?(_ signup: Signup) {
        guard let shift = signup.shift else { return nil }
        self.init(
            uid: "shift-\(signup.id)", title: signup.title, schedule: shift.schedule, zone: signup.zone,
            place: signup.place, host: signup.hostName, link: signup.link, at: signup.changedAt)
    }

    /// A meeting of pets, by the town's clock; nil while no time is agreed.
    init?(_ line: MeetingLine, in zone: Zone, language: Language) {
        guard let schedule = line.schedule(in: zone) else { return nil }
        self.init(
            uid: "meeting-\(line.meeting.id)", title: line.match.names.text(in: language), schedule: schedule,
            zone: zone.identifier, place: line.meeting.place, host: "", link: line.link, at: line.match.at)
    }

    /// What is no event of the site: it has a title, a time and a place.
    ///
    /// - Parameter at: When it was changed the last time.
    private init(
        uid: String, title: String, schedule: Schedule, zone: String, place: String, host: String, link: Link,
        at: Instant
    ) {
        var event = Event(
            id: ID(0), host: Event.Host(id: ID(0), username: "", name: host, person: nil), title: title,
            schedule: schedule,
            venue: Venue(address: Address(street: "", city: ""), zone: zone), admission: Admission(),
            details: EventDetails(description: ""))
        (event.createdAt, event.updatedAt) = (at, at)
        self.init(event)
        (self.uid, self.link, location) = (uid, link, place)
        // It rises with each change: minutes since a day in 2025, as it has to fit 31 bits.
        sequence = Int(max(0, at.milliseconds / 60_000 - 29_000_000))
    }
}
