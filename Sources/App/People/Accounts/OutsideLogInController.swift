import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/login/elsewhere`, `/admin/log-ins`: logging in with an external account, and who may.
struct OutsideLogInController {
    let site: Site

    // MARK: Logging in

    /// Redirects a browser to the issuer, with a cookie that identifies its return.
    func begin(_ context: PublicContext) async throws -> Response {
        guard site.issuer != nil else { throw Refusal.notFound }
        guard context.visit.visitor == nil else { return context.redirect(to: context.next ?? Link.start) }
        let address = context.visit.address.subscriber
        if let wait = try await site.take(.logInsElsewhere, by: address, at: context.now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        let next = context.next?.string ?? ""
        let attempt = OutsideAttempt(
            token: Token(), begunAt: context.now,
            next: next.utf8.count <= OutsideAttempt.longestNext ? next : "")
        do {
            var response = context.redirect(to: try await site.entrance(for: attempt))
            response.headers.append(attempt.cookie(site.key, site.settings))
            return response
        } catch {
            guard let flash = site.note(error, visit: context.visit) else { throw error }
            return back(flash, to: attempt.next, context)
        }
    }

    /// Handles the return: logs in, or shows the reason on the log-in page. The cookie is deleted either way.
    func finish(_ context: PublicContext) async throws -> Response {
        guard site.issuer != nil else { throw Refusal.notFound }
        var response = try await answer(context)
        response.headers.append(OutsideAttempt.endedCookie(site.settings))
        return response
    }

    private func answer(_ context: PublicContext) async throws -> Response {
        let (visit, now) = (context.visit, context.now)
        let cookie = visit.cookie(OutsideAttempt.cookieName)
        guard let attempt = OutsideAttempt(cookie: cookie, site.key, at: now) else {
            return back(.outsideLost, to: "", context)
        }
        // A no opens nothing, whosever it is, and some issuers say it without the state.
        guard context.query["error"] == nil else { return back(.outsideStopped, to: attempt.next, context) }
        guard site.isWayBack(context.query["state"], from: attempt),
            // It is good once: a browser that opens the same address again begins anew.
            try await site.take(.waysBack, by: attempt.token.text, at: now) == nil
        else { return back(.outsideLost, to: "", context) }
        guard let code = context.query["code"]?.nonEmpty, code.utf8.count <= 4_000 else {
            return back(.outsideStopped, to: attempt.next, context)
        }
        // Counted like password attempts: before the check, and uncounted if it wasn't a guess.
        let address = visit.address.subscriber
        if let wait = try await site.take(.failedLogIns, by: address, at: now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        do {
            let entry = try await site.enter(with: code, from: context.query["iss"], attempt, visit: visit)
            try await site.giveBack(.failedLogIns, by: address)
            let next = Link(onSite: attempt.next)
            let onward = entry.needsCode ? Link.logInCode.with("next", next?.string) : start(entry.account, next)
            var response = context.redirect(to: onward)
            response.headers.append(entry.cookie)
            return response
        } catch {
            if !site.isGuess(error) { try await site.giveBack(.failedLogIns, by: address) }
            guard let flash = site.note(error, visit: visit) else { throw error }
            return back(flash, to: attempt.next, context)
        }
    }

    private func start(_ account: Account.Credentials, _ next: Link?) -> Link {
        switch account.lastHat {
        case .some: next ?? Link.start
        case nil where account.isStaff: next ?? Link.admin
        case nil: Link.welcome.with("next", next?.string)
        }
    }

    private func back(_ flash: Flash, to next: String, _ context: PublicContext) -> Response {
        context.redirect(to: Link.logIn.with("next", Link(onSite: next)?.string), flash: flash)
    }

    // MARK: The list of entries

    func index(_ context: AdminContext) throws -> Response { context.page(try page(Submission(), context)) }

    /// Adds an entry.
    func allow(_ context: AdminContext) async throws -> Response {
        // On a page from before: there is no form without an issuer.
        guard site.issuer != nil else { throw Refusal.overtaken(.outsideLogIns) }
        var submission = context.submission(OutsideLogInForm.self)
        let admin = context.member
        guard let form = try await site.opened(&submission, with: \.password, by: admin, context.visit) else {
            return context.again(try page(submission, context))
        }
        let email = form.email.lowercased()
        let known = try site.read { db in try Account.credentials(for: email, in: db) }
        do {
            try await context.decide(
                about: known.map { [.subject(.person($0.id))] } ?? [], at: .outsideLogIns
            ) { tx in try OutsideLogIn.allow(email, as: form.role, reason: form.reason, by: admin, in: tx) }
        } catch let problem as OutsideLogIn.Unsuitable {
            submission.reject(problem == .ownRole ? \.role : \.email, problem.words)
            return context.again(try page(submission, context))
        }
        return context.redirect(to: .outsideLogIns, flash: .outsideAllowed)
    }

    /// Shows what removing an entry changes.
    func ask(_ context: AdminContext) throws -> Response {
        context.page(Templates.people.admin.logInEnd(item: try item(context), form: Submission()))
    }

    func end(_ context: AdminContext) async throws -> Response {
        let item = try item(context)
        var submission = context.submission(OutsideEndForm.self)
        let admin = context.member
        guard let form = try await site.opened(&submission, with: \.password, by: admin, context.visit) else {
            return context.again(Templates.people.admin.logInEnd(item: item, form: submission))
        }
        try await context.decide(
            about: [.subject(.person(item.account))], at: .outsideLogIns, unless: .init(verb: .endOutside)
        ) { tx in try OutsideLogIn.end(item.account, reason: form.reason, by: admin, in: tx) }
        return context.redirect(to: .outsideLogIns, flash: .outsideEnded)
    }

    private func item(_ context: AdminContext) throws -> OutsideLogIn {
        let id: ID<Account> = try context.id()
        guard let item = try site.read({ db in try OutsideLogIn.find(id, in: db) }) else { throw Refusal.notFound }
        return item
    }

    private func page(_ form: Submission<OutsideLogInForm>, _ context: AdminContext) throws -> View<Frame> {
        let zone = site.settings.zone
        let found = try site.read { db in try OutsideLogIn.all(after: context.after(), in: db) }
        let rows = found.items.map { item in
            OutsideLogInsPage.Row(
                item: item, since: zone.words(item.at, \.shortName),
                first: item.firstAt.map { zone.words($0, \.shortName) })
        }
        return Templates.people.admin.logIns(
            page: OutsideLogInsPage(rows: rows, more: found.more(at: Link.outsideLogIns)), form: form)
    }
}
