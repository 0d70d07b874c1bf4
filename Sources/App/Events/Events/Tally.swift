import Forms

/// The number of a search's matches, as far as they were counted.
struct Tally: Sendable, Equatable {
    let count: Int
    /// Whether the number is exact.
    let isExact: Bool

    /// The highest number counted, which bounds the time even in a large town.
    static let limit = 50

    /// The tally of `found` events, when up to one more than `limit` was requested.
    ///
    /// - Parameter isWhole: Whether all events were examined. If not, there may be more matches, and the number is a
    ///   minimum.
    init(found: Int, limit: Int, isWhole: Bool = true) {
        if isWhole || found > limit {
            self.init(count: min(found, limit), isExact: found <= limit)
        } else {
            self.init(count: max(0, found - 1), isExact: false)
        }
    }

    init(count: Int, isExact: Bool) {
        self.count = count
        self.isExact = isExact
    }

    /// `12 events`, `More than 50 events`.
    var words: Words {
        isExact
            ? Words("{count} event", plural: "{count} events", count: count)
            : Words("More than {count} event", plural: "More than {count} events", count: count)
    }

    /// For a button: `Show 12 events`.
    var button: Words {
        if count == 0 { return isExact ? "Nothing fits yet" : "Show events" }
        return isExact
            ? Words("Show {count} event", plural: "Show {count} events", count: count)
            : Words("Show more than {count} event", plural: "Show more than {count} events", count: count)
    }
}
