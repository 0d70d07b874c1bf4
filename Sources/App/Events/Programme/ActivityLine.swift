import Forms
import Templating

/// An activity that somebody of a family is in, as their week shows it.
struct ActivityLine: Sendable {
    var activity: Activity
    /// Empty for the parent in person, nil for a child that was removed.
    var names: [String?]
    let event: ID<Event>
    /// What the event is called.
    let title: String
    let address: Address
    let motif: Motif
    let isEventCancelled: Bool
    /// Whether a child is registered for it, and no program that can be switched off has it.
    let isSession: Bool
    let coordinate: Coordinate?
    /// The time zone of the place.
    let zone: String

    /// A session that lasts several days, day by day.
    var eachDay: [ActivityLine] {
        guard isSession else { return [self] }
        return activity.content.schedule.eachDay(in: Zone(stored: zone)).map { schedule in
            var line = self
            line.activity.content.schedule = schedule
            return line
        }
    }

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
