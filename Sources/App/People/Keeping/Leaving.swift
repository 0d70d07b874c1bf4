/// What happens when somebody deletes their account, told before they do.
struct Leaving: Sendable {
    /// Events their children are registered for or wait for: the places are given back.
    let places: [Place]
    /// Whether another parent looks after the children, with whom they stay.
    let handsOver: Bool
    /// How many events to come are canceled, and how many families are told so.
    let events: Int
    let families: Int
    /// How many look after their organization with them, which ends with the account.
    let colleagues: Int
    /// Whether nobody would be left to run the site.
    let isLastAdmin: Bool

    /// An event somebody would have come to.
    struct Place: Sendable {
        let title: String
        let schedule: Schedule
    }

    /// Why a host's events are canceled, as families read it.
    static let reason = "The host has left this site."

    /// How an account that left is named: a user name that nobody can choose.
    static func name(of account: ID<Account>) -> String { "\(prefix)\(account)" }

    /// What begins such a name.
    static let prefix = "former-member-"
}
