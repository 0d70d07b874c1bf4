import Database

extension Need.Kind: SQLValue {}

extension Need: RowDecodable {
    static let columns: Columns =
        ["need.id"] + Author.columns + [
            "need.kind", "need.title", "need.description", "need.wanted", "need.promised", "need.brought", "need.days",
            "need.until", "need.ends_at", "need.is_home", "need.place_name",
        ] + Address.columns(of: "need") + Coordinate.columns + [
            "need.closed_at IS NOT NULL",
            "need.hidden_at IS NOT NULL OR account.suspended_at IS NOT NULL OR account.left_at IS NOT NULL",
            "need.is_asked", "need.created_at",
        ]

    private static let sources: SQL = """
        need JOIN account ON account.id = need.account_id LEFT JOIN person ON person.account_id = account.id
        LEFT JOIN point ON point.id = need.point_id
        """

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), author: try row.next(), kind: try row.next(), title: try row.next(),
            description: try row.next(), wanted: try row.next(), promised: try row.next(), brought: try row.next(),
            days: try row.next(), until: try row.next(), endsAt: try row.next(),
            place: Place(
                isHome: try row.next(), name: try row.next(), address: try row.next(), coordinate: try row.next()),
            isClosed: try row.next(), isHidden: try row.next(), isAsked: try row.next(), createdAt: try row.next())
    }

    static func find(_ id: ID<Need>, in db: Connection) throws -> Need? {
        try db.first("SELECT \(columns) FROM \(sources) WHERE need.id = \(id)")
    }

    /// The same, for whoever may read it: what is hidden is its author's and staff's; whoever blocks the
    /// other, or is blocked, finds none.
    static func find(
        _ id: ID<Need>, for reader: ID<Account>?, isStaff: Bool, in db: Connection
    ) throws -> Need? {
        guard let need = try find(id, in: db) else { return nil }
        if need.isHidden, reader != need.author.account, !isStaff { return nil }
        let isBlocked = try db.exists(
            "SELECT 1 FROM need WHERE id = \(id) AND \(Block.hides("need.account_id", from: reader))")
        return isBlocked ? nil : need
    }

    /// What somebody asked for, the newest first.
    static func all(of author: ID<Account>, in db: Connection) throws -> [Need] {
        try db.all(
            "SELECT \(columns) FROM \(sources) WHERE need.account_id = \(author) ORDER BY need.id DESC LIMIT 50")
    }

    // MARK: Finding

    /// So many of the newest, and so many places around, are looked at.
    private static let window = 2_000
    private static let mostPlaces = 400

    /// A page of what a filter finds and one more: nearest first where it says near what, else the newest.
    static func search(
        _ filter: NeedFilter, for reader: ID<Account>?, at now: Instant, in db: Connection
    ) throws -> [Need] {
        var conditions: [SQL] = [
            "need.listed = TRUE", "need.ends_at > \(now)", "NOT \(Block.hides("need.account_id", from: reader))",
        ]
        if let kind = filter.kind { conditions.append("need.kind = \(kind)") }
        let words = folded(filter.words).split(separator: " ").map(String.init)
        func fits(_ need: Need) -> Bool {
            let text = folded("\(need.title) \(need.description) \(need.place.address.city)")
            return words.allSatisfy(text.contains)
        }
        var skipped = filter.after ?? 0
        var found: [Need] = []
        func take(_ need: Need) {
            guard fits(need), found.count <= pageSize else { return }
            if skipped > 0 { skipped -= 1 } else { found.append(need) }
        }
        guard let circle = filter.circle else {
            let all = conditions.joined(separator: " AND ")
            try db.each(
                "SELECT \(columns) FROM \(sources) WHERE \(all) ORDER BY need.id DESC LIMIT \(window)"
            ) { row in
                take(try row.next())
                return found.count <= pageSize
            }
            return found
        }
        let places = try Point.all(in: 0...circle.kilometres, around: circle.centre, in: db).prefix(mostPlaces)
        for start in stride(from: places.startIndex, to: places.endIndex, by: 50) where found.count <= pageSize {
            let some = places[start..<min(start + 50, places.endIndex)]
            let rows: [Need] = try db.all(
                """
                SELECT \(columns) FROM \(sources)
                WHERE need.point_id IN \(list: some.map(\.id).padded(to: 50))
                    AND \(conditions.joined(separator: " AND ")) LIMIT 500
                """)
            let near = rows.map { need -> (Double, Need) in
                (need.place.coordinate?.distance(to: circle.centre) ?? .infinity, need)
            }.sorted { ($0.0, $1.1.id) < ($1.0, $0.1.id) }
            for (kilometres, need) in near {
                var need = need
                need.distance = Distance(kilometres: kilometres, unit: filter.usedUnit)
                take(need)
            }
        }
        return found
    }

    // MARK: Writing

    /// The need with its place on the map: of a home a corner of the grid, from what is known of its ZIP code or
    /// town alone.
    func located(in db: Connection) throws -> Need {
        var need = self
        let exact = try Gazetteer.coordinate(of: place.address, in: db)
        need.place.coordinate = place.isHome ? exact?.gridded : exact
        return need
    }

    enum Outcome: Sendable {
        case new(ID<Need>)
        case already(ID<Need>)
    }

    /// Stores a new one, once however often its form is sent.
    ///
    /// - Throws: `TooMany` where its author has as many open as one may.
    static func publish(_ need: Need, once: String, at now: Instant, in db: Connection) throws -> Outcome {
        let author = need.author.account
        if let id: ID<Need> = try db.value("SELECT id FROM need WHERE account_id = \(author) AND once = \(once)") {
            return .already(id)
        }
        let open: Int =
            try db.value(
                "SELECT count(*) FROM need WHERE account_id = \(author) AND closed_at IS NULL AND ends_at > \(now)")
            ?? 0
        guard open < mostOpen else { throw TooMany() }
        let id = ID<Need>(
            try db.insert(
                """
                INSERT INTO need
                \(values: need.stored(in: db) + [
                    "account_id": author, "once": once, "created_at": now, "ask_at": now + asking,
                ])
                """))
        try relist("id = \(id)", in: db)
        return .new(id)
    }

    struct TooMany: Error {}

    private func stored(in db: Connection) throws -> Assignments {
        try [
            "kind": kind, "title": title, "description": description, "wanted": wanted, "days": days, "until": until,
            "ends_at": endsAt, "is_home": place.isHome, "place_name": place.name,
            "point_id": place.coordinate.map { try Point.id(at: $0, in: db) },
        ] + place.address.stored
    }

    /// Writes a change of its author.
    ///
    /// - Throws: `Claim.Refused.tooMany` where more is promised by now than it would want.
    static func update(_ need: Need, at now: Instant, in db: Connection) throws {
        guard let before = try find(need.id, in: db) else { throw Refusal.notFound }
        let count = try db.execute(
            """
            UPDATE need SET \(set: need.stored(in: db)), ask_at = \(now + asking), is_asked = FALSE
            WHERE id = \(need.id) AND account_id = \(need.author.account) AND closed_at IS NULL
                AND promised + brought <= \(need.wanted)
            """)
        guard count == 1 else { throw Claim.Refused.tooMany(left: 0) }
        // Who was to come to a public place is asked about before they learn of a home, or of another one.
        if need.place.isHome, need.place != before.place {
            try db.execute("UPDATE claim SET state = 'asked' WHERE need_id = \(need.id) AND state = 'taken'")
        }
        try Decision.wasChanged(.need(need.id), at: now, in: db)
    }

    /// It is still needed: it stays as long as it says.
    static func renew(_ id: ID<Need>, of author: ID<Account>, at now: Instant, in db: Connection) throws {
        let count = try db.execute(
            """
            UPDATE need SET ask_at = \(now + asking), is_asked = FALSE
            WHERE id = \(id) AND account_id = \(author) AND closed_at IS NULL
            """)
        guard count == 1 else { throw Refusal.notFound }
    }

    /// It isn't needed any more: whoever promised something is told.
    static func close(_ id: ID<Need>, at now: Instant, in db: Connection) throws {
        guard let need = try find(id, in: db), !need.isClosed else { return }
        for claim in try Claim.all(of: id, in: db) where claim.state == .asked || claim.state == .taken {
            try Claim.end(claim, of: need, at: now, in: db)
            try NeedNews(.closed, id, need.title).tell(claim.helper.account, at: now, in: db)
        }
        try db.execute("UPDATE need SET closed_at = \(now) WHERE id = \(id)")
        try relist("id = \(id)", in: db)
    }

    /// Works out anew which needs are listed.
    static func relist(_ needs: SQL, in db: Connection) throws {
        try db.execute(
            """
            UPDATE need SET listed = (closed_at IS NULL AND hidden_at IS NULL AND EXISTS (
                SELECT 1 FROM account WHERE account.id = need.account_id AND account.suspended_at IS NULL
                    AND account.left_at IS NULL))
            WHERE \(needs)
            """)
    }

    /// Lets staff take a need out of all lists, or back in.
    static func hide(_ id: ID<Need>, at instant: Instant?, in db: Connection) throws {
        let count = try db.execute("UPDATE need SET hidden_at = \(instant) WHERE id = \(id)")
        guard count == 1 else { throw Refusal.notFound }
        try relist("id = \(id)", in: db)
    }

    // MARK: The clock

    /// Asks authors whether it is still needed, closes what nobody answered for or is over, and lets promises run out.
    ///
    /// - Returns: How many needs and promises that were.
    static func tidy(at now: Instant, in db: Connection) throws -> Int {
        var count = try Claim.lapse(at: now, in: db)
        let over: [ID<Need>] = try db.all(
            "SELECT id FROM need WHERE listed AND ends_at <= \(now) ORDER BY ends_at LIMIT 200"
        ) { try $0.next() }
        for id in over { try close(id, at: now, in: db) }
        count += over.count
        let due: [(id: ID<Need>, isAsked: Bool)] = try db.all(
            "SELECT id, is_asked FROM need WHERE listed AND ask_at <= \(now) ORDER BY ask_at LIMIT 200"
        ) { (try $0.next(), try $0.next()) }
        for (id, isAsked) in due {
            guard let need = try find(id, in: db) else { continue }
            if isAsked {
                try close(id, at: now, in: db)
            } else {
                try db.execute("UPDATE need SET is_asked = TRUE, ask_at = \(now + patience) WHERE id = \(id)")
                try NeedNews(.stale, id, need.title).tell(need.author.account, at: now, in: db)
            }
        }
        return count + due.count
    }

    /// What an account that leaves asked for goes with it; what it promised is free again.
    static func forget(_ account: ID<Account>, at now: Instant, in db: Connection) throws {
        for claim in try Claim.live(of: account, in: db) {
            guard let need = try find(claim.need, in: db) else { continue }
            try Claim.end(claim, of: need, at: now, in: db)
        }
        for need in try all(of: account, in: db) { try close(need.id, at: now, in: db) }
        try db.execute("DELETE FROM need WHERE account_id = \(account)")
    }
}

extension NeedPage {
    init(
        _ id: ID<Need>, for reader: Visitor?, outlines: Outlines, at now: Instant, in db: Connection
    ) throws {
        guard let need = try Need.find(id, for: reader?.account, isStaff: reader?.isStaff == true, in: db) else {
            throw Refusal.notFound
        }
        let account = reader?.account
        let isOwn = account == need.author.account
        let mine = try account.flatMap { try Claim.find(of: $0, at: id, in: db) }
        self.init(need: need)
        self.isOwn = isOwn
        self.mine = mine
        claims = isOwn ? try Claim.all(of: id, in: db).filter { $0.state != .ended } : []
        isOver = !need.isOpen(at: now)
        isTrusted = isOwn || (!isOver && (mine?.state == .taken || mine?.state == .brought))
        let hurdle = try account.flatMap { try Claim.hurdle(of: $0, at: need, now: now, in: db) }
        if !isOwn, !isOver, !need.isFull, mine == nil { self.hurdle = hurdle }
        canClaim = hurdle == nil && !isOwn && !isOver && !need.isFull && mine == nil
        map = try need.pin.map {
            try MapDrawing(
                [MapDrawing.Place(coordinate: $0.coordinate, name: $0.name, link: nil)],
                country: need.place.address.country, kilometres: 6, height: 280, outlines: outlines, in: db)
        }
    }
}
