import Forms

/// A question in the form for an event.
struct AskForm: Form {
    /// The ID of a stored question.
    var id: ID<Ask>?
    var kind: Ask.Kind?
    var text = ""
    /// The choices, one per line.
    var options: String?
    var why: String?
    var audience = Audience.family
    var isRequired = false
    var days: Int?

    /// The people who answer it.
    enum Audience: String, FormValue, CaseIterable {
        case family, child

        var name: Words {
            switch self {
            case .family: "Once by the family"
            case .child: "For each child"
            }
        }

        static let choices = allCases.map { Choice($0, $0.name) }
    }

    static let fields: [Field<AskForm>] = [
        .hidden("id", \.id).bookkeeping,
        .hidden("kind", \.kind),
        .area("text", \.text, "Question", 3...Ask.mostInConsent).missing("Write the question, or remove it."),
        .area("options", \.options, "Answers to choose from", 1...1_200)
            .conditional.hint("One per line, 2 to 12: small, medium, large."),
        .text("why", \.why, "Why do you ask?", 3...200).autocomplete("off").hint("Parents read it below the question."),
        .choice("for", \.audience, "Who answers?", options: Audience.choices).drawn(as: .radios),
        .checkbox("required", \.isRequired, "Families have to answer, or agree, to register"),
        .number("erase_days", \.days, "Days after the event until answers are erased", Ask.days).narrow.conditional,
    ]

    init() {}

    /// A question of a kind to fill in; the photo consent has its text, in the host's language.
    init(_ kind: Ask.Kind, in language: Language) {
        self.kind = kind
        days = Ask.usualDays
        guard kind == .photo else { return }
        text = Ask.photoText.text(in: language)
        why = Ask.photoWhy.text(in: language)
        audience = .child
    }

    /// A form to change a stored question.
    init(_ ask: Ask) {
        id = ask.id
        kind = ask.kind
        text = ask.text
        options = ask.content.options.isEmpty ? nil : ask.content.options.joined(separator: "\n")
        why = ask.content.why.isEmpty ? nil : ask.content.why
        audience = ask.content.isEach ? .child : .family
        isRequired = ask.content.isRequired
        days = ask.content.days
    }

    var kindOrLine: Ask.Kind { kind ?? .line }

    /// The choices without duplicates.
    var optionList: [String] {
        var seen: Set<String> = []
        return (options ?? "").split(separator: "\n").map(\.squeezed).filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    var ask: Ask {
        Ask(
            id: id ?? ID(0),
            content: Ask.Content(
                kind: kindOrLine, text: text, options: kindOrLine == .choice ? optionList : [], why: why ?? "",
                isEach: audience == .child,
                // Nobody can be required to be photographed.
                isRequired: isRequired && kindOrLine != .photo, days: days ?? Ask.usualDays))
    }
}

/// The questions in an event's form.
typealias AskRows = Rows<AskForm>

extension Rows where F == AskForm {
    init() { self.init("question", most: Ask.most) }

    init(_ body: FormBody) { self.init("question", most: Ask.most, body, kind: "question") }

    /// The sent questions; a row added by a button has that button's kind.
    init(_ body: FormBody, in language: Language) {
        self.init(body)
        guard let added, let kind = Ask.Kind(rawValue: added), let last = rows.indices.last else { return }
        let form = AskForm(kind, in: language)
        fill(last, \.kind, form.kind)
        fill(last, \.text, form.text)
        fill(last, \.why, form.why)
        fill(last, \.audience, form.audience)
        fill(last, \.days, form.days)
    }

    init(_ asks: [Ask]?) { self.init("question", most: Ask.most, filled: (asks ?? []).map(AskForm.init)) }

    /// The same questions as new ones.
    init(copying asks: [Ask]?) {
        self.init(
            "question", most: Ask.most,
            filled: (asks ?? []).map { ask in
                var form = AskForm(Ask(content: ask.content))
                form.id = nil
                return form
            })
    }

    /// The questions described, as far as they can be parsed.
    var asks: [Ask] { rows.map(\.form.ask) }

    /// Checks the fields of each question together, and the questions together.
    mutating func check() {
        var hasPhoto = false
        for (index, row) in rows.enumerated() {
            let form = row.form
            let kind = form.kindOrLine
            if !kind.isConsent, row.accepts(\.text), form.text.count > Ask.mostInQuestion {
                reject(
                    index, \.text,
                    "Shorten the question to \(Ask.mostInQuestion, as: "limit") characters or fewer.")
            }
            if kind == .choice, row.accepts(\.options) {
                if !Ask.options.contains(form.optionList.count) {
                    reject(index, \.options, "Give 2 to 12 different answers, one per line.")
                } else if form.optionList.contains(where: { $0.count > Ask.mostInOption }) {
                    reject(
                        index, \.options, "Shorten each answer to \(Ask.mostInOption, as: "limit") characters or fewer."
                    )
                }
            }
            if kind == .photo {
                if hasPhoto { reject(index, \.text, "There is a photo consent already: remove one of them.") }
                hasPhoto = true
            }
        }
    }

    /// Whether another question can be added, and whether it can be the photo consent.
    var hasRoom: Bool { rows.count < most }
    var hasPhoto: Bool { rows.contains { $0.form.kind == .photo } }

    /// A row to draw.
    struct Asked: Sendable {
        let form: Submission<AskForm>
        fileprivate let index: Int
        fileprivate let count: Int

        var number: Int { index + 1 }
        var kind: Ask.Kind { form.form.kindOrLine }
        var name: Words { "question \(number, as: "number")" }
        var remove: String { "question-remove.\(index)" }
        var anchor: String { "question-\(number)" }
        /// The anchor after the row is removed.
        var anchorWithout: String { count == 1 ? "asks" : "question-\(Swift.min(number, count - 1))" }
        /// The field for its text, labeled by its kind.
        var text: Input {
            kind.isConsent
                ? form[\.text].reworded("What do parents agree to?", hint: nil)
                : form[\.text]
        }
    }

    var numbered: [Asked] { rows.enumerated().map { Asked(form: $1, index: $0, count: rows.count) } }

    /// The anchor of the next new row.
    var nextAnchor: String { "question-\(rows.count + 1)" }

    /// The problems with the numbers of their questions, for the list at the top of the form.
    var namedProblems: [Problem] {
        numbered.flatMap { row in
            row.form.problems.map {
                Problem(
                    name: $0.name, words: "Question \(row.number, as: "number"): \($0.words, as: "problem")")
            }
        }
    }
}
