import Forms
import Templating

/// A provider's event for children, or a community event by any member.
@dynamicMemberLookup
struct Event: EventFacts {
    var id: ID<Event>
    var audience = Audience.kids
    var host: Host
    var title: String
    var schedule: Schedule
    var venue: Venue
    var admission: Admission
    var details: EventDetails
    var picture: Picture?
    /// The program, in order; nil if it wasn't loaded and stays unchanged.
    var programme: [Activity]?
    /// The questions at registration; nil if they weren't loaded and stay unchanged.
    var asks: [Ask]?
    /// The number of taken places.
    var taken = 0
    var cancelledAt: Instant?
    /// The reason for canceling it.
    var cancelReason = ""
    /// Whether only its provider and staff can see it.
    var isHidden = false
    /// Whether staff hid it, in which case it can't get more dates. It may also be hidden because its provider is
    /// suspended.
    var isHiddenByStaff = false
    /// The first event of its series.
    var series: ID<Event>?
    /// Rises with each change relevant to calendars.
    var sequence = 0
    var createdAt = Instant(milliseconds: 0)
    var updatedAt = Instant(milliseconds: 0)
    /// Whether it asks questions, or did and answers are kept; if not, nothing is queried.
    var isAsking = false
    /// Whether its places are drawn by lot, until each family has its place.
    var isDrawn = false

    /// `event.address` is the venue's.
    subscript<Value>(dynamicMember part: KeyPath<Venue, Value>) -> Value { venue[keyPath: part] }

    /// `event.tags` are those of its details.
    subscript<Value>(dynamicMember part: KeyPath<EventDetails, Value>) -> Value { details[keyPath: part] }

    /// The title, with the date of a one-day event: others may have the same title.
    var name: Words { Self.name(readersTitle, on: schedule.onlyDay) }

    /// A title, with the date if there is one.
    static func name(_ title: Words, on day: Day?) -> Words {
        day.map { "\(title, as: "title"), \($0.plainName, as: "day")" } ?? title
    }

    var isOnline: Bool { venue.isOnline }
    var isInPerson: Bool { venue.isInPerson }

    /// The audience, which determines who may post it and how people take part.
    enum Audience: String, FormValue, CaseIterable {
        /// For children, registered by their parents; posted by a provider.
        case kids
        /// For everyone; posted by any member, and people join in person.
        case everyone

        var name: Words {
            switch self {
            case .kids: "For children"
            case .everyone: "For everybody"
            }
        }

        static let choices = allCases.map { Choice($0, $0.name) }
    }

    /// Whether both have the same content from their provider, regardless of registrations.
    func hasSameContent(as other: Event) -> Bool {
        audience == other.audience && title == other.title && schedule == other.schedule && venue == other.venue
            && admission == other.admission
            && details == other.details && picture == other.picture
            && programme?.map(\.content) == other.programme?.map(\.content)
            && (asks ?? []).map(\.content) == (other.asks ?? []).map(\.content)
    }

    /// The host: an account, possibly with an organization.
    struct Host: Sendable {
        let id: ID<Account>
        let username: String
        /// The name for families: the organization's, otherwise the account's.
        let name: String
        /// The person who speaks for the organization; nil without one.
        let person: String?
        var portrait: Portrait?
        /// The verification by an admin.
        var verified: Verified?

        var isOrganization: Bool { person != nil }

        /// The organization's public page; nil without one.
        var link: Link? { isOrganization ? .provider(username) : nil }
    }
}

/// An event in a list.
struct EventCard: EventFacts {
    let id: ID<Event>
    /// The host's name.
    let host: String
    let audience: Event.Audience
    let title: String
    /// The beginning of the description.
    let synopsis: String
    let schedule: Schedule
    let placeName: String
    let street: String
    let city: String
    var country = ""
    let admission: Admission
    let taken: Int
    let motif: Motif
    var cancelledAt: Instant?
    var isHidden = false
    var isOnline = false
    var picture: Picture?
    /// Its point on the map.
    var pointID: ID<Point>?
    var createdAt = Instant(milliseconds: 0)
    /// The provider's picture.
    var portrait: Portrait?
    /// The distance, if a place was searched for.
    var distance: Distance?
    /// The names of the reader's children who could come.
    var couldCome: [String] = []
    /// The reason why staff hid it, for its provider.
    var hiddenReason: Words?
    /// Whether the reader co-hosts it, rather than being its host.
    var isTogether = false

    /// Its place and distance.
    var nearby: Point.Nearby? {
        guard let pointID, let distance else { return nil }
        return Point.Nearby(id: pointID, kilometres: distance.kilometres)
    }
    /// Whether its list isn't in order of time, so that the card must show the day.
    var saysDay = false
    /// The language of title and synopsis, and both in another language.
    var language: WrittenLanguage?
    var other: WrittenText?
    /// Whether its places are drawn by lot, until each family has its place.
    var isDrawn = false

    var own: WrittenText { WrittenText(language: language, title: title, description: synopsis) }

    /// Whether others see the same card: then it may stay in memory.
    var isForEverybody: Bool { couldCome.isEmpty && !isHidden }

    /// The time for its list: with the day if the list isn't grouped by days.
    func moment(in phase: EventPhase) -> Words {
        phase.remaining ?? (saysDay ? "\(day.shortName, as: "day"), \(schedule.shortTime, as: "time")" : time)
    }

    /// The same, as of `now`.
    func moment(at now: Instant) -> Words { moment(in: phase(at: now)) }

    /// The place for a list: `180 Park Ave, San Jose`.
    var place: Words {
        guard !city.isEmpty else { return "Online" }
        let name = placeName.isEmpty ? street : placeName
        return Words(AddressLine(name: name, address: Address(city: city, country: country)))
    }
}

/// Everything on a card or in a badge that depends on the time. A kept card is drawn from this instead of the time.
struct EventPhase: Sendable, Equatable {
    /// How long it still lasts, for an event of several days.
    let remaining: Words?
    let isOnNow: Bool
    /// Whether the number of places left is told.
    let tellsRoom: Bool
    /// What is told instead: when or how families get places; nil if there is nothing to say.
    let window: Words?
}

/// The properties common to a whole event and its card in a list.
protocol EventFacts: Sendable {
    var id: ID<Event> { get }
    var audience: Event.Audience { get }
    var title: String { get }
    var schedule: Schedule { get }
    var admission: Admission { get }
    var taken: Int { get }
    var isOnline: Bool { get }
    var cancelledAt: Instant? { get }
    var isHidden: Bool { get }
    /// Whether its places are drawn by lot, until each family has its place.
    var isDrawn: Bool { get }
    var language: WrittenLanguage? { get }
    /// Title and description in the original language; on a card, the beginning of the description.
    var own: WrittenText { get }
    /// Both in another language.
    var other: WrittenText? { get }
}

extension Event {
    /// Whether families can register for several of its dates at once, so that what they say counts for all of them.
    var isTerm: Bool { series != nil && booking != .each }
}

extension EventFacts {
    var day: Day { schedule.day }
    var start: TimeOfDay { schedule.start }
    var end: TimeOfDay? { schedule.end }
    /// Whether it is for everyone, rather than for children only.
    var isForEveryone: Bool { audience == .everyone }
    var startsAt: Instant { schedule.startsAt }
    var endsAt: Instant { schedule.endsAt }
    var endsNextDay: Bool { schedule.endsNextDay }
    var spots: Int? { admission.spots }
    var ageFrom: Int? { admission.ageFrom }
    var ageTo: Int? { admission.ageTo }
    var price: Money? { admission.price }
    var isPriceOpen: Bool { admission.isPriceOpen }
    var takesLate: Bool { admission.takesLate }
    var covidSafe: Bool { admission.covidSafe }
    var booking: Series.Booking { admission.booking }
    var hasSessions: Bool { admission.hasSessions }
}

extension EventFacts {
    /// How many can still come; nil if there is no limit.
    var placesLeft: Int? { spots.map { max(0, $0 - taken) } }
    var isFull: Bool { placesLeft == 0 }
    var isCancelled: Bool { cancelledAt != nil }

    /// Whether few places are left: at most a fifth of them, or one.
    var isNearlyFull: Bool {
        guard let spots, let placesLeft else { return false }
        return placesLeft > 0 && placesLeft * 5 <= max(spots, 5)
    }

    /// Whether a child with these possible ages may come. In the birth month, either age is enough.
    func fits(_ ages: ClosedRange<Int>) -> Bool {
        ages.contains { age in (ageFrom.map { age >= $0 } ?? true) && (ageTo.map { age <= $0 } ?? true) }
    }

    func hasStarted(at now: Instant) -> Bool { startsAt <= now }

    /// Whether it has ended; an event without an end counts as two hours long.
    func isOver(at now: Instant) -> Bool { endsAt <= now }

    /// Whether it is taking place.
    func isOnNow(at now: Instant) -> Bool { hasStarted(at: now) && !isOver(at: now) && !isCancelled }

    /// Whether places can be taken and given back: until the start, or until the end if late arrival is allowed.
    func isOpen(at now: Instant) -> Bool {
        !isCancelled && (takesLate ? !isOver(at: now) : !hasStarted(at: now))
    }

    /// Whether the number of places left may be told: only while everyone can take one. Each page, card, feed and
    /// program asks this, because a number that nobody can have misleads.
    func tellsRoom(at now: Instant) -> Bool {
        isOpen(at: now) && !isDrawn && admission.window.badge(at: now) == nil
    }

    /// What depends on the time, as of `now`.
    func phase(at now: Instant) -> EventPhase {
        let window: Words? = isDrawn ? "Places drawn by lot" : admission.window.badge(at: now)
        return EventPhase(
            remaining: schedule.remaining(at: now), isOnNow: isOnNow(at: now), tellsRoom: tellsRoom(at: now),
            window: isOpen(at: now) ? window : nil)
    }

    /// Whether it can still be canceled.
    func isCancellable(at now: Instant) -> Bool { !isCancelled && !hasStarted(at: now) }

    var link: Link { .event(id) }
}

// MARK: - Texts

extension WrittenText {
    /// The beginning of the description.
    var synopsis: String { Event.synopsis(of: description) }
}

extension EventFacts {
    /// The title for texts with readers of several languages: letters, and texts that name several events.
    var readersTitle: Words { eventTitle.words }

    var eventTitle: EventTitle { EventTitle(title: title, language: language, other: other) }

    /// Title and description in each language: first the one for the reader.
    func texts(for reader: Language) -> [WrittenText] {
        guard let other else { return [own] }
        return other.isFor(WrittenLanguage(reader), insteadOf: language) ? [other, own] : [own, other]
    }

    /// The text for a reader of the site in a language: in that language if available.
    func text(for reader: Language) -> WrittenText { texts(for: reader)[0] }

    /// `10 AM to 12:30 PM`, `19:00`.
    var time: Words { schedule.time }
    func time(at now: Instant) -> Words { schedule.time(at: now) }
    /// The day and the time: `Saturday, March 27, 2027, 10 AM to 12 PM`.
    var when: Words { schedule.when }

    /// `3 to 9 years`, `from 3 years`, `up to 9 years`; nil for all ages.
    var ages: Words? { Admission.words(ageFrom: ageFrom, to: ageTo) }

    /// For reasons: `3 to 9`.
    var agesInShort: Words { ages ?? "all ages" }

    /// The price for pages: `Free`, `$9, paid there`; nil if not stated.
    var cost: Words? {
        // For an online event, nothing is paid on site.
        guard let price, !isPriceOpen, !isFree, !isOnline else { return fee }
        return "\(price, as: "price"), paid there"
    }

    /// The price, wherever it is paid.
    var fee: Words? { Money.words(price, isOpen: isPriceOpen) }

    /// Whether it costs nothing: the price is 0, and not pay-what-you-can, which asks families to pay. Filters, badges
    /// and data for search engines use this; see `Event.isFree` for SQL.
    var isFree: Bool { price?.minorUnits == 0 && !isPriceOpen }

    /// The remaining room, for a badge.
    var room: Words {
        switch placesLeft {
        case nil: "Room for all"
        case 0?: "Full"
        case let left?: Words("{count} place left", plural: "{count} places left", count: left)
        }
    }

    /// The number of places.
    var limit: Words { spots.map { "\($0, as: "places")" } ?? "no limit" }

    /// The number of taken places, for the host's lists; of an event for everybody with room for all, of those going.
    var takenPlaces: Words {
        guard let spots else {
            return isForEveryone
                ? Words("{count} person is going", plural: "{count} people are going", count: taken)
                : Words("{count} place taken", plural: "{count} places taken", count: taken)
        }
        return Words(
            "\(taken, as: "taken") of {count} place taken", plural: "\(taken, as: "taken") of {count} places taken",
            count: spots)
    }
}

extension Admission {
    /// The age range for pages; nil for all ages.
    static func words(ageFrom: Int?, to ageTo: Int?) -> Words? {
        switch (ageFrom, ageTo) {
        case (nil, nil): nil
        case (let from?, nil): Words("from {count} year", plural: "from {count} years", count: from)
        case (nil, let to?): Words("up to {count} year", plural: "up to {count} years", count: to)
        case (let from?, let to?) where from == to: Words("{count} year", plural: "{count} years", count: from)
        case (let from?, let to?): "\(from, as: "from") to \(to, as: "to") years"
        }
    }
}

extension Event {
    /// The zone's name if the reader needs it: it isn't theirs, or the event is online.
    func zoneName(for reader: Zone) -> Words? {
        isOnline || venue.clock.offset(at: startsAt) != reader.offset(at: startsAt) ? venue.clock.name : nil
    }

    /// When it is, with its zone and the reader's own time if their clock shows another.
    func when(for reader: Zone) -> Words {
        let when: Words = zoneName(for: reader).map { "\(self.when, as: "time"), \($0, as: "zone")" } ?? self.when
        return schedule.said(when, for: reader)
    }

    /// The address on one line.
    var place: Words { isInPerson ? Words(AddressLine(name: venue.name, address: venue.address)) : "Online" }

    var language: WrittenLanguage? { details.language }
    var own: WrittenText { WrittenText(language: language, title: title, description: details.description) }
    var other: WrittenText? { details.other }

    /// The beginning of a text: at most 160 bytes, cut between words. Browsers show its line breaks as spaces.
    static func synopsis(of text: String) -> String {
        let bytes = text.utf8
        guard let limit = bytes.index(bytes.startIndex, offsetBy: 160, limitedBy: bytes.endIndex) else { return text }
        let end = bytes[..<limit].lastIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") } ?? limit
        return String(text[..<end]) + "…"
    }

    /// The link to it on the map of all events.
    var mapLink: Link { Link.eventMap.with("event", id) }

    /// Directions; nil if there is no place to go.
    var directions: Directions? { Directions(to: venue.address, at: venue.coordinate) }
}

extension Event {
    /// The lists of a provider's events.
    enum OwnList: String, Sendable, CaseIterable {
        case upcoming, waiting, expired, cancelled

        /// Whether it contains current and upcoming events.
        var isAhead: Bool { self == .upcoming || self == .waiting }

        var name: Words {
            switch self {
            case .upcoming: "Coming up"
            case .waiting: "Somebody waits"
            case .expired: "Over"
            case .cancelled: "Canceled"
            }
        }
    }
}

extension Sequence<EventCard> {
    /// Up to six of these events, which are in order of time, for a start page. Events of several days that are on come
    /// first in such a list, so they leave room for others.
    func few(on today: Day) -> [EventCard] {
        let (most, mostLasting) = (6, 2)
        let isLasting = { (event: EventCard) in event.schedule.endDay != nil && event.schedule.day < today }
        let others = filter { !isLasting($0) }.prefix(most)
        return (filter(isLasting).prefix(Swift.max(mostLasting, most - others.count)) + others).prefix(most).map(\.self)
    }
}

/// The events of one day in a list, or a list in another order.
struct EventDay: Sendable {
    /// The day or other common property: the same on the list's next page.
    let key: String
    /// `Today`, `Tomorrow`, or the day's name.
    let heading: Words
    let events: [EventCard]

    /// A list in an order other than time.
    static func list(_ events: some Collection<EventCard>, by sort: EventFilter.Sort) -> [EventDay] {
        let events = events.map { event in
            var event = event
            event.saysDay = true
            return event
        }
        return events.isEmpty ? [] : [EventDay(key: sort.rawValue, heading: sort.name, events: events)]
    }

    /// Groups a list in order of time.
    ///
    /// - Parameter first: The first requested day, on which events that began earlier are listed.
    static func grouped(_ events: some Collection<EventCard>, today: Day, from first: Day? = nil) -> [EventDay] {
        let first = max(first ?? today, today)
        var days: [EventDay] = []
        var rest = events[...]
        while let day = rest.first?.schedule.listedDay(from: first) {
            let same = rest.prefix { $0.schedule.listedDay(from: first) == day }
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

/// Cards that were found.
struct FoundCards: Sendable {
    let cards: [EventCard]
    /// The number of the answer, if they were found before: two with the same number are the same.
    var number: Int?

    init(_ cards: [EventCard], number: Int? = nil) {
        self.cards = cards
        self.number = number
    }
}

/// A card with everything on it that depends on the time and on its reader's zone.
struct TimedCard: Sendable {
    let event: EventCard
    let phase: EventPhase
    /// The time by the reader's clock, if that is another one.
    let mine: Words?

    init(event: EventCard, phase: EventPhase, zone: Zone) {
        self.event = event
        self.phase = phase
        mine = event.schedule.time(in: zone)
    }
}

/// Consecutive cards under a heading.
struct TimedDay: Sendable {
    /// The day or other common property: the same on the list's next page.
    let key: String
    let heading: Words
    let cards: [TimedCard]
}

extension EventDay {
    /// The day at a time, for a reader in a zone.
    func timed(at now: Instant, in zone: Zone) -> TimedDay {
        TimedDay(
            key: key, heading: heading,
            cards: events.map { TimedCard(event: $0, phase: $0.phase(at: now), zone: zone) })
    }
}

/// Orders events by start, and by ID if equal, in one number: the row ID of the full-text index.
///
/// 27 bits for minutes since 1970 last until 2225; 36 bits for the ID allow 68,719,476,735.
struct SearchKey: Sendable {
    let rawValue: Int64

    init(_ startsAt: Instant, _ id: ID<Event>) {
        rawValue = ((startsAt.milliseconds / 60_000) << 36) | (id.rawValue & ((1 << 36) - 1))
    }

    /// A key below all events that start at `instant` or later.
    init(before instant: Instant) { rawValue = ((instant.milliseconds + 59_999) / 60_000) << 36 }
}
