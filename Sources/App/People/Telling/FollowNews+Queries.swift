import Database

extension FollowNews {
    /// Notifies a host's followers.
    func tell(of host: ID<Account>, in zone: Zone, tx: Transaction) throws {
        guard try Opening(in: tx).has(.helping) else { return }
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
        try Notice.tell(news, followers, in: tx)
        try tx.execute(
            """
            INSERT INTO follow_digest (account_id, kind, number, due_at)
            SELECT account.id, \(line), \(Digest.due(after: tx.now, in: zone)) FROM account
            WHERE \(followers) AND \(Digest.isWanted(.followed)) ON CONFLICT (account_id, kind, number) DO NOTHING
            """)
    }

    /// Writes the letters that are due, each once.
    ///
    /// - Returns: The number of letters.
    @discardableResult static func sendDigests(in tx: Transaction) throws -> Int {
        let readers = try Digest.readers(of: "follow_digest", in: tx)
        for reader in readers {
            // Organizations that the reader no longer follows, or blocks, are left out.
            try tx.execute(
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
            let lines: [(kind: String, number: Int64)] = try tx.all(
                "SELECT kind, number FROM follow_digest WHERE account_id = \(reader) ORDER BY kind, number LIMIT 50"
            ) { (try $0.next(), try $0.next()) }
            guard !lines.isEmpty else { continue }
            let all: [What] = lines.map { $0.kind == "event" ? .event(ID($0.number)) : .opportunity(ID($0.number)) }
            // The rest that doesn't fit into one letter follows in the next minute.
            for line in lines {
                try tx.execute(
                    """
                    DELETE FROM follow_digest
                    WHERE account_id = \(reader) AND kind = \(line.kind) AND number = \(line.number)
                    """)
            }
            try Letter.write(gathering: .followed, keeping(all), to: reader, in: tx)
        }
        return readers.count
    }
}
