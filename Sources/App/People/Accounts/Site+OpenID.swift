import Database
import Fetching
import Forms
import FoundationEssentials
import OpenID
import Templating

extension Settings {
    /// The address that the issuer is told to send browsers back to.
    var wayBack: String { publicURL + Link.wayBack.string }
}

extension Site {
    /// The place elsewhere at which staff and organizations log in; nil where none is set.
    ///
    /// It may be a machine of the town's own network: the operator named it, and it is trusted to say who somebody is.
    static func issuer(_ settings: Settings) -> Issuer? {
        guard let address = settings.openIDIssuer, let client = settings.openIDClient else { return nil }
        let fetcher = Fetcher(
            reach: Issuer.isOnLoopback(address) ? .loopback : .named, patience: .seconds(10), limit: 256 << 10)
        let registration = Issuer.Registration(
            issuer: address, client: client, secret: settings.openIDSecret, redirect: settings.wayBack)
        return Issuer(registration) { question in
            do {
                return try await fetcher.ask(
                    question.address, form: question.form, authorization: question.authorization)
            } catch FetchProblem.status(400) where question.form != nil {
                // RFC 6749, section 5.2: a code that it doesn't know, or not as this log-in's.
                throw IssuerProblem.refused
            }
        }
    }

    /// What tells one log-in at the issuer from all others.
    private func secrets(of attempt: OutsideAttempt) -> Issuer.Secrets {
        func secret(_ purpose: String) -> String { key.token(from: attempt.token, as: purpose).text }
        return Issuer.Secrets(
            state: secret("elsewhere.state"), nonce: secret("elsewhere.nonce"), verifier: secret("elsewhere.verifier"))
    }

    /// Where a browser is sent to log in.
    ///
    /// - Throws: `IssuerProblem`.
    func entrance(for attempt: OutsideAttempt) async throws -> Link {
        guard let issuer else { throw Refusal.notFound }
        let address = try await issuer.entrance(for: secrets(of: attempt), at: attempt.begunAt.seconds)
        guard let link = Link(outside: address) else { throw IssuerProblem.unsuitable }
        return link
    }

    /// Whether a browser came back from the log-in that it began, and not from another one's.
    func isWayBack(_ state: String?, from attempt: OutsideAttempt) -> Bool { state == secrets(of: attempt).state }

    /// Opens the account of the person who logged in at the issuer: into a session, or to the second step where there
    /// is one.
    ///
    /// - Parameter named: The issuer that the way back names.
    /// - Throws: `OutsideLogIn.Barrier`; `IssuerProblem`; `Refusal.suspended`.
    func enter(
        with code: String, from named: String?, _ attempt: OutsideAttempt, visit: Visit
    ) async throws -> (account: Account.Credentials, cookie: String, needsCode: Bool) {
        guard let issuer else { throw Refusal.notFound }
        let now = visit.now
        let claims = try await issuer.claims(
            for: code, from: named, secrets(of: attempt), begunAt: attempt.begunAt.seconds, at: now.seconds)
        let (address, subject) = (settings.openIDIssuer ?? "", claims.subject)
        // To the letter: a wide one, which stands for a plain one where people type, is another mailbox here.
        let isPlain = claims.email?.prefix { $0 != "@" }.allSatisfy(\.isASCII) ?? false
        let email = isPlain ? claims.email.flatMap { EmailAddress(typed: $0) }?.typed.lowercased() : nil
        let id = try await write { db in
            try OutsideLogIn.enter(address, subject, email: email, at: now, in: db)
        }.get()
        guard let account = try read({ db in try Account.credentials(of: id, in: db) }) else {
            throw OutsideLogIn.Barrier.unknown
        }
        guard !account.isSuspended else {
            logOutcome(.suspended, .elsewhere, of: id, visit)
            throw Refusal.suspended(id)
        }
        let entry = try await enter(account, visit: visit) { db in
            try OutsideLogIn.holds(address, subject, for: id, in: db)
        }
        logOutcome(.right, .elsewhere, of: id, visit)
        return (account, entry.cookie, entry.needsCode)
    }

    /// Whether a log-in that came to nothing counts as a wrong password does: not while the issuer is away, nor where
    /// the account is suspended.
    func isGuess(_ failure: any Error) -> Bool {
        switch failure {
        case is OutsideLogIn.Barrier: true
        case let problem as IssuerProblem: if case .away = problem { false } else { true }
        default: false
        }
    }

    /// What a visitor reads of a log-in that came to nothing; nil of what isn't about it. The log says more.
    func note(_ failure: any Error, visit: Visit) -> Flash? {
        switch failure {
        case let barrier as OutsideLogIn.Barrier:
            logOutcome(.wrong, .elsewhere, of: nil, visit, because: "\(barrier)")
            return barrier == .family ? .outsideFamily : .outsideUnknown
        case let problem as IssuerProblem:
            logOutcome(.wrong, .elsewhere, of: nil, visit, because: "\(problem)")
            if case .away = problem { return .outsideAway }
            return .outsideWrong
        // The row was removed, or the password changed, while it was being looked at.
        case Refusal.signInFirst: return .outsideUnknown
        default: return nil
        }
    }
}
