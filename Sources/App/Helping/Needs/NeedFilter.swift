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
