import Templating

/// Somebody who comes to a community event whose host has no list of names, and lets the host read theirs.
struct Comer: Sendable {
    let id: ID<Registration.Person>
    /// The first name of a parent, else what they are called here; never a last name.
    let name: String

    /// How many fit on one page.
    static let pageSize = 50
    /// How long after the end of the event its host reads it.
    static let kept = Duration.days(30)

    /// What a member decides about it.
    struct Choice: Sendable {
        /// What the host would read.
        let name: String
        /// Whether that is their first name, and not only what they are called here.
        let isFirstName: Bool
        /// Whether the host reads it now.
        let isShown: Bool
        /// Whether they checked it in a form that comes back.
        var isChecked = false
    }
}

/// `/events/{id}/registrations` where the host has no list of names: how many come, and those who let it know.
struct ComersPage: Sendable {
    let event: Event
    let comers: [Comer]
    let more: Link?
    /// Whether the names are erased by now.
    let isPast: Bool
    /// Whether the event is over.
    let isOver: Bool
}
