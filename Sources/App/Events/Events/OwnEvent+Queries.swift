import Database

extension OwnSearch {
    /// A page of matching events: upcoming ones soonest first, others newest first.
    ///
    /// - Returns: The search, with corrected words if the typed ones match nothing.
    func events(
        of host: ID<Account>, with cohost: ID<Account>?, after: Cursor<Instant, ID<Event>>?, in tx: Transaction
    ) throws -> (search: OwnSearch, page: Page<OwnEvent>) {
        let shared = try cohost.map { try Cohost.events(of: $0, in: tx) } ?? []
        let page = try Event.own(self, by: host, and: shared, after: after, in: tx)
        guard page.items.isEmpty, after == nil, !words.isEmpty, let meant = try Vocabulary.meant(by: words, in: tx)
        else { return (self, page) }
        var other = self
        (other.words, other.typed) = (meant, words)
        let found = try Event.own(other, by: host, and: shared, after: nil, in: tx)
        return found.items.isEmpty ? (self, page) : (other, found)
    }

    /// A condition: the event is in the list and has the words. A series forms one row, with the first date that does.
    fileprivate func finds(_ event: SQL, at now: Instant) -> SQL {
        var conditions: [SQL] =
            switch list {
            case .upcoming, .waiting:
                [
                    "\(event).starts_at > \(now - EventTimes.longestOfDays)", "\(event).ends_at > \(now)",
                    "\(event).cancelled_at IS NULL",
                ]
            case .expired:
                ["\(event).starts_at <= \(now)", "\(event).ends_at <= \(now)", "\(event).cancelled_at IS NULL"]
            case .cancelled: ["\(event).cancelled_at IS NOT NULL"]
            }
        if list == .waiting { conditions.append(Self.isWaitedFor(event)) }
        if SearchWords.query(words) != nil {
            conditions.append("\(unindexed: "\(event).search_key") IN (SELECT found.key FROM found)")
        }
        return conditions.joined(separator: " AND ")
    }

    /// The most events with the words in the host's town, nearest first, among which the host's own are looked for.
    private static let mostFound = 100_000

    /// The common table expression with the events that have the words, evaluated once. Querying the index for each of
    /// a host's thousands of events took seconds.
    ///
    /// - Parameter mine: A condition on `event` that uses an index.
    fileprivate func found(among mine: SQL, at now: Instant) -> SQL {
        guard let query = SearchWords.query(words) else { return "" }
        var conditions: [SQL] = [SearchIndex.has(query, in: "event_search")]
        // An event of several days may have begun long before the others: few of one host are on at a time.
        var lasting: SQL = ""
        switch list {
        case .upcoming, .waiting:
            conditions.append("event_search.rowid > \(SearchKey(before: now - EventTimes.longest).rawValue)")
            lasting = """
                 OR event.is_long AND event.ends_at > \(now) AND EXISTS (SELECT 1 FROM event_search
                    WHERE event_search.rowid = event.search_key AND \(SearchIndex.has(query, in: "event_search")))
                """
        case .expired: conditions.append("event_search.rowid < \(SearchKey(before: now + .minutes(1)).rawValue)")
        case .cancelled: break
        }
        let order: SQL = list.isAhead ? "event_search.rowid" : "event_search.rowid DESC"
        return """
            WITH found AS MATERIALIZED (
                SELECT event.search_key AS key FROM event
                WHERE \(mine) AND (\(unindexed: "event.search_key") IN (
                    SELECT event_search.rowid FROM event_search WHERE \(conditions.joined(separator: " AND "))
                    ORDER BY \(order) LIMIT \(Self.mostFound))\(lasting)))

            """
    }

    /// The waiting parties of an event, and the children waiting for its sessions.
    private static func turns(_ event: SQL) -> (parties: SQL, children: SQL) {
        (
            """
            FROM registration WHERE registration.event_id = \(event).id AND registration.state = 'waiting'
            """,
            """
            FROM activity JOIN activity_wait ON activity_wait.activity_id = activity.id
            WHERE \(event).sessions AND activity.event_id = \(event).id AND activity.cancelled_at IS NULL
            """
        )
    }

    /// The unanswered questions.
    private static func questions(_ event: SQL) -> SQL {
        """
        FROM question WHERE question.event_id = \(event).id AND question.answered_at IS NULL
            AND question.closed_at IS NULL AND question.hidden_at IS NULL
        """
    }

    private static func isWaitedFor(_ event: SQL) -> SQL {
        let (parties, children) = turns(event)
        return """
            (EXISTS (SELECT 1 \(parties)) OR EXISTS (SELECT 1 \(children)) OR EXISTS (SELECT 1 \(questions(event))))
            """
    }

    /// The numbers of waiting parties and of questions at an event.
    fileprivate static func counts(_ event: SQL) -> SQL {
        let (parties, children) = turns(event)
        return """
            (SELECT count(*) \(parties)) + (SELECT count(*) \(children)), (SELECT count(*) \(questions(event)))
            """
    }

    /// The columns with the number of dates in a row, and the day of the farthest.
    fileprivate func series(at now: Instant) -> SQL {
        let farthest: SQL = list.isAhead ? "DESC" : "ASC"
        let dates: SQL = "FROM event AS other WHERE other.series_id = event.series_id AND \(finds("other", at: now))"
        return """
            , (SELECT count(*) \(dates)),
            (SELECT other.day \(dates) ORDER BY other.starts_at \(farthest), other.id \(farthest) LIMIT 1)
            """
    }

    /// The dates of some series at which somebody waits, up to a limit.
    fileprivate func waits(of series: [ID<Event>], in tx: Transaction) throws -> [ID<Event>: [OwnEvent.Wait]] {
        guard !series.isEmpty else { return [:] }
        var waited = self
        waited.list = .waiting
        let mine: SQL = "event.series_id IN \(list: series.padded(to: Event.pageSize))"
        let found: [(series: ID<Event>, wait: OwnEvent.Wait)] = try tx.all(
            """
            \(waited.found(among: mine, at: tx.now))SELECT event.series_id, event.id, event.day, \(Self.counts("event"))
            FROM event WHERE \(mine) AND \(waited.finds("event", at: tx.now))
            ORDER BY event.series_id, event.starts_at, event.id LIMIT 2000
            """
        ) { (try $0.next(), try OwnEvent.Wait(row: &$0)) }
        return Dictionary(grouping: found, by: \.series).mapValues { $0.map(\.wait) }
    }
}

extension OwnEvent.Wait {
    fileprivate init(row: inout Row) throws {
        self.init(event: try row.next(), day: try row.next(), turns: try row.next(), questions: try row.next())
    }
}

extension Event {
    /// A page of a host's own events.
    ///
    /// - Parameter shared: The co-hosted events that are included.
    static func own(
        _ search: OwnSearch, by host: ID<Account>, and shared: [ID<Event>] = [],
        after: Cursor<Instant, ID<Event>>?, in tx: Transaction
    ) throws -> Page<OwnEvent> {
        let isAhead = search.list.isAhead
        var conditions: [SQL] = [search.finds("event", at: tx.now)]
        if let audience = search.audience { conditions.append("\(unindexed: "event.audience") = \(audience)") }
        if let series = search.series { conditions.append("event.series_id = \(series)") }
        if let after { conditions.append(isBehind(after, upcoming: isAhead)) }
        let page = try Page(of: pageSize, by: \.startsAt, \.id) { limit in
            try own(search, by: host, and: shared, where: conditions, atMost: limit, in: tx)
        }
        guard isAhead else { return page }
        let waits = try search.waits(of: page.items.filter(\.isSeries).compactMap(\.series), in: tx)
        return page.changed { rows in
            rows.map { row in
                var row = row
                if row.isSeries { row.waits = row.series.flatMap { waits[$0] } ?? [] }
                return row
            }
        }
    }

    /// A host's own events in a month, in order, with a row for each date.
    ///
    /// - Parameter cohost: The account whose co-hosted events are included.
    static func own(
        by host: ID<Account>, with cohost: ID<Account>?, in month: OwnMonth, of zone: Zone,
        after: Cursor<Instant, ID<Event>>?, tx: Transaction
    ) throws -> Page<OwnEvent> {
        var conditions = reaching(into: month.days, in: zone)
        if let after { conditions.append(isBehind(after, upcoming: true)) }
        let shared = try cohost.map { try Cohost.events(of: $0, in: tx) } ?? []
        return try Page(of: OwnMonth.pageSize, by: \.startsAt, \.id) { limit in
            try own(OwnSearch(isApart: true), by: host, and: shared, where: conditions, atMost: limit, in: tx)
        }
    }

    /// The first of a host's own and co-hosted events; of the latter, each date of a series is a row.
    private static func own(
        _ search: OwnSearch, by host: ID<Account>, and shared: [ID<Event>], where conditions: [SQL],
        atMost limit: Int, in tx: Transaction
    ) throws -> [OwnEvent] {
        let isAhead = search.list.isAhead
        // Whether another date represents the series is checked last, only for matches.
        var alone = conditions
        if search.gathers {
            let sooner: SQL = isAhead ? "<" : ">"
            alone.append(
                """
                NOT EXISTS (SELECT 1 FROM event AS other
                    WHERE other.series_id = event.series_id AND \(search.finds("other", at: tx.now))
                        AND (other.starts_at, other.id) \(sooner) (event.starts_at, event.id))
                """)
        }
        let order: SQL = isAhead ? "event.starts_at, event.id" : "event.starts_at DESC, event.id DESC"
        let mine = try own(search, among: "event.account_id = \(host)", where: alone, order, atMost: limit, in: tx)
        guard !shared.isEmpty else { return mine }
        var apart = search
        apart.isApart = true
        // These are few, and have no index in this order.
        let together = try own(
            apart, among: Cohost.isOne(of: shared), where: conditions, "event.id", atMost: Cohost.mostEvents, in: tx
        ).map { row in
            var row = row
            row.card.isTogether = true
            return row
        }
        let all = (mine + together).sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
        return Array((isAhead ? all : all.reversed()).prefix(limit))
    }

    private static func own(
        _ search: OwnSearch, among mine: SQL, where conditions: [SQL], _ order: SQL, atMost limit: Int,
        in tx: Transaction
    ) throws -> [OwnEvent] {
        let (isAhead, gathers) = (search.list.isAhead, search.gathers)
        let series: SQL = gathers ? search.series(at: tx.now) : ""
        let rows: [OwnEvent] = try tx.all(
            """
            \(search.found(among: mine, at: tx.now))SELECT \(EventCard.columns), event.series_id,
                \(OwnSearch.counts("event"))\(series)
            FROM event \(EventCard.host) WHERE \(([mine] + conditions).joined(separator: " AND "))
            ORDER BY \(order) LIMIT \(limit)
            """
        ) { row in
            let card = try row.next() as EventCard
            var own = OwnEvent(card: card, series: try row.next(), isAhead: isAhead)
            let wait = OwnEvent.Wait(event: card.id, day: card.day, turns: try row.next(), questions: try row.next())
            if isAhead, !card.isOver(at: tx.now) { own.waits = [wait] }
            if gathers { (own.dates, own.farthest) = (try row.next(), try row.next()) }
            return own
        }
        let reasons = try AuditEntry.reasons(forHiding: rows.filter(\.card.isHidden).map(\.id), in: tx)
        return rows.map { row in
            var row = row
            row.card.hiddenReason = row.card.isHidden ? reasons[row.id]?.words : nil
            return row
        }
    }
}
