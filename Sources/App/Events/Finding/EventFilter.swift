import Forms
import Templating

/// The filters of the feed, as in its URL.
struct EventFilter: Sendable, Equatable {
    var words = ""
    var city = ""
    var from: Day?
    var to: Day?
    var when: When?
    var ages: [Int] = []
    var freePlaces: Int?
    var isFree = false
    var isCovidSafe = false
    /// The audience; nil for all.
    var audience: Event.Audience?
    var amenities: [Amenity] = []
    var isOnline = false
    /// The language of title and description.
    var written: WrittenLanguage?
    var tags: [String] = []
    var zip = ""
    /// A place as typed.
    var near = ""
    /// The radius in `unit`; `usualWithin` by default.
    var within: Int?
    /// The unit; `usualUnit` by default.
    var unit: Distance.Unit?
    var sort: Sort?
    /// An event around whose place to search on the map.
    var event: ID<Event>?
    var after: Position?
    /// Typed filters that can't be parsed.
    var unread = Unread()
    /// Whether the city is the family's own by default.
    var isOwnCity = false
    /// The site's country, for ambiguous places and the unit.
    var country = "US"
    /// The visitor's preferences, for values missing in the URL.
    var preferences = Preferences.usual
    /// The current day: dates in another year are shown with the year.
    var today: Day?
    /// Whether events are shown on the map.
    var isMap = false
    /// The family's town, in the form for typing.
    var home: String?
    /// The gazetteer's answer for `near`.
    var around: Gazetteer.Answer?
    /// The typed words, if they were corrected.
    var typed: String?
    /// The ages of a family's children, at least one of which must fit. Not part of the URL.
    var anyAges: [ClosedRange<Int>] = []
    /// Whether to leave out canceled events. Not part of the URL.
    var leavesOutCanceled = false
    /// Further conditions for letters about saved searches. Not part of the URL.
    var news: News?

    /// Whether answers may stay in memory for others until the next write. Words are hardly ever asked for twice, and a
    /// search by the ages of a family's children leaves no trace.
    var mayBeKept: Bool { words.isEmpty && anyAges.isEmpty && news == nil }

    /// Events announced in a period, for a reader: not their own, nor those of members separated from them by a block.
    struct News: Sendable, Equatable {
        let announced: Range<Instant>
        let reader: ID<Account>
    }

    enum Sort: String, Sendable, CaseIterable {
        case soonest, nearest, newest

        var name: Words {
            switch self {
            case .soonest: "Soonest first"
            case .nearest: "Nearest first"
            case .newest: "Newest first"
            }
        }
    }

    enum When: String, Sendable, CaseIterable {
        case today, weekend, week

        var name: Words {
            switch self {
            case .today: "Today"
            case .weekend: "This weekend"
            case .week: "Next 7 days"
            }
        }

        /// The first and last day, relative to `today`.
        func days(from today: Day, weekend: Weekend = .usual) -> (first: Day, last: Day) {
            switch self {
            case .today: (today, today)
            case .week: (today, today.advanced(by: 6))
            case .weekend:
                weekend.days(from: today)
            }
        }
    }

    /// A position in the feed: by distance, by start, or for the newest events by announcement.
    typealias Position = Cursor<Point.Nearby?, Instant, ID<Event>>

    /// The most tags.
    static let mostTags = 4

    init() {}

    /// Parses a URL's query; `problems` lists typed text that can't be parsed.
    ///
    /// - Parameter country: The site's country: in the US, dates start with the month, and distances are in miles.
    init(_ query: FormBody, country: String) {
        func text(_ name: String) -> String {
            query[name]?.prefix(200).squeezed ?? ""
        }
        self.country = country
        words = text("q")
        city = text("city")
        zip = PostalCode.written(text("zip"), in: country)
        near = text("near")
        within = Int(typed: text("within")).flatMap { (1...200).contains($0) ? $0 : nil }
        unit = Distance.Unit(rawValue: text("unit"))
        sort = Sort(rawValue: text("sort"))
        event = ID<Event>(text("event"))
        from = unread.day("from", text("from"), in: country)
        to = unread.day("to", text("to"), in: country)
        when = When(rawValue: text("when"))
        // Only one filter by time: a chosen period overrides days left in the form.
        if when != nil {
            (from, to) = (nil, nil)
            unread.drop(["from", "to"])
        }
        ages = Array(Set(query.all("age").compactMap { Int($0) }.filter { (0...17).contains($0) })).sorted()
        freePlaces = unread.number("free_places", text("free_places"), 1...100)
        isFree = text("price") == "free"
        isCovidSafe = text("covid_safe") == "1"
        audience = Event.Audience(rawValue: text("audience"))
        let access = query.all("access")
        amenities = Amenity.allCases.filter { access.contains($0.rawValue) }
        isOnline = access.contains("online")
        written = WrittenLanguage(typed: text("written"))
        tags = Array(query.all("tag").flatMap(Tag.list).prefix(Self.mostTags))
        after = Cursor(in: query)
    }

    /// Whether nothing is filtered.
    var isEmpty: Bool {
        var plain = EventFilter()
        plain.after = after
        plain.isOwnCity = isOwnCity
        plain.country = country
        plain.preferences = preferences
        plain.today = today
        plain.isMap = isMap
        plain.home = home
        plain.sort = sort
        return self == plain
    }

    var asksForDays: Bool { when != nil || hasOwnDays }

    /// Whether it contains days chosen by the visitor.
    var hasOwnDays: Bool { from != nil || to != nil || unread["from"] != nil || unread["to"] != nil }

    /// Whether a place was chosen, apart from the default town.
    var asksForPlace: Bool { !near.isEmpty || !zip.isEmpty || (!city.isEmpty && !isOwnCity) }

    /// An error message if the last day comes before the first.
    var daysProblem: Words? {
        guard let from, let to, to < from else { return nil }
        return "The last day is before the first. Change one of them."
    }

    var problems: [Problem] { unread.problems + (daysProblem.map { [Problem(name: "to", words: $0)] } ?? []) }

    /// The first requested day; today by default.
    func firstDay(from today: Day) -> Day {
        [today, from, when?.days(from: today, weekend: Weekend.of(country)).first].compactMap(\.self).max() ?? today
    }

    /// The range of starts to search; past events are left out.
    func bounds(in zone: Zone, now: Instant) -> (from: Instant, to: Instant?) {
        let today = zone.day(of: now)
        let days = when?.days(from: today, weekend: Weekend.of(country))
        let first = [from, days?.first].compactMap(\.self).max()
        let last = [to, days?.last].compactMap(\.self).min()
        let start = first.map { zone.instant($0, .midnight) } ?? now
        // A current event began some time ago.
        return (
            start > now ? start : now - EventTimes.longest,
            last.map { zone.instant($0.advanced(by: 1), .midnight) }
        )
    }
}

// MARK: - Near a place

extension EventFilter {
    /// The distances to choose from: the usual ones, and the current one.
    var offeredDistances: [Int] { Preferences.distances(and: usedWithin) }

    var usualUnit: Distance.Unit { preferences.unit ?? .usual(in: country) }
    var usualWithin: Int { preferences.distance ?? Preferences.usualDistance }
    var usedUnit: Distance.Unit { unit ?? usualUnit }
    var usedWithin: Int { within ?? usualWithin }

    /// The search area; nil if there is no known place.
    var circle: Circle? {
        around?.match.map {
            Circle(centre: $0.coordinate, kilometres: Double(usedWithin) * usedUnit.inKilometres)
        }
    }

    /// The order of the list: near a place nearest first, unless another order is chosen.
    var order: Sort {
        guard circle == nil else { return sort ?? .nearest }
        return sort == .newest ? .newest : .soonest
    }

    /// The position after an event.
    func position(of event: EventCard) -> Position {
        Cursor(order == .nearest ? event.nearby : nil, order == .newest ? event.createdAt : event.startsAt, event.id)
    }

    /// A distance from the place; nil if no place is chosen.
    func distance(_ kilometres: Double) -> Distance? {
        circle == nil ? nil : Distance(kilometres: kilometres, unit: usedUnit)
    }
}

// MARK: - Links

extension EventFilter {
    /// The feed with these filters.
    var link: Link { link(items) }

    /// The filters as parts of an address, in the order of `names`.
    private var items: [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        func add(_ name: String, _ value: String?) { if let value { items.append((name, value)) } }
        if !words.isEmpty { add("q", words) }
        if !city.isEmpty { add("city", city) }
        if !zip.isEmpty { add("zip", zip) }
        if !near.isEmpty { add("near", near) }
        add("within", within.map { String($0) })
        add("unit", unit?.rawValue)
        add("from", from?.iso ?? unread["from"])
        add("to", to?.iso ?? unread["to"])
        add("when", when?.rawValue)
        for age in ages { add("age", String(age)) }
        add("free_places", freePlaces.map { String($0) } ?? unread["free_places"])
        if isFree { add("price", "free") }
        if isCovidSafe { add("covid_safe", "1") }
        add("audience", audience?.rawValue)
        for amenity in amenities { add("access", amenity.rawValue) }
        if isOnline { add("access", "online") }
        add("written", written?.tag)
        for tag in tags { add("tag", tag) }
        add("event", event.map { "\($0)" })
        return items
    }

    /// The order of the parts.
    private static let names = [
        "q", "city", "zip", "near", "within", "unit", "from", "to", "when", "age", "free_places", "price",
        "covid_safe", "audience", "access", "written", "tag", "event",
    ]

    /// The feed with these parts and this filter's order.
    private func link(_ items: [(name: String, value: String)]) -> Link {
        var items = items
        // Without any filter, a parent's feed would start with their own city again.
        if items.isEmpty { items.append(("city", "")) }
        if let sort { items.append(("sort", sort.rawValue)) }
        return action.with(items).after(after)
    }

    /// The page with the results.
    var action: Link { isMap ? Link.eventMap : Link.events }

    /// The page without filters.
    var cleared: Link {
        var plain = EventFilter()
        plain.isMap = isMap
        return plain.link
    }

    /// The same filters on the first page.
    var firstPage: EventFilter {
        var filter = self
        filter.after = nil
        return filter
    }

    /// The canonical address for search engines: the filters in a fixed order, on the first page. Searches by words,
    /// default filters and unparsable ones aren't pages of their own.
    var found: Link {
        let list = with {
            ($0.sort, $0.event) = (nil, nil)
            if $0.near.isEmpty { $0.around = nil }
        }
        let isPage =
            !list.isEmpty && !isOwnCity && words.isEmpty && problems.isEmpty && (near.isEmpty || circle != nil)
        return isPage ? list.link : action
    }

    /// The first page after a change of the filters.
    func with(_ change: (inout EventFilter) -> Void) -> EventFilter {
        var filter = firstPage
        change(&filter)
        return filter
    }

    func link(_ change: (inout EventFilter) -> Void) -> Link { with(change).link }

    /// A family's shortcut: near its home, this weekend, suitable for all children, with enough places. Nil without
    /// children, or if it is already shown.
    func forUs(_ children: [Child], today: Day) -> Link? {
        guard !children.isEmpty else { return nil }
        var filter = EventFilter()
        filter.country = country
        filter.preferences = preferences
        filter.isMap = isMap
        filter.near = home ?? ""
        filter.when = .weekend
        filter.ages = Set(children.map { min(17, $0.ages(on: today).lowerBound) }).sorted()
        filter.freePlaces = children.count
        return filter.link == link ? nil : filter.link
    }

    /// Events with free places in a town that may suit one of the children; their ages may change until then.
    static func fitting(_ children: [Child], in city: String, today: Day) -> EventFilter {
        var filter = EventFilter()
        filter.city = city
        filter.freePlaces = 1
        filter.anyAges = children.map { child in
            let ages = child.ages(on: today)
            return ages.lowerBound...ages.upperBound + 1
        }
        return filter
    }

    /// A filter that is on, with the link to turn it off; or one that is off, with the link to turn it on.
    struct Chip: Sendable {
        let label: Words
        let link: Link
        let isOn: Bool
    }

    /// A filter that is on, and the search without it.
    struct Part: Sendable {
        /// Its name in a list of filters.
        let label: Words
        /// Its name after “without”.
        let plain: Words
        let without: EventFilter
    }

    /// The filters that are on.
    var parts: [Part] {
        var parts: [Part] = []
        func on(_ label: Words, _ plain: Words? = nil, _ change: (inout EventFilter) -> Void) {
            parts.append(Part(label: label, plain: plain ?? label, without: with(change)))
        }
        if !words.isEmpty { on("“\(words, as: "words")”") { $0.words = "" } }
        if !city.isEmpty { on(Words(verbatim: city)) { $0.city = "" } }
        if !zip.isEmpty { on(Words(verbatim: zip)) { $0.zip = "" } }
        if !near.isEmpty {
            on(nearWords) {
                $0.near = ""
                $0.within = nil
                $0.unit = nil
                $0.around = nil
            }
        }
        if event != nil {
            on(nearWords) {
                $0.event = nil
                $0.around = nil
            }
        }
        if let when { on(when.name) { $0.when = nil } }
        if let from { on("from \(name(of: from), as: "day")", "the first day") { $0.from = nil } }
        if let to { on("until \(name(of: to), as: "day")", "the last day") { $0.to = nil } }
        for age in ages {
            on("for age \(age, as: "age")", "age \(age, as: "age")") { $0.ages.removeAll { $0 == age } }
        }
        if let freePlaces {
            on(Words("{count} place free", plural: "{count} places free", count: freePlaces)) { $0.freePlaces = nil }
        }
        if isFree { on("Free of charge") { $0.isFree = false } }
        if isCovidSafe { on("COVID-safe") { $0.isCovidSafe = false } }
        if let audience { on(audience.name) { $0.audience = nil } }
        for amenity in amenities { on(amenity.name) { $0.amenities.removeAll { $0 == amenity } } }
        if isOnline { on("Online") { $0.isOnline = false } }
        if let written { on("written in \(written.name, as: "language")") { $0.written = nil } }
        for tag in tags { on(Words(verbatim: tag)) { $0.tags.removeAll { $0 == tag } } }
        return parts
    }

    /// The filters that are on, each with a link to turn it off.
    var chips: [Chip] { parts.map { Chip(label: $0.label, link: $0.without.link, isOn: true) } }

    /// A search near a place, in place of the words.
    func instead(near match: Gazetteer.Match) -> Chip {
        let name = match.zip.isEmpty ? match.label : match.zip
        return Chip(
            label: "near \(name, as: "place")",
            link: link { filter in
                filter.words = ""
                filter.city = ""
                filter.near = name
            }, isOn: false)
    }

    /// A search on the days that one of the words names, in place of that word; nil if there is none, or days are
    /// already chosen.
    func instead(on today: Day) -> Chip? {
        guard when == nil, from == nil, to == nil, !words.isEmpty,
            let days = NamedDays(in: words, today: today, weekend: Weekend.of(country))
        else { return nil }
        let label: Words =
            days.first == days.last
            ? "on \(days.first.name, as: "day")"
            : "from \(days.first.shortName, as: "day") to \(days.last.shortName, as: "end")"
        return Chip(
            label: label,
            link: link { filter in
                filter.words = days.rest
                filter.from = days.first
                filter.to = days.last
            }, isOn: false)
    }

    /// How many filters are tried to find one to drop.
    static let mostTried = 4

    /// A filter that could be dropped, with the number of matches without it.
    struct Lighter: Sendable {
        let label: Words
        let link: Link
        let tally: Tally
    }

    /// Suggestions for further filters. Each adds one part to the same address, whose other parts are made only once.
    var offers: [Chip] {
        let first = firstPage
        let items = first.items
        var offers: [Chip] = []
        func offer(_ label: Words, _ name: String, _ value: String, without other: String? = nil) {
            var items = other == nil ? items : items.filter { $0.name != other }
            let place = Self.names.firstIndex(of: name) ?? Self.names.endIndex
            let end = items.firstIndex { (Self.names.firstIndex(of: $0.name) ?? place) > place } ?? items.endIndex
            items.insert((name, value), at: end)
            offers.append(Chip(label: label, link: first.link(items), isOn: false))
        }
        if when == nil, from == nil, to == nil {
            for when in When.allCases { offer(when.name, "when", when.rawValue) }
        }
        if let home, near.isEmpty { offer("Near me", "near", home, without: "city") }
        if freePlaces == nil { offer("Places left", "free_places", "1", without: "free_places") }
        if !isFree { offer("Free of charge", "price", "free") }
        if audience == nil { offer(Event.Audience.everyone.name, "audience", Event.Audience.everyone.rawValue) }
        if !isCovidSafe { offer("COVID-safe", "covid_safe", "1") }
        return offers
    }

    private func name(of day: Day) -> Words {
        guard let today, day.year != today.year else { return day.shortName }
        return day.date
    }

    /// `within 10 mi of San Jose, CA`, or if the place is unknown, `near Springfield`.
    private var nearWords: Words {
        guard let match = around?.match else { return "near \(near, as: "place")" }
        guard event == nil else { return "around “\(match.name, as: "event")”" }
        return """
            within \(usedWithin, as: "number") \(usedUnit.short, as: "unit") of \(match.said, as: "place")
            """
    }

    /// The same search around another place with that name.
    func near(_ match: Gazetteer.Match) -> Link { link { $0.near = match.label } }

    /// The same search around an event's place.
    func around(_ event: ID<Event>) -> Link {
        link {
            $0.event = event
            $0.near = ""
            $0.around = nil
        }
    }

    /// The same events as a list or on the map.
    func shown(onMap isMap: Bool) -> Link { link { $0.isMap = isMap } }

    /// The next larger radius, if there is one.
    var wider: (number: Int, link: Link)? {
        guard circle != nil, let next = Preferences.distances.first(where: { $0 > usedWithin }) else { return nil }
        return (next, link { $0.within = next })
    }

    /// The feed without filters.
    static let everything = EventFilter().link
    static let allAges = 0...17

    /// The feed for all towns, with the other filters unchanged.
    var widened: Link { link { $0.city = "" } }
}
