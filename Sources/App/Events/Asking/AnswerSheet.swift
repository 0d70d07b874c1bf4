import Forms

/// One answer in a form; the question's kind determines which of the fields counts.
struct ReplyForm: Form {
    /// The question, and the child it is about, or 0: `12-7`.
    var key: String?
    /// The version of the question that was shown.
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

/// The form that changes answers: it consists only of rows.
struct AnswersForm: Form {
    static let fields: [Field<AnswersForm>] = []
}

/// The questions of an event, or of a term's dates, as a family answers them in one form: questions to the family once,
/// questions about each child for each.
struct AnswerSheet: Sendable {
    /// One question to a family, or about one child.
    struct Item: Sendable {
        /// The question at each of the dates that ask it; for a single event there is one.
        var asks: [ID<Event>: Ask]
        /// The question to draw.
        let ask: Ask
        let child: (id: ID<Child>, name: String)?
        /// Whether it must be answered here.
        var isRequired: Bool

        var key: String { "\(ask.id)-\(child?.id.rawValue ?? 0)" }

        /// The field for its answer.
        fileprivate var path: PartialKeyPath<ReplyForm> {
            switch ask.kind {
            case .agree, .photo: isRequired ? \ReplyForm.agrees : \ReplyForm.says
            case .choice: \ReplyForm.choice
            case .line: \ReplyForm.line
            }
        }

        /// The answer in a row; nil if it is empty.
        fileprivate func answer(_ form: ReplyForm) -> String? {
            switch ask.kind {
            case .agree, .photo: isRequired ? (form.agrees ? Reply.yes : nil) : form.says?.rawValue
            case .choice: form.choice
            case .line: form.line
            }
        }
    }

    /// An answer to store.
    struct Entry: Sendable {
        let ask: Ask
        let child: ID<Child>?
        /// Nil if it was cleared.
        let answer: String?
    }

    let items: [Item]
    private(set) var rows: Rows<ReplyForm>
    /// The retention of each question's answers, if it isn't the same for all.
    private let eraseDays: [ID<Ask>: Day]
    /// The day on which all answers are erased; nil if they have different days.
    let eraseDay: Day?

    /// More rows than any family has questions.
    private static let most = 10_000

    /// - Parameters:
    ///   - items: The questions.
    ///   - given: Earlier answers, by key.
    ///   - end: The end of the event or of the last date, which determines when the answers are erased.
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

    /// Takes the sent answers, each for its current question.
    ///
    /// If a question has changed since the page was drawn, the answer doesn't count, because its new text must be read
    /// first. What was typed stays, but nobody agrees to words they haven't seen.
    ///
    /// - Parameter unmerged: The page's own form, if `body` was merged with stored data.
    mutating func read(_ body: FormBody, unmerged: FormBody? = nil) {
        // A row that was sent empty clears the earlier answer.
        let sent = Rows<ReplyForm>("answer", most: Self.most, body, keepsEmpty: true)
        // Stored versions begin at 1, so 0 matches none.
        let seen = Dictionary(
            Rows<ReplyForm>("answer", most: Self.most, unmerged ?? body).rows.compactMap { row in
                row.form.key.map { ($0, row.form.version ?? 0) }
            }, uniquingKeysWith: { first, _ in first })
        // In a term, the question may have been drawn for a date that has begun since.
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

    /// Checks for missing answers about the registered children; questions about other children don't count.
    ///
    /// - Parameter dates: The chosen dates, if there are several.
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

    /// The problems with question and child, for the list at the top of the form.
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

    /// The answers for the people registered at one event.
    func entries(at event: ID<Event>, for children: [ID<Child>]) -> [Entry] {
        items.enumerated().compactMap { index, item in
            guard isAsked(item, children, nil), let ask = item.asks[event] else { return nil }
            return Entry(ask: ask, child: item.child?.id, answer: item.answer(rows.rows[index].form))
        }
    }

    /// The form that changes the answers, drawn from the rows.
    var form: Submission<AnswersForm> { Submission(changing: AnswersForm(), rows: rows.answers) }

    // MARK: Drawing

    /// A question to draw.
    struct Drawn: Sendable {
        let input: Input
        let hidden: [Input]
    }

    /// The questions about a child, or with nil those to the family.
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

    /// The children to choose from, by number.
    static func children(_ input: Input) -> [(id: ID<Child>, choice: Choice)] {
        input.choices.map { (ID($0.value) ?? ID(0), $0) }
    }

    /// Whether it asks about a child, or with nil about the family.
    func asks(about child: ID<Child>?) -> Bool { items.contains { $0.child?.id == child } }

    // MARK: The questions

    /// An event's questions to a family with these children.
    ///
    /// - Parameter answered: The questions that the family has answered already.
    static func items(
        _ asks: [Ask], at event: ID<Event>, children: [(id: ID<Child>, name: String)], answered: Set<ID<Ask>> = []
    ) -> [Item] {
        items(asks.map { (event, $0) }, children: children).filter { $0.child != nil || !answered.contains($0.ask.id) }
    }

    /// The questions of several dates, merged where they are the same.
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

    /// The questions that a family with a place can still answer: not consents it gave, which are revoked in another
    /// way. New questions may stay open; required answers can't be cleared.
    ///
    /// - Parameter replies: The answers so far, each with its child.
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
