import Database

extension PersonVerdict {
    typealias CarryingOut = @Sendable (PersonVerdict, Transaction) throws -> Void

    /// If somebody else did it meanwhile, the log has their line.
    func suspend(in tx: Transaction) throws {
        guard person.id != staff.account else { throw Refusal.notAllowed }
        try make(.suspend, in: tx)
    }

    func restore(in tx: Transaction) throws {
        try Decision.restore(person, reason: reason, by: staff.account, in: tx)
    }

    /// Asks a second person to agree to deleting the account.
    func askRemoval(in tx: Transaction) throws { try make(.delete, in: tx) }

    /// Keeps the account.
    func undoRemoval(in tx: Transaction) throws {
        guard let decision = try Decision.removal(of: person.id, in: tx) else { return }
        try Decision.undo(decision.id, reason: reason, by: staff.account, in: tx)
    }

    /// Deletes the account with the second person's agreement.
    func agreeToRemoval(in tx: Transaction) throws {
        try Removal.agree(to: person.id, reason: reason, by: staff.account, in: tx)
    }

    /// Makes a link for a new password, to hand over.
    func makeResetLink(_ token: Token, in tx: Transaction) throws {
        try ResetLink.insert(token, for: person.id, in: tx)
        try record(.resetLink, in: tx)
    }

    /// Logs the member out everywhere; one's own account, except in this session.
    func endSessions(in tx: Transaction) throws {
        try Session.endAll(of: person.id, but: staff.session, in: tx)
        try PendingLogIn.endAll(of: person.id, in: tx)
        try record(.endSessions, in: tx)
    }

    /// Resends the letter that confirms their address.
    func sendConfirmation(in tx: Transaction) throws {
        guard person.needsProof else { throw Refusal.notFound }
        try ConfirmLink.send(to: person.id, in: tx)
        try record(.sendConfirmation, in: tx)
    }

    private func make(_ verdict: Decision.Verdict, in tx: Transaction) throws {
        let ruling = Decision.Ruling(verdict: verdict, reason: reason)
        try Decision.make(ruling, about: .person(person.id), by: staff.account, in: tx)
    }

    private func record(_ verb: AuditEntry.Verb, in tx: Transaction) throws {
        try AuditEntry.record(verb, person.username, person.id.rawValue, reason: reason, by: staff.account, in: tx)
    }
}
