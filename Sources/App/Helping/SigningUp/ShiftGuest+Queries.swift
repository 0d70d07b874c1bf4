import Database

extension Guest {
    /// All guests in an opportunity's shifts; also in a canceled one, until they are told.
    static func all(of opportunity: ID<Opportunity>, in db: Connection) throws -> [(guest: Guest, shift: Shift)] {
        try db.all(
            """
            SELECT \(columns), \(Shift.columns) FROM shift JOIN guest ON guest.shift_id = shift.id
            WHERE shift.opportunity_id = \(opportunity) AND guest.off_at IS NULL
                AND (shift.removed_at IS NULL OR guest.untold_since IS NOT NULL)
            LIMIT 10000
            """
        ) { (try $0.next(), try $0.next()) }
    }
}
