import Domains
import Forms
import Templating

/// What an organization asks of its neighbors: time, things and money, or to let somebody look over its shoulder.
struct Opportunity: Sendable {
    var id: ID<Opportunity>
    let kind: Kind
    var host: Event.Host
    let title: String
    let description: String
    /// What title and description are written in, where somebody said.
    let language: WrittenLanguage?
    /// What decides whether somebody can help at all, a line each.
    let conditions: String
    /// Where one signs up or gives, on another site; empty where that is here.
    let url: String
    let rhythm: Rhythm
    /// Hours a week, about.
    let hours: Int?
    let ageFrom: Int?
    /// Whether younger ones need an adult beside them.
    let withAdult: Bool
    let isAtHome: Bool
    let isWithChildren: Bool
    /// Whether the organization says yes first.
    let asksFirst: Bool
    var fund: Fund?
    /// The last day, where there is one.
    let until: Day?
    var place: Place
    var tags: [String]
    /// Things that are wanted, and promised or given, all together.
    var wanted = 0
    var promised = 0
    /// When it leaves the lists by itself.
    var endsAt: Instant
    var isClosed = false
    /// Whether visitors are kept from it: it was hidden, or its organization was suspended.
    var isHidden = false
    var isHiddenByStaff = false
    let createdAt: Instant
    let updatedAt: Instant
    /// Why it was closed, where that was said.
    var closeReason = ""
    /// The next shift that hasn't begun.
    var next: Shift?
    /// How far it is, where a place was asked for.
    var distance: Distance?

    /// What is asked for.
    enum Kind: String, CaseIterable, Sendable, FormValue {
        case volunteer, donate, shadow

        var name: Words {
            switch self {
            case .volunteer: "Volunteering"
            case .donate: "Donations"
            case .shadow: "Shadowing"
            }
        }

        /// What it means to those who post one.
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

        /// The name of its hue.
        var hue: String {
            switch self {
            case .volunteer: "hue-sky"
            case .donate: "hue-ochre"
            case .shadow: "hue-spruce"
            }
        }
    }

    /// When one helps.
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

    /// Money that is asked for, as the organization says.
    struct Fund: Sendable, Equatable {
        let goal: Money
        let amount: Money?
        /// When the amount was entered.
        let asOf: Day?

        var given: Int { min(amount?.minorUnits ?? 0, goal.minorUnits) }
    }

    /// Where it is; nowhere where one helps from home.
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

        /// The same for a reader, who may be in another country.
        var words: Words { Words(AddressLine(name: name, address: address)) }

        var directions: Directions? { Directions(to: address, at: coordinate) }
    }

    /// How long something without a last day stays before its organization is asked again.
    static let freshness = Duration.days(90)
    /// How long before that it is asked.
    static let notice = Duration.days(7)
    static let mostShifts = 26
    static let mostThings = 12

    var link: Link { .opportunity(id) }
    /// The clock of the place.
    var zone: Zone { Zone(stored: place.zone) }

    /// What that is called, where it isn't the reader's.
    func zoneName(for reader: Zone, at now: Instant) -> Words? {
        let at = next?.startsAt ?? now
        return zone.offset(at: at) != reader.offset(at: at) ? zone.name : nil
    }

    var subject: Subject { .opportunity(id) }

    /// Where it stands on a map.
    var pin: MapDrawing.Place? {
        place.coordinate.map { MapDrawing.Place(coordinate: $0, name: Words(verbatim: place.line), link: nil) }
    }

    /// Title and description, in their language.
    var text: WrittenText { WrittenText(language: language, title: title, description: description) }

    var body: HTML { .paragraphs(of: description) }

    /// The conditions, one a line.
    var conditionLines: [String] {
        conditions.split(separator: "\n").map { $0.drop { "-•* ".contains($0) } }.filter { !$0.isEmpty }.map(
            String.init)
    }

    /// Whether its lists and forms are open.
    func isOpen(at now: Instant) -> Bool { !isClosed && !isHidden && endsAt > now }

    /// Whether one takes part on this site.
    var isHere: Bool { url.isEmpty }

    /// The link that leads out, with the name of the site it leads to.
    var outside: (link: Link, host: String)? {
        guard !url.isEmpty, let link = Link(outside: url) else { return nil }
        return (link, OutsideLink.host(of: url))
    }

    /// Whether its link to another site is shown: for money, only that of an organization that was verified.
    func mayLeadOut(at now: Instant) -> Bool { kind != .donate || host.verified?.holds(at: now) == true }

    /// From which age, in a line.
    var ages: Words? {
        guard let ageFrom else { return nil }
        return withAdult ? "From \(ageFrom, as: "age"), with an adult" : "From \(ageFrom, as: "age")"
    }

    /// When, in a line.
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

    /// Whether there is room, in a few words; nil where there is nothing to say of it.
    var room: Words? {
        if let next, rhythm == .shifts { return next.room }
        if wanted > 0 { return "\(promised, as: "promised") of \(wanted, as: "wanted") promised" }
        if asksFirst { return "They say yes first" }
        return nil
    }

    var isTight: Bool { next.map { $0.left <= 3 } ?? false }

    /// Where, in a line.
    var whereabouts: Words {
        if isAtHome, place.isEmpty { return "At home" }
        return distance?.name
            ?? Address(city: place.address.city, country: place.address.country).words
    }
}

/// One turn of a volunteering: a day, from when to when, for so many.
struct Shift: Sendable, Equatable {
    let id: ID<Shift>
    let day: Day
    let start: TimeOfDay
    let end: TimeOfDay
    let startsAt: Instant
    let endsAt: Instant
    let spots: Int
    var taken = 0
    /// The person who shows people around; empty where nobody said.
    let lead: String

    var left: Int { max(0, spots - taken) }
    var schedule: Schedule { Schedule(day: day, start: start, end: end, startsAt: startsAt, endsAt: endsAt) }
    var time: Words { EventTimes.words(from: start, to: end) }
    var moment: Words { "\(day.name, as: "day"), \(time, as: "time")" }

    var room: Words {
        left == 0
            ? "Full"
            : Words(
                "\(left, as: "left") of {count} place left", plural: "\(left, as: "left") of {count} places left",
                count: spots)
    }

    /// How long it lasts, in minutes: nobody helped longer.
    var minutes: Int { Int((endsAt - startsAt).components.seconds / 60) }

    func isOpen(at now: Instant) -> Bool { startsAt > now }
}

/// Something that is wanted, and how many of it.
struct Thing: Sendable, Equatable {
    let id: ID<Thing>
    let name: String
    let wanted: Int
    var promised = 0

    var left: Int { max(0, wanted - promised) }
    /// How many somebody may promise at once.
    var choices: [Int] { Array(1...max(1, min(20, left))) }
}

/// An address on another site.
enum OutsideLink {
    /// The same with its scheme, where it leads to a site by http or https; nil for anything else.
    static func read(_ typed: String) -> String? {
        let url = typed.contains("://") ? typed : "https://\(typed)"
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard scheme == "https" || scheme == "http", Link(outside: url) != nil else { return nil }
        let host = host(of: url)
        guard host.contains("."), !host.hasPrefix("."), !host.hasSuffix("."), !url.contains("@") else { return nil }
        return url
    }

    /// The name of the site: `warmhands.example`.
    static func host(of url: String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return "" }
        let rest = url[start...].prefix { !"/?#".contains($0) }
        let name = rest.prefix { $0 != ":" }.lowercased()
        return Punycode.shown(host: name.hasPrefix("www.") ? String(name.dropFirst(4)) : name)
    }
}
