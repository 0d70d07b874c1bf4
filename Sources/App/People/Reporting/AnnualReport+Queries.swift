import Database

extension AnnualReport {
    /// The ages as one number that contains the first and last year, or −1 for events for everyone.
    private static let ages: SQL = """
        CASE WHEN event.audience = 'kids' THEN coalesce(event.age_from, 0) * 100 + coalesce(event.age_to, 17)
            ELSE -1 END
        """
    private static let format: SQL = """
        CASE WHEN event.city = '' THEN \(Format.virtual.rawValue)
            WHEN event.street <> '' AND event.street = provider.street AND event.city = provider.city
                THEN \(Format.onsite.rawValue)
            ELSE \(Format.offsite.rawValue) END
        """
    /// Attendance on site: a head count takes precedence over checked-in people.
    private static let here: SQL = "coalesce(event.heads, event.arrived + event.walk_ins)"
    private static let online: SQL = "coalesce(event.heads_online, 0)"
    private static let isUncounted: SQL =
        "(event.heads IS NULL AND event.heads_online IS NULL AND event.arrived + event.walk_ins = 0)"

    /// The sessions in a range of days that took place and were public.
    private static func sessions(of days: ClosedRange<Day>, by host: ID<Account>?, at now: Instant) -> SQL {
        // The days are in each venue's zone, but the index contains instants.
        let (first, last) = (
            Zone.utc.instant(days.lowerBound, .midnight), Zone.utc.instant(days.upperBound, .midnight)
        )
        let isTheirs: SQL = host.map { "AND event.account_id = \($0)" } ?? ""
        return """
            event LEFT JOIN provider ON provider.account_id = event.account_id
            WHERE event.listed AND event.starts_at BETWEEN \(first - .days(1)) AND \(last + .days(2))
                AND event.day BETWEEN \(days.lowerBound) AND \(days.upperBound)
                AND event.ends_at <= \(now) AND event.cancelled_at IS NULL \(isTheirs)
            """
    }

    init(of days: ClosedRange<Day>, by host: ID<Account>?, in tx: Transaction) throws {
        // 171 pairs of ages and none, in three formats.
        let groups: [Group] = try tx.all(
            """
            SELECT ages, format, count(*), CAST(sum(here) AS BIGINT), CAST(sum(online) AS BIGINT),
                CAST(sum(CASE WHEN uncounted THEN 1 ELSE 0 END) AS BIGINT)
            FROM (SELECT \(Self.ages) AS ages, \(Self.format) AS format, \(Self.here) AS here, \(Self.online) AS online,
                \(Self.isUncounted) AS uncounted FROM \(Self.sessions(of: days, by: host, at: tx.now))) AS session
            GROUP BY ages, format LIMIT 1000
            """
        ) { row in
            let ages: Int = try row.next()
            let format: Int = try row.next()
            return Group(
                audience: SessionAges(ages < 0 ? nil : ages / 100...max(ages / 100, ages % 100)),
                format: Format(rawValue: format) ?? .offsite, sessions: try row.next(), here: try row.next(),
                online: try row.next(), uncounted: try row.next())
        }
        self.init(groups)
    }

    /// The sessions counted in a line, newest first; with nil those without attendance.
    static func sessions(
        of element: Element?, on days: ClosedRange<Day>, by host: ID<Account>?,
        after: Cursor<Instant, ID<Event>>?, in tx: Transaction
    ) throws -> Page<ReportedSession> {
        let isOfLine: SQL = element.map(condition) ?? "AND \(isUncounted)"
        let isBehind: SQL =
            after.map { after in
                let (startsAt, id) = after.keys
                return "AND (event.starts_at, event.id) < (\(startsAt), \(id))"
            } ?? ""
        return try Page(of: 50, by: \.startsAt, \.event) { limit in
            try tx.all(
                """
                SELECT event.id, event.title, coalesce(provider.organization, ''), event.day, event.starts_at,
                    \(here), \(online)
                FROM \(sessions(of: days, by: host, at: tx.now)) \(isOfLine) \(isBehind)
                ORDER BY event.starts_at DESC, event.id DESC LIMIT \(limit)
                """
            ) { row in
                ReportedSession(
                    event: try row.next(), title: try row.next(), host: try row.next(), day: try row.next(),
                    startsAt: try row.next(), here: try row.next(), online: try row.next())
            }
        }
    }

    private static func condition(_ element: Element) -> SQL {
        func ages(_ wanted: SessionAges) -> SQL {
            var keys = (0...17).flatMap { first in
                (first...17).filter { SessionAges(first...$0) == wanted }.map { first * 100 + $0 }
            }
            if wanted == .general { keys.append(-1) }
            return "AND \(Self.ages) IN \(list: keys)"
        }
        func format(_ wanted: Format) -> SQL { "AND \(Self.format) = \(wanted.rawValue)" }
        return switch element {
        case .sessionsAges0To5, .attendanceAges0To5: ages(.from0To5)
        case .sessionsAges6To11, .attendanceAges6To11: ages(.from6To11)
        case .sessionsAges12To18, .attendanceAges12To18: ages(.from12To18)
        case .sessionsGeneral, .attendanceGeneral: ages(.general)
        case .sessionsAdults, .attendanceAdults: "AND FALSE"
        case .sessionsOnsite, .attendanceOnsite: format(.onsite)
        case .sessionsOffsite, .attendanceOffsite: format(.offsite)
        case .sessionsVirtual: format(.virtual)
        // People who watched a hybrid event live count here, too.
        case .attendanceVirtual: "AND (\(Self.format) = \(Format.virtual.rawValue) OR \(online) > 0)"
        case .sessions, .sessionsByFormat, .attendance, .attendanceByFormat: ""
        }
    }

    /// The organizations to choose from, sorted by name.
    static func hosts(in db: Connection) throws -> [(username: String, name: String)] {
        try db.all(
            """
            SELECT account.username, provider.organization FROM provider
            JOIN account ON account.id = provider.account_id
            WHERE account.left_at IS NULL ORDER BY provider.name_key, provider.id LIMIT 1000
            """
        ) { (try $0.next(), try $0.next()) }
    }
}

extension AnnualReportSearch {
    /// The selected organization; nil for all.
    ///
    /// - Throws: `Refusal.notFound` if there is none with that name.
    func account(in db: Connection) throws -> ID<Account>? {
        guard let host else { return nil }
        guard let provider = try Provider.find(username: host, in: db) else { throw Refusal.notFound }
        return provider.account
    }
}
