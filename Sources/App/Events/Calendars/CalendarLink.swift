import Forms
import Templating

/// The private address of a calendar, for the calendar program on a phone.
///
/// Anyone who has it sees when and where somebody is, so it is shown to its owner alone, and one press makes it
/// worthless.
struct CalendarLink: Sendable {
    let scope: Scope
    /// When it was made; nil while there is none.
    let since: Instant?
    /// What opens it; nil where there is none, or it was made before addresses could be shown again.
    let token: Token?

    /// The address, and how calendars of others are handed it.
    func address(at site: String) -> Address? {
        token.map { Address(url: site + Link.calendar($0.text).string) }
    }

    /// The address of a calendar, and the links that add it with one press.
    struct Address: Sendable {
        let url: String

        /// In the calendar of this phone or computer.
        var webcal: Link? { Link(subscribingTo: url) }
        var google: Link? {
            webcal.map { Link("https://calendar.google.com/calendar/render").with("cid", $0.string) }
        }
        var outlook: Link { Link("https://outlook.live.com/calendar/0/addfromweb").with("url", url) }
    }

    /// The person whose plans a calendar holds.
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
            case .child: "What this child is registered for and joined: for grandparents, or for pick-up."
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

        /// What a program calls the calendar: a child by initials, and by a number where another has the same.
        ///
        /// - Parameters:
        ///   - site: What the site is called, with its town.
        ///   - names: Those of all children of the family, in their order.
        func title(in site: String, beside names: [(id: ID<Child>, name: String)]) -> Words {
            switch self {
            case .account: "My plans, \(site, as: "site")"
            case .family: "My family, \(site, as: "site")"
            case .child(let id, let name):
                "\(CalendarLink.label(of: id, name, beside: names), as: "child"), \(site, as: "site")"
            }
        }

        var child: ID<Child>? { if case .child(let id, _) = self { id } else { nil } }
    }

    /// How far back a calendar reaches.
    static let past = Duration.days(90)

    /// A child's initials, with a number where a brother or sister has the same.
    static func label(of id: ID<Child>, _ name: String, beside names: [(id: ID<Child>, name: String)]) -> String {
        let own = initials(of: name)
        let same = names.filter { initials(of: $0.name) == own }
        guard same.count > 1, let place = same.firstIndex(where: { $0.id == id }) else { return own }
        return "\(own) \(place + 1)"
    }

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
    static func all(_ event: Event, _ line: ActivityLine) -> [Self] {
        let names = line.names.compactMap { $0.map(CalendarLink.initials) }.filter { !$0.isEmpty }
        return all(event, line.activity).map { entry in
            var entry = entry
            entry.who = names.joined(separator: ", ")
            return entry
        }
    }

    /// A shift that somebody took; nil of help that has none.
    init?(_ signup: Signup, language: Language) {
        guard let shift = signup.shift else { return nil }
        let address = signup.address.city.isEmpty ? "" : signup.address.withCountry.text(in: language)
        self.init(
            uid: "shift-\(signup.id)", title: signup.title, schedule: shift.schedule, zone: signup.zone,
            place: [signup.placeName, address].filter { !$0.isEmpty }.joined(separator: ", "), host: signup.hostName,
            link: signup.link, at: signup.changedAt)
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
