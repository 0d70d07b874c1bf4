import Domains
import Forms
import Templating

/// An organization's request to its neighbors for time, things or money, or an offer of job shadowing.
struct Opportunity: Sendable {
    var id: ID<Opportunity>
    let kind: Kind
    var host: Event.Host
    let title: String
    let description: String
    /// The language of title and description, if known.
    let language: WrittenLanguage?
    /// Requirements for helpers, a line each.
    let conditions: String
    /// The external page for signing up or giving; empty if that is done here.
    let url: String
    let rhythm: Rhythm
    /// The approximate hours per week.
    let hours: Int?
    let ageFrom: Int?
    /// Whether minors need an accompanying adult.
    let withAdult: Bool
    let isAtHome: Bool
    let isWithChildren: Bool
    /// Whether the organization approves helpers first.
    let asksFirst: Bool
    var fund: Fund?
    /// The last day, if there is one.
    let until: Day?
    var place: Place
    var tags: [String]
    /// The total of things wanted, and of those promised or given.
    var wanted = 0
    var promised = 0
    /// When it leaves the lists automatically.
    var endsAt: Instant
    var isClosed = false
    /// Whether it is hidden from visitors, because it was hidden or its organization suspended.
    var isHidden = false
    var isHiddenByStaff = false
    let createdAt: Instant
    let updatedAt: Instant
    /// The reason for closing it, if given.
    var closeReason = ""
    /// The next shift with room that hasn't begun; if none has, the next one.
    var next: Shift?
    /// The distance, if a place was searched for.
    var distance: Distance?

    /// The kind of request.
    enum Kind: String, CaseIterable, Sendable, FormValue {
        case volunteer, donate, shadow

        var name: Words {
            switch self {
            case .volunteer: "Volunteering"
            case .donate: "Donations"
            case .shadow: "Shadowing"
            }
        }

        /// An explanation for those who post one.
        var meaning: Words {
            switch self {
            case .volunteer: "Somebody gives time: a Saturday shift, an hour a week, whenever it suits."
            case .donate: "Somebody brings things, or gives money on your own page."
            case .shadow: "Somebody looks over a shoulder for a day, to learn a profession."
            }
        }

        var icon: Icon {
            switch self {
            case .volunteer: .hands
            case .donate: .gift
            case .shadow: .shadow
            }
        }

        /// The name of its color.
        var hue: String {
            switch self {
            case .volunteer: "hue-sky"
            case .donate: "hue-ochre"
            case .shadow: "hue-spruce"
            }
        }
    }

    /// How regularly to help.
    enum Rhythm: String, CaseIterable, Sendable, FormValue {
        case shifts, regular, whenever

        var name: Words {
            switch self {
            case .shifts: "On certain days: shifts with places"
            case .regular: "Regularly, some hours a week"
            case .whenever: "Whenever it suits"
            }
        }

        var short: Words {
            switch self {
            case .shifts: "On certain days"
            case .regular: "Regularly"
            case .whenever: "Whenever it suits"
            }
        }
    }

    /// A request for money, as stated by the organization.
    struct Fund: Sendable, Equatable {
        let goal: Money
        let amount: Money?
        /// When the amount was entered.
        let asOf: Day?

        var given: Int { min(amount?.minorUnits ?? 0, goal.minorUnits) }
    }

    /// The place; none if one helps from home.
    struct Place: Sendable, Equatable {
        var name = ""
        var address = Address()
        var zone: String
        var point: ID<Point>?
        var coordinate: Coordinate?

        var isEmpty: Bool { address.city.isEmpty }

        var line: String {
            [name, address.line].filter { !$0.isEmpty }.joined(separator: ", ")
        }

        /// The place for a reader, who may be in another country.
        var words: Words { Words(AddressLine(name: name, address: address)) }

        var directions: Directions? { Directions(to: address, at: coordinate) }
    }

    /// How long one without a last day stays before its organization is asked again.
    static let freshness = Duration.days(90)
    /// How long before that to ask.
    static let notice = Duration.days(7)
    static let mostShifts = 26
    static let mostThings = 12

    var link: Link { .opportunity(id) }
    /// The place's time zone.
    var zone: Zone { Zone(stored: place.zone) }

    /// The zone's name, if it isn't the reader's.
    func zoneName(for reader: Zone, at now: Instant) -> Words? {
        let at = next?.startsAt ?? now
        return zone.offset(at: at) != reader.offset(at: at) ? zone.name : nil
    }

    /// The time of the next shift in another zone; nil if it is the same there, or if `when` names no shift.
    func time(in zone: Zone) -> Words? {
        rhythm == .shifts && kind != .donate && !isClosed ? next?.schedule.time(in: zone) : nil
    }

    /// When help is wanted, for a reader.
    func when(for reader: Zone) -> Words {
        time(in: reader).map { "\(when, as: "time") (\($0, as: "mine"))" } ?? when
    }

    var subject: Subject { .opportunity(id) }

    /// Its pin on a map.
    var pin: MapDrawing.Place? {
        place.coordinate.map { MapDrawing.Place(coordinate: $0, name: Words(verbatim: place.line), link: nil) }
    }

    /// Title and description in their language.
    var text: WrittenText { WrittenText(language: language, title: title, description: description) }

    var body: HTML { .paragraphs(of: description) }

    /// The requirements, a line each.
    var conditionLines: [String] {
        conditions.split(separator: "\n").map { $0.drop { "-•* ".contains($0) } }.filter { !$0.isEmpty }.map(
            String.init)
    }

    /// Whether its lists and forms are open.
    func isOpen(at now: Instant) -> Bool { !isClosed && !isHidden && endsAt > now }

    /// Whether it has no end of its own, so that its organization is asked from time to time if it is still current.
    var isEndless: Bool { until == nil && (rhythm != .shifts || kind == .donate) }

    /// Whether it ends soon unless its organization says that it is still current.
    func isAboutToEnd(at now: Instant) -> Bool { isEndless && endsAt <= now + Self.notice }

    /// Whether one takes part on this site.
    var isHere: Bool { url.isEmpty }

    /// The external link, with the name of its site.
    var outside: (link: Link, host: String)? {
        guard !url.isEmpty, let link = Link(outside: url) else { return nil }
        return (link, OutsideLink.host(of: url))
    }

    /// Whether the external link is shown: for donations only if the organization is verified.
    func mayLeadOut(at now: Instant) -> Bool { kind != .donate || host.verified?.holds(at: now) == true }

    /// The minimum age, on one line.
    var ages: Words? {
        guard let ageFrom else { return nil }
        return withAdult ? "From \(ageFrom, as: "age"), with an adult" : "From \(ageFrom, as: "age")"
    }

    /// The time, on one line.
    var when: Words {
        if kind == .donate {
            return until.map { "Until \($0.shortName, as: "day")" } ?? "As long as it is needed"
        }
        switch rhythm {
        case .shifts:
            if isClosed { return "Closed" }
            guard let next else { return "No more shifts for now" }
            return "Next on \(next.day.shortName, as: "day"), \(next.time, as: "time")"
        case .regular:
            guard let hours else { return rhythm.short }
            return Words("{count} hour a week", plural: "{count} hours a week", count: hours)
        case .whenever:
            guard let hours else { return rhythm.short }
            return Words(
                "Whenever it suits, {count} hour a week", plural: "Whenever it suits, {count} hours a week",
                count: hours)
        }
    }

    /// Whether there is room, in a few words; nil if there is nothing to say.
    var room: Words? {
        if isClosed || isHidden { return nil }
        if let next, rhythm == .shifts { return next.room }
        if wanted > 0 { return "\(promised, as: "promised") of \(wanted, as: "wanted") promised" }
        if asksFirst { return "They say yes first" }
        return nil
    }

    var isTight: Bool { room != nil && next.map { $0.left <= 3 } ?? false }

    /// The place, on one line.
    var whereabouts: Words {
        if isAtHome, place.isEmpty { return "At home" }
        return distance?.name
            ?? Address(city: place.address.city, country: place.address.country).words
    }
}

/// A volunteer shift: a day, a time, and a number of places.
struct Shift: Sendable, Equatable {
    let id: ID<Shift>
    let day: Day
    let start: TimeOfDay
    let end: TimeOfDay
    let startsAt: Instant
    let endsAt: Instant
    let spots: Int
    var taken = 0
    /// The person who leads it; possibly empty.
    let lead: String

    var left: Int { max(0, spots - taken) }
    var schedule: Schedule { Schedule(day: day, start: start, end: end, startsAt: startsAt, endsAt: endsAt) }
    var time: Words { EventTimes.words(from: start, to: end) }
    var moment: Words { "\(day.name, as: "day"), \(time, as: "time")" }
    /// Day and time, for a reader.
    func moment(for reader: Zone) -> Words { schedule.said(moment, for: reader) }

    /// The taken places, for those who look after it.
    var takenPlaces: Words {
        Words(
            "\(taken, as: "taken") of {count} place taken", plural: "\(taken, as: "taken") of {count} places taken",
            count: spots)
    }

    /// For those who look after it: the places left while somebody can take them, otherwise those that were taken.
    ///
    /// - Parameter isClosed: Whether what it is part of is closed, hidden or over.
    func room(at now: Instant, isClosed: Bool) -> Words { isOpen(at: now) && !isClosed ? room : takenPlaces }

    /// The remaining room, for pages that ask whether the shift is open.
    var room: Words {
        left == 0
            ? "Full"
            : Words(
                "\(left, as: "left") of {count} place left", plural: "\(left, as: "left") of {count} places left",
                count: spots)
    }

    /// Its length in minutes, which is also the most that somebody can have helped.
    var minutes: Int { Int((endsAt - startsAt).components.seconds / 60) }

    func isOpen(at now: Instant) -> Bool { startsAt > now }
}

/// A wanted thing, and the number.
struct Thing: Sendable, Equatable {
    let id: ID<Thing>
    let name: String
    let wanted: Int
    var promised = 0

    var left: Int { max(0, wanted - promised) }
    /// The amounts that can be promised at once.
    var choices: [Int] { Array(1...max(1, min(20, left))) }
}
