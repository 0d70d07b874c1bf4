import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/verify/{token}`, `/forgot` and `/me/email`: e-mail addresses and the links in letters.
struct EmailController {
    let site: Site

    /// Whether the site sends mail.
    private var hasMail: Bool { site.settings.smtp != nil }

    /// Shows a button to confirm: programs that scan links in letters only open them.
    func verify(_ context: PublicContext) throws -> Response {
        let (_, link) = try link(context)
        if let logIn = try logIn(for: link, context) { return logIn }
        return context.page(Templates.people.accounts.verify(email: link.email)).withoutReferrer
    }

    func confirm(_ context: PublicContext) async throws -> Response {
        let (token, link) = try link(context)
        if let logIn = try logIn(for: link, context) { return logIn }
        let today = context.today
        try await site.write(at: context.now) { tx in
            guard let link = try ConfirmLink.find(token, in: tx) else { throw Refusal.notFound }
            try ConfirmLink.use(token, link.opened(), on: today, in: tx)
        }
        let isHere = context.visit.visitor != nil
        return context.redirect(to: isHere ? Link.settings : Link.logIn, flash: .addressConfirmed)
    }

    /// `POST /me/verify`: sends the letter with the link again.
    func sendAgain(_ context: MemberContext) async throws -> Response {
        let account = context.member.account
        let now = context.now
        if let wait = try await site.take(.letters, by: account, at: now) { throw Refusal.tooMany(retryAfter: wait) }
        try await site.write(at: now) { tx in
            guard let account = try Account.find(account, in: tx), account.needsProof else { return }
            try ConfirmLink.send(to: account.id, in: tx)
        }
        return context.redirect(
            to: context.next ?? Link.settings, flash: hasMail ? .letterSent : .letterKept)
    }

    func forgot(_ context: PublicContext) -> Response {
        guard context.query["sent"] == nil else {
            return context.page(Templates.people.accounts.forgotSent(hasMail: hasMail))
        }
        return context.page(Templates.people.accounts.forgot(form: Submission(), hasMail: hasMail))
    }

    /// The same response, in the same time, whether or not somebody has this address.
    func sendReset(_ context: PublicContext) async throws -> Response {
        let submission = context.submission(ForgotForm.self)
        guard let form = submission.value else {
            return context.again(Templates.people.accounts.forgot(form: submission, hasMail: hasMail))
        }
        let email = form.email.lowercased()
        let now = context.now
        if let wait = try await site.take(.resets, by: context.visit.address.subscriber, at: now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        // Others may have requested letters to this address to shut its owner out; the letters already sent are enough.
        guard try await site.take(.letters, by: email, at: now) == nil else {
            return context.redirect(to: .forgot.with("sent", "1"))
        }
        let token = Token()
        try await site.writeQuietly(at: now) { tx in
            // Something is written in any case, so that the response takes as long.
            try Note.set("reset_asked", String(tx.now.milliseconds), in: tx)
            guard let account = try Account.credentials(for: email, in: tx), !account.isSuspended else { return }
            try ResetLink.insert(token, for: account.id, isMailed: true, beside: 8, in: tx)
            try Letter.write(.reset, to: account.id, token: token, in: tx)
        }
        return context.redirect(to: .forgot.with("sent", "1"))
    }

    // MARK: Another address

    func edit(_ context: MemberContext) throws -> Response { context.page(try page(Submission(), context)) }

    /// The same response, whether or not somebody has the new address.
    func update(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(EmailForm.self)
        let member = context.member
        guard let form = try await site.opened(&submission, with: \.current, by: member, context.visit) else {
            return context.again(try page(submission, context))
        }
        let email = form.email.lowercased()
        guard try account(member).email != email else {
            submission.reject(\.email, "This is your address already.")
            return context.again(try page(submission, context))
        }
        guard try !site.read({ db in try MailDomain.isBlocked(email, in: db) }) else {
            submission.reject(\.email, MailDomain.refused)
            return context.again(try page(submission, context))
        }
        let now = context.now
        if let wait = try await site.take(.letters, by: member.account, at: now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        // Nobody can flood an address through somebody else's account, nor keep its owner from a letter they requested.
        if try await site.take(.addresses, by: email, at: now) == nil {
            try await site.writeQuietly(at: now) { tx in try EmailChange.ask(for: email, by: member.account, in: tx) }
        }
        return context.redirect(to: .email)
    }

    func undoForm(_ context: PublicContext) throws -> Response {
        let (_, change) = try change(context)
        return context.page(Templates.people.accounts.undoEmail(email: change.oldEmail)).withoutReferrer
    }

    /// `POST /undo-email/{token}`: restores the old address and continues to a new password.
    func undo(_ context: PublicContext) async throws -> Response {
        let (token, _) = try change(context)
        let reset = Token()
        try await site.write(at: context.now) { tx in
            guard let link = try EmailChange.find(token, in: tx) else { throw Refusal.notFound }
            try EmailChange.undo(link.opened(), token: reset, in: tx)
        }
        return context.redirect(to: .reset(reset.text), flash: .emailPutBack)
    }

    private func page(_ form: Submission<EmailForm>, _ context: MemberContext) throws -> View<Frame> {
        let account = try account(context.member)
        let (pending, refusal) = try site.read(at: context.now) { tx in
            let pending = try EmailChange.pending(of: account.id, in: tx)
            return (pending, try pending.flatMap { try EmailChange.refusal(of: $0, askedBy: account.id, in: tx) })
        }
        return Templates.people.accounts.email(
            form: form, account: account, pending: pending, refusal: refusal, hasMail: hasMail)
    }

    private func account(_ member: Visitor) throws -> Account {
        guard let account = try site.read({ db in try Account.find(member.account, in: db) }) else {
            throw Refusal.notFound
        }
        return account
    }

    /// Requires a log-in to the account for confirming a new address: otherwise a stranger who got the letter by
    /// mistake would get the account with it.
    private func logIn(for link: ConfirmLink, _ context: PublicContext) throws -> Response? {
        guard link.change != nil else { return nil }
        guard let visitor = context.visit.visitor else {
            return context.redirect(to: Link.logIn(next: context.visit.path)).withoutReferrer
        }
        guard visitor.account == link.account else { throw Refusal.notFound }
        return nil
    }

    private func change(_ context: PublicContext) throws -> (Token, EmailChange) {
        guard let token = Token(try context.word("token")),
            let link = try site.read(at: context.now, { tx in try EmailChange.find(token, in: tx) })
        else { throw Refusal.notFound }
        return (token, try link.opened())
    }

    private func link(_ context: PublicContext) throws -> (Token, ConfirmLink) {
        guard let token = Token(try context.word("token")),
            let link = try site.read(at: context.now, { tx in try ConfirmLink.find(token, in: tx) })
        else { throw Refusal.notFound }
        return (token, try link.opened())
    }
}
