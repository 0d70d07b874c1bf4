import Forms
import Templating

/// The filters of a search: `?q=ladder&kind=things&near=95112&within=2&unit=mi`.
struct NeedFilter: Sendable {
    var words = ""
    var kind: Need.Kind?
    var near = ""
    var within: Int?
    var unit: Distance.Unit?
    /// The position after the previous page.
    var after: Position?
    let country: String
    let preferences: Preferences
    /// The location of `near`.
    var around: Gazetteer.Answer?
    /// The reader's town in the form for typing, if it is known where it is.
    var home: String?
    /// Whether the address names the area, or that there is none.
    var saysWhere = false
    /// Whether it is the reader's town by default.
    var isOwnTown = false
    /// Whether everything is shown because nothing is needed in the reader's town.
    var isWidened = false

    init(_ query: FormBody, country: String, preferences: Preferences) {
        words = (query["q"] ?? "").prefix(100).squeezed
        kind = query["kind"].flatMap { Need.Kind(rawValue: $0) }
        near = (query["near"] ?? "").prefix(100).squeezed
        saysWhere = query["near"] != nil
        within = query["within"].flatMap { Int($0) }.flatMap { (1...200).contains($0) ? $0 : nil }
        unit = query["unit"].flatMap { Distance.Unit(rawValue: $0) }
        after = Cursor(in: query)
        self.country = country
        self.preferences = preferences
    }

    /// A position in the list, sorted by distance or age.
    typealias Position = Cursor<Point.Nearby?, ID<Need>>

    var usualUnit: Distance.Unit { preferences.unit ?? .usual(in: country) }
    var usedUnit: Distance.Unit { unit ?? usualUnit }
    var usedWithin: Int { within ?? preferences.distance ?? Preferences.usualDistance }
    var offeredDistances: [Int] { Preferences.distances(and: usedWithin) }

    /// The search area; nil if there is no known place.
    var circle: Circle? {
        around?.match.map {
            Circle(centre: $0.coordinate, kilometres: Double(usedWithin) * usedUnit.inKilometres)
        }
    }

    /// Whether nothing is filtered, except possibly by the reader's own town.
    var isEmpty: Bool { words.isEmpty && kind == nil && (near.isEmpty || isOwnTown) }

    var link: Link {
        // Without an explicit empty value, a member's list would start with their own town again.
        let place = isOwnTown || near.isEmpty && home == nil ? nil : near
        let pairs: [(String, String?)] = [
            ("q", words.nonEmpty), ("kind", kind?.rawValue), ("near", place), ("within", within.map { "\($0)" }),
            ("unit", unit?.rawValue),
        ]
        return Link.needs.with(pairs.compactMap { name, value in value.map { (name: name, value: $0) } }).after(after)
    }

    /// The same filter on the first page.
    var firstPage: NeedFilter {
        var filter = self
        filter.after = nil
        return filter
    }

    /// The same filter without an area.
    var widened: NeedFilter {
        var filter = firstPage
        (filter.near, filter.within, filter.unit) = ("", nil, nil)
        (filter.around, filter.isOwnTown) = (nil, false)
        return filter
    }

    /// The same filter in the reader's town; nil if it isn't known, or shown already.
    var nearHome: Link? {
        guard home != nil, !isOwnTown else { return nil }
        var filter = widened
        filter.isOwnTown = true
        return filter.link
    }

    /// Everything, without filters.
    var everywhere: Link { Link.needs.with("near", home == nil ? nil : "") }

    /// The canonical address for search engines, as in `EventFilter.found`.
    var found: Link {
        guard !isEmpty, words.isEmpty, near.isEmpty || circle != nil else { return Link.needs }
        var filter = firstPage
        filter.home = nil
        return filter.link
    }

    /// Toggles showing only one kind.
    func only(_ kind: Need.Kind) -> Link {
        var filter = firstPage
        filter.kind = self.kind == kind ? nil : kind
        return filter.link
    }

    /// The search area, in words.
    var place: Words? {
        around?.match.map {
            "Within \(usedWithin, as: "number") \(usedUnit.short, as: "unit") of \($0.said, as: "place")"
        }
    }
}

/// `/needs`: a page of needs, on a map and in an equivalent list.
struct NeedList: Sendable {
    let filter: NeedFilter
    let items: [Need]
    let map: MapDrawing
    let more: Link?

    var isBare: Bool { items.isEmpty && filter.isEmpty }

    /// The canonical address for search engines: an empty search isn't a page of its own.
    var found: Link { items.isEmpty ? Link.needs : filter.found }
}

/// `/needs/{id}`.
struct NeedPage: Sendable {
    var need: Need
    var map: MapDrawing?
    /// The promises: all for the author, otherwise the reader's own.
    var claims: [Claim] = []
    var mine: Claim?
    /// The threads about it in which the reader can write, or could a while ago.
    var threads: [TalkThread] = []

    /// Whether the same two talk in a later one by now: a promise that was taken back can be made again.
    func isEarlier(_ thread: TalkThread) -> Bool {
        threads.contains { $0.other.account == thread.other.account && $0.id > thread.id }
    }

    var isOwn = false
    /// Whether the reader may know a home's street.
    var isTrusted = false
    var canClaim = false
    /// The obstacle that applies to the reader but not to others.
    var hurdle: Claim.Refused?
    var isPreview = false
    /// Whether a visitor could promise something after logging in.
    func isToLogInFor(_ visitor: Visitor?) -> Bool {
        visitor == nil && mine == nil && !isOver && !need.isLasting && !isOwn
    }

    /// Promises that just ended.
    var undos: [Undo] = []
    var isOver = false
    /// Why a promise was refused.
    var refused: Claim.Refused?
    /// The same, leading to the form where the page has it.
    var problems: [Problem] {
        refused.map { [Problem(name: mine == nil && canClaim ? "take" : nil, words: $0.words)] } ?? []
    }
    /// What the reader brought, with thanks.
    var given: Given?

    struct Given: Sendable {
        let claim: ID<Claim>
        let count: Int
        /// The deed in the ledger; nil if it was undone.
        let deed: ID<Deed>?
        /// Whether it can be undone.
        let isUndoable: Bool
    }

    /// The place, as far as the reader may know it.
    var place: Words {
        need.place.isHome && !isTrusted ? need.place.open : need.place.whole
    }

    /// Directions; for a home only if the reader may know the street.
    var directions: Directions? {
        guard !need.place.isHome || isTrusted else { return nil }
        return Directions(to: need.place.address, at: need.place.isHome ? nil : need.place.coordinate)
    }
}

/// The form for a need, and its context.
struct NeedPosting: Sendable {
    /// The need being changed; nil for a new one.
    var stored: Need?
    /// The photo in the form.
    var picture: Picture?
    var search = PlaceSearch()
    /// The map for the pin.
    var map: MapDrawing?

    var action: Link { stored.map { $0.link / "edit" } ?? Link.newNeed }
    var back: Link { stored?.link ?? .needs }
    var isNew: Bool { stored == nil }
    /// The page's title.
    var title: Words {
        stored.map { .page("Change what you asked for", about: Words(verbatim: $0.title)) } ?? "Ask for something"
    }
}
