import Database

extension FavoriteList {
    /// Current and upcoming things, soonest first, including canceled ones; or past ones, newest first. Hidden things
    /// are left out, as are opportunities of members separated from the reader by a block.
    ///
    /// - Parameters:
    ///   - eventsAfter: The position in its events.
    ///   - helpAfter: The position in its opportunities.
    ///   - hasHelp: Whether helping is switched on.
    init(
        of account: ID<Account>, isOver: Bool, eventsAfter: Cursor<Instant, ID<Event>>?,
        helpAfter: Cursor<Instant, ID<Opportunity>>?, hasHelp: Bool, in tx: Transaction
    ) throws {
        self.init(
            isOver: isOver, events: try Self.events(of: account, isOver: isOver, after: eventsAfter, in: tx),
            opportunities: hasHelp
                ? try Self.opportunities(of: account, isOver: isOver, after: helpAfter, in: tx) : .empty)
    }

    private static func events(
        of account: ID<Account>, isOver: Bool, after: Cursor<Instant, ID<Event>>?, in tx: Transaction
    ) throws -> Page<EventCard> {
        var conditions: [SQL] = [
            "saved_event.account_id = \(account)", "NOT \(Event.isHidden)",
        ]
        if isOver {
            conditions.append("saved_event.starts_at <= \(tx.now) AND saved_event.ends_at <= \(tx.now)")
        } else {
            let first = tx.now - EventTimes.longestOfDays
            conditions.append("saved_event.starts_at > \(first) AND saved_event.ends_at > \(tx.now)")
        }
        if let (startsAt, id) = after?.keys {
            let comparison: SQL = isOver ? "<" : ">"
            conditions.append("(saved_event.starts_at, saved_event.event_id) \(comparison) (\(startsAt), \(id))")
        }
        let order: SQL =
            isOver
            ? "saved_event.starts_at DESC, saved_event.event_id DESC" : "saved_event.starts_at, saved_event.event_id"
        return try Page(of: Event.pageSize, by: \.startsAt, \.id) { limit in
            try tx.all(
                """
                SELECT \(EventCard.columns) FROM saved_event JOIN event ON event.id = saved_event.event_id
                \(EventCard.host) WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order) LIMIT \(limit)
                """)
        }
    }

    private static func opportunities(
        of account: ID<Account>, isOver: Bool, after: Cursor<Instant, ID<Opportunity>>?, in tx: Transaction
    ) throws -> Page<Opportunity> {
        var conditions: [SQL] = [
            "saved_opportunity.account_id = \(account)", "NOT \(Opportunity.isHidden)",
            "NOT \(Block.hides("opportunity.account_id", from: account))",
            isOver ? "saved_opportunity.ends_at <= \(tx.now)" : "saved_opportunity.ends_at > \(tx.now)",
        ]
        if let (endsAt, id) = after?.keys {
            let comparison: SQL = isOver ? "<" : ">"
            conditions.append(
                "(saved_opportunity.ends_at, saved_opportunity.opportunity_id) \(comparison) (\(endsAt), \(id))")
        }
        let order: SQL =
            isOver
            ? "saved_opportunity.ends_at DESC, saved_opportunity.opportunity_id DESC"
            : "saved_opportunity.ends_at, saved_opportunity.opportunity_id"
        // A closed one ended before its own last day.
        let page: Page<(endsAt: Instant, opportunity: Opportunity)> = try Page(
            of: Opportunity.pageSize, by: \.endsAt, \.opportunity.id
        ) { limit in
            try tx.all(
                """
                SELECT saved_opportunity.ends_at, \(Opportunity.columns) FROM saved_opportunity
                JOIN opportunity ON opportunity.id = saved_opportunity.opportunity_id \(Opportunity.sources(tx.now))
                WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order) LIMIT \(limit)
                """
            ) { row in (try row.next(), try Opportunity.read(&row)) }
        }
        return page.changed { found in found.map(\.opportunity) }
    }
}
