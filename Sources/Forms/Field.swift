/// A form: a value that starts empty, and the fields that fill it.
public protocol Form: Sendable {
    /// The empty form.
    init()
    /// The fields in the order they are drawn. `step`, `once` and `csrf` are built in and not declared.
    static var fields: [Field<Self>] { get }
}

/// An error message in place of a value.
struct Unfit: Error {
    let words: Words
}

/// One field of a form: its name and how it is parsed, checked and printed.
///
/// The kinds of field are in `Field+Kinds.swift`; a site adds its own (a date, a price) with `value`.
public struct Field<F: Form>: Sendable {
    /// A path to a property of the form.
    public typealias Path<V> = any WritableKeyPath<F, V> & Sendable
    typealias Take = @Sendable (Self, [String], FormBody, inout F) throws(Unfit) -> Void

    /// The name in the form data, and the control's ID.
    public let name: String
    public let label: Words
    public private(set) var control: Control
    /// Whether leaving it empty is an error.
    public let isRequired: Bool

    let path: (any PartialKeyPath<F> & Sendable)?
    let length: ClosedRange<Int>?
    let range: ClosedRange<Int>?
    let choices: [Choice]
    let accept: String?
    /// The texts that an input shows for the form's value.
    let show: @Sendable (F) -> [String]
    /// Stores what was typed in the form.
    private let take: Take
    private(set) var hint: Words?
    private(set) var autocomplete: String?
    private(set) var inputmode: String?
    private(set) var suggestions: [String] = []
    private(set) var source: String?
    private(set) var isConditional = false
    private(set) var isBookkeeping = false
    private(set) var width = Width.normal
    private var missing: Words?
    private var problem: (@Sendable (String) -> Words?)?

    init(
        _ name: String, _ path: (any PartialKeyPath<F> & Sendable)?, _ label: Words, _ control: Control,
        isRequired: Bool, length: ClosedRange<Int>? = nil, range: ClosedRange<Int>? = nil, choices: [Choice] = [],
        accept: String? = nil,
        show: @escaping @Sendable (F) -> [String], take: @escaping Take
    ) {
        self.name = name
        self.path = path
        self.label = label
        self.control = control
        self.isRequired = isRequired
        self.length = length
        self.range = range
        self.choices = choices
        self.accept = accept
        self.show = show
        self.take = take
        inputmode = control.inputmode
    }

    /// A field with one value. `empty` is the value if nothing was typed; nil if an answer is required.
    static func single<V: Sendable>(
        _ name: String, _ path: Path<V>, _ label: Words, _ control: Control, empty: V?,
        length: ClosedRange<Int>? = nil, range: ClosedRange<Int>? = nil, choices: [Choice] = [],
        show: @escaping @Sendable (V) -> String?,
        read: @escaping @Sendable (Self) -> (String, FormBody) throws(Unfit) -> V
    ) -> Self {
        Field(
            name, path, label, control, isRequired: empty == nil, length: length, range: range, choices: choices,
            show: { form in
                guard let text = show(form[keyPath: path]), !text.isEmpty else { return [] }
                return [text]
            },
            take: { field, typed, body, form throws(Unfit) in
                if let text = typed.first {
                    form[keyPath: path] = try read(field)(text, body)
                } else if let empty {
                    form[keyPath: path] = empty
                }
            })
    }
}

// MARK: - Modifiers

extension Field {
    /// Adds a hint below the label.
    public func hint(_ words: Words) -> Self { with { $0.hint = words } }

    /// Sets what browsers may autofill: an HTML autofill token, like `given-name` or `off`.
    public func autocomplete(_ token: String) -> Self { with { $0.autocomplete = token } }

    /// Sets the keyboard a phone offers, like `tel` or `decimal`.
    public func inputmode(_ mode: String) -> Self { with { $0.inputmode = mode } }

    /// Sets the message for an empty field, which says what to do, like "Give the event a title."
    public func missing(_ words: Words) -> Self { with { $0.missing = words } }

    /// Adds a check of the typed text; it returns an error message or nil.
    public func checked(_ problem: @escaping @Sendable (String) -> Words?) -> Self { with { $0.problem = problem } }

    /// Draws a control other than the kind's own: radios for a choice, a search box or a telephone for a text.
    ///
    /// Parsing and checking don't change.
    public func drawn(as control: Control) -> Self { with { $0.control = control } }

    /// Adds suggestions while typing; any other text is accepted too.
    public func suggestions(_ texts: [String]) -> Self { with { $0.suggestions = texts } }

    /// Completes each of several comma-separated texts while typing. The address `source` answers `?q=…` with
    /// `{"items": ["…"]}`.
    public func completed(by source: String) -> Self { with { $0.source = source } }

    /// Whether it is required depends on other fields, as the form's own check says, so it isn't labeled optional.
    public var conditional: Self { with { $0.isConditional = true } }

    /// Marks state that the page keeps for itself, such as how many rows it shows. It is no one's answer, so it doesn't
    /// count when two submissions are compared.
    public var bookkeeping: Self { with { $0.isBookkeeping = true } }

    /// Draws it narrow, for a short answer: a number, a postal code.
    public var narrow: Self { with { $0.width = .narrow } }

    /// Draws it wide, for a long answer.
    public var wide: Self { with { $0.width = .wide } }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

// MARK: - Parsing

extension Field {
    /// Whether it can have several values.
    var isMultiple: Bool { control == .checkboxes }

    /// Whether its answer can be shown again.
    var isAnswer: Bool { control != .file && control != .password }

    /// What these texts mean to people: for a choice, its label.
    func words(for texts: [String], among choices: [Choice]) -> [Words] {
        if control == .checkbox { return [texts.isEmpty ? "No" : "Yes"] }
        return texts.map { text in choices.first { $0.value == text }?.label ?? Words(verbatim: text) }
    }

    /// Parses this field from `body` into `form`.
    ///
    /// Returns the typed texts for the next page, and an error message. Nobody can correct a hidden field: if it is
    /// unreadable, it counts as not sent.
    func read(_ body: FormBody, into form: inout F) -> (typed: [String], problem: Words?) {
        if control == .file { return ([], isRequired && body.file(name) == nil ? missingWords : nil) }
        let pairs = body.pairs.filter { $0.name == name }
        var typed: [String] = []
        var isReadable = true
        for pair in pairs {
            let clean = CleanText(pair.value, keepsLines: control == .area)
            let text = control == .password ? pair.value : clean.text
            isReadable = isReadable && (control == .password ? pair.isReadable : clean.isReadable)
            if !text.isEmpty, !typed.contains(text) { typed.append(text) }
        }
        var problem: Words?
        do throws(Unfit) {
            guard isReadable else { throw Unfit(words: unreadableWords) }
            guard isMultiple || typed.count <= 1 else { throw Unfit(words: ambiguousWords) }
            guard !typed.isEmpty || !isRequired else { throw Unfit(words: missingWords) }
            try take(self, typed, body, &form)
            if let words = typed.lazy.compactMap({ self.problem?($0) }).first { throw Unfit(words: words) }
        } catch {
            problem = error.words
        }
        switch control {
        case .password: return ([], problem)
        case .hidden: return (problem == nil ? typed : [], nil)
        // "03" chose the answer "3", so that is the one to mark.
        case .choice, .radios, .checkboxes: return (problem == nil ? show(form) : typed, problem)
        default: return (typed, problem)
        }
    }

    /// Throws if an answer isn't among `choices` or is disabled.
    func check(_ answers: [String], among choices: [Choice]) throws(Unfit) {
        let areOffered = answers.allSatisfy { answer in choices.contains { $0.value == answer && !$0.isDisabled } }
        guard areOffered else { throw Unfit(words: notOfferedWords) }
    }

    private var missingWords: Words {
        if let missing { return missing }
        return switch control {
        case .choice, .radios: "Choose an answer for “\(label, as: "label")”."
        case .checkboxes: "Check at least one box of “\(label, as: "label")”."
        case .checkbox: "Check “\(label, as: "label")”."
        case .file: "Choose a file for “\(label, as: "label")”."
        default: "Fill in “\(label, as: "label")”."
        }
    }

    private var unreadableWords: Words {
        control == .password
            ? "Type “\(label, as: "label")” again: it has characters that can’t be read."
            : "Replace the characters of “\(label, as: "label")” that can’t be read, marked with \u{FFFD}."
    }

    private var ambiguousWords: Words {
        "Give one answer for “\(label, as: "label")”: several different ones came."
    }

    var notOfferedWords: Words { "What was chosen for “\(label, as: "label")” isn’t available anymore. Choose again." }
}
