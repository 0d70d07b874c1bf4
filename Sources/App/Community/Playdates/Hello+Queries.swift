import Database

/// Hellos and skipped cards, and the choice of the next card.
enum Hello {
    // MARK: The cards

    /// The next card for a pet: from the nearest band, the newest. The index of cells yields the first match of each
    /// cell.
    static func next(for pet: Pet, on today: Day, in db: Connection) throws -> ID<Pet>? {
        for reach in Reach.allCases where reach <= pet.wishes.within {
            let found = try newest(
                around: pet.cell, in: reach,
                """
                \(fits(pet, in: reach, on: today))
                    AND NOT EXISTS (SELECT 1 FROM hello WHERE hello.pet_id = \(pet.id) AND hello.other_id = pet.id)
                """, db: db)
            if let found { return found }
        }
        return nil
    }

    /// The next card for a member whose pets can't ask: the newest first, without those that wouldn't travel that far.
    /// Their distance isn't shown, because a member without a pet could change their location at any time.
    static func next(
        around cell: Cell, before last: ID<Pet>?, for account: ID<Account>, in db: Connection
    ) throws -> ID<Pet>? {
        try Reach.allCases.filter { $0 <= .town }.compactMap { reach in
            try newest(
                around: cell, in: reach,
                """
                \(isShown(to: account)) AND pet.within >= \(reach) AND pet.id < \(last ?? ID(.max))
                    AND \(mayMeet(account))
                """, db: db)
        }.max()
    }

    /// The newest pet in a band around a cell that meets a condition on `pet`.
    private static func newest(
        around cell: Cell, in reach: Reach, _ condition: SQL, db: Connection
    ) throws -> ID<Pet>? {
        let runs = cell.runs(in: reach)
        // A few fixed lengths, so that there are few statements.
        let length = [8, 32, 128, 512].first { $0 >= runs.count } ?? runs.count
        let rows: [SQL] = (runs + Array(repeating: -1 ... -1, count: length - runs.count)).map {
            "(\($0.lowerBound), \($0.upperBound))"
        }
        return try db.first(
            """
            WITH RECURSIVE run (low, high) AS (VALUES \(rows.joined(separator: ", "))),
                spot (cell, high) AS (
                    SELECT low, high FROM run UNION ALL SELECT cell + 1, high FROM spot WHERE cell < high)
            SELECT max((
                SELECT pet.id FROM pet WHERE pet.cell = spot.cell AND \(condition) ORDER BY pet.id DESC LIMIT 1))
            FROM spot
            """
        ) { try $0.next() as ID<Pet>? } ?? nil
    }

    /// Conditions on `pet`: it is visible to others, and isn't one's own.
    private static func isShown(to account: ID<Account>) -> SQL {
        "pet.hidden_at IS NULL AND pet.is_paused = FALSE AND pet.account_id <> \(account)"
    }

    /// Conditions on `pet`: no block or earlier choice separates its owner from an account.
    private static func mayMeet(_ account: ID<Account>) -> SQL {
        """
        EXISTS (SELECT 1 FROM account WHERE account.id = pet.account_id AND account.suspended_at IS NULL)
            AND NOT EXISTS (SELECT 1 FROM parted
                WHERE parted.account_id = \(account) AND parted.other_id = pet.account_id)
            AND NOT \(Block.hides("pet.account_id", from: account))
        """
    }

    /// The condition on `pet`, in a band around another: both want to meet, and may.
    private static func fits(_ mine: Pet, in reach: Reach, on today: Day) -> SQL {
        let (traits, wishes) = (mine.traits, mine.wishes)
        let years = min(99, traits.years(on: today))
        let month = today.monthNumber
        // Padding to all values doesn't change the meaning, but allows one statement for all lengths.
        func any<V: CaseIterable & SQLValue>(_ wished: [V]) -> [V] where V.AllCases == [V] {
            let list = wished.isEmpty ? V.allCases : wished
            return list + Array(repeating: list[0], count: V.allCases.count - list.count)
        }
        let oldest = wishes.ages.upperBound >= 99 ? 0 : month - wishes.ages.upperBound * 12 - 11
        // A pet born this month has the age zero.
        let youngest = wishes.ages.lowerBound == 0 ? Int(Int32.max) : month - wishes.ages.lowerBound * 12
        return """
            \(isShown(to: mine.account))
                AND pet.within >= \(reach)
                AND pet.type IN \(list: any(wishes.kinds)) AND pet.size IN \(list: any(wishes.sizes))
                AND pet.sex IN \(list: any(wishes.sexes)) AND pet.energy IN \(list: any(wishes.energies))
                AND pet.born BETWEEN \(oldest) AND \(youngest)
                AND (pet.wants_type = 0 OR pet.wants_type & \([traits.kind].bits) <> 0)
                AND (pet.wants_size = 0 OR pet.wants_size & \([traits.size].bits) <> 0)
                AND (pet.wants_sex = 0 OR pet.wants_sex & \([traits.sex].bits) <> 0)
                AND (pet.wants_energy = 0 OR pet.wants_energy & \([traits.energy].bits) <> 0)
                AND pet.wants_age_from <= \(years) AND pet.wants_age_to >= \(years)
                AND \(mayMeet(mine.account))
            """
    }

    // MARK: Choices

    /// Says hello to a pet or skips it. If the other one said hello before, it is a match, and both are notified.
    ///
    /// Repeating a choice has no effect; it stays until it is undone.
    ///
    /// - Throws: `Refusal.notFound` for a pet whose card couldn't appear; `Owner.TooManyHellos`.
    static func choose(
        _ isYes: Bool, _ id: ID<Pet>, for mine: Pet, on today: Day, in tx: Transaction
    ) throws -> PetMatch.Outcome {
        if let match = try PetMatch.between(mine.id, id, in: tx) { return .matched(match) }
        let said: Bool? = try tx.value("SELECT is_yes FROM hello WHERE pet_id = \(mine.id) AND other_id = \(id)")
        if let said { return said ? .greeted : .passed }
        guard mine.isShown, let other = try Pet.find(id, in: tx),
            let reach = Reach(kilometres: mine.cell.distance(to: other.cell)), reach <= mine.wishes.within,
            try tx.exists("SELECT 1 FROM pet WHERE pet.id = \(id) AND \(fits(mine, in: reach, on: today))")
        else { throw Refusal.notFound }
        if isYes { try Owner.countHello(of: mine.account, on: today, in: tx) }
        try tx.execute(
            """
            INSERT INTO hello (pet_id, other_id, is_yes, at) VALUES (\(mine.id), \(id), \(isYes), \(tx.now))
            """)
        guard isYes else { return .passed }
        let isMutual = try tx.exists("SELECT 1 FROM hello WHERE pet_id = \(id) AND other_id = \(mine.id) AND is_yes")
        return isMutual ? .matched(try PetMatch.insert(mine, other, in: tx)) : .greeted
    }

    /// The last choice; nil if there is none, or it was a match.
    static func last(of pet: ID<Pet>, in db: Connection) throws -> (name: String, isYes: Bool)? {
        let last: (other: ID<Pet>, name: String, isYes: Bool)? = try db.first(
            """
            SELECT pet.id, pet.name, hello.is_yes FROM hello JOIN pet ON pet.id = hello.other_id
            WHERE hello.pet_id = \(pet) ORDER BY hello.id DESC LIMIT 1
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        guard let last, try PetMatch.between(pet, last.other, in: db) == nil else { return nil }
        return (last.name, last.isYes)
    }

    /// Undoes the last choice: its card appears again.
    ///
    /// - Throws: `PetMatch.CameMeanwhile`; `Refusal.notFound` if there is none.
    static func undo(for mine: Pet, on today: Day, in zone: Zone, db: Connection) throws {
        let last: (ID<Pet>, Bool, Instant)? = try db.first(
            """
            SELECT other_id, is_yes, at FROM hello WHERE pet_id = \(mine.id)
            ORDER BY id DESC LIMIT 1
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        guard let (other, isYes, at) = last else { return }
        if let match = try PetMatch.between(mine.id, other, in: db) { throw PetMatch.CameMeanwhile(match: match) }
        try db.execute("DELETE FROM hello WHERE pet_id = \(mine.id) AND other_id = \(other)")
        if isYes, zone.day(of: at) == today { try Owner.giveBackHello(of: mine.account, on: today, in: db) }
    }

    /// Forgets skipped cards, so that they appear again.
    static func forgetPassed(for pet: ID<Pet>, in db: Connection) throws {
        try db.execute("DELETE FROM hello WHERE pet_id = \(pet) AND NOT is_yes")
    }

    /// Whether any card was skipped.
    static func hasPassed(_ pet: ID<Pet>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM hello WHERE pet_id = \(pet) AND NOT is_yes LIMIT 1")
    }
}
