import Database

/// Days on which a member is away and their streak is paused.
enum Pause {
    /// A member's pauses, earliest first.
    static func all(of account: ID<Account>, in db: Connection) throws -> [ClosedRange<Day>] {
        try db.all(
            "SELECT first, last FROM pause WHERE account_id = \(account) ORDER BY first LIMIT 1000"
        ) { (try $0.next() as Day)...(try $0.next() as Day) }
    }

    /// Begins a pause today; does nothing if there is one.
    static func begin(_ days: Int, by account: ID<Account>, on today: Day, in db: Connection) throws {
        let isOn = try db.exists("SELECT 1 FROM pause WHERE account_id = \(account) AND last >= \(today)")
        guard !isOn, (1...Streak.longestPause).contains(days) else { return }
        try db.execute(
            """
            INSERT INTO pause (account_id, first, last)
            VALUES (\(account), \(today), \(today.advanced(by: days - 1)))
            """)
    }

    /// Ends the current pause: today counts again.
    static func end(by account: ID<Account>, on today: Day, in db: Connection) throws {
        try db.execute(
            "DELETE FROM pause WHERE account_id = \(account) AND first >= \(today)")
        try db.execute(
            "UPDATE pause SET last = \(today.advanced(by: -1)) WHERE account_id = \(account) AND last >= \(today)")
    }
}
