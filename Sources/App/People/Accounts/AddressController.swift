import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/verify/{token}` and `/forgot`: what letters lead to, and what asks for one.
struct AddressController {
    let site: Site

    /// Whether letters are sent at all.
    private var hasMail: Bool { site.settings.smtp != nil }

    /// Programs that look at links in letters only look: the button confirms.
    func verify(_ context: PublicContext) throws -> Response {
        let (_, link) = try link(context)
        return context.page(Templates.people.accounts.verify(email: link.email)).withoutReferrer
    }

    func confirm(_ context: PublicContext) async throws -> Response {
        let (token, _) = try link(context)
        let now = context.now
        try await site.write { db in
            guard let link = try ConfirmLink.find(token, at: now, in: db) else { throw Refusal.notFound }
            try ConfirmLink.use(token, link.opened(), at: now, in: db)
        }
        let isHere = context.visit.visitor != nil
        return context.redirect(to: isHere ? Link("/me/settings") : Link("/login"), flash: .addressConfirmed)
    }

    /// `POST /me/verify`: the letter with the link, once more.
    func sendAgain(_ context: MemberContext) async throws -> Response {
        let account = context.member.account
        let now = context.now
        if let wait = site.limits.take(.letters, by: account, at: now) { throw Refusal.tooMany(retryAfter: wait) }
        try await site.write { db in
            guard try Account.find(account, in: db)?.confirmedAt == nil else { return }
            try ConfirmLink.send(to: account, at: now, in: db)
        }
        return context.redirect(to: Link("/me/settings"), flash: hasMail ? .letterSent : .letterKept)
    }

    func forgot(_ context: PublicContext) -> Response {
        guard context.query["sent"] == nil else {
            return context.page(Templates.people.accounts.forgotSent(hasMail: hasMail))
        }
        return context.page(Templates.people.accounts.forgot(form: Submission(), hasMail: hasMail))
    }

    /// One answer, in one time, whether or not somebody has this address.
    func sendReset(_ context: PublicContext) async throws -> Response {
        let submission = context.submission(ForgotForm.self)
        guard let form = submission.value else {
            return context.again(Templates.people.accounts.forgot(form: submission, hasMail: hasMail))
        }
        let email = form.email.lowercased()
        let now = context.now
        if let wait = site.limits.take(.resets, by: context.visit.address.subscriber, at: now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        // Others may have asked for this address, to keep its owner from it: the letters that are on their way will do.
        guard site.limits.take(.letters, by: email, at: now) == nil else {
            return context.redirect(to: Link("/forgot?sent=1"))
        }
        let token = Token()
        try await site.writeQuietly { db in
            // Something is written in any case, so that the disk takes as long.
            try Note.set("reset_asked", String(now.milliseconds), in: db)
            guard let account = try Account.credentials(for: email, in: db), !account.isSuspended else { return }
            try ResetLink.insert(token, for: account.id, lifetime: ResetLink.lifetimeByMail, beside: 8, at: now, in: db)
            try Letter.write(.reset, to: account.id, token: token, at: now, in: db)
        }
        return context.redirect(to: Link("/forgot?sent=1"))
    }

    private func link(_ context: PublicContext) throws -> (Token, ConfirmLink) {
        guard let token = Token(try context.word("token")),
            let link = try site.read({ db in try ConfirmLink.find(token, at: context.now, in: db) })
        else { throw Refusal.notFound }
        return (token, try link.opened())
    }
}
