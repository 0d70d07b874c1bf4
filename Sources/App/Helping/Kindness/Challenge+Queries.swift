import Database

extension Challenge: RowDecodable {
    static let columns: Columns = [
        "challenge.id", "challenge.act", "challenge.account_id", Person.shownName, "challenge.message",
        "challenge.expires_at", "coalesce(challenge.ended = 'used', FALSE)", "challenge.taker_id",
        "challenge.deed_id IS NOT NULL", "challenge.made_at", "challenge.taken_at",
    ]

    private static let sources: SQL = """
        challenge JOIN account ON account.id = challenge.account_id
        LEFT JOIN person ON person.account_id = account.id
        """

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), act: try row.next(), asker: try row.next(), name: Invitation.firstName(try row.next()),
            message: try row.next(), expiresAt: try row.next(), isTaken: try row.next(), taker: try row.next(),
            isDone: try row.next(), madeAt: try row.next(), takenAt: try row.next())
    }
}

extension Challenge {
    // MARK: Challenging

    /// The name that friends see.
    static func name(of account: ID<Account>, in db: Connection) throws -> String {
        Invitation.firstName(
            try db.value(
                """
                SELECT \(Person.shownName) FROM account LEFT JOIN person ON person.account_id = account.id
                WHERE account.id = \(account)
                """) ?? "")
    }

    /// Makes a link, and puts a letter into the outbox if there is an address; both or neither.
    ///
    /// - Throws: `Refused`.
    static func make(
        _ token: Token, of act: ID<KindAct>, _ form: ChallengeForm, by account: ID<Account>, in tx: Transaction
    ) throws {
        do {
            try Invitation.make(token, for: "", isChallenge: true, by: account, in: tx)
        } catch is Invitation.TooMany {
            throw Refused.tooMany
        }
        let id = ID<Challenge>(
            try tx.insert(
                """
                INSERT INTO challenge (token_hash, account_id, act, message, made_at, expires_at)
                VALUES (\(token.hash), \(account), \(act), \(form.message ?? ""), \(tx.now), \(tx.now + lifetime))
                """))
        guard let address = form.to else { return }
        try write(to: address, token, id, by: account, in: tx)
    }

    private static func write(
        to address: String, _ token: Token, _ id: ID<Challenge>, by account: ID<Account>, in tx: Transaction
    ) throws {
        guard try tx.exists("SELECT 1 FROM account WHERE id = \(account) AND confirmed_at IS NOT NULL") else {
            throw Refused.unconfirmed
        }
        let letters: Int =
            try tx.value(
                """
                SELECT count(*) FROM challenge
                WHERE account_id = \(account) AND mailed_at IS NOT NULL AND mailed_at > \(tx.now - .days(1))
                """) ?? 0
        guard letters < lettersADay else { throw Refused.tooManyLetters }
        let written = WrittenAddress(address, try Seal.make(in: tx))
        let count = try tx.execute(
            """
            INSERT INTO written_address (hash, written_at) VALUES (\(written.hash), \(tx.now))
            ON CONFLICT (hash) DO UPDATE SET written_at = excluded.written_at
                WHERE written_address.refused_at IS NULL
                    AND written_address.written_at <= \(tx.now - WrittenAddress.pause)
            """)
        guard count == 1 else { throw Refused.unwelcome }
        try tx.execute("UPDATE challenge SET mailed_at = \(tx.now) WHERE id = \(id)")
        // If a block separates the two, no letter is written, and neither is told.
        let reader: ID<Account>? = try tx.value("SELECT id FROM account WHERE email = \(address.lowercased())")
        if let reader, try Block.stands(between: account, and: reader, in: tx) { return }
        try Letter.write(.invited, to: account, address: address, token: token, besideOthers: true, in: tx)
    }

    /// A member's challenges to friends, newest first, without those accepted by people they don't meet.
    static func all(
        of account: ID<Account>, after: Cursor<ID<Challenge>>?, in tx: Transaction
    ) throws -> Page<AskedFriend> {
        try Page(of: pageSize, by: \.challenge.id) { limit in
            let found: [Challenge] = try tx.all(
                """
                SELECT \(columns) FROM \(sources)
                WHERE challenge.account_id = \(account) AND coalesce(challenge.ended, '') <> 'replaced'
                    AND challenge.id < \(after?.keys ?? ID(.max))
                    AND NOT \(Block.hides("challenge.taker_id", from: account))
                ORDER BY challenge.id DESC LIMIT \(limit)
                """)
            return try found.map { challenge in
                AskedFriend(
                    challenge: challenge, act: try KindAct.find(challenge.act, for: account, in: tx),
                    taker: try challenge.taker.flatMap { try Author.find($0, in: tx) },
                    isOpen: !challenge.isTaken && challenge.expiresAt > tx.now)
            }
        }
    }

    /// Withdraws a link, unless somebody accepted it.
    ///
    /// - Returns: The text with it; nil if it was over already.
    static func withdraw(_ id: ID<Challenge>, by account: ID<Account>, in db: Connection) throws -> String? {
        let found: (hash: [UInt8], message: String)? = try db.first(
            "SELECT token_hash, message FROM challenge WHERE id = \(id) AND account_id = \(account) AND ended IS NULL"
        ) { (try $0.next(), try $0.next()) }
        guard let (hash, message) = found else { return nil }
        try db.execute("UPDATE challenge SET ended = 'replaced', message = '' WHERE id = \(id)")
        try OneTimeLink.withdraw(hash, in: db)
        return message
    }

    /// Reopens a recently withdrawn link.
    ///
    /// - Returns: Whether it isn't too old.
    /// - Throws: `Refused.tooMany` if the limit of open ones has been reached.
    static func askAgain(
        _ id: ID<Challenge>, _ message: String, by account: ID<Account>, in tx: Transaction
    ) throws -> Bool {
        let hash: [UInt8]? = try tx.value(
            """
            SELECT token_hash FROM challenge
            WHERE id = \(id) AND account_id = \(account) AND ended = 'replaced' AND expires_at > \(tx.now)
            """)
        guard let hash else { return false }
        do {
            try Invitation.requireRoom(isChallenge: true, of: account, in: tx)
        } catch is Invitation.TooMany {
            throw Refused.tooMany
        }
        guard try OneTimeLink.reopen(hash, in: tx) else { return false }
        try tx.execute("UPDATE challenge SET ended = NULL, message = \(message) WHERE id = \(id)")
        return true
    }

    // MARK: Accepting

    /// The challenge behind a link, or why it no longer works; nil for a link that never existed.
    static func find(_ token: Token, for reader: ID<Account>?, in tx: Transaction) throws -> LinkState<Challenge>? {
        let found: (end: String?, isSuspended: Bool, challenge: Challenge)? = try tx.first(
            """
            SELECT challenge.ended, account.suspended_at IS NOT NULL OR account.left_at IS NOT NULL, \(columns)
            FROM \(sources) WHERE challenge.token_hash = \(token.hash)
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        guard let (end, isSuspended, challenge) = found else { return nil }
        let isOwn = challenge.asker == reader
        // If a block separates the two, the reader is only told that it is over.
        if isSuspended || end == "replaced" { return .ended(LinkEnd(.challenge, .replaced)) }
        if let reader, !isOwn, try Block.stands(between: reader, and: challenge.asker, in: tx) {
            return .ended(LinkEnd(.challenge, .replaced))
        }
        if end == "used" {
            // The person who accepted it has left the site.
            if challenge.taker == nil, !isOwn { return .ended(LinkEnd(.challenge, .replaced)) }
            return isOwn || challenge.taker == reader
                ? .open(challenge) : .ended(LinkEnd(.challenge, .used))
        }
        return challenge.expiresAt > tx.now ? .open(challenge) : .ended(LinkEnd(.challenge, .tooOld))
    }

    /// The requested act, for a reader.
    ///
    /// - Throws: `LinkEnd` if it is no longer in the catalog.
    func found(in db: Connection) throws -> KindAct {
        guard let act = try KindAct.find(act, for: asker, in: db), !act.isPrivate else {
            throw LinkEnd(.challenge, .over)
        }
        return act
    }

    /// Accepts a challenge: the act is added to the member's list. Accepting twice has no further effect.
    ///
    /// - Throws: `LinkEnd` if somebody else was faster; `KindAct.TooMany`.
    static func take(_ token: Token, by account: ID<Account>, in tx: Transaction) throws {
        guard let challenge = try find(token, for: account, in: tx)?.opened(), challenge.asker != account
        else { throw Refusal.notFound }
        let act = try challenge.found(in: tx)
        guard challenge.taker == nil else { return }
        let count = try tx.execute(
            """
            UPDATE challenge SET ended = 'used', taker_id = \(account), taken_at = \(tx.now)
            WHERE id = \(challenge.id) AND ended IS NULL
            """)
        guard count == 1 else { throw LinkEnd(.challenge, .used) }
        try OneTimeLink.withdraw(token.hash, in: tx)
        try KindAct.choose(act.id, by: account, in: tx)
    }

    /// Accepts a challenge for a member who just signed up through its link, if it is open to them.
    ///
    /// - Returns: Whether it was accepted.
    static func takeOnArrival(_ token: Token, by account: ID<Account>, in tx: Transaction) throws -> Bool {
        do {
            try take(token, by: account, in: tx)
            return true
        } catch is Refusal, is LinkEnd {
            return false
        }
    }

    // MARK: Results

    /// Notifies the challenger that an act is done; only once, however often it is done.
    static func done(_ act: KindAct, as deed: ID<Deed>, by account: ID<Account>, in tx: Transaction) throws {
        let asked: [(id: ID<Challenge>, asker: ID<Account>, wasTold: Bool)] = try tx.all(
            """
            SELECT id, account_id, told_at IS NOT NULL FROM challenge
            WHERE taker_id = \(account) AND act = \(act.id) AND deed_id IS NULL ORDER BY id LIMIT 20
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        for (id, asker, wasTold) in asked {
            try tx.execute(
                "UPDATE challenge SET deed_id = \(deed), told_at = coalesce(told_at, \(tx.now)) WHERE id = \(id)")
            guard try !Block.stands(between: asker, and: account, in: tx) else { continue }
            var news = Notice.News(
                kind: .challenged, detail: ChallengeNews(act).detail, subject: id.rawValue)
            news.isOnlyInbox = wasTold
            try Notice.tell(news, "account.id = \(asker)", in: tx)
        }
    }

    /// Removes the notice about a deed that is undone.
    static func undone(_ deed: ID<Deed>, in db: Connection) throws {
        let asked: [(id: ID<Challenge>, asker: ID<Account>)] = try db.all(
            "SELECT id, account_id FROM challenge WHERE deed_id = \(deed) ORDER BY id LIMIT 20"
        ) { (try $0.next(), try $0.next()) }
        for (id, asker) in asked {
            try db.execute("UPDATE challenge SET deed_id = NULL WHERE id = \(id)")
            try Notice.erase(
                """
                event_id IS NULL AND account_id = \(asker) AND kind = \(NoticeKind.challenged)
                    AND subject = \(id.rawValue)
                """, in: db)
        }
    }

    /// Whether the reported act is still done.
    fileprivate static func isDone(_ id: ID<Challenge>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM challenge WHERE id = \(id) AND deed_id IS NOT NULL")
    }

    /// Removes a leaving member from challenges they accepted.
    static func forget(_ account: ID<Account>, in db: Connection) throws {
        try db.execute("UPDATE challenge SET taker_id = NULL WHERE taker_id = \(account)")
    }

    /// Erases challenges that ended long ago.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM challenge WHERE expires_at < \(tx.now - Memory.links)")
    }
}

extension Challenge: Told {
    /// The text of a letter to a friend; nil if the link is over, or the friend wants no such letters.
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        if let seal = reader.seal, try WrittenAddress(letter.address, seal).isRefused(in: tx) { return nil }
        guard let secret = Token(letter.secret), case .open(let challenge) = try find(secret, for: nil, in: tx),
            let act = try? challenge.found(in: tx)
        else { return nil }
        return .invited(challenge, act, token: letter.secret)
    }
}

extension ChallengeNews {
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        guard let subject = letter.subject, try Challenge.isDone(ID(subject), in: tx) else { return nil }
        return ChallengeNews(detail: letter.detail).map { .challenged($0) }
    }
}
