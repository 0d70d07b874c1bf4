/// Several small forms of one kind inside a larger form: the activities of a program.
///
/// Their fields are sent as `activity.0.name`: the group's name, the row's number, and the field's name. Buttons of the
/// larger form named `step` change the rows without JavaScript: `add`, or `add.choice` to say which kind of row
/// (``added``), `copy.3`, `remove.3`; `show` only draws them again. The form itself handles other buttons of a row,
/// such as `later.3`: see ``pressed``. If a form has two groups of rows, the buttons of one start with its kind:
/// `question-add`.
public struct Rows<F: Form>: Sendable {
    public let name: String
    public private(set) var rows: [Submission<F>]
    /// The maximum number of rows.
    public let most: Int
    /// Whether more rows were sent than allowed.
    public private(set) var isTooLong = false
    /// The row's button that was pressed, if the form itself handles it.
    public private(set) var pressed: Press?
    /// The argument of the button that added the last row, `choice` in `add.choice`; nil if none was added.
    public private(set) var added: String?

    /// A pressed button such as `later.3`, or `at.3.Craft tent` with an argument: the word, and the row's current
    /// index.
    public struct Press: Sendable, Equatable {
        public let word: String
        public let row: Int
        public let argument: String
    }

    /// Makes the initial rows.
    public init(_ name: String, most: Int, filled: [F] = []) {
        self.name = name
        self.most = most
        rows = filled.enumerated().map { Submission(row: $1, prefix: "\(name).\($0).") }
    }

    /// Parses a visitor's rows: each is read and checked, empty ones are skipped, and the pressed button is applied.
    ///
    /// - Parameters:
    ///   - body: The larger form, with its `step`.
    /// - keepsEmpty: Whether an empty row is kept, because leaving it empty is an answer.
    /// - kind: The prefix of these rows' buttons, if the larger form has other rows.
    public init(_ name: String, most: Int, _ body: FormBody, keepsEmpty: Bool = false, kind: String? = nil) {
        self.init(name, most: most)
        let step = Step(body.only("step") ?? "")?.meant(for: kind)
        var sent: [Submission<F>] = []
        for (number, fields) in body.rows(name) {
            guard sent.count <= most else { break }
            let row = Submission<F>(row: fields, prefix: "\(name).\(number).")
            let word = step?.number == number ? step?.word : nil
            // If a button changed rows, all are shown again, including empty ones.
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
            // A button on a row that isn't kept does nothing.
            if let row = pressed?.row, row >= most { pressed = nil }
        }
        rows = sent.enumerated().map { $1.renamed("\(name).\($0).") }
        // A visitor who adds or removes rows hasn't finished any, so no problems are shown yet.
        if step != nil { self = withoutProblems }
    }

    /// Whether the pressed button changes rows.
    public static func isChanged(by step: String?) -> Bool { step.map { Step($0) != nil } ?? false }

    /// A button's value: a word, a row's number, and an argument.
    private struct Step {
        let word: String
        /// Nil if it isn't about a row: `add`, `show`.
        let number: Int?
        let argument: String
        /// The kind of rows it belongs to, if it names one.
        var kind: String?

        /// The step for rows of this kind; the rows of other kinds are only shown again.
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

    /// The rows' values if there are no problems.
    public var values: [F]? { problems.isEmpty ? rows.map(\.form) : nil }

    /// All problems, in the order of the rows.
    public var problems: [Problem] { rows.flatMap(\.problems) }

    /// All typed texts as pairs, for the hidden form below a preview.
    public var hidden: [(name: String, value: String)] { rows.flatMap(\.hidden) }

    /// The answers of all fields in all rows, for ``Submission/init(changing:only:rows:)``.
    public var answers: [(name: String, value: String)] { rows.flatMap(\.answers) }

    /// The same rows as new ones, without their hidden values.
    public var copied: Rows {
        var rows = self
        rows.rows = rows.rows.map(\.copy)
        return rows
    }

    /// The same rows without their problems.
    public var withoutProblems: Rows {
        var rows = self
        rows.rows = rows.rows.map(\.withoutProblems)
        return rows
    }

    /// The rows for another list, such as the questions that are asked now: for each entry the row that was sent,
    /// otherwise the entry's own.
    public func matched<Key: Equatable>(to forms: [F], by key: (F) -> Key) -> Rows {
        var same = self
        same.rows = forms.enumerated().map { number, form in
            (rows.first { key($0.form) == key(form) } ?? Submission(filled: form)).renamed("\(name).\(number).")
        }
        return same
    }

    /// Removes a row's problems because the row doesn't count.
    public mutating func forgive(_ row: Int) { rows[row] = rows[row].withoutProblems }

    /// Sets the choices of a row's field.
    public mutating func offer(_ row: Int, _ path: PartialKeyPath<F>, _ choices: [Choice]) {
        rows[row].offer(path, choices)
    }

    /// Sets the value of a row's field.
    public mutating func fill<V>(_ row: Int, _ path: WritableKeyPath<F, V>, _ value: V) { rows[row].fill(path, value) }

    /// Adds a problem to a row's field.
    public mutating func reject(_ row: Int, _ path: PartialKeyPath<F>, _ words: Words) { rows[row].reject(path, words) }
}
