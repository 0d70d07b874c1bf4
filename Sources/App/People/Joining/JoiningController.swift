import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/waiting` and `/me/invitations`: joining, and inviting others.
struct JoiningController {
    let site: Site

    /// The page for members who aren't let in yet.
    func waiting(_ context: MemberContext) throws -> Response {
        guard context.member.isWaiting else { return context.redirect(to: .start) }
        let account = context.member.account
        let (found, decisions) = try site.read { db in
            (try Account.find(account, in: db), try Decision.all(about: account, in: db))
        }
        guard let found else { throw Refusal.notFound }
        let page = WaitingPage(
            since: context.zone.words(found.waitsSince ?? context.now, \.shortName),
            decisions: decisions, isConfirmed: found.confirmedAt != nil, hasMail: site.settings.smtp != nil)
        return context.page(Templates.people.joining.waiting(page: page))
    }

    func invitations(_ context: MemberContext) throws -> Response {
        context.page(try page(Submission(), context))
    }

    /// Makes a link, which is shown only once, or withdraws one.
    func update(_ context: MemberContext) async throws -> Response {
        let account = context.member.account
        if let id = context.body["withdraw"].flatMap({ ID<OneTimeLink>($0) }) {
            try await site.writeQuietly { db in try OneTimeLink.withdraw(id, .invitation, of: account, in: db) }
            return context.redirect(to: .invitations, flash: .saved)
        }
        var submission = context.submission(InvitationForm.self)
        guard let form = submission.value else { return context.again(try page(submission, context)) }
        let sent = context.sent(submission)
        let token = site.key.token(ofForm: sent.once, at: sent.path, by: account)
        do {
            try await site.writeQuietly(at: context.now) { tx in
                try sent.makeLink(token, by: account, in: tx) {
                    try Invitation.make(token, for: form.whom ?? "", by: account, in: tx)
                }
            }
        } catch is Invitation.TooMany {
            submission.reject("Five invitations are open. Take one back first.")
            return context.again(try page(submission, context))
        }
        let link = site.settings.publicURL + Link.invitation(token.text).string
        return context.page(try page(Submission(), context, link: link)).withoutReferrer
    }

    private func page(
        _ form: Submission<InvitationForm>, _ context: MemberContext, link: String? = nil
    ) throws -> View<Frame> {
        let (account, zone) = (context.member.account, context.zone)
        let open = try site.read(at: context.now) { tx in try Invitation.open(of: account, in: tx) }
        let page = InvitationsPage(
            open: open.map { .init(invitation: $0, until: zone.day(of: $0.expiresAt).fullName) },
            joining: site.town.joining, link: link)
        return Templates.people.joining.invitations(page: page, form: form)
    }
}
