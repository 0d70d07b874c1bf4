import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/signup`: creating an account.
struct AccountController {
    let site: Site

    func new(_ context: PublicContext) async throws -> Response {
        guard context.visit.visitor == nil else { return context.redirect(to: context.next ?? Link.start) }
        let page = try await page(invitation: nil, drawn: nil, context)
        guard page.joining.admits(invited: false) else {
            return context.page(Templates.people.joining.shut(joining: page.joining, next: page.next))
        }
        return context.page(Templates.people.accounts.signUp(form: Submission(), page: page))
    }

    /// `GET /invitations/{token}`: the form for an invited person.
    func invited(_ context: PublicContext) async throws -> Response {
        guard let token = Token(try context.word("token")) else { throw Refusal.notFound }
        let page = try await page(invitation: token, drawn: nil, context)
        guard context.visit.visitor == nil, page.joining.admits(invited: true) else {
            return context.page(Templates.people.joining.shut(joining: page.joining, next: page.next)).withoutReferrer
        }
        return context.page(Templates.people.accounts.signUp(form: Submission(), page: page)).withoutReferrer
    }

    func create(_ context: PublicContext) async throws -> Response {
        let token = context.body["invitation"].flatMap { Token($0) }
        let seal = try await seal()
        let time = try seal.flatMap { SignUpTime(context.body[SignUpTime.field], $0) }.flatMap { time in
            try site.wait(.formsOfSignUp, by: time.form, at: context.now) == nil ? time : nil
        }
        let page = try await page(invitation: token, drawn: time, context)
        guard page.joining.admits(invited: page.invitation != nil) else {
            return context.again(Templates.people.joining.shut(joining: page.joining, next: page.next))
        }
        var submission = context.submission(SignUpForm.self)
        submission.form.check(&submission, guessed: try site.guessedFirst(), pages: site.town.pages)
        let trap = context.body[SignUpTime.trap] ?? ""
        if submission.problems.isEmpty, site.hasBrakes,
            let problem = SignUpTime.problem(time, trap: trap, at: context.now)
        {
            submission.reject(problem)
        }
        guard let form = submission.value else {
            return context.again(Templates.people.accounts.signUp(form: submission, page: page)).withoutReferrer
        }
        if let wait = try await site.take(.signUps, by: context.visit.address.subscriber, at: context.now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        // If the same form is sent several times at once, only one succeeds.
        if let time, let wait = try await site.take(.formsOfSignUp, by: time.form, at: context.now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        do {
            let arrival = try await site.createAccount(
                form, invitation: token, reading: context.visit.ownLanguage, at: context.now)
            // A visitor who came to do a kind act continues there; the other questions can wait.
            var response =
                arrival.hasTakenChallenge
                ? context.redirect(to: .start.fragment("kindness"), flash: .challengeTaken)
                : context.redirect(to: context.onward(Link.welcome), flash: .welcome)
            response.headers.append(try await site.startSession(of: arrival.account, visit: context.visit))
            return response
        } catch let taken as Account.Taken {
            if let time { try await site.giveBack(.formsOfSignUp, by: time.form) }
            try site.reject(&submission, taken, at: context.now)
            return context.again(Templates.people.accounts.signUp(form: submission, page: page)).withoutReferrer
        }
    }

    /// The seal for the form's time; nil if rate limits are off.
    private func seal() async throws -> Seal? {
        guard site.hasBrakes else { return nil }
        if let seal = try site.read({ db in try Seal(in: db) }) { return seal }
        return try await site.writeQuietly { db in try Seal.make(in: db) }
    }

    /// - Parameter time: When the form was first drawn; a new time replaces it if it is too old.
    /// - Throws: `LinkEnd` or `Refusal.notFound` for an invalid invitation.
    private func page(
        invitation token: Token?, drawn time: SignUpTime?, _ context: PublicContext
    ) async throws -> SignUpPage {
        var page = SignUpPage(joining: site.town.joining, next: context.nextText)
        let now = context.now
        if let token {
            guard let found = try site.read(at: now, { tx in try Invitation.find(token, in: tx) }) else {
                throw Refusal.notFound
            }
            let opened = try found.opened()
            page.isInvitedByStaff = opened.isByStaff
            page.invitation = (token.text, opened.isBySite ? nil : Words(verbatim: opened.name))
        }
        let kept = time.flatMap { now - $0.drawnAt <= SignUpTime.most ? $0 : nil } ?? SignUpTime(now)
        page.drawn = try await seal().map { kept.text($0) } ?? ""
        return page
    }
}

extension Site {
    /// Turns the database's refusal of a duplicate account into problems of the fields.
    func reject(
        _ submission: inout Submission<SignUpForm>, _ taken: Account.Taken, at now: Instant
    ) throws {
        switch taken {
        case .email:
            submission.reject(
                \.email, "There is an account with this e-mail address already. Log in, or give another one.")
        case .username:
            let username = submission.form.username.lowercased()
            if let free = try read(at: now, { tx in try Account.freeName(like: username, in: tx) }) {
                submission.reject(\.username, "This user name is taken, and “\(free, as: "name")” is free.")
            } else {
                submission.reject(\.username, "This user name is taken. Choose another one.")
            }
        case .domain: submission.reject(\.email, MailDomain.refused)
        }
    }
}

extension Site {
    /// Creates an account and writes the letter that confirms its address, and ends the link that was used in the same
    /// transaction; with `setup`, the first admin's link. A visitor with a friend's link that asks for a kind act
    /// accepts it.
    ///
    /// - Parameters:
    ///   - given: The password's hash, if already computed.
    ///   - language: The visitor's language, if it isn't the site's.
    /// - Throws: `Account.Taken`; `LinkEnd` if the link was used meanwhile; `Refusal.notAllowed` if signing up requires
    ///   one.
    func createAccount(
        _ form: SignUpForm, hash given: String? = nil, role: Role = .member, setup: Token? = nil,
        invitation: Token? = nil, reading language: String? = nil, at now: Instant
    ) async throws -> (account: ID<Account>, hasTakenChallenge: Bool) {
        let hash = if let given { given } else { try await hash(form.password) }
        let isKind = opening.has(.kindness)
        return try await write(at: now) { tx in
            let joining = try Town(in: tx).joining
            let opened = try invitation.map { token in
                guard let link = try Invitation.find(token, in: tx) else { throw Refusal.notFound }
                return try link.opened()
            }
            // Staff can join regardless of how the site is opened.
            if !role.isStaff {
                guard joining.admits(invited: opened != nil) else { throw Refusal.notAllowed }
                guard try !MailDomain.isBlocked(form.email, in: tx) else { throw Account.Taken.domain }
            }
            if let setup {
                guard let link = try SetupLink.find(setup, in: tx) else { throw Refusal.notFound }
                _ = try link.opened()
                try SetupLink.end(in: tx)
            }
            let id = try Account.insert(
                email: form.email.lowercased(), username: form.username.lowercased(), passwordHash: hash,
                role: role, in: tx)
            if let language { try Preferences.set(language: language, of: id, in: tx) }
            if let opened { try Invitation.use(opened, for: id, in: tx) }
            let waits = !role.isStaff && joining.waits(invitedByStaff: opened?.isByStaff ?? false)
            if waits { try Account.ask(id, in: tx) }
            try ConfirmLink.send(to: id, in: tx)
            guard let invitation, opened?.isChallenge == true, !waits, isKind else {
                return (id, false)
            }
            return (id, try Challenge.takeOnArrival(invitation, by: id, in: tx))
        }
    }
}

extension Context {
    /// The value of `next` for a hidden field; empty if there is none.
    var nextText: String { next?.string ?? "" }

    /// `link` with `next` added, or `next` itself if that leads to the same page.
    func onward(_ link: Link) -> Link {
        guard let next else { return link }
        return next.path == link.string ? next : link.with("next", next.string)
    }
}
