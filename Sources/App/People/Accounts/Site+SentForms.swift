import Database

extension Site {
    /// Carries out a form under a rate limit. The same form sent again doesn't count twice and isn't delayed, so
    /// pressing a button twice is the same as pressing it once.
    ///
    /// - Parameter body: Stores the form, and returns whether any of it is new.
    /// - Throws: `Refusal.tooMany` if it must wait; `SentForm.HasOtherWords`, also if the form's result was removed
    ///   since; the errors of `body`.
    func carryOut<T: Sendable>(
        _ sent: SentForm, counting rule: RateRule?, by account: ID<Account>, at now: Instant,
        _ body: @escaping @Sendable (Transaction) throws -> (result: T, isNew: Bool)
    ) async throws -> T {
        try await carryOut(sent, counting: rule, by: account, at: now) { tx, _ in try body(tx) }
    }

    /// For operations that can't tell on their own whether the form was sent before.
    func carryOut<T: Sendable>(
        _ sent: SentForm, counting rule: RateRule?, by account: ID<Account>, at now: Instant,
        _ body: @escaping @Sendable (Transaction, _ isFirst: Bool) throws -> (result: T, isNew: Bool)
    ) async throws -> T {
        try await write(
            counting: rule, by: account, at: now, isAgain: await wasSent(sent.once, at: sent.path, by: account)
        ) { tx in
            let isFirst = try sent.remember(by: account, in: tx)
            let done = try body(tx, isFirst)
            // Otherwise somebody could remove and send again without being counted.
            if !isFirst, done.isNew { throw SentForm.HasOtherWords(words: SentForm.isGone) }
            return done
        }
    }

    /// Whether a form with that `once` was carried out there before. It waits for a running operation, so that the
    /// second of two simultaneous presses finds the first.
    func wasSent(_ once: String, at path: String, by account: ID<Account>) async throws -> Bool {
        try await database.write(quiet: true) { db in
            try SentForm.isRemembered(once, at: path, by: account, in: db)
        }
    }

    /// Writes under a rate limit, unless there is nothing new. Refused attempts count, too, because otherwise forbidden
    /// things could be tried without limit; errors that are ``CountsNothing`` don't.
    ///
    /// - Parameters:
    ///   - rule: Nil for no limit.
    ///   - isQuiet: Whether no other visitor's page shows it, so that cached pages stay valid.
    ///   - isAgain: Whether it may be a repetition, which isn't refused before that is known.
    ///   - body: Writes, and returns whether anything is new.
    /// - Throws: `Refusal.tooMany` if it must wait; the errors of `body`.
    func write<T: Sendable>(
        counting rule: RateRule?, by account: ID<Account>, at now: Instant, isQuiet: Bool = false,
        isAgain: @autoclosure () async throws -> Bool = false,
        _ body: @escaping @Sendable (Transaction) throws -> (result: T, isNew: Bool)
    ) async throws -> T {
        guard let rule else { return try await database.write(quiet: isQuiet) { db in try body(db.at(now)) }.result }
        let wait = try await take(rule, by: account, at: now)
        if let wait, try await !isAgain() { throw Refusal.tooMany(retryAfter: wait) }
        do {
            let (result, isNew) = try await database.write(quiet: isQuiet) { db in
                let done = try body(db.at(now))
                if done.isNew, let wait { throw Refusal.tooMany(retryAfter: wait) }
                return done
            }
            if wait == nil, !isNew { try await giveBack(rule, by: account) }
            return result
        } catch let error as any CountsNothing {
            if wait == nil { try await giveBack(rule, by: account) }
            throw error
        }
    }
}
