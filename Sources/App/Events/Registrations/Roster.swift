import Forms
import Templating

/// Those who come to an event, as its provider sees them.
struct Roster: Sendable {
    let event: Event
    let parties: [RosterParty]
    /// Whether the notes that parents shared are shown with it.
    let showsNotes: Bool
    /// The parties of whom it shows notes.
    var registrationsWithNotes: [ID<Registration>] {
        parties.filter { $0.children.contains { $0.note != nil } }.map(\.registration)
    }

    /// Whether there are some to be shown now.
    let hasNotes: Bool
    /// What families were asked.
    var asks: [Ask] = []
    /// The activity of the event whose list it is; nil for that of the event.
    var activity: Activity?
    /// How many wait for a place in that; of an event how many families, and those who have to answer.
    var waiting = 0
    /// What is held for families that need help with the fee, or can be.
    var hold: Hold?
    var canHold = false
    /// When families can register, where that isn't always.
    var window: [Words] = []
    /// What happens at the event, each with a list of its own.
    var activities: [Activity] = []
    /// How many came without having registered.
    var walkIns = 0
    /// Whether its host can add people by hand, and those who were taken off again.
    var takesGuests = false
    var takenOff: [Guest] = []
    /// Whether the event's day is still to come.
    var isEarly = false
    /// Whether the provider wants to tick children in before that day.
    var ticksEarly = false

    /// Whether children can be ticked in now: where there are sessions, in the list of each.
    var canTick: Bool { !event.isCancelled && !event.hasSessions && (!isEarly || ticksEarly) }

    /// Whether those who are there can be counted by heads, and what was counted.
    var canCountHeads = false
    var headcount = Headcount()

    /// One child a row, by name.
    var rows: [RosterRow] {
        parties.flatMap { party in party.children.map { RosterRow(child: $0, party: party) } }
            .sorted { ($0.key, $0.child.id) < ($1.key, $1.child.id) }
    }

    /// How many came, those without registration too.
    var arrived: Int { parties.flatMap(\.children).count { $0.presence != .away } + walkIns }

    /// Everybody's address once, to be copied into a letter; without those of families that are suspended.
    var emails: [String] {
        var known: Set<String> = []
        return rows.map(\.party.email).filter { !$0.isEmpty && known.insert($0).inserted }
    }

    /// How the next one is counted.
    let counting = Submission<WalkInsForm>()
    /// One more who came without registering, while there is a place.
    var oneMore: Int? { event.isFull ? nil : walkIns + 1 }
    var oneLess: Int? { walkIns > 0 ? walkIns - 1 : nil }

    /// Whether the day of the event is still to come.
    static func isEarly(_ event: Event, at now: Instant) -> Bool {
        event.clock.day(of: now) < event.day
    }

    var link: Link { .roster(of: event.id) }

    /// The list as a sheet, without notes: files travel. Times are those of the event's place.
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

    /// Whether it says for each child to which sessions it comes.
    private var listsSessions: Bool { event.hasSessions && activity == nil }

    /// What is asked, and what was asked before and somebody answered, each once.
    private var questions: [String] {
        var seen: Set<String> = []
        let answered = parties.flatMap(\.children).flatMap(\.replies).map(\.content.text)
        return (asks.map(\.text) + answered).filter { seen.insert($0).inserted }
    }

    /// Whether it holds anything that families answered.
    var hasAnswers: Bool {
        parties.contains { $0.needsHelp || $0.children.contains { !$0.replies.isEmpty } }
    }

    /// Whether a family said that it needs help with the fee.
    private var listsHelp: Bool { parties.contains(where: \.needsHelp) }

    /// Whether a child may be photographed; nil where that isn't asked.
    func photoMark(of child: RosterChild) -> PhotoMark? {
        event.isCancelled ? nil : PhotoMark(asks, child.replies)
    }

    /// What is read about a child, and about its family.
    func answers(of child: RosterChild, ofFamily isFamily: Bool) -> [AnswerLine] {
        // Once it is canceled the answers are erased, and none is missing.
        event.isCancelled ? [] : AnswerLine.all(asks, child.replies, isEach: !isFamily)
    }

    /// How many consents were taken back.
    var takenBack: Int {
        Set(
            rows.flatMap { row in
                row.child.replies.filter { $0.takenBackAt != nil }.map {
                    $0.content.isEach ? "\($0.id)" : "\(row.party.registration) \($0.content.text)"
                }
            }
        ).count
    }

    /// What the file is called: title and day of the event, and nothing about who comes.
    var fileName: String { "\(activity?.name ?? event.title) \((activity?.day ?? event.day).iso)" }
}

/// A child with those who look after it.
struct RosterRow: Sendable {
    let child: RosterChild
    let party: RosterParty
    /// By this the list is in order.
    let key: String

    /// Whether it is an adult who comes in person: nobody else is to be reached.
    var isSelf: Bool { child.ages == nil && child.name == party.parent }

    init(child: RosterChild, party: RosterParty) {
        self.child = child
        self.party = party
        key = folded(child.name)
    }
}

/// One family's line of the roster.
struct RosterParty: Sendable {
    let registration: ID<Registration>
    /// Of somebody the host added.
    let guest: ID<Guest>?
    /// Whether they don’t know of a change yet.
    var isUntold = false
    /// Empty of somebody the host added.
    let parent: String
    let phone: String?
    /// Empty where the family is suspended, or has no account: nobody is to write to it.
    let email: String
    var children: [RosterChild]
    /// Whether it needs help with the fee, for the host alone.
    var needsHelp = false

    var mail: Link? { Link(writingTo: email) }
}

/// One child on the roster.
struct RosterChild: Sendable {
    let id: ID<Registration.Person>
    var name: String
    var age: Words = ""
    /// In the birth month it may be either of two; nil for a child that was removed.
    var ages: ClosedRange<Int>?
    /// When it came and went, as a clock at the venue shows it.
    var arrival: TimeOfDay?
    var departure: TimeOfDay?
    var note: CareNote?
    /// What was answered for it.
    var replies: [Reply] = []
    /// The sessions it comes to, where there are some.
    var sessions: [String] = []

    /// What stands in the spreadsheet below a question.
    fileprivate func answer(to question: String) -> Spreadsheet.Cell {
        guard let reply = replies.last(where: { $0.content.text == question }) else { return .empty }
        return reply.content.kind.isConsent ? .words(reply.words) : .text(reply.answer)
    }

    enum Presence: String, FormValue {
        case away, here, gone
    }

    var presence: Presence { departure != nil ? .gone : arrival != nil ? .here : .away }
}

/// How many came to an event without having registered. A press on the same page counts once.
struct WalkInsForm: Form {
    var count: Int?
    /// How many the page showed.
    var shown: Int?

    static let fields: [Field<Self>] = [
        .number("walk_ins", \.count, "How many", 0...10_000), .number("shown", \.shown, "How many", 0...10_000),
    ]
}
