import Database

extension Signup {
    /// Whether a request can still be answered, for `signup` with its shift and opportunity: until the shift begins,
    /// and while the organization accepts people.
    static func isAnswerable(_ now: Instant) -> SQL {
        """
        (CASE WHEN signup.shift_id IS NULL THEN opportunity.closed_at IS NULL AND opportunity.ends_at > \(now)
            ELSE shift.removed_at IS NULL AND shift.starts_at > \(now) END)
        """
    }

    /// Reminds organizations once of each person waiting for an answer, and ends requests that weren't answered in
    /// time: the person is notified, and their place is released.
    ///
    /// - Returns: The number of requests.
    static func tidyAsked(in tx: Transaction) throws -> Int {
        let over: [ID<Signup>] = try tx.all(
            """
            SELECT signup.id FROM signup \(indexedBy: "signup_asked")
            JOIN opportunity ON opportunity.id = signup.opportunity_id LEFT JOIN shift ON shift.id = signup.shift_id
            WHERE signup.state = 'asked' AND NOT \(isAnswerable(tx.now)) LIMIT 200
            """
        ) { try $0.next() }
        for id in over {
            guard let signup = try find(id, in: tx) else { continue }
            try lapse(signup, in: tx)
        }
        let due: [ID<Signup>] = try tx.all(
            """
            SELECT signup.id FROM signup \(indexedBy: "signup_asked")
            LEFT JOIN shift ON shift.id = signup.shift_id
            WHERE signup.state = 'asked' AND signup.reminded_at IS NULL
                AND (signup.created_at <= \(tx.now - YesReminder.patience)
                    OR shift.starts_at <= \(tx.now + YesReminder.lead)
                    AND signup.created_at <= \(tx.now - YesReminder.least))
            LIMIT 200
            """
        ) { try $0.next() }
        var told: Set<ID<Opportunity>> = []
        for id in due {
            guard let signup = try find(id, in: tx) else { continue }
            try tx.execute("UPDATE signup SET reminded_at = \(tx.now) WHERE id = \(id)")
            // Several people waiting for one answer cause one letter.
            guard told.insert(signup.opportunity).inserted else { continue }
            try HelpNews(.waits, signup.opportunity, signup.title, now: signup.shift?.fact).tellHost(
                signup.host, in: tx)
        }
        return over.count + due.count
    }

    private static func lapse(_ signup: Signup, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE signup SET state = 'declined', lapsed = TRUE, changed_at = \(tx.now)
            WHERE id = \(signup.id) AND state = 'asked'
            """)
        if let shift = signup.shift { try Shift.giveBack(signup.places, of: shift.id, in: tx) }
        try HelpNews.settleDone(at: signup.opportunity, in: tx)
        // If everything was canceled, everyone was notified already.
        guard signup.closing == nil, signup.shift.map({ $0.endsAt > tx.now - .days(1) }) ?? true else { return }
        try HelpNews(.unanswered, signup.opportunity, signup.title, now: signup.shift?.fact).tell(
            signup.account, in: tx)
    }
}
