import Templating

/// A person who comes to a community event whose host has no list of names, and lets the host see theirs.
struct Comer: Sendable {
    let id: ID<Registration.Person>
    /// A parent's first name, otherwise the display name; never a last name.
    let name: String

    /// People per page.
    static let pageSize = 50
    /// How long after the event its host can see it.
    static let kept = Duration.days(30)

    /// A member's choice about it.
    struct Choice: Sendable {
        /// The name that the host would see.
        let name: String
        /// Whether it is their first name, rather than the display name.
        let isFirstName: Bool
        /// Whether the host sees it now.
        let isShown: Bool
        /// Whether it was checked in a form that is shown again.
        var isChecked = false
    }
}

/// `/events/{id}/registrations` if the host has no list of names: the number of participants, and the names of those
/// who let the host know.
struct ComersPage: Sendable {
    let event: Event
    let comers: [Comer]
    let more: Link?
    /// Whether the names have been erased.
    let isPast: Bool
    /// Whether the event is over.
    let isOver: Bool
}
