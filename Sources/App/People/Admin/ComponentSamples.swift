import Forms
import FoundationEssentials

/// Sample values for `/help/components`, to show each component in every state.
struct ComponentSamples: Sendable {
    /// For a member without a picture.
    let initials = "AO"
    let events: [EventCard]
    let form: Submission<ComponentForm>
    let wrong: Submission<ComponentForm>

    init(now: Instant, today: Day) {
        func event(_ title: String, _ taken: Int, _ price: Int?, _ tags: [String]) -> EventCard {
            EventCard(
                id: ID(1), host: "King Library", audience: .kids, title: title,
                synopsis: "Bring a hat and something to drink.",
                schedule: Schedule(
                    day: today, start: TimeOfDay(hour: 10, minute: 0)!, end: TimeOfDay(hour: 12, minute: 0),
                    startsAt: now, endsAt: now + .hours(2)),
                placeName: "", street: "180 Park Ave", city: "San Jose",
                admission: Admission(
                    spots: 12, ageFrom: 3, ageTo: 9, price: price.map { Money(minorUnits: $0, currency: "USD") },
                    covidSafe: taken == 0), taken: taken, motif: Motif(about: [title] + tags))
        }
        events =
            [
                event("Room for all", 0, 0, ["outdoors"]), event("Few places left", 10, 850, []),
                event("Full", 12, nil, []),
            ]
            + Motif.allCases.map { event($0.rawValue.capitalized, 3, 0, [$0.rawValue]) }
        form = Submission()
        wrong = Submission(FormBody())
    }
}

/// One field of each kind.
struct ComponentForm: Form {
    var text = ""
    var email = ""
    var password = ""
    var area = ""
    var number = 0
    var choice = ""
    var radios = ""
    var box = false
    var boxes: [String] = []
    var date = Day.distantPast
    var time = TimeOfDay.midnight

    private static let answers = ["kites", "books", "music"].map { Choice($0, Words(verbatim: $0)) }

    static let fields: [Field<ComponentForm>] = [
        .text("text", \.text, "Text", 1...60).hint("A hint says how to write it."),
        .email("email", \.email, "E-mail address"),
        .password("password", \.password, "Password").autocomplete("new-password"),
        .area("area", \.area, "Several lines", 1...400),
        .number("number", \.number, "Number", 1...20).narrow,
        .choice("choice", \.choice, "One of many", options: answers),
        .choice("radios", \.radios, "One of few", options: answers).drawn(as: .radios),
        .checkbox("box", \.box, "A box to check", mustBe: true, "Check the box."),
        .checkboxes("boxes", \.boxes, "Several boxes", options: answers, atLeast: 1),
        .date("date", \.date, "Date"),
        .time("time", \.time, "Time"),
        .file("file", "A file", accept: "image/*", isRequired: true),
    ]
}
