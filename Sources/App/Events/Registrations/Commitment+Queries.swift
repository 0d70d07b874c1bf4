import Database

extension Commitment {
    /// The places of an account's children at current events.
    static func all(of account: ID<Account>, in tx: Transaction) throws -> [Commitment] {
        try tx.all(
            """
            SELECT registration_person.child_id, event.id, event.starts_at, event.ends_at
            FROM registration
            JOIN event ON event.id = registration.event_id
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL AND registration_person.child_id IS NOT NULL
            WHERE registration.account_id = \(account) AND registration.state = 'confirmed'
                AND event.ends_at > \(tx.now)
                AND event.cancelled_at IS NULL
            LIMIT 1000
            """
        ) { Commitment(child: try $0.next(), event: try $0.next(), startsAt: try $0.next(), endsAt: try $0.next()) }
    }
}
