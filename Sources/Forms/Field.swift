/// A form: a value that starts empty, and the list of fields that fill it.
public protocol Form: Sendable {
    /// The form before anything was typed.
    init()
    /// Every field once, in the order they are drawn. `step`, `once` and `csrf` are built in and not declared.
    static var fields: [Field<Self>] { get }
}

/// Words instead of a value.
struct Unfit: Error {
    let words: Words
}

/// One field of a form: how it is called, read, checked and printed.
///
/// The kinds of field are in `Field+Kinds.swift`; a site adds its own (a date, a price) with `value`.
public struct Field<F: Form>: Sendable {
    /// A path to a property of the form that can be kept in a list of fields.
    public typealias Path<V> = any WritableKeyPath<F, V> & Sendable
    typealias Take = @Sendable (Self, [String], FormBody, inout F) throws(Unfit) -> Void

    /// The name it is sent under, and the id of its control.
    public let name: String
    public let label: Words
    public private(set) var control: Control
    /// Whether leaving it empty is a problem.
    public let isRequired: Bool

    let path: (any PartialKeyPath<F> & Sendable)?
    let length: ClosedRange<Int>?
    let range: ClosedRange<Int>?
    let choices: [Choice]
    let accept: String?
    /// What an input shows for the form's value.
    let show: @Sendable (F) -> [String]
    /// Puts what was typed into the form.
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

    /// A field of one value; `empty` is what no answer means, nil where an answer is required.
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
    /// A line below the label that helps to answer.
    public func hint(_ words: Words) -> Self { with { $0.hint = words } }

    /// What browsers may fill in: a token of the HTML standard's autofill, like `given-name` or `off`.
    public func autocomplete(_ token: String) -> Self { with { $0.autocomplete = token } }

    /// The keyboard a phone offers, like `tel` or `decimal`.
    public func inputmode(_ mode: String) -> Self { with { $0.inputmode = mode } }

    /// What to say when it is empty: how to put it right, like "Give the event a title."
    public func missing(_ words: Words) -> Self { with { $0.missing = words } }

    /// What else may be wrong with what was typed, as the site knows.
    public func checked(_ problem: @escaping @Sendable (String) -> Words?) -> Self { with { $0.problem = problem } }

    /// Draws another control than the kind's own: radios for a choice, a search box or a telephone for a text.
    ///
    /// Reading and checking stay those of the kind.
    public func drawn(as control: Control) -> Self { with { $0.control = control } }

    /// Texts to choose from while typing; any other is accepted too.
    public func suggestions(_ texts: [String]) -> Self { with { $0.suggestions = texts } }

    /// Several texts with commas between, each completed while typing by what the address answers:
    /// `{"items": ["…"]}` for `?q=…`.
    public func completed(by source: String) -> Self { with { $0.source = source } }

    /// It may have to be filled in, depending on other fields, as the form's own check says: it isn't called optional.
    public var conditional: Self { with { $0.isConditional = true } }

    /// What the page keeps for itself, such as how many rows it shows: nobody's answer, so the form is the same one
    /// whatever it says.
    public var bookkeeping: Self { with { $0.isBookkeeping = true } }

    /// Little is expected: a number, a postal code.
    public var narrow: Self { with { $0.width = .narrow } }

    /// Much is expected.
    public var wide: Self { with { $0.width = .wide } }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

// MARK: - Reading

extension Field {
    /// Whether several values of its name are meant.
    var isMultiple: Bool { control == .checkboxes }

    /// Whether it answers something that can be shown again.
    var isAnswer: Bool { control != .file && control != .password }

    /// What these texts mean to people: a choice by its label.
    func words(for texts: [String], among choices: [Choice]) -> [Words] {
        if control == .checkbox { return [texts.isEmpty ? "No" : "Yes"] }
        return texts.map { text in choices.first { $0.value == text }?.label ?? Words(verbatim: text) }
    }

    /// Reads this field out of `body` into `form`.
    ///
    /// Gives back what was typed, for the next page, and what is wrong with it. A hidden field is nobody's to put
    /// right: what can't be read there counts as not sent.
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
        // "03" chose the answer "3", which is the one to mark.
        case .choice, .radios, .checkboxes: return (problem == nil ? show(form) : typed, problem)
        default: return (typed, problem)
        }
    }

    /// Refuses an answer that isn't among `choices`, or not to be had.
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

    var notOfferedWords: Words { "What was chosen for “\(label, as: "label")” can’t be had anymore. Choose again." }
}
