import Database
import Forms
import HTTPTypes
import HummingbirdCore
import Logging
import Passwords

extension Site {
    /// Checks a log-in. An unknown account takes as long as a wrong password and gets the same answer.
    ///
    /// The right password always works, however many attempts failed before; they only slow it down. The outcome is
    /// logged with the account's number, but nothing that was typed.
    ///
    /// - Parameter way: Where the password was entered.
    /// - Returns: The account, or nil for a wrong log-in.
    /// - Throws: `Refusal.tooMany` if the address failed too often; `Refusal.suspended`; `PasswordQueue.Full`; database
    ///   errors.
    func logIn(
        _ login: String, password: String, way: LogInWay = .page, visit: Visit
    ) async throws -> Account.Credentials? {
        // Counted before the check, because otherwise any number of simultaneous guesses would pass; a log-in that
        // wasn't a wrong guess is uncounted.
        let address = visit.address.subscriber
        if let wait = try await take(.failedLogIns, by: address, at: visit.now) {
            logOutcome(.tooMany, way, of: nil, visit)
            throw Refusal.tooMany(retryAfter: wait)
        }
        let result = await judgeLogIn(login, password, way, visit)
        if case .failure(let error) = result, error is WrongLogIn { return nil }
        try await giveBack(.failedLogIns, by: address)
        return try result.get()
    }

    /// A log-in that was a wrong guess.
    private struct WrongLogIn: Error {}

    private func judgeLogIn(
        _ login: String, _ password: String, _ way: LogInWay, _ visit: Visit
    ) async -> Result<Account.Credentials?, any Error> {
        do { return .success(try await judge(login, password, way, visit)) } catch { return .failure(error) }
    }

    /// - Throws: ``WrongLogIn``, and the errors of ``logIn(_:password:way:visit:)``.
    private func judge(
        _ login: String, _ password: String, _ way: LogInWay, _ visit: Visit
    ) async throws -> Account.Credentials? {
        let name = Account.name(typed: login)
        let account = try read { db in try Account.credentials(for: name, in: db) }
        if let account, try wait(.failuresOfAccount, by: account.id, at: visit.now) != nil {
            log.warning("many failed log-ins", metadata: ["account": "\(account.id)"])
            try await Task.sleep(for: .seconds(2))
        }
        let hash = account?.passwordHash ?? Account.nobodysHash
        let cost = cost
        // A password beyond the limit can't be right, and must not cost more than others.
        let typed = TypedPassword(String(decoding: password.utf8.prefix(1_025), as: UTF8.self))
        let (isRight, isOfOld) = try await passwords.run { typed.verify(against: hash) }
        guard isRight, let account else {
            if let account { _ = try await take(.failuresOfAccount, by: account.id, at: visit.now) }
            logOutcome(.wrong, way, of: account?.id, visit)
            throw WrongLogIn()
        }
        // Only the account's owner learns this: the password was right.
        guard !account.isSuspended else {
            logOutcome(.suspended, way, of: account.id, visit)
            throw Refusal.suspended(account.id)
        }
        logOutcome(.right, way, of: account.id, visit)
        if isOfOld || Password.needsRehash(hash, cost: cost) {
            let fresh = try await self.hash(typed.typed)
            let isSame = try await write { db in try Account.rehash(hash, as: fresh, of: account.id, in: db) }
            guard isSame else { return nil }
            var account = account
            account.passwordHash = fresh
            return account
        }
        return account
    }

    /// Whether a logged-in member knows their password, asked before an important change.
    private func isPassword(_ password: String, of member: Visitor, visit: Visit) async throws -> Bool {
        try await logIn(member.username, password: password, way: .again, visit: visit) != nil
    }

    /// The value of a form that asks for the member's password before an important change; nil if there are problems,
    /// which are added to its fields.
    func opened<F: Form>(
        _ submission: inout Submission<F>, with password: KeyPath<F, String>, by member: Visitor, _ visit: Visit
    ) async throws -> F? {
        guard let form = submission.value else { return nil }
        if try await isPassword(form[keyPath: password], of: member, visit: visit) { return form }
        submission.reject(password, "This is not your password. Try again.")
        return nil
    }

    /// Logs an attempt to log in: the account, the way, and the outcome.
    ///
    /// - Parameter problem: The reason it failed, if the visitor is told less.
    func logOutcome(
        _ outcome: LogInOutcome, _ way: LogInWay, of account: ID<Account>?, _ visit: Visit,
        because problem: String? = nil
    ) {
        var facts: Logger.Metadata = [
            "account": "\(account.map(\.description) ?? "none")", "way": "\(way.rawValue)",
            "outcome": "\(outcome.rawValue)", "request": "\(visit.id)",
        ]
        if let problem { facts["problem"] = "\(problem)" }
        log.info("log-in", metadata: facts)
    }

    /// Continues after the right password or an external log-in: starts a session, or asks for the second step if there
    /// is one.
    ///
    /// - Parameter stands: Whether the proof other than the password is still valid.
    func enter(
        _ account: Account.Credentials, visit: Visit,
        while stands: @escaping @Sendable (Transaction) throws -> Bool = { _ in true }
    ) async throws -> (cookie: String, needsCode: Bool) {
        // The password may have been changed, or the account deleted, during the comparison.
        let holds: @Sendable (Transaction) throws -> Bool = { tx in try account.isStillRight(in: tx) && stands(tx) }
        guard account.hasTwoStep else {
            return (try await startSession(of: account.id, visit: visit, while: holds), false)
        }
        let token = Token()
        try await writeQuietly(at: visit.now) { tx in
            guard try holds(tx) else { throw Refusal.signInFirst }
            try PendingLogIn.start(token, of: account.id, in: tx)
        }
        return (PendingLogIn.cookie(token, settings), true)
    }

    /// The log-in that this browser began and that waits for its second step.
    func pending(of visit: Visit) throws -> (token: Token, account: ID<Account>)? {
        guard let token = visit.cookie(PendingLogIn.cookieName).flatMap({ Token($0) }),
            let account = try read(at: visit.now, { tx in try PendingLogIn.find(token, in: tx) })
        else { return nil }
        return (token, account)
    }

    /// Whether `typed` is a current code of the authenticator app or a recovery code, not used before.
    ///
    /// - Throws: `Refusal.tooMany` after five wrong codes; `PasswordQueue.Full`; database errors.
    func isCode(_ typed: String, of account: ID<Account>, visit: Visit) async throws -> Bool {
        let now = visit.now
        let digits = typed.plainCode
        var answer = TwoStep.Answer.wrong
        var way = LogInWay.code
        if digits.utf8.count == 6, digits.isDigits {
            answer = try await writeQuietly(at: now) { tx in try TwoStep.judge(digits, of: account, in: tx) }
        } else if let code = RecoveryCode(typed: typed) {
            way = .recoveryCode
            let taken = try await writeQuietly(at: now) { tx in try TwoStep.take(code, of: account, in: tx) }
            answer = taken.answer
            if let hash = taken.hash, try await passwords.run({ Password.verify(code.text, against: hash) }),
                try await writeQuietly(at: now, { tx in try TwoStep.use(code, hash, of: account, in: tx) })
            {
                answer = .right
            }
        }
        switch answer {
        case .right: logOutcome(.right, way, of: account, visit)
        case .wrong: logOutcome(.wrong, way, of: account, visit)
        case .waits(let wait):
            logOutcome(.tooMany, way, of: account, visit)
            throw Refusal.tooMany(retryAfter: wait)
        }
        return answer == .right
    }

    /// Starts a session for `account` and returns its cookie.
    ///
    /// - Parameter holds: Whether the proof is still valid, checked in the transaction that starts the session.
    /// - Throws: `Refusal.signInFirst` if it isn't.
    func startSession(
        of account: ID<Account>, visit: Visit,
        while holds: @escaping @Sendable (Transaction) throws -> Bool = { _ in true }
    ) async throws -> String {
        let token = Token()
        let device = Session.device(userAgent: visit.request.headers[.userAgent] ?? "")
        let network = visit.address.network
        let old = visit.cookie(Session.cookieName).flatMap { Token($0) }
        try await writeQuietly(at: visit.now) { tx in
            guard try holds(tx) else { throw Refusal.signInFirst }
            try Session.start(token, for: account, after: old, device: device, network: network, in: tx)
        }
        return Session.cookie(token, settings)
    }

    /// The visitor for a session's token, if the session is still valid.
    func visitor(of tokenHash: [UInt8], at now: Instant) throws -> Visitor? {
        try visitors.visitor(tokenHash, at: now, after: database.commits) {
            try read(at: now) { tx in try Session.visitor(tokenHash, in: tx) }
        }
    }

    /// The visitor for a request's cookie; occasionally records that they were here.
    func visitor(of visit: Visit) throws -> Visitor? {
        guard let cookie = visit.cookie(Session.cookieName), let token = Token(cookie) else { return nil }
        guard let visitor = try visitor(of: token.hash, at: visit.now) else { return nil }
        if visit.now - visitor.seenAt > Session.touch {
            Task {
                do {
                    try await writeQuietly(at: visit.now) { tx in try Session.touch(visitor.session, in: tx) }
                } catch {
                    // The page doesn't need this, but a session that is never touched would end early.
                    report("the last use of a session could not be written down", error)
                }
            }
        }
        return visitor
    }
}

/// Where somebody logged in, for the log.
enum LogInWay: String, Sendable {
    case page, form, again, code, elsewhere
    case recoveryCode = "recovery-code"
}

/// The outcome, for the log.
enum LogInOutcome: String, Sendable {
    case right, wrong, suspended
    case tooMany = "too-many"
}

extension Visit {
    /// Continues a form whose session ended, sent again with a log-in: logs in, so that the form is processed.
    mutating func resumeSession() async throws {
        guard visitor == nil else { return }
        if let code = body["session_code"], let (token, account) = try site.pending(of: self) {
            asksForCode = true
            guard try await site.isCode(code, of: account, visit: self) else { return }
            try resume(
                try await site.startSession(of: account, visit: self) { tx in try PendingLogIn.use(token, in: tx) })
            cookies.append(PendingLogIn.endedCookie(site.settings))
        } else if let login = body["session_login"], let password = body["session_password"],
            let account = try await site.logIn(login, password: password, way: .form, visit: self)
        {
            let entry = try await site.enter(account, visit: self)
            asksForCode = entry.needsCode
            if entry.needsCode { cookies.append(entry.cookie) } else { try resume(entry.cookie) }
        }
    }

    /// Resumes the session of a cookie.
    private mutating func resume(_ cookie: String) throws {
        cookies.append(cookie)
        guard let token = Token(cookie.drop { $0 != "=" }.dropFirst().prefix { $0 != ";" }) else { return }
        visitor = try site.visitor(of: token.hash, at: now)
    }
}
