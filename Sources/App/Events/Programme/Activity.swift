import Forms
import Templating

/// One thing that happens at an event: with a time and a place of its own, and joined on its own.
@dynamicMemberLookup
struct Activity: Sendable {
    /// 0 for one that is stored nowhere yet.
    var id: ID<Activity>
    var content: Content
    /// How many people are in.
    var taken = 0
    var cancelledAt: Instant?

    /// What its host says of it.
    struct Content: Sendable, Equatable {
        var name: String
        /// What people do there; may be empty.
        var info = ""
        /// Where at the event: `Craft tent`; empty for the event's own place.
        var place = ""
        /// Where the map shows it; nil for where the event is.
        var coordinate: Coordinate?
        var schedule: Schedule
        /// How many can come; nil for as many as like.
        var spots: Int?
        var ageFrom: Int?
        var ageTo: Int?
    }

    subscript<Value>(dynamicMember part: KeyPath<Content, Value>) -> Value { content[keyPath: part] }

    /// How many activities an event has at most.
    static let most = 200

    var day: Day { content.schedule.day }
    var startsAt: Instant { content.schedule.startsAt }
    var endsAt: Instant { content.schedule.endsAt }
    var placesLeft: Int? { content.spots.map { max(0, $0 - taken) } }
    var isFull: Bool { placesLeft == 0 }
    var isCancelled: Bool { cancelledAt != nil }

    func isOver(at now: Instant) -> Bool { endsAt <= now }

    func hasStarted(at now: Instant) -> Bool { startsAt <= now }

    /// Whether somebody who stands there can go now: it begins within the hour or is on, and there is room.
    func isFreeNow(at now: Instant) -> Bool {
        isOpen(at: now) && !isFull && startsAt <= now + .hours(1)
    }
}

extension Activity: Joinable {
    /// What is for children up to some age isn't for those who bring them.
    var takesAdults: Bool { content.ageTo.map { $0 >= 18 } ?? true }

    func fits(_ ages: ClosedRange<Int>) -> Bool {
        ages.contains { age in (content.ageFrom.map { age >= $0 } ?? true) && (content.ageTo.map { age <= $0 } ?? true)
        }
    }

    func isOpen(at now: Instant) -> Bool { !isCancelled && !isOver(at: now) }
}

// MARK: - In words

extension Activity {
    var time: Words { content.schedule.time }
    var when: Words { content.schedule.when }

    /// `to 3:30 PM`; nil without an end.
    var until: Words? {
        guard let end = content.schedule.end else { return nil }
        if let last = content.schedule.endDay { return "to \(last.shortName, as: "day"), \(end, as: "end")" }
        return "to \(end, as: "end")"
    }

    /// The people who may come.
    var ages: Words { Admission.words(ageFrom: content.ageFrom, to: content.ageTo) ?? "All ages" }

    /// How much room there is.
    var room: Words {
        switch placesLeft {
        case nil: "no limit"
        case 0?: Words("full")
        case let left?: Words("{count} place left", plural: "{count} places left", count: left)
        }
    }

    /// How many are in, as everybody may know.
    var crowd: Words {
        taken == 0 ? "nobody yet" : Words("{count} person is in", plural: "{count} people are in", count: taken)
    }

    /// How many wait for a place, in words.
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
    /// Its place on the map; nil where the event is.
    func pin(at event: Event) -> MapDrawing.Place? {
        content.coordinate.map {
            MapDrawing.Place(
                coordinate: $0, name: Words(verbatim: content.place.isEmpty ? content.name : content.place),
                link: directions(at: event)?.web)
        }
    }

    /// The way there: to its own pin, else to the event.
    func directions(at event: Event) -> Directions? {
        content.coordinate.map { Directions(toPin: $0) } ?? event.directions
    }
}
