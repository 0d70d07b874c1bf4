import Database

/// The counts of ``RateLimits`` in the database, for rules that apply across all nodes.
enum RateCount {
    /// Counts one event.
    ///
    /// - Returns: `nil` if it is allowed, otherwise how long to wait; then nothing was counted.
    static func take(_ rule: RateRule, _ slot: Int64, in tx: Transaction) throws -> Duration? {
        let counted = try tx.exists(
            """
            INSERT INTO rate_count (slot, empty_at) VALUES (\(slot), \(tx.now.milliseconds + rule.step))
            ON CONFLICT (slot) DO UPDATE SET empty_at = \(rule.step)
                + CASE WHEN rate_count.empty_at > \(tx.now) THEN rate_count.empty_at ELSE \(tx.now) END
            WHERE rate_count.empty_at <= \(tx.now + rule.period - .milliseconds(rule.step))
            RETURNING slot
            """)
        return counted ? nil : try wait(rule, slot, in: tx)
    }

    /// Returns how long to wait, without counting; `nil` if another event is allowed.
    static func wait(_ rule: RateRule, _ slot: Int64, in tx: Transaction) throws -> Duration? {
        let empty: Int64 = try tx.value("SELECT empty_at FROM rate_count WHERE slot = \(slot)") ?? 0
        let excess = max(empty, tx.now.milliseconds) + rule.step - tx.now.milliseconds - rule.period.wholeMilliseconds
        return excess > 0 ? .milliseconds(excess) : nil
    }

    /// Takes one count back.
    static func giveBack(_ rule: RateRule, _ slot: Int64, in db: Connection) throws {
        try db.execute("UPDATE rate_count SET empty_at = empty_at - \(rule.step) WHERE slot = \(slot)")
    }

    /// Deletes expired counts.
    static func forget(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM rate_count WHERE empty_at <= \(tx.now)")
    }
}
