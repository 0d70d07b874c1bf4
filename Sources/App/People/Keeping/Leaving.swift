/// The effects of deleting an account, shown beforehand.
struct Leaving: Sendable {
    /// Events for which their children are registered or waiting: the places are given back.
    let places: [Place]
    /// Whether the children stay with another parent.
    let handsOver: Bool
    /// How many upcoming events are canceled, and how many families are notified.
    let events: Int
    let families: Int
    /// How many colleagues their organization has, which closes with the account.
    let colleagues: Int
    /// Whether nobody would be left to run the site.
    let isLastAdmin: Bool

    /// An event with places to give back.
    struct Place: Sendable {
        let title: String
        let schedule: Schedule
    }

    /// The reason for canceled events, shown to families.
    static let reason = "The host has left this site."
}
