import Database

/// Reminders of shifts, like those of events (`Reminder+Queries`): the day before and two hours before, as each reader
/// chose.
extension Reminder {
    /// Deletes the reminders of a canceled shift.
    static func forget(_ shift: ID<Shift>, in db: Connection) throws {
        try db.execute("DELETE FROM shift_reminder WHERE shift_id = \(shift)")
    }

    /// Sends due reminders of shifts that haven't begun, each once.
    ///
    /// - Returns: The number of reminders.
    @discardableResult static func sendOfShifts(in tx: Transaction) throws -> Int {
        try tx.execute(
            """
            DELETE FROM shift_reminder
            WHERE due_at <= \(tx.now) AND shift_id IN (SELECT id FROM shift WHERE starts_at <= \(tx.now))
            """)
        let due: [(shift: Shift, reminder: Reminder, opportunity: ID<Opportunity>, title: String)] = try tx.all(
            """
            SELECT \(Shift.columns), shift_reminder.lead, opportunity.id, opportunity.title
            FROM shift_reminder JOIN shift ON shift.id = shift_reminder.shift_id
            JOIN opportunity ON opportunity.id = shift.opportunity_id
            WHERE shift_reminder.due_at <= \(tx.now) AND opportunity.listed
            ORDER BY shift_reminder.due_at, shift_reminder.shift_id LIMIT 200
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        for (shift, reminder, opportunity, title) in due {
            try tx.execute("DELETE FROM shift_reminder WHERE shift_id = \(shift.id) AND lead = \(reminder)")
            let news = HelpNews(reminder == .day ? .dayBefore : .hoursBefore, opportunity, title, now: shift.fact)
            try Notice.tell(
                Notice.News(
                    kind: news.kind, detail: news.detail, subject: opportunity.rawValue, endsAt: shift.startsAt),
                """
                account.suspended_at IS NULL AND account.id IN (
                    SELECT account_id FROM signup WHERE shift_id = \(shift.id)
                        AND state = 'confirmed')\(reminder.others(at: shift.startsAt, tx.now))
                """, in: tx)
        }
        return due.count
    }
}
