import Forms

/// More dates for an event: a rhythm that proposes them.
struct CopyForm: Form {
    var rhythm: Series.Rhythm?
    var count: Int?
    /// How families register for what becomes a series by it.
    var booking: Series.Booking?
    /// The rhythm and the number by which the dates of the form were filled in.
    var filled: String?

    /// The same as they are chosen now; nil without a rhythm.
    var filling: String? { rhythm.map { "\($0.rawValue) \(count ?? DateList.usual)" } }

    /// Whether another rhythm or number was chosen since the dates were filled in.
    var isOfOthers: Bool { filled != nil && filling != nil && filled != filling }

    static let fields: [Field<CopyForm>] = [
        .choice("every", \.rhythm, "How often", options: Series.Rhythm.choices),
        .number("times", \.count, "How many more times", 1...52).narrow,
        .choice("booking", \.booking, "How do families register?", options: Series.Booking.choices)
            .drawn(as: .radios),
        .hidden("filled", \.filled),
    ]
}

/// Why an event is called off.
struct CancelForm: Form {
    var reason = ""
    var scope: Series.Scope?

    static let fields: [Field<CancelForm>] = [
        .area("reason", \.reason, "Why?", 3...500)
            .hint("Families read it on the event’s page.").missing("Say why, so that families understand it."),
        .choice("scope", \.scope, "Which dates?", options: Series.Scope.choices).drawn(as: .radios),
    ]
}

/// The dates somebody typed, each in a control of its own.
struct DateList: Sendable {
    /// What stands in each control.
    private(set) var typed: [String]
    private(set) var days: [Day] = []
    /// What is wrong with one of them.
    private(set) var problem: Words?
    /// Whether they were filled in by the rhythm just now.
    private(set) var isFilled = false

    /// Each control and its number, from 1.
    var controls: [(number: Int, typed: String)] { typed.enumerated().map { ($0.offset + 1, $0.element) } }

    /// The most dates one form takes.
    static let limit = 52
    /// So many are filled in where nobody said how many.
    static let usual = 4
    /// Controls that stay free for more.
    private static let spare = 4

    /// Empty controls.
    init(after event: Event) {
        typed = Array(repeating: "", count: Self.spare)
    }

    /// Reads what was sent; without any date those that the rhythm proposes are filled in.
    ///
    /// - Parameter home: The country by whose ways they are read, where the event is in none.
    init(_ sent: [String], after event: Event, _ form: CopyForm, today: Day, home: String = "") {
        let country = event.address.country.isEmpty ? home : event.address.country
        var texts = form.isOfOthers ? [] : sent.filter { !$0.isEmpty }
        if texts.isEmpty, let rhythm = form.rhythm {
            texts = rhythm.days(after: event.day, count: form.count ?? Self.usual, today: today).map(\.iso)
            isFilled = true
        }
        typed = Array(texts.prefix(Self.limit)) + Array(repeating: "", count: Self.spare)
        if texts.isEmpty { problem = "Choose at least one date, or how often it takes place." }
        if texts.count > Self.limit {
            problem = "At most \(Self.limit, as: "limit") dates at once, please."
        }
        for text in texts.prefix(Self.limit) {
            guard let day = Day(typed: text, in: country) else {
                problem = "Write each date with its year, like 2027-03-27 or 27 Mar 2027."
                continue
            }
            if day <= today { problem = "Choose dates that are still to come." }
            if day > today.advanced(by: 3 * 366) { problem = "Choose dates within the next three years." }
            days.append(day)
        }
    }
}
