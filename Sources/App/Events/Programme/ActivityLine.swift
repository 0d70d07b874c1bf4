import Forms
import Templating

/// An activity that somebody of a family is in, as their week shows it.
struct ActivityLine: Sendable {
    let activity: Activity
    /// Empty for the parent in person, nil for a child that was removed.
    var names: [String?]
    let event: ID<Event>
    /// What the event is called.
    let title: String
    let address: Address
    let motif: Motif
    let isEventCancelled: Bool
    let coordinate: Coordinate?

    var isCancelled: Bool { activity.isCancelled || isEventCancelled }
    var link: Link { .activity(activity.id, of: event) }
    /// The names of those who are in, in one line.
    var who: Words { names.map(Registration.Person.label).listed(.short) }

    /// Where: at the event, and where that is.
    var place: Words {
        activity.place.isEmpty
            ? address.words : "\(activity.place, as: "place"), \(title, as: "event")"
    }
}
