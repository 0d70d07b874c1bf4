import Database

extension PeopleSearch {
    /// The people found by name or user name, each once, at their first position.
    func found(in db: Connection) throws -> Page<Person> {
        guard !isEmpty else { return .empty }
        let found = try (byName(in: db) + byUsername(in: db)).sorted { $0.place < $1.place }
        return Page(found, of: Self.pageSize, by: { Cursor($0.place.key, $0.place.account) })
            .changed { $0.map(\.person) }
    }

    /// The people this reader may find.
    private var isThere: SQL {
        let there: SQL = """
            account.left_at IS NULL AND account.suspended_at IS NULL AND account.waits_since IS NULL
                AND coalesce(person.is_found, TRUE)
                AND NOT \(Block.hides("account.id", from: reader))
            """
        return reader == nil ? "\(there) AND coalesce(person.is_open, FALSE)" : there
    }

    /// Whether each of the typed words begins a word of an account's name.
    private func isCalledSo(_ account: SQL) -> SQL {
        let each: [SQL] = words.map {
            """
            EXISTS (SELECT 1 FROM person_key AS part WHERE part.account_id = \(account)
                AND part.key >= \($0) AND part.key < \(Self.end(of: $0)))
            """
        }
        return "(\(each.joined(separator: " AND ")))"
    }

    private func byName(in db: Connection) throws -> [(place: Place, person: Person)] {
        let (start, end) = (words[0], Self.end(of: words[0]))
        let first = Place(key: start, account: ID(0))
        let from = max(last ?? first, first)
        return try db.all(
            """
            SELECT person_key.key, account.id, \(Person.columns) FROM person_key
            JOIN account ON account.id = person_key.account_id JOIN person ON person.account_id = account.id
            WHERE person_key.key >= \(from.key) AND person_key.key < \(end)
                AND (person_key.key > \(from.key) OR person_key.account_id > \(from.account)) AND \(isThere)
                AND person.hidden_at IS NULL AND \(isCalledSo("person_key.account_id"))
                AND NOT EXISTS (SELECT 1 FROM person_key AS other WHERE other.account_id = person_key.account_id
                    AND other.key >= \(start) AND other.key < person_key.key)
            ORDER BY person_key.key, person_key.account_id LIMIT \(Self.pageSize + 1)
            """, read)
    }

    private func byUsername(in db: Connection) throws -> [(place: Place, person: Person)] {
        guard !username.isEmpty else { return [] }
        let start = last.map { max($0.key, username) } ?? username
        return try db.all(
            """
            SELECT account.username, account.id, \(Person.columns) FROM account
            LEFT JOIN person ON person.account_id = account.id
            WHERE account.username >= \(start) AND account.username < \(Self.end(of: username))
                AND (account.username > \(last?.key ?? "") OR account.id > \(last?.account ?? ID(0))) AND \(isThere)
                AND NOT \(isCalledSo("account.id"))
            ORDER BY account.username LIMIT \(Self.pageSize + 1)
            """, read)
    }

    /// The last person of the previous page.
    private var last: Place? { after.map { Place(key: $0.keys.0, account: $0.keys.1) } }

    private func read(_ row: inout Row) throws -> (place: Place, person: Person) {
        let place = Place(key: try row.next(), account: try row.next())
        return (place, (try row.next() as Person).shown(to: reader))
    }
}
