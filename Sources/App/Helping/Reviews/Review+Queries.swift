import Database

extension Review: RowDecodable {
    static let columns: Columns =
        [
            "review.id", "review.host_id", "host.username", "coalesce(provider.organization, host.username)",
        ] + Author.columns + [
            "review.stars", "review.comment", "review.created_at", "review.edited_at",
            "review.hidden_at IS NOT NULL", "review.answer",
        ]

    static let sources: SQL = """
        review JOIN account ON account.id = review.account_id LEFT JOIN person ON person.account_id = account.id
        JOIN account AS host ON host.id = review.host_id LEFT JOIN provider ON provider.account_id = review.host_id
        """

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), host: try row.next(), hostUsername: try row.next(), hostName: try row.next(),
            author: try row.next(), stars: try row.next(), comment: try row.next(), createdAt: try row.next(),
            editedAt: try row.next(), isHidden: try row.next(), answer: try row.next())
    }
}

extension Review {
    static func find(_ id: ID<Review>, in db: Connection) throws -> Review? {
        try db.first("SELECT \(columns) FROM \(sources) WHERE review.id = \(id)")
    }

    /// The reviews of an organization, newest first.
    static func all(
        of host: ID<Account>, after: Cursor<ID<Review>>?, for reader: ID<Account>?, in db: Connection
    ) throws -> Page<Review> {
        try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(columns) FROM \(sources)
                WHERE review.host_id = \(host) AND review.id < \(after?.keys ?? ID(.max)) AND review.hidden_at IS NULL
                    AND account.suspended_at IS NULL AND NOT \(Block.hides("review.account_id", from: reader))
                ORDER BY review.id DESC LIMIT \(limit)
                """)
        }
    }

    /// A member's reviews, newest first: at most one per organization and year.
    static func all(by account: ID<Account>, after: Cursor<ID<Review>>?, in db: Connection) throws -> Page<Review> {
        try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(columns) FROM \(sources) WHERE review.account_id = \(account)
                    AND review.id < \(after?.keys ?? ID(.max)) AND review.comment <> ''
                ORDER BY review.id DESC LIMIT \(limit)
                """)
        }
    }

    /// Whether a member took part recently: with confirmed hours, in a shift that nobody confirmed within two weeks, or
    /// at an event where their registration was checked in.
    static func tookPart(_ account: ID<Account>, at host: ID<Account>, today: Day, in tx: Transaction)
        throws -> Bool
    {
        let since = tx.now - openFor
        return try tx.exists(
            """
            SELECT 1 FROM contribution WHERE account_id = \(account) AND host_id = \(host)
                AND confirmed IS NOT NULL AND day >= \(today.advanced(by: -90)) LIMIT 1
            """)
            || tx.exists(
                """
                SELECT 1 FROM signup JOIN opportunity ON opportunity.id = signup.opportunity_id
                JOIN shift ON shift.id = signup.shift_id
                WHERE signup.account_id = \(account) AND signup.state = 'confirmed'
                    AND opportunity.account_id = \(host) AND shift.ends_at <= \(tx.now - .days(14))
                    AND shift.ends_at > \(since) LIMIT 1
                """)
            || tx.exists(
                """
                SELECT 1 FROM registration JOIN event ON event.id = registration.event_id
                JOIN registration_person ON registration_person.registration_id = registration.id
                WHERE registration.account_id = \(account) AND event.account_id = \(host)
                    AND registration_person.arrived_at IS NOT NULL AND event.ends_at > \(since) LIMIT 1
                """)
    }

    static func canWrite(
        _ account: ID<Account>, about host: ID<Account>, today: Day, in tx: Transaction
    ) throws -> Bool {
        guard try Colleague.duty(of: account, for: host, in: tx) == nil,
            try !Block.stands(between: account, and: host, in: tx)
        else { return false }
        return try tookPart(account, at: host, today: today, in: tx)
            && !tx.exists(
                """
                SELECT 1 FROM review WHERE host_id = \(host) AND account_id = \(account) AND year = \(today.year)
                """)
    }

    /// Publishes a review, at most one per year.
    ///
    /// - Parameter hasBrakes: Whether a review with a link, by a member without a confirmed address, is held for
    ///   review.
    /// - Returns: Whether it is held.
    /// - Throws: `Refused`.
    @discardableResult static func write(
        _ form: ReviewForm, of host: ID<Account>, by account: ID<Account>, today: Day, hasBrakes: Bool = false,
        in tx: Transaction
    ) throws -> Bool {
        guard try Colleague.duty(of: account, for: host, in: tx) == nil,
            try !Block.stands(between: account, and: host, in: tx),
            try tookPart(account, at: host, today: today, in: tx)
        else {
            throw Refused.notThere
        }
        let count = try tx.execute(
            """
            INSERT INTO review (host_id, account_id, stars, comment, year, created_at)
            VALUES (\(host), \(account), \(form.stars), \(form.comment), \(today.year), \(tx.now))
            ON CONFLICT (host_id, account_id, year) DO NOTHING
            """)
        guard count == 1 else { throw Refused.already }
        try OrganizationTotal.count(1, stars: form.stars, of: host, in: tx)
        guard let id = try own(of: host, by: account, in: today.year, db: tx), let written = try find(id, in: tx) else {
            return false
        }
        if hasBrakes, try Matter.keepBack(Review.self, id, of: account, in: tx) { return true }
        try written.tellHost(in: tx)
        return false
    }

    /// A member's review of an organization in a year.
    static func own(of host: ID<Account>, by account: ID<Account>, in year: Int, db: Connection) throws -> ID<Review>? {
        try db.value("SELECT id FROM review WHERE host_id = \(host) AND account_id = \(account) AND year = \(year)")
    }

    /// Changes one's own review and updates the totals.
    static func change(
        _ id: ID<Review>, to form: ReviewForm, by account: ID<Account>, hasBrakes: Bool = false, in tx: Transaction
    ) throws -> Review {
        guard let review = try find(id, in: tx), review.author.account == account else { throw Refusal.notFound }
        try tx.execute(
            """
            UPDATE review SET stars = \(form.stars), comment = \(form.comment), edited_at = \(tx.now) WHERE id = \(id)
            """)
        if !review.isHidden {
            try OrganizationTotal.count(-1, stars: review.stars, of: review.host, in: tx)
            try OrganizationTotal.count(1, stars: form.stars, of: review.host, in: tx)
        }
        try Decision.wasChanged(Review.self, id, in: tx)
        guard !review.isHidden, review.comment != form.comment else { return review }
        if hasBrakes, try Matter.keepBack(Review.self, id, of: account, in: tx) { return review }
        try review.tellHost(in: tx)
        return review
    }

    /// Notifies the organization of a review.
    func tellHost(in tx: Transaction) throws {
        try HelpNews(.reviewed, ID(id.rawValue), hostName, before: .text(hostUsername), now: nil)
            .tellHost(host, by: author.account, in: tx)
    }

    static func delete(_ id: ID<Review>, by account: ID<Account>, in db: Connection) throws -> Review {
        guard let review = try find(id, in: db), review.author.account == account else { throw Refusal.notFound }
        if review.isHidden {
            // The row stays without its text, so that the review can't be written again in the same year.
            try db.execute("UPDATE review SET comment = '', answer = '' WHERE id = \(id)")
            return review
        }
        try db.execute("DELETE FROM review WHERE id = \(id)")
        try OrganizationTotal.count(-1, stars: review.stars, of: review.host, in: db)
        return review
    }

    /// Stores the organization's one answer.
    static func answer(_ id: ID<Review>, _ text: String, by host: ID<Account>, in tx: Transaction)
        throws -> Review
    {
        guard let review = try find(id, in: tx), review.host == host, !review.isHidden else { throw Refusal.notFound }
        let count = try tx.execute(
            "UPDATE review SET answer = \(text), answered_at = \(tx.now) WHERE id = \(id) AND answer = ''")
        guard count == 1 else { throw Refusal.tooLate }
        try HelpNews.settle([.reviewed], ID(id.rawValue), in: tx)
        return review
    }

    static func hide(_ id: ID<Review>, at instant: Instant?, in tx: Transaction) throws {
        guard let review = try find(id, in: tx), review.isHidden != (instant != nil) else { return }
        try tx.execute("UPDATE review SET hidden_at = \(instant) WHERE id = \(id)")
        try OrganizationTotal.count(instant == nil ? 1 : -1, stars: review.stars, of: review.host, in: tx)
    }

    /// Erases a member's reviews of an organization that becomes their own.
    static func forget(by account: ID<Account>, of host: ID<Account>, in db: Connection) throws {
        let own: [ID<Review>] = try db.all(
            "SELECT id FROM review WHERE host_id = \(host) AND account_id = \(account) ORDER BY id LIMIT 100"
        ) { try $0.next() }
        for id in own { _ = try delete(id, by: account, in: db) }
        try db.execute("DELETE FROM review WHERE host_id = \(host) AND account_id = \(account)")
    }

    /// Erases a leaving member's reviews and follows, and updates the totals.
    static func forget(_ account: ID<Account>, in db: Connection) throws {
        let own: [ID<Review>] = try db.all(
            "SELECT id FROM review WHERE account_id = \(account) ORDER BY id LIMIT 10000"
        ) { try $0.next() }
        for id in own { _ = try delete(id, by: account, in: db) }
        try db.execute("DELETE FROM review WHERE account_id = \(account)")
        try db.execute(
            """
            UPDATE organization_total SET followers = followers - 1
            WHERE account_id IN (SELECT host_id FROM follow WHERE account_id = \(account))
            """)
        try db.execute("DELETE FROM follow WHERE account_id = \(account) OR host_id = \(account)")
        try db.execute("DELETE FROM review WHERE host_id = \(account)")
    }
}

extension OrganizationTotal {
    static func of(_ host: ID<Account>, in db: Connection) throws -> OrganizationTotal {
        try db.first(
            """
            SELECT stars_1, stars_2, stars_3, stars_4, stars_5, followers, helpers, minutes
            FROM organization_total WHERE account_id = \(host)
            """
        ) { row in
            OrganizationTotal(
                votes: try (0..<5).map { _ in try row.next() as Int }, followers: try row.next(),
                helpers: try row.next(), minutes: try row.next())
        } ?? OrganizationTotal()
    }

    /// The totals for a page of organizations.
    static func all(of hosts: [ID<Account>], in db: Connection) throws -> [ID<Account>: OrganizationTotal] {
        var found: [ID<Account>: OrganizationTotal] = [:]
        let most = Event.pageSize + 1
        try db.each(
            """
            SELECT account_id, stars_1, stars_2, stars_3, stars_4, stars_5, followers, helpers, minutes
            FROM organization_total WHERE account_id IN \(list: hosts.prefix(most).padded(to: most)) LIMIT \(most)
            """
        ) { row in
            let host: ID<Account> = try row.next()
            found[host] = OrganizationTotal(
                votes: try (0..<5).map { _ in try row.next() as Int }, followers: try row.next(),
                helpers: try row.next(), minutes: try row.next())
            return true
        }
        return found
    }

    static func year(_ year: Int, of host: ID<Account>, in db: Connection) throws -> Year {
        try db.first(
            "SELECT helpers, minutes FROM organization_year WHERE account_id = \(host) AND year = \(year)"
        ) { Year(helpers: try $0.next(), minutes: try $0.next()) } ?? Year()
    }

    /// Creates the row of an organization, if there is none.
    static func make(_ host: ID<Account>, in db: Connection) throws {
        try db.execute(
            "INSERT INTO organization_total (account_id) VALUES (\(host)) ON CONFLICT (account_id) DO NOTHING")
    }

    /// Recounts the stars of the organizations with these reviews.
    ///
    /// - Parameter reviews: A list of them in parentheses.
    static func recount(_ reviews: SQL, in db: Connection) throws {
        func votes(_ stars: Int) -> SQL {
            """
            (SELECT count(*) FROM review
                WHERE review.host_id = organization_total.account_id AND stars = \(stars) AND hidden_at IS NULL)
            """
        }
        try db.execute(
            """
            UPDATE organization_total SET stars_1 = \(votes(1)), stars_2 = \(votes(2)), stars_3 = \(votes(3)),
                stars_4 = \(votes(4)), stars_5 = \(votes(5))
            WHERE account_id IN (SELECT host_id FROM review WHERE id IN \(reviews))
            """)
    }

    fileprivate static func count(_ count: Int, stars: Int, of host: ID<Account>, in db: Connection) throws {
        try make(host, in: db)
        let columns: [SQL] = ["stars_1", "stars_2", "stars_3", "stars_4", "stars_5"]
        let column = columns[stars - 1]
        try db.execute(
            "UPDATE organization_total SET \(column) = \(column) + \(count) WHERE account_id = \(host)")
    }
}

extension Followed {
    static func isFollowing(_ host: ID<Account>, by account: ID<Account>?, in db: Connection) throws -> Bool {
        guard let account else { return false }
        return try db.exists("SELECT 1 FROM follow WHERE account_id = \(account) AND host_id = \(host)")
    }

    /// Follows or unfollows an organization.
    static func follow(_ host: ID<Account>, _ isOn: Bool, by account: ID<Account>, in tx: Transaction)
        throws
    {
        guard host != account, try !isOn || !Block.stands(between: account, and: host, in: tx) else { return }
        try OrganizationTotal.make(host, in: tx)
        let count =
            isOn
            ? try tx.execute(
                """
                INSERT INTO follow (account_id, host_id, at) VALUES (\(account), \(host), \(tx.now))
                ON CONFLICT (account_id, host_id) DO NOTHING
                """)
            : try tx.execute("DELETE FROM follow WHERE account_id = \(account) AND host_id = \(host)")
        guard count == 1 else { return }
        try tx.execute(
            "UPDATE organization_total SET followers = followers + \(isOn ? 1 : -1) WHERE account_id = \(host)")
    }

    /// The organizations a member follows, newest accounts first, with their recent opportunities and events.
    static func all(of account: ID<Account>, after: Cursor<ID<Account>>?, in tx: Transaction) throws -> Page<Followed> {
        let hosts: Page<(id: ID<Account>, username: String, name: String)> = try Page(of: pageSize, by: \.id) { limit in
            try tx.all(
                """
                SELECT account.id, account.username, provider.organization FROM follow
                JOIN account ON account.id = follow.host_id JOIN provider ON provider.account_id = follow.host_id
                WHERE follow.account_id = \(account) AND follow.host_id < \(after?.keys ?? ID(.max))
                    AND account.suspended_at IS NULL
                ORDER BY follow.host_id DESC LIMIT \(limit)
                """
            ) { (try $0.next(), try $0.next(), try $0.next()) }
        }
        // All recent ones, regardless of their number per organization: the IDs shortly before the newest.
        let open: [Opportunity] = try tx.all(
            """
            SELECT \(Opportunity.columns) FROM opportunity \(Opportunity.sources(tx.now))
            WHERE opportunity.listed = TRUE AND opportunity.ends_at > \(tx.now)
                AND opportunity.id > \(try newest("opportunity", in: tx) - 500)
                AND opportunity.account_id IN (SELECT host_id FROM follow WHERE follow.account_id = \(account))
            ORDER BY opportunity.id DESC LIMIT 500
            """, Opportunity.read)
        let events: [(ID<Account>, EventCard)] = try tx.all(
            """
            SELECT event.account_id, \(EventCard.columns) FROM event \(EventCard.host)
            WHERE event.listed IS TRUE AND \(unindexed: "event.starts_at") > \(tx.now)
                AND event.id > \(try newest("event", in: tx) - 500)
                AND \(unindexed: "event.account_id") IN (
                    SELECT host_id FROM follow WHERE follow.account_id = \(account))
            ORDER BY event.id DESC LIMIT 500
            """
        ) { (try $0.next(), try $0.next()) }
        return hosts.changed { hosts in
            hosts.map { id, username, name in
                Followed(
                    id: id, username: username, name: name,
                    opportunities: Array(open.filter { $0.host.id == id }.prefix(5)),
                    events: events.filter { $0.0 == id }.prefix(5).map { _, event in
                        var event = event
                        event.saysDay = true
                        return event
                    })
                // On a page, organizations with something new come first.
            }.sorted { ($0.isQuiet ? 1 : 0, folded($0.name)) < ($1.isQuiet ? 1 : 0, folded($1.name)) }
        }
    }

    /// The newest ID: recent ones have the IDs shortly before it.
    private static func newest(_ table: SQL, in db: Connection) throws -> Int64 {
        try db.value("SELECT coalesce(max(id), 0) FROM \(table)") ?? 0
    }
}

extension OrganizationPage {
    init(
        of provider: Provider, reviewsAfter: Cursor<ID<Review>>?, for reader: Visitor?, outlines: Outlines, today: Day,
        in tx: Transaction
    ) throws {
        let host = provider.account
        let pin = try Gazetteer.coordinate(of: provider.address, in: tx).map(provider.pin)
        let reviews = try Review.all(of: host, after: reviewsAfter, for: reader?.account, in: tx)
        self.init(
            total: try OrganizationTotal.of(host, in: tx),
            year: try OrganizationTotal.year(today.year, of: host, in: tx),
            map: try pin.map {
                try MapDrawing(
                    [$0], country: provider.address.country, kilometres: 16, height: 280, outlines: outlines, in: tx)
            },
            opportunities: try Opportunity.offered(by: host, in: tx), reviews: reviews,
            username: provider.username,
            isFollowing: try Followed.isFollowing(host, by: reader?.account, in: tx), isOwn: reader?.editing == host,
            canReview: try reader.map {
                try Review.canWrite($0.account, about: host, today: today, in: tx)
            } ?? false)
    }
}
