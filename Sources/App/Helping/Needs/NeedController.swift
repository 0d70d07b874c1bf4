import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/needs`: neighbors' needs, and promises to meet them.
struct NeedController {
    let site: Site

    // MARK: Finding

    func index(_ context: PublicContext) throws -> Response {
        let reader = context.visit.visitor
        var filter = NeedFilter(
            context.query, country: site.settings.country, preferences: reader?.preferences ?? .usual)
        let list = try site.read(at: context.now) { tx in
            if let reader, let home = try Gazetteer.home(of: reader, country: filter.country, in: tx),
                home.match != nil
            {
                filter.home = home.typed
                if !filter.saysWhere {
                    (filter.near, filter.around, filter.isOwnTown) = (home.typed, home.answer, true)
                }
            }
            if !filter.near.isEmpty, !filter.isOwnTown {
                filter.around = try Gazetteer.answer(filter.near, country: filter.country, in: tx)
            }
            var page = try Need.search(filter, for: reader?.account, in: tx)
            if filter.isOwnTown, filter.after == nil, page.items.isEmpty {
                filter = filter.widened
                filter.isWidened = true
                page = try Need.search(filter, for: reader?.account, in: tx)
            }
            return NeedList(
                filter: filter, items: page.items,
                map: try MapDrawing(
                    page.items.compactMap(\.pin), around: filter.circle, country: filter.country,
                    outlines: site.outlines, in: tx),
                more: page.more(at: filter.firstPage.link))
        }
        return context.page(Templates.helping.needs.index(list: list))
    }

    func show(_ context: PublicContext) throws -> Response {
        let page = try page(context)
        return try context.page(
            Templates.helping.needs.show(page: page, form: Submission()), by: page.need.author.account)
    }

    private func page(_ context: some Context) throws -> NeedPage {
        let id: ID<Need> = try context.id()
        return try site.read(at: context.now) { tx in
            var page = try NeedPage(id, for: context.visit.visitor, outlines: site.outlines, in: tx)
            if let reader = context.visit.visitor?.account {
                page.undos = try Undo.all(.claim, of: reader, subject: id.rawValue, in: tx)
            }
            return page
        }
    }

    /// `/needs/mine`: one's own needs.
    func mine(_ context: MemberContext) throws -> Response {
        let account = context.member.account
        let (page, threads) = try site.read(at: context.now) { tx in
            (
                try Need.all(of: account, after: context.after(), in: tx).changed { needs in
                    try Need.markAwaited(needs, in: tx)
                },
                try TalkThread.unread(of: account, about: [.needs], in: tx)
            )
        }
        return context.page(
            Templates.helping.needs.mine(
                needs: page.items, threads: threads, more: page.more(at: Link.needs / "mine")))
    }

    /// `/needs/promised`: one's own promises.
    func promised(_ context: MemberContext) throws -> Response {
        let account = context.member.account
        let (page, threads) = try site.read { db in
            (
                try Claim.lines(of: account, after: context.after(), in: context.zone, db: db),
                try TalkThread.unread(of: account, about: [.needs], in: db)
            )
        }
        return context.page(
            Templates.helping.needs.promised(
                claims: page.items, threads: threads, more: page.more(at: .needsPromised)))
    }

    // MARK: Posting

    func new(_ context: MemberContext) throws -> Response {
        var submission = Submission<NeedForm>()
        let (family, member, country) = (context.member.family, context.member, site.settings.country)
        let home = try site.read { db in try Gazetteer.home(of: member, country: country, in: db)?.match }
        submission.put(
            Place(
                address: Address(
                    city: family?.city ?? home?.name ?? "", state: home?.region ?? "",
                    zip: family?.zip ?? home?.zip ?? "", country: family?.country ?? home?.country ?? country)))
        submission.fill(\.until, context.today.advanced(by: 14))
        return context.page(try form(context, submission, NeedPosting()))
    }

    func create(_ context: MemberContext) async throws -> Response {
        var posting = NeedPosting(search: PlaceSearch(context.body, with: NeedForm.self))
        var (submission, need) = try await checked(context, &posting)
        if let other = try placed(context, submission, posting) { return other }
        guard submission.step == .publish, let asked = need else {
            return try again(context, submission, need, posting)
        }
        let (once, account) = (submission.once, context.member.account)
        do {
            let (sent, hasBrakes) = (context.sent(submission), site.hasBrakes)
            let outcome = try await site.carryOut(sent, counting: .needs, by: account, at: context.now) { tx in
                let outcome = try Need.publish(asked, once: once, hasBrakes: hasBrakes, in: tx)
                if case .new = outcome { return (outcome, true) }
                return (outcome, false)
            }
            switch outcome {
            case .new(let id):
                let waits = try site.read { db in try Matter.waits(.need(id), in: db) == .first }
                return context.redirect(
                    to: .need(id), flash: waits ? .waitsForLook : asked.isLasting ? .saved : .needAsked)
            case .already(let id): return context.redirect(to: .need(id), flash: .sentBefore)
            }
        } catch Refusal.tooMany(let wait) {
            submission.reject(
                """
                You asked for a lot in a short time. So that others are seen, too, ask again in \
                \(wait.inWords, as: "time"). What you typed stays here.
                """)
            need = nil
        } catch is Need.TooMany {
            submission.reject("You have \(Need.mostOpen, as: "limit") needs open already. Close one of them first.")
            need = nil
        }
        return try again(context, submission, need, posting)
    }

    func edit(_ context: MemberContext) throws -> Response {
        let need = try own(context)
        let posting = NeedPosting(stored: need, picture: need.picture)
        let pin = try site.read { db in try need.pinned(in: db) }
        return context.page(try form(context, Submission(changing: NeedForm(need, pin: pin)), posting))
    }

    func update(_ context: MemberContext) async throws -> Response {
        let stored = try own(context)
        var posting = NeedPosting(stored: stored, search: PlaceSearch(context.body, with: NeedForm.self))
        var (submission, need) = try await checked(context, &posting)
        if let other = try placed(context, submission, posting) { return other }
        guard submission.step == .publish, let meant = need else {
            return try again(context, submission, need, posting)
        }
        let sent = submission
        do {
            try await site.write(at: context.now) { tx in
                guard let current = try Need.find(stored.id, in: tx) else { throw Refusal.notFound }
                let page = Submission(changing: NeedForm(current, pin: try current.pinned(in: tx)))
                let new = Submission(changing: NeedForm(meant, pin: try meant.pinned(in: tx)))
                // An author who was asked whether it is still needed says so by saving it.
                guard try sent.isChange(of: page, to: new) || current.isAsked else { return }
                try Need.update(meant, in: tx)
            }
            return context.redirect(to: stored.link, flash: .saved)
        } catch is Claim.Refused {
            submission.reject(\.count, "More was promised meanwhile, or you closed it. Look at its page again.")
            need = nil
        }
        return try again(context, submission, need, posting)
    }

    func close(_ context: MemberContext) async throws -> Response {
        let need = try own(context)
        try await site.write(at: context.now) { tx in try Need.close(need.id, in: tx) }
        return context.redirect(to: need.link, flash: .needClosed)
    }

    func renew(_ context: MemberContext) async throws -> Response {
        let id: ID<Need> = try context.id()
        let account = context.member.account
        try await site.write(at: context.now) { tx in try Need.renew(id, of: account, in: tx) }
        return context.redirect(to: .need(id), flash: .needRenewed)
    }

    private func own(_ context: MemberContext) throws -> Need {
        let id: ID<Need> = try context.id()
        guard let need = try site.read({ db in try Need.find(id, in: db) }),
            need.author.account == context.member.account, !need.isClosed
        else { throw Refusal.notFound }
        return need
    }

    /// The checked form, and the need it describes if there are no problems.
    private func checked(
        _ context: MemberContext, _ posting: inout NeedPosting
    ) async throws -> (Submission<NeedForm>, Need?) {
        var submission = context.submission(NeedForm.self)
        // If only a place is searched for, the form is drawn again and would lose the notes on conflicts.
        if let stored = posting.stored, !posting.search.isPressed {
            let pin = try site.read { db in try stored.pinned(in: db) }
            let sent = NeedForm.sent(context.body, onto: stored.picture)
            submission = Submission(sent.merged(onto: Submission(changing: NeedForm(stored, pin: pin)), by: nil))
        }
        let account = context.member.account
        posting.picture = try await site.takePicture(&submission, of: account, at: context.now) { id in
            try site.read { db in try Picture.find(id, of: account, in: db) }
        }
        if let place = posting.stored?.place { submission.leavePin(at: place.address, place.coordinate) }
        submission.form.check(&submission, stored: posting.stored, today: context.today)
        guard let form = submission.value else { return (submission, nil) }
        let (stored, picture) = (posting.stored, posting.picture)
        return try site.read { db in
            guard let author = try Author.find(context.member.account, in: db) else { throw Refusal.notFound }
            var meant = form.need(by: author, zone: context.zone, today: context.today)
            meant.picture = picture
            if let stored { meant = meant.replacing(stored) }
            return (submission, try meant.located(pin: form.pin, instead: stored, in: db))
        }
    }

    /// The form again, if a button searched for or chose a place.
    private func placed(
        _ context: MemberContext, _ submission: Submission<NeedForm>, _ posting: NeedPosting
    ) throws -> Response? {
        guard posting.search.isPressed else { return nil }
        var (submission, posting) = (submission.withoutProblems, posting)
        let (account, country) = (context.member.account, site.settings.country)
        try site.read { db in try posting.search.choose(for: &submission, of: account, country: country, in: db) }
        return context.page(try form(context, submission, posting))
    }

    /// The form to draw, with places to choose from and a map for the pin.
    private func form(
        _ context: MemberContext, _ submission: Submission<NeedForm>, _ posting: NeedPosting
    ) throws -> View<Frame> {
        var posting = posting
        let (member, typed) = (context.member, submission.form)
        try site.read { db in
            let pin = try typed.pin ?? Gazetteer.coordinate(of: typed.address, in: db)
            let country = typed.country.isEmpty ? site.settings.country : typed.country
            let places = pin.map { [MapDrawing.Place(coordinate: $0, name: "The place", link: nil)] } ?? []
            // If nothing is typed, the map starts at the member's home, otherwise in the site's town.
            let home =
                try pin == nil
                ? Gazetteer.home(of: member, country: country, in: db)?.match
                    ?? Gazetteer.named(site.town.name, country: country, in: db) : nil
            try posting.search.look(of: member.account, country: country, in: db)
            posting.map = try MapDrawing(
                places, around: home.map { Circle(centre: $0.coordinate, kilometres: 8) }, country: country,
                kilometres: 16, height: 280, outlines: site.outlines, in: db)
        }
        return Templates.helping.needs.new(form: submission, posting: posting)
    }

    /// The form again, or the preview.
    private func again(
        _ context: MemberContext, _ submission: Submission<NeedForm>, _ need: Need?, _ posting: NeedPosting
    ) throws -> Response {
        if submission.step == .edit { return context.page(try form(context, submission, posting)) }
        guard let need else { return context.again(try form(context, submission, posting)) }
        var page = NeedPage(need: need)
        page.isPreview = true
        page.isOwn = true
        page.isTrusted = true
        page.map = try site.read { db in try NeedPage.map(of: need, outlines: site.outlines, in: db) }
        return context.page(Templates.helping.needs.preview(page: page, form: submission, posting: posting))
    }

    // MARK: Promises

    func claim(_ context: MemberContext) async throws -> Response {
        let id: ID<Need> = try context.id()
        let submission = context.submission(ClaimForm.self)
        let account = context.member.account
        guard let form = submission.value else {
            return context.again(Templates.helping.needs.show(page: try page(context), form: submission))
        }
        do {
            let sent = context.sent(submission)
            try await site.carryOut(sent, counting: .comments, by: account, at: context.now) { tx, isFirst in
                if try !isFirst && Claim.find(of: account, at: id, in: tx) != nil { return ((), false) }
                try Claim.make(form.count ?? 1, message: form.message ?? "", of: id, by: account, in: tx)
                return ((), true)
            }
        } catch let refused as Claim.Refused {
            var page = try page(context)
            page.refused = refused
            return context.again(Templates.helping.needs.show(page: page, form: submission))
        }
        return context.redirect(to: .need(id), flash: .needTaken)
    }

    func answer(_ context: MemberContext) async throws -> Response {
        let id: ID<Claim> = try context.id()
        let answer = context.body["answer"]
        guard answer == "yes" || answer == "no" else { throw Refusal.malformed }
        let account = context.member.account
        let need = try await site.write(at: context.now) { tx in
            try Claim.answer(id, yes: answer == "yes", by: account, in: tx)
        }
        return context.redirect(to: .need(need), flash: .saved)
    }

    func done(_ context: MemberContext) async throws -> Response {
        let id: ID<Claim> = try context.id()
        let (account, today) = (context.member.account, context.today)
        let (need, isDone) = try await site.write(at: context.now) { tx in
            try Claim.done(id, by: account, on: today, in: tx)
        }
        return context.redirect(to: .need(need), flash: isDone ? .needMet : .needBrought)
    }

    /// `POST /claims/{id}/not-yet`: corrects that it was brought.
    func notYet(_ context: MemberContext) async throws -> Response {
        let id: ID<Claim> = try context.id()
        let account = context.member.account
        let need = try await site.write(at: context.now) { tx in try Claim.notYet(id, by: account, in: tx) }
        return context.redirect(to: .need(need), flash: .notYet)
    }

    /// `POST /claims/{id}/credit`: counts it again.
    func credit(_ context: MemberContext) async throws -> Response {
        let id: ID<Claim> = try context.id()
        let (account, today) = (context.member.account, context.today)
        let need = try await site.write(at: context.now) { tx in
            try Claim.creditAgain(id, by: account, on: today, in: tx)
        }
        return context.redirect(to: .need(need), flash: .saved)
    }

    func cancel(_ context: MemberContext) async throws -> Response {
        let id: ID<Claim> = try context.id()
        let account = context.member.account
        let need = try await site.write(at: context.now) { tx in try Claim.cancel(id, by: account, in: tx) }
        return context.redirect(to: .need(need), flash: .needDropped)
    }
}

extension Need {
    /// This need as a change of a stored one, which keeps its promises.
    fileprivate func replacing(_ stored: Need) -> Need {
        var need = Need(
            id: stored.id, author: author, kind: kind, title: title, description: description, wanted: wanted,
            days: days, until: until, endsAt: endsAt, place: place)
        need.promised = stored.promised
        need.brought = stored.brought
        need.waiting = stored.waiting
        need.createdAt = stored.createdAt
        need.picture = picture
        need.isLasting = isLasting
        return need
    }
}
