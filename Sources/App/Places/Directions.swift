import Templating

/// The way to a place, for the maps of the visitor's own choice: nothing is asked of any before the press.
struct Directions: Sendable, Equatable {
    /// What a map is asked for: an address, or a point.
    private let text: String
    private let point: Coordinate?
    /// Whether the point says it, and no address.
    private let isPin: Bool

    /// Nil where there is no address.
    init?(to address: Address, at point: Coordinate? = nil) {
        guard !address.city.isEmpty else { return nil }
        (text, self.point, isPin) = ("\(address.line), \(Country.name(of: address.country))", point, false)
    }

    /// A place as people call it; nil of none.
    init?(to place: String) {
        guard !place.isEmpty else { return nil }
        (text, point, isPin) = (place, nil, false)
    }

    init(toPin point: Coordinate) {
        (text, self.point, isPin) = ("\(point.written.latitude),\(point.written.longitude)", point, true)
    }

    /// On OpenStreetMap, in any browser.
    var web: Link {
        guard isPin, let point = point?.written else {
            return Link("https://www.openstreetmap.org/search").with("query", text)
        }
        return Link("https://www.openstreetmap.org/").with([
            ("mlat", point.latitude), ("mlon", point.longitude), ("zoom", "18"),
        ])
    }

    /// In Apple's app, which is on each of its devices; `geo:` does nothing there.
    var apple: Link { Link("https://maps.apple.com/").with("daddr", text) }

    /// In the maps app of any other phone (RFC 5870).
    var app: Link {
        Link(geo: point.map { ($0.latitude, $0.longitude) } ?? (0, 0), label: isPin ? "" : text)
    }
}
