import Database

extension Schedule: RowDecodable {
    static let columns: Columns = columns(of: "event")

    /// The columns of a table with a schedule.
    static func columns(of table: SQL) -> Columns {
        [
            "\(table).day", "\(table).start_minute", "\(table).end_minute", "\(table).end_day", "\(table).starts_at",
            "\(table).ends_at",
        ]
    }

    init(row: inout Row) throws {
        self.init(
            day: try row.next(), start: try row.next(), end: try row.next(), endDay: try row.next(),
            startsAt: try row.next(), endsAt: try row.next())
    }

    var stored: Assignments {
        [
            "day": day, "start_minute": start, "end_minute": end, "end_day": endDay, "starts_at": startsAt,
            "ends_at": endsAt,
        ]
    }
}
