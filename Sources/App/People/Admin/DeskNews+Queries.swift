import Database

extension DeskNews {
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        guard let news = DeskNews(detail: letter.detail, subject: letter.subject) else { return nil }
        var text = news.letter
        if news.what == .waits {
            let lines = try waiting(in: tx).lines
            if lines.isEmpty { return nil }
            text.lines = lines + text.lines
        }
        return text
    }

    /// The matters waiting for staff.
    static func waiting(in db: Connection) throws -> Waiting {
        Waiting(
            things: try Matter.waiting(in: db),
            letters: try db.value("SELECT count(*) FROM letter WHERE state = 'failed'") ?? 0)
    }

    /// Sends a letter once a day, from seven o'clock on, to each staff member who wants it, if something is waiting.
    ///
    /// - Returns: The number of letters.
    static func sendDigest(in zone: Zone, tx: Transaction) throws -> Int {
        let today = zone.day(of: tx.now)
        guard zone.instant(today, Digest.hour) <= tx.now, try Note.value("desk_digest", in: tx) != today.iso else {
            return 0
        }
        try Note.set("desk_digest", today.iso, in: tx)
        guard try !waiting(in: tx).lines.isEmpty else { return 0 }
        let kind = NoticeKind.desk
        return try tx.execute(
            """
            INSERT INTO letter (kind, account_id, address, detail, subject, created_at, due_at, ends_at)
            SELECT \(kind), id, email, \(DeskNews(.waits, ID(0), "-").detail), 0, \(tx.now), \(tx.now),
                \(tx.now + kind.shelfLife)
            FROM account WHERE is_staff AND suspended_at IS NULL AND left_at IS NULL
                \(Notice.reached(kind, "account"))\(Notice.wish(kind, .mail, "account"))
            """)
    }
}
