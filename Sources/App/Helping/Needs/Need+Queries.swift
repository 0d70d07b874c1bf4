import Database

extension Need.Kind: SQLValue {}

extension Need: RowDecodable {
    static let columns: Columns =
        ["need.id"] + Author.columns + [
            "need.kind", "need.title", "need.description", "need.wanted", "need.promised", "need.brought",
            """
            (SELECT CAST(coalesce(sum(claim.count), 0) AS BIGINT) FROM claim
                WHERE claim.need_id = need.id AND claim.state = 'asked')
            """,
            "need.days", "need.until", "need.ends_at", "need.is_home", "need.place_name",
        ] + Address.columns(of: "need") + Coordinate.columns + [
            "need.closed_at IS NOT NULL", isHidden, "need.is_asked", "need.created_at",
        ] + Picture.columns + ["need.is_lasting", "need.verified_at", "need.verified_until"]

    static let ledger = Ledger(table: "need", taken: "promised", all: "wanted - brought")

    /// A condition: only its author and staff can see it. `account` must be joined.
    static let isHidden: SQL = """
        (need.hidden_at IS NOT NULL OR account.suspended_at IS NOT NULL OR account.left_at IS NOT NULL)
        """

    private static let sources: SQL = """
        need JOIN account ON account.id = need.account_id LEFT JOIN person ON person.account_id = account.id
        LEFT JOIN point ON point.id = need.point_id LEFT JOIN picture ON picture.id = need.picture_id
        """

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), author: try row.next(), kind: try row.next(), title: try row.next(),
            description: try row.next(), wanted: try row.next(), promised: try row.next(), brought: try row.next(),
            waiting: try row.next(), days: try row.next(), until: try row.next(), endsAt: try row.next(),
            place: Place(
                isHome: try row.next(), name: try row.next(), address: try row.next(), coordinate: try row.next()),
            isClosed: try row.next(), isHidden: try row.next(), isAsked: try row.next(), createdAt: try row.next(),
            picture: try row.next(), isLasting: try row.next(), verifiedAt: try row.next(),
            verifiedUntil: try row.next())
    }

    static func find(_ id: ID<Need>, in db: Connection) throws -> Need? {
        try db.first("SELECT \(columns) FROM \(sources) WHERE need.id = \(id)")
    }

    /// A need that a reader may see: hidden ones are for their author and staff, and blocks apply.
    static func find(_ id: ID<Need>, for reader: ID<Account>?, isStaff: Bool, in db: Connection) throws -> Need? {
        guard let need = try find(id, in: db) else { return nil }
        if need.isHidden, reader != need.author.account, !isStaff { return nil }
        let isBlocked = try db.exists(
            "SELECT 1 FROM need WHERE id = \(id) AND \(Block.hides("need.account_id", from: reader))")
        return isBlocked ? nil : need
    }

    /// An author's needs, newest first.
    static func all(of author: ID<Account>, after: Cursor<ID<Need>>?, in db: Connection) throws -> Page<Need> {
        try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(columns) FROM \(sources)
                WHERE need.account_id = \(author) AND need.id < \(after?.keys ?? ID(.max))
                ORDER BY need.id DESC LIMIT \(limit)
                """)
        }
    }

    /// Marks the needs whose authors are asked for a yes or no, or whether something came.
    static func markAwaited(_ needs: [Need], in tx: Transaction) throws -> [Need] {
        let ids = needs.map(\.id).prefix(pageSize).padded(to: pageSize)
        let awaited: [ID<Need>] = try tx.all(
            """
            SELECT need.id FROM need WHERE need.id IN \(list: ids) AND EXISTS (
                SELECT 1 FROM claim WHERE claim.need_id = need.id
                    AND (claim.state = 'brought' OR claim.state = 'asked' AND claim.ends_at > \(tx.now)))
            LIMIT \(pageSize)
            """
        ) { try $0.next() }
        return needs.map { need in
            var need = need
            need.isAwaited = awaited.contains(need.id)
            return need
        }
    }

    // MARK: Finding

    /// A match, and its position in a list sorted by distance.
    private typealias Hit = (id: ID<Need>, place: Point.Nearby?)

    /// How many of the newest needs with some words are examined.
    private static let window = 1_000

    /// A page of matches: nearest first if the filter names a place, otherwise newest first.
    static func search(_ filter: NeedFilter, for reader: ID<Account>?, in tx: Transaction) throws -> Page<Need> {
        var conditions: [SQL] = [
            "need.listed = TRUE", "need.ends_at > \(tx.now)", "NOT \(Block.hides("need.account_id", from: reader))",
        ]
        if let kind = filter.kind { conditions.append("need.kind = \(kind)") }
        let all = conditions.joined(separator: " AND ")
        let hits =
            switch (SearchWords.query(filter.words), filter.circle) {
            case (let words?, let circle):
                try found(by: words, of: filter.kind, in: circle, filter.after, all, in: tx)
            case (nil, let circle?): try nearest(in: circle, filter.after, all, in: tx)
            case (nil, nil): try newest(filter.after, all, in: tx)
            }
        return try Page(hits, of: pageSize, by: { Cursor($0.place, $0.id) }).changed { hits in
            guard !hits.isEmpty else { return [] }
            let needs: [Need] = try tx.all(
                """
                SELECT \(columns) FROM \(sources) WHERE need.id IN \(list: hits.map(\.id).padded(to: pageSize))
                LIMIT \(pageSize)
                """)
            let byID = Dictionary(needs.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
            return hits.compactMap { id, place in
                byID[id].map { need in
                    var need = need
                    need.distance = place.map { Distance(kilometres: $0.kilometres, unit: filter.usedUnit) }
                    return need
                }
            }
        }
    }

    private static func newest(_ after: NeedFilter.Position?, _ conditions: SQL, in db: Connection) throws -> [Hit] {
        try db.all(
            """
            SELECT need.id FROM need WHERE \(conditions) AND need.id < \(after?.keys.1 ?? ID(.max))
            ORDER BY need.id DESC LIMIT \(pageSize + 1)
            """
        ) { (try $0.next(), nil) }
    }

    /// The matches at the nearest place, newest first, then at the next.
    private static func nearest(
        in circle: Circle, _ after: NeedFilter.Position?, _ conditions: SQL, in db: Connection
    ) throws -> [Hit] {
        var hits: [Hit] = []
        let listed: SQL = "SELECT 1 FROM need WHERE need.point_id = point.id AND need.listed"
        let (turn, last) = after?.keys ?? (nil, ID(.max))
        try Point.each(in: circle, from: turn, with: listed, in: db) { place in
            let before = turn?.id == place.id ? last : ID(.max)
            hits += try db.all(
                """
                SELECT need.id FROM need
                WHERE need.point_id = \(place.id) AND need.id < \(before) AND \(conditions)
                ORDER BY need.id DESC LIMIT \(pageSize + 1 - hits.count)
                """
            ) { (try $0.next(), place) }
            return hits.count <= pageSize
        }
        return hits
    }

    /// The matches for the words: newest first, or nearest first around a place.
    private static func found(
        by words: SearchWords.Query, of kind: Need.Kind?, in circle: Circle?, _ after: NeedFilter.Position?,
        _ conditions: SQL, in db: Connection
    ) throws -> [Hit] {
        // By distance, later matches may be newer than the last one.
        let last = circle == nil ? after?.keys.1 : nil
        let found: [(id: ID<Need>, place: ID<Point>?, coordinate: Coordinate?)] = try db.all(
            """
            SELECT need.id, need.point_id, point.latitude, point.longitude
            FROM (
                SELECT rowid AS id FROM need_search
                WHERE \(SearchIndex.hasNeed(words, of: kind)) AND rowid < \(last ?? ID(.max))
                ORDER BY rowid DESC LIMIT \(window)
            ) AS found JOIN need ON need.id = found.id LEFT JOIN point ON point.id = need.point_id
            WHERE \(conditions)
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        let hits: [Hit] = found.compactMap { id, place, coordinate in
            guard let circle else { return (id, nil) }
            guard let place, let coordinate else { return nil }
            let kilometres = coordinate.distance(to: circle.centre)
            return kilometres <= circle.kilometres ? (id, Point.Nearby(id: place, kilometres: kilometres)) : nil
        }.sorted { order($0) < order($1) }
        guard circle != nil, let (place, id) = after?.keys else { return hits }
        return Array(hits.drop { order($0) <= order((id, place)) })
    }

    /// The sort key by distance; matches at one place are together, newest first.
    private static func order(_ hit: Hit) -> (Double, ID<Point>, Int64) {
        (hit.place?.kilometres ?? 0, hit.place?.id ?? ID(0), -hit.id.rawValue)
    }

    // MARK: Changes

    /// The need with its position: for a home a corner of the grid, from the position of its ZIP code or town only, or
    /// from a pin. An account's home always gets the same corner, so that several needs reveal no more than one.
    ///
    /// - Parameter stored: The need before a change: if address and pin didn't change, its position stays.
    func located(pin: Coordinate? = nil, instead stored: Need? = nil, in db: Connection) throws -> Need {
        var need = self
        if pin == nil, let stored, stored.place.isHome == place.isHome, stored.place.address == place.address {
            need.place.coordinate = stored.place.coordinate
            return need
        }
        let exact = try pin ?? Gazetteer.coordinate(of: place.address, in: db)
        guard place.isHome else {
            need.place.coordinate = exact
            return need
        }
        let known: Coordinate? = try db.first(
            """
            SELECT \(Coordinate.columns) FROM need JOIN point ON point.id = need.point_id
            WHERE need.account_id = \(author.account) AND need.is_home AND need.zip = \(place.address.zip)
                AND need.city = \(place.address.city) AND need.id <> \(id) ORDER BY need.id LIMIT 1
            """)
        need.place.coordinate = known ?? exact?.gridded
        return need
    }

    /// The pin of a public place, if it isn't at its address.
    func pinned(in db: Connection) throws -> Coordinate? {
        let usual = try Gazetteer.coordinate(of: place.address, in: db)
        return place.isHome || place.coordinate == usual ? nil : place.coordinate
    }

    enum Outcome: Sendable {
        case new(ID<Need>)
        case already(ID<Need>)
    }

    /// Publishes a need, only once if its form is sent repeatedly.
    ///
    /// - Parameter hasBrakes: Whether the first need by a member without a confirmed address is held for review.
    /// - Throws: `TooMany` if the author has reached the limit of open needs.
    static func publish(_ need: Need, once: String, hasBrakes: Bool = false, in tx: Transaction) throws -> Outcome {
        let author = need.author.account
        if let id: ID<Need> = try tx.value("SELECT id FROM need WHERE account_id = \(author) AND once = \(once)") {
            return .already(id)
        }
        let open: Int =
            try tx.value(
                "SELECT count(*) FROM need WHERE account_id = \(author) AND closed_at IS NULL AND ends_at > \(tx.now)")
            ?? 0
        guard open < mostOpen else { throw TooMany() }
        let id = ID<Need>(
            try tx.insert(
                """
                INSERT INTO need
                \(values: need.stored(in: tx) + [
                    "account_id": author, "once": once, "created_at": tx.now, "ask_at": tx.now + need.askedEvery,
                ])
                """))
        try relist("id = \(id)", in: tx)
        try index(id, need, in: tx)
        if let picture = need.picture { try Picture.describe(picture, in: tx) }
        if try Matter.keepBackCopy(Need.self, id, in: tx) { return .new(id) }
        let isKept = try hasBrakes && Matter.keepBack(Need.self, id, of: author, in: tx)
        if need.isLasting, !isKept { try Matter.raise(.need(id), of: author, for: .look, in: tx) }
        return .new(id)
    }

    /// A condition for an author's other visible needs.
    static func others(of account: ID<Account>, than id: ID<Need>) -> SQL {
        """
        SELECT 1 FROM need AS other
        WHERE other.account_id = \(account) AND other.id <> \(id) AND other.hidden_at IS NULL
        """
    }

    struct TooMany: CountsNothing {}

    private var askedEvery: Duration { isLasting ? Self.review : Self.asking }

    private func stored(in db: Connection) throws -> Assignments {
        try [
            "kind": kind, "title": title, "description": description, "wanted": wanted, "days": days, "until": until,
            "ends_at": endsAt, "is_home": place.isHome, "place_name": place.name,
            "point_id": place.coordinate.map { try Point.id(at: $0, in: db) }, "picture_id": picture?.id,
            "is_lasting": isLasting,
        ] + place.address.stored
    }

    /// Replaces a need's text in the full-text index. A closed need isn't in it.
    static func index(
        _ id: ID<Need>, _ kind: Kind, title: String, description: String, city: String, in db: Connection
    ) throws {
        try unindex("id = \(id)", in: db)
        try SearchIndex.insert(id, kind: kind.rawValue, title: title, description: description, city: city, in: db)
    }

    private static func index(_ id: ID<Need>, _ need: Need, in db: Connection) throws {
        try index(
            id, need.kind, title: need.title, description: need.description, city: need.place.address.city, in: db)
    }

    private static func unindex(_ needs: SQL, in db: Connection) throws {
        let count = try db.execute("DELETE FROM need_search WHERE rowid IN (SELECT id FROM need WHERE \(needs))")
        if count > 0 { try SearchIndex.forgetLater(in: db) }
    }

    /// Stores the author's changes.
    ///
    /// - Throws: `Claim.Refused.tooMany` if more has been promised than would be needed.
    static func update(_ need: Need, in tx: Transaction) throws {
        guard let before = try find(need.id, in: tx) else { throw Refusal.notFound }
        let shown = try Need.exhibit(need.id, in: tx)
        let count = try tx.execute(
            """
            UPDATE need SET \(set: need.stored(in: tx)), ask_at = \(tx.now + need.askedEvery), is_asked = FALSE
            WHERE id = \(need.id) AND account_id = \(need.author.account) AND closed_at IS NULL
                AND promised + brought <= \(need.wanted)
            """)
        guard count == 1 else { throw Claim.Refused.tooMany(left: 0) }
        try NeedNews.settle([.stale], need.id, in: tx)
        try index(need.id, need, in: tx)
        // The author must approve helpers for a public place again before they learn of a home, or of another home.
        if need.place.isHome, need.place != before.place {
            try NeedNews(.movedHome, need.id, need.title).tell(
                Claim.helpers(of: need.id, states: "'taken', 'brought'"), in: tx)
            try tx.execute(
                "UPDATE claim SET state = 'asked' WHERE need_id = \(need.id) AND state IN ('taken', 'brought')")
            try TalkThread.callOff(at: need.id, in: tx)
        } else if need.place.isHome != before.place.isHome || need.place.line != before.place.line {
            try NeedNews(.moved, need.id, need.title).tell(
                Claim.helpers(of: need.id, states: "'asked', 'taken'"), in: tx)
        }
        let isSame =
            before.isLasting && before.title == need.title && before.description == need.description
            && before.place == need.place && before.picture?.id == need.picture?.id
        // Staff verified a different address.
        if !need.isLasting || !isSame {
            try tx.execute("UPDATE need SET verified_at = NULL, verified_until = NULL WHERE id = \(need.id)")
        }
        if before.isLasting, !need.isLasting { try leaveQueue(need.id, in: tx) }
        if need.isLasting, !isSame {
            try Matter.raise(.need(need.id), of: need.author.account, for: .look, in: tx)
        }
        if let picture = need.picture { try Picture.describe(picture, in: tx) }
        try Decision.wasChanged(Need.self, need.id, from: shown, in: tx)
    }

    /// Extends a need, because it is still needed.
    static func renew(_ id: ID<Need>, of author: ID<Account>, in tx: Transaction) throws {
        let count = try tx.execute(
            """
            UPDATE need SET is_asked = FALSE,
                ask_at = CASE WHEN is_lasting THEN \(tx.now + review) ELSE \(tx.now + asking) END
            WHERE id = \(id) AND account_id = \(author) AND closed_at IS NULL
            """)
        guard count == 1 else { throw Refusal.notFound }
        try NeedNews.settle([.stale], id, in: tx)
    }

    /// Closes a need; helpers with promises are notified.
    static func close(_ id: ID<Need>, in tx: Transaction) throws {
        guard let need = try find(id, in: tx), !need.isClosed else { return }
        for claim in try Claim.all(of: id, in: tx) where claim.state == .asked || claim.state == .taken {
            try Claim.end(claim, of: need, in: tx)
            try NeedNews(.closed, id, need.title).tell(claim.helper.account, in: tx)
        }
        // What was brought can still be confirmed, but there is nothing to talk about anymore.
        try tx.execute(
            "UPDATE claim SET over_at = \(tx.now) WHERE need_id = \(id) AND state = 'brought' AND over_at IS NULL")
        // A closed need shows no photo.
        try tx.execute(
            """
            UPDATE need SET closed_at = \(tx.now), picture_id = NULL, verified_at = NULL, verified_until = NULL
            WHERE id = \(id)
            """)
        try NeedNews.settle([.stale], id, in: tx)
        try Decision.settle(.need(id), in: tx)
        try relist("id = \(id)", in: tx)
        try unindex("id = \(id)", in: tx)
        if need.isLasting { try leaveQueue(id, in: tx) }
    }

    /// Removes the request to verify a place that no longer accepts donations all year from the queue. Reports and
    /// requested changes stay.
    private static func leaveQueue(_ id: ID<Need>, in tx: Transaction) throws {
        let subject = Subject.need(id)
        let onlyWaitsForThat = try tx.exists(
            """
            SELECT 1 FROM matter
            WHERE subject = \(subject) AND since IS NOT NULL AND waits_for IN ('look', 'first') AND reports = 0
                AND NOT EXISTS (SELECT 1 FROM decision WHERE decision.subject = \(subject) AND decision.act = 'ask')
            """)
        if onlyWaitsForThat { try Matter.settle(subject, in: tx) }
    }

    /// Recomputes which needs are listed.
    static func relist(_ needs: SQL, in db: Connection) throws {
        try db.execute(
            """
            UPDATE need SET listed = (closed_at IS NULL AND hidden_at IS NULL AND EXISTS (
                SELECT 1 FROM account WHERE account.id = need.account_id AND account.suspended_at IS NULL
                    AND account.left_at IS NULL))
            WHERE \(needs)
            """)
    }

    /// An author's listed needs.
    static func listed(of author: ID<Account>, in db: Connection) throws -> [ID<Need>] {
        try db.all(
            "SELECT id FROM need WHERE account_id = \(author) AND listed ORDER BY id LIMIT 1000"
        ) { try $0.next() }
    }

    /// Notifies those who promised something for hidden needs.
    static func tellHidden(_ needs: [ID<Need>], in tx: Transaction) throws {
        for id in needs {
            guard let need = try find(id, in: tx) else { continue }
            try NeedNews.settle([.shown], id, in: tx)
            try NeedNews(.hidden, id, need.title).tell(Claim.helpers(of: id, states: "'asked', 'taken'"), in: tx)
        }
    }

    /// Notifies those who promised something for needs that are shown again.
    static func tellShownAgain(_ needs: [ID<Need>], in tx: Transaction) throws {
        for id in needs {
            guard let need = try find(id, in: tx) else { continue }
            try NeedNews.settle([.hidden], id, in: tx)
            try NeedNews(.shown, id, need.title).tell(Claim.helpers(of: id, states: "'asked', 'taken'"), in: tx)
        }
    }

    /// Hides a need for staff, or shows it again.
    static func hide(_ id: ID<Need>, at instant: Instant?, in tx: Transaction) throws {
        try relisting(id, in: tx) {
            let count = try tx.execute("UPDATE need SET hidden_at = \(instant) WHERE id = \(id)")
            guard count == 1 else { throw Refusal.notFound }
            try relist("id = \(id)", in: tx)
        }
        try TalkThread.callOff(at: id, in: tx)
    }

    // MARK: Permanent donation places

    /// Records that staff verified a place, for half a year.
    ///
    /// - Returns: Whether it is such a place.
    static func verify(_ id: ID<Need>, in tx: Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE need SET verified_at = \(tx.now), verified_until = \(tx.now + review)
            WHERE id = \(id) AND is_lasting AND closed_at IS NULL
            """) == 1
    }

    /// Revokes the verification.
    static func unverify(_ id: ID<Need>, in db: Connection) throws {
        try db.execute("UPDATE need SET verified_until = NULL WHERE id = \(id)")
    }

    /// Puts places into the queue whose verification has expired.
    private static func reviewAgain(in tx: Transaction) throws -> Int {
        let due: [(id: ID<Need>, author: ID<Account>)] = try tx.all(
            "SELECT id, account_id FROM need WHERE verified_until <= \(tx.now) ORDER BY verified_until LIMIT 200"
        ) { (try $0.next(), try $0.next()) }
        for (id, author) in due {
            try unverify(id, in: tx)
            try Matter.raise(.need(id), of: author, for: .look, in: tx)
        }
        return due.count
    }

    // MARK: Scheduled work

    /// Asks authors whether needs are still current, closes unanswered and expired ones, and ends expired promises.
    ///
    /// - Returns: The number of needs and promises.
    static func tidy(in tx: Transaction) throws -> Int {
        var count = try Claim.lapse(in: tx) + Claim.remind(in: tx) + reviewAgain(in: tx)
        let over: [ID<Need>] = try tx.all(
            "SELECT id FROM need WHERE closed_at IS NULL AND ends_at <= \(tx.now) ORDER BY ends_at LIMIT 200"
        ) { try $0.next() }
        for id in over {
            guard let need = try find(id, in: tx) else { continue }
            // Hidden needs are closed, too, so that their conversations are erased in time; the author isn't told.
            try close(id, in: tx)
            if !need.isHidden { try NeedNews(.over, id, need.title).tell(need.author.account, in: tx) }
        }
        count += over.count
        let due: [(id: ID<Need>, isAsked: Bool)] = try tx.all(
            "SELECT id, is_asked FROM need WHERE listed AND ask_at <= \(tx.now) ORDER BY ask_at LIMIT 200"
        ) { (try $0.next(), try $0.next()) }
        for (id, isAsked) in due {
            guard let need = try find(id, in: tx) else { continue }
            if isAsked {
                try close(id, in: tx)
                try NeedNews(.forgotten, id, need.title).tell(need.author.account, in: tx)
            } else {
                try tx.execute("UPDATE need SET is_asked = TRUE, ask_at = \(tx.now + patience) WHERE id = \(id)")
                try NeedNews(.stale, id, need.title).tell(need.author.account, in: tx)
            }
        }
        return count + due.count
    }

    /// Erases earlier news about a member's needs. What is told just now stays: that they aren't needed anymore.
    private static func eraseTold(of account: ID<Account>, in tx: Transaction) throws {
        let all: [ID<Need>] = try tx.all(
            "SELECT id FROM need WHERE account_id = \(account) ORDER BY id LIMIT 10000"
        ) { try $0.next() }
        for id in all {
            let told: SQL = "kind = \(NoticeKind.needs) AND subject = \(id)"
            try Notice.erase("event_id IS NULL AND \(told) AND at < \(tx.now)", in: tx)
            try tx.execute(
                """
                UPDATE letter SET detail = ''
                WHERE account_id IN (SELECT claim.account_id FROM claim WHERE claim.need_id = \(id)) AND \(told)
                    AND created_at < \(tx.now)
                """)
        }
    }

    /// Erases a leaving member's needs, and ends their promises.
    static func forget(_ account: ID<Account>, in tx: Transaction) throws {
        for claim in try Claim.live(of: account, in: tx) {
            guard let need = try find(claim.need, in: tx) else { continue }
            try Claim.end(claim, of: need, in: tx)
            // What came already came.
            guard claim.state != .brought else { continue }
            try NeedNews(.dropped, need.id, need.title).tell(need.author.account, in: tx)
        }
        let open: [ID<Need>] = try tx.all(
            "SELECT id FROM need WHERE account_id = \(account) AND closed_at IS NULL ORDER BY id LIMIT 1000"
        ) { try $0.next() }
        for need in open { try close(need, in: tx) }
        try eraseTold(of: account, in: tx)
        // The amounts brought add up for the author; the words that came with them are the helper's alone.
        try tx.execute("UPDATE claim SET message = '' WHERE account_id = \(account)")
        try unindex("account_id = \(account)", in: tx)
        try tx.execute("DELETE FROM need WHERE account_id = \(account)")
    }
}

extension NeedPage {
    init(_ id: ID<Need>, for reader: Visitor?, outlines: Outlines, in tx: Transaction) throws {
        guard let need = try Need.find(id, for: reader?.account, isStaff: reader?.isStaff == true, in: tx) else {
            throw Refusal.notFound
        }
        let account = reader?.account
        let isOwn = account == need.author.account
        let mine = try account.flatMap { try Claim.find(of: $0, at: id, in: tx) }
        self.init(need: need)
        self.isOwn = isOwn
        self.mine = mine
        claims = isOwn ? try Claim.all(of: id, in: tx) : []
        isOver = !need.isOpen(at: tx.now)
        threads = try account.map { try TalkThread.all(at: id, of: $0, in: tx) } ?? []
        given = try account.flatMap { try Claim.given(by: $0, to: id, in: tx) }
        isTrusted = isOwn || (!isOver && (mine?.state == .taken || mine?.state == .brought))
        let hurdle = try account.flatMap { try Claim.hurdle(of: $0, at: need, in: tx) }
        let mayBeTaken = !isOwn && !isOver && !need.isFull && !need.isLasting && mine == nil
        if mayBeTaken { self.hurdle = hurdle }
        canClaim = hurdle == nil && mayBeTaken
        map = try Self.map(of: need, outlines: outlines, in: tx)
    }

    /// A map of the public position; nil if it is unknown.
    static func map(of need: Need, outlines: Outlines, in db: Connection) throws -> MapDrawing? {
        try need.pin.map {
            try MapDrawing(
                [MapDrawing.Place(coordinate: $0.coordinate, name: $0.name, link: nil)],
                country: need.place.address.country, kilometres: 6, height: 280, outlines: outlines, in: db)
        }
    }
}
