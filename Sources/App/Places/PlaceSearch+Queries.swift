import Database
import Forms

extension PlaceSearch {
    /// Finds the places to choose from: first those of this account's own events, then the gazetteer's matches for the
    /// typed words.
    mutating func look(of account: ID<Account>, country: String, in db: Connection) throws {
        let used = try Self.used(by: account, in: db).filter { $0.place.has(words) }
        choices = Array(used.prefix(Place.mostUsed))
        guard !folded(words).isEmpty else { return }
        let towns = try Gazetteer.matches(words, country: country, in: db).map(Place.Choice.town)
        choices = Array((choices + towns).prefix(Place.most))
    }

    /// Fills in the place whose button was pressed, unless it is somebody else's, and ends the search.
    mutating func choose<F: PlaceForm>(
        for submission: inout Submission<F>, of account: ID<Account>, country: String, in db: Connection
    ) throws {
        guard let button, let place = try Self.chosen(by: button, of: account, country: country, in: db) else { return }
        submission.put(place)
        words = ""
    }

    private static let venues: SQL = "event LEFT JOIN point ON point.id = event.point_id"

    /// The places of an account's own events, the latest first, each once.
    static func used(by account: ID<Account>, in db: Connection) throws -> [Place.Choice] {
        var lines: Set<String> = []
        var seen: Set<String> = []
        return try db.all(
            """
            SELECT event.id, \(Place.columns) FROM \(venues)
            WHERE event.account_id = \(account) AND event.city <> ''
            ORDER BY event.starts_at DESC, event.id DESC LIMIT 200
            """
        ) { Place.Choice.venue(try $0.next(), try $0.next()) }
        .filter {
            // Most lines are the same as before, and needn't be folded to know it.
            let line = $0.place.line
            return lines.insert(line).inserted && seen.insert(folded(line)).inserted
        }
    }

    /// The place for a button; nil if there is none, or it is somebody else's.
    private static func chosen(
        by button: String, of account: ID<Account>, country: String, in db: Connection
    ) throws -> Place? {
        if button.hasPrefix("town.") {
            return try Gazetteer.matches(String(button.dropFirst(5)), country: country, in: db).first.map { Place($0) }
        }
        guard button.hasPrefix("venue."), let id = ID<Event>(String(button.dropFirst(6))) else { return nil }
        var place: Place? = try db.first(
            "SELECT \(Place.columns) FROM \(venues) WHERE event.id = \(id) AND event.account_id = \(account)")
        // If the address leads to the same point, no pin is needed.
        if let address = place?.address, place?.coordinate == (try Gazetteer.coordinate(of: address, in: db)) {
            place?.coordinate = nil
        }
        return place
    }
}
