import Database
import Forms
import Templating

extension Context {
    /// Carries out a staff decision in one transaction, unless another staff member decided differently about the same
    /// thing after the form's page was drawn. A form that doesn't say when it was drawn can't be compared.
    ///
    /// - Parameters:
    ///   - link: The page that shows the current state.
    ///   - same: Whether a decision is the same: if the last one was, nothing is left to do.
    /// - Throws: `AuditEntry.Overtaken`, and the errors of `decision`.
    func decide<T: Sendable>(
        about topics: [AuditEntry.Topic], at link: Link, unless same: AuditEntry.Step? = nil,
        _ decision: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        let (log, staff) = (visit.staffLogSent, visit.visitor?.account)
        return try await site.write(at: now) { tx in
            if let log, let staff, try AuditEntry.isOvertaken(since: log, besides: staff, in: tx) {
                let acts = try AuditEntry.all(since: log, about: topics, besides: staff, in: tx)
                guard acts.first.map({ same?.isMade(by: $0) == true }) ?? true else {
                    throw AuditEntry.Overtaken(acts: acts, link: link)
                }
            }
            return try decision(tx)
        }
    }
}

extension StaffContext {
    /// Hides something that somebody wrote.
    ///
    /// - Parameter link: The page that shows the current state.
    /// - Throws: `AuditEntry.Overtaken`.
    func hide(_ subject: Subject, because reason: String, at link: Link) async throws {
        let staff = member.account
        let same = AuditEntry.Step(verb: .doing(.hide, to: subject.kind))
        try await decide(about: [.subject(subject)], at: link, unless: same) { tx in
            let ruling = Decision.Ruling(verdict: .hide, reason: reason)
            try Decision.make(ruling, about: subject, by: staff, in: tx)
        }
    }

    /// Shows it again.
    ///
    /// - Parameter link: The page that shows the current state.
    /// - Throws: `AuditEntry.Overtaken`.
    func show(_ subject: Subject, because reason: String, at link: Link) async throws {
        let staff = member.account
        let same = AuditEntry.Step(verb: .undoing(.hide, to: subject.kind))
        try await decide(about: [.subject(subject)], at: link, unless: same) { tx in
            try Decision.show(subject, reason: reason, by: staff, in: tx)
        }
    }
}
