import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/me/guardian` and `/guardians/{token}`: looking after the same children from two accounts.
struct GuardianController {
    let site: Site

    func show(_ context: ParentContext) throws -> Response { context.page(try page(Submission(), context)) }

    /// Withdraws an invitation, or ends the arrangement; if the parent enters their password, invites the other parent
    /// or hands the children over.
    func update(_ context: ParentContext) async throws -> Response {
        let account = context.member.account
        switch context.body["act"] {
        case "invite": return try await invite(context)
        case "withdraw": try await site.writeQuietly { db in try Guardian.withdraw(by: account, in: db) }
        case "end": try await site.write(at: context.now) { tx in try Guardian.end(by: account, in: tx) }
        case "leave": return try await handOver(context)
        default: throw Refusal.malformed
        }
        return context.redirect(to: .guardian, flash: .saved)
    }

    private func invite(_ context: ParentContext) async throws -> Response {
        let account = context.member.account
        var submission = context.submission(AgainForm.self)
        guard try await site.opened(&submission, with: \.current, by: context.member, context.visit) != nil else {
            return context.again(try page(submission, context))
        }
        let token = Token()
        do {
            try await site.writeQuietly(at: context.now) { tx in try Guardian.invite(token, by: account, in: tx) }
        } catch let obstacle as Guardian.Obstacle {
            submission.reject(obstacle.words)
            return context.again(try page(submission, context))
        }
        let link = site.settings.publicURL + Link.guardian(token.text).string
        return context.page(try page(Submission(), context, link: link)).withoutReferrer
    }

    private func handOver(_ context: ParentContext) async throws -> Response {
        var submission = context.submission(AgainForm.self)
        guard try await site.opened(&submission, with: \.current, by: context.member, context.visit) != nil else {
            return context.again(try page(submission, context))
        }
        let account = context.member.account
        try await site.write(at: context.now) { tx in
            guard try Guardian.handOver(by: account, in: tx) else { return }
            try Guardian.tell(.guardianOff, account, in: tx)
        }
        return context.redirect(to: .guardian, flash: .saved)
    }

    private func page(
        _ form: Submission<AgainForm>, _ context: ParentContext, link: String? = nil
    ) throws -> View<Frame> {
        let account = context.member.account
        let page = try site.read(at: context.now) { tx in
            GuardianPage(
                other: try Guardian.beside(account, in: tx), zone: context.zone,
                openUntil: try Guardian.openUntil(by: account, in: tx).map(context.zone.day), link: link)
        }
        return Templates.people.profiles.guardian(page: page, form: form)
    }

    // MARK: The other parent

    func ask(_ context: ParentContext) throws -> Response {
        let token = try token(context)
        let (name, obstacle) = try site.read(at: context.now) { tx in
            guard let invitation = try Guardian.find(token, in: tx)?.opened() else {
                throw Refusal.notFound
            }
            let obstacle = try Guardian.obstacle(
                to: invitation, for: context.member.account, of: context.family, in: tx)
            return (invitation.name, obstacle)
        }
        return context.page(Templates.people.profiles.joinGuardian(name: name, obstacle: obstacle?.words))
            .withoutReferrer
    }

    func join(_ context: ParentContext) async throws -> Response {
        let token = try token(context)
        let (account, family) = (context.member.account, context.family)
        do {
            try await site.write(at: context.now) { tx in try Guardian.join(token, by: account, of: family, in: tx) }
        } catch is Guardian.Obstacle {
            return try ask(context)
        }
        return context.redirect(to: .guardian, flash: .saved)
    }

    private func token(_ context: ParentContext) throws -> Token {
        guard let token = Token(try context.word("token")) else { throw Refusal.notFound }
        return token
    }
}
