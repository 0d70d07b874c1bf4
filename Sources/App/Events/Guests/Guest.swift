import Forms
import Templating

/// Somebody whom a host added by hand, at the desk or on the phone: in a place of an event or a shift without an
/// account, until a member takes the place over with the code on the slip.
struct Guest: Sendable {
    let id: ID<Guest>
    let name: String
    /// In years, as it was said; nil of a grown-up.
    let age: Int?
    let phone: String?
    let code: String
    let place: Place
    /// Whether the host took them off the list again.
    let isOff: Bool
    /// Whether something is otherwise that the host hasn’t told them yet.
    let isUnaware: Bool

    enum Place: Sendable {
        case event(ID<Registration>)
        case shift(ID<Shift>)
    }

    /// What a host does with somebody who was added: off the list, and back on it; told what changed.
    enum Change: Sendable { case off, back, told }

    static let codeLength = 10

    var spelled: String { PrintedCode.spelled(code) }
    var ageWords: Words? { age.map(Self.words) }

    /// An age in words: `4 years`.
    static func words(_ age: Int) -> Words { Words("{count} year", plural: "{count} years", count: age) }
}

/// Adding somebody to the list of an event or of a shift.
struct GuestForm: Form {
    var name = ""
    /// At an event.
    var age: Int?
    var phone: String?
    /// At an event: whether they are there already.
    var isHere = false
    /// Of a way to help: which one.
    var shift: ID<Shift>?

    static let fields: [Field<GuestForm>] = [
        .text("name", \.name, "First name", 1...30).checked(Name.problem).autocomplete("off")
            .missing("Give a first name, or what they are called.")
            .hint("Or what they are called. You alone see it, and it is erased with the list."),
        .number("age", \.age, "Age, if it is a child", 0...17).narrow.conditional,
        .text("phone", \.phone, "Phone", 5...30).drawn(as: .telephone).autocomplete("off")
            .hint("To call if something changes: no letter reaches them."),
        .checkbox("here", \.isHere, "Is here already").conditional,
        .choice("shift", \.shift, "Shift").drawn(as: .radios).conditional,
    ]
}

/// Where people are added: the list of an event, or of a way to help.
struct GuestList: Sendable {
    let title: String
    let facts: Words
    /// The list itself.
    let link: Link
    /// Where the people on it are added and shown.
    let people: Link
    /// Where the host makes room.
    let change: Link
    let isFull: Bool
    /// Whether they can be there already.
    var asksWhetherHere = false
    var isOfEvent = true

    var new: Link { people / "new" }
}

/// `/events/{id}/people/{guest}`, and of a shift: somebody who was added, with the slip for them.
struct GuestSlip: Sendable {
    let guest: Guest
    let list: GuestList
    let when: Words
    let address: Words?
    /// Whether the list still changes.
    let isOpen: Bool
    /// Where the code is typed in.
    let site: String
    /// The address that takes the place over, for a camera.
    let qr: QRCode?

    /// - Parameter site: The public URL of the site.
    init(_ guest: Guest, on list: GuestList, when: Words, address: Words?, isOpen: Bool, site: String) {
        (self.guest, self.list, self.when, self.address, self.isOpen) = (guest, list, when, address, isOpen)
        self.site = Flyer.typed(site + Link.claim.string)
        qr = QRCode(site + Link.claim(guest.code).string)
    }

    var link: Link { list.people / guest.id }
}

extension Event {
    /// Whether its host can add people by hand: until it is over, also while registration isn't open.
    func takesGuests(at now: Instant) -> Bool { !isCancelled && !isOver(at: now) }
}

/// `/claim/{code}`: a place from a desk, for a member who takes it over.
struct Takeover: Sendable {
    let guest: Guest
    let thing: Thing
    /// The member, but at an event for children, and there the member’s children.
    let people: [Person]
    /// Whether it can be taken over: until it is over or called off.
    let isOpen: Bool

    /// What the place is at.
    enum Thing: Sendable {
        case event(Event)
        case shift(Shift, of: Opportunity)

        var title: String {
            switch self {
            case .event(let event): event.title
            case .shift(_, let opportunity): opportunity.title
            }
        }

        var link: Link {
            switch self {
            case .event(let event): event.link
            case .shift(_, let opportunity): opportunity.link
            }
        }

        var when: Words {
            switch self {
            case .event(let event): event.when
            case .shift(let shift, _): shift.moment
            }
        }
    }

    struct Person: Sendable {
        let attendee: Attendee
        let name: String
        /// Whether they have a place there already.
        let isIn: Bool
    }

    /// The member’s place, once it is theirs.
    enum Place: Sendable {
        case registration(ID<Registration>)
        /// At a community event, which has no page for it.
        case visit(ID<Event>)
        case signup(ID<Signup>)

        var link: Link {
            switch self {
            case .registration(let id): .registration(id)
            case .visit(let event): .event(event)
            case .signup(let id): .signup(id)
            }
        }
    }

    /// The place is none of theirs: they have one there already, or wait for one.
    struct HasPlace: Error {}

    /// The form, with those whose place it can become.
    func form() -> Submission<TakeoverForm> {
        var form = Submission<TakeoverForm>()
        if let first = people.first(where: { !$0.isIn }) { form.fill(\.attendee, first.attendee) }
        offer(in: &form)
        return form
    }

    /// Refuses everybody else.
    func offer(in form: inout Submission<TakeoverForm>) {
        form.offer(
            \.attendee,
            people.map {
                Choice(
                    $0.attendee.typed, $0.attendee == .me ? "Me" : Words(verbatim: $0.name),
                    detail: $0.isIn ? "has a place here already" : nil, isDisabled: $0.isIn)
            })
    }

    /// Whether there is nobody whose place it could become.
    var isForNobody: Bool { people.allSatisfy(\.isIn) }
    /// Whether children can have it.
    var isForChildren: Bool { if case .event = thing { true } else { false } }
}

/// The person to whom a place from a desk goes.
struct TakeoverForm: Form {
    var attendee = Attendee.me

    static let fields: [Field<TakeoverForm>] = [
        .choice("person", \.attendee, "Whose place is it?").drawn(as: .radios).missing("Choose whose place it is.")
    ]
}

/// A code as it is typed on `/claim`.
struct TakeoverCodeForm: Form {
    var code = ""

    static let fields: [Field<TakeoverCodeForm>] = [
        .text("code", \.code, "Code on the slip", 1...40).autocomplete("off")
            .hint("Ten letters and numbers. Capitals and hyphens don’t matter.").missing("Type the code.")
    ]
}
