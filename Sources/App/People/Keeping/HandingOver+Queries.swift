import Database

/// Handing over an organization.
extension Colleague {
    /// Transfers the organization to a colleague with everything it posted, asked for and received. The previous owner
    /// becomes a colleague with full duties.
    ///
    /// - Throws: `Refusal.notFound` if the colleague lacks full duties; `Obstacle.unsettled`.
    static func handOver(to heir: ID<Account>, by owner: ID<Account>, at now: Instant, in db: Connection) throws {
        let isHeir = try db.exists(
            """
            SELECT 1 FROM colleague JOIN account ON account.id = colleague.account_id
            WHERE colleague.account_id = \(heir) AND colleague.host_id = \(owner) AND colleague.duty = 'edit'
                AND account.suspended_at IS NULL AND account.left_at IS NULL
                AND (account.limited_until IS NULL OR account.limited_until <= \(now))
            """)
        guard isHeir else { throw Refusal.notFound }
        // Events that they posted as a neighbor didn't promise a list of names, so they can't be merged.
        guard try !hasOwn(heir, in: db) else { throw Obstacle.heirHasOwn }
        guard try !isUnsettled(owner, at: now, in: db) else { throw Obstacle.unsettled }
        try note(.handedOver, to: heir, of: owner, by: owner, at: now, in: db)
        // Nobody reviews or follows their own organization.
        try Followed.follow(owner, false, by: heir, at: now, in: db)
        try Review.forget(by: heir, of: owner, in: db)
        try movePictures(from: owner, to: heir, in: db)
        try db.execute("DELETE FROM organization_total WHERE account_id = \(heir)")
        try db.execute("DELETE FROM organization_year WHERE account_id = \(heir)")
        // If both have the same entry in a daily letter, one remains.
        try db.execute(
            """
            DELETE FROM digest WHERE account_id = \(heir)
                AND event_id IN (SELECT event_id FROM digest WHERE account_id = \(owner))
            """)
        // Nobody co-hosts their own event.
        try db.execute(
            """
            DELETE FROM cohost
            WHERE account_id = \(heir) AND event_id IN (SELECT id FROM event WHERE event.account_id = \(owner))
            """)
        for table in Self.ofHost {
            try db.execute("UPDATE \(table) SET account_id = \(heir) WHERE account_id = \(owner)")
        }
        // A private draft stays private.
        try db.execute("UPDATE draft SET account_id = \(heir) WHERE account_id = \(owner) AND NOT is_own")
        try db.execute(
            """
            UPDATE undo SET account_id = \(heir)
            WHERE account_id = \(owner) AND kind IN ('event', 'draft') AND kept NOT LIKE '%' || \(Draft.ownMark) || '=%'
            """)
        for table in ["review", "follow", "contribution", "team_act"] as [SQL] {
            try db.execute("UPDATE \(table) SET host_id = \(heir) WHERE host_id = \(owner)")
        }
        try db.execute(
            """
            UPDATE matter SET author_id = \(heir)
            WHERE author_id = \(owner) AND (subject LIKE 'event-%' OR subject LIKE 'opportunity-%')
            """)
        try OneTimeLink.withdrawAll(.colleague, of: owner, in: db)
        try db.execute("DELETE FROM colleague WHERE account_id = \(heir)")
        try db.execute("UPDATE colleague SET host_id = \(heir) WHERE host_id = \(owner)")
        try db.execute(
            """
            INSERT INTO colleague (account_id, host_id, duty, was_owner, since)
            VALUES (\(owner), \(heir), 'edit', TRUE, \(now))
            """)
        for account in [owner, heir] { try Account.indexNames(of: account, in: db) }
        let name = try name(of: heir, in: db)
        try TeamNews(.given, ID(heir.rawValue), name).tell(heir, at: now, in: db)
        // The verification is transferred, and the staff who gave it are told to whom.
        let marked: ID<DeskNews>? = try db.value(
            "SELECT id FROM provider WHERE account_id = \(heir) AND \(Verified.isOn(now))")
        guard let marked else { return }
        try DeskNews(.handedOver, marked, name).tell("account.is_admin", at: now, in: db)
    }

    /// The tables whose rows belong to an organization's account and are transferred.
    private static let ofHost: [SQL] = [
        "provider", "event", "calendar_import", "opportunity", "digest", "organization_total", "organization_year",
    ]

    /// Pictures belong to accounts: those of the organization are transferred to the new owner.
    private static func movePictures(from owner: ID<Account>, to heir: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE picture SET account_id = \(heir) WHERE account_id = \(owner) AND id IN (
                SELECT picture_id FROM provider WHERE account_id = \(owner)
                UNION ALL SELECT picture_id FROM event WHERE account_id = \(owner)
                UNION ALL SELECT picture_id FROM draft WHERE account_id = \(owner) AND NOT is_own)
            """)
    }

    /// Whether staff hid some of its content, or restricted its owner to reading.
    private static func isUnsettled(_ owner: ID<Account>, at now: Instant, in db: Connection) throws -> Bool {
        try Person.isHidden(owner, in: db)
            || db.exists("SELECT 1 FROM account WHERE id = \(owner) AND limited_until > \(now)")
            || db.exists("SELECT 1 FROM event WHERE account_id = \(owner) AND hidden_at IS NOT NULL")
            || db.exists("SELECT 1 FROM opportunity WHERE account_id = \(owner) AND hidden_at IS NOT NULL")
            || db.exists("SELECT 1 FROM matter WHERE author_id = \(owner) AND since IS NOT NULL")
            || Decision.removal(of: owner, in: db) != nil
    }

    /// Whether a member has an organization or posts of their own.
    private static func hasOwn(_ account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM provider WHERE account_id = \(account)
            UNION ALL SELECT 1 FROM event WHERE account_id = \(account)
            UNION ALL SELECT 1 FROM opportunity WHERE account_id = \(account)
            """)
    }
}
