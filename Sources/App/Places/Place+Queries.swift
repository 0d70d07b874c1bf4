import Database

extension Place: RowDecodable {
    /// Where an event is; `point` is joined.
    static let columns: Columns = ["event.place_name"] + Address.columns + Coordinate.columns

    init(row: inout Row) throws {
        self.init(name: try row.next(), address: try row.next(), coordinate: try row.next())
    }

    private static let venues: SQL = "event LEFT JOIN point ON point.id = event.point_id"

    /// The places to choose from when announcing an event: those used before come first, then what the gazetteer
    /// knows by the words that were typed.
    static func choices(
        _ words: String, of account: ID<Account>, country: String, in db: Connection
    ) throws -> [Choice] {
        let used = try used(by: account, in: db).filter { $0.place.has(words) }
        guard !folded(words).isEmpty else { return Array(used.prefix(mostUsed)) }
        let towns = try Gazetteer.matches(words, country: country, in: db).map(Choice.town)
        return Array((used.prefix(mostUsed) + towns).prefix(most))
    }

    /// Where an account's own events were, the latest first, each place once.
    private static func used(by account: ID<Account>, in db: Connection) throws -> [Choice] {
        var seen: Set<String> = []
        return try db.all(
            """
            SELECT event.id, \(columns) FROM \(venues)
            WHERE event.account_id = \(account) AND event.city <> ''
            ORDER BY event.starts_at DESC, event.id DESC LIMIT 200
            """
        ) { Choice.venue(try $0.next(), try $0.next()) }
        .filter { seen.insert(folded($0.place.line)).inserted }
    }

    /// The place that a button stands for; nil where it is none, or somebody else's.
    static func chosen(by step: String, of account: ID<Account>, country: String, in db: Connection) throws -> Place? {
        if step.hasPrefix("town.") {
            return try Gazetteer.matches(String(step.dropFirst(5)), country: country, in: db).first.map { Place($0) }
        }
        guard step.hasPrefix("venue."), let id = ID<Event>(String(step.dropFirst(6))) else { return nil }
        var place: Place? = try db.first(
            "SELECT \(columns) FROM \(venues) WHERE event.id = \(id) AND event.account_id = \(account)")
        // What the address says needs no pin.
        if let address = place?.address, place?.coordinate == (try Gazetteer.coordinate(of: address, in: db)) {
            place?.coordinate = nil
        }
        return place
    }

    /// Where within an account's own events something was, the latest events first: tents and stages, each once.
    static func corners(of account: ID<Account>, in db: Connection) throws -> [Place] {
        let found: [Place] = try db.all(
            """
            SELECT activity.place, activity.latitude, activity.longitude
            FROM (SELECT id FROM event WHERE account_id = \(account) ORDER BY starts_at DESC, id DESC LIMIT 50) AS own
            JOIN activity ON activity.event_id = own.id
            WHERE activity.place <> '' LIMIT 1000
            """
        ) { Place(name: try $0.next(), coordinate: try $0.next()) }
        return Array(found.knownBest.prefix(mostUsed))
    }
}
