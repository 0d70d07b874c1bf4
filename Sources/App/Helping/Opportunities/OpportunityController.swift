import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/opportunities`: finding, posting, changing and closing opportunities.
struct OpportunityController {
    let site: Site

    // MARK: Finding

    func index(_ context: PublicContext) throws -> Response {
        var filter = OpportunityFilter(context.query, country: site.settings.country)
        filter.preferences = context.visit.visitor?.preferences ?? .usual
        let asked = filter.view
        if asked == nil { filter.view = OpportunityFilter.Display(cookie: context) }
        let reader = context.visit.visitor
        let wanted = filter
        let list = try site.read(at: context.now) { tx in try wanted.list(for: reader, in: tx) }
        var response = context.page(Templates.helping.opportunities.index(list: list))
        if let asked { response.headers.append(asked.cookie(in: site.settings)) }
        return response
    }

    /// `/opportunities/map`: a page of opportunities, on the map and in an equivalent list.
    func map(_ context: PublicContext) throws -> Response {
        var filter = OpportunityFilter(context.query, country: site.settings.country)
        filter.preferences = context.visit.visitor?.preferences ?? .usual
        filter.room = .map
        let asked = filter
        let page = try site.read(at: context.now) { tx in
            try OpportunityMap(try asked.list(for: context.visit.visitor, in: tx), outlines: site.outlines, in: tx)
        }
        return context.page(Templates.helping.opportunities.map(page: page))
    }

    func show(_ context: PublicContext) throws -> Response {
        let chosen = shifts("add", context.query)
        let page = try page(context, chosen: chosen)
        return try context.page(
            Templates.helping.opportunities.show(page: page, form: Submission()), by: page.opportunity.host.id)
    }

    private func page(
        _ context: some Context, chosen: [ID<Shift>] = [], children: [ID<Child>] = []
    ) throws -> OpportunityPage {
        let id: ID<Opportunity> = try context.id()
        return try site.read(at: context.now) { tx in
            var page = try OpportunityPage(
                id, for: context.visit.visitor, chosen: chosen, children: children, outlines: site.outlines, in: tx)
            guard let reader = context.visit.visitor else { return page }
            page.undos = try Undo.all(
                .signup, .promise, .wait, of: reader.account, subject: id.rawValue, in: tx
            ).filter(\.isOwn)
            page.advise(beside: try TimeSlot.plans(of: reader, around: page.openTimes, in: tx))
            return page
        }
    }

    // MARK: Posting

    func new(_ context: ProviderContext) throws -> Response {
        if let stored = try stored(context.query, context) {
            return context.page(try form(context, stored, OpportunityEditing()))
        }
        guard let kind = Opportunity.Kind(rawValue: context.query["kind"] ?? "") else {
            return context.page(Templates.helping.opportunities.choose())
        }
        var submission = Submission<OpportunityForm>()
        submission.fill(\.kind, kind)
        if kind != .donate { submission.fill(\.rhythm, .shifts) }
        if let provider = try site.read({ db in try Provider.find(of: context.host, in: db) }) {
            submission.put(Place(address: provider.address))
        }
        submission.sayLanguage(\.language, of: context.language)
        return context.page(try form(context, submission, OpportunityEditing()))
    }

    /// A draft to continue, or one's own opportunity to copy.
    private func stored(_ query: FormBody, _ context: ProviderContext) throws -> Submission<OpportunityForm>? {
        if let id = query["draft"].flatMap({ ID<Draft>($0) }) {
            let draft = try site.read { db in
                try Draft.find(id, .opportunity, of: context.host, for: context.member.account, in: db)
            }
            guard let draft else { throw Refusal.notFound }
            return Submission(resuming: draft.form)
        }
        guard let id = query["copy"].flatMap({ ID<Opportunity>($0) }) else { return nil }
        return try site.read(at: context.now) { tx in
            let opportunity = try Opportunity.own(id, of: context.host, in: tx)
            // An opportunity hidden by staff can't be copied.
            guard !opportunity.isHiddenByStaff else { return nil }
            return Submission(
                filled: OpportunityForm(
                    copying: opportunity, try Shift.all(of: id, in: tx), try Thing.all(of: id, in: tx),
                    today: context.today))
        }
    }

    private func keep(
        _ submission: Submission<OpportunityForm>, _ context: ProviderContext, _ editing: OpportunityEditing
    ) async throws -> Response {
        let kept = Draft.Content(submission)
        // A draft may be incomplete.
        var submission = submission.unfinished(context.body)
        guard !context.body.isRenewed else {
            return context.again(try form(context, submission, editing))
        }
        let many = try await site.keep(kept, by: context.member, at: context.now)
        guard let many else { return context.redirect(to: Draft.Kind.opportunity.list, flash: .draftKept) }
        submission.reject(many.words)
        return context.again(try form(context, submission, editing))
    }

    func create(_ context: ProviderContext) async throws -> Response {
        var editing = OpportunityEditing(search: PlaceSearch(context.body, with: OpportunityForm.self))
        guard Opportunity.Kind(rawValue: context.body["kind"] ?? "") != nil else {
            return context.again(Templates.helping.opportunities.choose())
        }
        let (submission, opportunity) = try checked(context, editing)
        if let other = try changed(context, submission, editing) { return other }
        if submission.step == .draft { return try await keep(submission, context, editing) }
        editing.newer = try site.newer(
            than: Draft.Content(submission), of: context.host, for: context.member.account)
        guard submission.step == .publish, let opportunity else {
            return try again(context, submission, opportunity, editing)
        }
        let (once, form, hasBrakes) = (submission.once, submission.form, site.hasBrakes)
        let (zone, member, sent, draft) = (
            opportunity.zone, context.member, context.sent(submission), Draft.Content(submission)
        )
        let outcome = try await site.write(at: context.now) { tx in
            // Colleagues share a draft and therefore its `once`.
            try sent.remember(by: opportunity.host.id, in: tx)
            let outcome = try Opportunity.publish(
                opportunity, form.drawnShifts(in: zone), form.drawnThings, once: once, draft: draft,
                hasBrakes: hasBrakes, in: tx)
            if case .new = outcome { try Colleague.authorize(.posted, opportunity.title, by: member, in: tx) }
            return outcome
        }
        switch outcome {
        case .new(let id):
            let isWaiting = try site.read { db in try Matter.waits(.opportunity(id), in: db) == .first }
            return context.redirect(to: .opportunity(id), flash: isWaiting ? .waitsForLook : .helpPublished)
        case .already(let id): return context.redirect(to: .opportunity(id), flash: .sentBefore)
        }
    }

    func edit(_ context: ProviderContext) throws -> Response {
        let (editing, shifts, things) = try stored(context)
        guard let opportunity = editing.stored else { throw Refusal.notFound }
        return context.page(
            try form(
                context, Submission(changing: OpportunityForm(opportunity, shifts.ahead(of: context.now), things)),
                editing))
    }

    func update(_ context: ProviderContext) async throws -> Response {
        let (editing, shifts, things) = try stored(context)
        guard let before = editing.stored else { throw Refusal.notFound }
        let (sent, meant) = try checked(context, editing, shifts, things)
        if let other = try changed(context, sent, editing) { return other }
        guard sent.step == .publish, let changed = meant else { return try again(context, sent, meant, editing) }
        var submission = sent
        let (now, form, zone) = (
            context.now, submission.form, Zone(identifier: before.place.zone) ?? site.settings.zone
        )
        let (host, member) = (context.host, context.member)
        // Past shifts stay as they were.
        let over = shifts.filter { $0.startsAt <= now }
        let kept = form.drawnShifts(in: zone) + over
        do {
            try await site.write(at: now) { tx in
                let own = try Opportunity.own(before.id, of: host, in: tx)
                let stored = OpportunityForm(
                    own, try Shift.all(of: before.id, in: tx).ahead(of: tx.now), try Thing.all(of: before.id, in: tx))
                let new = OpportunityForm(changed, form.drawnShifts(in: zone), form.drawnThings)
                // An organization that was asked whether it is still current says so by saving it.
                let isNew =
                    try sent.isChange(of: Submission(changing: stored), to: Submission(changing: new))
                    || own.isAboutToEnd(at: tx.now)
                if isNew { try Opportunity.update(changed, kept, form.drawnThings, in: tx) }
                try Colleague.authorize(.changed, changed.title, by: member, isNew: isNew, in: tx)
            }
            return context.redirect(to: try afterChange(of: before.id), flash: .saved)
        } catch is Opportunity.TooFew {
            submission.reject("Somebody signed up meanwhile. Look at the numbers again.")
        }
        return context.again(try self.form(context, submission, editing))
    }

    func close(_ context: ProviderContext) async throws -> Response {
        let id: ID<Opportunity> = try context.id()
        let submission = context.submission(CloseForm.self)
        guard let form = submission.value else { return try closing(submission, context) }
        let (host, member, now) = (context.host, context.member, context.now)
        // A restricted member can close their own, but without a message to others.
        let isLimited = context.member.limitedUntil.map { $0 > now } ?? false
        let reason = isLimited ? "" : form.reason ?? ""
        try await site.write(at: now) { tx in
            let opportunity = try Opportunity.own(id, of: host, in: tx)
            // A colleague was faster: helpers read another reason, or none.
            if opportunity.isClosed, opportunity.closeReason != reason { throw Refusal.overtaken(.opportunity(id)) }
            try Opportunity.close(opportunity, reason: reason, in: tx)
            try Colleague.authorize(.closed, opportunity.title, by: member, isNew: !opportunity.isClosed, in: tx)
        }
        return context.redirect(to: try afterChange(of: id), flash: .helpClosed)
    }

    /// The list if somebody must still be told, otherwise its page.
    private func afterChange(of id: ID<Opportunity>) throws -> Link {
        let guests = try site.read { db in try Guest.all(of: id, in: db) }
        let isToldToAll = guests.allSatisfy { $0.guest.untoldSince == nil }
        return isToldToAll ? .opportunity(id) : (.opportunity(id) / "signups").fragment("added")
    }

    func closing(_ context: ProviderContext) throws -> Response { try closing(Submission(), context) }

    private func closing(_ form: Submission<CloseForm>, _ context: ProviderContext) throws -> Response {
        let id: ID<Opportunity> = try context.id()
        let opportunity = try site.read(at: context.now) { tx in try Opportunity.own(id, of: context.host, in: tx) }
        let view = Templates.helping.opportunities.close(opportunity: opportunity, form: form)
        return form.problems.isEmpty ? context.page(view) : context.again(view)
    }

    func renew(_ context: ProviderContext) async throws -> Response {
        let id: ID<Opportunity> = try context.id()
        let (host, member) = (context.host, context.member)
        try await site.write(at: context.now) { tx in
            let opportunity = try Opportunity.own(id, of: host, in: tx)
            let isNew = try Opportunity.renew(opportunity, in: tx)
            try Colleague.authorize(.renewed, opportunity.title, by: member, isNew: isNew, in: tx)
        }
        return context.redirect(to: .opportunity(id), flash: .saved)
    }

    /// An organization's own opportunities, newest first.
    func mine(_ context: ProviderContext) throws -> Response {
        if context.query["list"] == "draft" {
            guard !context.member.onlyLooks else { throw Refusal.notAllowed }
            let drafts = try site.read(at: context.now) { tx in
                let undos = try Undo.all(.draft, of: context.host, in: tx)
                return try DraftList(
                    .opportunity, of: context.host, for: context.member.account, undos: undos, in: context.zone, db: tx)
            }
            return context.page(Templates.helping.opportunities.drafts(list: drafts))
        }
        let after: Cursor<ID<Opportunity>>? = context.after()
        let (page, gaps) = try site.read(at: context.now) { tx in
            (
                try Opportunity.all(by: context.host, after: after, in: tx),
                // Only on the first page.
                try after == nil ? HostedShift.gaps(of: context.host, after: tx.now, in: tx) : []
            )
        }
        return context.page(
            Templates.helping.opportunities.mine(
                items: page.items, gaps: gaps, more: page.more(at: .ownOpportunities)))
    }

    private func stored(_ context: ProviderContext) throws -> (OpportunityEditing, [Shift], [Thing]) {
        let id: ID<Opportunity> = try context.id()
        return try site.read(at: context.now) { tx in
            let opportunity = try Opportunity.own(id, of: context.host, in: tx)
            guard !opportunity.isClosed else { throw Refusal.tooLate }
            return (
                OpportunityEditing(
                    stored: opportunity, organization: opportunity.host.name,
                    search: PlaceSearch(context.body, with: OpportunityForm.self)),
                try Shift.all(of: id, in: tx),
                try Thing.all(of: id, in: tx)
            )
        }
    }

    private func checked(
        _ context: ProviderContext, _ editing: OpportunityEditing, _ shifts: [Shift] = [], _ things: [Thing] = []
    ) throws -> (Submission<OpportunityForm>, Opportunity?) {
        // Buttons for rows or places only draw the form again, which would lose the notes on conflicts.
        guard context.body["row"] == nil, !editing.search.isPressed else {
            var submission = context.submission(OpportunityForm.self)
            if let stored = editing.stored { submission.fill(\.kind, stored.kind) }
            return (submission, nil)
        }
        let (host, reader) = (context.host, context.member.account)
        var submission =
            try editing.stored.map { stored in
                try context.submission(
                    changing: OpportunityForm(stored, shifts.ahead(of: context.now), things),
                    by: try site.read { db in
                        try TeamAct.last(.changed, stored.title, of: host, besides: reader, in: db)
                    })
            } ?? context.submission(OpportunityForm.self)
        if let stored = editing.stored {
            submission.fill(\.kind, stored.kind)
        } else {
            submission.sayLanguage(\.language, of: context.language)
        }
        // It uses its place's zone unless the form names another, and keeps the zone in which it was posted.
        let zone =
            try editing.stored.flatMap { Zone(identifier: $0.place.zone) }
            ?? submission.form.zone.flatMap { Zone(typed: $0) } ?? site.read { db in
                try Gazetteer.zone(of: submission.form.shownAddress, in: db)
            } ?? site.settings.zone
        submission.form.check(
            &submission, shifts: shifts, things: things, zone: zone, currency: site.currency,
            country: site.settings.country, now: context.now)
        guard let host = try site.read({ db in try Event.host(host, in: db) }) else { throw Refusal.notFound }
        submission.form.checkTrust(&submission, in: host, instead: editing.stored, at: context.now)
        guard let form = submission.value else { return (submission, nil) }
        let checked = submission
        return try site.read { db in
            var opportunity = try form.opportunity(
                by: host, zone: zone, currency: site.currency, country: site.settings.country, now: context.now
            ).located(in: db)
            if let stored = editing.stored { opportunity.id = stored.id }
            return (checked, opportunity)
        }
    }

    /// The form again after a button changed a part of it: its rows or the place.
    private func changed(
        _ context: ProviderContext, _ submission: Submission<OpportunityForm>, _ editing: OpportunityEditing
    ) throws -> Response? {
        if let row = context.body["row"] {
            return context.page(try form(context, submission.pressed(row), editing))
        }
        guard editing.search.isPressed else { return nil }
        var (submission, editing) = (submission.withoutProblems, editing)
        let (account, country) = (context.host, site.settings.country)
        try site.read { db in try editing.search.choose(for: &submission, of: account, country: country, in: db) }
        return context.page(try form(context, submission, editing))
    }

    /// The form to draw, with places to choose from.
    private func form(
        _ context: ProviderContext, _ submission: Submission<OpportunityForm>, _ editing: OpportunityEditing
    ) throws -> View<Frame> {
        var editing = editing
        try site.read { db in
            try editing.search.look(of: context.host, country: site.settings.country, in: db)
        }
        return Templates.helping.opportunities.new(form: submission, editing: editing)
    }

    /// The form again, or the preview.
    private func again(
        _ context: ProviderContext, _ submission: Submission<OpportunityForm>, _ opportunity: Opportunity?,
        _ editing: OpportunityEditing
    ) throws -> Response {
        if submission.step == .edit { return context.page(try form(context, submission, editing)) }
        guard let opportunity else { return context.again(try form(context, submission, editing)) }
        let zone = Zone(identifier: opportunity.place.zone) ?? site.settings.zone
        var page = OpportunityPage(
            opportunity, submission.form.drawnShifts(in: zone), submission.form.drawnThings, at: context.now)
        page.isPreview = true
        page.isOwn = true
        return context.page(
            Templates.helping.opportunities.preview(page: page, form: submission, editing: editing))
    }

    // MARK: Helping

    /// `POST /opportunities/{id}/signups`.
    func signUp(_ context: MemberContext) async throws -> Response {
        let id: ID<Opportunity> = try context.id()
        let submission = context.submission(SignupForm.self)
        let (chosen, full, held) =
            (shifts("shift", context.body), shifts("wait", context.body), shifts("add", context.body))
        let all = chosen + full + held
        let children = context.body.all("child").prefix(Child.limit).compactMap { ID<Child>($0) }
        let (account, family, now) = (context.member.account, context.member.family?.id, context.now)
        guard let form = submission.value else {
            return context.again(
                Templates.helping.opportunities.show(
                    page: try page(context, chosen: all, children: children), form: submission))
        }
        // Another choice is another form: after Back, the browser shows the same page for it.
        let choice = all.map { "\($0)" }.sorted().joined(separator: ",")
        let sent = SentForm(
            submission, at: "\(context.visit.path)?shift=\(choice)",
            beside: children.map { (name: "child", value: "\($0)") })
        do {
            let waits = try await site.carryOut(sent, counting: .comments, by: account, at: now) { tx, isFirst in
                let isDone = try !isFirst && Signup.isIn(all, account, at: id, in: tx)
                if isFirst {
                    try Signup.take(
                        chosen, waitingFor: full, addingTo: held, with: children, ofFamily: family,
                        message: form.message ?? "", of: account, at: id, in: tx)
                }
                let signups = try Signup.held(by: account, at: id, in: tx)
                let waits = signups.contains { $0.state == .asked && ($0.shift.map { all.contains($0.id) } ?? true) }
                return (waits, !isDone)
            }
            let isOnList = !full.isEmpty && full == all
            return context.redirect(
                to: Link.opportunity(id).fragment("mine"), flash: isOnList ? .waits : waits ? .asked : .signedUp)
        } catch let refused as Signup.Refused {
            var page = try page(context, chosen: all, children: children)
            (page.problem, page.part) = (refused.words, refused.part)
            return context.again(Templates.helping.opportunities.show(page: page, form: submission))
        }
    }

    private func shifts(_ name: String, _ form: FormBody) -> [ID<Shift>] {
        form.all(name).prefix(Opportunity.mostShifts).compactMap { ID<Shift>($0) }
    }

    /// `POST /opportunities/{id}/unwait`: leaves a shift's waiting list.
    func stopWaiting(_ context: MemberContext) async throws -> Response {
        let id: ID<Opportunity> = try context.id()
        guard let shift = shifts("shift", context.body).first else { throw Refusal.malformed }
        let account = context.member.account
        try await site.write(at: context.now) { tx in
            // They have got the place meanwhile.
            if try Signup.holds(account, id, shift, in: tx) { throw Refusal.overtaken(.opportunity(id)) }
            try Undo.leavingLine(of: shift, of: account, in: tx)
        }
        return context.redirect(to: .opportunity(id), flash: .saved)
    }

    /// `POST /opportunities/{id}/promises`.
    func promise(_ context: MemberContext) async throws -> Response {
        let id: ID<Opportunity> = try context.id()
        let submission = context.submission(PromiseForm.self)
        let (account, once) = (context.member.account, submission.once)
        guard let form = submission.value, let thing = form.thing else {
            guard context.body.isRenewed else { throw Refusal.malformed }
            var page = try page(context)
            (page.problem, page.part) = (SentForm.HasOtherWords().words, .things)
            return context.again(Templates.helping.opportunities.show(page: page, form: Submission()))
        }
        let sent = context.sent(submission)
        do {
            try await site.carryOut(sent, counting: .comments, by: account, at: context.now) { tx in
                ((), try Promise.make(form.count, of: thing, by: account, at: id, once: once, in: tx))
            }
        } catch let refused as Promise.Refused {
            var page = try page(context)
            (page.problem, page.part) = (refused.words, .things)
            return context.again(Templates.helping.opportunities.show(page: page, form: Submission()))
        }
        return context.redirect(to: Link.opportunity(id).fragment("mine"), flash: .promised)
    }
}

extension OpportunityFilter.Display {
    /// The last choice, stored in a cookie as one of two words.
    init?(cookie context: some Context) {
        guard let text = context.visit.cookie(Self.cookieName) else { return nil }
        self.init(rawValue: String(text))
    }

    private static let cookieName = "village_view"

    func cookie(in settings: Settings) -> String {
        Cookie.line(Self.cookieName, rawValue, seconds: 31_536_000, in: settings)
    }
}

extension [Shift] {
    /// Shifts that can still be changed because they haven't begun.
    fileprivate func ahead(of now: Instant) -> [Shift] { filter { $0.startsAt > now } }
}
