extension DemoTown {
    /// An opportunity to help at an organization of the town.
    struct Call: Sendable {
        /// The number of the organization.
        let organization: Int
        let kind: Opportunity.Kind
        let title: String
        let text: String
        let conditions: String
        var tags = "health"
        /// Its shifts: in how many days, from when to when, and for how many people.
        var shifts: [Int] = []
        var start = "11am"
        var end = "2pm"
        var spots = 6
        var hours: Int?
        var isRegular = false
        var ageFrom: Int?
        var withAdult = false
        var asksFirst = false
        var isAtHome = false
        var isWithChildren = false
        var things: [(String, Int)] = []
        var goal: String?
        var amount: String?
        var url: String?
    }

    static let calls = [
        Call(
            organization: 0, kind: .volunteer, title: "Serve lunch at the long tables",
            text: """
                Nine tables, one kitchen that smells of onions. You carry plates, pour coffee, and sit down with \
                everybody who would like company. Most people come back for the company.
                """,
            conditions: "Closed shoes, hair tied back\nNo photos of guests\nStay home with a cough",
            tags: "food, neighbors", shifts: [2, 9, 16, -5], ageFrom: 6, withAdult: true),
        Call(
            organization: 1, kind: .volunteer, title: "Read aloud to four-year-olds",
            text: "Half an hour on the big cushion, three picture books, and as many voices as you can do.",
            conditions: "A short meeting with us first", tags: "books, children", hours: 1, isRegular: true,
            asksFirst: true, isWithChildren: true),
        Call(
            organization: 2, kind: .donate, title: "Forty winter coats before the cold",
            text: "When the night falls below 40 degrees, everybody who comes in cold goes out warm.",
            conditions: "Clean, with zippers that work\nTuesday to Saturday, 10 to 6", tags: "clothes, winter",
            things: [("Adult coats, M to XXL", 22), ("Rain jackets", 8), ("Warm hats", 10)]),
        Call(
            organization: 3, kind: .shadow, title: "A morning beside a community nurse",
            text: "Come along on the rounds from half past eight to noon, and ask everything.",
            conditions: "Flu shot this season", tags: "health, professions", shifts: [6, 13], start: "8:30am",
            end: "12pm", spots: 1, ageFrom: 16, asksFirst: true),
        Call(
            organization: 0, kind: .volunteer, title: "Call a neighbor who lives alone",
            text: "Whenever you have twenty minutes: a call, a chat about the weather, and how the knee is.",
            conditions: "One short training call", tags: "neighbors", hours: 1, ageFrom: 18, isAtHome: true),
        Call(
            organization: 1, kind: .donate, title: "A van that can carry a wheelchair",
            text: "Our old one has done 212,000 miles. The new one has a lift that works in the rain.",
            conditions: "", tags: "health", goal: "12000", amount: "8450", url: "https://southbayrides.example/van"),
    ]
}
