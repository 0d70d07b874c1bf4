import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// Reviews of organizations, and following them.
struct ReviewController {
    let site: Site

    private func host(_ context: some Context) throws -> Provider {
        let username = try context.word("username")
        guard let provider = try site.read({ db in try Provider.find(username: username, in: db) }) else {
            throw Refusal.notFound
        }
        return provider
    }

    func new(_ context: MemberContext) throws -> Response {
        let provider = try host(context)
        let (account, today) = (context.member.account, context.today)
        let (own, canWrite) = try site.read(at: context.now) { tx in
            (
                try Review.own(of: provider.account, by: account, in: today.year, db: tx),
                try Review.canWrite(account, about: provider.account, today: today, in: tx)
            )
        }
        // There is one a year, which can be changed.
        if let own { return context.redirect(to: Link.review(own) / "edit") }
        return context.page(
            Templates.helping.reviews.new(
                name: provider.organization, back: .provider(provider.username),
                action: .provider(provider.username) / "reviews", form: Submission(), canWrite: canWrite, review: nil))
    }

    func create(_ context: MemberContext) async throws -> Response {
        let provider = try host(context)
        var submission = context.submission(ReviewForm.self)
        if let form = submission.value {
            let (account, today) = (context.member.account, context.today)
            do {
                let (sent, hasBrakes) = (context.sent(submission), site.hasBrakes)
                let waits = try await site.carryOut(sent, counting: nil, by: account, at: context.now) { tx, isFirst in
                    if !isFirst, let own = try Review.own(of: provider.account, by: account, in: today.year, db: tx) {
                        return (try Matter.waits(.review(own), in: tx) != nil, false)
                    }
                    let waits = try Review.write(
                        form, of: provider.account, by: account, today: today, hasBrakes: hasBrakes, in: tx)
                    return (waits, true)
                }
                return context.redirect(
                    to: Link.provider(provider.username).fragment("reviews"), flash: waits ? .waitsForLook : .reviewed)
            } catch let refused as Review.Refused {
                submission.reject(refused.words)
            }
        }
        return context.again(
            Templates.helping.reviews.new(
                name: provider.organization, back: .provider(provider.username),
                action: .provider(provider.username) / "reviews", form: submission, canWrite: true, review: nil))
    }

    private func own(_ context: MemberContext) throws -> Review {
        let id: ID<Review> = try context.id()
        guard let review = try site.read({ db in try Review.find(id, in: db) }),
            review.author.account == context.member.account
        else { throw Refusal.notFound }
        return review
    }

    func edit(_ context: MemberContext) throws -> Response {
        let review = try own(context)
        return form(Submission(changing: ReviewForm(review)), review, context)
    }

    private func form(_ form: Submission<ReviewForm>, _ review: Review, _ context: MemberContext) -> Response {
        let view = Templates.helping.reviews.new(
            name: review.hostName, back: .provider(review.hostUsername), action: review.edit, form: form,
            canWrite: true, review: review)
        return form.problems.isEmpty ? context.page(view) : context.again(view)
    }

    func update(_ context: MemberContext) async throws -> Response {
        let review = try own(context)
        let submission = context.submission(changing: ReviewForm(review), by: nil)
        guard let value = submission.value else { return form(submission, review, context) }
        let (account, hasBrakes) = (context.member.account, site.hasBrakes)
        try await site.write(counting: .comments, by: account, at: context.now) { tx in
            guard let stored = try Review.find(review.id, in: tx) else { throw Refusal.notFound }
            guard try submission.isChange(of: Submission(changing: ReviewForm(stored))) else { return ((), false) }
            _ = try Review.change(review.id, to: value, by: account, hasBrakes: hasBrakes, in: tx)
            return ((), true)
        }
        return context.redirect(to: review.link, flash: .saved)
    }

    /// `GET /reviews/{id}/delete`: asks first, because a review can’t be restored.
    func remove(_ context: MemberContext) throws -> Response {
        context.page(Templates.helping.reviews.delete(review: try own(context), next: context.nextText))
    }

    func delete(_ context: MemberContext) async throws -> Response {
        let review = try own(context)
        let account = context.member.account
        try await site.write(at: context.now) { tx in
            try Decision.settle(.review(review.id), in: tx)
            _ = try Review.delete(review.id, by: account, in: tx)
        }
        return context.redirect(to: context.next ?? .provider(review.hostUsername), flash: .reviewDeleted)
    }

    func answer(_ context: ProviderContext) async throws -> Response {
        let id: ID<Review> = try context.id()
        let (host, member) = (context.host, context.member)
        guard let stored = try site.read({ db in try Review.find(id, in: db) }), stored.host == host else {
            throw Refusal.notFound
        }
        let submission = try context.submission(
            changing: ReviewAnswerForm(answer: stored.answer),
            by: try site.read { db in try TeamAct.last(.replied, of: host, besides: member.account, in: db) })
        guard let form = submission.value else {
            return context.again(Templates.helping.reviews.answer(review: stored, form: submission))
        }
        let review = try await site.write(at: context.now) { tx in
            guard let stored = try Review.find(id, in: tx) else { throw Refusal.notFound }
            let page = Submission(changing: ReviewAnswerForm(answer: stored.answer))
            let isNew = try submission.isChange(of: page)
            let review = isNew ? try Review.answer(id, form.answer, by: host, in: tx) : stored
            try Colleague.authorize(.replied, by: member, isNew: isNew, in: tx)
            return review
        }
        return context.redirect(to: review.link, flash: .saved)
    }

    func answerForm(_ context: ProviderContext) throws -> Response {
        let id: ID<Review> = try context.id()
        guard let review = try site.read({ db in try Review.find(id, in: db) }), review.host == context.host,
            review.answer.isEmpty, !review.isHidden
        else { throw Refusal.notFound }
        return context.page(
            Templates.helping.reviews.answer(review: review, form: Submission(changing: ReviewAnswerForm())))
    }

    // MARK: Following

    func follow(_ context: MemberContext) async throws -> Response {
        let provider = try host(context)
        let (account, isOn) = (context.member.account, context.body["on"] == "1")
        try await site.write(at: context.now) { tx in try Followed.follow(provider.account, isOn, by: account, in: tx) }
        return context.redirect(to: context.next ?? .provider(provider.username))
    }

    func following(_ context: MemberContext) throws -> Response {
        let page = try site.read(at: context.now) { tx in
            try Followed.all(of: context.member.account, after: context.after(), in: tx)
        }
        return context.page(
            Templates.helping.reviews.following(all: page.items, more: page.more(at: Link.following)))
    }
}
