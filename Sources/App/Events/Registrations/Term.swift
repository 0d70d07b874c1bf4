import Forms
import Templating

/// The upcoming dates of a series, for which a family can register together, with its children's places at each.
struct Term: Sendable {
    /// The date from whose page the family comes.
    let event: Event
    /// The dates that haven't begun, soonest first.
    let dates: [Date]
    let children: [Child]
    /// Overlaps with other plans, with their days.
    var clashes: [(day: Day, clash: Clash)] = []
    /// Whether the form just failed for lack of places that may become free, so that it offers to wait.
    var offersWaiting = false
    /// The host's questions, answered once for all dates; nil if there are none.
    var sheet: AnswerSheet?

    /// One date.
    struct Date: Sendable {
        let card: EventCard
        /// The family's children who have a place or wait for one.
        let held: [ID<Child>: Registration.State]
        /// Children who gave their place back: they needn't take it again in order to have the other dates.
        var givenBack: Set<ID<Child>> = []
        /// Why this family can't register for it now; nil if it can.
        var shut: Words?

        var id: ID<Event> { card.id }

        /// Those of these children who have nothing yet.
        func missing(among children: [ID<Child>]) -> [ID<Child>] { children.filter { held[$0] == nil } }

        /// Those of them who need it if all dates belong together.
        func needed(by children: [ID<Child>]) -> [ID<Child>] {
            missing(among: children).filter { !givenBack.contains($0) }
        }
    }

    /// The children registered at one date.
    typealias Party = (date: Date, children: [ID<Child>])

    /// Whether all dates must be taken together.
    var isWhole: Bool { event.booking == .together }

    /// The children to register at each date, where they have nothing yet.
    func parties(_ form: TermForm) -> [Party] {
        dates.compactMap { date in
            let isAgain = form.again.contains(date.id)
            guard form.dates.contains(date.id) || isAgain else { return nil }
            let children = isWhole && !isAgain ? date.needed(by: form.children) : date.missing(among: form.children)
            return children.isEmpty ? nil : (date, children)
        }
    }

    /// Dates that were given back in a series whose dates belong together, and can be taken again.
    var again: [Date] {
        guard isWhole else { return [] }
        let open = children.filter { refusal(of: $0) == nil }.map(\.id)
        return dates.filter { date in !date.missing(among: open).filter(date.givenBack.contains).isEmpty }
    }

    /// The full dates among those that must be taken together.
    var full: [Date] {
        guard isWhole else { return [] }
        let open = children.filter { refusal(of: $0) == nil }.map(\.id)
        return dates.filter { $0.card.isFull && !$0.needed(by: open).isEmpty }
    }

    /// Whether all of them can only be had by waiting.
    var isWaitingNeeded: Bool { !full.isEmpty }

    /// Their days on one line: `April 13 and April 20`.
    var fullDays: Words { Self.days(full.map(\.card.day)) }

    /// The first days of a list, and the number of others.
    static func days(_ days: [Day], most: Int = 6) -> Words {
        let named = days.prefix(most).map(\.plainName)
        let more = days.count - named.count
        let rest = more > 0 ? [Words("{count} more", plural: "{count} more", count: more)] : []
        return (named + rest).listed()
    }

    /// A new form: with the children who come to the page's date, or the only child; and with all dates that have room,
    /// if they may be taken together.
    func form() -> Submission<TermForm> {
        var submission = Submission<TermForm>()
        offer(in: &submission)
        let free = children.filter { refusal(of: $0) == nil }.map(\.id)
        let here = dates.first { $0.id == event.id }?.held ?? [:]
        submission.fill(\.children, free.count == 1 ? free : free.filter { here[$0] == .confirmed })
        if event.booking != .each {
            submission.fill(
                \.dates,
                dates.filter { isWhole || (!$0.card.isFull && isFree($0)) }.map(\.id))
        }
        // If nothing else is left, they came for what they gave back.
        if isWhole, dates.allSatisfy({ $0.needed(by: submission.form.children).isEmpty }) {
            submission.fill(\.again, again.filter { !$0.card.isFull }.map(\.id))
        }
        return submission
    }

    /// Offers the children and dates in the form.
    func offer(in submission: inout Submission<TermForm>) {
        let refusals = children.map { (child: $0, reason: refusal(of: $0)) }
        submission.offer(
            \.children,
            refusals.map { child, reason in
                Choice(
                    child.id, Words(verbatim: child.name), detail: reason ?? detail(of: child),
                    isDisabled: reason != nil)
            },
            unless: Dictionary(
                refusals.compactMap { child, reason in
                    reason.map { (child.id.description, "\(child.name, as: "name"): \($0, as: "reason")") }
                }, uniquingKeysWith: { $1 }))
        submission.offer(
            \.again,
            again.map { Choice($0.id, name(of: $0), detail: detail(of: $0)) })
        let gone = submission.form.dates.filter { id in !dates.contains { $0.id == id } }
        submission.offer(
            \.dates,
            dates.map { date in
                Choice(date.id, name(of: date), detail: detail(of: date), isDisabled: !isWhole && !isFree(date))
            },
            unless: Dictionary(
                dates.compactMap { date in date.shut.map { (date.id.description, $0) } }
                    + gone.map {
                        ($0.description, "A date has begun by now, or was canceled. Look at the dates again.")
                    },
                uniquingKeysWith: { $1 }))
    }

    /// Takes the sent answers, and adds problems with them.
    mutating func answer(_ body: FormBody, _ submission: inout Submission<TermForm>) {
        guard var answered = sheet else { return }
        answered.read(body)
        answered.check(for: submission.form.children, on: submission.form.dates + submission.form.again)
        submission.add(answered.problems)
        sheet = answered
    }

    /// Checks the form across its fields.
    func check(_ submission: inout Submission<TermForm>) {
        let form = submission.form
        if let shut { submission.reject(shut) }
        guard submission.accepts(\.children), submission.accepts(\.dates) else { return }
        if isWhole {
            let added = dates.filter { !form.dates.contains($0.id) && !$0.needed(by: form.children).isEmpty }
            if !added.isEmpty {
                let names = added.prefix(5).map(\.card.day.plainName).listed()
                submission.reject("These dates belong to it, too: \(names, as: "dates"). Look at all dates again.")
            }
        }
        let parties = parties(form)
        if parties.isEmpty {
            submission.reject(
                again.isEmpty
                    ? "They have places there already, or wait for them." : "Choose the dates they are to have again.")
        }
        for child in children {
            guard let date = parties.first(where: { $0.children.contains(child.id) && !fits(child, $0.date) })?.date
            else { continue }
            submission.reject(
                """
                \(child.name, as: "name") is \(child.age(on: date.card.day), as: "age") on \
                \(date.card.day.plainName, as: "day"): this event is for \(date.card.agesInShort, as: "ages").
                """)
        }
    }

    /// From so many overlaps on, no more are looked for.
    private static let mostClashes = 10

    /// The term with overlaps with the family's plans, and among the dates themselves.
    func advised(beside plans: [TimeSlot]) -> Term {
        var term = self
        var offered: [(slot: TimeSlot, name: Words)] = []
        var days: [Day] = []
        for date in dates {
            let names = children.filter { date.held[$0.id] == nil }.map(\.name)
            guard !names.isEmpty else { continue }
            let card = date.card
            let slot = TimeSlot(
                card.readersTitle, Set(names), from: card.startsAt, to: card.endsAt, event: card.id,
                address: Address(street: card.street, city: card.city), coordinate: event.coordinate)
            offered.append((slot, name(of: date)))
            days.append(card.day)
            if term.clashes.count < Self.mostClashes {
                term.clashes += Clash.advice(for: slot, beside: plans).map { (card.day, $0) }
            }
        }
        let overlaps = Clash.among(offered).prefix(max(0, Self.mostClashes - term.clashes.count))
        term.clashes += overlaps.map { (days[$0.place], $0) }
        return term
    }

    private func fits(_ child: Child, _ date: Date) -> Bool { date.card.fits(child.ages(on: date.card.day)) }

    /// Whether a child can be registered at a date.
    private func isFree(_ date: Date) -> Bool {
        date.shut == nil && children.contains { date.held[$0.id] == nil && fits($0, date) }
    }

    /// Why this family can't register for anything now; nil if it can.
    var shut: Words? {
        let shut = dates.compactMap(\.shut)
        return isWhole || shut.count == dates.count ? shut.first : nil
    }

    /// Why a child can't be selected: it has all dates, or is too young or too old.
    private func refusal(of child: Child) -> Words? {
        let open = dates.filter { $0.held[child.id] == nil }
        if open.isEmpty { return dates.count == 1 ? "is registered" : "has every date" }
        if shut == nil, let first = open.first?.shut, open.allSatisfy({ $0.shut != nil }) { return first }
        let unfit = open.filter { !fits(child, $0) }
        guard let first = unfit.first, isWhole || unfit.count == open.count else { return nil }
        return """
            \(child.age(on: first.card.day), as: "age") on \(first.card.day.plainName, as: "day"): \
            this event is for \(first.card.agesInShort, as: "ages")
            """
    }

    private func detail(of child: Child) -> Words? {
        let count = dates.count { $0.held[child.id] != nil }
        guard count > 0 else { return dates.first.map { child.age(on: $0.card.day) } }
        return Words(
            "has {count} of \(dates.count, as: "all") dates", plural: "has {count} of \(dates.count, as: "all") dates",
            count: count)
    }

    func name(of date: Date) -> Words { "\(date.card.day.fullName, as: "day"), \(date.card.time, as: "time")" }

    /// The children with a place at a date, and the remaining room if the family can take it now; nil if there is
    /// nothing to say.
    func detail(of date: Date) -> Words? {
        let seated = children.filter { date.held[$0.id] == .confirmed }.map { Words(verbatim: $0.name) }
        let waiting = children.filter { date.held[$0.id].map { $0 != .confirmed } ?? false }
            .map { Words(verbatim: $0.name) }
        var parts: [Words] = []
        if !seated.isEmpty { parts.append("Registered: \(seated.listed(.short), as: "names")") }
        if !waiting.isEmpty { parts.append("Waiting: \(waiting.listed(.short), as: "names")") }
        if shut == nil { parts.append(date.shut ?? date.card.room) }
        guard let first = parts.first else { return nil }
        return parts.dropFirst().reduce(first) { "\($0, as: "first") · \($1, as: "second")" }
    }

    /// When registration closes for dates that belong together, while it is open.
    func closing(at now: Instant, for reader: Zone) -> Words? {
        guard isWhole, shut == nil, let closesAt = event.admission.window.closesAt, closesAt > now else { return nil }
        return event.admission.window.lines(zip: nil, at: now, in: event.clock, for: reader).last
    }

    /// The children who can be registered for something.
    var free: [Child] { children.filter { refusal(of: $0) == nil } }

    /// Whether there are notes to share about a child that could come.
    var hasNotes: Bool { children.contains { !$0.note.isEmpty && refusal(of: $0) == nil } }

    /// Whether any of these children, or with `others` any child not among them, can be registered for something.
    func isOpen(for some: [ID<Child>], others: Bool = false) -> Bool {
        children.contains { some.contains($0.id) != others && refusal(of: $0) == nil }
    }

    /// Whether any child can be registered for something.
    var isOpen: Bool { children.contains { refusal(of: $0) == nil } }

    /// Whether the family has or waits for something there, and could have more.
    var hasMore: Bool { isOpen && dates.contains { !$0.held.isEmpty } }

    /// A sentence about a full date.
    static func words(_ full: Full.Date) -> Words {
        let (day, needed) = (full.day.plainName, full.needed)
        return full.left == 0
            ? Words(
                "\(day, as: "day") is full: {count} place is needed there.",
                plural: "\(day, as: "day") is full: {count} places are needed there.", count: needed)
            : Words(
                "\(day, as: "day"): {count} place is left, \(needed, as: "needed") are needed.",
                plural: "\(day, as: "day"): {count} places are left, \(needed, as: "needed") are needed.",
                count: full.left)
    }

    /// Some dates have too few places, so nobody was registered for any.
    struct Full: Error {
        let dates: [Date]

        struct Date: Sendable {
            let day: Day
            let left: Int
            let needed: Int
            /// Whether the number of places could ever be enough.
            let mayWait: Bool
        }
    }

    /// The choice isn't available.
    struct Refused: Error {
        let term: Term
        let form: Submission<TermForm>
    }
}

/// A family's other places in a series, and its options, for the page of a registration.
struct Further: Sendable {
    /// Its places and waiting list entries at current dates, including canceled ones.
    var mine: [Registration.Line] = []
    /// The link to register the same children for other dates; nil if there are none.
    var dates: Link?
    /// The link to register other children; nil if there are none.
    var child: Link?
    /// The dates at which other families wait.
    var awaited: [Day] = []

    var hasMore: Bool { dates != nil || child != nil }

    /// Those that aren't canceled.
    var coming: [Registration.Line] { mine.filter { !$0.isCancelled } }
    /// How many dates to speak of: canceled ones count only if no other is left.
    var count: Int { coming.isEmpty ? mine.count : coming.count }
    var seated: [Registration.Line] { coming.filter { $0.state == .confirmed } }
    var waiting: [Registration.Line] { coming.filter { $0.state != .confirmed } }

    /// The numbers of places and of waiting list entries, if there are both: `You have 1 date, and wait for 3`.
    var both: Words? {
        guard !seated.isEmpty, !waiting.isEmpty else { return nil }
        return Words(
            "You have {count} date, and wait for \(waiting.count, as: "waiting")",
            plural: "You have {count} dates, and wait for \(waiting.count, as: "waiting")", count: seated.count)
    }

    var awaitedDays: Words { Term.days(awaited) }
    var seatedDays: Words { Term.days(seated.map(\.schedule.day)) }
    var waitingDays: Words { Term.days(waiting.map(\.schedule.day)) }

    /// The label of the button to give everything back.
    var leaving: Words {
        waiting.isEmpty
            ? Words("Give {count} date back", plural: "Give all {count} dates back", count: coming.count)
            : Words("Leave {count} date", plural: "Leave all {count} dates", count: coming.count)
    }
}

extension Event {
    /// The link to register children for this date only.
    var registerLink: Link { link.fragment("register") }
}
