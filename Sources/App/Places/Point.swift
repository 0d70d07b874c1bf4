/// A point on the map that events are at, or ways to help and needs.
enum Point {
    /// A point with something at it, and how far it is, in kilometers.
    struct Nearby: Sendable, Equatable {
        let id: ID<Point>
        let kilometres: Double
    }
}

/// Where a list stands by nearness: the place that had its turn, and how far it is, since it may be gone from the map
/// meanwhile.
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
