import Forms
import Templating

/// The form for a decision.
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

    /// Whether a reason is required: not for finding content fine, or revoking that.
    var saysWhy: Bool {
        verdict == .fine || verdict == .admit || verdict.isReply || ground != nil || rule != nil || reason != nil
    }
    /// Whether the reply to an answer would be empty.
    var isWordless: Bool { verdict == .stands && reason == nil }

    /// The text for the author: the rule as it is now, and the addition.
    private var words: String { [rule.map { "“\($0)”" }, reason].compactMap(\.self).joined(separator: " ") }

    var ruling: Decision.Ruling {
        Decision.Ruling(verdict: verdict, ground: ground ?? .other, reason: words, days: days ?? 7)
    }
}

/// The form for a decision about several matters.
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
    /// The rulings for one of the chosen matters.
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

/// A preview of a decision about several matters.
struct ManyPage: Sendable {
    let rows: [Row]
    /// How many of the chosen are left out: one's own, those that need a second person, and those no longer in the
    /// queue.
    let leftOut: Int

    struct Row: Sendable {
        let subject: Subject
        let author: Author
        /// The beginning of the text; nil if it is gone.
        let beginning: String?
        /// Whether it is a new member who waits to be let in.
        let isEntry: Bool
        let isFirst: Bool
        let isLasting: Bool
        /// The version being shown.
        let version: String
        let rulings: [Decision.Ruling]

        /// The form's value for the version that was shown.
        var seen: String { "\(subject.rawValue) \(version)" }

        /// The outcome, in words.
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
    /// A verdict and its reason.
    struct Ruling: Sendable {
        let verdict: Verdict
        var ground = Ground.other
        var reason = ""
        var days = 7
        /// The version that the moderator saw; nil if it doesn't matter.
        var seen: String?
    }

    /// Content that is to be found fine was changed, or its author answered.
    struct Changed: Error {
        var words: Words =
            "It was changed while you looked. This is how it is now: please look again before you decide."

        static let answered = Changed(
            words: "Its author answered. Read what they say: then lift the decision, or write to them why it stands.")
    }
}

/// The form for an author's answer.
struct AnswerDecisionForm: Form {
    var answer = ""

    static let fields: [Field<AnswerDecisionForm>] = [
        .area("answer", \.answer, "Your answer", 2...2_000)
            .hint("Once. Somebody who looks after the site reads it.").missing("Write something first.")
    ]
}

/// A decision, for its author.
struct DecisionPage: Sendable {
    let decision: Decision
    let time: Words
    let until: Words?
    /// The content; nil if it is gone.
    let exhibit: Exhibit?
    /// The address for the answer.
    let action: Link
}

/// `/moderation`: statistics of staff decisions.
struct ModerationCounts: Sendable {
    let rows: [Row]
    let reports: Int
    let waiting: Int

    /// One kind of decision, with the number of times for each ground.
    struct Row: Sendable {
        let verb: AuditEntry.Verb
        let name: Words
        var count = 0
        var grounds: [(ground: Ground, count: Int)] = []
    }
}
