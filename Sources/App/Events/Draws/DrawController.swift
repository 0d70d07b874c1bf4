import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// Draws: creating them, entering wishes, drawing, and the public page for verification.
struct DrawController {
    let site: Site

    // MARK: The host

    /// `/draws/new`: the host's draws, and a form for a new one.
    func new(_ context: ProviderContext) throws -> Response {
        var submission = Submission<DrawForm>()
        let (candidates, draws) = try lists(context)
        DrawForm.offer(candidates, in: &submission)
        return context.page(Templates.events.draws.new(form: submission, draws: draws))
    }

    /// One form: first a preview, and then it is published.
    func create(_ context: ProviderContext) async throws -> Response {
        var submission = context.submission(DrawForm.self)
        let (host, zone, once) = (context.host, site.settings.zone, submission.once)
        if let earlier = try site.read({ db in try Draw.sent(once, by: host, in: db) }) {
            return context.redirect(to: .draw(earlier))
        }
        let (candidates, draws) = try lists(context)
        DrawForm.offer(candidates, in: &submission)
        submission.form.check(&submission, among: candidates, on: context.townDay, in: zone)
        guard let form = submission.value, let lastDay = form.lastDay else {
            return context.again(Templates.events.draws.new(form: submission, draws: draws))
        }
        switch submission.step {
        case .publish:
            let (member, sent, until) = (context.member, context.sent(submission), Draw.end(of: lastDay, in: zone))
            let id = try await site.write(at: context.now) { tx in
                try sent.remember(by: member.account, in: tx)
                // Of two presses at once, the second finds what the first made.
                if let earlier = try Draw.sent(once, by: host, in: tx) { return earlier }
                let id = try Draw.create(form, until: until, of: host, once: once, in: tx)
                try Colleague.authorize(.posted, form.title, by: member, in: tx)
                return id
            }
            return context.redirect(to: .draw(id))
        case .preview:
            let chosen = candidates.filter { form.events.contains($0.id) }.map { event in
                DrawPage.Line(number: event.id, event: event, places: event.spots, isGone: false)
            }
            return context.page(
                Templates.events.draws.preview(
                    form: submission, lines: chosen, lastDay: lastDay, nearby: Draw.nearby(form.zips)))
        default: return context.page(Templates.events.draws.new(form: submission, draws: draws))
        }
    }

    private func lists(_ context: ProviderContext) throws -> (candidates: [Event], draws: [Draw]) {
        try site.read(at: context.now) { tx in
            (try Draw.candidates(of: context.host, in: tx), try Draw.all(of: context.host, in: tx))
        }
    }

    /// `/draws/{id}/seed`: for its host and staff.
    func askSeed(_ context: MemberContext) throws -> Response {
        let page = try own(context)
        guard page.canDraw else { return context.redirect(to: page.draw.link) }
        return context.page(Templates.events.draws.seed(page: page, form: Submission()))
    }

    /// Draws once: first the seed is shown for confirmation, and then it counts.
    func draw(_ context: MemberContext) async throws -> Response {
        let page = try own(context)
        guard page.canDraw else { return context.redirect(to: page.draw.link) }
        let submission = context.submission(SeedForm.self)
        guard let form = submission.value else {
            return context.again(Templates.events.draws.seed(page: page, form: submission))
        }
        switch submission.step {
        case .publish:
            let (draw, member) = (page.draw, context.member)
            let sent = context.sent(submission)
            try await site.write(at: context.now) { tx in
                try sent.remember(by: member.account, in: tx)
                try draw.authorize(.drew, by: member, in: tx)
                try Draw.draw(draw.id, by: form.seed, in: tx)
            }
            return context.redirect(to: page.draw.link)
        case .preview: return context.page(Templates.events.draws.confirm(page: page, form: submission))
        default: return context.page(Templates.events.draws.seed(page: page, form: submission))
        }
    }

    /// `POST /draws/{id}/until`: takes wishes for longer.
    ///
    /// - Throws: `Refusal.tooLate` once the time for wishes is over.
    func extend(_ context: ProviderContext) async throws -> Response {
        let page = try page(context, for: context.member)
        guard page.isOwn else { throw Refusal.notFound }
        guard page.canExtend else { throw Refusal.tooLate }
        let (draw, member, zone) = (page.draw, context.member, site.settings.zone)
        var submission = context.submission(changing: DeadlineForm(lastDay: draw.lastDay), by: nil)
        DeadlineForm.check(&submission, of: page, on: context.townDay, in: zone)
        guard let day = submission.value?.lastDay else {
            return context.again(Templates.events.draws.show(page: page, deadline: submission))
        }
        let sent = submission
        try await site.write(at: context.now) { tx in
            guard let stored = try Draw.find(draw.id, in: tx) else { throw Refusal.notFound }
            try sent.requireUnchanged(since: Submission(changing: DeadlineForm(lastDay: stored.lastDay)))
            let isNew = try stored.extend(to: day, until: Draw.end(of: day, in: zone), in: tx)
            try Colleague.authorize(.changed, draw.title, by: member, isNew: isNew, in: tx)
        }
        return context.redirect(to: draw.link, flash: .saved)
    }

    /// `POST /draws/{id}/call-off`.
    func callOff(_ context: MemberContext) async throws -> Response {
        let page = try own(context)
        guard page.canCallOff else { return context.redirect(to: page.draw.link) }
        let (draw, member) = (page.draw, context.member)
        try await site.write(at: context.now) { tx in
            try draw.authorize(.endedDraw, by: member, in: tx)
            try Draw.callOff(draw.id, of: draw.host, in: tx)
        }
        return context.redirect(to: context.acting == draw.host ? .newDraw : .events, flash: .drawOff)
    }

    private func own(_ context: MemberContext) throws -> DrawPage {
        let page = try page(context, for: context.member)
        guard page.isHost else { throw Refusal.notFound }
        return page
    }

    private func page(_ context: some Context, for visitor: Visitor?) throws -> DrawPage {
        let id: ID<Draw> = try context.id()
        return try site.read(at: context.now) { tx in try DrawPage(id, for: visitor, in: tx) }
    }

    // MARK: Public pages

    func show(_ context: PublicContext) throws -> Response {
        let page = try page(context, for: context.visit.visitor)
        let deadline = Submission(changing: DeadlineForm(lastDay: page.draw.lastDay))
        return context.page(Templates.events.draws.show(page: page, deadline: deadline))
    }

    /// `/draws/{id}.json`: the input for `deploy/draw.py`, available from the sealing on.
    func lines(_ context: PublicContext) async throws -> Response {
        let id: ID<Draw> = try context.id()
        let (draw, lottery) = try await site.readSlowly { db in
            (try Draw.find(id, in: db), try Lottery(of: id, in: db))
        }
        guard let draw, !draw.isHidden, draw.sealedAt != nil else { throw Refusal.notFound }
        // After erasure, an empty list would contradict the hash.
        guard lottery.units.count == draw.wishes else { throw Refusal.notFound }
        let result = draw.seed.map { lottery.lines(of: lottery.result(seed: $0)) }
        let members: [(name: String, value: JSON)] = [
            ("lines", .array(lottery.lines.map { JSON.string($0) })), ("sha256", .string(draw.hash)),
            ("gone", .array(lottery.gone.sorted().map { JSON.integer(Int($0.rawValue)) })),
            ("seed", draw.seed.map { JSON.string($0) } ?? .null),
            ("result", result.map { lines in JSON.array(lines.map { JSON.string($0) }) } ?? .null),
        ]
        return context.document(.object(members))
    }

    // MARK: Families

    /// `/events/{id}/wishes`: a family's wishes in this event's draw.
    func wishes(_ context: ParentContext) throws -> Response {
        let sheet = try sheet(context)
        guard sheet.draw.phase(at: context.now) == .open else { return context.redirect(to: sheet.draw.link) }
        return context.page(
            Templates.events.draws.wishes(sheet: sheet, event: try context.id(), form: sheet.form))
    }

    func wish(_ context: ParentContext) async throws -> Response {
        let returned = context.returned
        let context = returned ?? context
        var sheet = try sheet(context)
        let (id, member, now): (ID<Event>, Visitor, Instant) = (try context.id(), context.member, context.now)
        if context.body["withdraw"] != nil {
            let stored = sheet
            do {
                try await context.write { tx in try stored.withdraw(of: member.head, in: tx) }
            } catch Refusal.tooLate {
                // What was saved in time is listed there.
                return context.redirect(to: sheet.draw.link, flash: .wishesStay)
            }
            return context.redirect(to: sheet.draw.link, flash: .wishesTakenBack)
        }
        let body = context.body.merged(onto: sheet.form, by: nil)
        var form = Submission<WishesForm>(body)
        sheet.read(body, together: form.form.together)
        // A form of before comes back with what was typed.
        func refuse() -> Response {
            var late = form.withoutProblems
            late.reject(sheet.tooLate)
            return context.again(Templates.events.draws.wishes(sheet: sheet, event: id, form: late))
        }
        guard sheet.draw.phase(at: now) == .open else { return refuse() }
        if returned != nil {
            return context.page(Templates.events.draws.wishes(sheet: sheet, event: id, form: form))
        }
        form.add(sheet.problems())
        guard form.isValid else {
            return context.again(Templates.events.draws.wishes(sheet: sheet, event: id, form: form))
        }
        let (sent, wished) = (form, sheet)
        do {
            try await context.write { tx in
                try Draw.requireOpen(wished.draw.id, in: tx)
                // A sheet is drawn with wishes that aren't stored yet, so one that is sent as it was drawn counts.
                try sent.requireUnchanged(since: WishSheet(at: id, for: member, in: tx).form)
                try wished.save(of: member.head, in: tx)
            }
        } catch Refusal.tooLate {
            return refuse()
        }
        return context.redirect(to: sheet.draw.link, flash: .saved)
    }

    private func sheet(_ context: ParentContext) throws -> WishSheet {
        let id: ID<Event> = try context.id()
        return try site.read { db in try WishSheet(at: id, for: context.member, in: db) }
    }
}
