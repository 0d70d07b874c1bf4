import Database

// Counting by rule and key: what must hold over all nodes is in the database where there are several.

extension Site {
    /// Counts one event.
    ///
    /// - Parameter key: What says the same for the same everywhere: a number, an address.
    /// - Returns: `nil` if it may happen, else how long to wait; then nothing was counted.
    func take(_ rule: RateRule, by key: some Hashable & CustomStringConvertible, at now: Instant) async throws
        -> Duration?
    {
        guard let slot = slot(rule, key) else { return limits.take(rule, by: key, at: now) }
        return try await writeQuietly { db in try RateCount.take(rule, slot, at: now, in: db) }
    }

    /// Takes one count back.
    func giveBack(_ rule: RateRule, by key: some Hashable & CustomStringConvertible) async throws {
        guard let slot = slot(rule, key) else { return limits.giveBack(rule, by: key) }
        try await writeQuietly { db in try RateCount.giveBack(rule, slot, in: db) }
    }

    /// Tells whether one more would be refused, and counts nothing.
    func wait(_ rule: RateRule, by key: some Hashable & CustomStringConvertible, at now: Instant) throws -> Duration? {
        guard let slot = slot(rule, key) else { return limits.wait(rule, by: key, at: now) }
        return try read { db in try RateCount.wait(rule, slot, at: now, in: db) }
    }

    /// What stands for rule and key in the database; nil where counting in memory will do.
    private func slot(_ rule: RateRule, _ key: some CustomStringConvertible) -> Int64? {
        guard database.isShared, settings.limitsRates else { return nil }
        return self.key.number(for: "\(rule.name) \(key.description)")
    }
}
