import Forms
import Templating

/// An event with sessions, for a family that chooses some for each child.
struct Camp: Sendable {
    let event: Event
    /// In order of time.
    private(set) var sessions: [Session]
    let children: [Child]
    /// Why this family can't choose now; nil if it can.
    let shut: Words?
    let now: Instant
    /// The host's questions; nil if there are none.
    var sheet: AnswerSheet?
    /// The family's party of children who only wait; nil if there are none.
    var waiting: ID<Registration>?
    /// The answers about those children.
    var answers: FamilyAnswers?
    /// The sessions and waiting lists that the member just left.
    var undos: [Undo] = []

    /// A session, with the family's places in it.
    struct Session: Sendable {
        let activity: Activity
        /// How many children are waiting.
        let queue: Int
        let held: [ID<Child>: Held]
        /// What doesn't go together with it in the plans of the children who can have it.
        var clashes: [Clash] = []

        var id: ID<Activity> { activity.id }
        var name: String { activity.name }
    }

    /// A child's state in a session.
    enum Held: Sendable {
        case place
        /// On the waiting list.
        case turn
    }

    /// A child in a session, as a form's value: `child-3:session-7`.
    struct Cell: FormValue, Hashable {
        let child: ID<Child>
        let session: ID<Activity>

        init(_ child: ID<Child>, _ session: ID<Activity>) {
            self.child = child
            self.session = session
        }

        init?(typed: String) {
            let parts = typed.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, case .child(let child)? = Attendee(typed: String(parts[0])),
                parts[1].hasPrefix("session-"), let session = ID<Activity>(String(parts[1].dropFirst(8)))
            else { return nil }
            self.init(child, session)
        }

        var typed: String { "child-\(child):session-\(session)" }
    }

    /// Why a family in this ZIP code can't choose now; nil if it can.
    static func shut(_ event: Event, zip: String, at now: Instant, for reader: Zone) -> Words? {
        if event.isCancelled { return "This event was canceled." }
        if event.isOver(at: now) { return "This event is over." }
        return event.admission.window.refusal(zip: zip, at: now, in: event.clock, for: reader)
    }

    /// The remaining room in a session, while this family could take it.
    func room(in session: Session, at now: Instant) -> Words? {
        shut == nil && session.activity.isOpen(at: now) ? session.activity.room : nil
    }

    /// The sessions chosen in a form, each with the children, in order.
    func wishes(_ form: CampForm) -> [(session: Session, children: [ID<Child>])] {
        let cells = Set(form.cells)
        return sessions.compactMap { session in
            let children = children.map(\.id).filter { cells.contains(Cell($0, session.id)) }
            return children.isEmpty ? nil : (session, children)
        }
    }

    /// The children in a form.
    func children(in form: CampForm) -> [ID<Child>] {
        let named = Set(form.cells.map(\.child))
        return children.map(\.id).filter(named.contains)
    }

    /// Whether a child has a session or waits for one; the host's questions about the child were asked then.
    func isKnown(_ child: ID<Child>) -> Bool { !held(by: child).isEmpty }

    /// A child's sessions and waiting list entries that aren't canceled.
    private func held(by child: ID<Child>) -> [Session] {
        sessions.filter { $0.held[child] != nil && !$0.activity.isCancelled }
    }

    /// Whether a child can be added to any session.
    func isOpen(for child: Child) -> Bool { shut == nil && sessions.contains { refusal(of: child, in: $0) == nil } }

    /// Whether any child can be added.
    var isOpen: Bool { children.contains(where: isOpen) }

    /// Whether there are notes to share about a child that could come.
    var hasNotes: Bool { children.contains { !$0.note.isEmpty && isOpen(for: $0) } }

    /// Whether the family has a session or waits for one.
    var hasSome: Bool { sessions.contains { !$0.held.isEmpty } }

    /// A child's session.
    struct Mine: Sendable {
        let session: Session
        let child: Child
        let isWaiting: Bool

        /// `Mia: Week 1`.
        var words: Words { "\(child.name, as: "name"): \(session.name, as: "session")" }
        /// The last component of the address to give it up.
        var wayOut: String { isWaiting ? "unwait" : "leave" }
    }

    /// The family's sessions and waiting list entries, in order.
    var mine: [Mine] {
        sessions.flatMap { session in
            children.compactMap { child in
                session.held[child.id].map { Mine(session: session, child: child, isWaiting: $0 == .turn) }
            }
        }
    }

    /// Why a child can't be added to a session; nil if it can.
    func refusal(of child: Child, in session: Session) -> Words? {
        let activity = session.activity
        switch session.held[child.id] {
        case .place: return Words("registered")
        case .turn: return "on the waiting list"
        case nil: break
        }
        if activity.isCancelled { return "called off" }
        if activity.hasStarted(at: now) { return "has begun" }
        let ages = child.ages(on: activity.day)
        if !activity.fits(ages) || !event.fits(ages) { return child.age(on: activity.day) }
        return nil
    }

    /// Says at each session what doesn't go together with it. One of several days is looked at day by day.
    mutating func advise(beside plans: [TimeSlot]) {
        for index in sessions.indices {
            let session = sessions[index]
            let names = Set(children.filter { refusal(of: $0, in: session) == nil }.map(\.name))
            var said: Set<Int> = []
            sessions[index].clashes = session.activity.content.schedule.eachDay(in: event.clock)
                .flatMap { Clash.advice(for: TimeSlot(session.activity, of: event, names, on: $0), beside: plans) }
                .filter { said.insert($0.place).inserted }
        }
    }

    /// The times around which the family's plans matter; none if it can't choose now.
    var openTimes: [Instant] {
        isOpen ? sessions.flatMap { [$0.activity.startsAt, $0.activity.endsAt] } : []
    }

    // MARK: The form

    /// A new form.
    func form() -> Submission<CampForm> {
        var submission = Submission<CampForm>()
        offer(in: &submission)
        submission.fill(\.manner, .whole)
        return submission
    }

    /// Selects everything available for one child; what is selected already stays.
    func choose(allFor child: ID<Child>, in submission: inout Submission<CampForm>) {
        guard let child = children.first(where: { $0.id == child }) else { return }
        let cells = submission.form.cells
        submission.fill(\.cells, cells + free(for: child, beside: cells))
    }

    /// The sessions that a child could have together, beside those chosen: without overlaps, the earlier ones first.
    private func free(for child: Child, beside others: [Cell]) -> [Cell] {
        var chosen = held(by: child.id) + sessions.filter { others.contains(Cell(child.id, $0.id)) }
        var cells: [Cell] = []
        for session in sessions where refusal(of: child, in: session) == nil && !session.activity.isFull {
            guard !chosen.contains(where: { $0.activity.schedule.meets(session.activity.schedule) }) else { continue }
            chosen.append(session)
            cells.append(Cell(child.id, session.id))
        }
        return cells
    }

    /// Offers the combinations of children and sessions in the form.
    func offer(in submission: inout Submission<CampForm>) {
        var choices: [Choice] = []
        var refusals: [String: Words] = [:]
        for session in sessions {
            for child in children {
                let cell = Cell(child.id, session.id)
                let refusal = refusal(of: child, in: session)
                choices.append(
                    Choice(cell, Words(verbatim: child.name), detail: refusal, isDisabled: refusal != nil))
                if let refusal {
                    refusals[cell.typed] = """
                        \(child.name, as: "name"), \(session.name, as: "session"): \(refusal, as: "reason")
                        """
                }
            }
        }
        submission.offer(\.cells, choices, unless: refusals)
    }

    /// The checkboxes of a session.
    func choices(of session: Session, in input: Input) -> [Choice] {
        let cells = Set(children.map { Cell($0.id, session.id).typed })
        return input.choices.filter { cells.contains($0.value) }
    }

    /// Takes the sent answers, and adds problems with them.
    mutating func answer(_ body: FormBody, _ submission: inout Submission<CampForm>) {
        guard var answered = sheet else { return }
        answered.read(body)
        answered.check(for: children(in: submission.form))
        submission.add(answered.problems)
        sheet = answered
    }

    /// The most overlaps reported for a form.
    private static let mostClashes = 10

    /// Checks the form across its fields.
    func check(_ submission: inout Submission<CampForm>) {
        if let shut { submission.reject(shut) }
        guard submission.accepts(\.cells) else { return }
        let cells = Set(submission.form.cells)
        var said = 0
        for child in children {
            let chosen = sessions.filter { cells.contains(Cell(child.id, $0.id)) }
            for (index, one) in chosen.enumerated() where said < Self.mostClashes {
                let others = held(by: child.id) + chosen[(index + 1)...]
                guard let other = others.first(where: { $0.activity.schedule.meets(one.activity.schedule) }) else {
                    continue
                }
                said += 1
                submission.reject(
                    """
                    \(child.name, as: "name") can’t be in “\(one.name, as: "session")” and \
                    “\(other.name, as: "other")”: they are at the same time.
                    """)
            }
        }
    }

    /// Some sessions have too few places, so nobody was registered for any.
    struct Full: Error {
        let sessions: [(activity: Activity, needed: Int)]

        /// The full sessions, for the page.
        var words: [Words] {
            sessions.map { activity, needed in
                Self.words(activity.name, left: activity.placesLeft ?? 0, needed: needed)
            }
        }

        private static func words(_ name: String, left: Int, needed: Int) -> Words {
            left == 0
                ? Words(
                    "“\(name, as: "session")” is full: {count} place is needed there.",
                    plural: "“\(name, as: "session")” is full: {count} places are needed there.", count: needed)
                : Words(
                    "“\(name, as: "session")”: {count} place is left, \(needed, as: "needed") are needed.",
                    plural: "“\(name, as: "session")”: {count} places are left, \(needed, as: "needed") are needed.",
                    count: left)
        }
    }

    /// The choice isn't available.
    struct Refused: Error {
        let camp: Camp
        let form: Submission<CampForm>
    }

    /// The result of a form.
    enum Outcome: Sendable {
        /// Somebody has a place, with this registration.
        case registered(ID<Registration>)
        /// All are waiting.
        case waiting
    }
}

/// The chosen children and sessions.
struct CampForm: Form {
    var cells: [Camp.Cell] = []
    /// What to do if a session hasn't enough places.
    var manner: Registration.Manner?
    /// Whether the provider may see the notes about these children around the time of the event.
    var sharesNotes = false

    static let fields: [Field<CampForm>] = [
        .checkboxes("session", \.cells, "Who comes to which sessions?", atLeast: 1)
            .missing("Choose at least one session."),
        .choice(
            "as", \.manner, "If a session is full",
            options: [
                Choice(Registration.Manner.whole, "Register for all of them or none"),
                Choice(Registration.Manner.fits, "Take what is free, and wait for the rest"),
            ]
        ).drawn(as: .radios).conditional,
        .checkbox("share_notes", \.sharesNotes, "Share my notes for this event")
            .hint(
                """
                Allergies, emergency phone and who may pick up: seen from 2 days before the child’s first session to \
                1 day after the last one, then erased.
                """),
    ]
}

extension Activity {
    /// A session's time; if it lasts several days, the hours of each.
    var sessionTime: Words {
        let schedule = content.schedule
        guard let last = schedule.endDay, let end = schedule.end, end > schedule.start else { return when }
        return """
            \(day.name, as: "day") to \(last.name, as: "last"), \(schedule.start, as: "start") to \(end, as: "end") \
            each day
            """
    }

    /// The same for a reader; of several days, their own clock on the first.
    func sessionTime(for reader: Zone) -> Words { content.schedule.firstDay.said(sessionTime, for: reader) }
}

extension Schedule {
    /// Whether they overlap. A schedule of several days has the same hours each day, unless its end is earlier in the
    /// day than its start: then it continues overnight.
    func meets(_ other: Schedule) -> Bool {
        guard startsAt < other.endsAt, other.startsAt < endsAt else { return false }
        // On one day the moments say all: clocks may be set anew meanwhile.
        guard endDay != nil || other.endDay != nil else { return true }
        guard let mine = daily, let theirs = other.daily else { return true }
        return mine.days.overlaps(theirs.days) && mine.minutes.overlaps(theirs.minutes)
    }

    /// The days and the minutes on each of them; nil if it continues overnight.
    private var daily: (days: ClosedRange<Int>, minutes: Range<Int>)? {
        let last = endDay ?? day
        let until = end?.minutes ?? start.minutes + Int(EventTimes.usual.components.seconds / 60)
        guard last >= day, until > start.minutes else { return nil }
        return (day.number...last.number, start.minutes..<until)
    }
}

extension Event {
    /// Sessions can't be added to an event with registrations, nor can all sessions be removed.
    enum SessionsAreFixed: Error {
        case toTheLast, bySeries, byFamilies

        var words: Words {
            switch self {
            case .toTheLast: "An event with sessions needs at least one."
            case .bySeries: "This is one date of a series. Post a separate event with sessions."
            case .byFamilies: "Families registered without sessions. Post a separate event with sessions."
            }
        }
    }
}
