import Forms
import Templating

/// Places of an event that are held for families that need help with the fee, until a day. Such a family says so when
/// it registers, and gets one of them if the others are gone; for everyone else they count as taken. Unused ones are
/// then open to all.
///
/// Only the host sees their number, and the families. Held places look like taken ones: no list, page, feed or letter
/// distinguishes them. They can't be combined with draws, camps and dates that belong together.
struct Hold: Sendable, Equatable {
    /// How many are held, and how many of those families have or were offered.
    let places: Int
    let taken: Int
    /// How many held places are unused; 0 after the day.
    let free: Int
    let until: Instant

    /// How long after an event it is stored which family needed help: as long as answers by default.
    static let kept = Duration.days(Ask.usualDays)
    /// How many days before an event the rest is released, by default.
    static let usual = 7

    func isOn(at now: Instant) -> Bool { places > 0 && until > now }

    /// Why places of an event can't be held; nil if they can.
    static func refusal(at event: Event, isDrawn: Bool, now: Instant) -> Words? {
        if !event.isOpen(at: now) || event.isCancelled { return "Nobody can register for this event anymore." }
        if event.isForEveryone || event.spots == nil { return "Only an event with a number of places can hold some." }
        if event.hasSessions {
            return "Families choose sessions at this event, and each session has its own places. None can be held."
        }
        if event.series != nil, event.booking == .together {
            return "Families register for all dates together here, so no places of one date can be held."
        }
        if isDrawn { return "The places of this event are drawn by lot. Hold some when the draw is over." }
        guard let price = event.price, price.minorUnits > 0 else { return "Only an event with a price can hold some." }
        return nil
    }

    /// A description for the host, and nobody else.
    func words(at now: Instant, in zone: Zone) -> Words {
        let held = Words(
            "{count} place held for help with the fee", plural: "{count} places held for help with the fee",
            count: places)
        let taken = Words("{count} taken", plural: "{count} taken", count: taken)
        return isOn(at: now)
            ? "\(held, as: "held"), \(taken, as: "taken"), until \(lastDay(in: zone).name, as: "day")"
            : "\(held, as: "held"), \(taken, as: "taken"); the rest is open to everybody"
    }

    /// The last day of the hold.
    func lastDay(in zone: Zone) -> Day { zone.day(of: until - .seconds(1)) }

    /// When registration for an event closes.
    static func closing(of event: Event) -> Instant {
        let end = event.takesLate ? event.endsAt : event.startsAt
        return event.admission.window.closesAt.map { min($0, end) } ?? end
    }

    /// When the held places are released: at the end of a day, and at the latest when registration closes.
    ///
    /// - Parameter lastDay: The day chosen by the host.
    static func end(of lastDay: Day?, at event: Event, now: Instant) -> Instant {
        let zone = event.clock
        let closing = closing(of: event)
        let last = lastDay ?? event.day.advanced(by: -usual)
        let end = zone.instant(last.advanced(by: 1), .midnight)
        return lastDay == nil && end <= now ? closing : min(end, closing)
    }
}

/// The number of places to hold, and the last day.
struct HoldForm: Form, Equatable {
    var places: Int?
    var lastDay: Day?

    static let fields: [Field<HoldForm>] = [
        .number("places", \.places, "Places held", 0...10_000).narrow.hint("If empty, none are held."),
        .date("last_day", \.lastDay, "Until the end of this day")
            .hint("If empty: a week before the event, or, where that is over, until registration closes."),
    ]

    /// A form with the stored values; empty if there are none.
    init(_ hold: Hold?, in zone: Zone) {
        guard let hold else { return }
        (places, lastDay) = (hold.places, hold.lastDay(in: zone))
    }

    init() {}

    func check(_ submission: inout Submission<HoldForm>, at event: Event, now: Instant) {
        guard let places, places > 0 else { return }
        if let spots = event.spots, places > spots, submission.accepts(\.places) {
            submission.reject(
                \.places,
                Words("There is only {count} place.", plural: "There are only {count} places.", count: spots))
        }
        if let lastDay, submission.accepts(\.lastDay), lastDay < event.clock.day(of: now) {
            submission.reject(\.lastDay, "Choose a date that is still to come.")
        }
    }
}

/// `/events/{id}/held`: the held places, for the host.
struct HoldPage: Sendable {
    let event: Event
    let hold: Hold?
    /// Why no places can be held.
    let refusal: Words?
    let form: Submission<HoldForm>

    /// The current state; nil if none are held.
    func state(at now: Instant) -> Words? {
        guard let hold, hold.places > 0 else { return nil }
        return hold.words(at: now, in: event.clock)
    }
}
