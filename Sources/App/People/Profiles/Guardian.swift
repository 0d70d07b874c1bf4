import Forms
import Templating

/// Two parents who look after the same children. The children and their registrations belong to the family of the
/// parent who entered them, the head; the second parent acts for that family from a separate account.
struct Guardian: Sendable {
    /// The other parent's name.
    let name: String
    let since: Instant
    /// Whether the family is the reader's own.
    let isHead: Bool

    /// How long an invitation to the other parent is valid.
    static let invitation = Duration.days(7)

    /// An invitation that can be accepted.
    struct Invitation: Sendable {
        let head: ID<Account>
        /// The inviting parent's name.
        let name: String
    }

    /// The reasons why an invitation can't be accepted.
    enum Obstacle: Error {
        /// It is one's own.
        case own
        /// The member has children on their own list, or shares them with somebody.
        case hasChildren
        /// Two parents look after the children already, or they are somebody else's.
        case complete

        var words: Words {
            switch self {
            case .own: "This is your own invitation. Give its link to the other parent."
            case .hasChildren:
                """
                Children stand on your own list already, or you share them with somebody. Invite the other parent \
                yourself, or empty your list first.
                """
            case .complete: "Two look after these children already."
            }
        }
    }
}

/// `/me/guardian`: the other parent, or a form to invite them.
struct GuardianPage: Sendable {
    let other: Guardian?
    let zone: Zone
    /// Until when the invitation is valid.
    let openUntil: Day?
    /// The link that was just made.
    var link: String?

    func day(_ instant: Instant) -> Words { zone.day(of: instant).fullName }
}
