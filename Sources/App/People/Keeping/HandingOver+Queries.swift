import Database

/// Handing over an organization.
extension Colleague {
    /// Transfers the organization to a colleague with everything it posted, asked for and received. The previous owner
    /// becomes a colleague with full duties.
    ///
    /// - Throws: `Refusal.notFound` if the colleague lacks full duties; `Obstacle.unsettled`.
    static func handOver(to heir: ID<Account>, by owner: ID<Account>, in tx: Transaction) throws {
        let isHeir = try tx.exists(
            """
            SELECT 1 FROM colleague JOIN account ON account.id = colleague.account_id
            WHERE colleague.account_id = \(heir) AND colleague.host_id = \(owner) AND colleague.duty = 'edit'
                AND account.suspended_at IS NULL AND account.left_at IS NULL
                AND (account.limited_until IS NULL OR account.limited_until <= \(tx.now))
            """)
        guard isHeir else { throw Refusal.notFound }
        // Events that they posted as a neighbor didn't promise a list of names, so they can't be merged.
        guard try !hasOwn(heir, in: tx) else { throw Obstacle.heirHasOwn }
        guard try !isUnsettled(owner, in: tx) else { throw Obstacle.unsettled }
        try note(.handedOver, to: heir, of: owner, by: owner, in: tx)
        // Nobody reviews or follows their own organization.
        try Followed.follow(owner, false, by: heir, in: tx)
        try Review.forget(by: heir, of: owner, in: tx)
        try movePictures(from: owner, to: heir, in: tx)
        try tx.execute("DELETE FROM organization_total WHERE account_id = \(heir)")
        try tx.execute("DELETE FROM organization_year WHERE account_id = \(heir)")
        // If both have the same entry in a daily letter, one remains.
        try tx.execute(
            """
            DELETE FROM digest WHERE account_id = \(heir)
                AND event_id IN (SELECT event_id FROM digest WHERE account_id = \(owner))
            """)
        // Nobody co-hosts their own event.
        try tx.execute(
            """
            DELETE FROM cohost
            WHERE account_id = \(heir) AND event_id IN (SELECT id FROM event WHERE event.account_id = \(owner))
            """)
        for table in Self.ofHost {
            try tx.execute("UPDATE \(table) SET account_id = \(heir) WHERE account_id = \(owner)")
        }
        // A private draft stays private.
        try tx.execute("UPDATE draft SET account_id = \(heir) WHERE account_id = \(owner) AND NOT is_own")
        try tx.execute(
            """
            UPDATE undo SET account_id = \(heir)
            WHERE account_id = \(owner) AND kind IN ('event', 'draft') AND kept NOT LIKE '%' || \(Draft.ownMark) || '=%'
            """)
        for table in ["review", "follow", "contribution", "team_act"] as [SQL] {
            try tx.execute("UPDATE \(table) SET host_id = \(heir) WHERE host_id = \(owner)")
        }
        try tx.execute(
            """
            UPDATE matter SET author_id = \(heir)
            WHERE author_id = \(owner) AND (subject LIKE 'event-%' OR subject LIKE 'opportunity-%')
            """)
        try OneTimeLink.withdrawAll(.colleague, of: owner, in: tx)
        try tx.execute("DELETE FROM colleague WHERE account_id = \(heir)")
        try tx.execute("UPDATE colleague SET host_id = \(heir) WHERE host_id = \(owner)")
        try tx.execute(
            """
            INSERT INTO colleague (account_id, host_id, duty, was_owner, since)
            VALUES (\(owner), \(heir), 'edit', TRUE, \(tx.now))
            """)
        for account in [owner, heir] { try Account.indexNames(of: account, in: tx) }
        let name = try name(of: heir, in: tx)
        try TeamNews(.given, ID(heir.rawValue), name).tell(heir, in: tx)
        // The verification is transferred, and the staff who gave it are told to whom.
        let marked: ID<DeskNews>? = try tx.value(
            "SELECT id FROM provider WHERE account_id = \(heir) AND \(Verified.isOn(tx.now))")
        guard let marked else { return }
        try DeskNews(.handedOver, marked, name).tell("account.is_admin", in: tx)
    }

    /// The tables whose rows belong to an organization's account and are transferred.
    private static let ofHost: [SQL] = [
        "provider", "event", "draw", "calendar_import", "opportunity", "digest", "organization_total",
        "organization_year",
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
    private static func isUnsettled(_ owner: ID<Account>, in tx: Transaction) throws -> Bool {
        try Person.isHidden(owner, in: tx)
            || tx.exists("SELECT 1 FROM account WHERE id = \(owner) AND limited_until > \(tx.now)")
            || tx.exists("SELECT 1 FROM event WHERE account_id = \(owner) AND hidden_at IS NOT NULL")
            || tx.exists("SELECT 1 FROM opportunity WHERE account_id = \(owner) AND hidden_at IS NOT NULL")
            || tx.exists("SELECT 1 FROM matter WHERE author_id = \(owner) AND since IS NOT NULL")
            || Decision.removal(of: owner, in: tx) != nil
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
