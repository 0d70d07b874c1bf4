import Database

extension MonthTotal: SQLValue {
    /// - Parameter host: The organization that received it; nil for neighbors.
    func add(_ count: Int, to host: ID<Account>?, on day: Day, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO month_total (month, host_id, what, count)
            VALUES (\(Self.month(of: day)), \(host?.rawValue ?? 0), \(self), \(count))
            ON CONFLICT (month, host_id, what) DO UPDATE SET count = month_total.count + excluded.count
            """)
    }

    /// Corrects a total, but not below zero.
    func correct(by more: Int, of host: ID<Account>, on day: Day, in db: Connection) throws {
        try db.execute(
            """
            UPDATE month_total SET count = CASE WHEN count + \(more) < 0 THEN 0 ELSE count + \(more) END
            WHERE month = \(Self.month(of: day)) AND host_id = \(host.rawValue) AND what = \(self)
            """)
    }

    /// The totals of the months in a period, for one organization or all.
    static func sums(of days: ClosedRange<Day>, to host: ID<Account>?, in db: Connection) throws -> [MonthTotal: Int] {
        let isTheirs: SQL = host.map { "AND host_id = \($0)" } ?? ""
        func sum(_ what: MonthTotal) -> SQL {
            "CAST(coalesce(sum(CASE WHEN what = \(what) THEN count ELSE 0 END), 0) AS BIGINT)"
        }
        return try db.first(
            """
            SELECT \(sum(.minutes)), \(sum(.things)), \(sum(.needs)) FROM month_total
            WHERE month BETWEEN \(month(of: days.lowerBound)) AND \(month(of: days.upperBound)) \(isTheirs)
            """
        ) { [.minutes: try $0.next(), .things: try $0.next(), .needs: try $0.next()] } ?? [:]
    }

    private static func month(of day: Day) -> String { String(day.iso.prefix(7)) }
}
