import Forms
import Templating

/// Two parents who look after the same children. The children and their registrations are the family's whose parent
/// entered them, its head; the second parent acts for that family, from an account of their own.
struct Guardian: Sendable {
    /// What the other parent is called.
    let name: String
    let since: Instant
    /// Whether the family is the reader's.
    let isHead: Bool

    /// How long a link is good for with which one parent invites the other.
    static let invitation = Duration.days(7)

    /// An invitation that can be taken up.
    struct Invitation: Sendable {
        let head: ID<Account>
        /// What the parent who invites is called.
        let name: String
    }

    /// Why nobody can come in: what is wrong with who would, or with the family.
    enum Obstacle: Error {
        /// It is one's own invitation.
        case own
        /// Children stand on one's own list already, or one shares them with somebody.
        case hasChildren
        /// Two look after them already, or they are somebody else's.
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

/// `/me/guardian`: who looks after the children with me, or a form to invite them.
struct GuardianPage: Sendable {
    let other: Guardian?
    let zone: Zone
    /// Until when an invitation can be taken up.
    let openUntil: Day?
    /// The link of one that was made just now.
    var link: String?

    func day(_ instant: Instant) -> Words { zone.day(of: instant).fullName }
}
