import Database

extension Place: RowDecodable {
    /// The columns of an event's place; `point` must be joined.
    static let columns: Columns = ["event.place_name"] + Address.columns + Coordinate.columns

    init(row: inout Row) throws {
        self.init(name: try row.next(), address: try row.next(), coordinate: try row.next())
    }

    /// The places inside an account's own events, such as tents and stages, latest events first, each once.
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
