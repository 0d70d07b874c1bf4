import Database
import Fetching
import Forms
import FoundationEssentials
import OpenID
import Templating

extension Settings {
    /// The address to which the issuer redirects browsers.
    var wayBack: String { publicURL + Link.wayBack.string }
}

extension Site {
    /// The external issuer at which staff and organizations log in; nil if none is set up.
    ///
    /// It may be on the town's own network: the operator chose it, and it is trusted to identify people.
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
            } catch FetchProblem.refused(let said) {
                throw IssuerProblem(refusal: said)
            }
        }
    }

    /// The secrets of a log-in attempt.
    private func secrets(of attempt: OutsideAttempt) -> Issuer.Secrets {
        func secret(_ purpose: String) -> String { key.token(from: attempt.token, as: purpose).text }
        return Issuer.Secrets(
            state: secret("elsewhere.state"), nonce: secret("elsewhere.nonce"), verifier: secret("elsewhere.verifier"))
    }

    /// Where to send a browser to log in.
    ///
    /// - Throws: `IssuerProblem`.
    func entrance(for attempt: OutsideAttempt) async throws -> Link {
        guard let issuer else { throw Refusal.notFound }
        let address = try await issuer.entrance(for: secrets(of: attempt), at: attempt.begunAt.seconds)
        guard let link = Link(outside: address) else { throw IssuerProblem.unsuitable }
        return link
    }

    /// Whether the response belongs to this browser's log-in attempt.
    func isWayBack(_ state: String?, from attempt: OutsideAttempt) -> Bool { state == secrets(of: attempt).state }

    /// Opens the account of the person who logged in at the issuer: starts a session, or asks for the second step if
    /// there is one.
    ///
    /// - Parameter named: The issuer that the response names.
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
        let id = try await write(at: now) { tx in
            try OutsideLogIn.enter(address, subject, email: email, in: tx)
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

    /// Whether a failed log-in counts like a wrong password: not if the issuer is away or doesn't know the site, nor if
    /// the account is suspended.
    func isGuess(_ failure: any Error) -> Bool {
        switch failure {
        case is OutsideLogIn.Barrier: true
        case let problem as IssuerProblem: if case .away = problem { false } else { true }
        default: false
        }
    }

    /// The message for a failed log-in; nil for an unrelated error. The log has the details.
    func note(_ failure: any Error, visit: Visit) -> Flash? {
        switch failure {
        case let barrier as OutsideLogIn.Barrier:
            logOutcome(.wrong, .elsewhere, of: nil, visit, because: "\(barrier)")
            return barrier == .family ? .outsideFamily : .outsideUnknown
        case let problem as IssuerProblem:
            logOutcome(.wrong, .elsewhere, of: nil, visit, because: "\(problem)")
            if case .away = problem { return .outsideAway }
            return .outsideWrong
        // The entry was removed, or the password changed, in the meantime.
        case Refusal.signInFirst: return .outsideUnknown
        default: return nil
        }
    }
}
