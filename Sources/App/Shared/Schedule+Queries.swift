import Database

extension Schedule: RowDecodable {
    static let columns: Columns = columns(of: "event", zone: "event.zone")

    /// The columns of a table with a schedule.
    ///
    /// - Parameter zone: The name of its zone, if the table has one.
    static func columns(of table: SQL, zone: SQL = "''") -> Columns {
        [
            "\(table).day", "\(table).start_minute", "\(table).end_minute", "\(table).end_day", "\(table).starts_at",
            "\(table).ends_at", zone,
        ]
    }

    init(row: inout Row) throws {
        self.init(
            day: try row.next(), start: try row.next(), end: try row.next(), endDay: try row.next(),
            startsAt: try row.next(), endsAt: try row.next(), zone: try row.next())
    }

    var stored: Assignments {
        [
            "day": day, "start_minute": start, "end_minute": end, "end_day": endDay, "starts_at": startsAt,
            "ends_at": endsAt,
        ]
    }
}
