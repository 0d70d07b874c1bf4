import Database

/// Reminders of sessions, like those of events (`Reminder+Queries`): the day before and two hours before, as each
/// reader chose.
extension Reminder {
    /// Schedules reminders for the families in an event's sessions by the sessions' current times; there is none for
    /// the event itself.
    static func scheduleSessions(of id: ID<Event>, in tx: Transaction) throws {
        guard let event = try Event.find(id, in: tx), event.hasSessions else { return }
        try forget(id, in: tx)
        for session in try Activity.all(of: id, in: tx) {
            if session.isCancelled {
                try tx.execute("DELETE FROM session_reminder WHERE activity_id = \(session.id)")
            } else {
                try schedule(session.schedule, .session(session.id), in: event.clock, tx: tx)
            }
        }
    }

    /// Sends due reminders of sessions that haven't begun, each once.
    ///
    /// - Returns: The number of reminders.
    @discardableResult static func sendOfSessions(in tx: Transaction) throws -> Int {
        try tx.execute(
            """
            DELETE FROM session_reminder
            WHERE due_at <= \(tx.now) AND EXISTS (
                SELECT 1 FROM activity WHERE activity.id = activity_id AND activity.starts_at <= \(tx.now))
            """)
        let due: [(session: Activity, reminder: Reminder, event: ID<Event>)] = try tx.all(
            """
            SELECT \(Activity.columns), session_reminder.lead, event.id
            FROM session_reminder JOIN activity ON activity.id = session_reminder.activity_id
            JOIN event ON event.id = activity.event_id
            WHERE session_reminder.due_at <= \(tx.now) AND event.listed AND activity.cancelled_at IS NULL
            ORDER BY session_reminder.due_at, session_reminder.activity_id LIMIT 200
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        // The links in notices and letters need the seal.
        if !due.isEmpty { _ = try Seal.make(in: tx) }
        for (session, reminder, event) in due {
            try tx.execute("DELETE FROM session_reminder WHERE activity_id = \(session.id) AND lead = \(reminder)")
            var news = Notice.News(kind: reminder.kind, event: event, detail: Change.keeping(session))
            news.party = Registration.party(at: event)
            news.endsAt = session.startsAt
            try Notice.tell(
                news,
                """
                account.suspended_at IS NULL AND account.id IN (
                    SELECT registration.account_id FROM attendance
                    JOIN registration_person ON registration_person.id = attendance.person_id
                    JOIN registration ON registration.id = registration_person.registration_id
                    WHERE attendance.activity_id = \(session.id))\(reminder.others(at: session.startsAt, tx.now))
                """, in: tx)
        }
        return due.count
    }
}
