import Forms

/// A parent's answer to a host's question for one person in a party, with the text it was given to.
struct Reply: Sendable {
    let id: ID<Reply>
    let person: ID<Registration.Person>
    /// The question; nil if it is no longer asked.
    let ask: ID<Ask>?
    let version: Int
    /// The question's text at that time.
    let content: Ask.Content
    /// `yes` or `no` for a consent, otherwise the choice or the text.
    let answer: String
    /// The parent; nil for a former member.
    let giver: String?
    let at: Instant
    /// When a consent was revoked.
    let takenBackAt: Instant?
    let eraseAt: Instant

    static let yes = "yes"
    static let no = "no"

    /// Whether it is a valid consent.
    var isGiven: Bool { content.kind.isConsent && answer == Self.yes && takenBackAt == nil }

    /// Whether it answers the current question.
    func answers(_ ask: Ask) -> Bool { self.ask == ask.id && version == ask.version }

    /// The answer for display.
    var words: Words {
        guard content.kind.isConsent else { return Words(verbatim: answer) }
        if takenBackAt != nil { return "taken back" }
        return answer == Self.yes ? Words("yes") : Words("no")
    }

    /// The parent and the time, in the venue's zone; for a revoked consent, the time of revocation.
    func origin(in zone: Zone) -> Words {
        let time = zone.words(takenBackAt ?? at)
        guard let giver else { return time }
        return "\(giver, as: "name"), \(time, as: "time")"
    }
}

/// Which of the host's questions have reached somebody, so that no list says that they owe an answer to another one.
enum Asked: Sendable {
    /// Somebody with a place, who is told of new questions.
    case always
    /// Somebody who waits: asked at registration, and not of what was added since.
    case once
    /// A guest whom the host added, or a family that waits since a draw: they answered no form.
    case never

    /// Whether a question without an answer was asked of them: a required one can't be left open at registration.
    func reached(_ ask: Ask) -> Bool {
        switch self {
        case .always: true
        case .once: !ask.content.isRequired
        case .never: false
        }
    }
}

/// Whether somebody may be photographed, as a mark on the host's list.
enum PhotoMark: Sendable {
    case yes, no, unanswered, unasked

    /// - Parameter replies: The answers for one person.
    /// - Returns: Nil if the event doesn't ask.
    init?(_ asks: [Ask], _ replies: [Reply], of asked: Asked = .always) {
        guard let ask = asks.first(where: { $0.kind == .photo }) else { return nil }
        guard let reply = replies.first(where: { $0.answers(ask) }) else {
            self = asked.reached(ask) ? .unanswered : .unasked
            return
        }
        self = reply.isGiven ? .yes : .no
    }

    var words: Words {
        switch self {
        case .yes: "Photos: yes"
        case .no: "No photos"
        case .unanswered: "Photos: not answered"
        case .unasked: "Photos: not asked"
        }
    }

    var icon: Icon {
        switch self {
        case .yes: .check
        case .no: .cross
        case .unanswered, .unasked: .help
        }
    }

    var isYes: Bool { self == .yes }
}

/// The questions and answers for one person on a host's list, including unanswered ones.
struct AnswerLine: Sendable {
    let text: String
    let words: Words
    let isOpen: Bool
    /// Whether the question's text has changed since, or it is no longer asked.
    let isOld: Bool

    /// - Parameters:
    ///   - asks: The event's current questions about each child, or to the family.
    ///   - replies: The answers for one person.
    ///   - asked: What that person was asked.
    static func all(_ asks: [Ask], _ replies: [Reply], isEach: Bool, of asked: Asked = .always) -> [AnswerLine] {
        var lines: [AnswerLine] = []
        // The mark beside the name shows the photo consent.
        for ask in asks where ask.content.isEach == isEach && ask.kind != .photo {
            if let reply = replies.first(where: { $0.answers(ask) }) {
                lines.append(AnswerLine(text: ask.text.shortened, words: reply.words, isOpen: false, isOld: false))
            } else {
                let words: Words =
                    !asked.reached(ask)
                    ? "not asked" : ask.content.isRequired ? "not answered yet" : "no answer"
                lines.append(AnswerLine(text: ask.text.shortened, words: words, isOpen: true, isOld: false))
            }
        }
        return lines
            + replies.filter { reply in reply.content.isEach == isEach && !asks.contains { reply.answers($0) } }.map {
                AnswerLine(text: $0.content.text.shortened, words: $0.words, isOpen: false, isOld: true)
            }
    }
}

/// A family's answers at an event, and unanswered questions, for the page of its registration.
struct FamilyAnswers: Sendable {
    let registration: ID<Registration>
    let lines: [Line]
    /// How many questions nobody has answered, including those whose text has changed.
    let open: Int
    /// Whether answers can still be changed.
    let canChange: Bool
    /// Whether they were erased because the event was canceled.
    let isErased: Bool
    /// Whether the family has a place, which open questions don't endanger.
    let hasPlace: Bool
    /// Whether a consent can be revoked here, and is revoked at other dates as well.
    var isOfSeries: Bool { hasDates && lines.contains(where: \.canTakeBack) }
    private let hasDates: Bool

    struct Line: Sendable {
        let reply: Reply
        /// The child it is about; nil for the family.
        let child: Words?
        /// Whether the host has changed or removed the question.
        let isOld: Bool
        let origin: Words
        let eraseDay: Day

        var canTakeBack: Bool { reply.isGiven }

        /// Its name on a button: `Mo, May Mo be in photos?`
        var name: Words {
            let text = reply.content.text.shortened
            return child.map { "\($0, as: "name"), \(text, as: "question")" } ?? Words(verbatim: text)
        }
    }

    var isEmpty: Bool { lines.isEmpty && open == 0 && !isErased }
    /// Whether something can be answered or changed: a given consent can only be revoked.
    var isChangeable: Bool { open > 0 || lines.contains { !$0.isOld && !$0.reply.isGiven } }

    /// - Parameters:
    ///   - people: The people in the party who still come, each with the name to show.
    ///   - replies: The answers for them.
    init(
        _ registration: Registration, _ asks: [Ask], people: [(id: ID<Registration.Person>, name: String?)],
        _ replies: [Reply], at now: Instant
    ) {
        self.registration = registration.id
        let zone = registration.event.clock
        var lines: [Line] = []
        var families: Set<String> = []
        for (person, name) in people {
            for reply in replies where reply.person == person {
                // The family's answer is stored for each of its people.
                if !reply.content.isEach, !families.insert("\(reply.ask?.description ?? reply.content.text)").inserted {
                    continue
                }
                lines.append(
                    Line(
                        reply: reply, child: reply.content.isEach ? Family.label(name) : nil,
                        isOld: !asks.contains { reply.answers($0) }, origin: reply.origin(in: zone),
                        eraseDay: zone.day(of: reply.eraseAt)))
            }
        }
        // As in the form: what is asked about each child, then what is asked of the family.
        self.lines = lines.filter { $0.child != nil } + lines.filter { $0.child == nil }
        canChange = registration.canAnswer(at: now)
        isErased = registration.event.isCancelled && !asks.isEmpty
        hasPlace = !registration.isWaiting
        hasDates = registration.event.series != nil
        open =
            canChange
            ? asks.reduce(0) { count, ask in
                let answered = Set(replies.filter { $0.answers(ask) }.map(\.person))
                let missing = people.count { !answered.contains($0.id) }
                return count + (ask.content.isEach ? missing : min(missing, 1))
            } : 0
    }
}

/// The host's questions that a family with a place still has to answer, for its Today: required questions, and requests
/// for consent if places were drawn by lot, because nobody was asked before.
struct OpenQuestions: Sendable {
    let registration: ID<Registration>
    let title: EventTitle
    var count: Int

    var words: Words { Self.words(count) }

    /// `2 questions have no answer yet.`
    static func words(_ count: Int) -> Words {
        Words("{count} question has no answer yet.", plural: "{count} questions have no answer yet.", count: count)
    }
}

extension Registration {
    /// Whether the host's questions can be answered: until the event begins, or its last session ends.
    func canAnswer(at now: Instant) -> Bool {
        let isTooLate = event.hasSessions ? event.isOver(at: now) : event.hasStarted(at: now)
        return !isTooLate && !event.isCancelled && !isCancelled && !coming.isEmpty && !event.isForEveryone
    }
}
