import Forms
import Templating

/// A page of events on the map, and in an equivalent list.
struct MapPage: Sendable {
    let filter: EventFilter
    let spots: [Spot]
    /// Places with events that aren't on this page.
    var others: [Others] = []
    /// The link to the next page, if there is one.
    let more: Link?
    let drawing: MapDrawing
    /// The total number, on the first page.
    var tally: Tally?
    /// Advice on the search.
    var advice = Advice()
    /// The search that a member can save, as a list.
    var saving: SavedSearch.Offer?

    /// Events per page.
    static let size = 40

    /// The most places with other events.
    static let mostPlaces = 200

    /// Events at a place that aren't in this page's list.
    struct Others: Sendable {
        let coordinate: Coordinate
        let count: Int
        /// The first of them: a search around it shows the others.
        let event: ID<Event>

        var words: Words { Words("{count} event", plural: "{count} events", count: count) }
        fileprivate var written: String {
            "\(coordinate.written.latitude) \(coordinate.written.longitude) \(count) \(event)"
        }
    }

    /// The format for scripts.
    var writtenOthers: String { others.map(\.written).joined(separator: ";") }

    /// An event and its position on the map.
    struct Spot: Sendable {
        let event: EventCard
        let coordinate: Coordinate?
        /// The time, for its line and its pin.
        let moment: Words
        /// The label of its pin: `Kite day, Sat, Mar 27, 10 AM to 12:30 PM`.
        let label: Words

        init(_ event: EventCard, at coordinate: Coordinate?, now: Instant) {
            var event = event
            event.saysDay = true
            self.event = event
            self.coordinate = coordinate
            moment = event.moment(at: now)
            label = "\(event.readersTitle, as: "event"), \(moment, as: "time")"
        }
    }

    /// The total number, and how many are on this page.
    var said: Words? {
        guard let tally, tally.count > spots.count else { return tally?.words }
        let (shown, count) = (spots.count, tally.count)
        return tally.isExact
            ? "The first \(shown, as: "shown") of \(count, as: "count") events"
            : "The first \(shown, as: "shown") of more than \(count, as: "count") events"
    }

    /// How many events have no position.
    var unplaced: Int { spots.count { $0.coordinate == nil } }

    var heading: Words { "Events on the map" }
}

extension EventCard {
    /// Its ID in a list, such as the one beside the map.
    var entryID: String { "event-\(id)" }
    var entry: Link { Link("").fragment(entryID) }
}
