import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/login`, `/logout`, `/me/sessions`: logging in and out, and one's own devices.
struct SessionController {
    let site: Site

    func new(_ context: PublicContext) throws -> Response {
        guard context.visit.visitor == nil else { return context.redirect(to: context.next ?? Link.start) }
        return context.page(Templates.people.accounts.login(form: Submission(), next: context.nextText))
    }

    func create(_ context: PublicContext) async throws -> Response {
        var submission = context.submission(LogInForm.self)
        guard let form = submission.value else {
            return context.again(Templates.people.accounts.login(form: submission, next: context.nextText))
        }
        guard let account = try await site.logIn(form.login, password: form.password, visit: context.visit) else {
            submission.reject("The e-mail address or user name and the password don't belong together. Try again.")
            return context.again(Templates.people.accounts.login(form: submission, next: context.nextText))
        }
        let entry = try await site.enter(account, visit: context.visit)
        let onward = entry.needsCode ? context.onward(Link.logInCode) : context.start(for: account)
        var response = context.redirect(to: onward)
        response.headers.append(entry.cookie)
        return response
    }

    func delete(_ context: PublicContext) async throws -> Response {
        if let visitor = context.visit.visitor {
            try await site.write { db in try Session.end(visitor.session, of: visitor.account, in: db) }
        }
        var response = context.redirect(to: .start, flash: .signedOut)
        response.headers.append(Session.endedCookie(site.settings))
        response.headers.forgetSite()
        return response
    }

    func index(_ context: MemberContext) throws -> Response {
        let devices = try devices(context)
        guard let which = context.query["end"] else {
            return context.page(Templates.people.accounts.sessions(devices: devices))
        }
        return context.page(try ending(which, devices, Submission()))
    }

    /// Ends one session, or all others, for a member who knows the password.
    func end(_ context: MemberContext) async throws -> Response {
        let member = context.member
        let which = context.body["session"] ?? ""
        var submission = context.submission(AgainForm.self)
        let devices = try devices(context)
        _ = try device(which, devices)
        guard try await site.opened(&submission, with: \.current, by: member, context.visit) != nil else {
            return context.again(try ending(which, devices, submission))
        }
        try await site.writeQuietly { db in
            if let id = ID<Session>(which) {
                try Session.end(id, of: member.account, in: db)
            } else {
                try Session.endAll(of: member.account, but: member.session, in: db)
            }
        }
        return context.redirect(
            to: .sessions, flash: which == "all" ? .sessionsEnded : .sessionEnded)
    }

    private func devices(_ context: MemberContext) throws -> [DeviceRow] {
        let sessions = try site.read { db in try Session.all(of: context.member.account, in: db) }
        return sessions.map { DeviceRow($0, in: context.zone, current: context.member.session) }
    }

    /// The page that asks for the password.
    ///
    /// - Parameter which: `all`, or the number of another session.
    private func ending(_ which: String, _ devices: [DeviceRow], _ form: Submission<AgainForm>) throws -> View<Frame> {
        Templates.people.accounts.endSession(form: form, which: which, device: try device(which, devices))
    }

    /// The device to log out; nil for all others.
    private func device(_ which: String, _ devices: [DeviceRow]) throws(Refusal) -> DeviceRow? {
        let device = devices.first { $0.id.description == which && !$0.isCurrent }
        guard which == "all" || device != nil else { throw .notFound }
        return device
    }
}

/// An entry in the list of one's own devices.
struct DeviceRow {
    let id: ID<Session>
    let name: Words
    let since: Words
    let seen: Words
    /// Empty if unknown.
    let network: String
    let isCurrent: Bool

    init(_ session: Session, in zone: Zone, current: ID<Session>) {
        id = session.id
        name = session.deviceName
        since = zone.words(session.createdAt, \.shortName)
        seen = zone.words(session.seenAt, \.shortName)
        network = session.network
        isCurrent = session.id == current
    }
}

/// `/welcome` and `/hat`: choosing one's hat.
struct HatController {
    let site: Site

    func new(_ context: MemberContext) throws -> Response {
        // A link from the landing page already contains the answer.
        if let next = context.next, next.path == Link.welcome.string { return context.redirect(to: next) }
        return context.page(
            Templates.people.accounts.welcome(next: context.nextText, chosen: choice(context), problem: false))
    }

    /// The initial selection: from the address, from the page they come from, or from their profiles.
    private func choice(_ context: MemberContext) -> String {
        if let asked = context.query["hat"], asked == Hat.neighbor || Hat(rawValue: asked) != nil { return asked }
        let forProviders: [Link] = [.newEvent, .ownEvents, .newOpportunity, .ownOpportunities, .providerProfile]
        if let next = context.next, forProviders.contains(where: { $0.string == next.path }) {
            return Hat.provider.rawValue
        }
        // Only parents register for events. Nobody is taken for one otherwise.
        let isForParents = context.next?.path.hasPrefix("\(Link.events.string)/") ?? false
        return (context.member.hat ?? (isForParents ? .parent : nil))?.rawValue ?? ""
    }

    /// Both pages: puts the hat on, and continues to its form if there is no profile yet.
    func create(_ context: MemberContext) async throws -> Response {
        let (member, typed) = (context.member, context.body["hat"] ?? "")
        if typed == Hat.neighbor {
            try await site.write { db in try Session.wearNone(in: member.session, of: member.account, in: db) }
            return context.redirect(to: context.next ?? Link.start)
        }
        guard let hat = Hat(rawValue: typed) else {
            return context.again(
                Templates.people.accounts.welcome(next: context.nextText, chosen: "", problem: true))
        }
        guard context.member.has(hat) else {
            let isSwitch = context.visit.path == Link.hat.string
            return context.redirect(
                to: context.onward(hat.form).with("back", isSwitch ? context.visit.back?.string : nil))
        }
        try await site.write { db in try Session.wear(hat, in: member.session, of: member.account, in: db) }
        return context.redirect(to: context.next ?? Link.start)
    }
}

/// `/reset/{token}` and `/me/password`: setting a new password.
struct PasswordController {
    let site: Site

    func reset(_ context: PublicContext) throws -> Response {
        _ = try link(context)
        return context.page(Templates.people.accounts.reset(form: Submission())).withoutReferrer
    }

    func create(_ context: PublicContext) async throws -> Response {
        let (token, account) = try link(context)
        var submission = context.submission(ResetForm.self)
        submission.form.check(
            &submission, of: try person(account), guessed: try site.guessedFirst(by: account))
        guard let form = submission.value else {
            return context.again(Templates.people.accounts.reset(form: submission)).withoutReferrer
        }
        let hash = try await site.hash(form.password)
        let today = context.today
        try await site.write(at: context.now) { tx in
            guard let link = try ResetLink.find(token, in: tx) else { throw Refusal.notFound }
            try ResetLink.use(link.opened(), on: today, in: tx)
            try Account.setPassword(hash, of: account, in: tx)
            // A guesser doesn't know the new password. Changing a password doesn't do this, because it takes the old
            // one, which may be a guess.
            try TwoStep.forgive(account, in: tx)
            try Session.endAll(of: account, in: tx)
            try Letter.write(.newPassword, to: account, token: nil, in: tx)
        }
        return context.redirect(to: .logIn, flash: .passwordChanged)
    }

    func edit(_ context: MemberContext) -> Response {
        context.page(Templates.people.accounts.password(form: Submission()))
    }

    func update(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(PasswordForm.self)
        let own = context.member.account
        submission.form.check(&submission, of: try person(own), guessed: try site.guessedFirst(by: own))
        let member = context.member
        guard let form = try await site.opened(&submission, with: \.current, by: member, context.visit) else {
            return context.again(Templates.people.accounts.password(form: submission))
        }
        let hash = try await site.hash(form.password)
        let now = context.now
        let token = Token()
        // Nobody is flooded through an account that was created with their address.
        let isTold = try await site.take(.letters, by: member.account, at: now) == nil
        try await site.write(at: now) { tx in
            try Account.setPassword(hash, of: member.account, in: tx)
            try Session.endAll(of: member.account, but: member.session, in: tx)
            try Session.renew(member.session, token, in: tx)
            if isTold { try Letter.write(.newPassword, to: member.account, token: nil, in: tx) }
        }
        var response = context.redirect(to: .settings, flash: .passwordChanged)
        response.headers.append(Session.cookie(token, site.settings))
        return response
    }

    private func person(_ id: ID<Account>) throws -> Account {
        guard let account = try site.read({ db in try Account.find(id, in: db) }) else { throw Refusal.notFound }
        return account
    }

    private func link(_ context: PublicContext) throws -> (Token, ID<Account>) {
        guard let token = Token(try context.word("token")),
            let link = try site.read(at: context.now, { tx in try ResetLink.find(token, in: tx) })
        else { throw Refusal.notFound }
        return (token, try link.opened().account)
    }
}
