import Forms
import Templating

/// What the map page shows: one page of events, on the map and as an equal list.
struct MapPage: Sendable {
    let filter: EventFilter
    let spots: [Spot]
    /// Where events are that aren't on this page.
    var others: [Others] = []
    /// The next page, when there is one.
    let more: Link?
    let drawing: MapDrawing
    /// How many events there are in all, on the first page.
    var tally: Tally?
    /// What else helps.
    var advice = Advice()
    /// What a member can save to look for again, as a list.
    var saving: SavedSearch.Offer?

    /// Events a page.
    static let size = 40

    /// Places with other events, at most.
    static let mostPlaces = 200

    /// Events at one place that the list doesn't have on this page.
    struct Others: Sendable {
        let coordinate: Coordinate
        let count: Int
        /// The first of them: the map around it has the others.
        let event: ID<Event>

        var words: Words { Words("{count} event", plural: "{count} events", count: count) }
        fileprivate var written: String {
            "\(coordinate.written.latitude) \(coordinate.written.longitude) \(count) \(event)"
        }
    }

    /// The same as scripts read it.
    var writtenOthers: String { others.map(\.written).joined(separator: ";") }

    /// An event, and where the map shows it.
    struct Spot: Sendable {
        let event: EventCard
        let coordinate: Coordinate?
        /// When it is, as its line and its pin say it.
        let moment: Words
        /// What its pin says: `Kite day, Sat, Mar 27, 10 AM to 12:30 PM`.
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

    /// How many there are, and how many of them this page shows.
    var said: Words? {
        guard let tally, tally.count > spots.count else { return tally?.words }
        let (shown, count) = (spots.count, tally.count)
        return tally.isExact
            ? "The first \(shown, as: "shown") of \(count, as: "count") events"
            : "The first \(shown, as: "shown") of more than \(count, as: "count") events"
    }

    /// How many of the events have no place on the map.
    var unplaced: Int { spots.count { $0.coordinate == nil } }

    var heading: Words { "Events on the map" }
}

extension EventCard {
    /// Its place in a list, such as the one beside the map.
    var entryID: String { "event-\(id)" }
    var entry: Link { Link("").fragment(entryID) }
}
