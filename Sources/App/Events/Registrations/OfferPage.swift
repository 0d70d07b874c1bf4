import Forms
import Templating

/// `/offers/{token}`: an offer of places, and the answer.
struct OfferPage: Sendable {
    let event: Event
    let registration: ID<Registration>
    let state: State
    let token: String
    /// Whether others have got the declined places.
    let isGone: Bool

    enum State: Sendable {
        case open(Offer)
        /// There are fewer places than children: a reader must log in to see the names and choose.
        case choosing(Offer)
        case taken
        /// It was just declined, which can be undone.
        case declined
        /// Close to the event somebody else was faster, and the party keeps waiting.
        case waiting
        /// The offer expired or was declined, and the next family has it.
        case passedOn
        /// Nobody can come anymore: the event was canceled, or is too close.
        case closed
    }

    var action: Link { .offers / token }
}

/// `/give-back/{token}`: a family's places at an event, and a confirmation.
struct GiveBackPage: Sendable {
    let event: Event
    let registration: ID<Registration>
    let places: Int
    /// Whether places can still be given back.
    let isOpen: Bool
}
