import Forms

/// What an event said before it was changed, and says now: for families who had registered.
struct Change: Sendable, Equatable {
    let event: ID<Event>
    let what: What
    var before: String
    var now: String
    /// The newest change of the event that a page with this one tells of.
    var last = ID<Change>(0)

    enum What: String, Sendable {
        case time, place, price

        var name: Words {
            switch self {
            case .time: "Time"
            case .place: "Place"
            case .price: "Price"
            }
        }
    }

    /// That an event doesn't take place: its time is none any more.
    static func cancelling(_ event: Event) -> Change {
        Change(event: event.id, what: .time, before: event.spokenTime, now: "canceled")
    }

    /// What families must know of a change: time, place and price.
    static func between(_ old: Event, _ new: Event) -> [Change] {
        [(.time, \.spokenTime), (.place, \.spokenPlace), (.price, \.spokenPrice)].compactMap {
            (what: What, words: KeyPath<Event, String>) in
            let (before, now) = (old[keyPath: words], new[keyPath: words])
            return before == now ? nil : Change(event: old.id, what: what, before: before, now: now)
        }
    }

    /// Several changes of one thing as one, from the first to the last; what is again as it was is none.
    static func merged(_ changes: [Change]) -> [Change] {
        var merged: [Change] = []
        for change in changes {
            if let index = merged.firstIndex(where: { $0.event == change.event && $0.what == change.what }) {
                merged[index].now = change.now
            } else {
                merged.append(change)
            }
        }
        for index in merged.indices {
            let ofEvent = changes.filter { $0.event == merged[index].event }
            merged[index].last = ofEvent.map(\.last).max() ?? merged[index].last
        }
        return merged.filter { $0.before != $0.now }
    }
}

extension Event {
    fileprivate var spokenTime: String { "\(day.fullName), \(time)" }
    fileprivate var spokenPlace: String { isInPerson ? address.line : "Online" }
    fileprivate var spokenPrice: String { fee?.english ?? "not stated" }
}
