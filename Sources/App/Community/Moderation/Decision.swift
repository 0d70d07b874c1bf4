import Forms
import Templating

/// What those who run the site decided about something, and told its author.
struct Decision: Sendable {
    let id: ID<Decision>
    let subject: Subject
    let author: ID<Account>
    /// The moderator who decided; nil where reports of members did, for the time being.
    let staff: String?
    let staffID: ID<Account>?
    let verdict: Verdict
    let ground: Ground
    /// In their own words; empty where the ground says it.
    let reason: String
    /// How long it holds, where that is limited.
    let until: Instant?
    let at: Instant
    let endedAt: Instant?
    /// What its author answered, once.
    let answer: String
    let answeredAt: Instant?
    /// What staff said to that; empty where they lifted it without a word, or decided something else instead.
    var reply = ""
    var repliedAt: Instant?
    /// Whether it made sure of a place that gives all year.
    var verifies = false
    /// Whether it was about something that nobody had seen yet.
    var wasKeptBack = false

    enum Verdict: String, CaseIterable, Sendable, FormValue {
        case fine, note, ask, hide, limit, suspend
        /// Of somebody who signed up and waits.
        case admit, refuse
        /// Of the author’s account, once somebody else says yes.
        case delete
        /// Of what its author answered: it is taken back, or holds, and the author reads why.
        case lift, stands

        /// About what somebody wrote.
        static let usual: [Verdict] = [.fine, .note, .ask, .hide, .limit, .suspend, .delete]
        /// About somebody who waits to be let in.
        static let ofEntry: [Verdict] = [.admit, .note, .refuse]
        /// What the notice of it says itself, since it is about nothing that its reader wrote.
        static let aboutAccounts: [Verdict] = [.admit, .refuse, .delete]
        /// About what is the first of somebody, and waits to be shown.
        static let ofFirst: [Verdict] = [.fine, .ask, .hide, .suspend]

        func name(of author: Author) -> Words {
            switch self {
            case .fine: "Seen, fine"
            case .note: "Only write to them"
            case .ask: "Ask for a change"
            case .hide: "Hide it"
            case .limit: "Limit \(author.name, as: "name")"
            case .suspend: "Suspend \(author.name, as: "name")"
            case .admit: "Let them in"
            case .refuse: "Don’t let them in"
            case .delete: "Delete the account of \(author.name, as: "name")"
            case .lift: "Lift it"
            case .stands: "It stands"
            }
        }

        var hint: Words {
            switch self {
            case .fine: "No more reports until it is changed"
            case .note: "Nothing else happens"
            case .ask: "Hidden until then"
            case .hide: "Only its author sees it"
            case .limit: "Reads, and doesn’t write"
            case .suspend: "Nobody sees what they wrote, and they can’t log in"
            case .admit: "Everything is open to them, and they are told"
            case .refuse: "They read why, and can answer or delete the account; it goes by itself after a month"
            case .delete: "With all they wrote, after a second moderator agrees. They read why right away"
            case .lift: "It ends, and they are told"
            case .stands: "It goes on, and they read your words"
            }
        }

        /// Whether it can be taken back.
        var canEnd: Bool { self != .note && self != .admit }
        /// Whether it says what becomes of an answer.
        var isReply: Bool { self == .lift || self == .stands }
        /// Whether it is about the author's account.
        var isOnAccount: Bool { [.limit, .suspend, .admit, .refuse, .delete].contains(self) }
        /// Whether it hides what it is about.
        var hides: Bool { self == .hide || self == .ask }
    }

    /// How long decisions are kept.
    static let memory = Duration.days(365)

    var isOpen: Bool { endedAt == nil }
    var canUndo: Bool { isOpen && verdict.canEnd }
    /// Whether its author may still answer.
    var canAnswer: Bool { answeredAt == nil && verdict != .fine && verdict != .admit }
    /// Whether there is something to be said why: nothing is wrong with what is fine.
    var saysWhy: Bool { verdict != .fine && verdict != .admit || !reason.isEmpty }
    /// Why, to its author.
    var why: Words { reason.isEmpty ? ground.sentence : Words(verbatim: reason) }
    var answered: HTML { .paragraphs(of: answer) }
    var replied: HTML { .paragraphs(of: reply) }
    var said: Words { Words(verbatim: reply) }
    /// Whether staff read the answer and let it stand.
    var isUpheld: Bool { repliedAt != nil && isOpen && !reply.isEmpty }

    /// What staff can do about what its author answered: never nothing.
    var verdicts: [Verdict] {
        let others = subject.kind.verdicts.filter { $0 != .fine && $0 != .note && $0 != verdict }
        return (canUndo ? [.lift] : []) + [.stands] + others.filter { verdict != .suspend || $0 != .limit }
    }

    var link: Link { Link.decision(id) }

    /// Whether it took a kind act that somebody proposed into the catalog.
    var takesAct: Bool { verdict == .fine && wasKeptBack && subject.kind == .act }

    /// What was decided, to its author.
    var told: Words {
        let thing = subject.kind.name
        if case .act = subject, let told = toldOfAct { return told }
        return switch verdict {
        case .fine where verifies && isOpen: "Your place was looked at and marked as verified"
        case .fine where verifies: "Your place isn’t marked as verified anymore"
        case .fine where isOpen: "Your \(thing, as: "thing") was looked at and is fine"
        case .fine: "Your \(thing, as: "thing") waits for another look"
        case .note, .lift, .stands: "A word about your \(thing, as: "thing")"
        case .ask where isOpen: "Please change your \(thing, as: "thing"): it is hidden until then"
        case .hide where isOpen: "Your \(thing, as: "thing") is hidden"
        case .ask, .hide: "Your \(thing, as: "thing") is no longer hidden"
        case .limit where isOpen: "You can read here, and for a while not write"
        case .limit: "You can write again"
        case .admit: "You are in. Welcome to the village"
        case .refuse where isOpen: "You weren’t let in"
        case .refuse: "It is decided anew whether you are let in"
        case .delete where isOpen: "Your account is to be deleted"
        case .delete: "Your account stays"
        case .suspend where isOpen: "Your account is suspended"
        case .suspend: "Your account is restored"
        }
    }

    /// The same of a kind act that its author proposed for everybody.
    private var toldOfAct: Words? {
        switch verdict {
        case .fine where isOpen: "Your kind act is in the catalog now"
        case .fine: "Your kind act waits for another look, and isn’t in the catalog until then"
        case .hide where isOpen: "Your kind act isn’t in the catalog"
        case .hide: "Your kind act is in the catalog again"
        default: nil
        }
    }

    /// To those who run the site.
    var summary: Words {
        switch verdict {
        case .fine where verifies: Words("Verified")
        case .fine where takesAct: "Taken into the catalog"
        case .fine: "Found fine"
        case .note: "Written to"
        case .ask: "Asked for a change"
        case .hide: "Hidden"
        case .limit: "Limited"
        case .suspend: "Suspended"
        case .admit: "Let in"
        case .refuse: "Not let in"
        case .delete: "To be deleted"
        case .lift: "Lifted"
        case .stands: "Stands"
        }
    }
}

/// What is decided.
struct DecisionForm: Form {
    var verdict = Decision.Verdict.fine
    var ground: Ground?
    var rule: String?
    var reason: String?
    var days: Int?

    static let fields: [Field<DecisionForm>] = [
        .choice("act", \.verdict, "What to do").drawn(as: .radios).missing("Say what to do."),
        .choice(
            "ground", \.ground, "Why, unless it is fine",
            options: Ground.allCases.map { Choice($0, $0.name, detail: $0.sentence) }
        ).drawn(as: .radios),
        .choice("rule", \.rule, "House rule"),
        .area("reason", \.reason, "In your own words", 3...1_000)
            .hint("The author reads these words, or else the sentence chosen above. No names."),
        .number("days", \.days, "For how many days, if somebody is limited", 1...90),
    ]

    /// Whether it says why: what is fine, or isn't anymore, needs no reason.
    var saysWhy: Bool {
        verdict == .fine || verdict == .admit || verdict.isReply || ground != nil || rule != nil || reason != nil
    }
    /// Whether somebody who answered would read nothing.
    var isWordless: Bool { verdict == .stands && reason == nil }

    /// What the author reads: the rule as it was then, and what was added.
    private var words: String { [rule.map { "“\($0)”" }, reason].compactMap(\.self).joined(separator: " ") }

    var ruling: Decision.Ruling {
        Decision.Ruling(verdict: verdict, ground: ground ?? .other, reason: words, days: days ?? 7)
    }
}

/// Deciding about many at once.
struct ManyForm: Form {
    var verdict = Decision.Verdict.fine
    var ground = Ground.spam

    static let fields: [Field<ManyForm>] = [
        .choice(
            "act", \.verdict, "With those chosen",
            options: [
                Choice(Decision.Verdict.suspend, "Hide them and suspend who wrote them"),
                Choice(Decision.Verdict.hide, "Hide them, or don’t let them in"),
                Choice(Decision.Verdict.fine, "Seen, fine: shown, or let in"),
            ]
        ).drawn(as: .radios).missing("Say what to do."),
        .choice("ground", \.ground, "Why", options: Ground.allCases.map { Choice($0, $0.sentence) }),
    ]
}

extension ManyForm {
    /// What is done to one of those chosen.
    func rulings(isEntry: Bool, isThere: Bool) -> [Decision.Ruling] {
        let verdicts: [Decision.Verdict] =
            switch verdict {
            case .fine: [isEntry ? .admit : .fine]
            case .hide: isEntry ? [.refuse] : isThere ? [.hide] : []
            default: isEntry || !isThere ? [.suspend] : [.hide, .suspend]
            }
        return verdicts.map { Decision.Ruling(verdict: $0, ground: ground) }
    }
}

/// What would be decided about several at once.
struct ManyPage: Sendable {
    let rows: [Row]
    /// How many of those chosen are left out: one's own, what needs a second yes, and what is gone from the queue.
    let leftOut: Int

    struct Row: Sendable {
        let subject: Subject
        let author: Author
        /// The beginning of it; nil where it is gone.
        let beginning: String?
        /// Somebody who signed up, and waits to be let in.
        let isEntry: Bool
        let isFirst: Bool
        let isLasting: Bool
        /// Of it as it is shown.
        let version: String
        let rulings: [Decision.Ruling]

        /// How the form says which version of what was shown.
        var seen: String { "\(subject.rawValue) \(version)" }

        /// What happens to it, in words.
        var outcome: Words {
            guard !rulings.isEmpty else { return "It doesn’t wait anymore" }
            return rulings.map { ruling -> Words in
                switch (ruling.verdict, subject.kind) {
                case (.fine, .act) where isFirst: "Take it into the catalog"
                case (.hide, .act) where isFirst: "Leave it to its author"
                case (.fine, _) where isLasting: "It is there, and gives all year"
                case (.fine, _) where isFirst: "Show it"
                default: ruling.verdict.name(of: author)
                }
            }.listed()
        }
    }
}

extension Decision {
    /// What is to be done, and why.
    struct Ruling: Sendable {
        let verdict: Verdict
        var ground = Ground.other
        var reason = ""
        var days = 7
        /// The version that the moderator saw; nil where that is no matter.
        var seen: String?
    }

    /// What is to be found fine says something else by now, or its author answered.
    struct Changed: Error {
        var words: Words =
            "It was changed while you looked. This is how it is now: please look again before you decide."

        static let answered = Changed(
            words: "Its author answered. Read what they say: then lift the decision, or write to them why it stands.")
    }
}

/// Answering a decision.
struct AnswerDecisionForm: Form {
    var answer = ""

    static let fields: [Field<AnswerDecisionForm>] = [
        .area("answer", \.answer, "Your answer", 2...2_000)
            .hint("Once. Somebody who looks after the site reads it.").missing("Write something first.")
    ]
}

/// A decision as its author reads it.
struct DecisionPage: Sendable {
    let decision: Decision
    let time: Words
    let until: Words?
    /// What it is about; nil where it is gone.
    let exhibit: Exhibit?
    /// Where the answer goes.
    let action: Link
}

/// `/moderation`: what those who run the site did, in numbers.
struct ModerationCounts: Sendable {
    let rows: [Row]
    let reports: Int
    let waiting: Int

    /// One kind of act, with how often each ground was given.
    struct Row: Sendable {
        let verb: AuditEntry.Verb
        let name: Words
        var count = 0
        var grounds: [(ground: Ground, count: Int)] = []
    }
}
