import Database

extension HelpSuggestion {
    /// So many of the newest of each organization, tag and word are looked at.
    private static let perTrail = 100
    /// So many organizations, tags and words are followed.
    private static let mostTrails = 40
    /// So many of the places around somebody's town, so many at once.
    private static let mostPlaces = 100
    private static let together = 20
    /// So many of what was found, the newest, are looked at whole.
    private static let mostLooked = 500

    /// The ways to help that suit somebody best, of those that a filter finds.
    static func all(
        for taste: Taste, _ filter: OpportunityFilter, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> [HelpSuggestion] {
        var ids: Set<ID<Opportunity>> = []
        for host in taste.followed.union(taste.helped).sorted().prefix(mostTrails) {
            ids.formUnion(
                try db.all(
                    """
                    SELECT id FROM opportunity WHERE account_id = \(host) AND listed
                    ORDER BY id DESC LIMIT \(perTrail)
                    """
                ) { try $0.next() as ID<Opportunity> })
        }
        for tag in taste.tags.sorted().prefix(mostTrails) {
            ids.formUnion(
                try db.all(
                    """
                    SELECT opportunity_id FROM opportunity_tag WHERE tag = \(tag)
                    ORDER BY opportunity_id DESC LIMIT \(perTrail)
                    """
                ) { try $0.next() as ID<Opportunity> })
        }
        for match in taste.words.sorted().prefix(mostTrails).compactMap(SearchWords.query) {
            ids.formUnion(
                try db.all(
                    """
                    SELECT rowid FROM opportunity_search WHERE opportunity_search MATCH \(match)
                    ORDER BY rowid DESC LIMIT \(perTrail)
                    """
                ) { try $0.next() as ID<Opportunity> })
        }
        if let home = taste.home { ids.formUnion(try near(home, in: db)) }
        return ranked(
            try filter.narrowed(to: Array(ids.sorted().reversed().prefix(mostLooked)), for: account, at: now, in: db)
                .filter {
                    $0.host.id != account
                }, by: taste)
    }

    private static func near(_ home: Coordinate, in db: Connection) throws -> Set<ID<Opportunity>> {
        let places = try Point.all(in: 0...20, around: home, in: db).prefix(mostPlaces).map(\.id)
        var ids: Set<ID<Opportunity>> = []
        for start in stride(from: 0, to: places.count, by: together) {
            let some = places[start..<min(start + together, places.count)]
            ids.formUnion(
                try db.all(
                    """
                    SELECT id FROM opportunity WHERE point_id IN \(list: some.padded(to: together)) AND listed
                    LIMIT \(perTrail)
                    """
                ) { try $0.next() as ID<Opportunity> })
        }
        return ids
    }
}

extension HelpSuggestion.Taste {
    /// What an account is known to care for.
    ///
    /// - Parameter filter: It knows the town of whoever looks.
    init(of account: ID<Account>, _ filter: OpportunityFilter, in db: Connection) throws {
        self.init()
        followed = Set(
            try db.all("SELECT host_id FROM follow WHERE account_id = \(account) LIMIT 100") { try $0.next() })
        let part: [(host: ID<Account>, id: ID<Opportunity>, title: String, tags: [String])] = try db.all(
            """
            SELECT opportunity.account_id, opportunity.id, opportunity.title, opportunity.tags FROM signup
            JOIN opportunity ON opportunity.id = signup.opportunity_id
            WHERE signup.account_id = \(account) AND signup.state IN ('asked', 'confirmed')
            ORDER BY signup.id DESC LIMIT \(Suggestion.remembered)
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), Suggestion.split(try $0.next())) }
        let given: [(host: ID<Account>, id: ID<Opportunity>, title: String, tags: [String])] = try db.all(
            """
            SELECT opportunity.account_id, opportunity.id, opportunity.title, opportunity.tags FROM promise
            JOIN opportunity ON opportunity.id = promise.opportunity_id
            WHERE promise.account_id = \(account) AND promise.state IN ('open', 'given')
            ORDER BY promise.id DESC LIMIT \(Suggestion.remembered)
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), Suggestion.split(try $0.next())) }
        helped = Set((part + given).map(\.host))
        known = (part + given).map { ($0.id, $0.title, $0.tags) }
        lessTags = Set(try Suggestion.lessTags(of: account, in: db))
        less = Set(try Suggestion.lessHelp(of: account, in: db).map(\.id))
        home = filter.origin
        unit = filter.usedUnit
    }
}

extension HelpSuggestionPage {
    init(_ asked: OpportunityFilter, for member: Visitor, at now: Instant, in db: Connection) throws {
        let filter = try asked.located(for: member, in: db)
        let taste = try HelpSuggestion.Taste(of: member.account, filter, in: db)
        self.init(
            filter: filter,
            suggestions: try HelpSuggestion.all(for: taste, filter, of: member.account, at: now, in: db),
            isPersonal: !taste.isEmpty, lessTags: taste.lessTags.sorted(),
            less: try Suggestion.lessHelp(of: member.account, in: db))
    }
}
