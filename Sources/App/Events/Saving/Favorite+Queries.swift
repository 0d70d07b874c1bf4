import Database

extension Favorite {
    /// The table for its kind.
    private var table: SQL {
        switch self {
        case .event: "saved_event"
        case .opportunity: "saved_opportunity"
        }
    }

    /// A condition: it is this one.
    private var isThis: SQL {
        switch self {
        case .event(let id): "event_id = \(id)"
        case .opportunity(let id): "opportunity_id = \(id)"
        }
    }

    /// Whether a member saved it; nil if they didn't and can't.
    func savedState(for account: ID<Account>, at now: Instant, in db: Connection) throws -> Bool? {
        if try isSaved(by: account, in: db) { return true }
        return try db.exists("SELECT 1 \(source(for: account, at: now))") ? false : nil
    }

    private func isSaved(by account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM \(table) WHERE account_id = \(account) AND \(isThis)")
    }

    /// The rows of this thing if the member can save it: it is visible in their lists and not over. Events are visible
    /// to everyone, so that nobody can infer a block; opportunities aren't.
    private func source(for account: ID<Account>, at now: Instant) -> SQL {
        switch self {
        case .event(let id):
            """
            FROM event WHERE event.id = \(id) AND event.listed AND event.ends_at > \(now)
            """
        case .opportunity(let id):
            """
            FROM opportunity
            WHERE opportunity.id = \(id) AND opportunity.listed AND opportunity.ends_at > \(now)
                AND NOT \(Block.hides("opportunity.account_id", from: account))
            """
        }
    }

    /// Saves it; saving twice has no further effect.
    ///
    /// - Returns: Whether it is saved now; false if it can't be saved anymore, or doesn't exist.
    @discardableResult
    func save(by account: ID<Account>, at now: Instant, in db: Connection) throws -> Bool {
        guard !(try isSaved(by: account, in: db)) else { return true }
        let source = source(for: account, at: now)
        let count =
            switch self {
            case .event:
                try db.execute(
                    """
                    INSERT INTO saved_event (account_id, event_id, at, starts_at, ends_at)
                    SELECT \(account), event.id, \(now), event.starts_at, event.ends_at \(source)
                    """)
            case .opportunity:
                try db.execute(
                    """
                    INSERT INTO saved_opportunity (account_id, opportunity_id, at, ends_at)
                    SELECT \(account), opportunity.id, \(now), opportunity.ends_at \(source)
                    """)
            }
        return count == 1
    }

    /// Removes it from the list.
    func remove(by account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM \(table) WHERE account_id = \(account) AND \(isThis)")
    }

    /// Updates the saved time of an event that moved.
    static func follow(_ event: Event, in db: Connection) throws {
        try db.execute(
            """
            UPDATE saved_event SET starts_at = \(event.startsAt), ends_at = \(event.endsAt)
            WHERE event_id = \(event.id)
            """)
    }

    /// Updates the saved time of an opportunity that was changed, renewed or closed.
    static func follow(_ opportunity: ID<Opportunity>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE saved_opportunity SET ends_at = (
                SELECT CASE WHEN opportunity.closed_at < opportunity.ends_at THEN opportunity.closed_at
                    ELSE opportunity.ends_at END FROM opportunity WHERE opportunity.id = \(opportunity))
            WHERE opportunity_id = \(opportunity)
            """)
    }

    /// Erases entries a while after their end.
    ///
    /// - Returns: The number erased.
    static func eraseOld(at now: Instant, in db: Connection) throws -> Int {
        try db.execute("DELETE FROM saved_event WHERE ends_at <= \(now - memory)")
            + db.execute("DELETE FROM saved_opportunity WHERE ends_at <= \(now - memory)")
    }
}

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
        helpAfter: Cursor<Instant, ID<Opportunity>>?, hasHelp: Bool, at now: Instant, in db: Connection
    ) throws {
        self.init(
            isOver: isOver, events: try Self.events(of: account, isOver: isOver, after: eventsAfter, at: now, in: db),
            opportunities: hasHelp
                ? try Self.opportunities(of: account, isOver: isOver, after: helpAfter, at: now, in: db) : .empty)
    }

    private static func events(
        of account: ID<Account>, isOver: Bool, after: Cursor<Instant, ID<Event>>?, at now: Instant, in db: Connection
    ) throws -> Page<EventCard> {
        var conditions: [SQL] = [
            "saved_event.account_id = \(account)", "NOT \(Event.isHidden)",
        ]
        if isOver {
            conditions.append("saved_event.starts_at <= \(now) AND saved_event.ends_at <= \(now)")
        } else {
            let first = now - EventTimes.longestOfDays
            conditions.append("saved_event.starts_at > \(first) AND saved_event.ends_at > \(now)")
        }
        if let (startsAt, id) = after?.keys {
            let comparison: SQL = isOver ? "<" : ">"
            conditions.append("(saved_event.starts_at, saved_event.event_id) \(comparison) (\(startsAt), \(id))")
        }
        let order: SQL =
            isOver
            ? "saved_event.starts_at DESC, saved_event.event_id DESC" : "saved_event.starts_at, saved_event.event_id"
        return try Page(of: Event.pageSize, by: \.startsAt, \.id) { limit in
            try db.all(
                """
                SELECT \(EventCard.columns) FROM saved_event JOIN event ON event.id = saved_event.event_id
                \(EventCard.host) WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order) LIMIT \(limit)
                """)
        }
    }

    private static func opportunities(
        of account: ID<Account>, isOver: Bool, after: Cursor<Instant, ID<Opportunity>>?, at now: Instant,
        in db: Connection
    ) throws -> Page<Opportunity> {
        var conditions: [SQL] = [
            "saved_opportunity.account_id = \(account)", "NOT \(Opportunity.isHidden)",
            "NOT \(Block.hides("opportunity.account_id", from: account))",
            isOver ? "saved_opportunity.ends_at <= \(now)" : "saved_opportunity.ends_at > \(now)",
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
            try db.all(
                """
                SELECT saved_opportunity.ends_at, \(Opportunity.columns) FROM saved_opportunity
                JOIN opportunity ON opportunity.id = saved_opportunity.opportunity_id \(Opportunity.sources(now))
                WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order) LIMIT \(limit)
                """
            ) { row in (try row.next(), try Opportunity.read(&row)) }
        }
        return page.changed { found in found.map(\.opportunity) }
    }
}
