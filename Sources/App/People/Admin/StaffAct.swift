import Forms

/// Something staff did, with its reason: a line of the log that all staff can read.
struct StaffAct: Sendable {
    let at: Instant
    /// The user name; nil of what was done on the command line.
    let by: String?
    let verb: Verb
    /// What it was done to: a user name or an event's title.
    let subject: String
    let subjectID: Int64?
    let reason: String

    var actor: Words { by.map(Words.init(verbatim:)) ?? "the command line" }

    /// What was done, and to what.
    var what: Words {
        let parts = subject.split(separator: " ", maxSplits: 2).map(String.init)
        guard verb == .grantPlan, parts.count == 3, let plan = Plan(rawValue: parts[0].lowercased()) else {
            return subject.isEmpty ? verb.words : "\(verb.words, as: "what") \(subject, as: "subject")"
        }
        return "granted \(plan.name, as: "plan") to \(parts[2], as: "organization")"
    }

    /// How a granted plan stands in the log.
    static func subject(granting plan: Plan, to organization: String) -> String {
        "\(plan.rawValue) to \(organization)"
    }

    enum Verb: String, Sendable {
        case resetLink = "reset_link"
        case suspend, restore, hide, show
        case hideQuestion = "hide_question"
        case showQuestion = "show_question"
        case hidePost = "hide_post"
        case showPost = "show_post"
        case grantPlan = "grant_plan"
        case askForPrices = "ask_for_prices"
        case forgoPrices = "forgo_prices"
        case changeSettings = "change_settings"
        case takeOffTwoStep = "take_off_two_step"

        /// Those whose subject is an account.
        static let onAccounts: [Verb] = [.resetLink, .suspend, .restore, .takeOffTwoStep]

        var words: Words {
            switch self {
            case .resetLink: "made a reset link for"
            case .suspend: Words("suspended")
            case .restore: Words("restored")
            case .hide: "hid the event"
            case .show: "showed the event again"
            case .hideQuestion: "hid a question about"
            case .showQuestion: "showed a question again about"
            case .hidePost: "took away a post"
            case .showPost: "showed a post again"
            case .grantPlan: Words("granted")
            case .askForPrices: "asked for a price on every event"
            case .forgoPrices: "let prices be left out"
            case .takeOffTwoStep: "took two-step log-in off"
            case .changeSettings: "changed the settings of the site"
            }
        }
    }
}
