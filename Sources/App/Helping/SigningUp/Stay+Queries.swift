import Database

extension Stay {
    /// The columns of a guest's stay.
    private static let guestColumns: Columns =
        ["guest.id", "opportunity.id", "opportunity.title", "opportunity.kind", "opportunity.account_id"]
        + ["coalesce(provider.organization, host.username)"] + Shift.columns + ["opportunity.zone"]

    private static let guestSources: SQL = """
        shift JOIN guest ON guest.shift_id = shift.id JOIN opportunity ON opportunity.id = shift.opportunity_id
        JOIN account AS host ON host.id = opportunity.account_id
        LEFT JOIN provider ON provider.account_id = opportunity.account_id
        """

    private static let isGuestHeld: SQL = "guest.off_at IS NULL AND shift.removed_at IS NULL"

    /// - Parameter row: The guest's, with these columns.
    private init(ofGuest row: inout Row) throws {
        self.init(
            holder: .guest(try row.next()), account: nil, opportunity: try row.next(), title: try row.next(),
            kind: try row.next(), host: try row.next(), hostName: try row.next(), shift: try row.next(),
            zone: try row.next(), isHeld: true)
    }

    /// Nil if they aren't on a list.
    static func find(_ holder: Holder, in db: Connection) throws -> Stay? {
        switch holder {
        case .signup(let id): try Signup.find(id, in: db).map { Stay($0) }
        case .guest(let id):
            try db.first(
                "SELECT \(guestColumns) FROM \(guestSources) WHERE guest.id = \(id) AND \(isGuestHeld)"
            ) { try Stay(ofGuest: &$0) }
        }
    }

    /// The guests of an opportunity's past shifts.
    static func ofGuests(at opportunity: ID<Opportunity>, in tx: Transaction) throws -> [(stay: Stay, guest: Guest)] {
        try tx.all(
            """
            SELECT \(guestColumns), \(Guest.columns) FROM \(guestSources)
            WHERE shift.opportunity_id = \(opportunity) AND shift.ends_at <= \(tx.now) AND \(isGuestHeld)
            LIMIT 10000
            """
        ) { (try Stay(ofGuest: &$0), try $0.next()) }
    }

    /// A condition on `contribution`: it belongs to this stay.
    var isIts: SQL {
        switch holder {
        case .signup(let id): "contribution.signup_id = \(id)"
        case .guest(let id): "contribution.guest_id = \(id)"
        }
    }

    /// A stay at an organization, for a colleague who isn't the helper.
    ///
    /// - Throws: `Refusal.notFound` for another organization's, and for one's own.
    static func find(
        _ holder: Holder, at opportunity: ID<Opportunity>, by host: ID<Account>, pressedBy colleague: ID<Account>,
        in db: Connection
    ) throws -> Stay {
        guard let stay = try find(holder, in: db), stay.opportunity == opportunity, stay.host == host,
            stay.account != host, stay.account != colleague
        else { throw Refusal.notFound }
        return stay
    }

    // MARK: Absences

    /// Records that these people didn't come to their shifts, which are over. Anybody with confirmed hours did come.
    ///
    /// - Returns: The number of new absences.
    /// - Throws: `Refusal.notFound`, also for one's own; `Refusal.overtaken` if hours were confirmed meanwhile.
    @discardableResult
    static func miss(
        _ all: [Holder], at opportunity: ID<Opportunity>, by host: ID<Account>, pressedBy colleague: ID<Account>,
        in tx: Transaction
    ) throws -> Int {
        var count = 0
        for holder in all {
            let stay = try find(holder, at: opportunity, by: host, pressedBy: colleague, in: tx)
            guard stay.isHeld, let shift = stay.shift, shift.endsAt <= tx.now else { throw Refusal.notFound }
            let isConfirmed = try tx.exists("SELECT 1 FROM contribution WHERE \(stay.isIts) AND confirmed IS NOT NULL")
            guard !isConfirmed else { throw Refusal.overtaken(stay.roster) }
            guard try stay.noteAbsence(in: tx) else { continue }
            count += 1
            // A helper who wasn't there isn't asked for hours.
            guard let account = stay.account else { continue }
            let question = HelpNews(.ended, opportunity, stay.title, now: shift.fact)
            try Notice.erase(
                """
                event_id IS NULL AND account_id = \(account) AND kind = \(question.kind)
                    AND subject = \(opportunity) AND detail = \(question.detail)
                """, in: tx)
            try HelpNews.settleHours(of: stay, in: tx)
        }
        return count
    }

    /// - Returns: Whether it is new.
    private func noteAbsence(in tx: Transaction) throws -> Bool {
        switch holder {
        case .signup(let id):
            try tx.execute(
                "INSERT INTO absence (signup_id, at) VALUES (\(id), \(tx.now)) ON CONFLICT (signup_id) DO NOTHING") == 1
        case .guest(let id):
            try tx.execute("UPDATE guest SET missed_at = \(tx.now) WHERE id = \(id) AND missed_at IS NULL") == 1
        }
    }

    /// Whether an absence is recorded.
    func isMissed(in db: Connection) throws -> Bool {
        switch holder {
        case .signup(let id): try db.exists("SELECT 1 FROM absence WHERE signup_id = \(id)")
        case .guest(let id): try db.exists("SELECT 1 FROM guest WHERE id = \(id) AND missed_at IS NOT NULL")
        }
    }

    /// Removes an absence.
    @discardableResult func forgetAbsence(in db: Connection) throws -> Bool {
        switch holder {
        case .signup(let id): try db.execute("DELETE FROM absence WHERE signup_id = \(id)") > 0
        case .guest(let id):
            try db.execute("UPDATE guest SET missed_at = NULL WHERE id = \(id) AND missed_at IS NOT NULL") > 0
        }
    }

    /// Removes an absence, for the organization.
    ///
    /// - Returns: Whether it was recorded.
    /// - Throws: `Refusal.notFound`.
    static func forgetAbsence(
        _ holder: Holder, at opportunity: ID<Opportunity>, by host: ID<Account>, in db: Connection
    ) throws -> Bool {
        guard let stay = try find(holder, in: db), stay.opportunity == opportunity, stay.host == host else {
            throw Refusal.notFound
        }
        return try stay.forgetAbsence(in: db)
    }

    // MARK: A place that is taken over

    /// Gives a guest's hours and absences to the member who takes the place over. The organization's totals still count
    /// one person, and the name under which it confirmed the hours stays.
    ///
    /// - Throws: `Refusal.notAllowed` if the member confirmed the hours: nobody confirms their own.
    static func takeOver(_ guest: Guest, as signup: ID<Signup>, by account: ID<Account>, in db: Connection) throws {
        if guest.isMissed {
            try db.execute(
                "INSERT INTO absence (signup_id, at) SELECT \(signup), missed_at FROM guest WHERE id = \(guest.id)")
        }
        let found: (id: ID<Contribution>, host: ID<Account>?, day: Day, confirmer: ID<Account>?, isHelp: Bool)? =
            try db.first(
                """
                SELECT id, host_id, day, confirmer_id, kind <> 'shadow' FROM contribution
                WHERE guest_id = \(guest.id)
                """
            ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        guard let line = found else { return }
        guard line.confirmer != account else { throw Refusal.notAllowed }
        if let host = line.host, line.isHelp {
            let before = try Contribution.isCounted(account, at: host, in: line.day.year, db: db)
            try OrganizationTotal.add(
                0, helpers: before.ever ? -1 : 0, ofYear: before.year ? -1 : 0, to: host, on: line.day, in: db)
        }
        try db.execute(
            """
            UPDATE contribution SET account_id = \(account), signup_id = \(signup), guest_id = NULL,
                once = \(Contribution.once(of: signup, on: line.day))
            WHERE id = \(line.id)
            """)
    }
}
