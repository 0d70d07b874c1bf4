import Forms

/// A question of a host to families that register: a consent, a choice, or a line of text.
struct Ask: Sendable, Equatable {
    let id: ID<Ask>
    /// The first of the same question at other dates of a series.
    let root: ID<Ask>?
    /// Rises when its text changes, because earlier answers were to another text.
    let version: Int
    var content: Content

    /// The most questions of an event.
    static let most = 8
    /// The most characters of a consent, of other questions, of one of the choices, and of a line.
    static let mostInConsent = 600
    static let mostInQuestion = 300
    static let mostInOption = 80
    static let mostInLine = 200
    /// The allowed number of choices.
    static let options = 2...12
    /// How many days after the event an answer is kept, by default.
    static let usualDays = 30
    static let days = 1...365

    /// The way to answer it.
    enum Kind: String, FormValue, CaseIterable {
        /// By agreeing to a text.
        case agree
        /// Consent to being photographed, which the host sees beside each name.
        case photo
        /// By choosing an answer.
        case choice
        /// By a line of text.
        case line

        var isConsent: Bool { self == .agree || self == .photo }

        var icon: Icon {
            switch self {
            case .agree: .check
            case .photo: .eye
            case .choice: .filter
            case .line: .comment
            }
        }

        /// Its name in the form for an event.
        var name: Words {
            switch self {
            case .agree: "A text to agree to"
            case .photo: "Photo consent"
            case .choice: "A choice of answers"
            case .line: "A short answer"
            }
        }
    }

    /// What its host says about it.
    struct Content: Sendable, Equatable {
        var kind: Kind
        var text: String
        /// The choices.
        var options: [String] = []
        /// The reason for asking.
        var why = ""
        /// Whether each child has a separate answer.
        var isEach = false
        var isRequired = false
        var days = Ask.usualDays

        /// The people asked, whether it is required, and how long the answer is kept.
        var manner: Words {
            let audience: Words = isEach ? "For each child" : "Once by the family"
            let need: Words = isRequired ? "has to be answered" : "may stay open"
            let time = Words(
                "erased {count} day after the event", plural: "erased {count} days after the event", count: days)
            return "\(audience, as: "audience") · \(need, as: "need") · \(time, as: "time")"
        }

        /// Whether an answer to one is also an answer to the other.
        func asksTheSame(as other: Content) -> Bool {
            kind == other.kind && text == other.text && options == other.options && isEach == other.isEach
        }
    }

    var kind: Kind { content.kind }
    var text: String { content.text }

    /// Identifies the same question in a series.
    var family: ID<Ask> { root ?? id }

    /// The text of the built-in photo consent.
    static let photoText: Words =
        "My child may be in photos and videos taken at this event, and they may be shown in reports about it."
    static let photoWhy: Words = "So that nobody is photographed who doesn’t want to be. Either answer is fine."

    init(id: ID<Ask> = ID(0), root: ID<Ask>? = nil, version: Int = 1, content: Content) {
        self.id = id
        self.root = root
        self.version = version
        self.content = content
    }

    /// Whether families that answered the earlier questions must answer something new.
    static func areNew(_ now: [Ask], since before: [Ask]) -> Bool {
        now.contains { ask in
            !before.contains { $0.id == ask.id && $0.content.asksTheSame(as: ask.content) }
        }
    }

    /// The questions of another date in a series after its host changed those of one date: questions that only this
    /// date has stay.
    ///
    /// - Parameters:
    ///   - new: The questions of the changed date now.
    ///   - old: Its earlier questions.
    ///   - mine: The other date's questions so far.
    static func following(_ new: [Ask], since old: [Ask], of mine: [Ask]) -> [Ask] {
        let taken = new.map { ask in
            guard let own = mine.first(where: { $0.family == ask.family }) else {
                return Ask(root: ask.family, content: ask.content)
            }
            let isChanged = old.first { $0.family == ask.family }?.content != ask.content
            return Ask(
                id: own.id, root: own.root, version: own.version, content: isChanged ? ask.content : own.content)
        }
        let shared = Set((new + old).map(\.family))
        return Array((taken + mine.filter { !shared.contains($0.family) }).prefix(most))
    }
}

/// The effects of changed questions on existing answers, shown to the host before publishing.
struct AskPreview: Sendable {
    let lines: [Words]

    /// - Parameter counts: How many families have answered each question so far.
    init(from old: [Ask], to new: [Ask], counts: [ID<Ask>: Int]) {
        lines = old.compactMap { ask in
            let now = new.first { $0.id == ask.id }
            guard now.map({ !$0.content.asksTheSame(as: ask.content) }) ?? true else { return nil }
            let count = counts[ask.family] ?? 0
            let text = ask.text.shortened
            if count == 0 {
                return now == nil
                    ? "“\(text, as: "question")” is no longer asked. Nobody has answered it."
                    : "“\(text, as: "question")” has changed. Nobody has answered it so far."
            }
            return now == nil
                ? Words(
                    """
                    “\(text, as: "question")” is no longer asked. {count} family has answered: the answer stays, \
                    under the words it was given to.
                    """,
                    plural: """
                        “\(text, as: "question")” is no longer asked. {count} families have answered: their answers \
                        stay, under the words they were given to.
                        """, count: count)
                : Words(
                    """
                    “\(text, as: "question")” has changed. {count} family has answered: the answer stays, under the \
                    words it was given to, and the family is asked again.
                    """,
                    plural: """
                        “\(text, as: "question")” has changed. {count} families have answered: their answers stay, \
                        under the words they were given to, and they are asked again.
                        """, count: count)
        }
    }
}

extension String {
    /// The beginning of a question, for a line about it.
    var shortened: String {
        let line = split(separator: "\n").first.map(String.init) ?? self
        return line.count > 80 ? line.prefix(79) + "…" : line
    }
}

extension Ask {
    /// The host changed the questions between the check and the write: repeat the whole operation.
    struct Changed: Error {}
}
