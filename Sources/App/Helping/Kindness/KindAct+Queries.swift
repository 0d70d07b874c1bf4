import Database

extension KindAct.Theme: SQLValue {}
extension KindAct.Difficulty: SQLValue {}

extension KindAct {
    private static let writtenColumns: Columns = [
        "own_act.id", "own_act.name", "own_act.account_id", "own_act.proposed_at IS NOT NULL",
        "own_act.hidden_at IS NULL", Matter.isFirst("'act-' || own_act.id"), "own_act.description", "own_act.theme",
        "own_act.difficulty",
    ]

    /// A condition: the act is in the catalog.
    private static let isListed: SQL = """
        own_act.proposed_at IS NOT NULL AND own_act.hidden_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM account WHERE account.id = own_act.account_id
                AND account.suspended_at IS NOT NULL)
        """

    private static func readWritten(_ row: inout Row, for reader: ID<Account>?) throws -> KindAct {
        let (id, name, author): (ID<Written>, String, ID<Account>) =
            (try row.next(), try row.next(), try row.next())
        let (isProposed, isShown, waits): (Bool, Bool, Bool) = (try row.next(), try row.next(), try row.next())
        let state: Written.State = !isProposed ? .kept : isShown ? .listed : waits ? .proposed : .declined
        return KindAct(
            Written(id: id, name: name, isReaders: author == reader, state: state), description: try row.next(),
            theme: try row.next(), difficulty: try row.next())
    }

    /// An act in the catalog, or one of the reader's own.
    static func find(_ id: ID<KindAct>, for reader: ID<Account>?, in db: Connection) throws -> KindAct? {
        // Meeting a neighbor's need isn't in the catalog.
        guard id != need.id else { return nil }
        if let act = listed(id) { return act }
        guard id.rawValue > firstOwn else { return nil }
        return try db.first(
            """
            SELECT \(writtenColumns) FROM own_act
            WHERE id = \(id.rawValue - firstOwn) AND (account_id = \(reader) OR (\(isListed)))
            """
        ) { try readWritten(&$0, for: reader) }
    }

    /// Those of these acts that were written by neighbors and are visible to the reader.
    static func written(among ids: some Sequence<ID<KindAct>>, for reader: ID<Account>, in db: Connection) throws
        -> [KindAct]
    {
        let numbers = Set(ids).filter { $0.rawValue > firstOwn }.map { ID<Written>($0.rawValue - firstOwn) }
        guard !numbers.isEmpty else { return [] }
        return try db.all(
            """
            SELECT \(writtenColumns) FROM own_act
            WHERE id IN \(list: numbers.padded(to: 3 * most)) AND (account_id = \(reader) OR (\(isListed)))
            ORDER BY id LIMIT \(10 * most)
            """
        ) { try readWritten(&$0, for: reader) }
    }

    /// The catalog: first the built-in acts, then the newest of the neighbors' acts, up to a limit.
    ///
    /// - Parameter isMeant: A filter; acts that don't match don't count toward the limit.
    static func all(
        for reader: ID<Account>?, where isMeant: (KindAct) -> Bool = { _ in true }, in db: Connection
    ) throws -> [KindAct] {
        var found: [KindAct] = []
        try db.each(
            "SELECT \(writtenColumns) FROM own_act WHERE \(isListed) ORDER BY id DESC LIMIT \(10 * mostOfTown)"
        ) { row in
            let act = try readWritten(&row, for: reader)
            if isMeant(act) { found.append(act) }
            return found.count < mostOfTown
        }
        var acts = catalog.filter(isMeant)
        acts += found.reversed()
        return acts
    }

    // MARK: Proposals

    /// Proposes one of a member's own acts for everyone: staff review it first. A staff member's own act is added to
    /// the catalog immediately. Proposing twice has no further effect.
    ///
    /// - Returns: Whether it hadn't been proposed before.
    /// - Throws: `Refusal.notFound` if it isn't theirs.
    static func propose(_ id: ID<KindAct>, by account: ID<Account>, in tx: Transaction) throws -> Bool {
        guard let act = try find(id, for: account, in: tx), let written = act.written, written.isReaders else {
            throw Refusal.notFound
        }
        guard written.state == .kept else { return false }
        let isStaff = try tx.exists("SELECT 1 FROM account WHERE id = \(account) AND is_staff")
        let hiddenAt: Instant? = isStaff ? nil : tx.now
        try tx.execute("UPDATE own_act SET proposed_at = \(tx.now), hidden_at = \(hiddenAt) WHERE id = \(written.id)")
        if !isStaff { try Matter.raise(written.subject, of: account, for: .first, in: tx) }
        return true
    }

    /// Erases a leaving member's own acts. Public ones stay, without a name.
    static func forget(_ account: ID<Account>, in db: Connection) throws {
        try db.execute(
            "DELETE FROM own_act WHERE account_id = \(account) AND (proposed_at IS NULL OR hidden_at IS NOT NULL)")
    }

    /// A condition: an act on a member's list that they can still see. An act that staff removed from the catalog is
    /// visible only to its author until it returns.
    private static func isSeen(by account: ID<Account>) -> SQL {
        """
        (my_act.act <= \(firstOwn) OR EXISTS (SELECT 1 FROM own_act WHERE own_act.id = my_act.act - \(firstOwn)
            AND (own_act.account_id = \(account) OR (\(isListed)))))
        """
    }

    /// The acts a member chose, by number; more than `most` only if some were out of the catalog for a while.
    static func chosen(by account: ID<Account>, in db: Connection) throws -> [ID<KindAct>] {
        try db.all(
            """
            SELECT act FROM my_act WHERE account_id = \(account) AND \(isSeen(by: account))
            ORDER BY act LIMIT \(2 * most)
            """
        ) { try $0.next() }
    }

    /// Stores a member's own act, only once if its form is sent repeatedly, and adds it to their list.
    ///
    /// - Returns: The act, and whether it has just been proposed for everyone.
    /// - Throws: `TooMany`.
    static func write(
        _ form: ActForm, by account: ID<Account>, once: String, in tx: Transaction
    ) throws -> (id: ID<KindAct>, isProposed: Bool) {
        if let written = try find(once: once, by: account, in: tx) { return (written, false) }
        // The same text once more, for example from a form that Back restored, is the same act.
        let same: Int64? = try tx.value(
            """
            SELECT id FROM own_act WHERE account_id = \(account) AND name = \(form.name)
                AND description = \(form.description ?? "") AND theme = \(form.theme) ORDER BY id LIMIT 1
            """)
        if let same {
            let id = ID<KindAct>(firstOwn + same)
            try choose(id, by: account, in: tx)
            return (id, try form.isForEverybody && propose(id, by: account, in: tx))
        }
        let count: Int = try tx.value("SELECT count(*) FROM own_act WHERE account_id = \(account)") ?? 0
        guard count < most else { throw TooMany() }
        let number = try tx.insert(
            """
            INSERT INTO own_act (account_id, name, description, theme, difficulty, once, created_at)
            VALUES (\(account), \(form.name), \(form.description ?? ""), \(form.theme), \(form.difficulty), \(once),
                \(tx.now))
            """)
        let id = ID<KindAct>(firstOwn + number)
        try choose(id, by: account, in: tx)
        return (id, try form.isForEverybody && propose(id, by: account, in: tx))
    }

    /// The act stored by an earlier submission of the form.
    static func find(once: String, by account: ID<Account>, in db: Connection) throws -> ID<KindAct>? {
        let written: Int64? = try db.value(
            "SELECT id FROM own_act WHERE account_id = \(account) AND once = \(once)")
        return written.map { ID(firstOwn + $0) }
    }

    /// Adds an act to a member's list; adding twice has no further effect.
    ///
    /// - Throws: `TooMany`.
    static func choose(_ id: ID<KindAct>, by account: ID<Account>, in tx: Transaction) throws {
        let count: Int =
            try tx.value(
                """
                SELECT count(*) FROM my_act
                WHERE account_id = \(account) AND act <> \(id) AND \(isSeen(by: account))
                """) ?? 0
        guard count < most else { throw TooMany() }
        try tx.execute(
            """
            INSERT INTO my_act (account_id, act, at) VALUES (\(account), \(id), \(tx.now))
            ON CONFLICT (account_id, act) DO NOTHING
            """)
    }

    /// Removes an act from a member's list. Deeds stay.
    static func drop(_ id: ID<KindAct>, by account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM my_act WHERE account_id = \(account) AND act = \(id)")
    }

    /// The limit is reached.
    struct TooMany: CountsNothing {}
}

extension KindAct: Reportable {
    static var kind: Subject.Kind { .act }
    static var rows: (table: SQL, number: SQL) { ("own_act", "id") }
    static func logName(_ exhibit: Exhibit) -> String { exhibit.title }

    /// The act as an exhibit in the queue; nil if its author didn't propose it.
    static func exhibit(_ id: ID<Written>, in db: Connection) throws -> Exhibit? {
        let found: (author: ID<Account>, name: String, text: String, isHidden: Bool)? = try db.first(
            """
            SELECT account_id, name, description, hidden_at IS NOT NULL FROM own_act
            WHERE id = \(id) AND proposed_at IS NOT NULL
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        guard let found, let author = try Author.find(found.author, in: db) else { return nil }
        var exhibit = Exhibit(
            subject: .act(id), author: author,
            text: [found.name, found.text].filter { !$0.isEmpty }.joined(separator: "\n\n"),
            link: .act(ID(firstOwn + id.rawValue)))
        exhibit.title = found.name
        exhibit.isHidden = found.isHidden
        return exhibit
    }
}
