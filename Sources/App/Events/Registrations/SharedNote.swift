import Forms

extension CareNote {
    /// Whether the event's provider sees the notes: from 48 hours before the start to 24 hours after the end; with
    /// sessions, of the first and of the last one that the child has.
    ///
    /// The start that the parent agreed to counts, or a later one: moving the event or a session earlier doesn't show
    /// them sooner.
    ///
    /// - Parameters:
    ///   - agreed: The start of the event to which the parent agreed.
    ///   - sessions: The sessions that the child has.
    static func isShown(of event: Event, agreed: Instant, _ sessions: [Activity.Held], at now: Instant) -> Bool {
        let times = event.hasSessions ? sessions.map(\.time) : [(start: max(event.startsAt, agreed), end: event.endsAt)]
        guard let start = times.map(\.start).min(), let end = times.map(\.end).max() else { return false }
        return start - ahead <= now && now < end + kept
    }
}

/// A view of an event's list that parents can see.
struct RosterView: Sendable {
    let at: Instant
    let kind: Kind
    /// Whether it included notes about the reader's family.
    let hasNotes: Bool
    /// The viewer's name; nil for a former member.
    let name: String?

    /// What was viewed, and by whom.
    var words: Words {
        let who: Words = name.map { Words(verbatim: $0) } ?? "A former member"
        return switch kind {
        case .notes: "The notes were looked at by \(who, as: "name")"
        case .csv: "The list was downloaded, without notes, by \(who, as: "name")"
        case .print where hasNotes: "The list for the door was opened, with your notes, by \(who, as: "name")"
        case .print: "The list for the door was opened, without notes of yours, by \(who, as: "name")"
        }
    }

    /// Day and time, by the reader's clock.
    func when(at place: Zone, for reader: Zone) -> Words {
        reader.words(at, besides: place, \.fullName)
    }

    enum Kind: String, Sendable {
        case notes, csv, print
    }
}
