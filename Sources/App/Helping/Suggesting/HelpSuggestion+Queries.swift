import Database

extension HelpSuggestion {
    /// How many of the newest of each organization, tag and word are considered.
    private static let perTrail = 100
    /// The most organizations, tags and words to follow.
    private static let mostTrails = 40
    /// How many of the newest matches are read completely.
    private static let mostLooked = 500

    /// The opportunities that suit a member best, among those that match a filter.
    static func all(for taste: Taste, _ filter: OpportunityFilter, in tx: Transaction) throws -> [HelpSuggestion] {
        var ids: Set<ID<Opportunity>> = []
        for host in taste.followed.union(taste.helped).sorted().prefix(mostTrails) {
            ids.formUnion(
                try tx.all(
                    """
                    SELECT id FROM opportunity WHERE account_id = \(host) AND listed
                    ORDER BY id DESC LIMIT \(perTrail)
                    """
                ) { try $0.next() as ID<Opportunity> })
        }
        for tag in taste.tags.sorted().prefix(mostTrails) {
            ids.formUnion(
                try tx.all(
                    """
                    SELECT opportunity_id FROM opportunity_tag WHERE tag = \(tag)
                    ORDER BY opportunity_id DESC LIMIT \(perTrail)
                    """
                ) { try $0.next() as ID<Opportunity> })
        }
        for match in taste.words.sorted().prefix(mostTrails).compactMap(SearchWords.query) {
            ids.formUnion(
                try tx.all(
                    """
                    SELECT rowid FROM opportunity_search WHERE \(SearchIndex.has(match, in: "opportunity_search"))
                    ORDER BY rowid DESC LIMIT \(perTrail)
                    """
                ) { try $0.next() as ID<Opportunity> })
        }
        let trails = Array(ids.sorted().reversed().prefix(mostLooked))
        var candidates = try filter.narrowed(to: trails, for: taste.account, in: tx)
        let looked = Set(trails)
        if let home = taste.home {
            // Only the nearest of those that match by distance alone can be shown.
            let aside = taste.less.count + taste.known.count
            candidates += try filter.nearby(
                home, kilometres: reach, for: taste.account, atMost: most + min(aside, 100), in: tx
            ).lazy.filter { !looked.contains($0.id) }
        }
        return ranked(candidates, by: taste)
    }
}

extension HelpSuggestion.Taste {
    /// An account's known interests.
    ///
    /// - Parameter filter: Contains the reader's town.
    init(of account: ID<Account>, _ filter: OpportunityFilter, in db: Connection) throws {
        self.init(account: account)
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
        eventTags = Set(try Suggestion.Taste.tags(of: account, in: db))
        home = filter.origin ?? filter.circle?.centre
        isElsewhere = filter.origin == nil
        unit = filter.usedUnit
    }
}

extension HelpSuggestionPage {
    init(_ asked: OpportunityFilter, for member: Visitor, in tx: Transaction) throws {
        let filter = try asked.located(for: member, in: tx)
        let taste = try HelpSuggestion.Taste(of: member.account, filter, in: tx)
        let suggestions = try HelpSuggestion.all(for: taste, filter, in: tx)
        let newest =
            suggestions.isEmpty && taste.isEmpty && taste.home == nil
            ? try filter.search(for: member.account, in: tx).items.filter {
                $0.hasRoom && $0.host.id != member.account && !taste.less.contains($0.id)
            } : []
        self.init(
            filter: filter, suggestions: suggestions, isPersonal: !taste.isEmpty, newest: newest,
            lessTags: taste.lessTags.sorted(), less: try Suggestion.lessHelp(of: member.account, in: tx))
    }
}
