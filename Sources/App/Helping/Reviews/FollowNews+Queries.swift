import Database

extension FollowNews {
    /// Notifies an organization's followers of a new opportunity.
    static func tell(_ id: ID<Opportunity>, _ opportunity: Opportunity, at now: Instant, in db: Connection) throws {
        try FollowNews(opportunity.host.name, .opportunity(id), EventTitle(title: opportunity.title)).tell(
            of: opportunity.host.id, in: opportunity.zone, at: now, db: db)
    }

    /// Notifies a host's followers of a new event.
    static func tell(_ id: ID<Event>, _ event: Event, at now: Instant, in db: Connection) throws {
        let zone = event.clock
        try FollowNews(event.host.name, .event(id), event.eventTitle).tell(of: event.host.id, in: zone, at: now, db: db)
    }

    /// Notifies followers of several events announced at once, with one notice for the visible ones.
    static func tell(ofAll ids: [ID<Event>], at now: Instant, in db: Connection) throws {
        let shown = try Event.all(ids, in: db).filter { !$0.isHidden && !$0.isCancelled && !$0.isOver(at: now) }
        guard let first = shown.min(by: { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }) else { return }
        var news = FollowNews(first.host.name, .event(first.id), first.eventTitle)
        if shown.count > 1 { news.many = Many(count: shown.count, host: first.host.username) }
        try news.tell(of: first.host.id, in: first.clock, at: now, db: db)
    }

    private func tell(of host: ID<Account>, in zone: Zone, at now: Instant, db: Connection) throws {
        guard try Opening(in: db).has(.helping) else { return }
        let followers: SQL = """
            account.id IN (SELECT follow.account_id FROM follow WHERE follow.host_id = \(host))
                AND account.suspended_at IS NULL AND NOT \(Block.hides("account.id", from: host))
            """
        var news = Notice.News(kind: .followed, detail: detail)
        let line: SQL
        switch what {
        case .opportunity(let id):
            news.subject = id.rawValue
            line = "'opportunity', \(id)"
        case .event(let id):
            news.event = id
            line = "'event', \(id)"
        }
        try Notice.tell(news, followers, at: now, in: db)
        try db.execute(
            """
            INSERT INTO follow_digest (account_id, kind, number, due_at)
            SELECT account.id, \(line), \(Digest.due(after: now, in: zone)) FROM account
            WHERE \(followers) AND \(Digest.isWanted(.followed)) ON CONFLICT (account_id, kind, number) DO NOTHING
            """)
    }

    /// Writes the letters that are due, each once.
    ///
    /// - Returns: The number of letters.
    @discardableResult static func sendDigests(at now: Instant, in db: Connection) throws -> Int {
        let readers = try Digest.readers(of: "follow_digest", at: now, in: db)
        for reader in readers {
            // Organizations that the reader no longer follows, or blocks, are left out.
            try db.execute(
                """
                DELETE FROM follow_digest WHERE account_id = \(reader) AND NOT EXISTS (
                    SELECT 1 FROM follow WHERE follow.account_id = follow_digest.account_id
                        AND follow.host_id = CASE follow_digest.kind
                            WHEN 'event' THEN (
                                SELECT event.account_id FROM event WHERE event.id = follow_digest.number)
                            ELSE (
                                SELECT opportunity.account_id FROM opportunity
                                WHERE opportunity.id = follow_digest.number) END
                        AND NOT \(Block.hides("follow.host_id", from: reader)))
                """)
            let lines: [(kind: String, number: Int64)] = try db.all(
                "SELECT kind, number FROM follow_digest WHERE account_id = \(reader) ORDER BY kind, number LIMIT 50"
            ) { (try $0.next(), try $0.next()) }
            guard !lines.isEmpty else { continue }
            let all: [What] = lines.map { $0.kind == "event" ? .event(ID($0.number)) : .opportunity(ID($0.number)) }
            // The rest that doesn't fit into one letter follows in the next minute.
            for line in lines {
                try db.execute(
                    """
                    DELETE FROM follow_digest
                    WHERE account_id = \(reader) AND kind = \(line.kind) AND number = \(line.number)
                    """)
            }
            try Letter.write(gathering: .followed, keeping(all), to: reader, at: now, in: db)
        }
        return readers.count
    }

    /// The content of a letter; things no longer visible are left out.
    static func all(_ kept: [What], at now: Instant, in db: Connection) throws -> [FollowNews] {
        try kept.compactMap { what in
            switch what {
            case .opportunity(let id):
                guard let opportunity = try Opportunity.find(id, at: now, in: db), opportunity.isOpen(at: now) else {
                    return nil
                }
                return FollowNews(opportunity.host.name, what, EventTitle(title: opportunity.title))
            case .event(let id):
                guard let event = try Event.find(id, in: db), !event.isHidden, !event.isCancelled else { return nil }
                return FollowNews(event.host.name, what, event.eventTitle)
            }
        }
    }
}
