import Forms
import Templating

/// A changed value of an event, before and now, for registered families.
struct Change: Sendable, Equatable {
    let event: ID<Event>
    let what: What
    /// The previous value in the format of `Said`: each page formats it for its reader.
    var before: String
    var now: String
    /// The event's newest change that a page with this one shows.
    var last = ID<Change>(0)

    enum What: String, Sendable {
        case time, place, places, price, ages, link
        /// New dates of a series whose families have all dates: for those with some.
        case dates
        /// The host asks a new question.
        case questions
        /// A change in the program: for those who take part in it, and stored only in notices.
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

    /// A cancellation: the time becomes empty.
    static func cancelling(_ event: Event) -> Change {
        Change(event: event.id, what: .time, before: event.keptTime, now: "")
    }

    /// The new dates of a series.
    static func adding(_ days: [Day], to event: ID<Event>) -> Change {
        Change(event: event, what: .dates, before: "", now: days.sorted().map(\.iso).joined(separator: " "))
    }

    /// Whether it has a previous value.
    var hasBefore: Bool { what != .dates && what != .questions }

    /// Whether it is a cancellation.
    var isCanceling: Bool { what == .time && now.isEmpty }

    /// The differences that families must know: time, place, number of places, price, ages, the link to participate,
    /// and new questions if both versions know theirs.
    ///
    /// The link itself is on the event's page, for participants: the change only says that it is new.
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

    /// Whether both are about the same value.
    func isOfSame(_ other: Change) -> Bool {
        event == other.event && what == other.what && (what != .activity || activity == other.activity)
            && (what != .dates || now == other.now)
    }

    /// Merges several changes of one value from the first to the last; a reverted change is dropped.
    ///
    /// - Parameter isWhole: Whether to keep reverted changes, with equal values.
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

/// A preview of a change: the differences for families, and how many are notified.
struct ChangePreview: Sendable {
    let lines: [Line]
    /// Whether families are notified of the changes.
    let isShown: Bool
    /// The people affected, at this event and at other dates that change, too.
    let concerned: Concerned
    /// The effects on families' answers.
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

// MARK: - Stored and displayed forms

extension Event {
    /// Empty if it is canceled.
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
    /// The number of places; empty if it isn't limited, or each session has its own.
    fileprivate var keptPlaces: String { hasSessions ? "" : spots.map { String($0) } ?? "" }
    /// Amount in cents, currency, and whether it is pay-what-you-can: `900 USD open`; empty if not stated.
    fileprivate var keptPrice: String {
        let amount = price.map { "\($0.minorUnits) \($0.currency)" }
        return [amount, isPriceOpen ? "open" : nil].compactMap(\.self).joined(separator: " ")
    }
    /// From and to, with `-` for no limit: `3 9`, `3 -`.
    fileprivate var keptAges: String { [ageFrom, ageTo].map { $0.map { String($0) } ?? "-" }.joined(separator: " ") }
}

extension [Change] {
    /// Whether there are dates for which the reader could register.
    var haveDates: Bool { contains { $0.what == .dates } }

    /// The other changes, if a notice says already that it is canceled: then the number of places doesn't matter.
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
        guard what == .time else {
            now = later.now
            return
        }
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

// MARK: - The program

extension Change {
    /// An activity that moved, or with nil was canceled.
    init(of event: ID<Event>, _ old: Activity, to new: Activity?) {
        self.init(
            event: event, what: .activity, before: Self.kept(old),
            now: new.map(Self.kept) ?? "\(old.name)\u{1D}\u{1D}")
    }

    /// The detail of a notice about an activity: a place from its waiting list, or an upcoming session.
    static func keeping(_ activity: Activity) -> String { kept(activity) }

    /// The activity's name, and its description with time and place.
    static func activity(_ detail: String) -> (name: String, words: Words)? {
        let name = String(detail.prefix { $0 != "\u{1D}" })
        return name.isEmpty ? nil : (name, said(of: detail))
    }

    /// Its name, place and time.
    private static func kept(_ activity: Activity) -> String {
        [activity.name, activity.place, activity.schedule.kept].joined(separator: "\u{1D}")
    }

    /// The previous name of the activity.
    private var activity: Substring { before.prefix { $0 != "\u{1D}" } }

    private static func said(of kept: String) -> Words {
        let parts = kept.split(separator: "\u{1D}", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let name = parts.first else { return Words(verbatim: kept) }
        guard let time = time(parts[2]) else { return "\(name, as: "activity"): called off" }
        return parts[1].isEmpty
            ? "\(name, as: "activity"): \(time, as: "time")"
            : "\(name, as: "activity"): \(time, as: "time"), \(parts[1], as: "place")"
    }

    /// Formats a day and times stored by `Schedule.kept`.
    private static func time(_ kept: String) -> Words? {
        var parts = kept.split(separator: " ").map(String.init)
        let zone = parts.last.flatMap { $0.hasPrefix("@") ? Zone(stored: String($0.dropFirst())).name : nil }
        if zone != nil { parts.removeLast() }
        guard parts.count >= 2, let day = Day(iso: parts[0]), let start = TimeOfDay(typed: parts[1]) else { return nil }
        let end = parts.count > 2 ? TimeOfDay(typed: parts[2]) : nil
        let last = parts.count > 3 ? Day(iso: parts[3]) : nil
        let time = EventTimes.words(from: start, to: end, until: last, of: day)
        guard let zone else { return "\(day.fullName, as: "day"), \(time, as: "time")" }
        return "\(day.fullName, as: "day"), \(time, as: "time") (\(zone, as: "zone"))"
    }
}

extension Schedule {
    /// The day, start and end, and the last of several days: `2026-11-21 10:00 12:00`.
    fileprivate var kept: String {
        ([day.iso, start.iso] + [end?.iso, endDay?.iso].compactMap(\.self)).joined(separator: " ")
    }
}

/// `/changes/{id}`: the changes of an edit, on one or several dates.
struct ChangePage: Sendable {
    let dates: [Date]
    let at: Instant
    /// The families that have seen it, for the host.
    let receipt: Receipt?
    /// Whether it affects the visitor's family.
    let isConcerned: Bool
    /// The visitor's registrations there.
    let places: [ID<Registration>]

    struct Date: Sendable {
        let event: Event
        let changes: [Change]
        /// The last change on the page.
        let last: ID<Change>
    }

    var isCanceling: Bool { dates.allSatisfy(\.event.isCancelled) }

    /// When it was changed, by the reader's clock.
    func when(for reader: Zone) -> Words {
        reader.words(at, besides: dates.first?.event.clock ?? reader, \.fullName)
    }
}

/// The affected families that have seen the changes.
struct Receipt: Sendable {
    let families: Int
    let missing: [Missing]
    /// People the host added and hasn’t told yet: they get no letters.
    let untold: [Untold]
    /// How many haven’t seen it, if the host has no participant list and therefore no names.
    var unlisted: Int?
    /// The page of the last change, if it affects other dates, too.
    var all: Link?
    /// The event at which the host can write to all participants instead.
    var writesTo: ID<Event>?

    /// A guest to be told; with the date if there are several.
    struct Untold: Sendable {
        let guest: Guest
        let event: ID<Event>
        let day: Day?

        /// The address to record that they were told.
        var link: Link { .people(of: event) / guest.id / "told" }
        var key: String { folded(guest.name) }
    }

    /// A family that hasn't seen it yet.
    struct Missing: Sendable {
        let name: String
        let phone: String?
        /// Empty if the family is suspended and can't be written to.
        let email: String
        /// The affected people who come or wait.
        var coming: [Person] = []

        /// A person: empty for a parent in person, nil for a deleted child; with the date if there are several.
        struct Person: Sendable {
            let name: String?
            let day: Day?

            var words: Words {
                let name = name == "" ? "in person" : Family.label(name)
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
    /// The page to write to all of them.
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

extension Change {
    /// The format of stored changes, a line each: field, before, now.
    static func keeping(_ changes: [Change]) -> String {
        func plain(_ text: String) -> String { text.filter { $0 != "\u{1E}" && $0 != "\u{1F}" } }
        return changes.map { "\($0.what.rawValue)\u{1F}\(plain($0.before))\u{1F}\(plain($0.now))" }
            .joined(separator: "\u{1E}")
    }

    /// Parses stored changes of an event; a line that can't be read is left out.
    static func kept(_ detail: String, of event: ID<Event>) -> [Change] {
        detail.split(separator: "\u{1E}").compactMap { line in
            let parts = line.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let what = What(rawValue: parts[0]) else { return nil }
            return Change(event: event, what: what, before: parts[1], now: parts[2])
        }
    }
}
