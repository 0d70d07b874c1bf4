import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/me/organization/colleagues` and `/join/{token}`: several people who look after one organization.
struct ColleagueController {
    let site: Site

    func show(_ context: ProviderContext) throws -> Response { context.page(try page(Submission(), context)) }

    /// For the owner: withdraws an invitation, changes a colleague's duty, or removes a colleague; with the password,
    /// invites somebody or hands the organization over.
    func update(_ context: ProviderContext) async throws -> Response {
        let member = context.member
        guard member.duty == .owner else { throw Refusal.notAllowed }
        switch context.body["act"] {
        case "invite": return try await invite(context)
        case "hand-over": return try await handOver(context)
        case "withdraw":
            guard let id = context.body["link"].flatMap({ ID<OneTimeLink>($0) }) else { throw Refusal.malformed }
            try await site.writeQuietly { db in try OneTimeLink.withdraw(id, .colleague, of: member.account, in: db) }
        case "remove":
            let colleague = try colleague(context)
            try await context.write { tx in try Colleague.remove(colleague, by: member.account, in: tx) }
        case "entrust":
            let colleague = try colleague(context)
            guard let duty = Colleague.Duty(rawValue: context.body["role"] ?? "") else { throw Refusal.malformed }
            try await context.write { tx in try Colleague.entrust(colleague, with: duty, by: member.account, in: tx) }
        default: throw Refusal.malformed
        }
        return context.redirect(to: .colleagues, flash: .saved)
    }

    /// `POST /me/organization/leave`: lets a colleague leave, under any hat and regardless of the owner's state.
    func leave(_ context: MemberContext) async throws -> Response {
        let account = context.member.account
        try await site.write(at: context.now) { tx in try Colleague.leave(account, in: tx) }
        return context.redirect(to: .me, flash: .leftTeam)
    }

    private func colleague(_ context: ProviderContext) throws -> ID<Account> {
        guard let id = context.body["colleague"].flatMap({ ID<Account>($0) }) else { throw Refusal.malformed }
        return id
    }

    private func invite(_ context: ProviderContext) async throws -> Response {
        var submission = context.submission(ColleagueForm.self)
        guard let form = try await site.opened(&submission, with: \.current, by: context.member, context.visit) else {
            return context.again(try page(submission, context))
        }
        let (owner, sent) = (context.member.account, context.sent(submission))
        let token = site.key.token(ofForm: sent.once, at: sent.path, by: owner)
        do {
            try await site.writeQuietly(at: context.now) { tx in
                try sent.makeLink(token, by: owner, in: tx) {
                    try Colleague.invite(token, to: form.duty, by: owner, in: tx)
                }
            }
        } catch let obstacle as Colleague.Obstacle {
            submission.reject(obstacle.words)
            return context.again(try page(submission, context))
        }
        let link = site.settings.publicURL + Link.join(token.text).string
        return context.page(try page(Submission(), context, link: link)).withoutReferrer
    }

    private func handOver(_ context: ProviderContext) async throws -> Response {
        var submission = context.submission(HandOverForm.self)
        if submission.accepts(\.heir), submission.form.heir == nil { submission.reject(\.heir, "Choose somebody.") }
        let form = try await site.opened(&submission, with: \.current, by: context.member, context.visit)
        if let heir = form?.heir {
            let owner = context.member.account
            do {
                try await context.write { tx in try Colleague.handOver(to: heir, by: owner, in: tx) }
                return context.redirect(to: .colleagues, flash: .saved)
            } catch let obstacle as Colleague.Obstacle {
                submission.reject(obstacle.words)
            }
        }
        return context.again(try page(Submission(), context, handing: submission))
    }

    private func page(
        _ form: Submission<ColleagueForm>, _ context: ProviderContext, link: String? = nil,
        handing: Submission<HandOverForm> = Submission()
    ) throws -> View<Frame> {
        var page = try site.read(at: context.now) { tx in
            try TeamPage(of: context.host, for: context.member, in: context.zone, tx: tx)
        }
        page.link = link
        return Templates.people.team.show(page: page, form: form, handing: page.offer(in: handing))
    }

    // MARK: Joining

    /// The invitation, also for a visitor who must log in or sign up first.
    func ask(_ context: some Context) throws -> Response {
        let token = try token(context)
        let reader = context.visit.visitor?.account
        let (invitation, obstacle) = try site.read(at: context.now) { tx in
            guard let invitation = try Colleague.find(token, in: tx)?.opened() else {
                throw Refusal.notFound
            }
            return (invitation, try reader.flatMap { try Colleague.obstacle(to: invitation, for: $0, in: tx) })
        }
        return context.page(Templates.people.team.join(invitation: invitation, obstacle: obstacle?.words))
            .unlisted
            .withoutReferrer
    }

    func join(_ context: MemberContext) async throws -> Response {
        let token = try token(context)
        let member = context.member
        do {
            try await site.write(at: context.now) { tx in try Colleague.join(token, by: member, in: tx) }
        } catch is Colleague.Obstacle {
            return try ask(context)
        }
        return context.redirect(to: .colleagues, flash: .joined)
    }

    private func token(_ context: some Context) throws -> Token {
        guard let token = Token(try context.word("token")) else { throw Refusal.notFound }
        return token
    }
}
