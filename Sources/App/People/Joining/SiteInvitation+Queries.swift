import Database

extension InvitationReview {
    /// What is known of the people in a list.
    init(_ list: InvitationList, _ seal: Seal, in tx: Transaction) throws {
        let addresses = list.entries.map(\.address)
        let members = try Self.found(addresses, beside: "") { some in
            try tx.all("SELECT email FROM account WHERE email IN \(list: some) LIMIT \(some.count)") { try $0.next() }
        }
        let written = list.entries.map { WrittenAddress($0.address, seal) }
        let hashes = written.map(\.hash)
        let invited = try Self.found(hashes, beside: []) { some in
            try tx.all(
                """
                SELECT invited FROM one_time_link
                WHERE invited IN \(list: some) AND expires_at > \(tx.now) LIMIT \(some.count)
                """
            ) { try $0.next() }
        }
        let unwilling = try Self.found(hashes, beside: []) { some in
            try tx.all(
                """
                SELECT hash FROM written_address WHERE hash IN \(list: some) AND refused_at IS NOT NULL
                LIMIT \(some.count)
                """
            ) { try $0.next() }
        }
        let domains = Set(addresses.flatMap { MailDomain($0)?.ancestors ?? [] })
        let blocked = try Self.found(domains.sorted(), beside: "") { some in
            try tx.all("SELECT domain FROM blocked_domain WHERE domain IN \(list: some) LIMIT \(some.count)") {
                try $0.next()
            }
        }
        self.init()
        var known: Set<[UInt8]> = []
        for (index, entry) in list.entries.enumerated() {
            if members.contains(entry.address) {
                self.members.append(entry)
            } else if !known.insert(hashes[index]).inserted {
                repeated += 1
            } else if invited.contains(hashes[index]) {
                self.invited.append(entry)
            } else if unwilling.contains(hashes[index]) {
                self.unwilling.append(entry)
            } else if MailDomain(entry.address)?.ancestors.contains(where: blocked.contains) == true {
                self.blocked.append(entry)
            } else {
                invitable.append(entry)
            }
        }
    }

    /// Those of some values that a query finds, many at a time.
    ///
    /// - Parameter padding: A value that no row has: lists of different lengths use the same cached statement.
    private static func found<Value: Hashable>(
        _ values: [Value], beside padding: Value, _ find: ([Value]) throws -> [Value]
    ) rethrows -> Set<Value> {
        var found: Set<Value> = []
        var rest = values[...]
        while !rest.isEmpty {
            let some = rest.prefix(atOnce)
            rest = rest.dropFirst(atOnce)
            let length = some.count <= few ? few : atOnce
            found.formUnion(try find(Array(some) + repeatElement(padding, count: length - some.count)))
        }
        return found
    }

    private static let atOnce = 1_000
    private static let few = 50
}

extension SiteInvitation {
    /// Writes a letter with a link to each person in a list who can be invited, up to the most.
    ///
    /// - Returns: How many.
    static func send(_ list: InvitationList, by admin: ID<Account>, _ seal: Seal, in tx: Transaction) throws -> Int {
        _ = try forget(in: tx)
        var count = 0
        var rest = try InvitationReview(list, seal, in: tx).invitable.prefix(most)
        while !rest.isEmpty {
            let addressed = rest.prefix(100).map { (address: $0.address, token: Token()) }
            rest = rest.dropFirst(100)
            let links: [SQL] = addressed.map { address, token in
                """
                (\(token.hash), \(OneTimeLink.Kind.siteInvitation), \(admin), '',
                    \(WrittenAddress(address, seal).hash), \(tx.now + lifetime))
                """
            }
            var made: [[UInt8]: ID<OneTimeLink>] = [:]
            try tx.each(
                """
                INSERT INTO one_time_link (token_hash, kind, account_id, detail, invited, expires_at)
                VALUES \(links.joined(separator: ", ")) ON CONFLICT (invited) DO NOTHING RETURNING token_hash, id
                """
            ) { row in
                let hash: [UInt8] = try row.next()
                made[hash] = try row.next()
                return true
            }
            let letters: [SQL] = addressed.compactMap { address, token in
                guard let link = made[token.hash] else { return nil }
                // One a second, so that other letters don't wait behind them.
                defer { count += 1 }
                return """
                    (\(NoticeKind.invitedHere), \(address), \(link.rawValue), \(token.text), \(tx.now),
                        \(tx.now + .seconds(count)), \(tx.now + NoticeKind.invitedHere.shelfLife))
                    """
            }
            guard !letters.isEmpty else { continue }
            try tx.execute(
                """
                INSERT INTO letter (kind, address, subject, secret, created_at, due_at, ends_at)
                VALUES \(letters.joined(separator: ", "))
                """)
        }
        return count
    }

    /// How many are open, and the last of them.
    static func open(in tx: Transaction) throws -> Open {
        try tx.first(
            "SELECT count(*), max(id) FROM one_time_link WHERE invited IS NOT NULL AND expires_at > \(tx.now)"
        ) { Open(count: try $0.next(), last: try $0.next()) } ?? Open(count: 0, last: nil)
    }

    /// Ends those that are open up to the last one that a page showed. Letters that still wait aren't sent.
    ///
    /// - Returns: How many.
    static func takeBack(upTo last: ID<OneTimeLink>, in tx: Transaction) throws -> Int {
        try OneTimeLink.withdraw(
            all: "SELECT id FROM one_time_link WHERE invited IS NOT NULL AND expires_at > \(tx.now) AND id <= \(last)",
            .siteInvitation, in: tx)
    }

    /// Hands the links that a leaving admin sent to another admin: the site invited, and their readers can still come.
    static func handOver(by admin: ID<Account>, in db: Connection) throws {
        let other: ID<Account>? = try db.value(
            """
            SELECT id FROM account
            WHERE is_admin AND suspended_at IS NULL AND left_at IS NULL AND id <> \(admin) ORDER BY id LIMIT 1
            """)
        guard let other else { return }
        try db.execute(
            """
            UPDATE one_time_link SET account_id = \(other)
            WHERE account_id = \(admin) AND kind = \(OneTimeLink.Kind.siteInvitation)
            """)
    }

    /// Erases the hashes of addresses whose links are over.
    static func forget(in tx: Transaction) throws -> Int {
        try tx.execute(
            "UPDATE one_time_link SET invited = NULL WHERE invited IS NOT NULL AND expires_at <= \(tx.now)")
    }
}

extension SiteInvitation: Told {
    /// Nobody with an account gets one.
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? { nil }

    static func textForStranger(of letter: Letter, _ seal: Seal?, in tx: Transaction) throws -> LetterText? {
        guard let token = Token(letter.secret), case .open = try OneTimeLink.find(token, .siteInvitation, in: tx) else {
            return nil
        }
        // What its reader did meanwhile.
        if let seal, try WrittenAddress(letter.address, seal).isRefused(in: tx) { return nil }
        guard try !tx.exists("SELECT 1 FROM account WHERE email = \(letter.address)") else { return nil }
        return .invitedHere(to: try Town(in: tx).siteName, token: letter.secret)
    }
}
