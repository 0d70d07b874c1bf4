import Forms
import Templating

/// The filters of a search for opportunities, as in the URL.
struct OpportunityFilter: Sendable, Equatable {
    var words = ""
    var kinds: [Opportunity.Kind] = []
    var tag = ""
    var near = ""
    var within: Int?
    var unit: Distance.Unit?
    var from: Day?
    var to: Day?
    /// The most hours, of a shift or per week.
    var hours: Int?
    /// The helper's age.
    var age: Int?
    var isAtHome = false
    var isWithChildren = false
    /// Whether to show only verified organizations.
    var isVerified = false
    /// An organization's user name.
    var organization = ""
    var sort: Sort?
    var view: Display?
    var after: Position?
    var country = "US"
    /// Typed filters that can't be parsed: they are off, and the page says so.
    var unread = Unread()
    var preferences = Preferences.usual
    var around: Gazetteer.Answer?
    /// The reader's town in the form for typing, and its location.
    var home: String?
    var origin: Coordinate?
    /// Whether the address names the area, or that there is none.
    var saysWhere = false
    /// Whether it is that town's area by default.
    var isOwnArea = false
    var room = Room.list

    /// The page on which they are shown.
    enum Room: Sendable, CaseIterable {
        case list, map, suggested

        var link: Link {
            switch self {
            case .list: .opportunities
            case .map: .opportunities / "map"
            case .suggested: .opportunities / "suggested"
            }
        }

        var name: Words {
            switch self {
            case .list: "List"
            case .map: "Map"
            case .suggested: "For you"
            }
        }

        var icon: Icon {
            switch self {
            case .list: .cards
            case .map: .map
            case .suggested: .star
            }
        }
    }

    enum Sort: String, Sendable, CaseIterable {
        case newest, nearest

        var name: Words {
            switch self {
            case .newest: "Newest first"
            case .nearest: "Nearest first"
            }
        }
    }

    /// The look of the list, remembered for the reader.
    enum Display: String, Sendable, CaseIterable {
        case cards, table

        var name: Words { self == .cards ? "Cards" : "Table" }
        var icon: Icon { self == .cards ? .cards : .table }
    }

    /// A position in the list, sorted by distance or age.
    typealias Position = Cursor<Point.Nearby?, ID<Opportunity>>

    init() {}

    /// Parses a URL's query.
    init(_ query: FormBody, country: String) {
        func text(_ name: String) -> String { query[name]?.prefix(200).squeezed ?? "" }
        self.country = country
        words = text("q")
        let asked = query.all("kind")
        kinds = Opportunity.Kind.allCases.filter { asked.contains($0.rawValue) }
        if kinds.count == Opportunity.Kind.allCases.count { kinds = [] }
        tag = Tag.list(text("tag")).first ?? ""
        near = text("near")
        saysWhere = query["near"] != nil
        within = Int(typed: text("within")).flatMap { (1...200).contains($0) ? $0 : nil }
        unit = Distance.Unit(rawValue: text("unit"))
        from = unread.day("from", text("from"), in: country)
        to = unread.day("to", text("to"), in: country)
        hours = unread.number("hours", text("hours"), 1...60)
        age = unread.number("age", text("age"), 0...99)
        isAtHome = text("home") == "1"
        isWithChildren = text("children") == "1"
        isVerified = text("verified") == "1"
        organization = text("organization")
        sort = Sort(rawValue: text("sort"))
        view = Display(rawValue: text("as"))
        after = Cursor(in: query)
    }

    /// Whether there are no filters: then nearby opportunities are shown.
    var asksNothing: Bool { !saysWhere && isEmpty && sort == nil && after == nil }

    /// Whether nothing is filtered.
    var isEmpty: Bool { chips.isEmpty }

    var usualUnit: Distance.Unit { preferences.unit ?? .usual(in: country) }
    var usualWithin: Int { preferences.distance ?? Preferences.usualDistance }
    var usedUnit: Distance.Unit { unit ?? usualUnit }
    var usedWithin: Int { within ?? usualWithin }
    var offeredDistances: [Int] { Preferences.distances(and: usedWithin) }
    var shown: Display { view ?? .cards }

    /// The search area; nil if there is no known place.
    var circle: Circle? {
        around?.match.map {
            Circle(centre: $0.coordinate, kilometres: Double(usedWithin) * usedUnit.inKilometres)
        }
    }

    var order: Sort { circle == nil ? .newest : sort ?? .nearest }

    // MARK: Links

    var link: Link {
        var items: [(name: String, value: String)] = []
        func add(_ name: String, _ value: String?) { if let value, !value.isEmpty { items.append((name, value)) } }
        add("q", words)
        for kind in kinds { add("kind", kind.rawValue) }
        add("tag", tag)
        add("near", near)
        add("within", within.map { String($0) })
        add("unit", unit?.rawValue)
        add("from", from?.iso ?? unread["from"])
        add("to", to?.iso ?? unread["to"])
        add("hours", hours.map { String($0) } ?? unread["hours"])
        add("age", age.map { String($0) } ?? unread["age"])
        if isAtHome { add("home", "1") }
        if isWithChildren { add("children", "1") }
        if isVerified { add("verified", "1") }
        add("organization", organization)
        add("sort", sort?.rawValue)
        add("as", view?.rawValue)
        // Without an explicit empty value, a member’s list would start with their own area again.
        if home != nil, near.isEmpty, room != .suggested { items.append(("near", "")) }
        return room.link.with(items).after(after)
    }

    /// The same filter on another page.
    func turned(to room: Room) -> Link {
        link {
            $0.room = room
            if !$0.saysWhere, $0.near.isEmpty { $0.home = nil }
            if $0.isOwnArea, room == .suggested { $0.near = "" }
        }
    }

    /// Everything, without filters.
    var everywhere: Link { Link.opportunities.with("near", "") }

    /// The canonical address for search engines, as in `EventFilter.found`.
    var found: Link {
        guard !isEmpty, !isOwnArea, words.isEmpty, unread.problems.isEmpty, near.isEmpty || circle != nil else {
            return room.link
        }
        return link { ($0.sort, $0.view, $0.home) = (nil, nil, nil) }
    }

    /// The same filter as an Atom feed.
    var atom: Link {
        var filter = self
        filter.after = nil
        filter.view = nil
        filter.home = nil
        return Link(path: Link.opportunityFeed.string + filter.link.string.from("?"))
    }

    /// The first page after a change of the filter.
    func link(_ change: (inout OpportunityFilter) -> Void) -> Link {
        var filter = self
        filter.after = nil
        change(&filter)
        return filter.link
    }

    func showing(_ view: Display) -> Link { link { $0.view = view } }

    /// Toggles showing only one kind.
    func only(_ kind: Opportunity.Kind) -> Link { link { $0.kinds = isOnly(kind) ? [] : [kind] } }
    func isOnly(_ kind: Opportunity.Kind) -> Bool { kinds == [kind] }

    var chips: [EventFilter.Chip] {
        var chips: [EventFilter.Chip] = []
        func on(_ label: Words, _ change: (inout OpportunityFilter) -> Void) {
            chips.append(EventFilter.Chip(label: label, link: link(change), isOn: true))
        }
        if !words.isEmpty { on("“\(words, as: "words")”") { $0.words = "" } }
        for kind in kinds { on(kind.name) { $0.kinds.removeAll { $0 == kind } } }
        if !tag.isEmpty { on(Words(verbatim: tag)) { $0.tag = "" } }
        if !near.isEmpty {
            on(nearWords) {
                $0.near = ""
                $0.within = nil
                $0.unit = nil
            }
        }
        if let from { on("from \(from.shortName, as: "day")") { $0.from = nil } }
        if let to { on("until \(to.shortName, as: "day")") { $0.to = nil } }
        if let hours {
            on(Words("{count} hour at most", plural: "{count} hours at most", count: hours)) {
                $0.hours = nil
            }
        }
        if let age { on("for age \(age, as: "age")") { $0.age = nil } }
        if isAtHome { on("At home") { $0.isAtHome = false } }
        if isWithChildren { on("With children") { $0.isWithChildren = false } }
        if isVerified { on("Verified organizations") { $0.isVerified = false } }
        if !organization.isEmpty { on(Words(verbatim: organization)) { $0.organization = "" } }
        return chips
    }

    /// Suggestions for further filters.
    var offers: [EventFilter.Chip] {
        var offers: [EventFilter.Chip] = []
        func off(_ label: Words, _ change: (inout OpportunityFilter) -> Void) {
            offers.append(EventFilter.Chip(label: label, link: link(change), isOn: false))
        }
        if let home, near.isEmpty { off("Near me") { $0.near = home } }
        if !isWithChildren { off("With children") { $0.isWithChildren = true } }
        if !isAtHome { off("At home") { $0.isAtHome = true } }
        if circle != nil {
            switch order {
            case .nearest: off("Newest first") { $0.sort = .newest }
            case .newest: off("Nearest first") { $0.sort = .nearest }
            }
        }
        return offers
    }

    private var nearWords: Words {
        guard let match = around?.match else { return "near \(near, as: "place")" }
        return "within \(usedWithin, as: "number") \(usedUnit.short, as: "unit") of \(match.said, as: "place")"
    }
}

/// A page of opportunities.
struct OpportunityList: Sendable {
    let filter: OpportunityFilter
    let items: [Opportunity]
    let more: Link?
    /// Organizations whose names match the words.
    var organizations: [Provider] = []
    /// Whether the site has no opportunities at all.
    var isBare: Bool { items.isEmpty && filter.isEmpty && filter.after == nil }

    init(_ filter: OpportunityFilter, _ page: Page<Opportunity>) {
        self.filter = filter
        items = page.items
        more = page.more(at: filter.link { _ in })
    }

    /// The canonical address for search engines: an empty search isn't a page of its own.
    var found: Link { items.isEmpty ? filter.room.link : filter.found }

    var heading: Words {
        guard let match = filter.circle == nil ? nil : filter.around?.match else { return "Ways to help" }
        return filter.near == filter.home
            ? "Ways to help, close to you" : "Ways to help near \(match.town, as: "place")"
    }
}

/// A page of opportunities on the map, and in an equivalent list.
struct OpportunityMap: Sendable {
    let list: OpportunityList
    let drawing: MapDrawing

    /// How many have no position.
    var unplaced: Int { list.items.count { $0.place.coordinate == nil } }
}

extension OpportunityList {
    /// The pins on the map.
    var pins: [MapDrawing.Place] {
        items.compactMap { opportunity in
            opportunity.place.coordinate.map {
                MapDrawing.Place(
                    coordinate: $0, name: opportunity.label, link: opportunity.link,
                    entry: Link("").fragment(opportunity.entryID))
            }
        }
    }
}

extension Opportunity {
    /// Its place and distance.
    var nearby: Point.Nearby? {
        guard let point = place.point, let distance else { return nil }
        return Point.Nearby(id: point, kilometres: distance.kilometres)
    }

    /// Its ID in a list, such as the one beside the map.
    var entryID: String { "help-\(id)" }
    /// The label of its pin.
    var label: Words { "\(title, as: "title"), \(when, as: "time")" }
}
