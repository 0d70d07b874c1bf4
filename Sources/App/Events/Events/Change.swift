import Forms
import Templating

/// What an event said before it was changed, and says now: for families who had registered.
struct Change: Sendable, Equatable {
    let event: ID<Event>
    let what: What
    /// What it was, as `Said` keeps it: each page writes it for its reader.
    var before: String
    var now: String
    /// The newest change of the event that a page with this one tells of.
    var last = ID<Change>(0)

    enum What: String, Sendable {
        case time, place, places, price, ages, link
        /// Dates that came to a series of which families have all dates: told to those who have some.
        case dates
        /// The host asks something that it didn't ask before.
        case questions
        /// Something of the program: told to those who are in it, and kept nowhere else.
        case activity

        var name: Words {
            switch self {
            case .time: "Time"
            case .place: "Place"
            case .places: "Places"
            case .price: "Price"
            case .ages: "Ages"
            case .link: "Link to take part"
            case .dates: "New dates"
            case .questions: "Questions"
            case .activity: "Program"
            }
        }
    }

    /// That an event doesn't take place: its time is none anymore.
    static func cancelling(_ event: Event) -> Change {
        Change(event: event.id, what: .time, before: event.keptTime, now: "")
    }

    /// That a series goes on, on these days too.
    static func adding(_ days: [Day], to event: ID<Event>) -> Change {
        Change(event: event, what: .dates, before: "", now: days.sorted().map(\.iso).joined(separator: " "))
    }

    /// Whether it says something of before, too.
    var hasBefore: Bool { what != .dates && what != .questions }

    /// Whether it tells that the event doesn't take place.
    var isCanceling: Bool { what == .time && now.isEmpty }

    /// What families must know of a change: time, place, places, price, ages, the link to take part, and that there is
    /// something new to answer where both say what they ask.
    ///
    /// That link stands on the event's page, for those who have a place: a receipt says only that there is another.
    static func between(_ old: Event, _ new: Event) -> [Change] {
        let kept: [(What, KeyPath<Event, String>)] = [
            (.time, new.goesByOtherClock(than: old) ? \.keptTimeWithZone : \.keptTime), (.place, \.keptPlace),
            (.places, \.keptPlaces), (.price, \.keptPrice), (.ages, \.keptAges),
        ]
        var changes = kept.compactMap { what, words in
            let (before, now) = (old[keyPath: words], new[keyPath: words])
            return before == now ? nil : Change(event: old.id, what: what, before: before, now: now)
        }
        if old.onlineURL != new.onlineURL {
            changes.append(
                Change(
                    event: old.id, what: .link, before: old.isOnline ? "old" : "", now: new.isOnline ? "new" : ""))
        }
        if let before = old.asks, let now = new.asks, Ask.areNew(now, since: before) {
            changes.append(Change(event: old.id, what: .questions, before: "", now: "new"))
        }
        return changes
    }

    /// Whether both tell of the same thing.
    func isOfSame(_ other: Change) -> Bool {
        event == other.event && what == other.what && (what != .activity || activity == other.activity)
            && (what != .dates || now == other.now)
    }

    /// Several changes of one thing as one, from the first to the last; what is again as it was is none.
    ///
    /// - Parameter isWhole: Whether that is there too, with the same before and now.
    static func merged(_ changes: [Change], keepingUndone isWhole: Bool = false) -> [Change] {
        var merged: [Change] = []
        for change in changes {
            if let index = merged.firstIndex(where: { $0.isOfSame(change) }) {
                merged[index].go(on: change)
            } else {
                merged.append(change)
            }
        }
        for index in merged.indices {
            let ofEvent = changes.filter { $0.event == merged[index].event }
            merged[index].last = ofEvent.map(\.last).max() ?? merged[index].last
        }
        return isWhole ? merged : merged.filter { $0.before != $0.now }
    }
}

/// What the preview of a change says: what becomes of what families go by, and how many are told.
struct ChangePreview: Sendable {
    let lines: [Line]
    /// Whether families are told what changed.
    let isShown: Bool
    /// At the event, and at the other dates that the change reaches.
    let concerned: Concerned
    /// What it means for what families have answered.
    var asks: [Words] = []

    struct Line: Sendable {
        let name: Words
        let before: Words
        let now: Words
    }

    init(from old: Event, to new: Event, _ concerned: Concerned) {
        let changes = Change.between(old, new)
        var lines = changes.filter(\.hasBefore).map {
            Line(name: $0.what.name, before: $0.saidBefore, now: $0.saysNow)
        }
        isShown = !changes.isEmpty
        if old.title != new.title {
            lines.append(Line(name: "Title", before: Words(verbatim: old.title), now: Words(verbatim: new.title)))
        }
        if let was = old.other?.title, let says = new.other?.title, was != says {
            lines.append(
                Line(
                    name: "Event title in the second language", before: Words(verbatim: was),
                    now: Words(verbatim: says)))
        }
        self.lines = lines
        self.concerned = concerned
    }
}

// MARK: - What is kept of it, and how it is said

extension Event {
    /// Empty where it doesn't take place.
    fileprivate var keptTime: String { schedule.kept }
    /// The same with the zone: `2026-11-21 10:00 12:00 @Europe/Berlin`.
    fileprivate var keptTimeWithZone: String { "\(schedule.kept) @\(venue.zone)" }

    /// Whether the same time on the clock is another moment by now.
    fileprivate func goesByOtherClock(than old: Event) -> Bool {
        [startsAt, endsAt, old.startsAt, old.endsAt].contains {
            venue.clock.offset(at: $0) != old.venue.clock.offset(at: $0)
        }
    }

    /// The line of the address; empty where it is online.
    fileprivate var keptPlace: String { isInPerson ? venue.line : "" }
    /// How many may come; empty for as many as like, and where each session has its own.
    fileprivate var keptPlaces: String { hasSessions ? "" : spots.map { String($0) } ?? "" }
    /// Cents, currency, and whether one pays what one can: `900 USD open`; empty where nobody said.
    fileprivate var keptPrice: String {
        let amount = price.map { "\($0.minorUnits) \($0.currency)" }
        return [amount, isPriceOpen ? "open" : nil].compactMap(\.self).joined(separator: " ")
    }
    /// From and to, `-` for no limit: `3 9`, `3 -`.
    fileprivate var keptAges: String { [ageFrom, ageTo].map { $0.map { String($0) } ?? "-" }.joined(separator: " ") }
}

extension [Change] {
    /// Whether there are dates that their reader could register for.
    var haveDates: Bool { contains { $0.what == .dates } }

    /// What else changed, where a notice says already that it doesn't take place: of how many places it would have had
    /// nothing is said then.
    var besidesCanceling: [Change] {
        contains(where: \.isCanceling) ? filter { !$0.isCanceling && $0.what != .places } : self
    }
}

extension Change {
    var saidBefore: Words { words(before) }
    var saysNow: Words { words(now) }

    /// Takes over what a later change of the same made of it. A zone is kept only where a change made it another: what
    /// was said before without one went by the clock of then, and what is said after by the clock since.
    fileprivate mutating func go(on later: Change) {
        func zone(_ kept: String) -> Substring? { kept.split(separator: " ").last { $0.hasPrefix("@") } }
        if !before.isEmpty, zone(before) == nil, let zone = zone(later.before) { before += " \(zone)" }
        let known = later.now.isEmpty || zone(later.now) != nil ? nil : zone(now)
        now = later.now + (known.map { " \($0)" } ?? "")
    }

    private func words(_ kept: String) -> Words {
        let parts = kept.split(separator: " ").map { String($0) }
        switch what {
        case .place: return kept.isEmpty ? "Online" : Words(verbatim: kept)
        case .time where kept.isEmpty: return Words("canceled")
        case .activity: return Self.said(of: kept)
        case .questions: return "something new is asked: please answer it on the page of your registration"
        case .dates: return Term.days(parts.compactMap { Day(iso: $0) }, most: 20)
        case .places: return Int(kept).map { "\($0, as: "places")" } ?? "no limit"
        case .link: return kept.isEmpty ? Words("none") : kept == "old" ? "the link so far" : "a new link"
        case .time: return Self.time(kept) ?? Words(verbatim: kept)
        case .ages:
            return Admission.words(ageFrom: parts.first.flatMap { Int($0) }, to: parts.last.flatMap { Int($0) })
                ?? "all ages"
        case .price:
            let price = parts.count < 2 ? nil : Int(parts[0]).map { Money(minorUnits: $0, currency: parts[1]) }
            return Money.words(price, isOpen: parts.last == "open") ?? "not stated"
        }
    }
}

// MARK: - Of the program

extension Change {
    /// That an activity moved, or with nil is called off.
    init(of event: ID<Event>, _ old: Activity, to new: Activity?) {
        self.init(
            event: event, what: .activity, before: Self.kept(old),
            now: new.map(Self.kept) ?? "\(old.name)\u{1D}\u{1D}")
    }

    /// What a notice keeps of an activity in which somebody who waited has a place now, or of a session that comes up.
    static func keeping(_ activity: Activity) -> String { kept(activity) }

    /// The name of such an activity, and what it is, when and where.
    static func activity(_ detail: String) -> (name: String, words: Words)? {
        let name = String(detail.prefix { $0 != "\u{1D}" })
        return name.isEmpty ? nil : (name, said(of: detail))
    }

    /// What it is called, where it was, when it was.
    private static func kept(_ activity: Activity) -> String {
        [activity.name, activity.place, activity.schedule.kept].joined(separator: "\u{1D}")
    }

    /// The name of the activity it was before.
    private var activity: Substring { before.prefix { $0 != "\u{1D}" } }

    private static func said(of kept: String) -> Words {
        let parts = kept.split(separator: "\u{1D}", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let name = parts.first else { return Words(verbatim: kept) }
        guard let time = time(parts[2]) else { return "\(name, as: "activity"): called off" }
        return parts[1].isEmpty
            ? "\(name, as: "activity"): \(time, as: "time")"
            : "\(name, as: "activity"): \(time, as: "time"), \(parts[1], as: "place")"
    }

    /// A day and its times, as `Schedule.kept` keeps them.
    private static func time(_ kept: String) -> Words? {
        var parts = kept.split(separator: " ").map(String.init)
        let zone = parts.last.flatMap { $0.hasPrefix("@") ? Zone(stored: String($0.dropFirst())).name : nil }
        if zone != nil { parts.removeLast() }
        guard parts.count >= 2, let day = Day(iso: parts[0]), let start = TimeOfDay(typed: parts[1]) else { return nil }
        let end = parts.count > 2 ? TimeOfDay(typed: parts[2]) : nil
        let last = parts.count > 3 ? Day(iso: parts[3]) : nil
        let time = EventTimes.words(from: start, to: end, until: last)
        guard let zone else { return "\(day.fullName, as: "day"), \(time, as: "time")" }
        return "\(day.fullName, as: "day"), \(time, as: "time") (\(zone, as: "zone"))"
    }
}

extension Schedule {
    /// Day, start and end, and the last of several days: `2026-11-21 10:00 12:00`.
    fileprivate var kept: String {
        ([day.iso, start.iso] + [end?.iso, endDay?.iso].compactMap(\.self)).joined(separator: " ")
    }
}

/// `/changes/{id}`: what one edit changed, on one date or on many.
struct ChangePage: Sendable {
    let dates: [Date]
    let at: Instant
    /// The families that have seen it; for the host.
    let receipt: Receipt?
    /// Whether it concerns a family of the visitor's.
    let isConcerned: Bool
    /// The visitor's places there.
    let places: [ID<Registration>]

    struct Date: Sendable {
        let event: Event
        let changes: [Change]
        /// The last change that the page tells of.
        let last: ID<Change>
    }

    var isCanceling: Bool { dates.allSatisfy(\.event.isCancelled) }

    /// When it was changed, as a clock at the venue shows it.
    var when: Words { (dates.first?.event.clock ?? .utc).words(at) }
}

/// The families concerned that have seen what changed.
struct Receipt: Sendable {
    let families: Int
    let missing: [Missing]
    /// The people whom the host added, and hasn’t told yet: no letter reaches them.
    let untold: [Untold]
    /// How many haven’t seen it yet where the host has no list of those who come: there nobody is named.
    var unlisted: Int?
    /// The page of the last change, where it concerns other dates too.
    var all: Link?
    /// The event whose host writes to all who come instead.
    var writesTo: ID<Event>?

    /// Somebody the host added, to be told; with the date of several.
    struct Untold: Sendable {
        let guest: Guest
        let event: ID<Event>
        let day: Day?

        /// Where the host notes that they were told.
        var link: Link { .people(of: event) / guest.id / "told" }
        var key: String { folded(guest.name) }
    }

    /// A family that hasn't seen it yet.
    struct Missing: Sendable {
        let name: String
        let phone: String?
        /// Empty where the family is suspended: nobody is to write to it.
        let email: String
        /// Those of them who come or wait, as far as it is about them.
        var coming: [Person] = []

        /// One of a family: empty for a parent in person, nil for a child that was removed; with the date of several.
        struct Person: Sendable {
            let name: String?
            let day: Day?

            var words: Words {
                let name = name == "" ? "in person" : Registration.Person.label(name)
                return day.map { "\(name, as: "name") (\($0.shortName, as: "day"))" } ?? name
            }
        }

        var numbers: [PhoneNumber] { phone.map(PhoneNumber.all) ?? [] }
        var key: String { folded(name) }
    }

    /// The most that are named; the roster names all.
    static let most = 50

    var named: ArraySlice<Missing> { missing.prefix(Self.most) }
    var unnamed: Int { missing.count - named.count }
    var unseen: Int { unlisted ?? missing.count }
    var seen: Int { families - unseen }
    /// Where the host writes to all of them.
    var writing: Link? { writesTo.map(Link.announcements) }
    var emails: [String] { missing.map(\.email).filter { !$0.isEmpty } }

    var words: Words {
        if unlisted != nil {
            return Words(
                "Seen by \(seen, as: "seen") of {count} person.",
                plural: "Seen by \(seen, as: "seen") of {count} people.",
                count: families)
        }
        return Words(
            "Seen by \(seen, as: "seen") of {count} family.",
            plural: "Seen by \(seen, as: "seen") of {count} families.",
            count: families)
    }
}
