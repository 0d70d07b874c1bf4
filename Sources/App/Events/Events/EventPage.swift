import Forms
import Templating

/// What the detail page shows: the event, and what this visitor can decide about it.
struct EventPage: Sendable {
    let event: Event
    var decision: Decision
    /// The family's children, with the age each has on that day.
    let children: [ChildChoice]
    /// What the family has booked already.
    let registrations: [ID<Registration>]
    let isOwn: Bool
    /// Whether the visitor isn't its host, but hosts it together with them.
    var isCohost = false
    /// Those who host it with its host, as far as the visitor meets them.
    var cohosts: [Author] = []
    /// Whether the visitor can look at who hosts it.
    var takesCohosts = false
    /// Those of the visitor's people who join a community event; nil for kids' events, and for visitors.
    var going: Going?
    /// Whether its host, who has no list of names, is to read that the visitor comes; nil where that isn't asked.
    var shown: Comer.Choice?
    /// What wouldn't add up if those who can came: advice.
    var clashes: [Clash] = []
    /// What happens there, where it has a program.
    var programme: Programme?
    /// The sessions that families choose, without what was called off.
    var sessions: [Activity] { event.hasSessions ? programme?.days.flatMap(\.kept).map(\.activity) ?? [] : [] }
    /// The party of the family that waits, or has places promised to it.
    var waiting: ID<Registration>?
    /// What that party can take: promised to it, or anybody’s.
    var offer: Offer?
    /// How many parties wait.
    var waitingParties = 0
    /// Whether the form just failed for lack of places: then it offers to wait.
    var offersWaiting = false
    /// Whether places are held for families that need help with the fee, where somebody can register.
    var holdsPlaces = false
    /// Whether the reader was told anything by the host.
    var isTold = false
    /// What changed since the family registered.
    var changes: [Change] = []
    /// For its provider: who has seen what changed.
    var receipt: Receipt?
    /// Whether its provider may delete it: said here of what was canceled, and so can't be changed anymore.
    var isDeletable = false
    /// The people to call where it was canceled, or where the family comes today.
    var contact: Provider?
    /// Why staff hid it, for its provider and for staff.
    var hiddenReason: Words?
    /// Whether it is the first of its host, and waits for a look.
    var isWaiting = false
    /// What was asked about it, as far as the visitor reads it.
    var questions: [Question] = []
    /// Where the visitor can go on talking about private ones.
    var threads: [ID<Question>: TalkThread] = [:]
    /// When the calendar was read that it comes from; nil of what somebody typed.
    var calendarReadAt: Instant?
    /// Where those stand that were asked before these.
    var earlierQuestions: Link?
    /// Whether the visitor can ask something, and what was asked with something wrong with it.
    var canAsk = false
    var asked: Submission<QuestionForm>?
    /// How many dates of its series are to come, where families register for them at once; else 0.
    var openDates = 0
    /// Those dates, where families register for all of them together.
    var together: [Day] = []
    /// What the visitor's family has of them and could have, where it registers for them.
    var term: Term?
    /// The next dates of its series.
    var otherDates: [EventCard] = []
    /// What its host asks of families, as far as this visitor is to see it.
    var asks: [Ask] = []
    /// The same to be answered, where somebody can register.
    var sheet: AnswerSheet?
    /// The page of a neighbor who hosts it, where the visitor meets them.
    var hostPage: Link?
    /// Where it is.
    var map: MapDrawing?
    /// Where the places of its program are, by number.
    var ground: MapDrawing?
    /// The child the visitor took off the list a moment ago.
    var undos: [Undo] = []
    /// Whether it began, whether it is over, and whether it can still be called off.
    var hasStarted = false
    var isOver = false
    var isCancellable = false
    /// Whether the visitor saved it to come back to; nil where they can’t.
    var isSaved: Bool?
    /// Where the visitor came from.
    var back = WayBack.allEvents

    /// The lines about when registration opens and closes.
    var window: [Words] = []
    /// The draw that gives out its places, until everybody has theirs.
    var draw: Draw?
    /// Whether the family told its wishes there.
    var hasWished = false
    /// Whether families still tell them.
    var takesWishes = false

    /// How much room there is; where places are drawn, how many there are.
    var room: Words {
        guard draw != nil, let spots = event.spots else { return event.room }
        return Words("{count} place", plural: "{count} places", count: spots)
    }

    /// When the calendar was read that it comes from, by the reader's clock.
    func calendarRead(in zone: Zone) -> Words? { calendarReadAt.map { zone.words($0, \.shortName) } }

    /// What the panel on the right offers.
    enum Decision: Sendable, Equatable {
        case preview, cancelled, over, begun, full, logIn, makeFamily, wearParentsHat, addChild, noneFits, register,
            wait, waiting, allRegistered
        /// Registration hasn't opened for this visitor, or has closed.
        case shut
        /// All dates of the series together: on a page of their own.
        case wholeTerm
        /// Sessions for each child: on a page of their own.
        case sessions
        /// Places are drawn by lot: wishes are on a page of their own.
        case draw
        /// A community event: see `going`.
        case join
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
        /// Whether the child waits for a place, or has to be answered for.
        let isWaiting: Bool
        /// Whether a place is promised to the child.
        let isOffered: Bool
        /// Whether the child can still be ticked.
        var isFree: Bool { isFit && !isRegistered && !isWaiting }
        /// Why a page from before can't have the child anymore.
        var taken: Words? {
            if isRegistered { return "\(name, as: "name") is registered already." }
            if isOffered { return "A place is kept for \(name, as: "name"): answer that first." }
            return isWaiting ? "\(name, as: "name") waits for a place already." : nil
        }
        /// Whether a parent wrote down what carers should know.
        let hasNote: Bool
    }

    init(preview event: Event, _ opening: Opening, at now: Instant) {
        self.init(event: event, decision: .preview, children: [], registrations: [], isOwn: true)
        if event.hasSessions || opening.has(.programs), let activities = event.programme, !activities.isEmpty {
            programme = Programme(activities, of: event, children: nil, present: [:], at: now)
        }
        asks = event.asks ?? []
        window = event.admission.window.lines(zip: nil, at: now, in: event.clock)
    }

    init(
        event: Event, decision: Decision, children: [ChildChoice], registrations: [ID<Registration>], isOwn: Bool
    ) {
        self.event = event
        self.decision = decision
        self.children = children
        self.registrations = registrations
        self.isOwn = isOwn
    }

    /// Those of the visitor's people who could come and don't yet, by name; empty for the visitor in person.
    var candidates: [String] {
        going.map { $0.joinable.map { $0.name ?? "" } } ?? (canRegister ? children.filter(\.isFree).map(\.name) : [])
    }

    /// What this visitor can do about the event at `now`.
    static func decision(
        on event: Event, by visitor: Visitor?, children: [ChildChoice], isOwn: Bool, openDates: Int = 0,
        zip: String? = nil, at now: Instant
    ) -> Decision {
        // Its owner's tools stay for good.
        if isOwn, visitor?.isProvider == true || event.isForEveryone { return .ownEvent }
        if event.isForEveryone { return .join }
        if event.isCancelled { return .cancelled }
        if event.isOver(at: now) { return .over }
        if !event.isOpen(at: now) { return .begun }
        let isWhole = event.booking == .together && openDates > 0
        if !isWhole, !event.hasSessions, !children.isEmpty, children.allSatisfy(\.isRegistered) {
            return .allRegistered
        }
        let gate = event.admission.window.gate(zip: zip, at: now)
        if case .closed = gate { return .shut }
        guard let visitor else { return event.isFull ? .full : .logIn }
        if visitor.family == nil { return event.isFull ? .full : .makeFamily }
        if !visitor.isParent { return event.isFull ? .full : .wearParentsHat }
        if children.isEmpty { return .addChild }
        if gate != .open { return .shut }
        if isWhole { return .wholeTerm }
        if event.hasSessions { return .sessions }
        if children.contains(where: \.isFree) { return event.isFull ? .wait : .register }
        return children.contains(where: \.isWaiting) ? .waiting : .noneFits
    }

    /// Said where all dates are registered for together: `For all 4 dates together: April 6, April 13 …`.
    var allTogether: Words? {
        guard let first = together.first, let last = together.last, together.count > 1 else { return nil }
        let days = together.map(\.plainName)
        let named: Words =
            days.count > 6 ? "\(first.plainName, as: "first") to \(last.plainName, as: "last")" : days.listed()
        return "For all \(days.count, as: "count") dates together: \(named, as: "dates")"
    }

    /// Whether the family has something of the dates that belong together.
    var hasSomeDates: Bool { hasPlaces || term?.dates.contains { !$0.held.isEmpty } ?? false }

    /// A fresh form with the children who may come.
    func registration() -> Submission<RegistrationForm> {
        var submission = Submission<RegistrationForm>()
        submission.fill(\.manner, .whole)
        offer(in: &submission)
        return submission
    }

    /// Gives the form the children as its answers.
    func offer(in submission: inout Submission<RegistrationForm>) {
        submission.offer(
            \.children,
            children.filter { !$0.isRegistered && !$0.isWaiting }.map {
                Choice($0.id, Words(verbatim: $0.name), detail: $0.detail, isDisabled: !$0.isFit)
            },
            unless: Dictionary(
                children.compactMap { child in child.taken.map { (child.id.description, $0) } },
                uniquingKeysWith: { $1 }))
    }

    /// Whether there is something to share about a child that could come.
    var hasNotes: Bool { children.contains { $0.hasNote && $0.isFree } }

    /// Whether a child of the family waits for a place.
    var hasWaiting: Bool { children.contains(where: \.isWaiting) }

    var canRegister: Bool { decision == .register || decision == .wait }

    /// What a visitor logs in for; nil where there is nothing.
    var logIn: Words? {
        switch decision {
        case .logIn where draw != nil: takesWishes ? "Log in to tell your wishes" : nil
        case .logIn: "Log in to register"
        case .full: "Log in to wait for a place"
        case .join where !event.isCancelled && !isOver && !event.isFull: "Log in to join"
        default: nil
        }
    }

    /// Whether it matters what becomes of a party that is larger than the room there is.
    var asksManner: Bool {
        let free = children.count(where: \.isFree)
        return free > 1 && (event.placesLeft.map { $0 < free } ?? false)
    }

    var queue: Words {
        Words("{count} family waits already.", plural: "{count} families wait already.", count: waitingParties)
    }

    /// How long it lasts, where that is so long that it may be a slip.
    var length: Words? {
        let minutes = (event.endsAt - event.startsAt).components.seconds / 60
        guard event.end != nil, event.schedule.endDay == nil, minutes > 12 * 60 else { return nil }
        let hours = minutes / 60
        return minutes % 60 == 0
            ? "This event lasts \(hours, as: "hours") hours. Is the end right?"
            : "This event lasts more than \(hours, as: "hours") hours. Is the end right?"
    }

    /// Whether it begins within a day, is on, or was today: a parent who fetches a child calls after the end, too.
    func isNear(_ now: Instant) -> Bool {
        let today = event.clock.day(of: now)
        return event.startsAt <= now + .days(1) && (!isOver || today <= event.schedule.endDay ?? event.day)
    }

    /// Where a press on the poster leads: to the place on the map.
    var posterLink: Link? { decision == .preview || map == nil ? nil : event.mapLink }

    /// The form to ask something; nil where the visitor can't.
    var asking: Submission<QuestionForm>? { canAsk ? asked ?? Submission() : nil }

    /// Where one takes part on the web: for those who are registered, and its host.
    var onlineLink: Link? { isOwn || !registrations.isEmpty ? Link(outside: event.onlineURL) : nil }

    var hasMoreToKnow: Bool { !event.amenities.isEmpty || !event.tags.isEmpty }

    /// Whether the family has places there, or waits for some.
    var hasPlaces: Bool { waiting != nil || !registrations.isEmpty }

    var registered: [ChildChoice] { children.filter(\.isRegistered) }

    /// The children whose age doesn't fit.
    var unfit: [ChildChoice] { children.filter { !$0.isFit && !$0.isRegistered && !$0.isWaiting } }

    var waitingChildren: [ChildChoice] { children.filter(\.isWaiting) }
}

extension EventPage.ChildChoice {
    init(_ child: Child, at event: Event, state: Registration.State?) {
        let age = child.age(on: event.day)
        id = child.id
        name = child.name
        isFit = event.fits(child.ages(on: event.day))
        isRegistered = state == .confirmed
        isWaiting = state == .waiting || state == .offered
        isOffered = state == .offered
        hasNote = !child.note.isEmpty
        detail =
            isFit
            ? "\(age, as: "age") on that day"
            : "\(age, as: "age"): this event is for \(event.agesInShort, as: "ages")"
    }
}
