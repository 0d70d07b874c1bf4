import Database

extension Notice {
    /// Notifies the families that hold places at these events or wait for one, each once, about the first of its
    /// events.
    static func tellFamilies(_ news: [Notice.News], at now: Instant, in db: Connection) throws {
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
            if dates.count > 1 { one.dates = dates }
            try tell(
                one, families("= \(one.event)"), besides: index == 0 ? nil : (told, earlier), at: now, in: db)
        }
    }
}
