import Forms
import Templating

/// What somebody is in the middle of, first on their Today: what begins within the hour, is on, or ended less than an
/// hour ago; with whom to call, who is here, and which children are still to be picked up.
struct Around: Sendable {
    /// Places of the family.
    let parties: [Party]
    /// What else has a time: activities, shifts, meetings.
    let others: [WeekItem]
    /// What they offer themselves.
    let events: [HostedEvent]
    let shifts: [HostedShift]
    /// The meetings of their pets from two weeks ago, which may be asked about, to a week ahead or the end of these
    /// days.
    let meetings: [MeetingLine]
    /// Whether they host anything together with others.
    let isCohost: Bool

    /// How long before it begins, and after it ended.
    static let margin = Duration.hours(1)

    var isEmpty: Bool { parties.isEmpty && others.isEmpty && events.isEmpty && shifts.isEmpty }

    /// What stands there, in a few words.
    func heading(at now: Instant) -> Words {
        let schedules =
            parties.map(\.line.schedule) + others.map(\.schedule) + events.map(\.event.schedule)
            + shifts.map(\.shift.schedule)
        guard schedules.contains(where: { $0.endsAt <= now }) else { return "Now and within the hour" }
        return schedules.allSatisfy { $0.endsAt <= now } ? "Just over" : "Just over, now and within the hour"
    }

    /// Whether it stands there already, and not further down as well.
    func has(_ line: Registration.Line) -> Bool { parties.contains { $0.line.id == line.id } }
    func has(_ event: EventCard) -> Bool { events.contains { $0.event.id == event.id } }
    func has(_ signup: Signup) -> Bool {
        others.contains { if case .shift(let other) = $0 { other.id == signup.id } else { false } }
    }
    func has(_ line: MeetingLine) -> Bool {
        others.contains { if case .meeting(let other, _) = $0 { other.meeting.id == line.meeting.id } else { false } }
    }

    /// A family's places, and those of them who are there.
    struct Party: Sendable {
        let line: Registration.Line
        let participants: [Participant]

        /// Nothing is said as long as the host ticks nobody.
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

    /// An event of one's own, and those of the registered who are there.
    struct HostedEvent: Sendable {
        let event: EventCard
        /// Nil where its host sees no names.
        let participants: [Participant]?

        /// How many are there.
        var words: Words {
            guard let participants else { return event.takenPlaces }
            let here = participants.count { $0.presence == .here }
            let gone = participants.count { $0.presence == .gone }
            if gone > 0 {
                return "\(here, as: "here") here, \(gone, as: "gone") gone, of \(participants.count, as: "all")"
            }
            return "\(here, as: "here") of \(participants.count, as: "all") here"
        }

        /// Those whose families may have to be called, and why: those who haven't come though others have, and those
        /// left behind. What lasts for days has people come and go.
        func missing(at now: Instant) -> (heading: Words, participants: [Participant])? {
            guard let participants, event.schedule.endDay == nil else { return nil }
            let isOver = event.isOver(at: now)
            let found = participants.filter { isOver ? $0.presence == .here && $0.isChild : $0.presence == .away }
            guard !found.isEmpty, event.hasStarted(at: now), isOver || found.count < participants.count else {
                return nil
            }
            return (isOver ? "Still to be picked up" : "Not here yet", Array(found.prefix(Self.mostNames)))
        }

        /// More stand on the list.
        static let mostNames = 8
    }

    /// Somebody who has a place, as the person responsible for them now needs it.
    struct Participant: Sendable {
        let event: ID<Event>
        let registration: ID<Registration>
        let name: String
        let isChild: Bool
        let presence: RosterChild.Presence
        /// Empty of somebody the host added.
        let parent: String
        let phone: String?

        var numbers: [PhoneNumber] { phone.map(PhoneNumber.all) ?? [] }
        /// As the family reads it.
        var label: Words { Registration.Person.label(!isChild ? "" : name.nonEmpty) }
        /// As the host reads it, with who is to be called; nobody else is of those the host added.
        var words: Words {
            if parent.isEmpty { return Words(verbatim: name) }
            return !isChild || name.isEmpty ? Words(verbatim: parent) : "\(name, as: "child") (\(parent, as: "parent"))"
        }
    }
}

extension Schedule {
    /// Whether it begins within the hour, is on, or ended less than an hour ago.
    func isAround(at now: Instant) -> Bool {
        startsAt <= now + Around.margin && now < endsAt + Around.margin
    }
}
