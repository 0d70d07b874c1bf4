import Database

extension Notice {
    /// Notifies the families that hold places at these events or wait for one, each once, about the first of its
    /// events.
    static func tellFamilies(_ news: [Notice.News], in tx: Transaction) throws {
        let dates = news.compactMap(\.event)
        for (index, one) in news.enumerated() {
            func families(_ events: SQL) -> SQL {
                """
                (account.id IN (
                    SELECT account_id FROM registration WHERE event_id \(events) AND \(Registration.isHeld))
                OR account.id IN (\(Activity.whoWaits(at: events))))
                """
            }
            let earlier = Array(dates[..<index])
            let told: SQL = families("IN \(list: earlier.padded(to: 400))")
            var one = one
            if dates.count > 1 { one.times = Registration.times(at: dates) }
            try tell(one, families("= \(one.event)"), besides: index == 0 ? nil : (told, earlier), in: tx)
        }
    }
}

extension Registration {
    /// A subquery for the first party of each `account` at an event.
    static func party(at event: ID<Event>) -> SQL {
        """
        (SELECT min(registration.id) FROM registration WHERE registration.account_id = account.id
            AND \(isHeld) AND registration.event_id = \(event))
        """
    }

    /// A subquery for how many of these dates each `account` has a party at, or waits there.
    static func times(at dates: [ID<Event>]) -> SQL {
        """
        (SELECT count(*) FROM event WHERE event.id IN \(list: dates.padded(to: 400)) AND (EXISTS (
            SELECT 1 FROM registration WHERE registration.account_id = account.id
                AND \(isHeld) AND registration.event_id = event.id)
            OR account.id IN (\(Activity.whoWaits(at: "= event.id")))))
        """
    }
}
