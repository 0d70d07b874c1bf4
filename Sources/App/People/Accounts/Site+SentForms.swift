import Database

extension Site {
    /// Carries out a form that counts by a rule. The same form sent again is no more of it, so that pressing twice is
    /// pressing once: what it stored before counts for nothing, and it isn't kept waiting. Nor does anything count that
    /// is refused.
    ///
    /// - Parameter body: Writes what the form says, and tells whether any of it is new.
    /// - Throws: `Refusal.tooMany` where it has to wait; `SentForm.HasOtherWords`; what `body` throws.
    func carryOut<T: Sendable>(
        _ sent: SentForm, counting rule: RateRule?, by account: ID<Account>, at now: Instant,
        _ body: @escaping @Sendable (Connection) throws -> (result: T, isNew: Bool)
    ) async throws -> T {
        try await write(
            counting: rule, by: account, at: now, isAgain: wasSent(sent.once, at: sent.path, by: account)
        ) { db in
            try sent.remember(by: account, at: now, in: db)
            return try body(db)
        }
    }

    /// Whether a form of that `once` was carried out there before.
    func wasSent(_ once: String, at path: String, by account: ID<Account>) throws -> Bool {
        try read { db in try SentForm.isRemembered(once, at: path, by: account, in: db) }
    }

    /// Writes what counts by a rule, unless it is refused, or nothing new.
    ///
    /// - Parameters:
    ///   - rule: Nil where it doesn't count.
    ///   - isAgain: Whether it may be there already: it isn't refused before that is known.
    ///   - body: Writes it, and tells whether any of it is new.
    /// - Throws: `Refusal.tooMany` where it has to wait; what `body` throws.
    func write<T: Sendable>(
        counting rule: RateRule?, by account: ID<Account>, at now: Instant,
        isAgain: @autoclosure () throws -> Bool = false,
        _ body: @escaping @Sendable (Connection) throws -> (result: T, isNew: Bool)
    ) async throws -> T {
        guard let rule else { return try await write(body).result }
        let wait = limits.take(rule, by: account, at: now)
        if let wait, try !isAgain() { throw Refusal.tooMany(retryAfter: wait) }
        var counts = false
        defer { if wait == nil, !counts { limits.giveBack(rule, by: account) } }
        let (result, isNew) = try await write { db in
            let done = try body(db)
            // What it stored before is gone meanwhile.
            if done.isNew, let wait { throw Refusal.tooMany(retryAfter: wait) }
            return done
        }
        counts = isNew
        return result
    }
}
