import Forms
import Templating

/// A shift of one's own opportunity.
struct HostedShift: Sendable {
    let opportunity: ID<Opportunity>
    let title: String
    let shift: Shift

    var words: Words {
        Words(
            "\(shift.taken, as: "taken") of {count} place taken",
            plural: "\(shift.taken, as: "taken") of {count} places taken", count: shift.spots)
    }
    var link: Link { .opportunity(opportunity) / "signups" }

    /// The most gaps shown.
    static let mostGaps = 5
}
