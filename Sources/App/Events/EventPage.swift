import Database
import Forms
import Templating

/// What the detail page shows: the event, and what this visitor can decide about it.
struct EventPage: Sendable {
    let event: Event
    let decision: Decision
    /// The family's children, with the age each has on that day.
    let children: [ChildChoice]
    /// What the family has booked already.
    let registrations: [ID<Registration>]
    let isOwn: Bool

    /// What the panel on the right offers.
    enum Decision: Sendable, Equatable {
        case preview, cancelled, over, full, logIn, makeFamily, wearParentsHat, addChild, register, allRegistered
        case ownEvent
    }

    /// One child in the panel.
    struct ChildChoice: Sendable {
        let id: ID<Child>
        let name: String
        /// The age on that day, or why the child can't come.
        let detail: Words
        let isFit: Bool
        let isRegistered: Bool
    }

    init(preview event: Event) {
        self.event = event
        decision = .preview
        children = []
        registrations = []
        isOwn = true
    }

    /// The page of a stored event, for this visitor.
    init(_ id: ID<Event>, _ context: some Context, in db: Connection) throws {
        guard let event = try Event.find(id, in: db) else { throw Refusal.notFound }
        let visitor = context.visit.visitor
        let isOwn = visitor?.provider?.id == event.provider.id
        // A hidden event is there for its provider and for staff only.
        guard !event.isHidden || isOwn || visitor?.isStaff == true else { throw Refusal.notFound }
        var children: [ChildChoice] = []
        var registrations: [ID<Registration>] = []
        if let family = visitor?.family {
            let booked = try Registration.children(of: family.id, at: id, in: db)
            registrations = try Registration.confirmed(of: family.id, at: id, in: db)
            children = try Child.all(of: family.id, in: db).map { child in
                ChildChoice(child, at: event, isRegistered: booked.contains(child.id))
            }
        }
        self.event = event
        self.children = children
        self.registrations = registrations
        self.isOwn = isOwn
        decision =
            if event.isCancelled {
                .cancelled
            } else if event.hasStarted(at: context.now) {
                .over
            } else if isOwn, visitor?.isProvider == true {
                .ownEvent
            } else if !children.isEmpty, children.allSatisfy(\.isRegistered) {
                .allRegistered
            } else if event.isFull {
                .full
            } else if let visitor {
                switch (visitor.family, visitor.isParent, children.isEmpty) {
                case (nil, _, _): .makeFamily
                case (_, false, _): .wearParentsHat
                case (_, _, true): .addChild
                default: .register
                }
            } else {
                .logIn
            }
    }

    /// A fresh form with the children who may come.
    func registration() -> Submission<RegistrationForm> {
        var submission = Submission<RegistrationForm>()
        offer(in: &submission)
        return submission
    }

    /// Gives the form the children as its answers.
    func offer(in submission: inout Submission<RegistrationForm>) {
        submission.offer(
            \.children,
            children.filter { !$0.isRegistered }.map {
                Choice($0.id, Words(verbatim: $0.name), detail: $0.detail, isDisabled: !$0.isFit)
            })
    }

    var canRegister: Bool { decision == .register }

    /// The description as safe markup.
    var description: HTML { .paragraphs(of: event.description) }

    var registered: [ChildChoice] { children.filter(\.isRegistered) }
}

extension EventPage.ChildChoice {
    init(_ child: Child, at event: Event, isRegistered: Bool) {
        let age = child.age(on: event.day)
        id = child.id
        name = child.nickname
        isFit = event.fits(child.ages(on: event.day))
        self.isRegistered = isRegistered
        detail =
            isFit
            ? "\(age, as: "age") on that day"
            : "\(age, as: "age"): this event is for \(event.agesInShort, as: "ages")"
    }
}
