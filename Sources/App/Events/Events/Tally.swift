import Forms

/// How many events a search finds, as far as they were counted.
struct Tally: Sendable, Equatable {
    let count: Int
    /// Whether there are no more than that.
    let isExact: Bool

    /// Counting ends here: nobody reads more, and it takes as long in a large town as in a small one.
    static let limit = 50

    /// Of `found` events, of which one more than `limit` was looked for.
    ///
    /// - Parameter isWhole: Whether all were looked at. Behind them others may fit: the number is what is known for
    ///   sure.
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

    /// What a button says that shows them: `Show 12 events`.
    var button: Words {
        if count == 0 { return isExact ? "Nothing fits yet" : "Show events" }
        return isExact
            ? Words("Show {count} event", plural: "Show {count} events", count: count)
            : Words("Show more than {count} event", plural: "Show more than {count} events", count: count)
    }
}
