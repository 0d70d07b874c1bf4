/// A point on the map that events are at.
enum Point {
    /// A point with events, and how far it is, in kilometres.
    struct Nearby: Sendable, Equatable {
        let id: ID<Point>
        let kilometres: Double
    }
}
