import Forms
import Templating

/// `/offers/{token}`: a place that became free, and the answer.
struct OfferPage: Sendable {
    let event: Event
    let registration: ID<Registration>
    let state: State
    let token: String
    /// Whether others have by now what was declined.
    let isGone: Bool

    enum State: Sendable {
        case open(Offer)
        /// There are fewer places than children: only who is logged in sees whom there is to choose.
        case choosing(Offer)
        case taken
        /// It was declined a moment ago, and can be taken back.
        case declined
        /// Somebody else was faster, near the event, and the party waits on.
        case waiting
        /// The time was over, or it was declined, and the next family has it.
        case passedOn
        /// Nobody can come anymore: the event was canceled, or is too near.
        case closed
    }

    var action: Link { .offers / token }
}

/// `/give-back/{token}`: all places of a family at an event, and whether it really can't come.
struct GiveBackPage: Sendable {
    let event: Event
    let registration: ID<Registration>
    let places: Int
    /// Whether places are still given back.
    let isOpen: Bool
}
