import Forms
import Templating

/// `/claim/{code}`: a place given at a desk, for a member who takes it over.
struct Takeover: Sendable {
    let guest: Guest
    let thing: Thing
    /// The people who can have it: the member, except at an event for children; and at any event the member’s children.
    let people: [Person]
    /// Whether it can be taken over: until it is over or called off; a shift also after it, with its hours.
    let isOpen: Bool

    /// What the place is at.
    enum Thing: Sendable {
        case event(Event)
        case shift(Shift, of: Opportunity)

        var title: Words {
            switch self {
            case .event(let event): event.readersTitle
            case .shift(_, let opportunity): Words(verbatim: opportunity.title)
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

        var address: Words {
            switch self {
            case .event(let event): event.place
            case .shift(_, let opportunity): opportunity.place.words
            }
        }

        var host: String {
            switch self {
            case .event(let event): event.host.name
            case .shift(_, let opportunity): opportunity.host.name
            }
        }
    }

    /// Whether it was called off; else what isn't open is over.
    var isCalledOff: Bool {
        switch thing {
        case .event(let event): event.isCancelled
        case .shift(_, let opportunity): opportunity.isClosed
        }
    }

    struct Person: Sendable {
        let attendee: Attendee
        let name: String
        /// Whether they have a place there already.
        let isIn: Bool
    }

    /// The member’s place, once it is theirs.
    enum Outcome: Sendable {
        case registration(ID<Registration>)
        /// At a community event, where a place has no page of its own.
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

    /// The person already has a place there, or waits for one.
    struct HasPlace: Error {}

    /// The form, with those who can have the place.
    func form() -> Submission<TakeoverForm> {
        var form = Submission<TakeoverForm>()
        // One of the same name, or the only one: anybody else is chosen by hand.
        let free = people.filter { !$0.isIn }
        let named = free.filter { folded($0.name) == folded(guest.name) }
        if let only = named.count == 1 ? named[0] : free.count == 1 ? free[0] : nil {
            form.fill(\.attendee, only.attendee)
        }
        offer(in: &form)
        return form
    }

    /// Offers those who can have the place; refuses any other.
    func offer(in form: inout Submission<TakeoverForm>) {
        form.offer(
            \.attendee,
            people.map {
                Choice(
                    $0.attendee.typed, $0.attendee == .me ? "Me" : Words(verbatim: $0.name),
                    detail: $0.isIn ? "has a place here already" : nil, isDisabled: $0.isIn)
            })
    }

    /// Whether nobody can have it.
    var isForNobody: Bool { people.allSatisfy(\.isIn) }
    /// Whether children can have it.
    var isForChildren: Bool { if case .event = thing { true } else { false } }
}

/// The person to whom a place from a desk goes.
struct TakeoverForm: Form {
    var attendee: Attendee?

    static let fields: [Field<TakeoverForm>] = [
        .choice("person", \.attendee, "Whose place is it?").drawn(as: .radios)
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
