import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/decisions/{id}`, `/appeals/{token}`: decisions about an author's content, and their answer; and `/moderation`, the
/// public statistics.
struct DecisionController {
    let site: Site

    func log(_ context: PublicContext) throws -> Response {
        let counts = try site.read { db in try ModerationCounts(in: db) }
        return context.page(Templates.community.moderation.log(counts: counts))
    }

    func show(_ context: MemberContext) throws -> Response {
        let decision = try own(context)
        return try show(decision, Submission(), at: decision.link, context)
    }

    func answer(_ context: MemberContext) async throws -> Response {
        let decision = try own(context)
        return try await answer(decision, at: decision.link, context)
    }

    /// Shows a decision through the link in a letter.
    func showByLetter(_ context: PublicContext) throws -> Response {
        let (decision, link) = try sealed(context)
        return try show(decision, Submission(), at: link, context).withoutReferrer
    }

    func answerByLetter(_ context: PublicContext) async throws -> Response {
        let (decision, link) = try sealed(context)
        return try await answer(decision, at: link, context).withoutReferrer
    }

    private func answer(_ decision: Decision, at link: Link, _ context: some Context) async throws -> Response {
        var submission = context.submission(AnswerDecisionForm.self)
        if !decision.canAnswer { submission.reject("You have answered already.") }
        guard let form = submission.value else { return try show(decision, submission, at: link, context) }
        try await site.write(at: context.now) { tx in try Decision.answer(decision.id, form.answer, in: tx) }
        return context.redirect(to: link, flash: .decisionAnswered)
    }

    private func show(
        _ decision: Decision, _ form: Submission<AnswerDecisionForm>, at link: Link, _ context: some Context
    ) throws -> Response {
        let zone = context.zone
        let exhibit = try site.read { db in try Exhibit.find(decision.subject, in: db) }
        let page = DecisionPage(
            decision: decision, time: zone.words(decision.at, \.shortName),
            until: decision.isOpen ? decision.until.map { zone.words($0, \.shortName) } : nil, exhibit: exhibit,
            action: link)
        let view = Templates.community.moderation.decision(page: page, form: form)
        return form.problems.isEmpty ? context.page(view) : context.again(view)
    }

    private func own(_ context: MemberContext) throws -> Decision {
        let id: ID<Decision> = try context.id()
        guard let decision = try site.read({ db in try Decision.find(id, in: db) }),
            decision.author == context.member.account
        else { throw Refusal.notFound }
        return decision
    }

    private func sealed(_ context: PublicContext) throws -> (Decision, Link) {
        let token = try context.word("token")
        let found = try site.read { db -> (Decision, Link)? in
            guard let seal = try Seal(in: db), let (id, reader) = LetterLink.appeal.open(token, seal),
                let decision = try Decision.find(id, in: db), decision.author == reader
            else { return nil }
            return (decision, LetterLink.appeal.link(to: id, for: reader, seal))
        }
        guard let found else { throw Refusal.notFound }
        return found
    }
}
