import Forms
import Templating

/// A family's activity in its week.
struct ActivityLine: Sendable {
    var activity: Activity
    /// Empty for the parent in person, nil for a deleted child.
    var names: [String?]
    let event: ID<Event>
    /// The event's title.
    let title: String
    let address: Address
    let motif: Motif
    let isEventCancelled: Bool
    /// Whether it is a session for which a child is registered, rather than part of a program that can be switched off.
    let isSession: Bool
    let coordinate: Coordinate?
    /// The place's time zone.
    let zone: String

    /// A session of several days, divided by day.
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
    /// The participants' names on one line.
    var who: Words { names.map(Family.label).listed(.short) }

    /// The place at the event, and the event's place.
    var place: Words {
        if !activity.place.isEmpty { return "\(activity.place, as: "place"), \(title, as: "event")" }
        return address.city.isEmpty ? "Online" : address.words
    }
}
