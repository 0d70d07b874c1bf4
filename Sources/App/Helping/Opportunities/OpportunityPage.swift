import Forms
import Templating

/// One opportunity, as somebody sees it.
struct OpportunityPage: Sendable {
    let opportunity: Opportunity
    let shifts: [ShiftRow]
    let things: [Thing]
    var similar: [Opportunity] = []
    var total = OrganizationTotal()
    /// What the reader holds here.
    var held: [Signup] = []
    var promises: [Promise] = []
    /// Whether the reader was told anything by the organization.
    var isTold = false
    /// What its reader brought, and is thanked for.
    var given: [Promise] = []
    /// The members of their family whom the reader can bring along.
    var companions: [Companion.Choice] = []
    /// Whether young people without an account can come along with the reader, who helps here.
    var takesYoung = false
    var map: MapDrawing?
    /// Whether the reader saved it to come back to; nil where they can’t.
    var isSaved: Bool?
    var isOwn = false
    var isPreview = false
    var isOpen = true
    /// How many sign-ups wait for an answer, for the organization.
    var asking = 0
    /// What is wrong with a promise or a sign-up that was just sent.
    var problem: Words?
    /// What the reader gave back a moment ago.
    var undos: [Undo] = []

    /// A shift to choose.
    struct ShiftRow: Sendable {
        let shift: Shift
        let isOpen: Bool
        /// Whether the reader is in it.
        let isHeld: Bool
        /// Whether more of their children find a place in it, beside them.
        let adding: Companion.Room?
        let isChosen: Bool
        /// Whether the reader waits for a place in it.
        let isWaiting: Bool

        var canChoose: Bool { isOpen && !isHeld && shift.left > 0 }
        var canWait: Bool { isOpen && !isHeld && !isWaiting && shift.left == 0 }
        var canAdd: Bool { isOpen && adding == .free }
        /// Whether it can be ticked.
        var isOffered: Bool { canChoose || canWait || canAdd }
        /// What its box is called: somebody who takes a full one by mistake is told, and doesn't wait.
        var box: String { canAdd ? "add" : canWait ? "wait" : "shift" }
        /// The day as a leaf of a calendar shows it.
        var day: Int { shift.day.components.day }
    }

    var problems: [Problem] { problem.map { [Problem(name: nil, words: $0)] } ?? [] }

    /// What the panel offers.
    enum Step: Sendable {
        case signUp
        /// All that is left is to wait.
        case wait
        /// All that is left is to bring children along.
        case add
    }

    /// What is left to do for the reader; nil for nothing.
    var step: Step? {
        guard isOpen, opportunity.kind != .donate, opportunity.isHere, !isOwn, !isPreview else { return nil }
        guard opportunity.rhythm == .shifts else { return held.isEmpty ? .signUp : nil }
        let (waits, adds) = (shifts.contains(where: \.canWait), shifts.contains(where: \.canAdd))
        if shifts.contains(where: \.canChoose) || waits && adds { return .signUp }
        return waits ? .wait : adds ? .add : nil
    }

    /// What the button says that does it.
    var button: Words {
        switch step {
        case .wait: "Wait for a place"
        case .add: "Add to this shift"
        case .signUp, nil: opportunity.asksFirst ? "Ask to help" : Words("Sign up", context: "to help")
        }
    }

    /// What there is room for, of what is left to do.
    var room: Words {
        guard opportunity.rhythm == .shifts else { return opportunity.room ?? opportunity.kind.name }
        let next = shifts.first(where: \.canChoose) ?? shifts.first(where: \.canWait)
        return next?.shift.room ?? opportunity.kind.name
    }

    /// The shifts to choose from, or to add children to: the others that the reader is in, or waits for, stand above.
    var choices: [ShiftRow] { shifts.filter { $0.adding != nil || !$0.isHeld && !$0.isWaiting } }

    /// The shifts that the reader waits for.
    var awaited: [Shift] { shifts.filter(\.isWaiting).map(\.shift) }

    var canPromise: Bool { isOpen && !isOwn && !isPreview }

    /// Whether the organization is asked now and then whether it still holds.
    var canRenew: Bool {
        isOwn && !opportunity.isClosed && opportunity.until == nil
            && (opportunity.rhythm != .shifts || opportunity.kind == .donate)
    }

    init(
        _ opportunity: Opportunity, _ shifts: [Shift], _ things: [Thing], held: [Signup] = [],
        waiting: [ID<Shift>] = [],
        chosen: [ID<Shift>] = [], companions: [Companion.Choice] = [], at now: Instant
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
                isChosen: chosen.contains(shift.id), isWaiting: waiting.contains(shift.id))
        }
        isOpen = opportunity.isOpen(at: now)
    }
}

/// What the editor of opportunities shows besides its form.
struct OpportunityEditing: Sendable {
    var stored: Opportunity?
    var organization = ""
    /// What a colleague kept of the draft since this form was drawn from it.
    var newer: Draft?
    var search = PlaceSearch()

    var isNew: Bool { stored == nil }
    var action: Link { stored.map { $0.link / "edit" } ?? Link.newOpportunity }
    var title: Words { isNew ? "Ask for help" : "Change what you ask for" }
}
