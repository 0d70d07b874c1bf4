import Database

extension PetMatch {
    /// The kinds of notices that lead to a match.
    static let kinds: [NoticeKind] = [.matched, .messaged, .met, .meeting]

    // MARK: Beginning and ending

    /// The match of two pets, even if it has ended.
    static func between(_ one: ID<Pet>, _ other: ID<Pet>, in db: Connection) throws -> ID<PetMatch>? {
        try db.value(
            "SELECT id FROM pet_match WHERE first_id = \(min(one, other)) AND second_id = \(max(one, other))")
    }

    /// Records that two pets said hello to each other, and notifies both owners; only once, in any order.
    static func insert(_ mine: Pet, _ other: Pet, in tx: Transaction) throws -> ID<PetMatch> {
        let id = ID<PetMatch>(
            try tx.insert(
                """
                INSERT INTO pet_match (first_id, second_id, at)
                VALUES (\(min(mine.id, other.id)), \(max(mine.id, other.id)), \(tx.now))
                """))
        for (one, two) in [(mine, other), (other, mine)] {
            try tx.execute(
                """
                INSERT INTO match_side (match_id, account_id, pet_id, other_account_id, other_pet_id, last_at)
                VALUES (\(id), \(one.account), \(one.id), \(two.account), \(two.id), \(tx.now))
                """)
            let news = Notice.News(kind: .matched, detail: "\(one.name)\u{1F}\(two.name)", subject: id.rawValue)
            try Notice.tell(news, "account.id = \(one.account)", in: tx)
        }
        return id
    }

    /// Ends a match for both. Neither appears in the other's cards again; messages can be reported for a while, but
    /// neither can read them. An owner who would come to a meeting is told only that it is canceled.
    ///
    /// - Returns: The data to restore it.
    /// - Throws: `Refusal.notFound` if it is somebody else's.
    @discardableResult static func end(
        _ id: ID<PetMatch>, by account: ID<Account>, in tx: Transaction
    ) throws -> Undo.Kept {
        guard let other = try other(in: id, of: account, tx) else { throw Refusal.notFound }
        let parted: Int =
            try tx.value(
                """
                SELECT count(*) FROM parted
                WHERE (account_id = \(account) AND other_id = \(other))
                    OR (account_id = \(other) AND other_id = \(account))
                """) ?? 0
        try tx.execute("UPDATE pet_match SET ended_at = \(tx.now) WHERE id = \(id)")
        for (one, two) in [(account, other), (other, account)] {
            try tx.execute(
                """
                INSERT INTO parted (account_id, other_id, at) VALUES (\(one), \(two), \(tx.now))
                ON CONFLICT (account_id, other_id) DO NOTHING
                """)
        }
        try eraseNotices("account_id IN \(list: [account, other]) AND subject = \(id.rawValue)", in: tx)
        let meetings = try Meeting.end(in: id, by: account, tx: tx)
        try TalkNews.note(.match(id), in: tx)
        return [("ended", "\(tx.now.milliseconds)"), ("parted", parted > 0 ? "1" : "")]
            + meetings.map { (name: "meeting", value: $0.text) }
    }

    /// Restores an ended match with its upcoming meeting; the other person is notified of a restored meeting.
    ///
    /// - Parameter wereApart: Whether the two were already separated before, because of other pets.
    /// - Returns: Whether it was restored: both pets and owners still exist, and there is no block.
    static func resume(
        _ id: ID<PetMatch>, endedAt ended: Instant, wereApart: Bool, _ meetings: [Meeting.Ended],
        by account: ID<Account>, in tx: Transaction
    ) throws -> Bool {
        let count = try tx.execute("UPDATE pet_match SET ended_at = NULL WHERE id = \(id) AND ended_at = \(ended)")
        guard count == 1, let other = try other(in: id, of: account, tx) else { return false }
        if !wereApart {
            try tx.execute(
                """
                DELETE FROM parted WHERE (account_id = \(account) AND other_id = \(other))
                    OR (account_id = \(other) AND other_id = \(account))
                """)
        }
        for meeting in meetings {
            try Meeting.resume(meeting, endedAt: ended, by: account, in: tx)
        }
        try TalkNews.note(.match(id), in: tx)
        return true
    }

    /// Cancels the meetings of two people of whom one blocked the other: each is told only that they are canceled.
    static func part(_ one: ID<Account>, from other: ID<Account>, in tx: Transaction) throws {
        let matches: [ID<PetMatch>] = try tx.all(
            """
            SELECT match_id FROM match_side WHERE account_id = \(one) AND other_account_id = \(other) LIMIT 100
            """
        ) { try $0.next() }
        for match in matches {
            try Meeting.end(in: match, by: one, tx: tx)
            try TalkNews.note(.match(match), in: tx)
        }
    }

    /// Cancels the meetings of a member whom nobody can meet at present; open pages of their matches are updated.
    static func callOff(of account: ID<Account>, in tx: Transaction) throws {
        let all: [ID<PetMatch>] = try tx.all(
            "SELECT match_id FROM match_side WHERE account_id = \(account) ORDER BY last_at DESC LIMIT 100"
        ) { try $0.next() }
        for match in all { try TalkNews.note(.match(match), in: tx) }
        let matches: [ID<PetMatch>] = try tx.all(
            """
            SELECT match_id FROM match_side WHERE account_id = \(account)
                AND EXISTS (SELECT 1 FROM meeting WHERE meeting.match_id = match_side.match_id
                    AND meeting.state IN ('proposed', 'agreed'))
            LIMIT 1000
            """
        ) { try $0.next() }
        for match in matches { try Meeting.end(in: match, by: account, tx: tx) }
    }

    /// Erases notices about a pet's matches; for the others it becomes a former member’s.
    static func forget(of pet: ID<Pet>, in tx: Transaction) throws {
        let waiting = try meeting("other_pet_id = \(pet)", in: tx)
        try noteFormer("other_pet_id = \(pet)", in: tx)
        try eraseNotices(
            """
            account_id IN (SELECT account_id FROM match_side WHERE pet_id = \(pet)
                    UNION ALL SELECT account_id FROM match_side WHERE other_pet_id = \(pet))
                AND subject IN (SELECT match_id FROM match_side WHERE pet_id = \(pet))
            """, in: tx)
        try Meeting.callOff(waiting, in: tx)
    }

    /// Erases a leaving member's pets and what others have stored about them; for those it becomes a former member’s.
    static func forget(by account: ID<Account>, in tx: Transaction) throws {
        let waiting = try meeting("other_account_id = \(account)", in: tx)
        try noteFormer("other_account_id = \(account)", in: tx)
        try eraseNotices(
            """
            account_id IN (SELECT other_account_id FROM match_side WHERE match_side.account_id = \(account))
                AND subject IN (SELECT match_id FROM match_side WHERE match_side.account_id = \(account))
            """, in: tx)
        try Meeting.callOff(waiting, in: tx)
        // A match refers to both pets, so deleting either one deletes it.
        try tx.execute("DELETE FROM pet WHERE account_id = \(account)")
    }

    /// The people who would wait in vain at an agreed meeting, with the match.
    private static func meeting(
        _ which: SQL, in tx: Transaction
    ) throws -> [(account: ID<Account>, match: ID<PetMatch>)] {
        try tx.all(
            """
            SELECT account_id, match_id FROM match_side
            WHERE \(which) AND EXISTS (SELECT 1 FROM meeting
                WHERE meeting.match_id = match_side.match_id AND meeting.state = 'agreed'
                    AND meeting.starts_at > \(tx.now))
            LIMIT 500
            """
        ) { (try $0.next(), try $0.next()) }
    }

    /// Records for the other sides that there was a match, without anything about the other owner.
    private static func noteFormer(_ which: SQL, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO former_match (account_id, match_id, pet_id, at)
            SELECT account_id, match_id, pet_id, \(tx.now) FROM match_side
            WHERE \(which) AND EXISTS (
                SELECT 1 FROM pet_match WHERE pet_match.id = match_side.match_id AND pet_match.ended_at IS NULL)
            """)
    }

    private static func eraseNotices(_ which: SQL, in db: Connection) throws {
        try Notice.erase("event_id IS NULL AND kind IN \(list: kinds) AND \(which)", in: db)
    }

    /// Erases ended matches and old meetings.
    static func eraseOld(in tx: Transaction) throws -> Int {
        let ended: SQL = "SELECT id FROM pet_match WHERE ended_at < \(tx.now - Message.sealed)"
        // Notices about a meeting name the pet.
        try eraseNotices(
            """
            account_id IN (SELECT account_id FROM match_side WHERE match_id IN (\(ended)))
                AND subject IN (\(ended))
            """, in: tx)
        return try tx.execute("DELETE FROM pet_match WHERE ended_at < \(tx.now - Message.sealed)")
            + tx.execute("DELETE FROM former_match WHERE at < \(tx.now - Message.sealed)")
            + tx.execute("DELETE FROM meeting WHERE created_at < \(tx.now - Meeting.farthest - Meeting.memory)")
    }

    // MARK: Queries

    /// A condition on `side`: the match is visible to the account.
    static func isThere(for account: ID<Account>) -> SQL {
        """
        side.account_id = \(account)
            AND EXISTS (SELECT 1 FROM pet_match WHERE pet_match.id = side.match_id AND pet_match.ended_at IS NULL)
            AND EXISTS (SELECT 1 FROM account WHERE account.id = side.other_account_id
                AND account.suspended_at IS NULL AND account.left_at IS NULL)
            AND NOT \(Block.hides("side.other_account_id", from: account))
        """
    }

    /// The other account in a match that is visible to an account.
    static func other(in id: ID<PetMatch>, of account: ID<Account>, _ db: Connection) throws -> ID<Account>? {
        try db.value(
            """
            SELECT side.other_account_id FROM match_side AS side
            WHERE side.match_id = \(id) AND \(isThere(for: account))
            """)
    }

    /// The pet of one of the two sides.
    static func pet(
        of account: ID<Account>, in match: ID<PetMatch>, _ db: Connection
    ) throws -> (id: ID<Pet>, name: String)? {
        try db.first(
            """
            SELECT pet.id, pet.name FROM match_side JOIN pet ON pet.id = match_side.pet_id
            WHERE match_side.match_id = \(match) AND match_side.account_id = \(account)
            """
        ) { (try $0.next(), try $0.next()) }
    }

    /// An account's matches, those with the newest message first.
    static func all(
        of account: ID<Account>, onlyFavorites: Bool, after: Cursor<Instant, ID<PetMatch>>?, in db: Connection
    ) throws -> Page<PetMatch> {
        let favorites: SQL = onlyFavorites ? " AND side.is_favorite" : ""
        let next: SQL =
            after.map { " AND (side.last_at, side.match_id) < (\($0.keys.0), \($0.keys.1))" } ?? ""
        return try Page(of: pageSize, by: \.lastAt, \.id) { limit in
            try found(
                """
                \(isThere(for: account))\(favorites)\(next)
                ORDER BY side.last_at DESC, side.match_id DESC LIMIT \(limit)
                """, in: db)
        }
    }

    /// A match that is visible to an account.
    static func find(_ id: ID<PetMatch>, of account: ID<Account>, in db: Connection) throws -> PetMatch? {
        try found("\(isThere(for: account)) AND side.match_id = \(id) LIMIT 1", in: db).first
    }

    /// Those of these matches that are visible to an account.
    static func all(
        _ ids: [ID<PetMatch>], of account: ID<Account>, in db: Connection
    ) throws -> [ID<PetMatch>: PetMatch] {
        let ids = Set(ids).sorted()
        var matches: [ID<PetMatch>: PetMatch] = [:]
        for start in stride(from: 0, to: ids.count, by: pageSize) {
            let portion = ids[start..<min(start + pageSize, ids.count)].padded(to: pageSize)
            let found = try found(
                "\(isThere(for: account)) AND side.match_id IN \(list: portion) LIMIT \(pageSize)", in: db)
            for match in found { matches[match.id] = match }
        }
        return matches
    }

    private struct Side {
        let match: ID<PetMatch>
        let mine, other: ID<Pet>
        let lastAt: Instant
        let unread: Int
        let isNew, isFavorite: Bool
        let at: Instant
        let readUpTo: ID<Message>?
        let last: String?
        let owner: Owner
    }

    private static func found(_ rest: SQL, in db: Connection) throws -> [PetMatch] {
        let sides = try db.all(
            """
            SELECT side.match_id, side.pet_id, side.other_pet_id, side.last_at, side.unread, side.is_new,
                side.is_favorite, (SELECT at FROM pet_match WHERE pet_match.id = side.match_id),
                CASE WHEN owner.shows_reads THEN (SELECT theirs.read_up_to FROM match_side AS theirs
                    WHERE theirs.match_id = side.match_id AND theirs.account_id = side.other_account_id) END,
                (SELECT message.text FROM message WHERE message.match_id = side.match_id
                    AND message.hidden_at IS NULL ORDER BY message.id DESC LIMIT 1),
                owner.account_id, owner.name, owner.birth_year, owner.cell, owner.phone, owner.email, owner.other,
                owner.shows_reads, \(Picture.columns)
            FROM match_side AS side JOIN owner ON owner.account_id = side.other_account_id
            LEFT JOIN picture ON picture.id = owner.picture_id
            WHERE \(rest)
            """
        ) { row in
            Side(
                match: try row.next(), mine: try row.next(), other: try row.next(), lastAt: try row.next(),
                unread: try row.next(), isNew: try row.next(), isFavorite: try row.next(), at: try row.next(),
                readUpTo: try row.next(), last: try row.next(),
                owner: Owner(
                    account: try row.next(), name: try row.next(), birthYear: try row.next(), city: "", zip: "",
                    country: "", cell: try row.next(),
                    contact: Owner.Contact(phone: try row.next(), email: try row.next(), other: try row.next()),
                    showsReads: try row.next(), picture: try row.next()))
        }
        let pets = try Pet.all(sides.flatMap { [$0.mine, $0.other] }, in: db)
        return sides.compactMap { side in
            guard let mine = pets[side.mine], let other = pets[side.other] else { return nil }
            return PetMatch(
                id: side.match, mine: mine, other: other, owner: side.owner, at: side.at, lastAt: side.lastAt,
                unread: side.unread, isNew: side.isNew, isFavorite: side.isFavorite, readUpTo: side.readUpTo,
                last: side.last)
        }
    }

    /// The number of matches with something new.
    static func waiting(for account: ID<Account>, in db: Connection) throws -> Int {
        try db.value(
            """
            SELECT count(*) FROM match_side AS side
            WHERE \(isThere(for: account)) AND (side.unread > 0 OR side.is_new)
            """) ?? 0
    }

    /// Matches whose other side left recently, so nothing is left to report.
    static func former(of account: ID<Account>, in tx: Transaction) throws -> [Former] {
        try tx.all(
            """
            SELECT pet.name, former_match.at FROM former_match JOIN pet ON pet.id = former_match.pet_id
            WHERE former_match.account_id = \(account) AND former_match.at > \(tx.now - Message.sealed)
            ORDER BY former_match.match_id DESC LIMIT 20
            """
        ) { Former(mine: try $0.next(), leftAt: try $0.next()) }
    }

    /// Whether there was a match whose other side left.
    static func isFormer(_ id: ID<PetMatch>, of account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM former_match WHERE account_id = \(account) AND match_id = \(id)")
    }

    /// Recently ended matches, whose messages can still be reported.
    static func ended(of account: ID<Account>, in tx: Transaction) throws -> [Ended] {
        try tx.all(
            """
            SELECT pet.name, pet.id, pet_match.ended_at, (SELECT max(message.id) FROM message
                WHERE message.match_id = side.match_id AND message.account_id = side.other_account_id)
            FROM match_side AS side JOIN pet_match ON pet_match.id = side.match_id
            JOIN pet ON pet.id = side.other_pet_id
            WHERE side.account_id = \(account) AND pet_match.ended_at > \(tx.now - Message.sealed)
            ORDER BY side.last_at DESC, side.match_id DESC LIMIT 20
            """
        ) { row in
            let (name, pet, at): (String, ID<Pet>, Instant) = (try row.next(), try row.next(), try row.next())
            let message: ID<Message>? = try row.next()
            return Ended(name: name, report: message.map { .message($0) } ?? .pet(pet), endedAt: at)
        }
    }

    /// Whether an account is or was matched with a pet.
    static func has(_ account: ID<Account>, with pet: ID<Pet>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM match_side WHERE other_pet_id = \(pet) AND account_id = \(account) LIMIT 1")
    }

    /// Records that an account viewed a match and read its messages.
    static func see(_ id: ID<PetMatch>, by account: ID<Account>, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE match_side SET unread = 0, is_new = FALSE, read_up_to = coalesce((
                SELECT max(message.id) FROM message WHERE message.match_id = \(id)), 0)
            WHERE match_id = \(id) AND account_id = \(account)
            """)
        try Notice.read(beside: kinds, about: id.rawValue, of: account, in: tx)
    }

    static func favor(_ id: ID<PetMatch>, _ isOn: Bool, by account: ID<Account>, in db: Connection) throws {
        guard try other(in: id, of: account, db) != nil else { throw Refusal.notFound }
        try db.execute(
            "UPDATE match_side SET is_favorite = \(isOn) WHERE match_id = \(id) AND account_id = \(account)")
    }
}

extension Message {
    /// Stores a message in a match, only once if the form is sent repeatedly; notifies the other person, by mail at
    /// most once an hour.
    ///
    /// - Returns: Whether it was new.
    /// - Throws: `Refusal.notFound` if the match has ended; `HasLink`.
    @discardableResult static func send(
        _ text: String, in match: ID<PetMatch>, by account: ID<Account>, once: String, tx: Transaction
    ) throws -> Bool {
        guard let other = try PetMatch.other(in: match, of: account, tx) else { throw Refusal.notFound }
        guard
            try store(
                text, in: .match(match), by: account, once: once, tx: tx,
                isAnswered: try exists(by: other, in: .match(match), db: tx))
        else { return false }
        try tx.execute("UPDATE match_side SET last_at = \(tx.now) WHERE match_id = \(match)")
        try tx.execute("UPDATE match_side SET unread = unread + 1 WHERE match_id = \(match) AND account_id = \(other)")
        let name = try PetMatch.pet(of: account, in: match, tx)?.name ?? ""
        try tell(Notice.News(kind: .messaged, detail: name, subject: match.rawValue), other, in: tx)
        return true
    }
}

extension PlaydateNews {
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        guard let match = letter.subject.map({ ID<PetMatch>($0) }),
            try PlaydateNews(letter.kind, letter.detail, match).isOfEnded
                || PetMatch.other(in: match, of: reader.account.id, tx) != nil
        else { return nil }
        return .playdate(letter.kind, letter.detail, match)
    }
}
