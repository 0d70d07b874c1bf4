import Forms
import Templating

/// Somebody whom a host added by hand, at the desk or on the phone: in a place of an event or a shift without an
/// account, until a member takes the place over with the code on the slip.
struct Guest: Sendable {
    let id: ID<Guest>
    let name: String
    /// In years, as it was said; nil for an adult.
    let age: Int?
    let phone: String?
    let code: String
    let seat: Seat
    /// Whether the host took them off the list again.
    let isOff: Bool
    /// Since when something is different that the host hasn’t told them yet.
    let untoldSince: Instant?
    /// Whether their organization noted that they didn’t come to their shift.
    let isMissed: Bool

    /// What their place is at.
    enum Seat: Sendable {
        case event(ID<Registration>)
        case shift(ID<Shift>)
    }

    /// There is no place left, or the event or shift is over or was called off.
    struct NoRoom: Error {}

    static let codeLength = 10

    /// How long after a shift those who helped without a word before are still added: on the day after, or when the
    /// paper list is back.
    static let afterwards: Duration = .days(7)

    var spelled: String { PrintedCode.spelled(code) }
    var ageWords: Words? { age.map(Self.words) }

    /// What a press of “Told” is about, in a form: what changes later has to be told again.
    var untold: String { untoldSince.map { "\($0.milliseconds)" } ?? "" }

    /// What is said of people whom no letter reaches; nil where there are none.
    static func words(counting count: Int) -> Words? {
        guard count > 0 else { return nil }
        return Words(
            "{count} person added by hand has no account: please call them.",
            plural: "{count} people added by hand have no account: please call them.", count: count)
    }

    /// An age in words: `4 years`.
    static func words(_ age: Int) -> Words { Words("{count} year", plural: "{count} years", count: age) }
}

/// A list to which its host adds people.
enum GuestList: Sendable {
    case event(Event)
    /// Of a way to help, with its shifts.
    case help(Opportunity, [Shift])

    var title: Words {
        switch self {
        case .event(let event): event.readersTitle
        case .help(let opportunity, _): Words(verbatim: opportunity.title)
        }
    }

    var host: String {
        switch self {
        case .event(let event): event.host.name
        case .help(let opportunity, _): opportunity.host.name
        }
    }

    /// For which ages it is; nil where that isn’t said.
    var ages: Words? { if case .event(let event) = self { event.ages } else { nil } }

    /// When or where it is, and how full, in a line.
    var facts: Words {
        switch self {
        case .event(let event): "\(event.when, as: "when") · \(event.takenPlaces, as: "places")"
        case .help(let opportunity, _): opportunity.whereabouts
        }
    }

    /// The list itself.
    var link: Link {
        switch self {
        case .event(let event): .roster(of: event.id)
        case .help(let opportunity, _): opportunity.link / "signups"
        }
    }

    /// Where the host reads who is still to be told.
    var page: Link {
        switch self {
        case .event(let event): event.link
        case .help: link
        }
    }

    /// Where the people on it are added and shown.
    var people: Link {
        switch self {
        case .event(let event): .people(of: event.id)
        case .help(let opportunity, _): opportunity.link / "people"
        }
    }

    /// Where the host makes room.
    var change: Link {
        switch self {
        case .event(let event): event.link / "edit"
        case .help(let opportunity, _): opportunity.link / "edit"
        }
    }

    /// Whether people can be added, until it is over: also while registration isn’t open.
    func isOpen(at now: Instant) -> Bool {
        switch self {
        case .event(let event): event.takesGuests(at: now)
        case .help(let opportunity, _): !opportunity.isClosed && !shifts(at: now).isEmpty
        }
    }

    func isFull(at now: Instant) -> Bool {
        switch self {
        case .event(let event): event.isFull
        case .help: shifts(at: now).allSatisfy { !$0.takesGuests(at: now) }
        }
    }

    /// The shifts to which people are added: those that aren’t over, or were a few days ago.
    func shifts(at now: Instant) -> [Shift] {
        if case .help(_, let shifts) = self { shifts.filter { $0.endsAt > now - Guest.afterwards } } else { [] }
    }

    var isOfEvent: Bool { if case .event = self { true } else { false } }

    /// Whether those who are added can be there already: on the day of an event.
    func asksWhetherHere(at now: Instant) -> Bool {
        if case .event(let event) = self { !Roster.isEarly(event, at: now) } else { false }
    }
}

extension Event {
    /// Whether its host can add people by hand: until it is over, also while registration isn’t open.
    func takesGuests(at now: Instant) -> Bool { !isCancelled && !hasSessions && !isOver(at: now) }
}

extension Shift {
    /// Whether somebody without an account can be added: while there is room, and once it has begun in any case, since
    /// those who are added then are there, and others may not have come.
    func takesGuests(at now: Instant) -> Bool { left > 0 || startsAt <= now }
}

/// `/events/{id}/people/{guest}`, and the same of a way to help: somebody who was added, with the slip for them.
struct GuestSlip: Sendable {
    let guest: Guest
    let list: GuestList
    let when: Words
    let address: Words?
    let host: String
    /// That of the host, for those who can’t come.
    let phone: String?
    /// What went wrong just now.
    var problem: Words?
    /// Whether the list still changes.
    let isOpen: Bool
    /// Whether a member can take the place over with the slip.
    let isForTaking: Bool
    /// Whether it was a shift that is over.
    let isOver: Bool
    /// Where the code is typed in.
    let site: String
    /// The address that takes the place over, for a camera.
    let qr: QRCode?

    /// - Parameter site: The public URL of the site.
    init(_ guest: Guest, on list: GuestList, phone: String?, site: String, at now: Instant) {
        (self.guest, self.list, self.phone) = (guest, list, phone)
        host = list.host
        switch (list, guest.seat) {
        case (.help(let opportunity, let shifts), .shift(let id)):
            let shift = shifts.first { $0.id == id }
            when = shift?.moment ?? opportunity.when
            address = opportunity.place.words
            isOver = shift.map { $0.endsAt <= now } ?? false
            isOpen = list.isOpen(at: now) && list.shifts(at: now).contains { $0.id == id }
            isForTaking = isOpen || isOver
        case (.help(let opportunity, _), .event):
            (when, address) = (opportunity.when, nil)
            (isOpen, isForTaking, isOver) = (false, false, false)
        case (.event(let event), _):
            when = event.when
            address = event.place
            isOpen = list.isOpen(at: now)
            (isForTaking, isOver) = (isOpen, false)
        }
        self.site = Flyer.typed(site + Link.takeover.string)
        qr = QRCode(site + Link.takeover(guest.code).string)
    }

    var link: Link { list.people / guest.id }
}
