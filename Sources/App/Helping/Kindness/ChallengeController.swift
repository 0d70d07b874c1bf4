import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// Challenging a friend to an act, and being challenged.
struct ChallengeController {
    let site: Site

    // MARK: Challenging

    func new(_ context: MemberContext) throws -> Response {
        context.page(Templates.helping.kindness.challenge(page: try page(context), form: Submission()))
    }

    /// Makes a link, which is shown only once, or withdraws one.
    func create(_ context: MemberContext) async throws -> Response {
        var page = try page(context)
        let (account, act) = (context.member.account, page.act.id)
        if let id = context.body["withdraw"].flatMap({ ID<Challenge>($0) }) {
            try await site.writeQuietly(at: context.now) { tx in try Undo.withdrawing(id, by: account, in: tx) }
            return context.redirect(to: context.next ?? .myActs, flash: .saved)
        }
        var submission = context.submission(ChallengeForm.self)
        submission.form.check(&submission)
        if submission.form.to != nil, page.mail == .none { submission.reject(\.to, Challenge.Refused.unwelcome.words) }
        guard let form = submission.value else {
            return context.again(Templates.helping.kindness.challenge(page: page, form: submission))
        }
        let sent = context.sent(submission)
        let token = site.key.token(ofForm: sent.once, at: sent.path, by: account)
        do {
            try await site.writeQuietly(at: context.now) { tx in
                try sent.makeLink(token, by: account, in: tx) {
                    try Challenge.make(token, of: act, form, by: account, in: tx)
                }
            }
        } catch let refused as Challenge.Refused {
            if refused == .tooMany {
                submission.reject(refused.words)
            } else {
                submission.reject(\.to, refused.words)
            }
            return context.again(Templates.helping.kindness.challenge(page: page, form: submission))
        }
        page.made = made(token, form, page, context)
        // Not a form that is shown again, because it counts for a newcomer.
        return context.page(
            Templates.helping.kindness.challenge(page: page, form: Submission()), status: .created
        ).withoutReferrer
    }

    private func page(_ context: MemberContext) throws -> ChallengePage {
        let id: ID<KindAct> = try context.id()
        let account = context.member.account
        return try site.read { db in
            guard let act = try KindAct.find(id, for: account, in: db), !act.isPrivate else { throw Refusal.notFound }
            let isConfirmed = try Account.find(account, in: db)?.confirmedAt != nil
            return ChallengePage(
                act: act, name: try Challenge.name(of: account, in: db),
                mail: site.settings.smtp == nil ? .none : isConfirmed ? .ready : .unconfirmed)
        }
    }

    /// The link with its texts, in the sender's language.
    private func made(
        _ token: Token, _ form: ChallengeForm, _ page: ChallengePage, _ context: MemberContext
    ) -> ChallengePage.Made {
        let link = site.settings.publicURL + Link.challenge(token.text).string
        let subject: Words = "Something kind: \(page.act.name, as: "act")"
        let lines = [form.message ?? "", subject.text(in: context.language), link].filter { !$0.isEmpty }
        return ChallengePage.Made(
            link: link, text: lines.joined(separator: "\n"), subject: subject.text(in: context.language),
            isMailed: form.to != nil)
    }

    // MARK: Being challenged

    func show(_ context: PublicContext) throws -> Response {
        guard let token = Token(try context.word("token")) else { throw Refusal.notFound }
        let reader = context.visit.visitor?.account
        let (challenge, act) = try site.read(at: context.now) { tx in
            guard let challenge = try Challenge.find(token, for: reader, in: tx)?.opened() else {
                throw Refusal.notFound
            }
            return (challenge, try challenge.found(in: tx))
        }
        let page = ChallengedPage(
            challenge: challenge, act: act, token: token.text, reader: reader, joining: site.town.joining)
        return context.page(Templates.helping.kindness.challenged(page: page)).unlisted.withoutReferrer
    }

    func take(_ context: MemberContext) async throws -> Response {
        guard let token = Token(try context.word("token")) else { throw Refusal.notFound }
        let account = context.member.account
        do {
            try await site.write(at: context.now) { tx in try Challenge.take(token, by: account, in: tx) }
        } catch is KindAct.TooMany {
            return context.visit.errorPage(
                .conflict, "Your list is full",
                "At most \(KindAct.most, as: "number") acts fit on it. Take one off first.")
        }
        return context.redirect(to: .start.fragment("kindness"), flash: .challengeTaken)
    }
}
