import Forms

/// What somebody who looks after a child must know: entered once with the child, shown only where a parent ticked so.
struct CareNote: Sendable, Equatable {
    /// Allergies, medicine, what to do.
    var allergies = ""
    /// The person to call at once.
    var emergencyPhone = ""
    /// Those who may take the child home.
    var collectors = ""

    var isEmpty: Bool { self == CareNote() }

    /// Until this long after the event it is kept with the booking, then it is erased.
    static let kept = Duration.hours(24)

    /// How long before the start it is shown, and how far an event may move until the parent is asked again.
    static let ahead = Duration.hours(48)

    /// Whether the provider of an event sees the notes: from 48 hours before the start to 24 hours after the end.
    ///
    /// The start counts that the parent saw when ticking, or a later one: moving the event earlier shows nothing
    /// sooner.
    static func isShown(of event: Event, agreed: Instant, at now: Instant) -> Bool {
        max(event.startsAt, agreed) - ahead <= now && now < event.endsAt + kept
    }
}

/// Somebody looked at the list of an event, in a way that a parent can read of.
struct RosterView: Sendable {
    let at: Instant
    let kind: Kind
    /// Whether notes were shown of the family that reads it.
    let hasNotes: Bool
    /// What somebody is called who looked; nil of a former member.
    let name: String?

    /// What was looked at, and by whom.
    var words: Words {
        let who: Words = name.map { Words(verbatim: $0) } ?? "A former member"
        return switch kind {
        case .notes: "The notes were looked at by \(who, as: "name")"
        case .csv: "The list was downloaded, without notes, by \(who, as: "name")"
        case .print where hasNotes: "The list for the door was opened, with your notes, by \(who, as: "name")"
        case .print: "The list for the door was opened, without notes of yours, by \(who, as: "name")"
        }
    }

    /// Day and time, as a clock at the venue shows it.
    func when(in zone: String) -> Words {
        Zone(stored: zone).words(at)
    }

    enum Kind: String, Sendable {
        case notes, csv, print
    }
}
