import Forms

/// The town's own texts: its rules, terms and legal notice.
struct OwnPages: Sendable, Equatable {
    /// The rules of conduct, one after another. Staff cite them in decisions.
    var rules: [String] = []
    var terms = ""
    /// The name and address of the legally responsible party.
    var imprint = ""

    /// The most rules, because nobody would read more.
    static let mostRules = 20

    /// Whether new members must agree to something.
    var areAgreedTo: Bool { !rules.isEmpty || !terms.isEmpty }

    /// The label of the checkbox for new members.
    var agreement: Words {
        switch (rules.isEmpty, terms.isEmpty) {
        case (false, true): "I agree to the house rules"
        case (true, false): "I agree to the terms of use"
        default: "I agree to the house rules and the terms of use"
        }
    }

    var isEmpty: Bool { !areAgreedTo && imprint.isEmpty }

    /// The rules as choices, for a decision that cites one.
    var choices: [Choice] { rules.map { Choice($0, Words(verbatim: $0)) } }
}

/// `/admin/pages`.
struct OwnPagesForm: Form {
    var rules: String?
    var terms: String?
    var imprint: String?

    static let fields: [Field<OwnPagesForm>] = [
        .area("rules", \.rules, "House rules", 3...6_000)
            .hint("One per line, at most 20. New members agree to them, and moderators can name one."),
        .area("terms", \.terms, "Terms of use", 3...20_000)
            .hint("If your organization has any. New members agree to them."),
        .area("imprint", \.imprint, "Legal notice", 3...4_000)
            .hint("Who answers for this site, with a postal address, where the law asks for it."),
    ]

    init() {}

    init(_ pages: OwnPages) {
        rules = pages.rules.joined(separator: "\n").nonEmpty
        terms = pages.terms.nonEmpty
        imprint = pages.imprint.nonEmpty
    }

    func check(_ submission: inout Submission<OwnPagesForm>) {
        guard submission.accepts(\.rules) else { return }
        let rules = Self.lines(rules)
        if rules.count > OwnPages.mostRules {
            submission.reject(\.rules, "There can be at most \(OwnPages.mostRules, as: "number") rules.")
        } else if let long = rules.first(where: { $0.count > 300 }) {
            submission.reject(
                \.rules, "“\(String(long.prefix(30)), as: "rule") …” is too long for a rule: 300 characters at most.")
        }
    }

    /// The lines of a text, without duplicates and leading numbers: the list numbers them.
    private static func lines(_ text: String?) -> [String] {
        (text ?? "").split(whereSeparator: \.isNewline).map { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            let isNumbered =
                words.count > 1 && words[0].last.map { ".)".contains($0) } == true
                && words[0].dropLast().allSatisfy(\.isWholeNumber)
            return words.dropFirst(isNumbered ? 1 : 0).joined(separator: " ")
        }.filter { !$0.isEmpty }.uniqued()
    }

    var value: OwnPages { OwnPages(rules: Self.lines(rules), terms: terms ?? "", imprint: imprint ?? "") }
}
