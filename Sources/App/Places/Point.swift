/// A point on the map with events, opportunities or needs.
enum Point {
    /// A point with something at it, and its distance in kilometers.
    struct Nearby: Sendable, Equatable {
        let id: ID<Point>
        let kilometres: Double
    }
}

/// The position in a list sorted by distance: a place and its distance, which is included because the place may
/// disappear from the map.
extension Point.Nearby: CursorKey {
    init(cursor text: String) throws(UnreadableCursor) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let kilometres = Double(parts[0]), kilometres >= 0, let id = ID<Point>(parts[1]) else {
            throw UnreadableCursor()
        }
        self.init(id: id, kilometres: kilometres)
    }

    var cursor: String { "\(kilometres)_\(id)" }
}
