import Database

extension HostedShift: RowDecodable {
    static let columns: Columns =
        [
            "opportunity.id", "opportunity.title",
            "opportunity.closed_at IS NOT NULL OR opportunity.hidden_at IS NOT NULL",
        ] + Shift.columns

    init(row: inout Row) throws {
        self.init(opportunity: try row.next(), title: try row.next(), isClosed: try row.next(), shift: try row.next())
    }
}

extension HostedShift {
    private static let sources: SQL = "opportunity JOIN shift ON shift.opportunity_id = opportunity.id"
    /// In the order of the indexes, so that all lists of an organization continue at the same positions.
    private static let order: SQL = "opportunity.id, shift.starts_at, shift.id"

    /// An organization's current shifts.
    static func around(of host: ID<Account>, in tx: Transaction) throws -> [HostedShift] {
        let all: [HostedShift] = try tx.all(
            """
            SELECT \(columns) FROM \(sources)
            WHERE opportunity.account_id = \(host) AND shift.starts_at <= \(tx.now + Schedule.margin)
                AND shift.starts_at > \(tx.now - EventTimes.longest - Schedule.margin)
                AND shift.ends_at > \(tx.now - Schedule.margin) AND shift.removed_at IS NULL
            ORDER BY \(order) LIMIT 50
            """)
        return all.soonestFirst
    }

    /// An organization's later shifts with free places, soonest first.
    static func gaps(of host: ID<Account>, after start: Instant, in db: Connection) throws -> [HostedShift] {
        let all: [HostedShift] = try db.all(
            """
            SELECT \(columns) FROM \(sources)
            WHERE opportunity.account_id = \(host) AND opportunity.closed_at IS NULL
                AND opportunity.hidden_at IS NULL AND shift.removed_at IS NULL AND shift.starts_at > \(start)
                AND shift.taken < shift.spots
            ORDER BY \(order) LIMIT 2000
            """)
        return Array(all.soonestFirst.prefix(mostGaps))
    }

    /// An organization's shifts on some days.
    static func all(of host: ID<Account>, on days: Range<Day>, in db: Connection) throws -> [HostedShift] {
        let all: [HostedShift] = try db.all(
            """
            SELECT \(columns) FROM \(sources)
            WHERE opportunity.account_id = \(host) AND shift.removed_at IS NULL
                AND shift.day >= \(days.lowerBound) AND shift.day < \(days.upperBound)
            ORDER BY \(order) LIMIT 200
            """)
        return all.soonestFirst
    }
}

extension [HostedShift] {
    /// These are few, belong to one organization, and have no index in this order.
    fileprivate var soonestFirst: [HostedShift] {
        sorted { ($0.shift.startsAt, $0.shift.id) < ($1.shift.startsAt, $1.shift.id) }
    }
}
