import Forms
import Templating

/// A member's promise to bring a number of a wanted thing.
struct Promise: Sendable {
    let id: ID<Promise>
    let opportunity: ID<Opportunity>
    let title: String
    let host: ID<Account>
    let hostName: String
    let thing: ID<Thing>
    let thingName: String
    let account: ID<Account>
    let count: Int
    let state: State
    let endsAt: Instant
    /// Whether its giver says that it was brought, and the organization hasn’t confirmed it yet.
    var waits = false

    enum State: String, Sendable {
        case open, given, cancelled, lapsed
    }

    /// Promises per page.
    static let pageSize = 20
    /// How long it is valid without an update.
    static let lifetime = Duration.days(14)

    var link: Link { Link.promise(id) }
    /// The page of the opportunity.
    var page: Link { .opportunity(opportunity) }
    /// The organization's list with it.
    var roster: Link { .opportunity(opportunity) / "signups" }
    /// `2 × Rain jackets`.
    var words: Words { "\(count, as: "count") × \(thingName, as: "thing")" }

    enum Refused: Error {
        case closed, own
        case tooMany(left: Int)

        var words: Words {
            switch self {
            case .closed: "This isn’t open anymore."
            case .own: "It is your own organization’s: others bring things."
            case .tooMany(left: 0): "All of these were promised a moment ago. Thank you!"
            case .tooMany(let left):
                Words("Only {count} is still wanted.", plural: "Only {count} are still wanted.", count: left)
            }
        }
    }
}

/// The form for a promise.
struct PromiseForm: Form {
    var thing: ID<Thing>?
    var count = 1

    static let fields: [Field<PromiseForm>] = [
        .hidden("thing", \.thing), .number("count", \.count, "How many", 1...10_000),
    ]
}
