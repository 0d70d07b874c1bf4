import Forms
import Templating

/// A list to which its host adds guests.
enum GuestList: Sendable {
    case event(Event)
    /// An opportunity with its shifts.
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

    /// The ages; nil if not stated.
    var ages: Words? { if case .event(let event) = self { event.ages } else { nil } }

    /// Time or place, and the number of places, on one line.
    func facts(for reader: Zone) -> Words {
        switch self {
        case .event(let event): "\(event.when(for: reader), as: "when") · \(event.takenPlaces, as: "places")"
        case .help(let opportunity, _): opportunity.whereabouts
        }
    }

    /// The list's page.
    var link: Link {
        switch self {
        case .event(let event): .roster(of: event.id)
        case .help(let opportunity, _): opportunity.link / "signups"
        }
    }

    /// The page that shows which guests must still be told.
    var page: Link {
        switch self {
        case .event(let event): event.link
        case .help: link
        }
    }

    /// The page where guests are added and shown.
    var people: Link {
        switch self {
        case .event(let event): .people(of: event.id)
        case .help(let opportunity, _): opportunity.link / "people"
        }
    }

    /// The page where the host can add places.
    var change: Link {
        switch self {
        case .event(let event): event.link / "edit"
        case .help(let opportunity, _): opportunity.link / "edit"
        }
    }

    /// Whether guests can be added: until it is over, even if registration isn’t open.
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

    /// Whether added guests may already be there: on the day of an event.
    func asksWhetherHere(at now: Instant) -> Bool {
        if case .event(let event) = self { !Roster.isEarly(event, at: now) } else { false }
    }
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
    let address: Words?
    let host: String
    /// The host's phone number.
    private let phone: String?
    /// The host's phone number, for a guest who can’t come; nil once it is too late for that.
    var phoneToCall: String? { isOpen && !isOver ? phone : nil }
    /// What is wrong with putting them back on the list.
    var problems: [Problem] = []
    /// Whether the list can still change.
    let isOpen: Bool
    /// Whether they can be taken off the list: not once their hours are confirmed.
    var canTakeOff: Bool { isOpen && !hasHours }
    private let hasHours: Bool
    /// Whether a member can take the place over with the slip.
    let isForTaking: Bool
    /// Whether it was a shift that is over.
    let isOver: Bool
    /// Where the code is typed in.
    let site: String
    /// A QR code for taking the place over.
    let qr: QRCode?

    /// - Parameters:
    ///   - hasHours: Whether their hours are confirmed.
    ///   - site: The site's public URL.
    init(_ guest: Guest, on list: GuestList, phone: String?, hasHours: Bool, site: String, at now: Instant) {
        (self.guest, self.list, self.phone, self.hasHours) = (guest, list, phone, hasHours)
        host = list.host
        switch (list, guest.seat) {
        case (.help(let opportunity, let shifts), .shift(let id)):
            let shift = shifts.first { $0.id == id }
            address = opportunity.place.words
            isOver = shift.map { $0.endsAt <= now } ?? false
            isOpen = list.isOpen(at: now) && list.shifts(at: now).contains { $0.id == id }
            isForTaking = (isOpen || isOver) && !guest.isMissed
        case (.help, .event):
            address = nil
            (isOpen, isForTaking, isOver) = (false, false, false)
        case (.event(let event), _):
            address = event.place
            isOpen = list.isOpen(at: now)
            (isForTaking, isOver) = (isOpen, false)
        }
        self.site = Flyer.typed(site + Link.takeover.string)
        qr = QRCode(site + Link.takeover(guest.code).string)
    }

    /// When it is, for a reader.
    func when(for reader: Zone) -> Words {
        switch (list, guest.seat) {
        case (.help(let opportunity, let shifts), .shift(let id)):
            shifts.first { $0.id == id }?.moment(for: reader) ?? opportunity.when
        case (.help(let opportunity, _), .event): opportunity.when
        case (.event(let event), _): event.when(for: reader)
        }
    }

    var link: Link { list.people / guest.id }
}

extension HelperList {
    /// The list to which people are added by hand.
    var guestList: GuestList { .help(opportunity, shifts) }
}
