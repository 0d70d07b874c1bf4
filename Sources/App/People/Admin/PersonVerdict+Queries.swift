import Database

extension PersonVerdict {
    typealias CarryingOut = @Sendable (PersonVerdict, Connection) throws -> Void

    /// If somebody else did it meanwhile, the log has their line.
    func suspend(in db: Connection) throws {
        guard person.id != staff.account else { throw Refusal.notAllowed }
        try make(.suspend, in: db)
    }

    func restore(in db: Connection) throws {
        try Decision.restore(person, reason: reason, by: staff.account, at: now, in: db)
    }

    /// Asks a second person to agree to deleting the account.
    func askRemoval(in db: Connection) throws { try make(.delete, in: db) }

    /// Keeps the account.
    func undoRemoval(in db: Connection) throws {
        guard let decision = try Decision.removal(of: person.id, in: db) else { return }
        try Decision.undo(decision.id, reason: reason, by: staff.account, at: now, in: db)
    }

    /// Deletes the account with the second person's agreement.
    func agreeToRemoval(in db: Connection) throws {
        try Removal.agree(to: person.id, reason: reason, by: staff.account, at: now, in: db)
    }

    /// Makes a link for a new password, to hand over.
    func makeResetLink(_ token: Token, in db: Connection) throws {
        try ResetLink.insert(token, for: person.id, at: now, in: db)
        try record(.resetLink, in: db)
    }

    /// Logs the member out everywhere; one's own account, except in this session.
    func endSessions(in db: Connection) throws {
        try Session.endAll(of: person.id, but: staff.session, in: db)
        try PendingLogIn.endAll(of: person.id, in: db)
        try record(.endSessions, in: db)
    }

    /// Resends the letter that confirms their address.
    func sendConfirmation(in db: Connection) throws {
        guard person.needsProof else { throw Refusal.notFound }
        try ConfirmLink.send(to: person.id, at: now, in: db)
        try record(.sendConfirmation, in: db)
    }

    private func make(_ verdict: Decision.Verdict, in db: Connection) throws {
        let ruling = Decision.Ruling(verdict: verdict, reason: reason)
        try Decision.make(ruling, about: .person(person.id), by: staff.account, at: now, in: db)
    }

    private func record(_ verb: AuditEntry.Verb, in db: Connection) throws {
        try AuditEntry.record(
            verb, person.username, person.id.rawValue, reason: reason, by: staff.account, at: now, in: db)
    }
}
