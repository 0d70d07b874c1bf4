import Database

// Counting by rule and key: with several nodes, limits that apply across them are counted in the database.

extension Site {
    /// Counts one event.
    ///
    /// - Parameter key: A value whose description is the same on all nodes: a number, an address.
    /// - Returns: `nil` if it is allowed, otherwise how long to wait; then nothing was counted.
    func take(_ rule: RateRule, by key: some Hashable & CustomStringConvertible, at now: Instant) async throws
        -> Duration?
    {
        guard let slot = slot(rule, key) else { return limits.take(rule, by: key, at: now) }
        return try await writeQuietly(at: now) { tx in try RateCount.take(rule, slot, in: tx) }
    }

    /// Takes one count back.
    func giveBack(_ rule: RateRule, by key: some Hashable & CustomStringConvertible) async throws {
        guard let slot = slot(rule, key) else { return limits.giveBack(rule, by: key) }
        try await writeQuietly { db in try RateCount.giveBack(rule, slot, in: db) }
    }

    /// Returns how long to wait, without counting; `nil` if another event is allowed.
    func wait(_ rule: RateRule, by key: some Hashable & CustomStringConvertible, at now: Instant) throws -> Duration? {
        guard let slot = slot(rule, key) else { return limits.wait(rule, by: key, at: now) }
        return try read(at: now) { tx in try RateCount.wait(rule, slot, in: tx) }
    }

    /// The database key of a rule and key; nil if counting in memory is enough.
    private func slot(_ rule: RateRule, _ key: some CustomStringConvertible) -> Int64? {
        guard database.isShared, settings.limitsRates else { return nil }
        return self.key.number(for: "\(rule.name) \(key.description)")
    }
}
