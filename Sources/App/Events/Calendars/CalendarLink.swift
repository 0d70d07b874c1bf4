import Forms
import Templating

/// The private address of a calendar, for a phone's calendar program.
///
/// Anyone who has it can see when and where somebody is. So only its owner sees it, and can invalidate it with one
/// press.
struct CalendarLink: Sendable {
    let scope: Scope
    /// When it was made; nil if there is none.
    let since: Instant?
    /// Its token; nil if there is none, or it was made before tokens could be recovered.
    let token: Token?

    /// The address in the forms that calendar programs need.
    func address(at site: String) -> Address? {
        token.map { Address(url: site + Link.calendar($0.text).string) }
    }

    /// A calendar's address, with links that subscribe to it.
    struct Address: Sendable {
        let url: String

        /// Opens the device's own calendar program.
        var webcal: Link? { Link(subscribingTo: url) }
        var google: Link? {
            webcal.map { Link("https://calendar.google.com/calendar/render").with("cid", $0.string) }
        }
        var outlook: Link { Link("https://outlook.live.com/calendar/0/addfromweb").with("url", url) }
    }

    /// The person or family whose plans a calendar contains.
    enum Scope: Sendable, Equatable {
        /// Everything scheduled for an account, including shifts and meetings.
        case account
        /// The family's registrations and activities.
        case family
        /// One child's registrations and activities.
        case child(ID<Child>, name: String)

        var name: Words {
            switch self {
            case .account: "Everything I have planned"
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

        /// The form's value: `account`, `family`, `child-3`.
        var text: String {
            switch self {
            case .account: "account"
            case .family: "family"
            case .child(let id, _): "child-\(id)"
            }
        }

        /// The calendar's title in programs: a child is given by initials, with a number if another has the same.
        ///
        /// - Parameters:
        ///   - site: The site's name with its town.
        ///   - names: All children of the family, in order.
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

    /// A child's initials, with a number if a sibling has the same.
    static func label(of id: ID<Child>, _ name: String, beside names: [(id: ID<Child>, name: String)]) -> String {
        let own = initials(of: name)
        let same = names.filter { initials(of: $0.name) == own }
        guard same.count > 1, let place = same.firstIndex(where: { $0.id == id }) else { return own }
        return "\(own) \(place + 1)"
    }

    /// A child's name in a calendar, which may be visible to others: `Ana Ortiz` becomes `A.O.`.
    static func initials(of nickname: String) -> String {
        nickname.split { !$0.isLetter && !$0.isNumber }.prefix(3).map { "\($0.first!.uppercased())." }.joined()
    }
}

/// A family's registration in its calendar.
struct Booking: Sendable {
    let event: ID<Event>
    /// The nicknames of the participating children.
    var children: [String] = []
    /// The number of changes: registrations and places given back.
    var changes = 0
    var updatedAt: Instant
}

extension EventCalendar.Entry {
    /// An event in the calendar of a registered family.
    init(_ event: Event, _ booking: Booking) {
        self.init(event)
        who = booking.children.map(CalendarLink.initials).filter { !$0.isEmpty }.joined(separator: ", ")
        isCancelled = event.isCancelled || booking.children.isEmpty
        sequence = event.sequence + booking.changes
        updatedAt = max(event.updatedAt, booking.updatedAt)
        isPrivate = !booking.children.isEmpty
    }

    /// The entries for an activity of the family.
    static func all(_ event: Event, _ line: ActivityLine) -> [Self] {
        let names = line.names.compactMap { $0.map(CalendarLink.initials) }.filter { !$0.isEmpty }
        return all(event, line.activity).map { entry in
            var entry = entry
            entry.who = names.joined(separator: ", ")
            return entry
        }
    }

    /// A shift; nil for help without one.
    init?(_ signup: Signup, language: Language) {
        guard let shift = signup.shift else { return nil }
        let address = signup.address.city.isEmpty ? "" : signup.address.withCountry.text(in: language)
        self.init(
            uid: "shift-\(signup.id)", title: signup.title, schedule: shift.schedule, zone: signup.zone,
            place: [signup.placeName, address].filter { !$0.isEmpty }.joined(separator: ", "), host: signup.hostName,
            link: signup.link, at: signup.changedAt)
        isTentative = signup.state == .asked
    }

    /// A pets' meeting, in the town's zone; nil if no time is agreed.
    init?(_ line: MeetingLine, in zone: Zone, language: Language) {
        guard let schedule = line.schedule(in: zone) else { return nil }
        self.init(
            uid: "meeting-\(line.meeting.id)", title: line.match.names.text(in: language), schedule: schedule,
            zone: zone.identifier, place: line.meeting.place, host: "", link: line.link, at: line.match.at)
    }

    /// An entry that isn't an event of the site, with a title, a time and a place.
    ///
    /// - Parameter at: When it was last changed.
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
        // Rises with each change: minutes since a day in 2025, because it must fit into 31 bits.
        sequence = Int(max(0, at.milliseconds / 60_000 - 29_000_000))
    }
}
