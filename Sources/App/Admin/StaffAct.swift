import Forms

/// Something staff did, with its reason: a line of the log that all staff can read.
struct StaffAct: Sendable {
    let at: Instant
    let by: String
    let verb: Verb
    /// What it was done to: a user name or an event's title.
    let subject: String
    let subjectID: Int64?
    let reason: String

    enum Verb: String, Sendable {
        case resetLink = "reset_link"
        case suspend, restore, hide, show
        case grantPlan = "grant_plan"
        case askForPrices = "ask_for_prices"
        case forgoPrices = "forgo_prices"
        case changeSettings = "change_settings"

        var words: Words {
            switch self {
            case .resetLink: "made a reset link for"
            case .suspend: "suspended"
            case .restore: "restored"
            case .hide: "hid the event"
            case .show: "showed the event again"
            case .grantPlan: "granted"
            case .askForPrices: "asked for a price on every event"
            case .forgoPrices: "let prices be left out"
            case .changeSettings: "changed the settings of the site"
            }
        }
    }
}
