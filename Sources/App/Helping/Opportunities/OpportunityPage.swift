import Forms
import Templating

/// An opportunity's page for a reader.
struct OpportunityPage: Sendable {
    let opportunity: Opportunity
    private(set) var shifts: [ShiftRow]
    let things: [Thing]
    var similar: [Opportunity] = []
    var total = OrganizationTotal()
    /// The reader's sign-ups here.
    var held: [Signup] = []
    var promises: [Promise] = []
    /// Whether the reader waits for a yes, and nothing is theirs yet.
    var onlyAsks: Bool { !held.isEmpty && promises.isEmpty && held.allSatisfy { $0.state == .asked } }
    /// Whether the organization sent the reader any messages.
    var isTold = false
    /// What the reader brought, with thanks.
    var given: [Promise] = []
    /// The family members whom the reader can bring.
    var companions: [Companion.Choice] = []
    /// Whether young people without an account can come with the reader, who helps here.
    var takesYoung = false
    var map: MapDrawing?
    /// Whether the reader saved it; nil if they can't.
    var isSaved: Bool?
    var isOwn = false
    var isPreview = false
    var isOpen = true
    /// The number of sign-ups waiting for approval, for the organization.
    var asking = 0
    /// A problem with a sent promise or sign-up.
    var problem: Words?
    /// The part of the page that it is about.
    var part: Part?
    /// What the reader just gave back.
    var undos: [Undo] = []
    /// Whether the organization said no to the reader as often as it has to, if there are no shifts.
    let isRefused: Bool

    /// A shift to choose.
    struct ShiftRow: Sendable {
        let shift: Shift
        let isOpen: Bool
        /// Whether the reader has a place in it.
        let isHeld: Bool
        /// Whether more of the reader's children have room in it.
        let adding: Companion.Room?
        let isChosen: Bool
        /// Whether the reader is on its waiting list.
        let isWaiting: Bool
        /// What doesn't go together with it in the reader's plans, and among the shifts to choose.
        var clashes: [Clash] = []
        /// Whether the organization said no to the reader as often as it has to.
        let isRefused: Bool

        var canChoose: Bool { canAsk && shift.left > 0 }
        var canWait: Bool { canAsk && !isWaiting && shift.left == 0 }
        private var canAsk: Bool { isOpen && !isHeld && !isRefused }
        var canAdd: Bool { isOpen && adding == .free }
        /// Whether choosing it adds to the reader's plans.
        var isNew: Bool { canChoose || canWait }
        /// Whether it can be selected.
        var isOffered: Bool { canChoose || canWait || canAdd }
        /// The name of its checkbox, by what the choice means: a place in a shift that fills up meanwhile is refused,
        /// and not turned into waiting.
        var box: String { canAdd ? "add" : canWait ? "wait" : "shift" }
        /// The day's number for a calendar icon.
        var day: Int { shift.day.components.day }
    }

    /// A part of the page; its value is its ID there.
    enum Part: String, Sendable {
        case shifts, companions
        /// What is needed.
        case things = "list"
    }

    /// The problem, leading to its part where the page has it.
    var problems: [Problem] {
        problem.map { [Problem(name: part.flatMap { isShown($0) ? $0.rawValue : nil }, words: $0)] } ?? []
    }

    private func isShown(_ part: Part) -> Bool {
        switch part {
        case .shifts: step != nil && opportunity.rhythm == .shifts
        case .companions: step != nil && !companions.isEmpty
        case .things: !things.isEmpty
        }
    }

    /// The panel's action.
    enum Step: Sendable {
        case signUp
        /// Only the waiting list is left.
        case wait
        /// Only bringing children is left.
        case add
    }

    /// The reader's next action; nil if there is none.
    var step: Step? {
        guard isOpen, opportunity.kind != .donate, opportunity.isHere, !isOwn, !isPreview else { return nil }
        guard opportunity.rhythm == .shifts else { return held.isEmpty && !isRefused ? .signUp : nil }
        let (waits, adds) = (shifts.contains(where: \.canWait), shifts.contains(where: \.canAdd))
        if shifts.contains(where: \.canChoose) || waits && adds { return .signUp }
        return waits ? .wait : adds ? .add : nil
    }

    /// The button's label.
    var button: Words {
        switch step {
        case .wait: "Wait for a place"
        case .add: "Add to this shift"
        case .signUp, nil:
            switch (opportunity.kind, opportunity.asksFirst) {
            case (.shadow, true): "Ask to come along"
            case (.shadow, false): "Come along"
            case (_, true): "Ask to help"
            case (_, false): Words("Sign up", context: "to help")
            }
        }
    }

    /// The heading of what the reader has here.
    var mine: Words {
        if held.isEmpty && promises.isEmpty { return "You wait for a place" }
        if opportunity.kind == .shadow { return onlyAsks ? "You asked to come along" : "You come along" }
        return onlyAsks ? "You asked to help" : "You help here"
    }

    /// The room for that action.
    var room: Words {
        guard opportunity.rhythm == .shifts else { return opportunity.room ?? opportunity.kind.name }
        let next = shifts.first(where: \.canChoose) ?? shifts.first(where: \.canWait)
        return next?.shift.room ?? opportunity.kind.name
    }

    /// The shifts to choose, or to add children to; others with the reader are listed above.
    var choices: [ShiftRow] { shifts.filter { $0.adding != nil || !$0.isHeld && !$0.isWaiting } }

    /// The times around which the reader's plans matter: those of the shifts that they can choose.
    var openTimes: [Instant] {
        step == nil ? [] : shifts.filter(\.isOffered).flatMap { [$0.shift.startsAt, $0.shift.endsAt] }
    }

    /// Says at each shift that the reader can choose what doesn't go together with it: plans of those who would come,
    /// and other shifts that can be chosen in the same press.
    mutating func advise(beside plans: [TimeSlot]) {
        guard step != nil else { return }
        for index in shifts.indices where shifts[index].isOffered {
            shifts[index].clashes = Clash.advice(for: slot(of: shifts[index]), beside: plans)
        }
        let new = shifts.indices.filter { shifts[$0].isNew }
        for clash in Clash.among(new.map { (slot(of: shifts[$0]), shifts[$0].shift.moment) }) {
            shifts[new[clash.place]].clashes.append(clash)
        }
    }

    /// A shift with everybody who would come if it were chosen: the reader, and children who aren't in it yet.
    private func slot(of row: ShiftRow) -> TimeSlot {
        let children = companions.filter { $0.isFit && !$0.taken.contains(row.shift.id) }.map(\.name)
        return TimeSlot(
            Words(verbatim: opportunity.title), Set(row.isNew ? [""] + children : children), row.shift.schedule,
            at: opportunity.place.address, opportunity.place.coordinate)
    }

    /// The shifts for which the reader waits.
    var awaited: [Shift] { shifts.filter(\.isWaiting).map(\.shift) }

    var canPromise: Bool { isOpen && !isOwn && !isPreview }

    /// Whether the organization is asked from time to time if it is still current.
    var canRenew: Bool { isOwn && !opportunity.isClosed && opportunity.isEndless }

    init(
        _ opportunity: Opportunity, _ shifts: [Shift], _ things: [Thing], held: [Signup] = [],
        waiting: [ID<Shift>] = [], refused: Set<ID<Shift>?> = [], chosen: [ID<Shift>] = [],
        companions: [Companion.Choice] = [], at now: Instant
    ) {
        self.opportunity = opportunity
        self.things = things
        self.held = held.filter { $0.shift.map { $0.endsAt > now } ?? true }
        self.companions = companions
        self.shifts = shifts.filter { $0.endsAt > now }.map { shift in
            let mine = held.first { $0.shift?.id == shift.id }
            return ShiftRow(
                shift: shift, isOpen: shift.isOpen(at: now), isHeld: mine != nil,
                adding: mine.flatMap { Companion.room(beside: $0, companions, at: now) },
                isChosen: chosen.contains(shift.id), isWaiting: waiting.contains(shift.id),
                isRefused: refused.contains(shift.id))
        }
        isRefused = refused.contains(nil)
        isOpen = opportunity.isOpen(at: now)
    }
}

/// The context of the form for an opportunity.
struct OpportunityEditing: Sendable {
    var stored: Opportunity?
    var organization = ""
    /// A colleague's newer version of the draft.
    var newer: Draft?
    var search = PlaceSearch()

    var isNew: Bool { stored == nil }
    /// The address that the form is sent to. It names the kind of a new one: Back asks for the address of a page that
    /// was itself an answer.
    func action(for kind: Opportunity.Kind?) -> Link {
        stored.map { $0.link / "edit" } ?? Link.newOpportunity.with("kind", kind?.rawValue)
    }
    /// The same, and the part of the page that a button for rows leads to.
    func rows(_ anchor: String, _ kind: Opportunity.Kind?) -> Link { action(for: kind).fragment(anchor) }
    func heading(for kind: Opportunity.Kind?) -> Words {
        if !isNew { return "Change what you ask for" }
        return kind == .shadow ? "Offer shadowing" : "Ask for help"
    }
    /// The page's title.
    func title(for kind: Opportunity.Kind?) -> Words {
        stored.map { .page(heading(for: kind), about: Words(verbatim: $0.title)) } ?? heading(for: kind)
    }
}
