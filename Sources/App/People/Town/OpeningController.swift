import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin/modules` and `/admin/banner`: what is open, and the banner.
struct OpeningController {
    let site: Site

    func modules(_ context: AdminContext) -> Response {
        context.page(Templates.people.admin.modules(form: Submission(changing: OpeningForm(site.opening))))
    }

    func setModules(_ context: AdminContext) async throws -> Response {
        let submission = try context.submission(
            changing: OpeningForm(site.opening),
            by: try changer([.switchOn, .switchOff, .closeSite, .openSite], context))
        guard let form = submission.value else {
            return context.again(Templates.people.admin.modules(form: submission))
        }
        // The first admin's checklist depends on this.
        try await site.change(by: context.member.account, at: context.now, noting: Desk.chosenModules) { opening in
            try submission.requireUnchanged(since: Submission(changing: OpeningForm(opening)))
            opening.off = Set(Module.allCases).subtracting(form.modules)
            opening.isClosed = form.isClosed
        }
        return context.redirect(to: .modules, flash: .saved)
    }

    func banner(_ context: AdminContext) -> Response {
        context.page(Templates.people.admin.banner(form: Submission(changing: BannerForm(site.opening.banner))))
    }

    func setBanner(_ context: AdminContext) async throws -> Response {
        var submission = try context.submission(
            changing: BannerForm(site.opening.banner), by: try changer([.setBanner], context))
        submission.form.check(&submission, today: context.townDay)
        guard let form = submission.value else {
            return context.again(Templates.people.admin.banner(form: submission))
        }
        let id = String(Token().text.prefix(12))
        let sent = submission
        try await site.change(by: context.member.account, at: context.now) { opening in
            try sent.requireUnchanged(since: Submission(changing: BannerForm(opening.banner)))
            let before = opening.banner
            opening.banner = form.text.map { text in
                // The same text again stays dismissed for members who dismissed it.
                Opening.Banner(id: before?.text == text ? before?.id ?? id : id, text: text, until: form.until)
            }
        }
        return context.redirect(to: .adminBanner, flash: .saved)
    }

    private func changer(_ verbs: [AuditEntry.Verb], _ context: AdminContext) throws -> String? {
        try site.read { db in try AuditEntry.last(verbs, besides: context.member.account, in: db) }
    }

    /// `POST /banner`: dismisses the banner until the browser is closed.
    func putAway(_ context: PublicContext) -> Response {
        var response = context.redirect(to: context.next ?? Link.start)
        if let banner = site.opening.banner {
            response.headers.append(Cookie.line(Opening.Banner.cookie, banner.id, seconds: nil, in: site.settings))
        }
        return response
    }
}

extension Site {
    /// Stores an admin's change, which all pages show from then on.
    func change(
        by admin: ID<Account>, at now: Instant, noting step: String? = nil,
        _ change: @escaping @Sendable (inout Opening) throws -> Void
    ) async throws {
        do {
            try await write(at: now) { tx in
                try Role.require(.admin, of: admin, in: tx)
                if let step { try Note.set(step, "1", in: tx) }
                let before = try Opening(in: tx)
                var opening = before
                try change(&opening)
                guard opening != before else { return }
                try opening.save(in: tx)
                try opening.record(instead: before, by: admin, in: tx)
                // Before the data's version rises, so that no earlier page is cached under the new version.
                self.use(opening)
            }
        } catch {
            use(try read { db in try Opening(in: db) })
            throw error
        }
    }
}

extension Visit {
    /// The banner, unless its reader dismissed it.
    var banner: Opening.Banner? {
        guard let banner = site.opening.banner, banner.isShown(on: site.settings.zone.day(of: now)),
            cookie(Opening.Banner.cookie).map({ $0 != banner.id }) ?? true
        else { return nil }
        return banner
    }
}
