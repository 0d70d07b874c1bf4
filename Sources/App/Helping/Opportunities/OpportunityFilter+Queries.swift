import Database

extension OpportunityFilter {
    /// The filter with its place resolved, and the reader's own town as an offer.
    func located(for visitor: Visitor?, in db: Connection) throws -> OpportunityFilter {
        var filter = self
        filter.tag = try Tag.current(tag.isEmpty ? [] : [tag], in: db).first ?? ""
        if !near.isEmpty { filter.around = try Gazetteer.answer(near, country: country, in: db) }
        guard let visitor, let home = try Gazetteer.home(of: visitor, country: country, in: db) else { return filter }
        filter.home = home.typed
        filter.origin = home.match?.coordinate
        if asksNothing, room != .suggested, home.match != nil {
            (filter.near, filter.around, filter.isOwnArea) = (home.typed, home.answer, true)
        }
        return filter
    }

    /// The page for a reader. If a member without filters has nothing nearby, it shows everything.
    func list(for visitor: Visitor?, in tx: Transaction) throws -> OpportunityList {
        var filter = try located(for: visitor, in: tx)
        var found = try filter.search(for: visitor?.account, in: tx)
        if filter.isOwnArea, found.items.isEmpty {
            (filter.near, filter.around, filter.isOwnArea) = ("", nil, false)
            found = try filter.search(for: visitor?.account, in: tx)
        }
        var list = OpportunityList(filter, found)
        if filter.after == nil { list.organizations = try Provider.called(filter.words, in: tx) }
        return list
    }

    /// The page for a program, which has no town.
    ///
    /// - Throws: `Refusal.notFound` if the place is unknown.
    func known(in tx: Transaction) throws -> OpportunityList {
        let filter = try located(for: nil, in: tx)
        if !filter.near.isEmpty, filter.circle == nil { throw Refusal.notFound }
        return OpportunityList(filter, try filter.search(for: nil, in: tx))
    }

    /// Those of some opportunities that match the filter.
    func narrowed(to ids: [ID<Opportunity>], for reader: ID<Account>, in tx: Transaction) throws -> [Opportunity] {
        var conditions = try conditions(for: reader, in: tx) + hasTag
        if let match = SearchWords.query(words) {
            conditions.append(
                """
                opportunity.id IN (
                    SELECT rowid FROM opportunity_search WHERE \(SearchIndex.has(match, in: "opportunity_search")))
                """)
        }
        var found: [Opportunity] = []
        for start in stride(from: 0, to: ids.count, by: 100) {
            let some = ids[start..<min(start + 100, ids.count)]
            found += try tx.all(
                """
                SELECT \(Opportunity.columns) FROM opportunity \(Opportunity.sources(tx.now))
                WHERE opportunity.id IN \(list: some.padded(to20Or: 100))
                    AND \(conditions.joined(separator: " AND ")) LIMIT 100
                """, Opportunity.read)
        }
        return inCircle(found)
    }

    /// The conditions on each, apart from words, tag, order and distance.
    fileprivate func conditions(for reader: ID<Account>?, in tx: Transaction) throws -> [SQL] {
        var conditions: [SQL] = [
            "opportunity.listed", "opportunity.ends_at > \(tx.now)",
            "NOT \(Block.hides("opportunity.account_id", from: reader))",
        ]
        if !kinds.isEmpty { conditions.append("opportunity.kind IN \(list: kinds)") }
        if from != nil || to != nil || hours != nil {
            let first = from.map { " AND turn.day >= \($0)" as SQL } ?? ""
            let last = to.map { " AND turn.day <= \($0)" as SQL } ?? ""
            let length =
                hours.map { " AND turn.ends_at - turn.starts_at <= \(Duration.hours($0).wholeMilliseconds)" as SQL }
                ?? ""
            conditions.append(
                """
                (opportunity.kind = 'donate' OR opportunity.rhythm <> 'shifts' OR EXISTS (
                    SELECT 1 FROM shift AS turn WHERE turn.opportunity_id = opportunity.id
                        AND turn.removed_at IS NULL AND turn.starts_at > \(tx.now)\(first)\(last)\(length)))
                """)
            if let from { conditions.append("(opportunity.until IS NULL OR opportunity.until >= \(from))") }
        }
        // A shift's length was checked above; a regular commitment without stated hours may match.
        if let hours {
            conditions.append(
                """
                (opportunity.hours <= \(hours) OR opportunity.hours IS NULL
                    AND (opportunity.kind = 'donate' OR opportunity.rhythm <> 'regular'))
                """)
        }
        if let age {
            conditions.append("(opportunity.age_from IS NULL OR opportunity.age_from <= \(age))")
        }
        if isAtHome { conditions.append("opportunity.at_home") }
        if isWithChildren { conditions.append("opportunity.with_children") }
        if isVerified { conditions.append(Verified.isOn(tx.now)) }
        if !organization.isEmpty {
            let host: ID<Account>? = try tx.value(
                "SELECT id FROM account WHERE username = \(organization.lowercased())")
            conditions.append("\(unindexed: "opportunity.account_id") = \(host ?? ID(0))")
        }
        return conditions
    }

    /// How many of the nearest places with something are queried.
    private static let mostPlaces = 400
    /// How many of the newest are examined by distance.
    private static let window = 2_000

    /// A page of matches.
    func search(for reader: ID<Account>?, in tx: Transaction) throws -> Page<Opportunity> {
        let found = try search(for: reader, atMost: Opportunity.pageSize + 1, in: tx)
        return Page(found, of: Opportunity.pageSize, by: { Cursor(order == .nearest ? $0.nearby : nil, $0.id) })
    }

    private func search(for reader: ID<Account>?, atMost size: Int, in tx: Transaction) throws -> [Opportunity] {
        let conditions = try conditions(for: reader, in: tx)
        if let circle, order == .nearest {
            return try nearest(in: circle, conditions, atMost: size, in: tx)
        }
        var found: [Opportunity] = []
        var seen = 0
        try tx.each(
            """
            SELECT \(Opportunity.columns) FROM \(trail) \(Opportunity.sources(tx.now))
            WHERE \((start + conditions).joined(separator: " AND ")) ORDER BY \(trailOrder)
            LIMIT \(circle == nil ? size : Self.window)
            """
        ) { row in
            seen += 1
            var opportunity = try Opportunity.read(&row)
            if let circle {
                guard let kilometres = opportunity.place.coordinate?.distance(to: circle.centre),
                    kilometres <= circle.kilometres
                else { return true }
                opportunity.distance = Distance(kilometres: kilometres, unit: usedUnit)
            } else if let origin, let place = opportunity.place.coordinate {
                opportunity.distance = Distance(kilometres: place.distance(to: origin), unit: usedUnit)
            }
            found.append(opportunity)
            return found.count < size
        }
        return found
    }

    /// The index in order of age: that of the words, of a tag, or of all.
    private var trail: SQL {
        if SearchWords.query(words) != nil {
            return "opportunity_search JOIN opportunity ON opportunity.id = opportunity_search.rowid"
        }
        if !tag.isEmpty {
            return "opportunity_tag JOIN opportunity ON opportunity.id = opportunity_tag.opportunity_id"
        }
        return "opportunity"
    }

    private var trailOrder: SQL {
        if SearchWords.query(words) != nil { return "opportunity_search.rowid DESC" }
        return tag.isEmpty ? "opportunity.id DESC" : "opportunity_tag.opportunity_id DESC"
    }

    private var start: [SQL] {
        let last = after?.keys.1 ?? ID(.max)
        if let match = SearchWords.query(words) {
            return [SearchIndex.has(match, in: "opportunity_search"), "opportunity_search.rowid < \(last)"] + hasTag
        }
        guard tag.isEmpty else {
            return ["opportunity_tag.tag = \(tag)", "opportunity_tag.opportunity_id < \(last)"]
        }
        return ["opportunity.listed = TRUE", "opportunity.id < \(last)"]
    }

    private var hasTag: [SQL] {
        tag.isEmpty
            ? []
            : [
                """
                EXISTS (SELECT 1 FROM opportunity_tag WHERE opportunity_tag.tag = \(tag)
                    AND opportunity_tag.opportunity_id = opportunity.id)
                """
            ]
    }

    /// The matches at the nearest place, newest first, then at the next.
    private func nearest(
        in circle: Circle, _ conditions: [SQL], atMost size: Int, in tx: Transaction
    ) throws -> [Opportunity] {
        var conditions = conditions + hasTag
        if let match = SearchWords.query(words) {
            conditions.append(
                """
                EXISTS (SELECT 1 FROM opportunity_search
                    WHERE opportunity_search.rowid = opportunity.id
                        AND \(SearchIndex.has(match, in: "opportunity_search")))
                """)
        }
        let asked = conditions.joined(separator: " AND ")
        var found: [Opportunity] = []
        found.reserveCapacity(size)
        let listed: SQL =
            "SELECT 1 FROM opportunity WHERE opportunity.point_id = point.id AND opportunity.listed"
        let (turn, end) = after?.keys ?? (nil, ID(.max))
        try Point.each(in: circle, from: turn, with: listed, atMost: Self.mostPlaces, in: tx) { place in
            let last = place.id == turn?.id ? end : ID(.max)
            found += try tx.all(
                """
                SELECT \(Opportunity.columns) FROM opportunity \(Opportunity.sources(tx.now))
                WHERE opportunity.point_id = \(place.id) AND opportunity.id < \(last) AND \(asked)
                ORDER BY opportunity.id DESC LIMIT \(size - found.count)
                """
            ) { row in
                var opportunity = try Opportunity.read(&row)
                opportunity.distance = Distance(kilometres: place.kilometres, unit: usedUnit)
                return opportunity
            }
            return found.count < size
        }
        return found
    }

    /// Matches around a member's town with something left to do, nearest first.
    func nearby(
        _ home: Coordinate, kilometres: Double, for reader: ID<Account>, atMost count: Int, in tx: Transaction
    ) throws -> [Opportunity] {
        var filter = self
        filter.after = nil
        let found = try filter.nearest(
            in: Circle(centre: home, kilometres: kilometres),
            conditions(for: reader, in: tx) + [Opportunity.hasRoom], atMost: count, in: tx)
        return inCircle(found)
    }

    /// Those within the filter's area.
    private func inCircle(_ found: [Opportunity]) -> [Opportunity] {
        guard let circle else { return found }
        return found.filter {
            $0.place.coordinate.map { $0.distance(to: circle.centre) <= circle.kilometres } ?? false
        }
    }
}

extension OpportunityMap {
    init(_ list: OpportunityList, outlines: Outlines, in db: Connection) throws {
        self.list = list
        drawing = try MapDrawing(
            list.pins, around: list.filter.circle, country: list.filter.country, outlines: outlines, in: db)
    }
}
