/// Several small forms of one kind within a larger one: the activities of a program.
///
/// Their fields are sent as `activity.0.name`: what the rows are called, the number of the row, and the name of its
/// field. Buttons of the larger form named `step` change the rows without JavaScript: `add`, or `add.choice` where it
/// says which kind of row (``added``), `copy.3`, `remove.3`; `show` only draws them again. What else a button of a row
/// means, such as `later.3`, the form says: see ``pressed``. Where a larger form has rows of two kinds, the buttons of
/// one kind say which they are for: `question-add`.
public struct Rows<F: Form>: Sendable {
    public let name: String
    public private(set) var rows: [Submission<F>]
    /// More rows than this are refused.
    public let most: Int
    /// Whether more rows came than may.
    public private(set) var isTooLong = false
    /// The button of one row that was pressed, where it is one that the form answers.
    public private(set) var pressed: Press?
    /// What the button said that added the last row, `choice` of `add.choice`; nil where none was added.
    public private(set) var added: String?

    /// `later.3`, or with more to say `at.3.Craft tent`: the word, and where the row stands by now.
    public struct Press: Sendable, Equatable {
        public let word: String
        public let row: Int
        public let argument: String
    }

    /// Rows to begin with.
    public init(_ name: String, most: Int, filled: [F] = []) {
        self.name = name
        self.most = most
        rows = filled.enumerated().map { Submission(row: $1, prefix: "\(name).\($0).") }
    }

    /// What a visitor sent: each row is read and checked, those left empty are passed over, and the button that
    /// changes rows has done its work.
    ///
    /// - Parameters:
    ///   - body: The larger form, with its `step`.
    ///   - keepsEmpty: Whether a row left empty says something, too: that its answer is none.
    ///   - kind: What the buttons of these rows begin with, where the larger form has others.
    public init(_ name: String, most: Int, _ body: FormBody, keepsEmpty: Bool = false, kind: String? = nil) {
        self.init(name, most: most)
        let step = Step(body.only("step") ?? "")?.meant(for: kind)
        var sent: [Submission<F>] = []
        for (number, fields) in body.rows(name) {
            guard sent.count <= most else { break }
            let row = Submission<F>(row: fields, prefix: "\(name).\(number).")
            let word = step?.number == number ? step?.word : nil
            // When rows are changed, all of them are shown again, the empty ones too.
            guard word != "remove", keepsEmpty || !row.isBlank || step != nil else { continue }
            if let step, let word { pressed = Press(word: word, row: sent.count, argument: step.argument) }
            sent.append(row)
            if word == "copy" { sent.append(row.copy) }
        }
        if let step, step.word == "add" {
            sent.append(Submission())
            added = step.argument
        }
        isTooLong = sent.count > most
        if isTooLong {
            added = nil
            sent = Array(sent.prefix(most))
            // The button of a row that isn't kept does nothing.
            if let row = pressed?.row, row >= most { pressed = nil }
        }
        rows = sent.enumerated().map { $1.renamed("\(name).\($0).") }
        // A visitor who only changes how many rows there are isn't done with any.
        if step != nil { self = withoutProblems }
    }

    /// Whether the button that was pressed changes rows.
    public static func isChanged(by step: String?) -> Bool { step.map { Step($0) != nil } ?? false }

    /// What a button says: a word, the number of a row, and what else there is to say.
    private struct Step {
        let word: String
        /// Nil for one that is about no row: `add`, `show`.
        let number: Int?
        let argument: String
        /// Of which rows it is, where it says so.
        var kind: String?

        /// The same for rows of a kind: those of another are only shown again.
        func meant(for kind: String?) -> Step? { self.kind == kind ? self : Step("show") }

        init?(_ text: String) {
            let head = text.prefix { $0 != "." }
            kind = head.firstIndex(of: "-").map { String(head[..<$0]) }
            let step = kind.map { text.dropFirst($0.count + 1) } ?? text[...]
            let parts = step.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
            word = String(parts[0])
            let isNew = word == "add" && parts.count == 2
            argument = isNew ? String(parts[1]) : parts.count > 2 ? String(parts[2]) : ""
            number = parts.count > 1 && (1...5).contains(parts[1].utf8.count) ? Int(parts[1]) : nil
            let isWhole = parts.count > 1 ? number.map { $0 >= 0 } ?? false : ["add", "show"].contains(word)
            guard isWhole || isNew else { return nil }
        }
    }

    public var isEmpty: Bool { rows.isEmpty }

    /// What they mean, when nothing is wrong with any.
    public var values: [F]? { problems.isEmpty ? rows.map(\.form) : nil }

    /// Everything wrong, in the order of the rows.
    public var problems: [Problem] { rows.flatMap(\.problems) }

    /// Everything typed as pairs, for the hidden form below a preview.
    public var hidden: [(name: String, value: String)] { rows.flatMap(\.hidden) }

    /// What every field of every row answers, for ``Submission/init(changing:only:rows:)``.
    public var answers: [(name: String, value: String)] { rows.flatMap(\.answers) }

    /// The same rows as new ones: what they carry unseen stays behind.
    public var copied: Rows {
        var rows = self
        rows.rows = rows.rows.map(\.copy)
        return rows
    }

    /// The same rows without a word of what is wrong with them.
    public var withoutProblems: Rows {
        var rows = self
        rows.rows = rows.rows.map(\.withoutProblems)
        return rows
    }

    /// Rows as another list has them, such as one for each question that is asked by now: each is as it was sent, where
    /// one was sent for it, and else as in the list.
    public func matched<Key: Equatable>(to forms: [F], by key: (F) -> Key) -> Rows {
        var same = self
        same.rows = forms.enumerated().map { number, form in
            (rows.first { key($0.form) == key(form) } ?? Submission(filled: form)).renamed("\(name).\(number).")
        }
        return same
    }

    /// Forgets what is wrong with a row, which doesn’t count.
    public mutating func forgive(_ row: Int) { rows[row] = rows[row].withoutProblems }

    /// Gives a choice of a row its answers.
    public mutating func offer(_ row: Int, _ path: PartialKeyPath<F>, _ choices: [Choice]) {
        rows[row].offer(path, choices)
    }

    /// Fills a field of a row.
    public mutating func fill<V>(_ row: Int, _ path: WritableKeyPath<F, V>, _ value: V) { rows[row].fill(path, value) }

    /// Says what is wrong with a field of a row.
    public mutating func reject(_ row: Int, _ path: PartialKeyPath<F>, _ words: Words) { rows[row].reject(path, words) }
}
