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
