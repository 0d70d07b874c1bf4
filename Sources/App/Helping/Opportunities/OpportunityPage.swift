import Forms
import Templating

/// One opportunity, as somebody sees it.
struct OpportunityPage: Sendable {
    let it: Opportunity
    let shifts: [ShiftRow]
    let things: [Thing]
    var similar: [Opportunity] = []
    var total = OrganizationTotal()
    /// What the reader holds here.
    var held: [Signup] = []
    var promises: [Promise] = []
    /// Whom of their family the reader can bring along.
    var companions: [Companion.Choice] = []
    /// Whether young people without an account can come along with the reader, who helps here.
    var takesYoung = false
    var map: MapDrawing?
    var isOwn = false
    var isPreview = false
    var isOpen = true
    /// How many sign-ups wait for an answer, for the organization.
    var asking = 0
    /// What is wrong with a promise or a sign-up that was just sent.
    var problem: Words?
    var once = ""

    /// A shift to choose.
    struct ShiftRow: Sendable {
        let shift: Shift
        let isOpen: Bool
        /// Whether the reader is in it.
        let isHeld: Bool
        let isChosen: Bool
        /// Whether the reader waits for a place in it.
        let isWaiting: Bool

        var canChoose: Bool { isOpen && !isHeld && shift.left > 0 }
        var canWait: Bool { isOpen && !isHeld && !isWaiting && shift.left == 0 }
        /// What its box is called: whoever takes a full one by mistake is told, and doesn't wait.
        var box: String { canWait ? "wait" : "shift" }
        /// The day as a leaf of a calendar shows it.
        var day: Int { shift.day.components.day }
    }

    var problems: [Problem] { problem.map { [Problem(name: nil, words: $0)] } ?? [] }

    /// Whether the panel offers to sign up.
    var canSignUp: Bool {
        guard isOpen, it.kind != .donate, it.isHere, !isOwn, !isPreview else { return false }
        return it.rhythm == .shifts ? shifts.contains { $0.canChoose || $0.canWait } : held.isEmpty
    }

    /// Whether all that is left is to wait.
    var canOnlyWait: Bool { it.rhythm == .shifts && !shifts.contains(where: \.canChoose) }

    /// The shifts to choose from: those that the reader is in, or waits for, stand above.
    var choices: [ShiftRow] { shifts.filter { !$0.isHeld && !$0.isWaiting } }

    /// The shifts that the reader waits for.
    var awaited: [Shift] { shifts.filter(\.isWaiting).map(\.shift) }

    var canPromise: Bool { isOpen && !isOwn && !isPreview }

    /// Whether the organization is asked now and then whether it still holds.
    var canRenew: Bool { isOwn && !it.isClosed && it.until == nil && (it.rhythm != .shifts || it.kind == .donate) }

    init(
        _ it: Opportunity, _ shifts: [Shift], _ things: [Thing], held: [Signup] = [], waiting: [ID<Shift>] = [],
        chosen: [ID<Shift>] = [], at now: Instant
    ) {
        self.it = it
        self.things = things
        self.held = held.filter { $0.shift.map { $0.endsAt > now } ?? true }
        self.shifts = shifts.filter { $0.endsAt > now }.map { shift in
            ShiftRow(
                shift: shift, isOpen: shift.isOpen(at: now), isHeld: held.contains { $0.shift?.id == shift.id },
                isChosen: chosen.contains(shift.id), isWaiting: waiting.contains(shift.id))
        }
        isOpen = it.isOpen(at: now)
    }
}

/// What the editor of opportunities shows besides its form.
struct OpportunityEditing: Sendable {
    var stored: Opportunity?
    var organization = ""

    var isNew: Bool { stored == nil }
    var action: Link { stored.map { $0.link / "edit" } ?? Link("/opportunities/new") }
    var title: Words { isNew ? "Ask for help" : "Change what you ask for" }
}
