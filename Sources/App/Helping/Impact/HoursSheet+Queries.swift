import Database

extension HoursSheet.Line: RowDecodable {
    static let columns: Columns =
        [
            "contribution.id",
            "coalesce(nullif(contribution.helper_name, ''), \(name(of: "contribution.account_id")))",
            "coalesce(opportunity.place_name, '')", "coalesce(opportunity.street, '')",
            "coalesce(opportunity.city, '')", "coalesce(opportunity.state, '')", "coalesce(opportunity.zip, '')",
            "coalesce(opportunity.country, '')", "contribution.day", "contribution.in_minute",
            "contribution.out_minute", "opportunity.zone", "contribution.confirmed", "contribution.title",
            whoConfirmed,
        ]

    /// An organization's name for an account; empty for none.
    private static func name(of account: SQL) -> SQL {
        """
        coalesce((SELECT \(HelperList.name) FROM account \(HelperList.who)
            WHERE account.id = \(account)), '')
        """
    }

    /// The person who speaks for the organization, named as on its public page.
    static let whoConfirmed: SQL = """
        coalesce((SELECT provider.first_name || ' ' || provider.last_name FROM provider
            WHERE provider.account_id = contribution.confirmer_id), \(name(of: "contribution.confirmer_id")))
        """

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), name: try row.next(), placeName: try row.next(), address: try row.next(),
            day: try row.next(), arrived: try row.next(), left: try row.next(),
            zone: (try row.next() as String?).map(Zone.init(stored:)), minutes: try row.next(),
            task: try row.next(), confirmer: try row.next())
    }
}

extension HoursSheet {
    /// The hours that an organization confirmed on the days of a search, in order.
    init(
        of host: ID<Account>, _ search: AnnualReportSearch, after: Cursor<String, ID<Contribution>>?,
        atMost limit: Int = pageSize, in db: Connection
    ) throws {
        let (first, last) = (search.days.lowerBound, search.days.upperBound)
        let stretch: SQL = """
            contribution.host_id = \(host) AND contribution.confirmed IS NOT NULL
                AND contribution.kind IN ('hours', 'shadow')
                AND contribution.day >= \(first) AND contribution.day <= \(last)
            """
        let next: SQL =
            after.map { " AND (contribution.day, contribution.id) > (\($0.keys.0), \($0.keys.1))" } ?? ""
        let lines: Page<Line> = try Page(of: limit, by: \.day.iso, \.id) { limit in
            try db.all(
                """
                SELECT \(Line.columns) FROM contribution
                LEFT JOIN opportunity ON opportunity.id = contribution.opportunity_id
                WHERE \(stretch)\(next) ORDER BY contribution.day, contribution.id LIMIT \(limit)
                """)
        }
        let sums: (Int, Int?)? = try db.first(
            "SELECT count(*), CAST(sum(contribution.confirmed) AS BIGINT) FROM contribution WHERE \(stretch)"
        ) { (try $0.next(), try $0.next()) }
        self.init(
            search: search, host: try Provider.find(of: host, in: db)?.organization ?? "", lines: lines,
            count: sums?.0 ?? 0, minutes: sums?.1 ?? 0)
    }
}
