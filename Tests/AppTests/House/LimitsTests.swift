import Forms
import Foundation
import Testing

@testable import App

/// Every field of every form, tried with what people and programs send: at its limits, beyond them, empty, with what
/// nobody sees, and with what is nearly a number or a date. A form that is added later is among them.
@Suite struct LimitsTests {
    /// Forms that may be larger than others, and their pages, which send them without a percent sign before each byte.
    private static let large: [(form: any Form.Type, page: String)] = [
        (OwnPagesForm.self, "people/admin/pages"), (SiteInvitationForm.self, "people/joining/site-invitations"),
    ]

    @Test func `each field takes what fits, and gives back what doesn't with a problem beside it`() throws {
        let forms = try EveryForm.found()
        #expect(forms.count > 85)
        for form in forms {
            for problem in FieldTrial.problems(of: form) { Issue.record("\(form): \(problem)") }
        }
    }

    /// A letter of any script has up to four bytes, and each of them three in what a browser sends.
    @Test func `a form that is full to its limits in any script isn't too large to be read`() throws {
        var tooLarge: Set<String> = []
        for form in try EveryForm.found() {
            if FieldTrial.longest(form) * 12 > FormLimits.withoutFiles.body { tooLarge.insert("\(form)") }
        }
        #expect(tooLarge == Set(Self.large.map { "\($0.form)" }))
        for (form, page) in Self.large {
            let template = try String(
                contentsOf: SourcesTests.root.appending(path: "Templates/\(page).html"), encoding: .utf8)
            #expect(template.contains("enctype=\"multipart/form-data\""))
            #expect(FieldTrial.longest(form) * 4 < FormLimits.withoutFiles.body)
        }
    }

    /// The twins: what a field mustn't do is found out.
    @Test func `a field that loses what it took is found out`() {
        #expect(FieldTrial.problems(of: Sound.self) == [])
        let problems = FieldTrial.problems(of: Leaky.self)
        #expect(problems.contains { $0.hasPrefix("forgotten takes “1” for nothing") })
        #expect(problems.contains { $0.hasPrefix("moving took “1” and shows") })
        #expect(problems.contains { $0.hasPrefix("any_day takes “2027-02-31”") })
    }
}

/// The forms of the site.
enum EveryForm {
    /// Each type of the sources that has a list of fields, asked of the runtime by its name.
    static func found() throws -> [any Form.Type] {
        let lists = try SourcesTests.files(in: "Sources/App").flatMap { path, text in
            text.matches(of: /static (?:let|var) fields: \[Field<(\w+)>\]/).map { String($0.output.1) }
        }
        return try lists.map { name in
            // The module and the name, each behind its length, and V for a struct: as the compiler calls a type.
            let type = try #require(_typeByName("3App\(name.utf8.count)\(name)V"), "\(name)")
            return try #require(type as? any Form.Type, "\(name) is no form")
        }
    }
}

/// One field of a form that is sent alone: what was typed comes back, and what was taken stays what it is.
private struct FieldTrial<F: Form> {
    let name: String
    let input: Input
    private(set) var problems: [String] = []

    /// Letters that each count as one: of one byte, of three bytes, of two scalars, of seven scalars.
    private static var letters: [String] { ["x", "木", "e\u{301}", "👨‍👩‍👧‍👦"] }

    private static var blanks: [String] {
        ["", " ", "\t \u{3000}\u{A0}", "\u{200B}\u{200D}\u{FEFF}", "\u{301}\u{20DD}", "\r\n\r\n", "\u{2800}\u{3164}"]
    }

    /// What is a number or a date, or nearly.
    private static var values: [String] {
        [
            "-1", "0", "1", "03", "+7", "\u{2212}5", "1.5", "1e9", "½", "²", "NaN", "0x10", "٣", "۳۴", "1,000",
            "99999999999999999999", "0001-01-01", "1000-01-01", "9999-12-31", "10000-01-01", "2027-02-31",
            "2027-02-29", "2028-02-29", "12:60", "24:00", "25:00", "9999-12-31T23:59", "2028-02-29T24:00", "me",
            "child-1", "shift-0", "☃", "<b>", "a@b", "ana@example.org",
        ]
    }

    private static var noNumbers: [String] {
        ["1.5", "1e9", "½", "²", "NaN", "0x10", "99999999999999999999", "☃", "1-1"]
    }

    init(_ name: String) {
        self.name = name
        input = Submission<F>().input(named: name)
    }

    private static func sent(_ name: String, _ texts: [String]) -> Submission<F> {
        var body = FormBody()
        // One as it arrives; several as a form has them.
        if let text = texts.first, texts.count == 1 {
            body = FormBody(dictionaryLiteral: (name, text))
        } else {
            body = body.replacing(name, with: texts)
        }
        return Submission(body)
    }

    /// What the field says of a text alone.
    private func answer(to text: String) -> Input { Self.sent(name, [text]).input(named: name) }

    private mutating func expect(_ holds: Bool, _ problem: @autoclosure () -> String) {
        if !holds { problems.append("\(name) \(problem())") }
    }

    mutating func run() {
        if input.control == .password { return tryPassword() }
        if input.control != .hidden {
            tryBlanks()
            tryMarks()
        }
        if let most = input.maxLength, input.control != .email { tryLengths(upTo: most) }
        if let least = input.min, let most = input.max { tryNumbers(least, most) }
        switch input.control {
        case .date:
            expect(answer(to: "2028-02-29").problem == nil, "refuses 29 February 2028")
            tryUnshowable(["10000-01-01", "2027-02-31", "2027-02-29", "0000-00-00", "☃"])
        case .time: tryUnshowable(["12:60", "25:00", "99:99", "☃"])
        case .moment: tryUnshowable(["2027-02-31T09:00", "2027-03-25T99:99", "2027-03-25T24:01", "2027-03-25", "☃"])
        default: break
        }
        for choice in input.choices {
            expect(answer(to: choice.value).problem == nil || choice.isDisabled, "refuses \(choice.value)")
        }
        for text in Self.values { tryValue(text) }
    }

    private mutating func tryPassword() {
        for text in [String(repeating: "x", count: 10_000), "long enough\u{0}", ""] {
            let answer = answer(to: text)
            expect(answer.problem != nil && answer.all.isEmpty, "takes a password of \(text.count)")
        }
        expect(answer(to: "a village of our own").all.isEmpty, "shows a password")
    }

    private mutating func tryBlanks() {
        for text in Self.blanks {
            let answer = answer(to: text)
            expect(answer.typed.isEmpty, "shows \(text.debugDescription)")
            expect((answer.problem != nil) == input.isRequired, "takes \(text.debugDescription) for an answer")
        }
    }

    /// What can't be read is marked where it stands; what turns the text around it goes; a line has no line ends.
    private mutating func tryMarks() {
        let isArea = input.control == .area
        for text in ["a\u{0}b", "a\u{7}b", "a\u{1B}b", "a\u{FFFF}b", "a\u{FFFD}b"] {
            let answer = answer(to: text)
            expect(answer.problem != nil, "takes \(text.debugDescription)")
            expect(answer.typed == "a\u{FFFD}b", "gives back \(answer.typed.debugDescription)")
        }
        for (text, line, area) in [
            ("a\r\nb", "a b", "a\nb"), ("a\u{2028}b", "a b", "a\nb"), ("א\u{202E}b\u{2066}ג", "אbג", "אbג"),
            ("א\u{200F}b", "אb", "א\u{200F}b"), ("🙂\u{200D}b", "🙂\u{200D}b", "🙂\u{200D}b"),
        ] {
            let typed = answer(to: text).typed
            expect(Self.isSame(typed, isArea ? area : line), "makes \(typed.debugDescription) of a text")
        }
    }

    private mutating func tryLengths(upTo most: Int) {
        for letter in Self.letters {
            let full = String(repeating: letter, count: most)
            expect(!isLength(answer(to: full).problem), "refuses \(most) × \(letter)")
            tooLong(full + letter)
        }
        tooLong(String(repeating: "x", count: 10 * most + 1))
        // A heap of marks without end on one letter.
        tooLong("a" + String(repeating: "\u{301}", count: 10 * most + 10))
        if let least = input.minLength {
            for letter in Self.letters {
                let short = answer(to: String(repeating: letter, count: least - 1))
                expect(isLength(short.problem), "takes \(least - 1) × \(letter)")
            }
        }
    }

    private func isLength(_ words: Words?) -> Bool {
        words.map { ["Shorten ", "Write at least "].contains(where: $0.english.hasPrefix) } ?? false
    }

    private mutating func tooLong(_ text: String) {
        let answer = answer(to: text)
        expect(isLength(answer.problem), "takes \(text.count) × \(text.prefix(1))")
        expect(Self.isSame(answer.typed, text), "loses what was too long")
    }

    /// Code point for code point: one that is spelled otherwise is another text.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8)
    }

    private mutating func tryNumbers(_ least: Int, _ most: Int) {
        for number in [least, most] {
            let arabic = String(
                String.UnicodeScalarView(
                    String(number).unicodeScalars.map { $0 == "-" ? $0 : Unicode.Scalar($0.value + 0x630)! }))
            expect(answer(to: "\(number)").problem == nil, "refuses \(number)")
            expect(answer(to: arabic).problem == nil, "refuses \(arabic)")
        }
        for text in ["\(least - 1)", "\(most + 1)"] + Self.noNumbers {
            let answer = answer(to: text)
            expect(answer.problem != nil, "takes “\(text)”")
            expect(answer.typed == text, "loses “\(text)”")
        }
    }

    /// A browser shows nothing of a day that there isn't in a field for days.
    private mutating func tryUnshowable(_ texts: [String]) {
        for text in texts {
            let answer = answer(to: text)
            expect(answer.problem != nil, "takes “\(text)”")
            expect(answer.typed == text && answer.type == "text", "loses “\(text)”")
        }
    }

    /// What is refused comes back; what is taken is shown, and stays what it is when that is sent again.
    private mutating func tryValue(_ text: String) {
        let sent = Self.sent(name, [text])
        let answer = sent.input(named: name)
        // What can't be read in a hidden field counts as not sent, and says nothing.
        if input.control == .hidden, answer.typed.isEmpty { return }
        guard answer.problem == nil else { return expect(answer.typed == text, "loses “\(text)”") }
        let shown = Submission(filled: sent.form).input(named: name).all
        if shown.isEmpty {
            // A box that isn't checked.
            if input.control != .checkbox { problems.append("\(name) takes “\(text)” for nothing") }
            return
        }
        if input.maxLength != nil, input.control != .email {
            expect(shown == [text], "takes “\(text)” for \(shown)")
        }
        let again = Self.sent(name, shown)
        let problem = again.input(named: name).problem
        expect(problem == nil, "took “\(text)” and refuses \(shown), which it shows")
        let last = Submission(filled: again.form).input(named: name).all
        expect(problem != nil || last == shown, "took “\(text)” and shows \(shown), then \(last)")
    }
}

extension FieldTrial where F == Sound {
    /// What is wrong with a form's fields. Of rows in a form the first is tried.
    static func problems<Tried: Form>(of form: Tried.Type) -> [String] {
        Tried.fields.filter { $0.control != .file && !$0.name.contains(/\.[1-9]\d*\./) }.flatMap { field in
            var trial = FieldTrial<Tried>(field.name)
            trial.run()
            return trial.problems
        }
    }

    /// How many letters fit into all of its fields.
    static func longest<Tried: Form>(_ form: Tried.Type) -> Int {
        Submission<Tried>().inputs.compactMap(\.maxLength).reduce(0, +)
    }
}

/// A form of the kinds there are.
private struct Sound: Form {
    var title = ""
    var text: String?
    var count = 0
    var day: Day?
    var time: TimeOfDay?
    var email = ""
    var password = ""
    var isSure = false
    var answer: Joining?
    var id: ID<Account>?

    static let fields: [Field<Sound>] = [
        .text("title", \.title, "Title", 3...20), .area("text", \.text, "Text", 1...30),
        .number("count", \.count, "Count", 1...50), .date("day", \.day, "Day"), .time("time", \.time, "Time"),
        .email("email", \.email, "E-mail"), .password("password", \.password, "Password"),
        .checkbox("sure", \.isSure, "Sure"), .hidden("id", \.id),
        .choice("answer", \.answer, "Answer", options: Joining.allCases.map { Choice($0, $0.name) }),
    ]
}

private struct Leaky: Form {
    /// Shows nothing of what it read.
    struct Forgotten: FormValue {
        init(typed: String) {}
        var typed: String { "" }
    }

    /// Another one each time it is read, as a last day that ends at midnight would be.
    struct Moving: FormValue {
        let number: Int
        init?(typed: String) {
            guard let number = Int(typed: typed) else { return nil }
            self.number = number &+ 1
        }
        var typed: String { "\(number)" }
    }

    var forgotten: Forgotten?
    var moving: Moving?
    var day: String?

    static let fields: [Field<Leaky>] = [
        .value("forgotten", \.forgotten, "Forgotten", control: .text, unreadable: ""),
        .value("moving", \.moving, "Moving", control: .text, unreadable: ""),
        .value("any_day", \.day, "Day", control: .date, unreadable: ""),
    ]
}
