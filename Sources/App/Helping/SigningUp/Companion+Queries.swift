import Database

extension Companion {
    /// A column for a query over `signup` or `shift_wait`: the companions as one text.
    static let ofSignup = column("companion.signup_id = signup.id")
    static let ofWait = column("companion.wait_id = shift_wait.id")

    private static func column(_ which: SQL) -> SQL {
        let part = SQL.unitSeparator
        let fields: SQL = """
            child.id || \(part) || \(Child.shownName) || \(part) || child.birth_year || \(part) || child.birth_month
            """
        return """
            (SELECT \(joined: fields, by: .recordSeparator)
                FROM companion JOIN child ON child.id = companion.child_id WHERE \(which))
            """
    }

    /// Makes sure that these children belong to the family and may come, and that none is already coming, or waiting
    /// with the other parent.
    ///
    /// - Throws: `Signup.Refused`; `Refusal.notFound` if it is somebody else's child.
    static func check(
        _ children: [ID<Child>], of family: ID<Family>?, with account: ID<Account>, to opportunity: Opportunity,
        in shifts: [ID<Shift>], in tx: Transaction
    ) throws {
        guard !children.isEmpty else { return }
        guard let family else { throw Refusal.notFound }
        guard mayCome(to: opportunity, at: tx.now) else { throw Signup.Refused.withoutChildren }
        let all = try Child.all(of: family, in: tx)
        for id in children {
            guard let child = all.first(where: { $0.id == id }) else { throw Refusal.notFound }
            for shift in try Shift.all(of: opportunity.id, in: tx) where shifts.contains(shift.id) {
                guard isFit(child, for: opportunity, on: shift.day) else { throw Signup.Refused.young }
                if try comes(id, to: shift.id, in: tx) { throw Signup.Refused.twice }
                if try waits(id, for: shift.id, besides: account, in: tx) { throw Signup.Refused.waitsTwice }
            }
        }
    }

    /// Why waiting children can't come: their adult may no longer bring them, or one of them comes already; nil if they
    /// can.
    static func obstacle(
        to children: [ID<Child>], in shift: ID<Shift>, of opportunity: ID<Opportunity>, in tx: Transaction
    ) throws -> HelpNews.What? {
        guard !children.isEmpty else { return nil }
        guard let found = try Opportunity.find(opportunity, in: tx), mayCome(to: found, at: tx.now) else {
            return .closedToChildren
        }
        return try children.contains { try comes($0, to: shift, in: tx) } ? .thereAlready : nil
    }

    private static func comes(_ child: ID<Child>, to shift: ID<Shift>, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM companion JOIN signup ON signup.id = companion.signup_id
            WHERE companion.child_id = \(child) AND signup.shift_id = \(shift)
                AND signup.state IN ('asked', 'confirmed')
            """)
    }

    /// Whether a child waits for a shift with somebody else.
    private static func waits(
        _ child: ID<Child>, for shift: ID<Shift>, besides account: ID<Account>, in db: Connection
    ) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM companion JOIN shift_wait ON shift_wait.id = companion.wait_id
            WHERE companion.child_id = \(child) AND shift_wait.shift_id = \(shift)
                AND shift_wait.account_id <> \(account)
            """)
    }

    static func add(_ children: [ID<Child>], to signup: ID<Signup>, in shift: ID<Shift>, in db: Connection) throws {
        for child in children {
            try db.execute(
                """
                INSERT INTO companion (signup_id, child_id, erase_at)
                SELECT \(signup), \(child), shift.ends_at + \(memory.wholeMilliseconds) FROM shift
                WHERE shift.id = \(shift)
                """)
        }
    }

    static func wait(_ children: [ID<Child>], with wait: Int64, for shift: ID<Shift>, in db: Connection) throws {
        for child in children {
            try db.execute(
                """
                INSERT INTO companion (wait_id, child_id, erase_at)
                SELECT \(wait), \(child), shift.ends_at + \(memory.wholeMilliseconds) FROM shift
                WHERE shift.id = \(shift)
                """)
        }
    }

    /// Updates the retention of companions after a shift has been moved.
    static func follow(_ shift: Shift, in db: Connection) throws {
        for those: SQL in [
            "signup_id IN (SELECT id FROM signup WHERE shift_id = \(shift.id))",
            "wait_id IN (SELECT id FROM shift_wait WHERE shift_id = \(shift.id))",
        ] {
            try db.execute("UPDATE companion SET erase_at = \(shift.endsAt + memory) WHERE \(those)")
        }
    }

    /// The companions of a sign-up.
    static func coming(with signup: ID<Signup>, in db: Connection) throws -> [ID<Child>] {
        try db.all("SELECT child_id FROM companion WHERE signup_id = \(signup) LIMIT \(Child.limit)") { try $0.next() }
    }

    /// The companions of an entry on a waiting list.
    static func waiting(with wait: Int64, in db: Connection) throws -> [ID<Child>] {
        try db.all("SELECT child_id FROM companion WHERE wait_id = \(wait) LIMIT \(Child.limit)") { try $0.next() }
    }

    /// Removes a child from upcoming shifts, for example because the child is deleted; the places go to people waiting.
    ///
    /// - Returns: The number of shifts.
    @discardableResult static func part(_ child: ID<Child>, in tx: Transaction) throws -> Int {
        try part("companion.child_id = \(child)", in: tx)
    }

    /// Removes one child from an upcoming shift: the adult stays, and the organization is notified.
    ///
    /// - Returns: Whether the child was coming.
    /// - Throws: `Refusal.notFound` if it isn't theirs; `Refusal.tooLate` once it has begun.
    static func giveBack(
        _ child: ID<Child>, with signup: ID<Signup>, of account: ID<Account>, in tx: Transaction
    ) throws -> Bool {
        guard let found = try Signup.find(signup, in: tx), found.account == account else { throw Refusal.notFound }
        guard found.isHeld else { return false }
        guard found.canGiveBack(at: tx.now) else { throw Refusal.tooLate }
        let parted = try part("companion.signup_id = \(signup) AND companion.child_id = \(child)", in: tx)
        guard parted > 0 else { return false }
        try HelpNews(.left, found.opportunity, found.title, now: found.shift?.fact).tellHost(
            found.host, by: account, in: tx)
        return true
    }

    /// Removes children from a member's shifts whom they no longer look after.
    static func partOthers(of account: ID<Account>, in tx: Transaction) throws {
        let head = try Guardian.head(of: account, in: tx)
        try part(
            """
            companion.child_id IN (SELECT child.id FROM child JOIN family ON family.id = child.family_id
                WHERE family.account_id <> \(head))
                AND (companion.signup_id IN (SELECT id FROM signup WHERE account_id = \(account))
                    OR companion.wait_id IN (SELECT id FROM shift_wait WHERE account_id = \(account)))
            """, in: tx)
    }

    /// - Parameter which: A condition on `companion`.
    @discardableResult private static func part(_ which: SQL, in tx: Transaction) throws -> Int {
        let found: [(signup: ID<Signup>?, wait: Int64?, child: ID<Child>)] = try tx.all(
            """
            SELECT companion.signup_id, companion.wait_id, companion.child_id FROM companion
            WHERE \(which) LIMIT 10000
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        var parted = 0
        for (signup, wait, child) in found {
            if let wait {
                try tx.execute("DELETE FROM companion WHERE wait_id = \(wait) AND child_id = \(child)")
                try tx.execute("UPDATE shift_wait SET places = places - 1 WHERE id = \(wait) AND places > 1")
            }
            guard let signup, let found = try Signup.find(signup, in: tx) else { continue }
            try tx.execute("DELETE FROM companion WHERE signup_id = \(signup) AND child_id = \(child)")
            guard found.canGiveBack(at: tx.now), let shift = found.shift else { continue }
            try tx.execute("UPDATE signup SET places = places - 1 WHERE id = \(signup) AND places > 1")
            try Shift.giveBack(1, of: shift.id, in: tx)
            parted += 1
        }
        return parted
    }

    /// Erases old companions.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM companion WHERE erase_at <= \(tx.now)")
    }
}

extension Companion.Choice {
    /// The family members whom a member may bring.
    static func all(
        of reader: Visitor?, to opportunity: Opportunity, _ shifts: [Shift], ticked: [ID<Child>] = [],
        in tx: Transaction
    ) throws -> [Companion.Choice] {
        guard let family = reader?.family?.id, Companion.mayCome(to: opportunity, at: tx.now),
            let day = shifts.filter({ $0.isOpen(at: tx.now) }).map(\.day).max()
        else { return [] }
        let taken: [(child: ID<Child>, shift: ID<Shift>)] = try tx.all(
            """
            SELECT companion.child_id, signup.shift_id FROM child
            JOIN companion ON companion.child_id = child.id JOIN signup ON signup.id = companion.signup_id
            WHERE child.family_id = \(family) AND signup.opportunity_id = \(opportunity.id)
                AND signup.state IN ('asked', 'confirmed') LIMIT 1000
            """
        ) { (try $0.next(), try $0.next()) }
        return try Child.all(of: family, in: tx).map { child in
            Companion.Choice(
                child, for: opportunity, on: day, isTicked: ticked.contains(child.id),
                takenIn: Set(taken.filter { $0.child == child.id }.map(\.shift)))
        }
    }
}
