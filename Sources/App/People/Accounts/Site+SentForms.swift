import Database

extension Site {
    /// Carries out a form that counts by a rule. The same form sent again is no more of it, so that pressing twice is
    /// pressing once: what it stored before counts for nothing, and it isn't kept waiting.
    ///
    /// - Parameter body: Writes what the form says, and tells whether any of it is new.
    /// - Throws: `Refusal.tooMany` where it has to wait; `SentForm.HasOtherWords`, also where what the form stored was
    ///   removed since; what `body` throws.
    func carryOut<T: Sendable>(
        _ sent: SentForm, counting rule: RateRule?, by account: ID<Account>, at now: Instant,
        _ body: @escaping @Sendable (Connection) throws -> (result: T, isNew: Bool)
    ) async throws -> T {
        try await carryOut(sent, counting: rule, by: account, at: now) { db, _ in try body(db) }
    }

    /// The same, of what can't tell by itself whether its form was sent before.
    func carryOut<T: Sendable>(
        _ sent: SentForm, counting rule: RateRule?, by account: ID<Account>, at now: Instant,
        _ body: @escaping @Sendable (Connection, _ isFirst: Bool) throws -> (result: T, isNew: Bool)
    ) async throws -> T {
        try await write(
            counting: rule, by: account, at: now, isAgain: await wasSent(sent.once, at: sent.path, by: account)
        ) { db in
            let isFirst = try sent.remember(by: account, at: now, in: db)
            let done = try body(db, isFirst)
            // Otherwise who removes and sends again is counted once only.
            if !isFirst, done.isNew { throw SentForm.HasOtherWords(words: SentForm.isGone) }
            return done
        }
    }

    /// Whether a form of that `once` was carried out there before. It waits for what is being carried out: of two
    /// presses at the same moment the second one finds the first.
    func wasSent(_ once: String, at path: String, by account: ID<Account>) async throws -> Bool {
        try await database.write(quiet: true) { db in
            try SentForm.isRemembered(once, at: path, by: account, in: db)
        }
    }

    /// Writes what counts by a rule, unless it is nothing new. What is refused counts as well, or one could try without
    /// end what one may not; but for errors that are ``CountsNothing``.
    ///
    /// - Parameters:
    ///   - rule: Nil where it doesn't count.
    ///   - isQuiet: Whether no page of others shows it: those that are kept stay.
    ///   - isAgain: Whether it may be there already: it isn't refused before that is known.
    ///   - body: Writes it, and tells whether any of it is new.
    /// - Throws: `Refusal.tooMany` where it has to wait; what `body` throws.
    func write<T: Sendable>(
        counting rule: RateRule?, by account: ID<Account>, at now: Instant, isQuiet: Bool = false,
        isAgain: @autoclosure () async throws -> Bool = false,
        _ body: @escaping @Sendable (Connection) throws -> (result: T, isNew: Bool)
    ) async throws -> T {
        guard let rule else { return try await database.write(quiet: isQuiet, body).result }
        let wait = try await take(rule, by: account, at: now)
        if let wait, try await !isAgain() { throw Refusal.tooMany(retryAfter: wait) }
        do {
            let (result, isNew) = try await database.write(quiet: isQuiet) { db in
                let done = try body(db)
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
