import Forms

/// One answer in a form: which of its fields counts, the question's kind says.
struct ReplyForm: Form {
    /// The question, and the child it is about, or 0: `12-7`.
    var key: String?
    /// Which of its words were read.
    var version: Int?
    var agrees = false
    var says: YesNo?
    var choice: String?
    var line: String?

    enum YesNo: String, FormValue, CaseIterable {
        case yes, no

        var name: Words { self == .yes ? "Yes" : "No" }

        static let choices = allCases.map { Choice($0, $0.name) }
    }

    private static let answer = Words("Answer", context: "what was answered")
    static let fields: [Field<ReplyForm>] = [
        .hidden("id", \.key), .hidden("version", \.version),
        .checkbox("agree", \.agrees, answer),
        .choice("say", \.says, answer, options: YesNo.choices).drawn(as: .radios).conditional,
        .choice("choice", \.choice, answer).conditional,
        .text("line", \.line, answer, 1...Ask.mostInLine).conditional.autocomplete("off"),
    ]
}

/// The form that changes answers: all it has are their rows.
struct AnswersForm: Form {
    static let fields: [Field<AnswersForm>] = []
}

/// The questions of an event, or of the dates of a term, as a family answers them in one form: the family's once, and
/// those about each child for each.
struct AnswerSheet: Sendable {
    /// One question to one family, or about one child.
    struct Item: Sendable {
        /// The question at each date that has it; one event has it once.
        var asks: [ID<Event>: Ask]
        /// The one that is drawn.
        let ask: Ask
        let child: (id: ID<Child>, name: String)?
        /// Whether it has to be answered here.
        var isRequired: Bool

        var key: String { "\(ask.id)-\(child?.id.rawValue ?? 0)" }

        /// The field that its answer is typed into.
        fileprivate var path: PartialKeyPath<ReplyForm> {
            switch ask.kind {
            case .agree, .photo: isRequired ? \ReplyForm.agrees : \ReplyForm.says
            case .choice: \ReplyForm.choice
            case .line: \ReplyForm.line
            }
        }

        /// What a row says, nil for nothing.
        fileprivate func answer(_ form: ReplyForm) -> String? {
            switch ask.kind {
            case .agree, .photo: isRequired ? (form.agrees ? Reply.yes : nil) : form.says?.rawValue
            case .choice: form.choice
            case .line: form.line
            }
        }
    }

    /// One answer to be stored.
    struct Entry: Sendable {
        let ask: Ask
        let child: ID<Child>?
        /// Nil where it was emptied.
        let answer: String?
    }

    let items: [Item]
    private(set) var rows: Rows<ReplyForm>
    /// Until when each is kept, where that isn't the same for all.
    private let eraseDays: [ID<Ask>: Day]
    /// The day on which all are erased; nil where each says its own.
    let eraseDay: Day?

    /// More rows than any family has questions.
    private static let most = 10_000

    /// - Parameters:
    ///   - items: What is asked.
    ///   - given: What was answered before, by key.
    ///   - end: The end of the event, or of the last date: by it goes when what is answered is erased.
    init?(_ items: [Item], given: [String: String] = [:], endingAt end: Instant, in zone: Zone) {
        guard !items.isEmpty else { return nil }
        self.items = items
        eraseDays = Dictionary(
            items.map { ($0.ask.id, zone.day(of: end + .days($0.ask.content.days))) },
            uniquingKeysWith: { $1 })
        eraseDay = Set(eraseDays.values).count == 1 ? eraseDays.values.first : nil
        rows = Rows(
            "answer", most: Self.most,
            filled: self.items.map { item in
                var form = ReplyForm()
                form.key = item.key
                form.version = item.ask.version
                if let answer = given[item.key] {
                    switch item.ask.kind {
                    case .agree, .photo:
                        form.agrees = answer == Reply.yes
                        form.says = ReplyForm.YesNo(rawValue: answer)
                    case .choice: form.choice = item.ask.content.options.contains(answer) ? answer : nil
                    case .line: form.line = answer
                    }
                }
                return form
            })
        offer()
    }

    private mutating func offer() {
        for (index, item) in items.enumerated() where item.ask.kind == .choice {
            rows.offer(index, \.choice, item.ask.content.options.map { Choice($0, Words(verbatim: $0)) })
        }
    }

    /// Takes what was sent: each answer stands where its question stands now.
    ///
    /// A question that says something else than the page did, whose words have to be read first, isn't answered by it;
    /// what was typed stays, but nobody agrees to words they haven't seen.
    ///
    /// - Parameter unmerged: What the page had, where `body` was merged with what is stored.
    mutating func read(_ body: FormBody, unmerged: FormBody? = nil) {
        // A row that was sent empty clears the answer of before.
        let sent = Rows<ReplyForm>("answer", most: Self.most, body, keepsEmpty: true)
        // Stored versions begin at 1, so 0 matches none.
        let seen = Dictionary(
            Rows<ReplyForm>("answer", most: Self.most, unmerged ?? body).rows.compactMap { row in
                row.form.key.map { ($0, row.form.version ?? 0) }
            }, uniquingKeysWith: { first, _ in first })
        // At the dates of a term a question may have been drawn as that of a date that began since.
        let keys = Dictionary(
            items.flatMap { item in
                item.asks.values.map { ("\($0.id)-\(item.child?.id.rawValue ?? 0)", item.key) }
            }, uniquingKeysWith: { first, _ in first })
        rows = sent.matched(to: rows.rows.map(\.form)) { form in form.key.map { keys[$0] ?? $0 } ?? "" }
        offer()
        for (index, item) in items.enumerated() {
            rows.fill(index, \.key, item.key)
            rows.fill(index, \.version, item.ask.version)
            let shown = keys.filter { $0.value == item.key }.keys.compactMap { seen[$0] }.first
            guard let shown, shown != item.ask.version else { continue }
            if item.ask.kind.isConsent {
                rows.fill(index, \.agrees, false)
                rows.fill(index, \.says, nil)
            }
            rows.reject(
                index, item.path, "The host changed this question meanwhile. Please read it, and answer it again.")
        }
    }

    /// What is missing, for those who are registered: a question about a child who stays home is none.
    ///
    /// - Parameter dates: Those that are chosen, where there are several.
    mutating func check(for children: [ID<Child>], on dates: [ID<Event>]? = nil) {
        for (index, item) in items.enumerated() {
            guard isAsked(item, children, dates) else {
                rows.forgive(index)
                continue
            }
            guard item.isRequired, rows.rows[index].problems.isEmpty, item.answer(rows.rows[index].form) == nil else {
                continue
            }
            rows.reject(
                index, item.path,
                item.ask.kind.isConsent
                    ? "The host needs this consent to take you." : "Please answer: the host needs to know.")
        }
    }

    private func isAsked(_ item: Item, _ children: [ID<Child>], _ dates: [ID<Event>]?) -> Bool {
        let isThere = item.child.map { children.contains($0.id) } ?? true
        return isThere && (dates.map { dates in item.asks.keys.contains(where: dates.contains) } ?? true)
    }

    /// What is wrong, each with its question and child: for the list on top of the form.
    var problems: [Problem] {
        items.indices.flatMap { index in
            rows.rows[index].problems.map { problem in
                let item = items[index]
                let words: Words = "“\(item.ask.text.shortened, as: "question")”: \(problem.words, as: "problem")"
                return Problem(
                    name: problem.name,
                    words: item.child.map { "\($0.name, as: "name"), \(words, as: "problem")" } ?? words)
            }
        }
    }

    /// The answers for those who are registered at one event.
    func entries(at event: ID<Event>, for children: [ID<Child>]) -> [Entry] {
        items.enumerated().compactMap { index, item in
            guard isAsked(item, children, nil), let ask = item.asks[event] else { return nil }
            return Entry(ask: ask, child: item.child?.id, answer: item.answer(rows.rows[index].form))
        }
    }

    /// The form that changes the answers, drawn from what stands in the rows.
    var form: Submission<AnswersForm> { Submission(changing: AnswersForm(), rows: rows.answers) }

    // MARK: Drawing

    /// A question as it is drawn.
    struct Drawn: Sendable {
        let input: Input
        let hidden: [Input]
    }

    /// The questions about a child, or with nil those of the family.
    func drawn(for child: ID<Child>?) -> [Drawn] {
        items.enumerated().filter { $0.element.child?.id == child }.map { index, item in
            let row = rows.rows[index]
            let why = item.ask.content.why
            var hint: Words? = why.isEmpty ? nil : "Why: \(why, as: "reason")"
            if eraseDay == nil, let day = eraseDays[item.ask.id] {
                let erased: Words = "Erased by \(day.plainName, as: "day")."
                hint = hint.map { "\($0, as: "first") \(erased, as: "second")" } ?? erased
            }
            return Drawn(
                input: row[item.path].reworded(
                    Words(verbatim: item.ask.text), hint: hint,
                    isRequired: item.isRequired || item.ask.content.isRequired),
                hidden: [row[\.key], row[\.version]])
        }
    }

    /// The children it asks about, in order.
    var children: [(id: ID<Child>, name: String)] {
        var seen: Set<ID<Child>> = []
        return items.compactMap(\.child).filter { seen.insert($0.id).inserted }
    }

    /// The children to choose from, each by its number.
    static func children(_ input: Input) -> [(id: ID<Child>, choice: Choice)] {
        input.choices.map { (ID($0.value) ?? ID(0), $0) }
    }

    /// Whether something is asked about a child, or of the family.
    func asks(about child: ID<Child>?) -> Bool { items.contains { $0.child?.id == child } }

    // MARK: What is asked

    /// What an event asks of a family with these children.
    ///
    /// - Parameter answered: What the family has answered there already.
    static func items(
        _ asks: [Ask], at event: ID<Event>, children: [(id: ID<Child>, name: String)], answered: Set<ID<Ask>> = []
    ) -> [Item] {
        items(asks.map { (event, $0) }, children: children).filter { $0.child != nil || !answered.contains($0.ask.id) }
    }

    /// The same of several dates, whose questions are one where they say the same.
    static func items(_ asks: [(event: ID<Event>, ask: Ask)], children: [(id: ID<Child>, name: String)]) -> [Item] {
        var found: [Item] = []
        for (event, ask) in asks {
            if let same = found.firstIndex(where: { $0.ask.family == ask.family && $0.ask.content == ask.content }) {
                found[same].asks[event] = ask
            } else {
                found.append(Item(asks: [event: ask], ask: ask, child: nil, isRequired: ask.content.isRequired))
            }
        }
        return found.flatMap { item in
            guard item.ask.content.isEach else { return [item] }
            return children.map {
                Item(asks: item.asks, ask: item.ask, child: $0, isRequired: item.isRequired)
            }
        }
    }

    /// What a family can still say where it has a place: not the consents that it gave, which it takes back in another
    /// way. What is new may stay open; what was answered can't be emptied where it is required.
    ///
    /// - Parameter replies: What it answered so far, each with the child it was for.
    static func items(
        changing replies: [(reply: Reply, child: ID<Child>?)], _ asks: [Ask], at event: ID<Event>,
        children: [(id: ID<Child>, name: String)]
    ) -> (items: [Item], given: [String: String]) {
        var given: [String: String] = [:]
        let items = items(asks, at: event, children: children).compactMap { item -> Item? in
            var item = item
            let earlier = replies.first { reply, child in
                reply.ask == item.ask.id && (item.child == nil || child == item.child?.id)
            }?.reply
            if let earlier, earlier.answers(item.ask), earlier.isGiven { return nil }
            item.isRequired =
                item.isRequired && !item.ask.kind.isConsent && (earlier?.answers(item.ask) ?? false)
            if let earlier {
                let isSame = earlier.answers(item.ask)
                if earlier.takenBackAt != nil {
                    given[item.key] = Reply.no
                } else if isSame || !item.ask.kind.isConsent {
                    given[item.key] = earlier.answer
                }
            }
            return item
        }
        return (items, given)
    }
}
