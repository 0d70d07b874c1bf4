import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/needs`: what is needed around the corner, and who takes it.
struct NeedController {
    let site: Site

    // MARK: Finding

    func index(_ context: PublicContext) throws -> Response {
        let reader = context.visit.visitor
        var filter = NeedFilter(
            context.query, country: site.settings.country, preferences: reader?.preferences ?? .usual)
        let list = try site.read { db in
            if filter.near.isEmpty, let family = reader?.family {
                filter.near = try Gazetteer.town(of: family, in: db)
                filter.isOwnTown = true
            }
            if !filter.near.isEmpty {
                filter.around = try Gazetteer.answer(filter.near, country: filter.country, in: db)
            }
            let found = try Need.search(filter, for: reader?.account, at: context.now, in: db)
            let items = Array(found.prefix(Need.pageSize))
            var next = filter
            next.after = (filter.after ?? 0) + items.count
            return NeedList(
                filter: filter, items: items,
                map: try MapDrawing(
                    items.compactMap(\.pin), around: filter.circle, country: filter.country, outlines: site.outlines,
                    in: db),
                more: found.count > items.count ? next.link : nil)
        }
        return context.page(Templates.helping.needs.index(list: list))
    }

    func show(_ context: PublicContext) throws -> Response {
        context.page(Templates.helping.needs.show(page: try page(context), form: Submission()))
    }

    private func page(_ context: some Context) throws -> NeedPage {
        let id: ID<Need> = try context.id()
        return try site.read { db in
            try NeedPage(id, for: context.visit.visitor, outlines: site.outlines, at: context.now, in: db)
        }
    }

    /// `/needs/mine`: what one asked for.
    func mine(_ context: MemberContext) throws -> Response {
        let needs = try site.read { db in try Need.all(of: context.member.account, in: db) }
        return context.page(Templates.helping.needs.mine(needs: needs))
    }

    // MARK: Asking

    func new(_ context: MemberContext) throws -> Response {
        var submission = Submission<NeedForm>()
        let family = context.member.family
        submission.fill(\.country, family?.country ?? site.settings.country)
        submission.fill(\.city, family?.city ?? "")
        submission.fill(\.zip, family?.zip ?? "")
        submission.fill(\.until, context.today.advanced(by: 14))
        return context.page(Templates.helping.needs.new(form: submission, stored: nil))
    }

    func create(_ context: MemberContext) async throws -> Response {
        var (submission, need) = try checked(context, nil)
        guard submission.step == .publish, let asked = need else { return again(context, submission, need, nil) }
        let (once, now) = (submission.once, context.now)
        do {
            switch try await site.write({ db in try Need.publish(asked, once: once, at: now, in: db) }) {
            case .new(let id): return context.redirect(to: .need(id), flash: .needAsked)
            case .already(let id): return context.redirect(to: .need(id))
            }
        } catch is Need.TooMany {
            submission.reject("You have \(Need.mostOpen, as: "limit") needs open already. Close one of them first.")
            need = nil
        }
        return again(context, submission, need, nil)
    }

    func edit(_ context: MemberContext) throws -> Response {
        let need = try own(context)
        return context.page(Templates.helping.needs.new(form: Submission(filled: NeedForm(need)), stored: need))
    }

    func update(_ context: MemberContext) async throws -> Response {
        let stored = try own(context)
        var (submission, need) = try checked(context, stored)
        guard submission.step == .publish, let changed = need else { return again(context, submission, need, stored) }
        let now = context.now
        do {
            try await site.write { db in try Need.update(changed, at: now, in: db) }
            return context.redirect(to: stored.link, flash: .saved)
        } catch is Claim.Refused {
            submission.reject(\.count, "More was promised meanwhile, or you closed it. Look at its page again.")
            need = nil
        }
        return again(context, submission, need, stored)
    }

    func close(_ context: MemberContext) async throws -> Response {
        let need = try own(context)
        let now = context.now
        try await site.write { db in try Need.close(need.id, at: now, in: db) }
        return context.redirect(to: need.link, flash: .needClosed)
    }

    func renew(_ context: MemberContext) async throws -> Response {
        let id: ID<Need> = try context.id()
        let (account, now) = (context.member.account, context.now)
        try await site.write { db in try Need.renew(id, of: account, at: now, in: db) }
        return context.redirect(to: .need(id), flash: .needRenewed)
    }

    private func own(_ context: MemberContext) throws -> Need {
        let id: ID<Need> = try context.id()
        guard let need = try site.read({ db in try Need.find(id, in: db) }),
            need.author.account == context.member.account, !need.isClosed
        else { throw Refusal.notFound }
        return need
    }

    /// The form, checked, and what it means when nothing is wrong.
    private func checked(_ context: MemberContext, _ stored: Need?) throws -> (Submission<NeedForm>, Need?) {
        var submission = context.submission(NeedForm.self)
        submission.form.check(&submission, stored: stored, today: context.today)
        guard let form = submission.value else { return (submission, nil) }
        return try site.read { db in
            guard let author = try Author.find(context.member.account, in: db) else { throw Refusal.notFound }
            let meant = form.need(by: author, zone: site.settings.zone, today: context.today)
            var need = try meant.located(in: db)
            if let stored {
                need = need.replacing(stored)
            }
            return (submission, need)
        }
    }

    /// The form again, or the preview of what it means.
    private func again(
        _ context: MemberContext, _ submission: Submission<NeedForm>, _ need: Need?, _ stored: Need?
    ) -> Response {
        if submission.step == .edit {
            return context.page(Templates.helping.needs.new(form: submission, stored: stored))
        }
        guard let need else { return context.again(Templates.helping.needs.new(form: submission, stored: stored)) }
        var page = NeedPage(need: need)
        page.isPreview = true
        page.isOwn = true
        page.isTrusted = true
        return context.page(Templates.helping.needs.preview(page: page, form: submission, stored: stored))
    }

    // MARK: Taking

    func claim(_ context: MemberContext) async throws -> Response {
        let id: ID<Need> = try context.id()
        let submission = context.submission(ClaimForm.self)
        let (account, now) = (context.member.account, context.now)
        guard let form = submission.value else {
            return context.again(Templates.helping.needs.show(page: try page(context), form: submission))
        }
        if let wait = site.limits.take(.comments, by: account, at: now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        do {
            try await site.write { db in
                try Claim.make(form.count ?? 1, message: form.message ?? "", of: id, by: account, at: now, in: db)
            }
        } catch let refused as Claim.Refused {
            var page = try page(context)
            page.problem = refused.words
            return context.again(Templates.helping.needs.show(page: page, form: submission))
        }
        return context.redirect(to: .need(id), flash: .needTaken)
    }

    func answer(_ context: MemberContext) async throws -> Response {
        let id: ID<Claim> = try context.id()
        let answer = context.body["answer"]
        guard answer == "yes" || answer == "no" else { throw Refusal.malformed }
        let (account, now) = (context.member.account, context.now)
        let need = try await site.write { db in
            try Claim.answer(id, yes: answer == "yes", by: account, at: now, in: db)
        }
        return context.redirect(to: .need(need), flash: .saved)
    }

    func done(_ context: MemberContext) async throws -> Response {
        let id: ID<Claim> = try context.id()
        let (account, now, today) = (context.member.account, context.now, context.today)
        let (need, isDone) = try await site.write { db in
            try Claim.done(id, by: account, on: today, at: now, in: db)
        }
        return context.redirect(to: .need(need), flash: isDone ? .needMet : .needBrought)
    }

    func cancel(_ context: MemberContext) async throws -> Response {
        let id: ID<Claim> = try context.id()
        let (account, now) = (context.member.account, context.now)
        let need = try await site.write { db in try Claim.cancel(id, by: account, at: now, in: db) }
        return context.redirect(to: .need(need), flash: .needDropped)
    }
}

extension Need {
    /// This in the row of another, whose promises stay.
    fileprivate func replacing(_ stored: Need) -> Need {
        var need = Need(
            id: stored.id, author: author, kind: kind, title: title, description: description, wanted: wanted,
            days: days, until: until, endsAt: endsAt, place: place)
        need.promised = stored.promised
        need.brought = stored.brought
        need.createdAt = stored.createdAt
        return need
    }
}
