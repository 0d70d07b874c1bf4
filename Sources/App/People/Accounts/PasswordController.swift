import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

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
