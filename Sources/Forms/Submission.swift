/// Which button of a form with a preview was pressed.
public enum Step: String, Sendable {
    case edit, preview, draft, publish
}

/// Something to put right, and how.
public struct Problem: Sendable, Equatable {
    /// The field, whose id is the same; nil when it is about the form as a whole.
    public let name: String?
    public let words: Words

    public init(name: String?, words: Words) {
        self.name = name
        self.words = words
    }
}

/// A form as a visitor sees it: what was typed, what it means, and what is wrong with it.
public struct Submission<F: Form>: Sendable {
    /// What it means, as far as it can be read; the rest is as in an empty form.
    public private(set) var form: F
    /// Everything wrong: the form as a whole first, then one problem a field in the order of the fields.
    public private(set) var problems: [Problem] = []
    /// The button that was pressed, when it was one of a form with a preview.
    public let step: Step?
    /// 128 random bits in URL-safe characters that stay with the form from its first page to the last, so that sending
    /// it twice can be told from two forms. A value that isn't one of ours is replaced.
    public let once: String
    /// Whether this came from a visitor, and is no page to fill in yet.
    public private(set) var isSent: Bool
    private var typed: [[String]]
    private var offered: [Int: [Choice]] = [:]
    private var suggested: [Int: [String]] = [:]
    private var files: [FormFile] = []
    private var theirs: [Int: [String]] = [:]
    /// The digests of what it was drawn from, where it changes something stored: the value of the pair `drawn`.
    private var drawn: String?
    /// What is stored, on a page that is drawn from it.
    let original: Answers?
    /// What stands before the names of its fields: `activity.3.` in a row of a larger form.
    private(set) var prefix = ""

    /// An empty form to fill in.
    public init() {
        self.init(F(), typed: F.fields.map { _ in [] }, once: Self.freshOnce())
    }

    /// A form to fill in that begins with `form`, for something new.
    public init(filled form: F, once: String? = nil) {
        self.init(form, typed: F.fields.map { $0.show(form) }, once: once ?? Self.freshOnce())
    }

    /// A form that changes what is stored. It carries what it was drawn from, so that what others store until it comes
    /// back isn't lost: see ``FormBody/merged(onto:by:)``.
    ///
    /// - Parameters:
    ///   - stored: What is stored, as the form shows it.
    ///   - names: The fields on the page, where it has some of them only.
    ///   - rows: What ``Rows/answers`` says of the rows it has beside.
    public init(changing stored: F, only names: [String]? = nil, rows: [(name: String, value: String)] = []) {
        let typed = F.fields.map { $0.show(stored) }
        let fields = zip(F.fields, typed).filter { field, _ in
            field.isAnswer && names?.contains(field.name) != false
        }
        let original = Answers(Self.answers(fields) + rows, names: fields.map(\.0.name))
        self.init(
            stored, typed: typed, once: Self.freshOnce(), drawn: Snapshot(original).text, original: original)
    }

    /// What a visitor sent: every field is read and checked, and all that is wrong is collected.
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
            // Conflicts come first: the other person's words would be gone once a form without them was drawn.
            let conflict = body.conflicts[field.name]
            theirs[index] = conflict?.theirs
            if let words = conflict?.words(for: field.label) ?? body.refusals[field.name] ?? problem {
                problems.append(Problem(name: field.name, words: words))
            }
        }
    }

    /// What a visitor sent of some fields; the others are as in `form`.
    ///
    /// - Parameter names: The fields that stood on the page.
    public init(_ body: FormBody, changing names: [String], of form: F) {
        var whole = body.only(names + ["once", Snapshot.name])
        for field in F.fields where !names.contains(field.name) {
            for text in field.show(form) { whole.add(field.name, Array(text.utf8)) }
        }
        self.init(whole)
    }

    /// A form to go on filling in: what was typed before, without a word of what is still wrong with it.
    public init(unfinished body: FormBody) {
        self.init(body)
        problems = []
        isSent = false
    }

    /// The same of what was kept to go on with. It carries what it was drawn from: see ``FormBody/follows(_:)``.
    public init(resuming kept: FormBody) {
        self.init(unfinished: kept)
        drawn = Snapshot(kept).text
    }

    /// A row of a larger form, whose fields are called `\(prefix)name` there.
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

    /// The same row under another number.
    func renamed(_ prefix: String) -> Submission {
        var row = self
        row.prefix = prefix
        row.problems = problems.map { problem in
            Problem(name: problem.name.map { prefix + $0.dropFirst(self.prefix.count) }, words: problem.words)
        }
        return row
    }

    /// The same without a word of what is wrong with it.
    public var withoutProblems: Submission {
        var same = self
        same.problems = []
        same.theirs = [:]
        return same
    }

    /// The same as a draft, which may be unfinished: of all that is wrong with it only that it was sent before with
    /// other words.
    public func unfinished(_ body: FormBody) -> Submission {
        var same = withoutProblems
        if let words = body.problem { same.problems = [Problem(name: nil, words: words)] }
        return same
    }

    /// The same row as a new one: what it carries unseen stays behind.
    var copy: Submission {
        var row = self
        for (index, field) in F.fields.enumerated() where field.control == .hidden {
            _ = field.read(FormBody(), into: &row.form)
            row.typed[index] = []
        }
        return row
    }

    /// Whether nothing was typed into it; what is hidden doesn't count.
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

    /// Makes sure, within the transaction that writes, that what is stored is still what the form was merged onto.
    ///
    /// - Parameter page: The form as it would be drawn now.
    /// - Throws: `ChangedMeanwhile`, and the whole has to be done again.
    public func requireUnchanged(since page: Submission) throws(ChangedMeanwhile) {
        guard drawn == nil || drawn == page.drawn else { throw ChangedMeanwhile() }
    }

    /// The form, when it was sent and nothing is wrong.
    public var value: F? { isValid ? form : nil }

    /// Whether it was sent and nothing is wrong.
    public var isValid: Bool { isSent && problems.isEmpty }

    /// Whether nothing is wrong with that field, for checks that need it: `if submission.accepts(\.start), …`.
    public func accepts(_ path: PartialKeyPath<F>) -> Bool {
        let name = prefix + F.fields[index(of: path)].name
        return !problems.contains { $0.name == name }
    }

    /// The file that came in the field of that name.
    public func file(named name: String) -> FormFile? { files.first { $0.name == name } }
}

// MARK: - Changing

extension Submission {
    /// Says what is wrong with a field. The first problem of a field stays: a rule about a value that couldn't be read
    /// would only confuse.
    public mutating func reject(_ path: PartialKeyPath<F>, _ words: Words) {
        reject(at: index(of: path), words)
    }

    /// Says what is wrong with a field that has no path: a file.
    public mutating func reject(named name: String, _ words: Words) {
        reject(at: index(named: name), words)
    }

    /// Says what is wrong with the form as a whole.
    public mutating func reject(_ words: Words) {
        let end = problems.firstIndex { $0.name != nil } ?? problems.endIndex
        problems.insert(Problem(name: nil, words: words), at: end)
    }

    /// Adds what is wrong with rows of the form.
    public mutating func add(_ problems: [Problem]) { self.problems += problems }

    private mutating func reject(at index: Int, _ words: Words) {
        let name = prefix + F.fields[index].name
        guard !problems.contains(where: { $0.name == name }) else { return }
        let later = Set(F.fields[(index + 1)...].map { prefix + $0.name })
        let place = problems.firstIndex { $0.name.map(later.contains) ?? false } ?? problems.endIndex
        problems.insert(Problem(name: name, words: words), at: place)
    }

    /// Gives a choice or checkboxes their answers for this visitor, and refuses any other that was sent.
    ///
    /// - Parameter reasons: Why an answer that an older page offered isn't to be had now.
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

    /// Gives a text what this visitor may choose from while typing.
    public mutating func suggest(_ path: PartialKeyPath<F>, _ texts: [String]) {
        suggested[index(of: path)] = texts
    }

    /// Fills a field of a fresh form: a country to begin with.
    public mutating func fill<V>(_ path: WritableKeyPath<F, V>, _ value: V) {
        let index = index(of: path)
        form[keyPath: path] = value
        typed[index] = F.fields[index].show(form)
    }

    /// Fills several fields at once, whatever was typed there: for what forms of a kind have in common.
    public mutating func fill(named names: [String], _ change: (inout F) -> Void) {
        change(&form)
        for index in names.map({ index(named: $0) }) { typed[index] = F.fields[index].show(form) }
    }
}

// MARK: - Drawing

extension Submission {
    /// What a template draws for a field: `form[\.title]`.
    public subscript(_ path: PartialKeyPath<F>) -> Input { input(at: index(of: path)) }

    /// What a template draws for a field that has no path: a file.
    public func input(named name: String) -> Input { input(at: index(named: name)) }

    /// What a template draws for some of the fields, in this order.
    public func inputs(named names: [String]) -> [Input] { names.map { input(named: $0) } }

    /// Every field that is seen, in declared order.
    public var inputs: [Input] { F.fields.indices.filter { F.fields[$0].control != .hidden }.map(input) }

    /// The pairs the visible form carries unseen: `once`, what it was drawn from, and the hidden fields.
    public var carried: [(name: String, value: String)] { pairs { $0 == .hidden } }

    /// Everything typed as pairs, `once` with them, for the hidden form below a preview.
    ///
    /// Not `csrf`, which each page has afresh, nor the step, files and passwords.
    public var hidden: [(name: String, value: String)] { pairs { _ in true } }

    private func pairs(of isWanted: (Control) -> Bool) -> [(name: String, value: String)] {
        (prefix.isEmpty ? [("once", once)] + (drawn.map { [(Snapshot.name, $0)] } ?? []) : [])
            + zip(F.fields, typed).filter { isWanted($0.0.control) }.flatMap { field, texts in
                texts.map { (prefix + field.name, $0) }
            }
    }

    /// A digest of all that somebody answered, to tell the same form sent twice from one with other words: the picture
    /// that a hidden field names is among it.
    ///
    /// - Parameter pairs: What was answered beside its fields.
    public func digest(beside pairs: [(name: String, value: String)] = []) -> Int64 {
        let said = zip(F.fields, typed).filter { field, texts in
            field.isAnswer && !field.isBookkeeping && !(field.control == .hidden && texts.isEmpty)
        }
        return Snapshot.digest(of: (Self.answers(said) + pairs).flatMap { [$0.name, $0.value] })
    }

    /// What every field answers, an empty one with "".
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
        return Input(
            name: name, label: field.label, hint: field.hint,
            problem: problems.first { $0.name == name }?.words,
            theirs: theirs[index].map { field.words(for: $0, among: choices) }, control: field.control, all: typed,
            choices: choices, isRequired: field.isRequired,
            minLength: field.length.flatMap { $0.lowerBound > 1 ? $0.lowerBound : nil },
            maxLength: isPassword ? nil : field.length?.upperBound, min: field.range?.lowerBound,
            max: field.range?.upperBound, autocomplete: field.autocomplete, inputmode: field.inputmode,
            accept: field.accept, suggestions: suggested[index] ?? field.suggestions,
            isOptional: !field.isRequired && !field.isConditional, source: field.source, width: field.width)
    }

    /// A path that no field has is a mistake in the program, and the first drawing of the page shows it.
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

    private static func isOnce(_ text: String) -> Bool {
        text.utf8.count == 22
            && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}
