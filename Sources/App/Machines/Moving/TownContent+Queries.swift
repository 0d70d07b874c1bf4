import Database

extension TownPart {
    /// Writes the public rows of a table into a folder, row by row.
    static func write(
        _ table: TownTable, to folder: inout TownFolder, withAddresses: Bool, in db: Connection
    ) throws -> TownPart {
        var part = TownPart(table)
        let (sheet, lines) = (try folder.file(TownFolder.table(table)), try folder.file(TownFolder.rows(table)))
        try sheet.add(Array(part.head.utf8))
        try table.each(withAddresses: withAddresses, in: db) { try part.add($0, to: sheet, lines) }
        try folder.end(sheet)
        try folder.end(lines)
        return part
    }

    /// The hashes of the exported pictures.
    static func pictures(in db: Connection) throws -> [String] {
        var pictures: Set<String> = []
        try each("picture", in: db) { row in
            if case .text(let hash)? = row["hash"] { pictures.insert(hash) }
        }
        return pictures.sorted()
    }

    /// The exported events, and the first and last start by time zone.
    static func events(in db: Connection) throws -> (ids: [ID<Event>], spans: EventCalendar.Spans) {
        var ids: [ID<Event>] = []
        var spans: EventCalendar.Spans = [:]
        try each("event", in: db) { row in
            guard case .integer(let id)? = row["id"], case .text(let zone)? = row["zone"],
                case .integer(let startsAt)? = row["starts_at"]
            else { return }
            ids.append(ID(id))
            EventCalendar.add(Instant(milliseconds: startsAt), in: zone, to: &spans)
        }
        return (ids, spans)
    }

    private static func each(_ name: String, in db: Connection, _ body: ([String: TownValue]) throws -> Void) throws {
        guard let table = TownTable.all.first(where: { $0.name.description == name }) else { return }
        let names = table.written.map(\.name.description)
        try table.each(withAddresses: false, in: db) { row in
            try body(Dictionary(zip(names, row), uniquingKeysWith: { first, _ in first }))
        }
    }
}

extension TownContent {
    /// The name of the first table that has rows; nil if the site is empty.
    static func firstTaken(in db: Connection) throws -> String? {
        try TownTable.all.first { try $0.hasRows(in: db) }?.name.description
    }

    /// The numbers of what was stored.
    struct Stored: Sendable {
        var rows = 0
        /// Members who haven't left, and how many of them have no address.
        var members = 0
        var membersWithoutAddress = 0
    }

    /// Stores all rows in an empty site, one at a time, and computes the derived data.
    ///
    /// Members are imported as accounts with an unknown password: events, posts and reviews keep their authors, and
    /// nobody can log in. A member with an address chooses a password through a letter (`/forgot`), which also confirms
    /// the address; staff give one without an address a link. Until then the address is unconfirmed, so that no notice
    /// is mailed there.
    ///
    /// - Throws: `TownProblem`.
    func store(in tx: Transaction) throws -> Stored {
        if let table = try Self.firstTaken(in: tx) {
            throw TownProblem("This site isn't empty: its table \(table) holds something. Nothing was imported.")
        }
        var stored = Stored()
        for table in TownTable.all {
            let before = stored.rows
            var author: ID<Account>?
            var rows = try rows(of: table)
            while let row = try rows.next() {
                if author == nil, table.hidesAuthor { author = try Self.insertAuthor(in: tx) }
                do {
                    try store(row, of: table, by: author, noting: &stored, in: tx)
                } catch DatabaseError.constraint(let constraint) {
                    throw TownProblem(Self.words(for: constraint), in: TownFolder.rows(table), line: row.line)
                } catch let problem as TownProblem {
                    throw TownProblem(problem.text, in: TownFolder.rows(table), line: row.line)
                }
                stored.rows += 1
            }
            if stored.rows > before { try table.countOn(in: tx) }
        }
        try requireReadable(in: tx)
        try workOut(in: tx)
        return stored
    }

    /// A placeholder author, marked as a former member, for rows imported without their author.
    private static func insertAuthor(in tx: Transaction) throws -> ID<Account> {
        // A name that nobody can choose, until the ID is known.
        let unnamed = "\(Account.formerPrefix)import"
        let id = ID<Account>(
            try tx.insert(
                """
                INSERT INTO account (email, username, password, created_at, updated_at, left_at)
                VALUES (\(unnamed), \(unnamed), '', \(tx.now), \(tx.now), \(tx.now))
                """))
        let name = Account.formerName(of: id)
        try tx.execute("UPDATE account SET email = \(name), username = \(name) WHERE id = \(id)")
        return id
    }

    /// - Parameters:
    ///   - author: The author, if the file doesn't name one.
    ///   - stored: Counts the members.
    private func store(
        _ row: TownRow, of table: TownTable, by author: ID<Account>?, noting stored: inout Stored, in db: Connection
    ) throws {
        switch table.name.description {
        case "note":
            guard case .text(let name)? = row.values.first, case .text(let value)? = row.values.last else { return }
            guard TownTable.isSetting(name) else { throw TownProblem("there is no setting of this name") }
            guard !name.hasPrefix("town_") || Town.takes(value, as: name) else {
                throw TownProblem("\(name) can't be that")
            }
            try Note.set(name, value, in: db)
        case "account":
            let member = try Newcomer(row, of: table)
            var values = row.values
            values[member.place] = .text(member.address)
            try table.insert(values, filling: [.text(member.hash)], in: db)
            stored.members += member.isFormer ? 0 : 1
            stored.membersWithoutAddress += member.isFormer || member.hasAddress ? 0 : 1
        default:
            try Self.requireTheme(row, of: table)
            // Columns that aren't in the files get their default values.
            let filled = table.columns.filter(\.isFilled).map { column in
                if let author, column.isAuthor { return TownValue.integer(author.rawValue) }
                return .text("import-\(row.line)")
            }
            try table.insert(row.values, filling: filled, in: db)
        }
    }

    /// Makes sure that a kind act, or a number of them, has a theme that the site knows: the tables take any.
    private static func requireTheme(_ row: TownRow, of table: TownTable) throws {
        guard ["own_act", "town_total"].contains(table.name.description),
            let place = table.written.firstIndex(where: { $0.name.description == "theme" }),
            case .text(let theme) = row.values[place], KindAct.Theme(rawValue: theme) == nil
        else { return }
        throw TownProblem("theme can't be that")
    }

    /// A member being imported.
    private struct Newcomer {
        /// The index of the address among the values.
        let place: Int
        /// The address, or a placeholder that nobody can type as one.
        let address: String
        let hash: String
        let isFormer: Bool
        let hasAddress: Bool

        init(_ row: TownRow, of table: TownTable) throws {
            let columns = table.written.map(\.name.description)
            var values: [String: TownValue] = [:]
            for (name, value) in zip(columns, row.values) { values[name] = value }
            guard let place = columns.firstIndex(of: "email"), case .integer(let id)? = values["id"],
                case .text(let username)? = values["username"]
            else { throw TownProblem("that is no member") }
            self.place = place
            isFormer = values["left_at"] != .nothing
            hasAddress = values["email"] != .nothing
            guard !isFormer else {
                // An import doesn't bring back a member who left.
                guard username == Account.formerName(of: ID(id)), values["email"] == .nothing else {
                    throw TownProblem("a member who left has another name than \(Account.formerName(of: ID(id)))")
                }
                (address, hash) = (username, "")
                return
            }
            guard Account.problem(withUsername: username) == nil else {
                throw TownProblem("the username can't be that")
            }
            hash = Account.nobodysHash
            guard case .text(let typed)? = values["email"] else {
                address = "unclaimed-\(id)"
                return
            }
            let parts = typed.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), typed == typed.lowercased(),
                typed.utf8.count <= 254, typed.utf8.allSatisfy({ $0 > 32 && $0 != 127 })
            else { throw TownProblem("the e-mail address can't be that") }
            address = typed
        }
    }

    private static func words(for constraint: DatabaseError.Constraint) -> String {
        switch constraint {
        case .unique(let columns): "another row has the same \(columns.joined(separator: ", "))"
        case .foreignKey: "it names a row that isn't there"
        case .check(let rule): "the site doesn't take it: \(rule)"
        case .notNull(let column): "\(column) is missing"
        }
    }

    // MARK: Derived data

    /// Reads everything once as pages do, so that nothing is imported that pages couldn't show.
    private func requireReadable(in tx: Transaction) throws {
        func read(_ table: SQL, _ name: String, _ find: (Int64) throws -> Void) throws {
            try Self.eachID(of: table, in: tx) { key in
                do { try find(key) } catch DatabaseError.unreadable(let what) {
                    throw TownProblem("The \(name) \(key) can't be shown: \(what).")
                }
            }
        }
        try read("event", "event") { _ = try Event.find(ID($0), in: tx) }
        try read("activity", "activity") { key in
            let event: ID<Event>? = try tx.value("SELECT event_id FROM activity WHERE id = \(key)")
            _ = try event.map { try Activity.find(ID(key), of: $0, in: tx) }
        }
        try read("opportunity", "opportunity") { _ = try Opportunity.find(ID($0), in: tx) }
        try read("shift", "shift") { _ = try Shift.find(ID($0), in: tx) }
        try read("draw", "draw") { _ = try Draw.find(ID($0), in: tx) }
        try read("question", "question") { _ = try Question.find(ID($0), in: tx) }
        try read("need", "need") { _ = try Need.find(ID($0), in: tx) }
        try read("review", "review") { _ = try Review.find(ID($0), in: tx) }
        try read("provider", "provider") { _ = try Provider.find(ID<Provider>($0), in: tx) }
    }

    /// Passes the ID of each row to `body`.
    private static func eachID(of table: SQL, in db: Connection, _ body: (Int64) throws -> Void) throws {
        try db.inPortions { last, limit in
            try db.all("SELECT id FROM \(table) WHERE id > \(last) ORDER BY id LIMIT \(limit)") { row in
                let id: Int64 = try row.next()
                return (id, id)
            }
        } each: { id in
            try body(id)
        }
    }

    /// Writes the search keys of all rows.
    private func workOut(in db: Connection) throws {
        try Note.clear("search_edition", in: db)
        try SearchIndex.renewKeys(in: db)
        while try SearchIndex.renewLines(in: db) != nil {}
        var last: ID<Account>? = ID(0)
        while let done = last { last = try Account.indexNames(after: done, in: db) }
        try Self.eachID(of: "event", in: db) { id in
            guard let event = try Event.find(ID<Event>(id), in: db) else { return }
            try Vocabulary.use([event.title, event.other?.title ?? ""] + event.tags, instead: [], in: db)
        }
    }
}
