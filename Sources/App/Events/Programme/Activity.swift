import Forms
import Templating

/// An activity at an event, with its own time, place and participants.
@dynamicMemberLookup
struct Activity: Sendable {
    /// 0 if it isn't stored yet.
    var id: ID<Activity>
    var content: Content
    /// The number of participants.
    var taken = 0
    var cancelledAt: Instant?

    /// The host's data.
    struct Content: Sendable, Equatable {
        var name: String
        /// A description; possibly empty.
        var info = ""
        /// The place at the event: `Craft tent`; empty for the event's own place.
        var place = ""
        /// Its position on the map; nil for the event's.
        var coordinate: Coordinate?
        var schedule: Schedule
        /// The number of places; nil for no limit.
        var spots: Int?
        var ageFrom: Int?
        var ageTo: Int?
    }

    /// An activity that somebody takes part in.
    struct Held: Sendable {
        let name: String
        /// From its start, or from the later one to which the family agreed.
        let time: (start: Instant, end: Instant)
    }

    subscript<Value>(dynamicMember part: KeyPath<Content, Value>) -> Value { content[keyPath: part] }

    /// The most activities of an event.
    static let most = 200
    /// The most days of a session: each is a line of its own in weeks and calendars.
    static let mostDays = 31

    var day: Day { content.schedule.day }
    var startsAt: Instant { content.schedule.startsAt }
    var endsAt: Instant { content.schedule.endsAt }
    var placesLeft: Int? { content.spots.map { max(0, $0 - taken) } }
    var isFull: Bool { placesLeft == 0 }
    var isCancelled: Bool { cancelledAt != nil }

    func isOver(at now: Instant) -> Bool { endsAt <= now }

    func hasStarted(at now: Instant) -> Bool { startsAt <= now }

    /// Whether one can go there now: it begins within the hour or is taking place, and there is room.
    func isFreeNow(at now: Instant) -> Bool {
        isOpen(at: now) && !isFull && startsAt <= now + .hours(1)
    }
}

extension Activity: Joinable {
    /// Whether adults can take part: activities for children up to some age aren't for those who bring them.
    var takesAdults: Bool { content.ageTo.map { $0 >= 18 } ?? true }

    func fits(_ ages: ClosedRange<Int>) -> Bool {
        ages.contains { age in (content.ageFrom.map { age >= $0 } ?? true) && (content.ageTo.map { age <= $0 } ?? true)
        }
    }

    func isOpen(at now: Instant) -> Bool { !isCancelled && !isOver(at: now) }
}

// MARK: - Texts

extension Activity {
    var time: Words { content.schedule.time }
    var when: Words { content.schedule.when }
    /// For a reader's list: `Sat, Mar 27, 10 AM`.
    func moment(for reader: Zone) -> Words {
        content.schedule.said("\(day.shortName, as: "day"), \(content.schedule.shortTime, as: "time")", for: reader)
    }
    /// The day and the time, for a reader.
    func when(for reader: Zone) -> Words { content.schedule.when(for: reader) }

    /// `to 3:30 PM`; nil without an end.
    var until: Words? {
        guard let end = content.schedule.end else { return nil }
        if let last = content.schedule.endDay { return "to \(last.shortName, as: "day"), \(end, as: "end")" }
        return "to \(end, as: "end")"
    }

    /// The ages that may come: those of its event hold for it, too.
    func ages(at event: some EventFacts) -> Words {
        let from = content.ageFrom.map { max($0, event.ageFrom ?? 0) } ?? event.ageFrom
        let to = content.ageTo.map { min($0, event.ageTo ?? $0) } ?? event.ageTo
        return Admission.words(ageFrom: from, to: to) ?? "All ages"
    }

    /// The remaining room, while somebody can take it: not of what is over or called off, and of a session only
    /// while the number of places left at its event may be told.
    func room(at event: some EventFacts, now: Instant) -> Words? {
        isOpen(at: now) && !event.isCancelled && (!event.hasSessions || event.tellsRoom(at: now)) ? room : nil
    }

    /// The remaining room, if it may be told: see `room(at:now:)`.
    var room: Words {
        switch placesLeft {
        case nil: "no limit"
        case 0?: Words("full")
        case let left?: Words("{count} place left", plural: "{count} places left", count: left)
        }
    }

    /// The number of participants, for everyone.
    var crowd: Words {
        taken == 0 ? "nobody yet" : Words("{count} person is in", plural: "{count} people are in", count: taken)
    }

    /// The number of people waiting.
    static func queue(_ count: Int) -> Words { Words("{count} waits", plural: "{count} wait", count: count) }

    /// The same at the same times of day by the clock of another zone.
    func moved(to zone: Zone) -> Activity {
        var activity = self
        activity.content.schedule = content.schedule.moved(by: 0, in: zone)
        return activity
    }

    /// The part of the event's page where it stands.
    var anchor: String { "activity-\(id)" }
}

extension Activity {
    /// Its pin on the map; nil if it is at the event's own place.
    func pin(at event: Event) -> MapDrawing.Place? {
        content.coordinate.map {
            MapDrawing.Place(
                coordinate: $0, name: Words(verbatim: content.place.isEmpty ? content.name : content.place),
                link: directions(at: event)?.web)
        }
    }

    /// Directions to its own pin, otherwise to the event.
    func directions(at event: Event) -> Directions? {
        content.coordinate.map { Directions(toPin: $0) } ?? event.directions
    }
}
