/// The pressed button of a form with a preview.
public enum Step: String, Sendable {
    case edit, preview, draft, publish
}

/// An error for the visitor to correct; the message says how.
public struct Problem: Sendable, Equatable {
    /// The field's name, which is also its ID; nil for the form as a whole.
    public let name: String?
    public let words: Words

    public init(name: String?, words: Words) {
        self.name = name
        self.words = words
    }
}

/// A form as a visitor sees it: the typed texts, their meaning, and the problems.
public struct Submission<F: Form>: Sendable {
    /// The value, as far as the texts can be parsed; the rest is as in an empty form.
    public private(set) var form: F
    /// All problems: first those of the form as a whole, then one per field in the order of the fields.
    public private(set) var problems: [Problem] = []
    /// The pressed button, if the form has a preview.
    public let step: Step?
    /// 128 random bits in URL-safe characters that stay with the form from its first page to its last, which tells one
    /// form sent twice from two forms. An invalid value is replaced.
    public let once: String
    /// Whether a visitor sent it; false for a page yet to be filled in.
    public private(set) var isSent: Bool
    private var typed: [[String]]
    private var offered: [Int: [Choice]] = [:]
    private var suggested: [Int: [String]] = [:]
    private var files: [FormFile] = []
    private var theirs: [Int: [String]] = [:]
    /// The value of the pair `drawn`: digests of what the form showed, if it changes something stored.
    private var drawn: String?
    /// The stored answers, on a page drawn from them.
    let original: Answers?
    /// The prefix of its fields' names: `activity.3.` in a row of a larger form.
    private(set) var prefix = ""

    /// An empty form to fill in.
    public init() {
        self.init(F(), typed: F.fields.map { _ in [] }, once: Self.freshOnce())
    }

    /// A form to fill in for something new, initially with `form`.
    public init(filled form: F, once: String? = nil) {
        self.init(form, typed: F.fields.map { $0.show(form) }, once: once ?? Self.freshOnce())
    }

    /// A form that changes stored data. It carries digests of what it shows, so that changes others store in the
    /// meantime aren't lost: see ``FormBody/merged(onto:by:)``.
    ///
    /// - Parameters:
    ///   - stored: The stored value, as the form shows it.
    ///   - names: The fields on the page, if it has only some of them.
    ///   - rows: The ``Rows/answers`` of its rows.
    public init(changing stored: F, only names: [String]? = nil, rows: [(name: String, value: String)] = []) {
        let typed = F.fields.map { $0.show(stored) }
        let fields = zip(F.fields, typed).filter { field, _ in
            field.isAnswer && names?.contains(field.name) != false
        }
        let original = Answers(Self.answers(fields) + rows, names: fields.map(\.0.name))
        self.init(
            stored, typed: typed, once: Self.freshOnce(), drawn: Snapshot(original).text, original: original)
    }

    /// Parses a visitor's form: every field is read and checked, and all problems are collected.
    public init(_ body: FormBody) {
        let once = body.only("once").flatMap { Self.isOnce($0) ? $0 : nil }
        self.init(
            F(), typed: [], once: once ?? Self.freshOnce(), step: body.only("step").flatMap(Step.init), isSent: true,
            drawn: body.only(Snapshot.name).flatMap(Snapshot.init)?.text)
        files = body.files
        if let problem = body.problem { problems.append(Problem(name: nil, words: problem)) }
        for (index, field) in F.fields.enumerated() {
            let (texts, problem) = field.read(body, into: &form)
            typed.append(texts)
            // Conflicts come first: otherwise the next page would no longer show the other person's words.
            let conflict = body.conflicts[field.name]
            theirs[index] = conflict?.theirs
            if let words = conflict?.words(for: field.label) ?? body.refusals[field.name] ?? problem {
                problems.append(Problem(name: field.name, words: words))
            }
        }
    }

    /// Parses some fields of a visitor's form; the others are taken from `form`.
    ///
    /// - Parameter names: The fields on the page.
    public init(_ body: FormBody, changing names: [String], of form: F) {
        var whole = body.only(names + ["once", Snapshot.name])
        for field in F.fields where !names.contains(field.name) {
            for text in field.show(form) { whole.add(field.name, Array(text.utf8)) }
        }
        self.init(whole)
    }

    /// A form to continue with: it keeps the typed texts but shows no problems yet.
    public init(unfinished body: FormBody) {
        self.init(body)
        problems = []
        isSent = false
    }

    /// A saved form to continue with. It carries digests of what it shows: see ``FormBody/follows(_:)``.
    public init(resuming kept: FormBody) {
        self.init(unfinished: kept)
        drawn = Snapshot(kept).text
    }

    /// A row of a larger form, in which its fields have `prefix` before their names.
    init(row body: FormBody, prefix: String) {
        self.init(body)
        self.prefix = prefix
        problems = problems.map { Problem(name: $0.name.map { prefix + $0 }, words: $0.words) }
    }

    /// An empty or filled row of a larger form.
    init(row form: F, prefix: String) {
        self.init(filled: form)
        self.prefix = prefix
    }

    /// The same row with another prefix.
    func renamed(_ prefix: String) -> Submission {
        var row = self
        row.prefix = prefix
        row.problems = problems.map { problem in
            Problem(name: problem.name.map { prefix + $0.dropFirst(self.prefix.count) }, words: problem.words)
        }
        return row
    }

    /// The same form without its problems.
    public var withoutProblems: Submission {
        var same = self
        same.problems = []
        same.theirs = [:]
        return same
    }

    /// The same form as a draft, which may be unfinished. The only problem kept is that it was sent before with other
    /// content.
    public func unfinished(_ body: FormBody) -> Submission {
        var same = withoutProblems
        if let words = body.problem { same.problems = [Problem(name: nil, words: words)] }
        return same
    }

    /// The same row as a new one, without its hidden values.
    var copy: Submission {
        var row = self
        for (index, field) in F.fields.enumerated() where field.control == .hidden {
            _ = field.read(FormBody(), into: &row.form)
            row.typed[index] = []
        }
        return row
    }

    /// Whether nothing was typed; hidden fields don't count.
    var isBlank: Bool {
        zip(F.fields, typed).allSatisfy { field, texts in field.control == .hidden || texts.isEmpty }
    }

    private init(
        _ form: F, typed: [[String]], once: String, step: Step? = nil, isSent: Bool = false, drawn: String? = nil,
        original: Answers? = nil
    ) {
        assert(
            Set(F.fields.map(\.name) + ["step", "once", "csrf", Snapshot.name]).count == F.fields.count + 4,
            "A name stands twice.")
        self.form = form
        self.typed = typed
        self.once = once
        self.step = step
        self.isSent = isSent
        self.drawn = drawn
        self.original = original
    }

    /// Checks, within the writing transaction, that the stored data is still what the form was merged with.
    ///
    /// - Parameter page: The form as it would be drawn now.
    /// - Throws: `ChangedMeanwhile`; then repeat the whole operation.
    public func requireUnchanged(since page: Submission) throws(ChangedMeanwhile) {
        guard drawn == nil || drawn == page.drawn else { throw ChangedMeanwhile() }
    }

    /// Whether it says anything else than what is stored, checked like ``requireUnchanged(since:)``. If it doesn't,
    /// because it was pressed twice or by two people, nothing is written down and nobody is told.
    ///
    /// - Parameters:
    ///   - page: The form as it would be drawn now.
    ///   - meant: The form as it would be drawn from what it describes, if it has rows, or if what is typed can be
    ///     stored in another way; otherwise its own values count.
    /// - Throws: `ChangedMeanwhile`; then repeat the whole operation.
    public func isChange(of page: Submission, to meant: Submission? = nil) throws(ChangedMeanwhile) -> Bool {
        try requireUnchanged(since: page)
        guard let stored = page.original, let said = (meant ?? Submission(changing: form)).original else { return true }
        return !said.says(what: stored, beside: Set(F.fields.filter(\.isBookkeeping).map(\.name)))
    }

    /// The value, if the form was sent and has no problems.
    public var value: F? { isValid ? form : nil }

    /// Whether the form was sent and has no problems.
    public var isValid: Bool { isSent && problems.isEmpty }

    /// Whether that field has no problem, for checks that need it: `if submission.accepts(\.start), …`.
    public func accepts(_ path: PartialKeyPath<F>) -> Bool {
        let name = prefix + F.fields[index(of: path)].name
        return !problems.contains { $0.name == name }
    }

    /// The file that was sent in that field.
    public func file(named name: String) -> FormFile? { files.first { $0.name == name } }
}

// MARK: - Changing

extension Submission {
    /// Adds a problem to a field. Only the first problem is kept: a rule about a value that couldn't be read would only
    /// confuse.
    public mutating func reject(_ path: PartialKeyPath<F>, _ words: Words) {
        reject(at: index(of: path), words)
    }

    /// Adds a problem to a field without a path: a file.
    public mutating func reject(named name: String, _ words: Words) {
        reject(at: index(named: name), words)
    }

    /// Adds a problem to the form as a whole.
    public mutating func reject(_ words: Words) {
        let end = problems.firstIndex { $0.name != nil } ?? problems.endIndex
        problems.insert(Problem(name: nil, words: words), at: end)
    }

    /// Adds problems of the form's rows.
    public mutating func add(_ problems: [Problem]) { self.problems += problems }

    private mutating func reject(at index: Int, _ words: Words) {
        let name = prefix + F.fields[index].name
        guard !problems.contains(where: { $0.name == name }) else { return }
        let later = Set(F.fields[(index + 1)...].map { prefix + $0.name })
        let place = problems.firstIndex { $0.name.map(later.contains) ?? false } ?? problems.endIndex
        problems.insert(Problem(name: name, words: words), at: place)
    }

    /// Sets the choices of a field for this visitor; any other answer that was sent is an error.
    ///
    /// - Parameter reasons: Why an answer that an older page offered can't be chosen anymore.
    public mutating func offer(_ path: PartialKeyPath<F>, _ choices: [Choice], unless reasons: [String: Words] = [:]) {
        let index = index(of: path)
        offered[index] = choices
        guard isSent, accepts(path) else { return }
        if let reason = F.fields[index].show(form).lazy.compactMap({ reasons[$0] }).first {
            return reject(at: index, reason)
        }
        do throws(Unfit) {
            try F.fields[index].check(F.fields[index].show(form), among: choices)
        } catch {
            reject(at: index, error.words)
        }
    }

    /// Sets a field's suggestions for this visitor.
    public mutating func suggest(_ path: PartialKeyPath<F>, _ texts: [String]) {
        suggested[index(of: path)] = texts
    }

    /// Sets a field of a fresh form, such as a default country.
    public mutating func fill<V>(_ path: WritableKeyPath<F, V>, _ value: V) {
        let index = index(of: path)
        form[keyPath: path] = value
        typed[index] = F.fields[index].show(form)
    }

    /// Sets several fields at once, overriding what was typed, for data that forms of a kind share.
    public mutating func fill(named names: [String], _ change: (inout F) -> Void) {
        change(&form)
        for index in names.map({ index(named: $0) }) { typed[index] = F.fields[index].show(form) }
    }
}

// MARK: - Drawing

extension Submission {
    /// The input to draw for a field: `form[\.title]`.
    public subscript(_ path: PartialKeyPath<F>) -> Input { input(at: index(of: path)) }

    /// The input to draw for a field without a path: a file.
    public func input(named name: String) -> Input { input(at: index(named: name)) }

    /// The inputs to draw for some of the fields, in this order.
    public func inputs(named names: [String]) -> [Input] { names.map { input(named: $0) } }

    /// The inputs of all visible fields, in declared order.
    public var inputs: [Input] { F.fields.indices.filter { F.fields[$0].control != .hidden }.map(input) }

    /// The hidden pairs of a visible form: `once`, `drawn`, and the hidden fields.
    public var carried: [(name: String, value: String)] { pairs { $0 == .hidden } }

    /// All typed texts as pairs with `once`, for the hidden form below a preview.
    ///
    /// It omits `csrf`, which is new on each page, the step, files and passwords.
    public var hidden: [(name: String, value: String)] { pairs { _ in true } }

    private func pairs(of isWanted: (Control) -> Bool) -> [(name: String, value: String)] {
        (prefix.isEmpty ? [("once", once)] + (drawn.map { [(Snapshot.name, $0)] } ?? []) : [])
            + zip(F.fields, typed).filter { isWanted($0.0.control) }.flatMap { field, texts in
                texts.map { (prefix + field.name, $0) }
            }
    }

    /// A digest of all answers, including hidden ones such as a picture's ID. It tells the same form sent twice from
    /// one with other content.
    ///
    /// - Parameter pairs: Answers in addition to its fields.
    public func digest(beside pairs: [(name: String, value: String)] = []) -> Int64 {
        let said = zip(F.fields, typed).filter { field, texts in
            field.isAnswer && !field.isBookkeeping && !(field.control == .hidden && texts.isEmpty)
        }
        return Snapshot.digest(of: (Self.answers(said) + pairs).flatMap { [$0.name, $0.value] })
    }

    /// The answers of all fields; an empty field has "".
    var answers: [(name: String, value: String)] {
        Self.answers(zip(F.fields, typed).filter { $0.0.isAnswer }).map { (prefix + $0.name, $0.value) }
    }

    private static func answers(_ fields: [(Field<F>, [String])]) -> [(name: String, value: String)] {
        fields.flatMap { field, texts in texts.isEmpty ? [(field.name, "")] : texts.map { (field.name, $0) } }
    }

    private func input(at index: Int) -> Input {
        let field = F.fields[index]
        let name = prefix + field.name
        let typed = typed[index]
        var choices = offered[index] ?? field.choices
        for number in choices.indices {
            choices[number].isChosen = typed.contains(choices[number].value)
            choices[number].id = number == 0 ? name : "\(name)-\(number + 1)"
        }
        let isPassword = field.control == .password
        // Once a radio button is chosen, another can be, but the choice can’t be cleared.
        let isSettled = field.control == .radios && choices.contains(where: \.isChosen)
        return Input(
            name: name, label: field.label, hint: field.hint,
            problem: problems.first { $0.name == name }?.words,
            theirs: theirs[index].map { field.words(for: $0, among: choices) }, control: field.control, all: typed,
            choices: choices, isRequired: field.isRequired,
            minLength: field.length.flatMap { $0.lowerBound > 1 ? $0.lowerBound : nil },
            maxLength: isPassword ? nil : field.length?.upperBound, min: field.range?.lowerBound,
            max: field.range?.upperBound, autocomplete: field.autocomplete, inputmode: field.inputmode,
            accept: field.accept, suggestions: suggested[index] ?? field.suggestions,
            isOptional: !field.isRequired && !field.isConditional && !isSettled, source: field.source,
            width: field.width)
    }

    /// A path without a field is a programming error, and shows as soon as the page is drawn.
    private func index(of path: PartialKeyPath<F>) -> Int {
        guard let index = F.fields.firstIndex(where: { $0.path.map { $0 as PartialKeyPath<F> } == path }) else {
            preconditionFailure("\(F.self) has no field for \(path).")
        }
        return index
    }

    private func index(named name: String) -> Int {
        guard let index = F.fields.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("\(F.self) has no field named \(name).")
        }
        return index
    }
}

// MARK: - Once

extension Submission {
    private static func freshOnce() -> String {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        var bits = UInt128.random(in: .min ... .max)
        return String(unsafeUninitializedCapacity: 22) { once in
            for place in 0..<22 {
                once[place] = alphabet.utf8Start[Int(bits & 63)]
                bits >>= 6
            }
            return 22
        }
    }

    /// Whether a text can be a form's `once`. One that the site itself stores can't: it has a period or another length.
    private static func isOnce(_ text: String) -> Bool {
        text.utf8.count == 22
            && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}
