import Forms
import Templating

/// What somebody looks for: `?q=ladder&kind=things&near=95112&within=2&unit=mi`.
struct NeedFilter: Sendable {
    var words = ""
    var kind: Need.Kind?
    var near = ""
    var within: Int?
    var unit: Distance.Unit?
    /// The last that was looked at for the page before.
    var after: Position?
    let country: String
    let preferences: Preferences
    /// Where `near` is.
    var around: Gazetteer.Answer?
    /// The reader's town, where nothing else was asked for.
    var isOwnTown = false

    init(_ query: FormBody, country: String, preferences: Preferences) {
        words = (query["q"] ?? "").prefix(100).squeezed
        kind = query["kind"].flatMap { Need.Kind(rawValue: $0) }
        near = (query["near"] ?? "").prefix(100).squeezed
        within = query["within"].flatMap { Int($0) }.flatMap { (1...200).contains($0) ? $0 : nil }
        unit = query["unit"].flatMap { Distance.Unit(rawValue: $0) }
        after = Cursor(in: query)
        self.country = country
        self.preferences = preferences
    }

    /// Where a list goes on: the nearest first, or the newest.
    typealias Position = Cursor<Point.Nearby?, ID<Need>>

    var usualUnit: Distance.Unit { preferences.unit ?? .usual(in: country) }
    var usedUnit: Distance.Unit { unit ?? usualUnit }
    var usedWithin: Int { within ?? preferences.distance ?? EventFilter.usualDistance }
    var offeredDistances: [Int] { Set(EventFilter.distances + [usedWithin]).sorted() }

    /// What is asked for is within this; nil where no place is, or none that is known.
    var circle: Circle? {
        around?.match.map {
            Circle(centre: $0.coordinate, kilometres: Double(usedWithin) * usedUnit.inKilometres)
        }
    }

    /// Whether somebody looks at all there is, or at what is around their own town.
    var isEmpty: Bool { words.isEmpty && kind == nil && (near.isEmpty || isOwnTown) }

    var link: Link {
        let pairs: [(String, String?)] = [
            ("q", words.nonEmpty), ("kind", kind?.rawValue),
            ("near", near.isEmpty || isOwnTown ? nil : near), ("within", within.map { "\($0)" }),
            ("unit", unit?.rawValue),
        ]
        return Link.needs.with(pairs.compactMap { name, value in value.map { (name: name, value: $0) } }).after(after)
    }

    /// The same, from the first page on.
    var firstPage: NeedFilter {
        var filter = self
        filter.after = nil
        return filter
    }

    /// What search engines know the list by, as `EventFilter.found` says.
    var found: Link {
        guard !isEmpty, words.isEmpty, near.isEmpty || circle != nil else { return Link.needs }
        return firstPage.link
    }

    /// One kind alone; where it is, all of them again.
    func only(_ kind: Need.Kind) -> Link {
        var filter = firstPage
        filter.kind = self.kind == kind ? nil : kind
        return filter.link
    }

    /// Where it looks, in words.
    var place: Words? {
        around?.match.map {
            "Within \(usedWithin, as: "number") \(usedUnit.short, as: "unit") of \($0.said, as: "place")"
        }
    }
}

/// `/needs`: a page of them, on a map and in a list of equal weight.
struct NeedList: Sendable {
    let filter: NeedFilter
    let items: [Need]
    let map: MapDrawing
    let more: Link?

    var isBare: Bool { items.isEmpty && filter.isEmpty }

    /// What search engines know it by: a search that finds nothing is no page of its own.
    var found: Link { items.isEmpty ? Link.needs : filter.found }
}

/// `/needs/{id}`.
struct NeedPage: Sendable {
    var need: Need
    var map: MapDrawing?
    /// What each helper promised: all of it for the author, a helper's own for that helper.
    var claims: [Claim] = []
    var mine: Claim?
    /// Those with whom the reader can talk about it, or could a while ago.
    var threads: [TalkThread] = []

    /// Whether the same two talk in a later one by now: a promise that was taken back can be made again.
    func isEarlier(_ thread: TalkThread) -> Bool {
        threads.contains { $0.other.account == thread.other.account && $0.id > thread.id }
    }

    var isOwn = false
    /// Whether the reader may know the street of a home.
    var isTrusted = false
    var canClaim = false
    /// Why the reader can't take it, though others can.
    var hurdle: Claim.Refused?
    var isPreview = false
    /// Whether a visitor who isn't logged in could promise something.
    func isToLogInFor(_ visitor: Visitor?) -> Bool {
        visitor == nil && mine == nil && !isOver && !need.isLasting && !isOwn
    }

    /// Promises that ended a moment ago.
    var undos: [Undo] = []
    var isOver = false
    var problem: Words?
    /// What the reader brought, and is thanked for.
    var given: Given?

    struct Given: Sendable {
        let claim: ID<Claim>
        let count: Int
        /// What stands in the ledger for it; nil once it was taken back.
        let deed: ID<Deed>?
        /// Whether that can be taken back.
        let isUndoable: Bool
    }

    /// Where it is, as far as the reader may know.
    var place: Words {
        need.place.isHome && !isTrusted ? need.place.open : need.place.whole
    }

    /// The way there; of a home only for those who may know it.
    var directions: Directions? {
        guard !need.place.isHome || isTrusted else { return nil }
        return Directions(to: need.place.address, at: need.place.isHome ? nil : need.place.coordinate)
    }
}

/// The form of a need, with what goes along.
struct NeedPosting: Sendable {
    /// What is changed; nil of a new one.
    var stored: Need?
    /// The photo that goes with what was typed.
    var picture: Picture?
    var search = PlaceSearch()
    /// To put a pin on.
    var map: MapDrawing?

    var action: Link { stored.map { $0.link / "edit" } ?? Link.newNeed }
    var back: Link { stored?.link ?? .needs }
    var isNew: Bool { stored == nil }
}
