import Forms
import Templating

/// `/claim/{code}`: a place given at a desk, for a member to take over.
struct Takeover: Sendable {
    let guest: Guest
    let thing: Thing
    /// The possible people: the member's children, and the member, except at an event for children.
    let people: [Person]
    /// Whether it can be taken over: until it is over or called off; a shift also after it, with its hours.
    let isOpen: Bool

    /// What the place belongs to.
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

        func when(for reader: Zone) -> Words {
            switch self {
            case .event(let event): event.when(for: reader)
            case .shift(let shift, _): shift.moment(for: reader)
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

    /// Whether it was canceled; otherwise it is over if it isn't open.
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

    /// The member’s place after taking it over.
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

    /// The person has a place there already, or waits for one.
    struct HasPlace: Error {}

    /// The form with the possible people.
    func form() -> Submission<TakeoverForm> {
        var form = Submission<TakeoverForm>()
        // Preselect a person with the same name, or the only one.
        let free = people.filter { !$0.isIn }
        let named = free.filter { folded($0.name) == folded(guest.name) }
        if let only = named.count == 1 ? named[0] : free.count == 1 ? free[0] : nil {
            form.fill(\.attendee, only.attendee)
        }
        offer(in: &form)
        return form
    }

    /// Offers the possible people in the form.
    func offer(in form: inout Submission<TakeoverForm>) {
        form.offer(
            \.attendee,
            people.map {
                Choice(
                    $0.attendee.typed, $0.attendee == .me ? "Me" : Words(verbatim: $0.name),
                    detail: $0.isIn ? "has a place here already" : nil, isDisabled: $0.isIn)
            })
    }

    /// Whether there is no possible person.
    var isForNobody: Bool { people.allSatisfy(\.isIn) }
    /// Whether it is for children.
    var isForChildren: Bool { if case .event = thing { true } else { false } }
}

/// The person who gets the place.
struct TakeoverForm: Form {
    var attendee: Attendee?

    static let fields: [Field<TakeoverForm>] = [
        .choice("person", \.attendee, "Whose place is it?").drawn(as: .radios).conditional
    ]
}

/// A code typed on `/claim`.
struct TakeoverCodeForm: Form {
    var code = ""

    static let fields: [Field<TakeoverCodeForm>] = [
        .text("code", \.code, "Code on the slip", 1...40).autocomplete("off")
            .hint("Ten letters and numbers. Capitals and hyphens don’t matter.").missing("Type the code.")
    ]
}
