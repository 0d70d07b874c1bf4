import Forms

/// The form for more dates of an event, with a rhythm that suggests them.
struct CopyForm: Form {
    var rhythm: Series.Rhythm?
    var count: Int?
    /// How families register for the resulting series.
    var booking: Series.Booking?
    /// The rhythm and number with which the dates were filled in.
    var filled: String?

    /// The currently chosen rhythm and number; nil without a rhythm.
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

/// The reason for canceling an event.
struct CancelForm: Form {
    var reason = ""
    var scope: Series.Scope?

    static let fields: [Field<CancelForm>] = [
        .area("reason", \.reason, "Why?", 3...500)
            .hint("Families read it on the event’s page.").missing("Say why, so that families understand it."),
        .choice("scope", \.scope, "Which dates?", options: Series.Scope.choices).drawn(as: .radios),
    ]
}

/// Typed dates, each in its own control.
struct DateList: Sendable {
    /// The text of each control.
    private(set) var typed: [String]
    private(set) var days: [Day] = []
    /// A problem with one of them.
    private(set) var problem: Words?
    /// Whether they have just been filled in from the rhythm.
    private(set) var isFilled = false

    /// Each control and its number, from 1.
    var controls: [(number: Int, typed: String)] { typed.enumerated().map { ($0.offset + 1, $0.element) } }

    /// The most dates per form.
    static let limit = 52
    /// The default number of dates.
    static let usual = 4
    /// Empty controls for more dates.
    private static let spare = 4

    /// Empty controls.
    init() { typed = Array(repeating: "", count: Self.spare) }

    /// Reads the sent dates; if there are none, fills in those of the rhythm.
    ///
    /// - Parameter home: The country whose date format applies if the event has no place.
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
