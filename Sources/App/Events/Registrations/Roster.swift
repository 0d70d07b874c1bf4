import Forms
import Templating

/// An event's participants, as its provider sees them.
struct Roster: Sendable {
    let event: Event
    let parties: [RosterParty]
    /// Whether it was read with the notes shared by parents.
    let withNotes: Bool
    /// Whether it includes any.
    var showsNotes: Bool { withNotes && hasNotes }
    /// The parties whose notes it includes.
    var registrationsWithNotes: [ID<Registration>] {
        parties.filter { $0.children.contains { $0.note != nil } }.map(\.registration)
    }

    /// Whether there are notes to show now.
    var hasNotes: Bool { parties.contains { $0.children.contains(where: \.hasNote) } }
    /// The questions to families.
    var asks: [Ask] = []
    /// The activity whose list it is; nil for the event's list.
    var activity: Activity?
    /// How many people wait for the activity; for an event, how many families wait or have an offer.
    var waiting = 0
    /// The places held for families that need help with the fee, if possible.
    var hold: Hold?
    var canHold = false
    /// When families can register, while they can at all and there are limits.
    func window(at now: Instant, for reader: Zone) -> [Words] {
        event.isOpen(at: now) ? event.admission.window.lines(zip: nil, at: now, in: event.clock, for: reader) : []
    }
    /// The event's activities, each with a list of its own.
    var activities: [Activity] = []
    /// How many came without a registration.
    var walkIns = 0
    /// Whether its host can add guests, and the removed guests.
    var takesGuests = false
    var takenOff: [Guest] = []
    /// Whether the event's day is in the future.
    var isEarly = false
    /// Whether the provider wants to check children in before that day.
    var ticksEarly = false

    /// Whether children can be checked in now; with sessions, only in the lists of those.
    var canTick: Bool { !event.isCancelled && !event.hasSessions && (!isEarly || ticksEarly) }

    /// Whether people can be counted, and the count.
    var canCountHeads = false
    var headcount = Headcount()

    /// A row per child, sorted by name.
    var rows: [RosterRow] {
        parties.flatMap { party in party.children.map { RosterRow(child: $0, party: party) } }
            .sorted { ($0.key, $0.child.id) < ($1.key, $1.child.id) }
    }

    /// How many came, including those without a registration.
    var arrived: Int { parties.flatMap(\.children).count { $0.presence != .away } + walkIns }

    /// All addresses without duplicates, for copying into a letter; without those of suspended families.
    var emails: [String] {
        var known: Set<String> = []
        return rows.map(\.party.email).filter { !$0.isEmpty && known.insert($0).inserted }
    }

    /// The form for the next one.
    let counting = Submission<WalkInsForm>()
    /// The count with one more person without a registration; nil if it is full.
    var oneMore: Int? { event.isFull ? nil : walkIns + 1 }
    var oneLess: Int? { walkIns > 0 ? walkIns - 1 : nil }

    /// Whether the event's day is in the future.
    static func isEarly(_ event: Event, at now: Instant) -> Bool {
        event.clock.day(of: now) < event.day
    }

    var link: Link { .roster(of: event.id) }

    /// A spreadsheet without notes, because files get passed on. Times are in the place's zone.
    var sheet: Spreadsheet {
        let zone = event.clock.identifier
        let questions = questions
        var sheet = Spreadsheet(
            [
                event.isForEveryone ? "Who" : "Child", "Age, at least", "Age, at most",
                event.isForEveryone ? "With whom" : "Parent", "E-mail", "Phone", "Came (\(zone, as: "zone"))",
                "Left (\(zone, as: "zone"))",
            ] + (listsSessions ? [Words("Sessions", context: "of a camp")] : [])
                + (listsHelp ? ["Help with the fee"] : []) + questions.map { Words(verbatim: $0) }
        )
        for row in rows {
            let (child, party) = (row.child, row.party)
            let ages: [Spreadsheet.Cell] =
                child.ages.map { [.number($0.lowerBound), .number($0.upperBound)] } ?? [.empty, .empty]
            sheet.add(
                [.text(child.name)] + ages + [
                    .text(party.parent), .text(party.email), .phone(party.phone ?? ""),
                    .text(child.arrival?.iso ?? ""), .text(child.departure?.iso ?? ""),
                ] + (listsSessions ? [.text(child.sessions.joined(separator: "; "))] : [])
                    + (listsHelp ? [party.needsHelp ? .words("Yes") : .empty] : [])
                    + questions.map { child.answer(to: $0) })
        }
        return sheet
    }

    /// Whether it lists each child's sessions.
    private var listsSessions: Bool { event.hasSessions && activity == nil }

    /// The current questions, and earlier ones with answers, without duplicates.
    private var questions: [String] {
        var seen: Set<String> = []
        let answered = parties.flatMap(\.children).flatMap(\.replies).map(\.content.text)
        return (asks.map(\.text) + answered).filter { seen.insert($0).inserted }
    }

    /// Whether it contains any answers.
    var hasAnswers: Bool {
        parties.contains { $0.needsHelp || $0.children.contains { !$0.replies.isEmpty } }
    }

    /// Whether any family needs help with the fee.
    private var listsHelp: Bool { parties.contains(where: \.needsHelp) }

    /// Whether a child may be photographed; nil if that isn't asked.
    func photoMark(of row: RosterRow) -> PhotoMark? {
        event.isCancelled ? nil : PhotoMark(asks, row.child.replies, of: row.asked)
    }

    /// The answers about a child, or its family's.
    func answers(of row: RosterRow, ofFamily isFamily: Bool) -> [AnswerLine] {
        // After a cancellation the answers are erased, and none is missing.
        event.isCancelled ? [] : AnswerLine.all(asks, row.child.replies, isEach: !isFamily, of: row.asked)
    }

    /// The number of revoked consents.
    var takenBack: Int {
        Set(
            rows.flatMap { row in
                row.child.replies.filter { $0.takenBackAt != nil }.map {
                    $0.content.isEach ? "\($0.id)" : "\(row.party.registration) \($0.content.text)"
                }
            }
        ).count
    }

    /// The file's name: the event's title and day, and nothing about participants.
    var fileName: String { "\(activity?.name ?? event.title) \((activity?.day ?? event.day).iso)" }
}

/// A child with the people who look after them.
struct RosterRow: Sendable {
    let child: RosterChild
    let party: RosterParty
    /// The sort key.
    let key: String

    /// Which questions have reached them: none, if they are guests whom the host added.
    var asked: Asked { party.guest == nil ? .always : .never }

    /// Whether it is an adult in person, who needs no separate contact.
    var isSelf: Bool { child.ages == nil && child.name == party.parent }

    init(child: RosterChild, party: RosterParty) {
        self.child = child
        self.party = party
        key = folded(child.name)
    }
}

/// One family on the list.
struct RosterParty: Sendable {
    let registration: ID<Registration>
    /// The ID of a guest added by the host.
    let guest: ID<Guest>?
    /// Whether they haven't been told of a change.
    var isUntold = false
    /// Empty for a guest.
    let parent: String
    let phone: String?
    /// Empty if the family is suspended or has no account, and can't be written to.
    let email: String
    var children: [RosterChild]
    /// Whether it needs help with the fee; only for the host.
    var needsHelp = false

    var mail: Link? { Link(writingTo: email) }
}

/// One child on the list.
struct RosterChild: Sendable {
    let id: ID<Registration.Person>
    var name: String
    var age: Words = ""
    /// In the birth month either of two; nil for a deleted child.
    var ages: ClosedRange<Int>?
    /// When it came and left, in the venue's zone.
    var arrival: TimeOfDay?
    var departure: TimeOfDay?
    /// Whether parents share notes about it that may be shown now.
    var hasNote = false
    var note: CareNote?
    /// The answers about it.
    var replies: [Reply] = []
    /// Its sessions, if there are any.
    var sessions: [String] = []

    /// The spreadsheet's cell for a question.
    fileprivate func answer(to question: String) -> Spreadsheet.Cell {
        guard let reply = replies.last(where: { $0.content.text == question }) else { return .empty }
        return reply.content.kind.isConsent ? .words(reply.words) : .text(reply.answer)
    }

    enum Presence: String, FormValue {
        case away, here, gone
    }

    var presence: Presence { departure != nil ? .gone : arrival != nil ? .here : .away }
}

/// How many people came to an event without a registration. Pressing twice on the same page counts once.
struct WalkInsForm: Form {
    var count: Int?
    /// The number shown on the page.
    var shown: Int?

    static let fields: [Field<WalkInsForm>] = [
        .number("walk_ins", \.count, "How many", 0...10_000), .number("shown", \.shown, "How many", 0...10_000),
    ]
}
