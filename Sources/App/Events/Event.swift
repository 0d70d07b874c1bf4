import Forms
import Templating

/// A kids' event of a provider.
struct Event: EventFacts {
    var id: ID<Event>
    var provider: Host
    var title: String
    /// Plain text.
    var description: String
    /// The day and times a clock at the venue shows.
    var day: Day
    var start: TimeOfDay
    var end: TimeOfDay?
    var zone: String
    var startsAt: Instant
    /// When it is over: see `EventTimes`.
    var endsAt: Instant
    var address: Address
    var spots: Int
    var taken: Int
    var covidSafe: Bool
    var ageFrom: Int?
    var ageTo: Int?
    var price: Money?
    var tags: [String]
    var cancelledAt: Instant?
    /// Whether only its provider and staff see it.
    var isHidden: Bool
    /// Whether staff hid it: then it has no more dates. It may be hidden since its provider is suspended, too.
    var isHiddenByStaff = false
    /// Why it was cancelled.
    var cancelReason = ""
    /// Pay what you can: the price is a proposal.
    var isPriceOpen = false
    /// Where it happens on the web; only those who registered see it.
    var onlineURL = ""
    /// What to bring.
    var bring = ""
    /// What to know about health and safety.
    var safety = ""
    var amenities: [Amenity] = []
    /// Whether one may still register while it is on.
    var takesLate = false
    var picture: Picture?
    /// Where the map shows it.
    var coordinate: Coordinate?
    /// The first event of the series it belongs to.
    var series: ID<Event>?
    /// Rises with each change that calendars should know of.
    var sequence = 0
    var createdAt = Instant(milliseconds: 0)
    var updatedAt = Instant(milliseconds: 0)

    /// Who offers it.
    struct Host: Sendable {
        let id: ID<Provider>
        let username: String
        let organization: String
        let person: String
        var portrait: Portrait?
    }
}

/// What a list shows of an event.
struct EventCard: EventFacts {
    let id: ID<Event>
    let organization: String
    let title: String
    /// The beginning of the description.
    let synopsis: String
    let day: Day
    let start: TimeOfDay
    let end: TimeOfDay?
    let startsAt: Instant
    let endsAt: Instant
    let street: String
    let city: String
    let spots: Int
    let taken: Int
    let covidSafe: Bool
    let ageFrom: Int?
    let ageTo: Int?
    let price: Money?
    let motif: Poster
    let cancelledAt: Instant?
    let isHidden: Bool
    var isPriceOpen = false
    var isOnline = false
    var takesLate = false
    var picture: Picture?
    /// Where it is on the map.
    var placeID: ID<Place>?
    var createdAt = Instant(milliseconds: 0)
    /// The provider's.
    var portrait: Portrait?
    /// How far it is, where somebody asked for what is near.
    var distance: Distance?
    /// The children of the family that looks who could come, by name.
    var couldCome: [String] = []
    /// Why staff hid it, where its provider looks.
    var hiddenReason: String?
    /// Whether its list isn't in the order of time, so that the card has to say the day.
    var saysDay = false

    /// When it is, as its list says it: the day too where the list isn't one of days.
    var moment: Words { saysDay ? "\(day.shortName, as: "day"), \(time, as: "time")" : time }

    /// The place in a list: `180 Park Ave, San Jose`.
    var place: Words {
        city.isEmpty ? "Online" : Words(verbatim: street.isEmpty ? city : "\(street), \(city)")
    }
}

/// What a whole event and its card in a list have in common, and how they say it.
protocol EventFacts: Sendable {
    var id: ID<Event> { get }
    var title: String { get }
    var start: TimeOfDay { get }
    var end: TimeOfDay? { get }
    var startsAt: Instant { get }
    var endsAt: Instant { get }
    var spots: Int { get }
    var taken: Int { get }
    var covidSafe: Bool { get }
    var ageFrom: Int? { get }
    var ageTo: Int? { get }
    var price: Money? { get }
    var isPriceOpen: Bool { get }
    var isOnline: Bool { get }
    var takesLate: Bool { get }
    var cancelledAt: Instant? { get }
    var isHidden: Bool { get }
}

extension EventFacts {
    var placesLeft: Int { max(0, spots - taken) }
    var isFull: Bool { taken >= spots }
    var isCancelled: Bool { cancelledAt != nil }

    /// Whether few places are left: a fifth of them, and at least one.
    var isNearlyFull: Bool { !isFull && placesLeft * 5 <= max(spots, 5) }

    /// Whether the end is on the day after.
    var endsNextDay: Bool { end.map { $0 <= start } ?? false }

    /// Whether a child of these possible ages may come. In the birth month either age is enough.
    func fits(_ ages: ClosedRange<Int>) -> Bool {
        ages.contains { age in (ageFrom.map { age >= $0 } ?? true) && (ageTo.map { age <= $0 } ?? true) }
    }

    func hasStarted(at now: Instant) -> Bool { startsAt <= now }

    /// Whether it has ended; one without an end has so two hours after its start.
    func isOver(at now: Instant) -> Bool { endsAt <= now }

    /// Whether it takes place at this moment.
    func isOnNow(at now: Instant) -> Bool { hasStarted(at: now) && !isOver(at: now) && !isCancelled }

    /// Whether places are taken and given back: until it starts, or until it is over where one may come late.
    func isOpen(at now: Instant) -> Bool {
        !isCancelled && (takesLate ? !isOver(at: now) : !hasStarted(at: now))
    }

    /// Whether it can still be called off.
    func isCancellable(at now: Instant) -> Bool { !isCancelled && !hasStarted(at: now) }

    var link: Link { .event(id) }
}

// MARK: - In words

extension EventFacts {
    /// `10 AM to 12:30 PM`, `19:00`.
    var time: Words { EventTimes.words(from: start, to: end) }

    /// `3 to 9 years`, `from 3 years`, `up to 9 years`; nil for all ages.
    var ages: Words? {
        switch (ageFrom, ageTo) {
        case (nil, nil): nil
        case (let from?, nil): Words("from {count} year", plural: "from {count} years", count: from)
        case (nil, let to?): Words("up to {count} year", plural: "up to {count} years", count: to)
        case (let from?, let to?) where from == to: Words("{count} year", plural: "{count} years", count: from)
        case (let from?, let to?): "\(from, as: "from") to \(to, as: "to") years"
        }
    }

    /// `3 to 9`, as a reason names it.
    var agesInShort: Words { ages ?? "all ages" }

    /// What it costs, as every page says it: `Free`, `$9, paid there`; nil where nobody said.
    var cost: Words? {
        // Nobody pays at a place that is on the web.
        guard let price, !isPriceOpen, !isFree, !isOnline else { return fee }
        return "\(price, as: "price"), paid there"
    }

    /// What it costs, wherever that is paid.
    var fee: Words? { Money.words(price, isOpen: isPriceOpen) }

    /// Whether it costs nothing. The price is 0, and not a proposal: who is asked to pay what they can is asked to pay.
    /// Filters, badges and what search engines are told go by this, see `Event.isFree` for SQL.
    var isFree: Bool { price?.minorUnits == 0 && !isPriceOpen }

    /// How much room there is, as a badge says it.
    var room: Words {
        isFull ? "Full" : Words("{count} place left", plural: "{count} places left", count: placesLeft)
    }
}

extension Event {
    /// Whether one takes part on the web.
    var isOnline: Bool { !onlineURL.isEmpty }

    /// Whether it has a street or a town one can go to.
    var isInPerson: Bool { !address.city.isEmpty }

    /// The line of its address.
    var place: Words { isInPerson ? Words(verbatim: address.line) : "Online" }

    /// The beginning of the description.
    var synopsis: String { Self.synopsis(of: description) }

    /// The beginning of a text: at most 160 bytes, cut between words. A line break in it is a blank to browsers.
    static func synopsis(of text: String) -> String {
        let bytes = text.utf8
        guard let limit = bytes.index(bytes.startIndex, offsetBy: 160, limitedBy: bytes.endIndex) else { return text }
        let end = bytes[..<limit].lastIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") } ?? limit
        return String(text[..<end]) + "…"
    }

    /// Where it is, among all others on the map.
    var mapLink: Link { Link("/events/map").with("event", id) }

    /// Where the maps app of a phone shows the place.
    var geo: Link? {
        coordinate.map { Link(geo: ($0.latitude, $0.longitude), label: address.line) }
    }

    /// Where a map of the visitor's own choice shows the place.
    var directions: Link {
        Link("https://www.openstreetmap.org/search")
            .with("query", "\(address.line), \(Country.name(of: address.country))")
    }
}

extension Event {
    /// Which of a provider's events are listed.
    enum OwnList: String, Sendable, CaseIterable {
        case upcoming, expired, cancelled

        var name: Words {
            switch self {
            case .upcoming: "Coming up"
            case .expired: "Over"
            case .cancelled: "Canceled"
            }
        }
    }
}

extension Link {
    static func event(_ id: ID<Event>) -> Link { Link("/events") / id }
}

/// The events of one day in a list, or a list in another order.
struct EventDay: Sendable {
    /// The day, or what else the events have in common: stays the same on the next page of a list.
    let key: String
    /// `Today`, `Tomorrow`, or the day's name.
    let heading: Words
    let events: [EventCard]

    /// A list in another order than that of time.
    static func list(_ events: some Collection<EventCard>, by sort: EventFilter.Sort) -> [EventDay] {
        let events = events.map { event in
            var event = event
            event.saysDay = true
            return event
        }
        return events.isEmpty ? [] : [EventDay(key: sort.rawValue, heading: sort.name, events: events)]
    }

    /// Groups a list that is in the order of time.
    static func grouped(_ events: some Collection<EventCard>, today: Day) -> [EventDay] {
        var days: [EventDay] = []
        var rest = events[...]
        while let day = rest.first?.day {
            let same = rest.prefix { $0.day == day }
            days.append(
                EventDay(key: day.iso, heading: heading(day, today), events: Array(same)))
            rest = rest[same.endIndex...]
        }
        return days
    }

    static func heading(_ day: Day, _ today: Day) -> Words {
        switch day.number - today.number {
        case 0: "Today, \(day.name, as: "day")"
        case 1: "Tomorrow, \(day.name, as: "day")"
        default: day.year == today.year ? day.name : day.fullName
        }
    }
}

/// Orders events by their start, ties by id, in one number: the row id of the full-text index.
///
/// 27 bits of minutes since 1970 reach to the year 2225; 36 bits of id to 68,719,476,735.
struct SearchKey: Sendable {
    let rawValue: Int64

    init(_ startsAt: Instant, _ id: ID<Event>) {
        rawValue = ((startsAt.milliseconds / 60_000) << 36) | (id.rawValue & ((1 << 36) - 1))
    }

    /// Below every event that starts at `instant` or later.
    init(before instant: Instant) { rawValue = ((instant.milliseconds + 59_999) / 60_000) << 36 }
}
