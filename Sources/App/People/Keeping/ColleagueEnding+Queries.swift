import Database

/// Changing and ending duties. What a duty let somebody read, in any part of the site, is taken away with it.
extension Colleague {
    /// Changes a colleague's duty.
    ///
    /// - Throws: `Refusal.notFound`.
    static func entrust(_ account: ID<Account>, with duty: Duty, by owner: ID<Account>, in tx: Transaction) throws {
        guard duty != .owner, let before = try self.duty(of: account, for: owner, in: tx), before != .owner else {
            throw Refusal.notFound
        }
        guard before != duty else { return }
        try tx.execute("UPDATE colleague SET duty = \(duty) WHERE account_id = \(account) AND host_id = \(owner)")
        try untell(NoticeKind.allCases.filter { !$0.colleagues.contains(duty) }, account, of: owner, in: tx)
        try note(.entrusted, duty.rawValue, to: account, of: owner, by: owner, in: tx)
        let what: TeamNews.What = duty == .edit ? .edit : .roster
        try TeamNews(what, ID(owner.rawValue), try name(of: owner, in: tx)).tell(account, in: tx)
    }

    /// Takes a colleague's part away.
    ///
    /// - Throws: `Refusal.notFound`, also for the owner.
    static func remove(_ account: ID<Account>, by owner: ID<Account>, in tx: Transaction) throws {
        let duty = try duty(of: account, for: owner, in: tx)
        guard let duty, duty != .owner else { throw Refusal.notFound }
        try note(.removed, to: account, of: owner, by: owner, in: tx)
        try end(account, of: owner, in: tx)
        try TeamNews(.removed, ID(owner.rawValue), try name(of: owner, in: tx)).tell(account, in: tx)
    }

    /// Lets a colleague leave, and notifies the owner. An owner must hand the organization over first.
    ///
    /// - Parameter isNamed: Whether the owner is told who: not if the member leaves the site.
    static func leave(_ account: ID<Account>, isNamed: Bool = true, in tx: Transaction) throws {
        let found: (host: ID<Account>, duty: Duty)? = try tx.first(
            "SELECT host_id, duty FROM colleague WHERE account_id = \(account)"
        ) { (try $0.next(), try $0.next()) }
        guard let (host, duty) = found else { return }
        try note(.left, duty.rawValue, of: host, by: account, in: tx)
        try end(account, of: host, in: tx)
        var news = TeamNews(.left, ID(account.rawValue), try name(of: host, in: tx))
        if isNamed { news.who = TeamNews.Who(name: try shownName(of: account, in: tx), duty: duty) }
        try news.tell(host, in: tx)
    }

    /// Ends all duties of a member who leaves the site.
    static func forget(_ account: ID<Account>, in tx: Transaction) throws {
        try leave(account, isNamed: false, in: tx)
        // The owner's earlier notices must not name them anymore, either.
        let hosts: [ID<Account>] = try tx.all(
            "SELECT host_id FROM team_act WHERE account_id = \(account) LIMIT 1000"
        ) { try $0.next() }
        let told: [(id: Int64, detail: String)] = try Set(hosts).sorted().flatMap { host in
            try tx.all(
                """
                SELECT id, detail FROM notice
                WHERE account_id = \(host) AND event_id IS NULL AND kind = \(NoticeKind.team)
                    AND subject = \(account) LIMIT 1000
                """
            ) { (try $0.next() as Int64, try $0.next() as String) }
        }
        for (id, detail) in told {
            guard var news = TeamNews(detail: detail, subject: account.rawValue), news.who != nil else { continue }
            news.who = nil
            try tx.execute("UPDATE notice SET detail = \(news.detail) WHERE id = \(id)")
        }
        let others: [ID<Account>] = try tx.all(
            "SELECT account_id FROM colleague WHERE host_id = \(account) ORDER BY since LIMIT 100"
        ) { try $0.next() }
        let name = try name(of: account, in: tx)
        for other in others {
            try end(other, of: account, in: tx)
            try TeamNews(.closed, ID(account.rawValue), name).tell(other, in: tx)
        }
        try tx.execute("DELETE FROM team_act WHERE host_id = \(account)")
        try tx.execute("UPDATE team_act SET account_id = NULL WHERE account_id = \(account)")
        try tx.execute("UPDATE team_act SET about_id = NULL WHERE about_id = \(account)")
    }

    /// Ends a member's duty at an organization: removes the provider's hat, their notices about it, and the log-in
    /// elsewhere that they had for its sake.
    private static func end(_ account: ID<Account>, of host: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM colleague WHERE account_id = \(account)")
        try OutsideLogIn.endIfUnsuitable(account, in: db)
        try untell(NoticeKind.allCases, account, of: host, in: db)
        let hat: SQL = """
            (SELECT 'parent' FROM family WHERE family.account_id = \(account))
            """
        try db.execute("UPDATE session SET hat = \(hat) WHERE account_id = \(account) AND hat = 'provider'")
        try db.execute("UPDATE account SET last_hat = \(hat) WHERE id = \(account) AND last_hat = 'provider'")
    }

    /// Removes a former colleague's notices of these kinds, and pending messages.
    private static func untell(
        _ kinds: [NoticeKind], _ account: ID<Account>, of host: ID<Account>, in db: Connection
    ) throws {
        let kinds = kinds.filter { !$0.colleagues.isEmpty }
        let events: SQL = "(SELECT id FROM event WHERE event.account_id = \(host))"
        // A daily letter is about several events.
        let told: SQL = """
            account_id = \(account) AND kind IN \(list: kinds) AND (event_id IN \(events)
                OR event_id IS NULL AND kind = \(NoticeKind.booked)
                OR event_id IS NULL AND kind = \(NoticeKind.helpers)
                    AND subject IN (SELECT id FROM opportunity WHERE opportunity.account_id = \(host))
                OR event_id IS NULL AND kind = \(NoticeKind.wrote)
                    AND subject IN (SELECT id FROM thread WHERE \(TalkThread.isOf(host, besides: account))))
            """
        try Notice.erase(told, in: db)
        try db.execute("DELETE FROM letter WHERE \(told) AND state = 'waiting'")
        if kinds.contains(.wrote) { try TalkThread.leave(host, by: account, in: db) }
        guard kinds.contains(.booked) else { return }
        try db.execute("DELETE FROM digest WHERE account_id = \(account) AND event_id IN \(events)")
    }
}
