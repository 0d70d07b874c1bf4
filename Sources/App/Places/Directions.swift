import Templating

/// Links for directions to a place, in the visitor's choice of maps: no map service is contacted before they press one.
struct Directions: Sendable, Equatable {
    /// The destination in the links: an address or coordinates.
    private let text: String
    private let point: Coordinate?
    /// Whether the destination is coordinates.
    private let isPin: Bool

    /// Nil if there is no address.
    init?(to address: Address, at point: Coordinate? = nil) {
        guard !address.city.isEmpty else { return nil }
        (text, self.point, isPin) = ("\(address.line), \(Country.name(of: address.country))", point, false)
    }

    /// A destination by name; nil if it is empty.
    init?(to place: String) {
        guard !place.isEmpty else { return nil }
        (text, point, isPin) = (place, nil, false)
    }

    init(toPin point: Coordinate) {
        (text, self.point, isPin) = ("\(point.written.latitude),\(point.written.longitude)", point, true)
    }

    /// On OpenStreetMap, in any browser: its form for a route, with the destination filled in.
    var web: Link { Link("https://www.openstreetmap.org/directions").with("to", text) }

    /// In Apple's app, which every Apple device has; `geo:` does nothing there.
    var apple: Link { Link("https://maps.apple.com/").with("daddr", text) }

    /// In the map app of any other phone (RFC 5870).
    var app: Link {
        Link(geo: point.map { ($0.latitude, $0.longitude) } ?? (0, 0), label: isPin ? "" : text)
    }
}
