import Forms
import Templating

/// A member's current plans, first on Today: what begins within an hour, is taking place, or ended less than an hour
/// ago; with contacts, participants, and children who haven't been picked up.
struct Around: Sendable {
    /// The family's places.
    let parties: [Party]
    /// Other plans with a time: activities, shifts, meetings.
    let others: [WeekItem]
    /// Events they host.
    let events: [HostedEvent]
    let shifts: [HostedShift]
    /// Their pets' meetings, from two weeks ago, because they may be asked about them, to a week ahead or the end of
    /// these days.
    let meetings: [MeetingLine]
    /// The events they co-host.
    let shared: [ID<Event>]
    /// The changes that their family hasn't seen; nil if they weren't read.
    let changes: [Change]?

    var isEmpty: Bool { parties.isEmpty && others.isEmpty && events.isEmpty && shifts.isEmpty }

    /// A heading in a few words.
    func heading(at now: Instant) -> Words {
        let schedules =
            parties.map(\.line.schedule) + others.map(\.schedule) + events.map(\.event.schedule)
            + shifts.map(\.shift.schedule)
        guard schedules.contains(where: { $0.endsAt <= now }) else { return "Now and within the hour" }
        return schedules.allSatisfy { $0.endsAt <= now } ? "Just over" : "Just over, now and within the hour"
    }

    /// Whether it is shown here already, and not to be repeated below.
    func has(_ line: Registration.Line) -> Bool { parties.contains { $0.line.id == line.id } }
    func has(_ event: EventCard) -> Bool { events.contains { $0.event.id == event.id } }
    func has(_ signup: Signup) -> Bool {
        others.contains { if case .shift(let other) = $0 { other.id == signup.id } else { false } }
    }
    func has(_ line: MeetingLine) -> Bool {
        others.contains { if case .meeting(let other, _) = $0 { other.meeting.id == line.meeting.id } else { false } }
    }

    /// A family's places, and which of its people have arrived.
    struct Party: Sendable {
        let line: Registration.Line
        let participants: [Participant]

        /// Nil as long as the host checks nobody in.
        func words(at now: Instant) -> Words? {
            let here = participants.filter { $0.presence == .here }
            if here.isEmpty {
                return participants.contains { $0.presence == .gone } ? "Gone home" : nil
            }
            let names = here.map(\.label).listed(.short)
            return line.isOver(at: now)
                ? "Still to be picked up: \(names, as: "names")" : "Is here: \(names, as: "names")"
        }
    }

    /// One's own event, and which of the participants have arrived.
    struct HostedEvent: Sendable {
        let event: EventCard
        /// Nil if the host sees no names.
        let participants: [Participant]?

        /// The number of people there.
        var words: Words {
            guard let participants else { return event.takenPlaces }
            let here = participants.count { $0.presence == .here }
            let gone = participants.count { $0.presence == .gone }
            if gone > 0 {
                return "\(here, as: "here") here, \(gone, as: "gone") gone, of \(participants.count, as: "all")"
            }
            return "\(here, as: "here") of \(participants.count, as: "all") here"
        }

        /// The participants whose families may have to be called, and why: those who haven't come although others have,
        /// and those not picked up. Not for events of several days, where people come and go.
        func missing(at now: Instant) -> (heading: Words, participants: [Participant])? {
            guard let participants, event.schedule.endDay == nil else { return nil }
            let isOver = event.isOver(at: now)
            let found = participants.filter { isOver ? $0.presence == .here && $0.isChild : $0.presence == .away }
            guard !found.isEmpty, event.hasStarted(at: now), isOver || found.count < participants.count else {
                return nil
            }
            return (isOver ? "Still to be picked up" : "Not here yet", Array(found.prefix(Self.mostNames)))
        }

        /// The list has the others.
        static let mostNames = 8
    }

    /// A participant, with the data that the responsible person needs.
    struct Participant: Sendable {
        let event: ID<Event>
        let registration: ID<Registration>
        let name: String
        let isChild: Bool
        let presence: RosterChild.Presence
        /// Empty for a guest added by the host.
        let parent: String
        let phone: String?

        var numbers: [PhoneNumber] { phone.map(PhoneNumber.all) ?? [] }
        /// For the family.
        var label: Words { Family.label(!isChild ? "" : name.nonEmpty) }
        /// For the host, with the contact; guests have none.
        var words: Words {
            if parent.isEmpty { return Words(verbatim: name) }
            return !isChild || name.isEmpty ? Words(verbatim: parent) : "\(name, as: "child") (\(parent, as: "parent"))"
        }
    }
}
