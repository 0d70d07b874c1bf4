import Database

extension Awaited {
    /// The most entries of each kind.
    private static let most = 10

    /// What is waiting, apart from meetings.
    private enum Kind: String, SQLValue {
        case helpers, shadowers, visitors, arrivals, hosting, desk
    }

    /// The requests waiting for a visitor's answer: their own, and those of an organization they look after.
    static func all(of visitor: Visitor, _ opening: Opening, in tx: Transaction) throws -> [Awaited] {
        var parts = [hosting(invited: visitor.account, at: tx.now)]
        if opening.has(.helping), visitor.provider != nil, visitor.duty != .roster {
            parts.append(helpers(at: visitor.host, after: tx.now))
        }
        if opening.has(.needs) {
            parts += [visitors(to: visitor.account, after: tx.now), arrivals(at: visitor.account)]
        }
        if visitor.isStaff { parts.append(desk) }
        // One statement, because Today of somebody with all of it takes many already.
        let union = parts.joined(separator: " UNION ALL ")
        let found: [(kind: Kind, id: Int64, title: String, count: Int)] = try tx.all(
            "\(union) LIMIT \(parts.count * most)"
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        func all(_ kind: Kind) -> [(kind: Kind, id: Int64, title: String, count: Int)] {
            found.filter { $0.kind == kind && $0.count > 0 }.sorted { $0.id < $1.id }
        }
        var awaited = all(.helpers).map { Awaited(helpers: $0.count, at: ID($0.id), $0.title) }
        awaited += all(.shadowers).map { Awaited(shadowers: $0.count, at: ID($0.id), $0.title) }
        awaited += all(.visitors).map { Awaited(visitors: $0.count, for: ID($0.id), $0.title) }
        awaited += all(.arrivals).map { Awaited(arrivals: $0.count, for: ID($0.id), $0.title) }
        if opening.has(.playdates) { awaited += try meetings(with: visitor.account, in: tx) }
        awaited += all(.hosting).map { Awaited(hosting: ID($0.id), $0.title) }
        return awaited + all(.desk).map { Awaited(atTheDesk: $0.count) }
    }

    private static func helpers(at host: ID<Account>, after now: Instant) -> SQL {
        """
        SELECT kind, id, title, number FROM (
            SELECT CASE WHEN opportunity.kind = 'shadow' THEN \(Kind.shadowers) ELSE \(Kind.helpers) END AS kind,
                opportunity.id AS id, opportunity.title AS title, count(*) AS number
            FROM opportunity
            JOIN signup ON signup.opportunity_id = opportunity.id AND signup.state = 'asked'
            LEFT JOIN shift ON shift.id = signup.shift_id
            WHERE opportunity.account_id = \(host) AND \(Signup.isAnswerable(now))
            GROUP BY opportunity.id ORDER BY opportunity.id LIMIT \(most)
        ) AS helpers
        """
    }

    private static func visitors(to account: ID<Account>, after now: Instant) -> SQL {
        """
        SELECT kind, id, title, number FROM (
            SELECT \(Kind.visitors) AS kind, need.id AS id, need.title AS title, count(*) AS number FROM need
            JOIN claim ON claim.need_id = need.id AND claim.state = 'asked' AND claim.ends_at > \(now)
            WHERE need.account_id = \(account)
            GROUP BY need.id ORDER BY need.id LIMIT \(most)
        ) AS visitors
        """
    }

    private static func arrivals(at account: ID<Account>) -> SQL {
        """
        SELECT kind, id, title, number FROM (
            SELECT \(Kind.arrivals) AS kind, need.id AS id, need.title AS title, count(*) AS number FROM need
            JOIN claim ON claim.need_id = need.id AND claim.state = 'brought'
            WHERE need.account_id = \(account)
            GROUP BY need.id ORDER BY need.id LIMIT \(most)
        ) AS arrivals
        """
    }

    private static func hosting(invited account: ID<Account>, at now: Instant) -> SQL {
        """
        SELECT kind, id, title, number FROM (
            SELECT \(Kind.hosting) AS kind, event.id AS id, event.title AS title, CAST(1 AS BIGINT) AS number
            FROM cohost JOIN event ON event.id = cohost.event_id
            WHERE cohost.account_id = \(account) AND \(Cohost.canSayYes(now))
            ORDER BY cohost.event_id LIMIT \(most)
        ) AS hosting
        """
    }

    private static let desk: SQL = """
        SELECT \(Kind.desk), CAST(0 AS BIGINT), '', count(*) FROM matter WHERE \(Matter.isWaiting)
        """

    private static func meetings(with account: ID<Account>, in tx: Transaction) throws -> [Awaited] {
        let all = try tx.all(
            """
            SELECT \(Meeting.columns), mine.name, theirs.name
            FROM meeting CROSS JOIN match_side AS side
            JOIN pet AS mine ON mine.id = side.pet_id JOIN pet AS theirs ON theirs.id = side.other_pet_id
            WHERE meeting.other_account_id = \(account) AND meeting.state = 'proposed'
                AND side.match_id = meeting.match_id AND \(PetMatch.isThere(for: account))
            ORDER BY meeting.id LIMIT \(most)
            """
        ) { (meeting: try $0.next() as Meeting, names: PetMatch.names(try $0.next(), try $0.next())) }
        return all.filter { $0.meeting.isOpen(at: tx.now) }.map { Awaited(meeting: $0.meeting.match, of: $0.names) }
    }
}
