/// A point on the map that events are at, or ways to help and needs.
enum Point {
    /// A point with something at it, and how far it is, in kilometres.
    struct Nearby: Sendable, Equatable {
        let id: ID<Point>
        let kilometres: Double
    }

    /// Where a list goes on: behind a row, and where it stands by nearness, behind one at a place so far away. The
    /// place may be gone from the map meanwhile.
    struct Turn<Row>: Sendable, Equatable {
        var place: Nearby?
        let id: ID<Row>

        init(place: Nearby?, id: ID<Row>) { (self.place, self.id) = (place, id) }

        init?(_ text: String) {
            let parts = text.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
            guard let id = parts.last.flatMap({ ID<Row>($0) }) else { return nil }
            self.id = id
            guard parts.count > 1 else { return }
            guard parts.count == 3, let kilometres = Double(parts[0]), kilometres >= 0, let place = ID<Point>(parts[1])
            else { return nil }
            self.place = Nearby(id: place, kilometres: kilometres)
        }

        var text: String { place.map { "\($0.kilometres)_\($0.id)_\(id)" } ?? "\(id)" }
    }
}
