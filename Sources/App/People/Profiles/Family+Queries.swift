import Database

extension Family {
    static func find(of account: ID<Account>, in db: Connection) throws -> Family? {
        try db.first(
            """
            SELECT id, account_id, first_name, last_name, city, zip, country, phone, number_of_children, age_groups,
                keeps_past, shares_phone
            FROM family WHERE account_id = \(account)
            """
        ) { row in
            Family(
                id: try row.next(), account: try row.next(), firstName: try row.next(), lastName: try row.next(),
                city: try row.next(), zip: try row.next(), country: try row.next(), phone: try row.next(),
                numberOfChildren: try row.next(),
                ageGroups: (try row.next() as String).split(separator: " ").compactMap {
                    AgeGroup(rawValue: String($0))
                }, keepsPast: try row.next(), sharesPhone: try row.next())
        }
    }

    /// Creates or updates an account's family. The caller erases the past that it no longer wants kept
    /// (`RetentionRule.eraseKept`).
    static func save(_ form: FamilyForm, of account: ID<Account>, in tx: Transaction) throws {
        let groups = form.ageGroups.map(\.rawValue).joined(separator: " ")
        let stored: Assignments = [
            "first_name": form.firstName, "last_name": form.lastName, "city": form.city, "zip": form.zip,
            "country": form.country, "phone": form.phone, "number_of_children": form.numberOfChildren,
            "age_groups": groups, "keeps_past": form.keepsPast, "shares_phone": form.sharesPhone,
            "updated_at": tx.now,
        ]
        try tx.execute(
            """
            INSERT INTO family \(values: stored + ["account_id": account, "created_at": tx.now])
            ON CONFLICT (account_id) DO UPDATE SET \(set: stored)
            """)
        try Account.indexNames(of: account, in: tx)
    }
}

extension Child {
    private static let columns: SQL = """
        child.id, child.nickname, child.birth_month, child.birth_year, child.allergies, child.emergency_phone,
            child.collectors, \(shownName)
        """

    /// A child's name among its siblings: equal names are distinguished by the year of birth, or within one year by a
    /// number. `child` must be joined.
    static let shownName: SQL = """
        child.nickname || CASE
            WHEN NOT EXISTS (SELECT 1 FROM child AS other WHERE \(isNamesake)) THEN ''
            WHEN NOT EXISTS (SELECT 1 FROM child AS other WHERE \(isNamesake) AND other.birth_year = child.birth_year)
                THEN ' (' || child.birth_year || ')'
            ELSE ' (' || child.birth_year || ' · ' || (
                SELECT count(*) + 1 FROM child AS other WHERE \(isNamesake) AND other.birth_year = child.birth_year
                    AND (other.birth_month, other.id) < (child.birth_month, child.id)) || ')' END
        """

    private static let isNamesake: SQL = """
        other.family_id = child.family_id AND other.id <> child.id
            AND lower(other.nickname) = lower(child.nickname)
        """

    /// The children of a family, oldest first.
    static func all(of family: ID<Family>, in db: Connection) throws -> [Child] {
        try db.all(
            """
            SELECT \(columns) FROM child WHERE family_id = \(family)
            ORDER BY birth_year, birth_month, id LIMIT 30
            """, read)
    }

    static func find(_ id: ID<Child>, of family: ID<Family>, in db: Connection) throws -> Child? {
        try db.first(
            "SELECT \(columns) FROM child WHERE id = \(id) AND family_id = \(family)", read)
    }

    /// The family has reached the maximum number of children.
    struct TooMany: Error {}

    /// The other parent added a child with that name and month, but other notes.
    struct IsThere: Error {
        let id: ID<Child>
    }

    /// Adds a child. Two with the same name and month are two children, except if each of two parents adds one: that is
    /// one child, unless they say otherwise.
    ///
    /// - Parameter account: The parent who adds it.
    /// - Throws: `TooMany`; `IsThere` if the other parent added the child with other notes.
    static func insert(
        _ form: ChildForm, of family: ID<Family>, by account: ID<Account>? = nil, in tx: Transaction
    ) throws {
        if !form.isAnother {
            let others = try tx.all(
                """
                SELECT \(columns) FROM child JOIN family ON family.id = child.family_id
                WHERE child.family_id = \(family) AND child.nickname = \(form.nickname)
                    AND child.birth_month = \(form.birthMonth) AND child.birth_year = \(form.birthYear)
                    AND coalesce(child.changed_by, 0) <> \(account ?? ID(0))
                    AND EXISTS (SELECT 1 FROM guardian WHERE guardian.head_id = family.account_id)
                ORDER BY child.id LIMIT \(limit)
                """, read)
            if others.contains(where: { $0.note == form.note }) { return }
            if let first = others.first { throw IsThere(id: first.id) }
        }
        let count: Int = try tx.value("SELECT count(*) FROM child WHERE family_id = \(family)") ?? 0
        guard count < limit else { throw TooMany() }
        try tx.execute(
            """
            INSERT INTO child (family_id, nickname, birth_month, birth_year, allergies, emergency_phone, collectors,
                created_at, updated_at, changed_by)
            VALUES (\(family), \(form.nickname), \(form.birthMonth), \(form.birthYear), \(form.note.allergies),
                \(form.note.emergencyPhone), \(form.note.collectors), \(tx.now), \(tx.now), \(account))
            """)
    }

    /// Restores a recently removed child. If it was entered again meanwhile, it isn't duplicated; the new entry gets
    /// the notes it lacks.
    ///
    /// - Returns: The child's ID.
    /// - Throws: `TooMany`.
    static func restore(_ child: Child, of family: ID<Family>, since: Instant, in tx: Transaction) throws -> ID<Child> {
        if let same: ID<Child> = try tx.value(
            """
            SELECT id FROM child WHERE family_id = \(family) AND nickname = \(child.nickname)
                AND birth_month = \(child.birthMonth) AND birth_year = \(child.birthYear)
                AND created_at >= \(since) ORDER BY id LIMIT 1
            """)
        {
            try tx.execute(
                """
                UPDATE child SET allergies = \(child.note.allergies), emergency_phone = \(child.note.emergencyPhone),
                    collectors = \(child.note.collectors), updated_at = \(tx.now)
                WHERE id = \(same) AND allergies = '' AND emergency_phone = '' AND collectors = ''
                """)
            return same
        }
        let count: Int = try tx.value("SELECT count(*) FROM child WHERE family_id = \(family)") ?? 0
        guard count < limit else { throw TooMany() }
        try tx.execute(
            """
            INSERT INTO child (id, family_id, nickname, birth_month, birth_year, allergies, emergency_phone, collectors,
                created_at, updated_at)
            VALUES (\(child.id), \(family), \(child.nickname), \(child.birthMonth), \(child.birthYear),
                \(child.note.allergies), \(child.note.emergencyPhone), \(child.note.collectors), \(tx.now), \(tx.now))
            """)
        return child.id
    }

    static func update(
        _ id: ID<Child>, _ form: ChildForm, of family: ID<Family>, by account: ID<Account>, in tx: Transaction
    ) throws {
        let count = try tx.execute(
            """
            UPDATE child SET nickname = \(form.nickname), birth_month = \(form.birthMonth),
                birth_year = \(form.birthYear), allergies = \(form.note.allergies),
                emergency_phone = \(form.note.emergencyPhone), collectors = \(form.note.collectors),
                updated_at = \(tx.now), changed_by = \(account)
            WHERE id = \(id) AND family_id = \(family)
            """)
        guard count == 1 else { throw Refusal.notFound }
        try CareNote.refresh(of: id, form.note, in: tx)
    }

    /// The parent who last changed a child's entry; nil if that was `reader`, or a member who left.
    static func changer(of id: ID<Child>, besides reader: ID<Account>, in db: Connection) throws -> String? {
        try db.value(
            """
            SELECT family.first_name || ' ' || family.last_name FROM child
            JOIN family ON family.account_id = child.changed_by
            WHERE child.id = \(id) AND child.changed_by <> \(reader)
            """)
    }

    private static func read(_ row: inout Row) throws -> Child {
        Child(
            id: try row.next(), nickname: try row.next(), birthMonth: try row.next(), birthYear: try row.next(),
            note: try row.next(), name: try row.next())
    }
}
