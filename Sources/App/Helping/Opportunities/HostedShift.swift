import Forms
import Templating

/// A shift of one's own opportunity.
struct HostedShift: Sendable {
    let opportunity: ID<Opportunity>
    let title: String
    /// Whether its opportunity is closed or hidden.
    let isClosed: Bool
    let shift: Shift

    /// The places left or taken.
    func room(at now: Instant) -> Words { shift.room(at: now, isClosed: isClosed) }
    var link: Link { .opportunity(opportunity) / "signups" }

    /// The most gaps shown.
    static let mostGaps = 5
}
