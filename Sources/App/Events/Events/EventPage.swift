import Forms
import Templating

/// An event's detail page, with this visitor's options.
struct EventPage: Sendable {
    let event: Event
    var decision: Decision
    /// The family's children, with their ages on that day.
    let children: [ChildChoice]
    /// The family's existing registrations.
    let registrations: [ID<Registration>]
    let isOwn: Bool
    /// Whether the visitor co-hosts it, rather than being its host.
    var isCohost = false
    /// The co-hosts who are visible to the visitor.
    var cohosts: [Author] = []
    /// Whether the visitor can view the list of co-hosts.
    var takesCohosts = false
    /// The visitor's people at a community event; nil for kids' events, and for visitors without an account.
    var going: Going?
    /// Whether a host without a list of names is shown that the visitor comes; nil if that isn't asked.
    var shown: Comer.Choice?
    /// Overlaps if the people who can come did.
    var clashes: [Clash] = []
    /// The program, if there is one.
    var programme: Programme?
    /// The sessions to choose from, without canceled ones.
    var sessions: [Activity] { event.hasSessions ? programme?.days.flatMap(\.kept).map(\.activity) ?? [] : [] }
    /// The family's party that waits or has been offered places.
    var waiting: ID<Registration>?
    /// The places that party can take: offered to it, or open to anyone.
    var offer: Offer?
    /// The number of waiting parties.
    var waitingParties = 0
    /// Whether the form just failed for lack of places, so that it offers to wait.
    var offersWaiting = false
    /// Whether there are places for families that need help with the fee, if somebody can register.
    var holdsPlaces = false
    /// Whether the host sent the reader any messages.
    var isTold = false
    /// The changes since the family registered.
    var changes: [Change] = []
    /// The read receipts of changes, for its provider.
    var receipt: Receipt?
    /// Whether its provider may delete it; used for canceled events, which can't be edited anymore.
    var isDeletable = false
    /// The contact if it was canceled, or if the family comes today.
    var contact: Provider?
    /// The reason why staff hid it, for its provider and staff.
    var hiddenReason: Words?
    /// Whether it is its host's first, and held for review.
    var isWaiting = false
    /// The questions visible to the visitor.
    var questions: [Question] = []
    /// Where the visitor can go on talking about private ones.
    var threads: [ID<Question>: TalkThread] = [:]
    /// When the calendar was read that it comes from; nil of what somebody typed.
    var calendarReadAt: Instant?
    /// The link to earlier questions.
    var earlierQuestions: Link?
    /// The position in the list of questions; nil for the first page.
    var questionsAfter: Cursor<ID<Question>>?
    /// The page with these questions, to return to: a form that comes back with problems has another address.
    var questionsLink: Link { event.link.after(questionsAfter) }
    /// Whether the visitor can ask a question, and a question that was sent with problems.
    var canAsk = false
    var asked: Submission<QuestionForm>?
    /// The number of upcoming dates in its series for which families can register at once; otherwise 0.
    var openDates = 0
    /// The dates that families register for together.
    var together: [Day] = []
    /// The family's places and options at these dates.
    var term: Term?
    /// The series' next dates.
    var otherDates: [EventCard] = []
    /// The host's questions at registration, as far as this visitor may see them.
    var asks: [Ask] = []
    /// The questions to answer, if somebody can register.
    var sheet: AnswerSheet?
    /// The page of a neighbor who hosts it, if the visitor may see it.
    var hostPage: Link?
    /// A map of its place.
    var map: MapDrawing?
    /// A map of the numbered places in its program.
    var ground: MapDrawing?
    /// The child that the visitor just unregistered.
    var undos: [Undo] = []
    /// Whether it has begun, whether it is over, and whether it can still be canceled.
    var hasStarted = false
    var isOver = false
    var isCancellable = false
    /// Whether the visitor saved it; nil if they can’t.
    var isSaved: Bool?
    /// The page the visitor came from.
    var back = WayBack.allEvents

    /// Whether it says when registration opens and closes, and for which ZIP code: see `Window.lines`.
    var tellsWindow = false
    var windowZIP: String?
    /// The draw for its places, until it is complete.
    var draw: Draw?
    /// Whether the family has wishes in it.
    var hasWished = false
    /// Whether families can still enter wishes.
    var takesWishes = false

    /// Whether the number of places left may be told: while everyone can take one, or this visitor.
    var tellsRoom = false

    /// The remaining room, if it may be told; otherwise the number of places, for the host with the taken ones.
    var room: Words {
        guard !tellsRoom, let spots = event.spots else { return event.room }
        if decision == .ownEvent, draw == nil { return event.takenPlaces }
        return Words("{count} place", plural: "{count} places", count: spots)
    }

    /// When its external calendar was last read, in the reader's zone.
    func calendarRead(in zone: Zone) -> Words? { calendarReadAt.map { zone.words($0, \.shortName) } }

    /// Whether every reader of the page sees its texts: not a preview, nor hidden.
    var isPublic: Bool { decision != .preview && !event.isHidden }

    /// The action in the panel.
    enum Decision: Sendable, Equatable {
        case preview, cancelled, over, begun, full, logIn, makeFamily, wearParentsHat, addChild, noneFits, register,
            wait, waiting, allRegistered
        /// Registration hasn't opened for this visitor, or has closed.
        case shut
        /// All dates of the series together, on a separate page.
        case wholeTerm
        /// Sessions for each child, on a separate page.
        case sessions
        /// Wishes for a draw, on a separate page.
        case draw
        /// Joining a community event: see `going`.
        case join
        case ownEvent
    }

    /// A child in the panel.
    struct ChildChoice: Sendable {
        let id: ID<Child>
        let name: String
        /// The age on that day, or the reason why the child can't come.
        let detail: Words
        let isFit: Bool
        let isRegistered: Bool
        /// Whether the child waits for a place, or an offer must be answered.
        let isWaiting: Bool
        /// Whether the child has been offered a place.
        let isOffered: Bool
        /// Whether the child can be selected.
        var isFree: Bool { isFit && !isRegistered && !isWaiting }
        /// Why a child selected on an older page can't be registered anymore.
        var taken: Words? {
            if isRegistered { return "\(name, as: "name") is registered already." }
            if isOffered { return "A place is kept for \(name, as: "name"): answer that first." }
            return isWaiting ? "\(name, as: "name") waits for a place already." : nil
        }
        /// Whether there are notes for carers.
        let hasNote: Bool
    }

    /// The lines about when registration opens and closes, or how places are drawn.
    func window(at now: Instant, for reader: Zone) -> [Words] {
        if let draw { return [draw.line(at: now)] }
        guard tellsWindow else { return [] }
        return event.admission.window.lines(zip: windowZIP, at: now, in: event.clock, for: reader)
    }

    init(preview event: Event, _ opening: Opening, at now: Instant) {
        self.init(event: event, decision: .preview, children: [], registrations: [], isOwn: true)
        if event.hasSessions || opening.has(.programs), let activities = event.programme, !activities.isEmpty {
            programme = Programme(activities, of: event, children: nil, present: [:], at: now)
        }
        asks = event.asks ?? []
        tellsWindow = true
        tellsRoom = event.tellsRoom(at: now)
    }

    init(event: Event, decision: Decision, children: [ChildChoice], registrations: [ID<Registration>], isOwn: Bool) {
        self.event = event
        self.decision = decision
        self.children = children
        self.registrations = registrations
        self.isOwn = isOwn
    }

    /// The names of the visitor's people who could come but don't yet; the visitor's own is empty.
    var candidates: [String] {
        going.map { $0.joinable.map { $0.name ?? "" } } ?? (canRegister ? children.filter(\.isFree).map(\.name) : [])
    }

    /// The visitor's options for the event at `now`.
    static func decision(
        on event: Event, by visitor: Visitor?, children: [ChildChoice], isOwn: Bool, openDates: Int = 0,
        zip: String? = nil, at now: Instant
    ) -> Decision {
        // The owner always sees their own tools.
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

    /// For a registration for all dates: `For all 4 dates together: April 6, April 13 …`.
    var allTogether: Words? {
        guard let first = together.first, let last = together.last, together.count > 1 else { return nil }
        let days = together.map(\.plainName)
        let named: Words =
            days.count > 6 ? "\(first.plainName, as: "first") to \(last.plainName, as: "last")" : days.listed()
        return "For all \(days.count, as: "count") dates together: \(named, as: "dates")"
    }

    /// Whether the family has places at the dates that belong together.
    var hasSomeDates: Bool { hasPlaces || term?.dates.contains { !$0.held.isEmpty } ?? false }

    /// Whether a child who isn't on the list yet could register, or wait: all who are have or wait for a place.
    func takesAnother(at now: Instant) -> Bool {
        (decision == .allRegistered || decision == .waiting) && draw == nil
            && event.admission.window.gate(zip: windowZIP, at: now) == .open
    }

    /// A new form with the children who may come; where nobody can register, none of it is drawn.
    func registration() -> Submission<RegistrationForm> {
        var submission = Submission<RegistrationForm>()
        guard canRegister else { return submission }
        submission.fill(\.manner, .whole)
        offer(in: &submission)
        return submission
    }

    /// Offers the children in the form.
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

    /// Whether there are notes to share about a child that could come.
    var hasNotes: Bool { children.contains { $0.hasNote && $0.isFree } }

    /// Whether one of the family's children waits for a place.
    var hasWaiting: Bool { children.contains(where: \.isWaiting) }

    var canRegister: Bool { decision == .register || decision == .wait }

    /// The purpose of logging in; nil if there is none.
    var logIn: Words? {
        switch decision {
        case .logIn where draw != nil: takesWishes ? "Log in to tell your wishes" : nil
        case .logIn: "Log in to register"
        case .full: "Log in to wait for a place"
        case .join where !event.isCancelled && !isOver && !event.isFull: "Log in to join"
        default: nil
        }
    }

    /// Whether to ask what to do with a party that is larger than the remaining room.
    var asksManner: Bool {
        let free = children.count(where: \.isFree)
        return free > 1 && (event.placesLeft.map { $0 < free } ?? false)
    }

    var queue: Words {
        Words("{count} family waits already.", plural: "{count} families wait already.", count: waitingParties)
    }

    /// Its length, if it is so long that it may be a mistake.
    var length: Words? {
        let minutes = (event.endsAt - event.startsAt).components.seconds / 60
        guard event.end != nil, event.schedule.endDay == nil, minutes > 12 * 60 else { return nil }
        let hours = minutes / 60
        return minutes % 60 == 0
            ? "This event lasts \(hours, as: "hours") hours. Is the end right?"
            : "This event lasts more than \(hours, as: "hours") hours. Is the end right?"
    }

    /// Whether it begins within a day, is taking place, or was today: parents may also call after the end.
    func isNear(_ now: Instant) -> Bool {
        let today = event.clock.day(of: now)
        return event.startsAt <= now + .days(1) && (!isOver || today <= event.schedule.endDay ?? event.day)
    }

    /// The link on the poster, to the place on the map.
    var posterLink: Link? { decision == .preview || map == nil ? nil : event.mapLink }

    /// The form to ask a question; nil if the visitor can't.
    var asking: Submission<QuestionForm>? { canAsk ? asked ?? Submission() : nil }

    /// The link for participating online, for participants and the host.
    var onlineLink: Link? { isOwn || !registrations.isEmpty ? Link(outside: event.onlineURL) : nil }

    var hasMoreToKnow: Bool { !event.amenities.isEmpty || !event.tags.isEmpty }

    /// Whether the family has places there or waits for some.
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
